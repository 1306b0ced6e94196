#include "core/base/parallel.h"

#include "core/base/thread_annotations.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <optional>

// The thread sanitizer does not see how oneTBB orders its threads. This file, the only one that uses it, is therefore
// compiled without the sanitizer, and tells it the orders that oneTBB promises.

namespace altiscope {

struct WorkerArena::Impl {
    explicit Impl(int threads) : arena(threads) {
        // oneTBB makes no more threads than cores unless told so.
        if (threads > tbb::this_task_arena::max_concurrency())
            more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    }
    std::optional<tbb::global_control> more;
    tbb::task_arena arena;
};

WorkerArena::WorkerArena(unsigned threads)
    : m_impl(std::make_unique<Impl>(threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads))) {
    m_impl->arena.initialize();
}

WorkerArena::~WorkerArena() = default;

unsigned WorkerArena::threads() const { return static_cast<unsigned>(m_impl->arena.max_concurrency()); }

void WorkerArena::run(const std::function<void()>& work) {
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

void WorkerArena::post(std::function<void()> work) {
    auto owned = std::make_shared<const std::function<void()>>(std::move(work));
    handOver(owned.get());
    // Moved, not shared: what the work holds is released by the worker that ran it.
    m_impl->arena.enqueue([owned = std::move(owned)] {
        takeOver(owned.get());
        (*owned)();
    });
}

void parallelFor(std::size_t count, const std::function<void(std::size_t)>& body) {
    const char begin = 0;
    const char end = 0;
    handOver(&begin);
    // Isolated: a caller that waits for its last bodies must not pick up other work of the arena meanwhile, which may be a
    // whole other rank, and so nest ever deeper.
    tbb::this_task_arena::isolate([&] {
        // Grain 1: bodies are whole chunks or tracks, large against the cost of a task.
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1), [&](const auto& range) {
            takeOver(&begin);
            for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
            handOver(&end);
        }, tbb::simple_partitioner());
    });
    takeOver(&end);
}

} // namespace altiscope
