#include "views/capture/runs/capture_activity.h"

#include "core/session/files/write_guard.h"

#include <QMetaObject>
#include <QThread>

#include <chrono>
#include <utility>

namespace altiscope {

using capture::CaptureLock;
using capture::CaptureRecord;
using capture::CaptureRun;
using capture::Event;
using capture::State;

namespace {

/// Rest of putting back once the window goes.
constexpr std::chrono::nanoseconds kPutBackLimit = std::chrono::seconds(4);

std::int64_t steadyNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

CaptureActivity::CaptureActivity(const std::filesystem::path& folder, Kind kind, std::string id,
                                 capture::Askpass askpass, Work work, QObject* parent)
    : QObject(parent), m_store(folder), m_kind(kind), m_askpass(std::move(askpass)), m_isStarting(kind == Kind::Start),
      m_id(std::move(id)), m_thread(QThread::create([this, work = std::move(work)] { work(*this); })) {
    connect(m_thread.get(), &QThread::finished, this, &CaptureActivity::ended);
    m_thread->start();
}

CaptureActivity::~CaptureActivity() {
    leave();
    m_thread->wait();
}

void CaptureActivity::leave() {
    if (m_cancel.cancelled()) return;
    m_abandonAt = steadyNs() + kPutBackLimit.count();
    m_cancel.requestCancel();
}

CaptureActivity* CaptureActivity::start(const std::filesystem::path& folder, capture::StartRequest request,
                                        std::optional<capture::FetchLimits> fetches, capture::Askpass askpass,
                                        QObject* parent) {
    const auto work = [request = std::move(request), fetches](CaptureActivity& activity) {
        activity.runStart(request, fetches);
    };
    return new CaptureActivity(folder, Kind::Start, {}, std::move(askpass), work, parent);
}

CaptureActivity* CaptureActivity::follow(const std::filesystem::path& folder, const std::string& id,
                                         const capture::FetchLimits& limits, capture::Askpass askpass,
                                         QObject* parent) {
    const auto work = [limits](CaptureActivity& activity) { activity.runFollow(limits); };
    return new CaptureActivity(folder, Kind::Follow, id, std::move(askpass), work, parent);
}

CaptureActivity* CaptureActivity::analyse(const std::filesystem::path& folder, const std::string& id,
                                          const capture::FetchLimits& limits, capture::Askpass askpass,
                                          QObject* parent) {
    const auto work = [limits](CaptureActivity& activity) { activity.runAnalyse(limits); };
    return new CaptureActivity(folder, Kind::Analyse, id, std::move(askpass), work, parent);
}

CaptureActivity* CaptureActivity::fetch(const std::filesystem::path& folder, const std::string& id,
                                        const capture::FetchLimits& limits, capture::Askpass askpass, QObject* parent) {
    const auto work = [limits](CaptureActivity& activity) { activity.runFetch(limits); };
    return new CaptureActivity(folder, Kind::Fetch, id, std::move(askpass), work, parent);
}

CaptureActivity* CaptureActivity::cancel(const std::filesystem::path& folder, const std::string& id,
                                         capture::Askpass askpass, QObject* parent) {
    const auto work = [](CaptureActivity& activity) { activity.runCancel(); };
    return new CaptureActivity(folder, Kind::Cancel, id, std::move(askpass), work, parent);
}

std::string CaptureActivity::id() const {
    const std::lock_guard lock(m_mutex);
    return m_id;
}

void CaptureActivity::requestCancel() const {
    if (const std::string capture = id(); !capture.empty()) m_store.requestCancel(capture);
}

/// From any thread. The receiver reads the file anew, so one call stands for all until it runs.
void CaptureActivity::announce() {
    if (m_isAnnounced.exchange(true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_isAnnounced = false;
            emit changed();
        },
        Qt::QueuedConnection);
}

capture::Driver CaptureActivity::driver() {
    return {m_cancel, [this](const Event&) { announce(); }, m_askpass, [this] { return steadyNs() > m_abandonAt; }};
}

void CaptureActivity::runStart(const capture::StartRequest& request,
                               const std::optional<capture::FetchLimits>& fetches) {
    CaptureRun run(m_store, {}, driver().cancelCheck(), m_askpass);
    run.setAbandoned(driver().abandoned);
    std::optional<CaptureLock> lock;
    run.setListener([&](const Event&) {
        // From the first moment that others can see it.
        if (!lock) {
            if (auto taken = CaptureLock::take(m_store, run.record().id)) lock.emplace(std::move(*taken));
            const std::lock_guard guard(m_mutex);
            m_id = run.record().id;
        }
        announce();
    });
    const auto started = run.start(request, m_problems);
    m_isStarting = false;
    announce();
    if (started.failed()) m_error = started.error();
    if (started.ok()) {
        const auto driven = capture::driveCapture(m_store, run, m_cancel);
        if (driven.failed()) m_error = driven.error();
    }
    if (capture::isOver(run.record().state)) m_state = run.record().state;
    const bool isRecorded = started.ok() && m_state && *m_state != State::Cancelled;
    if (isRecorded && fetches) fetchResults(&run, *fetches);
    // While it is not over, the next one who drives it must know that it is to be put back.
    if (m_state) m_store.withdrawCancel(id());
    announce();
}

void CaptureActivity::runFollow(const capture::FetchLimits& limits) {
    const auto record = capture::followCapture(m_store, m_id, driver());
    if (record.failed()) m_error = record.error();
    if (record.ok()) m_state = record.value().state;
    if (m_state && *m_state != State::Cancelled) fetchResults(nullptr, limits);
    if (m_state) m_store.withdrawCancel(m_id);
    announce();
}

void CaptureActivity::runAnalyse(const capture::FetchLimits& limits) {
    const auto record = capture::analyseThere(m_store, m_id, {}, driver());
    if (record.failed()) m_error = record.error();
    if (record.ok()) m_state = record.value().state;
    if (m_state && *m_state != State::Cancelled) fetchResults(nullptr, limits);
    if (m_state) m_store.withdrawCancel(m_id);
    announce();
}

void CaptureActivity::runFetch(const capture::FetchLimits& limits) {
    fetchResults(nullptr, limits);
    m_store.withdrawCancel(m_id);
    announce();
}

void CaptureActivity::fetchResults(CaptureRun* run, const capture::FetchLimits& limits) {
    // Results that were copied before they were analysed stay as they are.
    std::error_code ignored;
    const auto known = run != nullptr ? Result<CaptureRecord>(run->record()) : m_store.load(id());
    if (known.failed()) m_error = known.error();
    if (!known.ok()) return;
    const std::filesystem::path first = m_store.resultsOf(known.value());
    const bool isSecond = m_kind == Kind::Analyse && std::filesystem::exists(first, ignored);
    auto folder = first;
    if (isSecond) folder += " analysed";
    if (liesInProfilerFolder(folder / "results")) {
        m_error = Error{"capture.fetch.in_capture", folder, {}, {}};
        return;
    }
    std::error_code error;
    const auto record = run != nullptr ? capture::fetchResults(*run, std::filesystem::absolute(folder, error), limits)
                                       : capture::fetchCapture(m_store, id(), folder, driver(), limits);
    if (record.failed()) m_error = record.error();
    if (!record.ok()) return;
    m_state = record.value().state;
    // A capture that failed may have nothing at all; snapshots and features are no captures.
    if (record.value().kind == capture::ResultKind::Folders && std::filesystem::is_directory(folder, error))
        m_fetched = folder;
}

void CaptureActivity::runCancel() {
    const auto done = capture::cancelCapture(m_store, m_id, driver());
    if (done.failed()) m_error = done.error();
    if (done.ok()) m_state = State::Cancelled;
    announce();
}

}  // namespace altiscope
