#include "core/session/job_runner.h"

#include "core/base/threads/parallel.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace altiscope {

namespace {

using Clock = std::chrono::steady_clock;

/// Even on one core a slow delivery must not hold up the next view's.
constexpr unsigned kMinResultThreads = 2;

}  // namespace

struct JobRunner::Job {
    std::uint64_t id = 0;
    QString title;
    Clock::time_point started = Clock::now();
    ProgressSlot progress;
    CancelToken cancel;
    std::function<void(std::shared_ptr<const void>)> done;
    std::thread thread;
};

struct JobRunner::Impl {
    explicit Impl(unsigned wanted)
        : threads(wanted == 0 ? std::max(1U, std::thread::hardware_concurrency()) : wanted) {}

    /// Takes posted work until closing. Work that is still queued then is dropped by shutdown().
    void runTasks(JobRunner& runner) {
        std::unique_lock lock(mutex);
        for (;;) {
            wake.wait(lock, [this] { return closed || !posted.empty(); });
            if (closed) return;
            std::function<void()> work = std::exchange(posted.front(), {});
            posted.pop_front();
            ++answering;
            lock.unlock();
            try {
                work();
            } catch (const std::bad_alloc&) {
                // The view keeps what it shows; its next question may need less.
            }
            work = {};  // Its content may be large; nobody shall wait for its end.
            lock.lock();
            --answering;
            // Whether all is idle now is for the GUI thread to find out.
            if (!closed && posted.empty() && answering == 0) ring(runner);
        }
    }

    /// Has deliver() called once on the GUI thread. With the mutex held.
    void ring(JobRunner& runner) {
        if (rung) return;
        rung = true;
        QMetaObject::invokeMethod(&runner, "deliver", Qt::QueuedConnection);
    }

    const unsigned threads;

    std::mutex mutex;
    std::condition_variable wake;
    std::deque<std::function<void()>> posted;
    std::deque<std::function<void()>> forGui;
    unsigned answering = 0;
    bool rung = false;
    bool closed = false;

    // GUI thread only:
    std::vector<std::thread> resultThreads;
    std::vector<std::unique_ptr<Job>> jobs;
    std::uint64_t nextId = 1;
    bool announcedIdle = true;
};

JobRunner::JobRunner(unsigned threads, QObject* parent) : QObject(parent), m_impl(std::make_unique<Impl>(threads)) {
    const unsigned resultThreads = std::max(kMinResultThreads, m_impl->threads);
    try {
        for (unsigned i = 0; i < resultThreads; ++i)
            m_impl->resultThreads.emplace_back([this] { m_impl->runTasks(*this); });
    } catch (const std::system_error&) {
        // One is enough. Without any no view could be filled, and whoever starts the program learns it from the
        // system's own words.
        if (m_impl->resultThreads.empty()) throw;
    }
}

JobRunner::~JobRunner() { shutdown(); }

std::uint64_t JobRunner::start(QString title, Work work, std::function<void(std::shared_ptr<const void>)> done) {
    // Only this thread closes, so no lock is needed to look.
    if (m_impl->closed) return 0;
    m_impl->announcedIdle = false;
    Job& job = *m_impl->jobs.emplace_back(std::make_unique<Job>());
    job.id = m_impl->nextId++;
    job.title = std::move(title);
    job.done = std::move(done);
    const auto run = [this, &job, id = job.id, work = std::move(work), threads = m_impl->threads] {
        std::shared_ptr<const void> result;
        try {
            WorkerArena arena(threads);
            arena.run([&] { result = work(job.progress, job.cancel); });
        } catch (const std::bad_alloc&) { result = nullptr; }
        toGui([this, id, result = std::move(result)] { finish(id, result); });
    };
    const std::uint64_t id = job.id;
    try {
        job.thread = std::thread(run);
    } catch (const std::system_error&) {
        // As if there were no memory for it.
        toGui([this, id] { finish(id, nullptr); });
    }
    emit jobsChanged();
    return id;
}

void JobRunner::finish(std::uint64_t id, std::shared_ptr<const void> result) {
    const auto found =
        std::find_if(m_impl->jobs.begin(), m_impl->jobs.end(), [id](const auto& job) { return job->id == id; });
    if (found == m_impl->jobs.end()) return;
    const std::unique_ptr<Job> job = std::move(*found);
    m_impl->jobs.erase(found);
    if (job->thread.joinable()) job->thread.join();  // Its last act was to request this call.
    if (job->done) job->done(std::move(result));
    emit jobsChanged();
}

void JobRunner::cancel(std::uint64_t job) {
    for (const auto& running : m_impl->jobs) {
        if (running->id != job) continue;
        running->cancel.requestCancel();
        emit jobsChanged();
        return;
    }
}

void JobRunner::cancelAll() {
    for (const auto& job : m_impl->jobs) job->cancel.requestCancel();
}

void JobRunner::post(std::function<void()> work) {
    const std::lock_guard lock(m_impl->mutex);
    if (m_impl->closed) return;
    m_impl->announcedIdle = false;
    m_impl->posted.push_back(std::move(work));
    m_impl->wake.notify_one();
}

void JobRunner::toGui(std::function<void()> call) {
    const std::lock_guard lock(m_impl->mutex);
    if (m_impl->closed) return;
    m_impl->forGui.push_back(std::move(call));
    m_impl->ring(*this);
}

void JobRunner::deliver() {
    std::deque<std::function<void()>> calls;
    {
        const std::lock_guard lock(m_impl->mutex);
        m_impl->rung = false;
        calls.swap(m_impl->forGui);
    }
    for (auto& call : calls) {
        // A call may close the program; what waits behind it is then late.
        if (m_impl->closed) return;
        call();
    }
    if (!m_impl->announcedIdle && idle()) {
        m_impl->announcedIdle = true;
        emit becameIdle();
    }
}

std::vector<JobStatus> JobRunner::jobs() const {
    std::vector<JobStatus> list;
    const Clock::time_point now = Clock::now();
    for (const auto& job : m_impl->jobs) {
        list.push_back({.id = job->id,
                        .title = job->title,
                        .cancelling = job->cancel.cancelled(),
                        .progress = job->progress.sample(),
                        .secondsRunning = std::chrono::duration<double>(now - job->started).count()});
    }
    return list;
}

bool JobRunner::idle() const {
    const std::lock_guard lock(m_impl->mutex);
    return m_impl->jobs.empty() && m_impl->posted.empty() && m_impl->answering == 0 && m_impl->forGui.empty();
}

void JobRunner::shutdown() {
    std::deque<std::function<void()>> late;
    {
        const std::lock_guard lock(m_impl->mutex);
        m_impl->closed = true;
        late.swap(m_impl->posted);
        m_impl->wake.notify_all();
    }
    cancelAll();
    for (const auto& job : m_impl->jobs) {
        if (job->thread.joinable()) job->thread.join();
    }
    for (std::thread& thread : m_impl->resultThreads) thread.join();
    m_impl->jobs.clear();
    m_impl->resultThreads.clear();
    const std::lock_guard lock(m_impl->mutex);
    m_impl->forGui.clear();
}

}  // namespace altiscope
