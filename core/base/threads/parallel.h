#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace altiscope {

/// The worker threads of a program: one pool, shared by everything that computes. Created by whoever owns the program's
/// jobs (JobRunner, or the CLI's main) and handed down implicitly: parallelFor runs on the arena it is called from.
class WorkerArena {
public:
    /// @param threads  0 means one per core.
    explicit WorkerArena(unsigned threads = 0);
    ~WorkerArena();
    WorkerArena(const WorkerArena&) = delete;
    WorkerArena& operator=(const WorkerArena&) = delete;

    /// Runs `work` inside the arena and waits for it. The calling thread takes part as a worker.
    void run(const std::function<void()>& work);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Calls body(i) for each i in [0, count) on the current arena's workers, in any order; returns when all are done.
/// While it waits the calling thread takes part in these calls only. May be nested.
/// @param body  Must not throw.
void parallelFor(std::size_t count, const std::function<void(std::size_t)>& body);

/// parallelFor for a few large bodies with loops of their own: a thread that waits in one of them, or for their end,
/// takes part in the loops of the others, too.
/// @param body  Must not throw. Must not keep a lock over a loop: the thread that has it may meet it again.
void parallelTogether(std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace altiscope
