#pragma once

#include "core/base/cancel.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace altiscope {

/// A long-running job as the status bar shows it.
struct JobStatus {
    std::uint64_t id = 0;
    QString title;
    ProgressValue progress;
    double secondsRunning = 0;
};

/// Runs work on the program's worker arena and hands results back to the GUI thread. Owned by main(); everything else
/// gets a reference. All public functions are for the GUI thread.
///
/// Closing is ordered: shutdown() refuses new jobs, cancels all, waits until none runs, and drops late results.
class JobRunner : public QObject {
    Q_OBJECT
public:
    explicit JobRunner(unsigned threads = 0, QObject* parent = nullptr);
    ~JobRunner() override;

    /// Starts a visible job (a row in the job list). `work` runs on a worker; `done` runs on the GUI thread afterwards
    /// unless the job was abandoned by shutdown(). The result travels as a shared_ptr<const void>; use the typed run().
    std::uint64_t start(QString title, std::function<std::shared_ptr<const void>(ProgressSlot&, const CancelToken&)> work,
                        std::function<void(std::shared_ptr<const void>)> done);
    /// Asks a visible job to stop; its `done` still runs with what it returned.
    void cancel(std::uint64_t job);
    void cancelAll();

    /// Runs without a row: for answers within a frame or two. Used by Slot.
    void post(std::function<void()> work);
    /// Calls `call` on the GUI thread soon. Thread-safe; dropped after shutdown().
    void toGui(std::function<void()> call);

    std::vector<JobStatus> jobs() const;
    bool idle() const;  ///< No visible job runs and no posted work is under way.
    void shutdown();

    WorkerArena& arena();

signals:
    void jobsChanged();  ///< A visible job began or ended. Progress is sampled, not signalled.
    void becameIdle();

private:
    struct Impl;
    std::shared_ptr<Impl> m_impl;
};

/// Latest wins: one place of a view that shows the answer to its newest question. Starting a question cancels the one
/// before; a late answer is dropped, and so is any answer after the slot is gone. GUI thread only.
class JobSlot {
public:
    explicit JobSlot(JobRunner& runner) : m_runner(&runner), m_state(std::make_shared<State>()) {}
    ~JobSlot() { cancel(); }
    JobSlot(const JobSlot&) = delete;
    JobSlot& operator=(const JobSlot&) = delete;

    /// @param work   `Result(const CancelToken&)`, on a worker; captures values and shared_ptr<const T> only.
    /// @param apply  `void(Result)`, on the GUI thread, only if no newer question was started.
    template <class Work, class Apply>
    void start(Work work, Apply apply) {
        cancel();
        const std::uint64_t generation = ++m_state->generation;
        m_state->busy = true;
        CancelToken token;
        m_token = token;
        m_runner->post([runner = m_runner, state = std::weak_ptr<State>(m_state), generation, token, work = std::move(work),
                        apply = std::move(apply)]() mutable {
            if (token.cancelled()) return;
            auto result = std::make_shared<decltype(work(token))>(work(token));
            runner->toGui([state, generation, result, apply = std::move(apply)]() mutable {
                const auto alive = state.lock();
                if (!alive || alive->generation != generation) return;
                alive->busy = false;
                apply(std::move(*result));
            });
        });
    }
    void cancel() {
        m_token.requestCancel();
        ++m_state->generation;
        m_state->busy = false;
    }
    bool busy() const { return m_state->busy; }

private:
    struct State { std::uint64_t generation = 0; bool busy = false; };
    JobRunner* m_runner;
    std::shared_ptr<State> m_state;
    CancelToken m_token;
};

} // namespace altiscope
