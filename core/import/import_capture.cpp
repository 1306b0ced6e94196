#include "core/import/import_capture.h"

#include "core/base/files/file.h"
#include "core/base/files/sqlite_guard.h"
#include "core/base/memory/discard.h"
#include "core/base/threads/parallel.h"
#include "core/import/archive/archive_capture.h"
#include "core/import/archive/archive_names.h"
#include "core/import/archive/packed_timelines.h"
#include "core/import/cluster/cluster_ranks.h"
#include "core/import/communication/link_ranks.h"
#include "core/import/contracts/manifest_discard.h"
#include "core/import/ranks/cache_place.h"
#include "core/import/ranks/rank_cache.h"
#include "core/import/ranks/rank_import.h"
#include "core/import/ranks/reader_registry.h"
#include "core/import/ranks/tables_alone.h"
#include "core/import/scan/folder_scanner.h"
#include "core/import/scan/repeated_ranks.h"
#include "core/store/cache/private_folder.h"
#include "core/store/cache/store_cache.h"
#include "core/store/file/mapped_file.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

/// One capture on its way in.
class CaptureImport {
public:
    /// @param temporary  For what cannot lie in the cache.
    CaptureImport(CaptureManifest manifest, GroupDirectory groups, const ImportOptions& options,
                  std::filesystem::path temporary, ProgressSlot& progress, const CancelToken& cancel)
        : m_manifest(std::move(manifest)), m_options(options), m_temporary(std::move(temporary)), m_progress(progress),
          m_cancel(cancel), m_groups(std::move(groups)) {}
    CaptureImport(const CaptureImport&) = delete;
    CaptureImport& operator=(const CaptureImport&) = delete;
    ~CaptureImport() {
        const ManifestDiscard manifestLater(m_cancel, m_manifest);
        if (!m_cancel.cancelled()) return;
        for (RankEntry& rank : m_capture.ranks) rank.arguments.reset();  // may own files
        const DiscardOnCancel later(m_cancel, m_capture.ranks);
    }

    Result<std::shared_ptr<const CaptureStore>> run(const std::filesystem::path& path);

private:
    bool isAsKnown() const;
    const RankEntry* knownContent(std::size_t number) const;
    void chooseRanks();
    void keepKnownDiagnostics(const CaptureStore& known);
    bool hasTablesAlone() const;
    void readTablesAhead(std::size_t place) const;
    void readRank(std::size_t number);
    bool keep(const RankManifest& rank, const std::string& key, const CachedRank& content);
    void mapKept(RankEntry& entry, bool isKept) const;
    /// Puts a rank's newest state into the capture and reports it.
    void update(std::size_t number, const RankEntry& entry);
    void reportProgress() const;
    void finish();

    CaptureManifest m_manifest;
    ImportOptions m_options;
    std::filesystem::path m_temporary;
    ProgressSlot& m_progress;
    const CancelToken& m_cancel;

    GroupDirectory m_groups;
    std::optional<CacheBatch> m_cache;
    std::vector<std::size_t> m_chosen;  // to be read
    std::mutex m_mutex;                 // guards what follows, and keeps updates apart
    CaptureStore m_capture;
    std::optional<Error> m_error;
    std::size_t m_updates = 0;
};

void CaptureImport::reportProgress() const {
    if (m_options.onUpdate) m_options.onUpdate(std::make_shared<const CaptureStore>(m_capture));
}

void CaptureImport::update(std::size_t number, const RankEntry& entry) {
    // Each update copies the list of all ranks: of thousands of small ones only some are sent at once.
    static constexpr std::size_t kReportedOneByOne = 64;
    const std::lock_guard lock(m_mutex);
    m_capture.ranks[number] = entry;
    if (m_updates++ % (m_capture.ranks.size() / kReportedOneByOne + 1) == 0) reportProgress();
}

/// Whether the ranks are those that are known.
bool CaptureImport::isAsKnown() const {
    const CaptureStore* known = m_options.ranks.known.get();
    return known != nullptr && std::equal(known->ranks.begin(), known->ranks.end(), m_manifest.ranks.begin(),
                                          m_manifest.ranks.end(), [](const RankEntry& a, const RankManifest& b) {
                                              return a.info.path == b.info.path &&
                                                     a.info.traceBytes == b.info.traceBytes;
                                          });
}

