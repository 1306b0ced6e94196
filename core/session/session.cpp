#include "core/session/session.h"

#include "core/session/capture_loader.h"
#include "core/session/load_estimate.h"

#include <QDir>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using Outcome = Result<std::shared_ptr<const CaptureStore>>;

bool holdsTrace(const CaptureStore& store) {
    return std::any_of(store.ranks.begin(), store.ranks.end(), [](const RankEntry& rank) { return rank.trace != nullptr; });
}

std::filesystem::path toPath(const QString& path) { return {path.toStdU16String()}; }

}  // namespace

/// The newest import of a capture; answers of earlier ones are dropped.
struct Session::Import {
    std::uint64_t run = 0;
    std::shared_ptr<const CaptureStore> newest;  ///< Not announced yet.
    bool waiting = false;                        ///< Less than kUpdateMs since the last announcement.
};

bool isLeftOut(const OpenCapture& capture, const RankEntry& rank) {
    return capture.job == 0 && rank.info.state == RankState::Listed && rank.info.traceBytes > 0;
}

Session::Session(JobRunner& jobs, std::filesystem::path cacheFolder, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_cacheFolder(std::move(cacheFolder)), m_unaskedBytes(unaskedBytes()), m_alive(std::make_shared<Session*>(this)) {}

Session::~Session() {
    for (const OpenCapture& capture : m_captures) m_jobs.cancel(capture.job);
}

std::uint32_t Session::open(const QString& path) {
    const QString absolute = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
    for (OpenCapture& capture : m_captures) {
        if (capture.path != absolute) continue;
        const std::uint32_t id = capture.id;
        if (capture.error || capture.cancelled) {
            reload(id);
        } else {
            emit captureChanged(id);
        }
        return id;
    }
    OpenCapture& capture = m_captures.emplace_back();
    const std::uint32_t id = capture.id = m_nextId++;
    capture.path = absolute;
    startImport(capture, {.automaticBytes = m_unaskedBytes});
    emit captureOpened(id);
    return id;
}

void Session::close(std::uint32_t id) {
    const OpenCapture* capture = find(id);
    if (capture == nullptr) return;
    m_jobs.cancel(capture->job);
    m_imports.erase(id);
    std::erase_if(m_captures, [id](const OpenCapture& open) { return open.id == id; });
    emit captureClosed(id);
}

void Session::reload(std::uint32_t id) {
    OpenCapture* capture = find(id);
    if (capture == nullptr) return;
    m_jobs.cancel(capture->job);
    reader::RankChoice ranks{.automaticBytes = m_unaskedBytes};
    if (capture->store != nullptr) {
        for (const RankEntry& rank : capture->store->ranks) {
            if (rank.trace != nullptr) ranks.wanted.push_back(rank.info.path);
        }
    }
    startImport(*capture, std::move(ranks));
    emit captureChanged(id);
}

void Session::readRanks(std::uint32_t id, std::vector<std::string> ranks) {
    OpenCapture* capture = find(id);
    if (capture == nullptr || capture->job != 0 || capture->store == nullptr) return;
    startImport(*capture, {.wanted = std::move(ranks), .known = capture->store});
    emit captureChanged(id);
}

void Session::cancel(std::uint32_t id) {
    if (const OpenCapture* capture = find(id)) m_jobs.cancel(capture->job);
}

const OpenCapture* Session::capture(std::uint32_t id) const {
    const auto found =
        std::find_if(m_captures.begin(), m_captures.end(), [id](const auto& open) { return open.id == id; });
    return found == m_captures.end() ? nullptr : &*found;
}

OpenCapture* Session::find(std::uint32_t id) { return const_cast<OpenCapture*>(std::as_const(*this).capture(id)); }

OpenCapture* Session::find(std::uint32_t id, std::uint64_t run) {
    const auto import = m_imports.find(id);
    return import == m_imports.end() || import->second.run != run ? nullptr : find(id);
}

void Session::startImport(OpenCapture& capture, reader::RankChoice ranks) {
    const std::uint32_t id = capture.id;
    const std::uint64_t run = m_nextRun++;
    m_imports[id] = {.run = run, .newest = nullptr, .waiting = false};
    capture.error.reset();
    capture.cancelled = false;

    // The worker knows the session by a handle that ends with it, and touches it on the GUI thread only.
    const std::weak_ptr<Session*> handle = m_alive;
    JobRunner* jobs = &m_jobs;
    capture.job = m_jobs.start(
        QFileInfo(capture.path).fileName(),
        [path = toPath(capture.path), cache = m_cacheFolder, ranks = std::move(ranks), jobs, handle, id,
         run](ProgressSlot& progress, const CancelToken& cancel) {
            LoadOptions options;
            options.ranks = ranks;
            options.cacheFolder = cache;
            options.onUpdate = [=](std::shared_ptr<const CaptureStore> store) {
                jobs->toGui([=] {
                    if (const auto session = handle.lock()) (*session)->takeUpdate(id, run, store);
                });
            };
            return std::make_shared<const Outcome>(loadCapture(path, options, progress, cancel));
        },
        [this, handle, id, run](const std::shared_ptr<const void>& result) {
            if (handle.expired()) return;
            if (result != nullptr) return takeOutcome(id, run, *std::static_pointer_cast<const Outcome>(result));
            if (const OpenCapture* opened = find(id, run)) {
                takeOutcome(id, run, Error{"capture.out_of_memory", opened->path.toStdString(), {}, {}});
            }
        });
}

void Session::takeUpdate(std::uint32_t id, std::uint64_t run, std::shared_ptr<const CaptureStore> store) {
    const OpenCapture* capture = find(id, run);
    if (capture == nullptr) return;
    // While a capture is read again, what is shown stays until there is something to show instead.
    if (capture->store != nullptr && holdsTrace(*capture->store) && !holdsTrace(*store)) return;
    Import& import = m_imports[id];
    import.newest = std::move(store);
    if (!import.waiting) announceUpdate(id, run);
}

void Session::announceUpdate(std::uint32_t id, std::uint64_t run) {
    OpenCapture* capture = find(id, run);
    if (capture == nullptr) return;
    Import& import = m_imports[id];
    import.waiting = import.newest != nullptr;
    if (!import.waiting) return;
    capture->store = std::exchange(import.newest, nullptr);
    QTimer::singleShot(kUpdateMs, this, [this, id, run] { announceUpdate(id, run); });
    emit captureChanged(id);
}

void Session::takeOutcome(std::uint32_t id, std::uint64_t run, const Outcome& outcome) {
    OpenCapture* capture = find(id, run);
    if (capture == nullptr) return;
    Import& import = m_imports[id];
    capture->job = 0;
    if (outcome.ok()) {
        capture->store = outcome.value();
    } else {
        // A store that nobody has seen yet is still what had been read.
        if (import.newest != nullptr) capture->store = import.newest;
        capture->cancelled = outcome.cancelled();
        if (outcome.failed()) capture->error = outcome.error();
    }
    m_imports.erase(id);
    emit captureChanged(id);
}

}  // namespace altiscope
