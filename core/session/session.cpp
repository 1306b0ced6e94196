#include "core/session/session.h"

#include "core/session/cache_choice.h"
#include "core/session/files/write_guard.h"
#include "core/session/reading/capture_loader.h"
#include "core/session/reading/load_estimate.h"
#include "core/session/reading/source_watch.h"
#include "core/store/file/mapped_file.h"

#include <QDir>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using Outcome = Result<std::shared_ptr<const CaptureStore>>;

/// A newer state of a capture in which ranks without anything to show yet keep what was shown of them.
std::shared_ptr<const CaptureStore> withOldPictures(const std::shared_ptr<const CaptureStore>& newer,
                                                    const CaptureStore* older) {
    if (older == nullptr) return newer;
    std::shared_ptr<CaptureStore> both;
    for (std::size_t i = 0; i < std::min(newer->ranks.size(), older->ranks.size()); ++i) {
        const RankEntry& before = older->ranks[i];
        if (newer->ranks[i].trace != nullptr || before.trace == nullptr ||
            before.info.path != newer->ranks[i].info.path)
            continue;
        if (both == nullptr) both = std::make_shared<CaptureStore>(*newer);
        both->ranks[i] = before;
    }
    if (both == nullptr) return newer;
    return both;
}

/// A state of a capture whose ranks are called as the user calls them.
std::shared_ptr<const CaptureStore> withAliases(const std::shared_ptr<const CaptureStore>& store,
                                                const std::map<std::string, std::string>& aliases) {
    if (store == nullptr) return store;
    std::shared_ptr<CaptureStore> named;
    for (std::size_t i = 0; i < store->ranks.size(); ++i) {
        const RankInfo& info = store->ranks[i].info;
        const auto alias = aliases.find(info.path);
        const std::string wanted = alias == aliases.end() ? std::string() : alias->second;
        if (info.alias == wanted) continue;
        if (named == nullptr) named = std::make_shared<CaptureStore>(*store);
        named->ranks[i].info.alias = wanted;
    }
    if (named == nullptr) return store;
    return named;
}

std::filesystem::path toPath(const QString& path) { return {path.toStdU16String()}; }

}  // namespace

/// The newest import of a capture; results of earlier ones are dropped.
struct Session::Import {
    std::uint64_t run = 0;
    std::shared_ptr<const CaptureStore> newest;  ///< Not announced yet.
    bool waiting = false;                        ///< Less than kUpdateMs since the last announcement.
};

bool isExcluded(const OpenCapture& capture, const RankEntry& rank) {
    return capture.job == 0 && rank.info.state == RankState::Listed && rank.info.traceBytes > 0;
}