/// The known content of a rank; null if nothing of it was read.
const RankEntry* CaptureImport::knownContent(std::size_t number) const {
    const CaptureStore* known = m_options.ranks.known.get();
    if (known == nullptr || number >= known->ranks.size()) return nullptr;
    const RankEntry& rank = known->ranks[number];
    return rank.trace != nullptr || rank.rows != nullptr ? &rank : nullptr;
}

/// Takes over what is known, and decides what is read.
void CaptureImport::chooseRanks() {
    const RankChoice& choice = m_options.ranks;
    const bool isSame = isAsKnown();
    std::uint64_t bytes = 0;
    bool isFirst = choice.wanted.empty();
    for (std::size_t i = 0; i < m_manifest.ranks.size(); ++i) {
        const RankInfo& info = m_manifest.ranks[i].info;
        // All that there is of it was read before.
        if (info.source == SourceKind::Cluster || !choice.accepts(info)) continue;
        const RankEntry* before = knownContent(i);
        const bool isWanted = std::find(choice.wanted.begin(), choice.wanted.end(), info.path) != choice.wanted.end();
        const bool isOtherPart = isWanted && before != nullptr && before->window != choice.windowOf(info.path);
        const bool isFinal = before != nullptr && (before->trace == nullptr || !before->trace->provisional());
        if (isSame && isFinal && !isOtherPart) {
            m_capture.ranks[i] = *before;
            continue;
        }
        const bool isAutomatic =
            choice.known == nullptr && (isFirst || info.traceBytes <= choice.automaticBytes - bytes);
        // A rank that was read before is read again if the capture has changed.
        if (!isWanted && !isAutomatic && before == nullptr) continue;
        m_chosen.push_back(i);
        if (before != nullptr && !isWanted && before->window)
            m_options.ranks.windows.emplace(info.path, *before->window);
        if (!isAutomatic) continue;
        bytes = std::min(bytes + info.traceBytes, choice.automaticBytes);
        isFirst = isFirst && info.traceBytes == 0;
    }
    if (isSame) keepKnownDiagnostics(*choice.known);
}

/// Takes over diagnostics but those that reading the chosen ranks reports again: they would be counted twice.
void CaptureImport::keepKnownDiagnostics(const CaptureStore& known) {
    m_capture.diagnostics = known.diagnostics;
    for (const std::size_t number : m_chosen) {
        const RankManifest& rank = m_manifest.ranks[number];
        std::set<std::string> names{rank.info.path};
        for (const TableFile& table : rank.tables) names.insert(table.source.name);
        for (const SourceFile& file : rank.traces) {
            names.insert(file.name);
            if (file.format != SourceFormat::Raw) continue;
            for (const Diagnostic& one : known.diagnostics.entries()) {
                if (one.file.starts_with(file.name + '/')) names.insert(one.file);
            }
        }
        for (const std::string& name : names) {
            m_capture.diagnostics.forget(name);
            m_capture.diagnostics.merge(m_manifest.diagnostics.about(name));
        }
    }
}

/// Lets the system fetch the table files of the rank that will be read `place`-th, where its timeline is not read.
void CaptureImport::readTablesAhead(std::size_t place) const {
    // Bytes of a file: those of all ranks together must have room in memory beside the rows.
    constexpr std::uint64_t kMaxAhead = std::uint64_t{4} << 20;
    if (!m_options.ranks.onlyTables || place >= m_chosen.size()) return;
    const RankManifest rank = withTablesAlone(m_manifest.ranks[m_chosen[place]], *m_options.ranks.onlyTables);
    for (const TableFile& table : rank.tables) {
        if (const auto file = ReadOnlyFile::open(table.source.path); file.ok()) file.value().readAhead(kMaxAhead);
    }
}

