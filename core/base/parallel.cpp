#include "core/base/parallel.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace altiscope {

struct WorkerArena::Impl {
    explicit Impl(int threads) : arena(threads) {}
    tbb::task_arena arena;
};

WorkerArena::WorkerArena(unsigned threads)
    : m_impl(std::make_unique<Impl>(threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads))) {
    m_impl->arena.initialize();
}

WorkerArena::~WorkerArena() = default;

unsigned WorkerArena::threads() const { return static_cast<unsigned>(m_impl->arena.max_concurrency()); }

void WorkerArena::run(const std::function<void()>& work) {
    m_impl->arena.execute([&work] { work(); });
}

void WorkerArena::post(std::function<void()> work) { m_impl->arena.enqueue(std::move(work)); }

void parallelFor(std::size_t count, const std::function<void(std::size_t)>& body) {
    // Grain 1: bodies are whole chunks or tracks, large against the cost of a task.
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1), [&body](const auto& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
    }, tbb::simple_partitioner());
}

} // namespace altiscope