Session::Session(JobRunner& jobs, std::filesystem::path cacheFolder, QString correctionsFile, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_cacheFolder(std::move(cacheFolder)), m_corrections(std::move(correctionsFile)),
      m_autoLoadLimit(autoLoadLimit()), m_fileCheck(jobs), m_alive(std::make_shared<Session*>(this)) {
    // Whatever page has looked at much.
    static constexpr int kMemoryCheckMs = 2000;
    auto* check = new QTimer(this);
    connect(check, &QTimer::timeout, this, [this] {
        if (!m_captures.empty()) m_jobs.post([] { keepBelowResidentLimit(); });
    });
    check->start(kMemoryCheckMs);
    setMemoryLimit(0);
}

void Session::setMemoryLimit(std::uint64_t bytes) {
    m_autoLoadLimit = autoLoadLimit(bytes);
    limitMemory(bytes);
}

Session::~Session() {
    for (const OpenCapture& capture : m_captures) m_jobs.cancel(capture.job);
}

CaptureId Session::open(const QString& path) {
    const QString absolute = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
    for (OpenCapture& capture : m_captures) {
        if (capture.path != absolute) continue;
        const CaptureId id = capture.id;
        if (capture.error || capture.cancelled) {
            reload(id);
        } else {
            emit captureChanged(id);
        }
        return id;
    }
    OpenCapture& capture = m_captures.emplace_back();
    const CaptureId id = capture.id = {m_nextId++};
    capture.path = absolute;
    const std::vector<CaptureId> renamed = nameAll();
    startImport(capture, {.automaticBytes = m_autoLoadLimit});
    emit captureOpened(id);
    for (const CaptureId other : renamed) {
        if (other != id) emit captureChanged(other);
    }
    return id;
}

void Session::close(CaptureId id) {
    const OpenCapture* capture = find(id);
    if (capture == nullptr) return;
    m_jobs.cancel(capture->job);
    m_imports.erase(id);
    m_seenFiles.erase(id);
    std::erase_if(m_captures, [id](const OpenCapture& open) { return open.id == id; });
    const std::vector<CaptureId> renamed = nameAll();
    emit captureClosed(id);
    for (const CaptureId other : renamed) emit captureChanged(other);
}

void Session::setNames(CaptureId id, CaptureNames names) {
    OpenCapture* capture = find(id);
    if (capture == nullptr) return;
    names.alias = captureNameOf(names.alias);
    names.group = captureNameOf(names.group);
    std::erase_if(names.rankAliases, [](const auto& rank) { return rank.second.empty(); });
    if (capture->names == names) return;
    capture->names = std::move(names);
    capture->store = withAliases(capture->store, capture->names.rankAliases);
    nameAll();
    emit captureChanged(id);
}

void Session::rename(CaptureId id, const QString& alias) {
    if (const OpenCapture* open = find(id)) setNames(id, {alias, open->names.rankAliases, open->names.group});
}

void Session::renameRank(CaptureId id, const std::string& rank, const QString& alias) {
    const OpenCapture* open = find(id);
    if (open == nullptr) return;
    CaptureNames names = open->names;
    names.rankAliases[rank] = captureNameOf(alias).toStdString();
    setNames(id, std::move(names));
}

void Session::setGroup(CaptureId id, const QString& group) {
    if (const OpenCapture* open = find(id)) setNames(id, {open->names.alias, open->names.rankAliases, group});
}

std::vector<CaptureId> Session::nameAll() {
    std::vector<QString> paths;
    for (const OpenCapture& open : m_captures) paths.push_back(open.path);
    const std::vector<QString> names = displayNames(paths);
    std::vector<CaptureId> renamed;
    for (std::size_t i = 0; i < m_captures.size(); ++i) {
        OpenCapture& open = m_captures[i];
        const QString& title = open.names.alias.isEmpty() ? names[i] : open.names.alias;
        if (open.title == title) continue;
        open.title = title;
        renamed.push_back(open.id);
    }
    return renamed;
}

void Session::reload(CaptureId id) {
    OpenCapture* capture = find(id);
    if (capture == nullptr) return;
    m_jobs.cancel(capture->job);
    reader::RankChoice ranks{.automaticBytes = m_autoLoadLimit};
    if (capture->store != nullptr) {
        for (const RankEntry& rank : capture->store->ranks) {
            if (rank.trace == nullptr) continue;
            ranks.wanted.push_back(rank.info.path);
            if (rank.window) ranks.windows.emplace(rank.info.path, *rank.window);
        }
    }
    startImport(*capture, std::move(ranks));
    emit captureChanged(id);
}

void Session::readRanks(CaptureId id, std::vector<std::string> ranks, std::optional<TimeRange> window) {
    OpenCapture* capture = find(id);
    if (capture == nullptr || capture->job != 0 || capture->store == nullptr) return;
    reader::RankChoice choice{.known = capture->store};
    if (window) {
        for (const std::string& rank : ranks) choice.windows.emplace(rank, *window);
    }
    choice.wanted = std::move(ranks);
    startImport(*capture, std::move(choice));
    emit captureChanged(id);
}

bool Session::correct(CaptureId id, const std::string& rank, const RankCorrection& correction) {
    const OpenCapture* capture = find(id);
    if (capture == nullptr) return true;
    const bool isKept = m_corrections.set(capture->path, rank, correction);
    reload(id);
    return isKept;
}

RankCorrections Session::corrections(CaptureId id) const {
    const OpenCapture* open = capture(id);
    return open == nullptr ? RankCorrections() : m_corrections.of(open->path);
}

void Session::checkFiles() {
    struct StampQuery {
        CaptureId id;
        std::shared_ptr<const CaptureStore> store;
        std::vector<FileStamp> stamps;
    };
    std::vector<StampQuery> queries;
    for (const OpenCapture& capture : m_captures) {
        if (capture.job == 0 && capture.store != nullptr) queries.push_back({capture.id, capture.store, {}});
    }
    if (queries.empty()) return;
    m_fileCheck.start(
        [queries = std::move(queries)](const CancelToken& cancel) mutable {
            for (StampQuery& query : queries) {
                if (!cancel.cancelled()) query.stamps = stampsNow(stampsWhenRead(*query.store));
            }
            return std::move(queries);
        },
        [this](std::vector<StampQuery> checked) {
            for (StampQuery& one : checked) takeFileStamps(one.id, one.store, std::move(one.stamps));
        });
}

void Session::takeFileStamps(CaptureId id, const std::shared_ptr<const CaptureStore>& of, std::vector<FileStamp> now) {
    OpenCapture* capture = find(id);
    // A store that was read meanwhile knows its files better.
    if (capture == nullptr || capture->job != 0 || capture->store != of) return;
    const bool isOther = now != stampsWhenRead(*of);
    const bool isNews = isOther && now != m_seenFiles[id];
    m_seenFiles[id] = std::move(now);
    const bool isShown = isNews || (isOther && capture->filesChanged);
    if (isShown == capture->filesChanged) return;
    capture->filesChanged = isShown;
    emit captureChanged(id);
}

void Session::ignoreChange(CaptureId id) {
    OpenCapture* capture = find(id);
    if (capture == nullptr || !capture->filesChanged) return;
    capture->filesChanged = false;
    emit captureChanged(id);
}

void Session::cancel(CaptureId id) {
    if (const OpenCapture* capture = find(id)) m_jobs.cancel(capture->job);
}

const OpenCapture* Session::capture(CaptureId id) const {
    const auto found =
        std::find_if(m_captures.begin(), m_captures.end(), [id](const auto& open) { return open.id == id; });
    return found == m_captures.end() ? nullptr : &*found;
}

std::optional<Error> Session::refusedToWrite(const QString& file) const {
    for (const OpenCapture& open : m_captures) {
        const bool isNone = open.error && open.store == nullptr;
        if (!isNone && liesInCapture(toPath(open.path), toPath(file)))
            return Error{"export.inside_capture", file.toStdString(), {}, {}};
    }
    return std::nullopt;
}

OpenCapture* Session::find(CaptureId id) { return const_cast<OpenCapture*>(std::as_const(*this).capture(id)); }

OpenCapture* Session::find(CaptureId id, std::uint64_t run) {
    const auto running = m_imports.find(id);
    return running == m_imports.end() || running->second.run != run ? nullptr : find(id);
}

CacheChoice Session::cacheInUse() const {
    CacheChoice cache = cacheChoice();
    if (cache.folder.empty() || m_cacheFolder.empty()) cache.folder = m_cacheFolder;
    return cache;
}

void Session::startImport(OpenCapture& capture, reader::RankChoice ranks) {
    const CaptureId id = capture.id;
    const std::uint64_t run = m_nextRun++;
    m_imports[id] = {.run = run, .newest = nullptr, .waiting = false};
    capture.error.reset();
    capture.cancelled = false;
    capture.filesChanged = false;

    // The worker knows the session by a handle that ends with it, and touches it on the GUI thread only.
    const std::weak_ptr<Session*> handle = m_alive;
    JobRunner* jobs = &m_jobs;
    capture.job = m_jobs.start(
        QFileInfo(capture.path).fileName(),
        [path = toPath(capture.path), cache = cacheInUse(), ranks = std::move(ranks), jobs, handle, id, run,
         corrections = m_corrections.of(capture.path)](ProgressSlot& progress, const CancelToken& cancel) {
            LoadOptions options;
            options.corrections = corrections;
            options.ranks = ranks;
            options.cacheFolder = cache.folder;
            options.cacheLimit = cache.limit;
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

void Session::takeUpdate(CaptureId id, std::uint64_t run, std::shared_ptr<const CaptureStore> store) {
    const OpenCapture* capture = find(id, run);
    if (capture == nullptr) return;
    Import& running = m_imports[id];
    running.newest = withOldPictures(store, capture->store.get());
    if (!running.waiting) announceUpdate(id, run);
}

void Session::announceUpdate(CaptureId id, std::uint64_t run) {
    OpenCapture* capture = find(id, run);
    if (capture == nullptr) return;
    Import& running = m_imports[id];
    running.waiting = running.newest != nullptr;
    if (!running.waiting) return;
    capture->store = withAliases(std::exchange(running.newest, nullptr), capture->names.rankAliases);
    QTimer::singleShot(kUpdateMs, this, [this, id, run] { announceUpdate(id, run); });
    emit captureChanged(id);
}

void Session::takeOutcome(CaptureId id, std::uint64_t run, const Outcome& outcome) {
    OpenCapture* capture = find(id, run);
    if (capture == nullptr) return;
    Import& running = m_imports[id];
    capture->job = 0;
    if (outcome.ok()) {
        capture->store = outcome.value();
    } else {
        // A store that nobody has seen yet is still what had been read.
        if (running.newest != nullptr) capture->store = running.newest;
        capture->cancelled = outcome.cancelled();
        if (outcome.failed()) capture->error = outcome.error();
    }
    m_imports.erase(id);
    capture->store = withAliases(capture->store, capture->names.rankAliases);
    if (capture->store != nullptr) capture->times.add(*capture->store);
    emit captureChanged(id);
}

}  // namespace altiscope