void CaptureImport::readRank(std::size_t number) {
    if (m_cancel.cancelled()) return;
    const RankManifest& listed = m_manifest.ranks[number];
    const auto& kinds = m_options.ranks.onlyTables;
    Diagnostics unpacking;
    const auto unpacked =
        kinds && standInTablesAlone(listed, *kinds)
            ? std::nullopt
            : withUnpackedTimelines(listed, m_options.cache, m_temporary, unpacking, m_progress, m_cancel);
    if (m_cancel.cancelled()) return;
    const RankManifest& rank = unpacked ? *unpacked : listed;
    ShowTrace show;
    if (m_options.onUpdate) {
        show = [this, number, &rank](std::shared_ptr<const TraceStore> picture) {
            RankEntry entry;
            entry.info = rank.info;
            entry.trace = std::move(picture);
            entry.window = m_options.ranks.windowOf(rank.info.path);
            update(number, entry);
        };
    }
    auto imported = importRank(rank, {m_groups, m_cache ? &*m_cache : nullptr, m_options, m_progress, m_cancel}, show);
    if (!imported.ok()) return;
    // As it was found: the next opening compares the packed files.
    imported.value().entry.info.traceBytes = listed.info.traceBytes;
    if (unpacking.anyLost()) imported.value().entry.info.state = RankState::Partial;
    {
        const std::lock_guard lock(m_mutex);
        m_capture.diagnostics.merge(unpacking);
        m_capture.diagnostics.merge(imported.value().diagnostics);
        if (imported.value().error && !m_error) m_error = imported.value().error;
    }
    RankEntry& entry = imported.value().entry;
    const auto mayBeMore = [this](const SourceFile& file) {
        return mayYieldMore(m_manifest.diagnostics.about(file.name));
    };
    const bool wasListedWhole = std::none_of(rank.traces.begin(), rank.traces.end(), mayBeMore) &&
                                std::none_of(rank.tables.begin(), rank.tables.end(),
                                             [&](const TableFile& table) { return mayBeMore(table.source); });
    const bool isKept = imported.value().cacheKey && wasListedWhole && !mayYieldMore(unpacking) &&
                        !mayYieldMore(imported.value().diagnostics);
    if (isKept) entry.contentKey = *imported.value().cacheKey;
    // The cache gets what the capture does not keep.
    const CachedRank content{entry.trace, entry.rows, isKept ? imported.value().diagnostics : Diagnostics()};
    // One alone is shown first. Of several, those that are read are files by the time that the next ones need memory.
    const bool isAlone = m_chosen.size() == 1;
    if (isKept && !isAlone) mapKept(entry, keep(rank, entry.contentKey, content));
    const std::string key = entry.contentKey;
    if (m_options.onRank) m_options.onRank(number, entry);
    update(number, entry);
    if (isKept && isAlone) keep(rank, key, content);
    keepBelowResidentLimit();
}

/// Puts a rank into the cache. @return Whether it is there.
bool CaptureImport::keep(const RankManifest& rank, const std::string& key, const CachedRank& content) {
    Diagnostics problems;
    const bool isThere = keepRank(*m_cache, key, rank, content, problems, m_cancel);
    const std::lock_guard lock(m_mutex);
    m_capture.diagnostics.merge(problems);
    return isThere;
}

/// Takes the content of a rank from the cache, where it needs no memory of its own.
void CaptureImport::mapKept(RankEntry& entry, bool isKept) const {
    auto kept = isKept ? findCachedRank(*m_cache, entry.contentKey, m_cancel) : std::nullopt;
    if (!kept) return;
    entry.trace = std::move(kept->trace);
    entry.rows = std::move(kept->rows);
}

void CaptureImport::finish() {
    if (addLinkRanks(m_capture, m_groups)) {
        auto groups = groupRows(m_groups, m_cancel);
        if (groups.ok()) m_capture.rows = std::move(groups).value();
    }
    const auto& ranks = m_capture.ranks;
    const bool anyTrace = std::any_of(ranks.begin(), ranks.end(), [](const RankEntry& rank) {
        return rank.trace != nullptr || rank.rows != nullptr;
    });
    const bool allOk = std::all_of(ranks.begin(), ranks.end(), [](const RankEntry& rank) {
        const bool isExcluded = rank.info.state == RankState::Listed && rank.info.traceBytes > 0;
        return rank.info.state == RankState::Ok || isExcluded || rank.info.source == SourceKind::Cluster;
    });
    m_capture.state = CaptureStore::State::Partial;
    if (allOk && !m_capture.diagnostics.anyLost()) m_capture.state = CaptureStore::State::Ok;
    if (!anyTrace && m_error) m_capture.state = CaptureStore::State::Failed;
    m_capture.sealed = true;
    if (m_cache) m_capture.contentKey = captureContentKey(m_capture, m_groups);
    m_progress.setPhase(ProgressPhase::Done);
}

