#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace altiscope {

/// A long-running job as the status bar shows it.
struct JobStatus {
    std::uint64_t id = 0;
    QString title;
    bool cancelling = false;  ///< A cancel was requested.
    ProgressValue progress;
    double secondsRunning = 0;
};

/// Runs work on worker threads and hands results back to the GUI thread. Owned by main(); everything else gets a
/// reference. All functions but toGui() are for the GUI thread.
///
/// - A visible job has a thread and a WorkerArena of its own, whose parallelFor uses all cores. Arenas share the
///   machine's workers fairly, so that two imports do not wait for each other and no more threads than cores compute.
/// - Posted work runs on a few threads that do nothing else: a result for the screen never queues behind an import.
///
/// Closing is ordered: shutdown() refuses new work, cancels all, waits until none runs, and drops late results.
class JobRunner : public QObject {
    Q_OBJECT
public:
    /// @param threads  Of one job's arena, and for posted work; 0 means one per core.
    explicit JobRunner(unsigned threads = 0, QObject* parent = nullptr);
    ~JobRunner() override;  ///< shutdown()

    using Work = std::function<std::shared_ptr<const void>(ProgressSlot&, const CancelToken&)>;

    /// Starts a visible job (a row in the job list). `work` runs on a worker; `done` runs on the GUI thread afterwards
    /// unless the job was abandoned by shutdown(). At that time the job is no longer among jobs(). Its argument is what
    /// `work` returned; null if there was not enough memory for it.
    /// @param title  Names what the job works on; shown as it is, so it needs no translation.
    /// @return Its id, never reused; 0 after shutdown(), and then nothing runs.
    std::uint64_t start(QString title, Work work, std::function<void(std::shared_ptr<const void>)> done);
    /// Asks a visible job to stop; its `done` still runs with what it returned. Does nothing for an unknown id.
    void cancel(std::uint64_t job);
    void cancelAll();

    /// Runs without a row: for results within a frame or two. First come, first served. Used by JobSlot.
    void post(std::function<void()> work);
    /// Calls `call` on the GUI thread soon, in the order of asking. Any thread; dropped after shutdown().
    void toGui(std::function<void()> call);

    std::vector<JobStatus> jobs() const;
    /// No visible job runs, no posted work is under way, and nothing waits for the GUI thread.
    bool idle() const;
    /// Waits as long as the slowest job takes to notice its token (at most 100 ms). Can be called again.
    void shutdown();

signals:
    void jobsChanged();  ///< A visible job began or ended. Progress is sampled, not signalled.
    void becameIdle();

private:
    struct Impl;
    struct Job;

    Q_INVOKABLE void deliver();
    void finish(std::uint64_t id, std::shared_ptr<const void> result);

    std::unique_ptr<Impl> m_impl;
};

/// Latest wins: one place of a view that shows the result of its newest request. Starting a request cancels the one
/// before; a late result is dropped, and so is any result after the slot is gone. GUI thread only.
class JobSlot {
public:
    explicit JobSlot(JobRunner& runner) : m_runner(&runner), m_state(std::make_shared<State>()) {}
    ~JobSlot() { cancel(); }
    JobSlot(const JobSlot&) = delete;
    JobSlot& operator=(const JobSlot&) = delete;

    /// @param work   `Result(const CancelToken&)`, on a worker; captures values and shared_ptr<const T> only.
    /// @param apply  `void(Result)`, on the GUI thread, only if no newer request was started. It may be destroyed on a
    ///               worker: captures as of `work`, and pointers.
    template <class Work, class Apply>
    void start(Work work, Apply apply) {
        using Whole = std::invoke_result_t<Work&, const CancelToken&>;
        startInParts<Whole>(
            [work = std::move(work)](const CancelToken& token, const auto& /*publish*/) mutable { return work(token); },
            std::move(apply));
    }
    /// The same for a result that comes in parts: `work` is `Result(const CancelToken&, publish)`, where
    /// publish(Result) hands a part to `apply` before the last one is returned.
    template <class Part, class Work, class Apply>
    void startInParts(Work work, Apply apply) {
        cancel();
        const std::uint64_t generation = ++m_state->generation;
        m_state->busy = true;
        CancelToken token;
        m_token = token;
        m_runner->post([runner = m_runner, state = std::weak_ptr<State>(m_state), generation, token,
                        work = std::move(work), apply = std::make_shared<Apply>(std::move(apply))]() mutable {
            const auto hand = [&](Part part, bool last) {
                auto result = std::make_shared<Part>(std::move(part));
                runner->toGui([state, generation, result, apply, last] {
                    const auto alive = state.lock();
                    if (!alive || alive->generation != generation) return;
                    if (last) alive->busy = false;
                    (*apply)(std::move(*result));
                });
            };
            if (token.cancelled()) return;
            hand(work(token, [&hand](Part part) { hand(std::move(part), false); }), true);
        });
    }
    void cancel() {
        m_token.requestCancel();
        ++m_state->generation;
        m_state->busy = false;
    }
    bool busy() const { return m_state->busy; }

private:
    struct State {
        std::uint64_t generation = 0;
        bool busy = false;
    };
    JobRunner* m_runner;
    std::shared_ptr<State> m_state;
    CancelToken m_token;
};

}  // namespace altiscope
