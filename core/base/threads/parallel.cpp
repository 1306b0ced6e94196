#include "core/base/threads/parallel.h"

#include "core/base/threads/thread_annotations.h"
#include "core/base/threads/thread_supply.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

// The thread sanitizer does not see how oneTBB orders its threads. This file, the only one that uses it, is therefore
// compiled without the sanitizer, and tells it the orders that oneTBB promises.

namespace altiscope {

namespace {

/// oneTBB has failed to make a thread. What it counts no longer agrees then, and it would wait for ever at some later
/// time: from then on everything runs on the threads that request it, and nothing calls oneTBB any more, not even to
/// end an arena.
std::atomic<bool> schedulerFailed{false};

/// This thread is in a body of parallelTogether, or in a loop within one.
thread_local bool isTogether = false;

/// Sets a flag of this thread for a while.
class WhileTogether {
public:
    explicit WhileTogether(bool is) : m_before(std::exchange(isTogether, is)) {}
    ~WhileTogether() { isTogether = m_before; }
    WhileTogether(const WhileTogether&) = delete;
    WhileTogether& operator=(const WhileTogether&) = delete;

private:
    const bool m_before;
};

/// No more threads than the system gives.
int givenThreads(unsigned wanted) {
    const unsigned all = wanted == 0 ? static_cast<unsigned>(tbb::this_task_arena::max_concurrency()) : wanted;
    return static_cast<int>(1 + availableThreads(all - 1));
}

/// The bodies of one parallelFor, taken by whoever has time: one by one, or some at once where there are very many, so
/// that small bodies cost more than the counter does.
class SharedLoop {
public:
    SharedLoop(std::size_t count, const std::function<void(std::size_t)>& body)
        : m_count(count), m_atOnce(std::max<std::size_t>(1, count / kMaxTakes)), m_body(body) {}

    /// Runs bodies until there are none left, or one of them has thrown.
    void work() {
        try {
            for (;;) {
                const std::size_t first = m_next.fetch_add(m_atOnce);
                if (first >= m_count) return;
                const std::size_t last = std::min(m_count, first + m_atOnce);
                for (std::size_t i = first; i < last; ++i) m_body(i);
            }
        } catch (...) {
            m_next = m_count;
            const std::lock_guard lock(m_mutex);
            if (!m_thrown) m_thrown = std::current_exception();
        }
    }

    /// When nobody works on it any more.
    void rethrow() const {
        if (m_thrown) std::rethrow_exception(m_thrown);
    }

private:
    static constexpr std::size_t kMaxTakes = 4096;

    const std::size_t m_count;
    const std::size_t m_atOnce;
    const std::function<void(std::size_t)>& m_body;
    std::atomic<std::size_t> m_next{0};
    std::mutex m_mutex;
    std::exception_ptr m_thrown;
};

}  // namespace

struct WorkerArena::Impl {
    explicit Impl(int threads) : arena(threads) {
        // oneTBB makes no more threads than cores unless it must.
        if (threads > tbb::this_task_arena::max_concurrency())
            more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    }
    std::optional<tbb::global_control> more;
    tbb::task_arena arena;
};

WorkerArena::WorkerArena(unsigned threads) : m_impl(std::make_unique<Impl>(givenThreads(threads))) {
    m_impl->arena.initialize();
}

WorkerArena::~WorkerArena() {
    if (schedulerFailed) static_cast<void>(m_impl.release());
}

void WorkerArena::run(const std::function<void()>& work) {
    if (schedulerFailed) return work();
    // The arena may let a worker do it, if it has no place left for the calling thread.
    const char begin = 0;
    const char end = 0;
    handOver(&begin);
    m_impl->arena.execute([&] {
        takeOver(&begin);
        work();
        handOver(&end);
    });
    takeOver(&end);
}

namespace {

/// @param isIsolated  A caller that waits for its last bodies does nothing else.
/// @param together    Of the bodies.
void runLoop(std::size_t count, const std::function<void(std::size_t)>& body, bool isIsolated, bool together) {
    const char begin = 0;
    const char end = 0;
    handOver(&begin);
    SharedLoop loop(count, body);
    if (schedulerFailed) {
        loop.work();
        return loop.rethrow();
    }
    const std::size_t workers = std::min(count, static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
    const auto run = [&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, workers, 1),
            [&](const auto&) {
                takeOver(&begin);
                const WhileTogether scope(together);
                loop.work();
                handOver(&end);
            },
            tbb::simple_partitioner());
    };
    try {
        if (isIsolated) tbb::this_task_arena::isolate(run);
        else run();
    } catch (const std::bad_alloc&) {
        // No memory for its tasks.
        loop.work();
    } catch (const std::runtime_error&) {
        // Bodies do not throw through it, so this is its own: the only thing that it makes and may not get is a thread.
        schedulerFailed = true;
        loop.work();
    }
    takeOver(&end);
    loop.rethrow();
}

}  // namespace

void parallelFor(std::size_t count, const std::function<void(std::size_t)>& body) {
    // Isolated: a caller that waits for its last bodies must not pick up other work of the arena meanwhile, which may
    // be a whole other rank, and so nest ever deeper. Within bodies of parallelTogether that other work is theirs.
    runLoop(count, body, !isTogether, isTogether);
}

void parallelTogether(std::size_t count, const std::function<void(std::size_t)>& body) {
    runLoop(count, body, true, true);
}

}  // namespace altiscope