/// Whether there is a file with wanted rows at all. Without one, whether the capture can be read decides what the user
/// hears.
bool CaptureImport::hasTablesAlone() const {
    const auto& kinds = m_options.ranks.onlyTables;
    return kinds && !m_manifest.isSingleFile &&
           std::any_of(m_manifest.ranks.begin(), m_manifest.ranks.end(), [&](const RankManifest& rank) {
               return rank.clusterRows != nullptr || hasTablesOf(rank, *kinds);
           });
}

Result<std::shared_ptr<const CaptureStore>> CaptureImport::run(const std::filesystem::path& path) {
    m_capture.path = path.string();
    if (m_options.cache != nullptr) m_cache.emplace(*m_options.cache, path);
    m_capture.diagnostics = m_manifest.diagnostics;
    m_capture.ranks.reserve(m_manifest.ranks.size());
    for (const RankManifest& rank : m_manifest.ranks) {
        if (m_cancel.cancelled()) return Cancelled{};
        RankEntry entry;
        entry.info = rank.info;
        if (rank.info.source == SourceKind::Cluster) {
            entry.rows = rank.clusterRows;
            entry.steps = rank.steps;
            entry.sources = rank.clusterSources;
        }
        m_capture.ranks.push_back(std::move(entry));
    }
    auto groups = groupRows(m_groups, m_cancel);
    if (!groups.ok()) return groups.as<std::shared_ptr<const CaptureStore>>();
    m_capture.rows = std::move(groups).value();
    if (!hasTablesAlone()) m_options.ranks.onlyTables.reset();
    chooseRanks();
    for (const std::size_t number : m_chosen) m_progress.addTotal(m_manifest.ranks[number].info.traceBytes);
    reportProgress();
    m_progress.setPhase(ProgressPhase::Reading);
    static constexpr std::size_t kRanksAhead = 6;
    for (std::size_t i = 1; i < kRanksAhead; ++i) readTablesAhead(i);
    parallelFor(m_chosen.size(), [this](std::size_t i) {
        readTablesAhead(i + kRanksAhead);
        readRank(m_chosen[i]);
    });
    if (m_cache) {
        const auto kept = m_cache->finish(m_cancel);
        if (kept.failed())
            m_capture.diagnostics.add(kept.error().code, Severity::Info, {}, {}, kept.error().parameters);
    }
    if (m_cancel.cancelled()) return Cancelled{};
    // A single file that is no trace leaves nothing to show; a folder still has what its other files tell.
    if (m_manifest.isSingleFile && m_error) return *m_error;
    finish();
    return std::make_shared<const CaptureStore>(std::move(m_capture));
}

/// Whether anything that is read of a capture names groups, whose names stand in databases with timelines too. Not so
/// where rows of other kinds are read from files of their own, see hasTablesAlone.
bool readsGroups(const CaptureManifest& manifest, const RankChoice& choice) {
    constexpr RowKind kNamed[] = {RowKind::Collective, RowKind::Bandwidth, RowKind::Packet, RowKind::Link,
                                  RowKind::CommGroup};
    if (!choice.onlyTables || manifest.isSingleFile) return true;
    const std::vector<RowKind>& kinds = *choice.onlyTables;
    const auto isNamed = [&](RowKind kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
    if (std::any_of(std::begin(kNamed), std::end(kNamed), isNamed)) return true;
    const auto& ranks = manifest.ranks;
    return !std::all_of(ranks.begin(), ranks.end(),
                        [&](const RankManifest& rank) { return standInTablesAlone(rank, kinds); }) ||
           std::all_of(ranks.begin(), ranks.end(),
                       [&](const RankManifest& rank) { return withTablesAlone(rank, kinds).tables.empty(); });
}

/// Why the cache is not used, as the code of a diagnostic; null if it is.
const char* cacheRefusal(const std::filesystem::path& path, const ImportOptions& options) {
    if (options.cache == nullptr) return nullptr;
    const std::filesystem::path& folder = options.cache->folder();
    if (options.isCacheInEvidence || touchesCapture(path, folder)) return "cache.inside_capture";
    return isPrivateFolder(folder) ? nullptr : "cache.not_private";
}

/// All groups of a capture. Ranks that only the files of a cluster know are added to the manifest.
Result<GroupDirectory> findGroups(CaptureManifest& manifest, const ImportOptions& options, ProgressSlot& progress,
                                  const CancelToken& cancel) {
    GroupDirectory groups;
    for (const RankManifest& rank : manifest.ranks) {
        if (cancel.cancelled()) return Cancelled{};
        groups.add(rank.info);
    }
    if (readsGroups(manifest, options.ranks))
        addGroupsOfTimelines(manifest.ranks, groups, manifest.diagnostics, cancel);
    if (!manifest.clusters.empty()) {
        progress.setPhase(ProgressPhase::Reading);
        const ClusterReading reading{options.ranks.known.get(), options.chunkBytes};
        const auto read = addClusterRanks(manifest, groups, reading, progress, cancel);
        if (!read.ok()) return read.as<GroupDirectory>();
        nameRepeatedRanks(manifest.ranks, cancel);
    }
    groups.finish();
    return groups;
}

Result<std::shared_ptr<const CaptureStore>> scanAndRead(const std::filesystem::path& path, const ImportOptions& options,
                                                        ProgressSlot& progress, const CancelToken& cancel) {
    using Capture = std::shared_ptr<const CaptureStore>;
    progress.setPhase(ProgressPhase::Scanning);
    ImportOptions usable = options;
    const char* refusal = cacheRefusal(path, options);
    if (refusal != nullptr) usable.cache = nullptr;
    const std::filesystem::path temporary = temporaryPlace(path);
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown)) keepTemporaryFilesOut(path);
    const SourceChoice choice{options.preferText,  options.preferDatabase,
                              options.corrections, usable.cache != nullptr ? usable.cache->folder() : temporary,
                              temporary,           {},
                              options.onlyRaw};
    auto scanned =
        isArchive(path) ? scanArchive(path, choice, usable.cache, progress, cancel) : scanCapture(path, choice, cancel);
    if (!scanned.ok()) return scanned.as<Capture>();
    CaptureManifest& manifest = scanned.value();
    const ManifestDiscard later(cancel, manifest);
    if (refusal != nullptr)
        manifest.diagnostics.add(refusal, Severity::Info, {}, {}, {{"folder", options.cache->folder().string()}});
    const auto archive = manifest.archive;
    // The only file that is left of an archive may be anything.
    const auto loss =
        archive && manifest.isSingleFile ? firstLoss(manifest.diagnostics, archive->archive) : std::nullopt;
    auto groups = findGroups(manifest, options, progress, cancel);
    if (!groups.ok()) return groups.as<Capture>();
    auto capture =
        CaptureImport(std::move(manifest), std::move(groups).value(), usable, temporary, progress, cancel).run(path);
    if (capture.failed() && archive) return loss ? *loss : locatedInArchive(capture.error(), *archive);
    return capture;
}

}  // namespace

Result<std::shared_ptr<const CaptureStore>> importCapture(const std::filesystem::path& path,
                                                          const ImportOptions& options, ProgressSlot& progress,
                                                          const CancelToken& cancel) {
    try {
        return scanAndRead(path, options, progress, cancel);
    } catch (const std::bad_alloc&) {
        return Error{"capture.out_of_memory", path.string(), {}, {}};
    } catch (const std::exception& error) {
        // Thrown by a library, or because the system gave no thread: this room lets none out.
        return Error{"capture.failed", path.string(), {}, {{"reason", error.what()}}};
    }
}

}  // namespace altiscope::reader
