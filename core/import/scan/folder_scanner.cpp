#include "core/import/scan/folder_scanner.h"

#include "core/base/files/file.h"
#include "core/base/memory/discard.h"
#include "core/base/threads/parallel_sort.h"
#include "core/import/cluster/cluster_folder.h"
#include "core/import/contracts/manifest_discard.h"
#include "core/import/files/file_names.h"
#include "core/import/files/folder_listing.h"
#include "core/import/memscope/memscope_reader.h"
#include "core/import/memscope/python_trace.h"
#include "core/import/mindspore/cpu_usage.h"
#include "core/import/mindspore/host_info.h"
#include "core/import/monitor/monitor_lines.h"
#include "core/import/scan/experimental_inputs.h"
#include "core/import/scan/memscope_files.h"
#include "core/import/scan/monitor_files.h"
#include "core/import/scan/other_spellings.h"
#include "core/import/scan/rank_finder.h"
#include "core/import/scan/repeated_ranks.h"
#include "core/import/scan/snapshot_files.h"
#include "core/import/scan/source_sniffing.h"
#include "core/import/scan/unread_kinds.h"
#include "core/import/snapshot/pickle_place.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace fs = std::filesystem;

namespace {

Error captureError(std::string code, const fs::path& path, MessageParameters parameters = {}) {
    return {std::move(code), path.string(), {}, std::move(parameters)};
}

/// The rank folder, or folder of a cluster's result, that a folder lies in, at most two levels up, or is.
std::optional<fs::path> rankFolderAround(const fs::path& folder) {
    static constexpr int kLevels = 3;
    std::error_code error;
    if (fs::is_directory(folder / "ASCEND_PROFILER_OUTPUT", error)) return folder;
    std::optional<fs::path> found;
    fs::path at = folder;
    // The outermost one: a PROF folder, or a cluster's result, within a framework's rank folder is a part of it.
    for (int level = 0; level < kLevels && at.has_relative_path(); ++level, at = at.parent_path()) {
        switch (folderKind(at.filename().string())) {
        case FolderKind::TorchRank:
        case FolderKind::MindSporeRank: return at;
        case FolderKind::RawCann:
        case FolderKind::ClusterOutput: found = at; break;
        case FolderKind::FrameworkOutput: return at.parent_path();
        case FolderKind::CannOutput:
        case FolderKind::Other: break;
        }
    }
    return found;
}

/// A table of a profiler, or a file of a cluster's result, that lies in no capture folder: as if nothing else lay where
/// it lies. nullopt: it is none by its name.
std::optional<CaptureManifest> singleTable(const fs::path& path, std::uint64_t size, const SourceChoice& choice) {
    FolderListing listing;
    listing.folders.push_back({path.parent_path(), {}, ".", {ListedFile(path.filename().string(), size)}, {}});
    const std::string_view content = listing.folders.front().files.front().content;
    const bool isTable =
        isDeliverable(content) && content != "timeline" && content != "database" && content != "host_info";
    if (!isTable && !clusterIn(listing.folders.front(), ".")) return std::nullopt;
    CaptureManifest manifest;
    manifest.root = path.parent_path();
    manifest.isSingleFile = true;
    findRanks(listing, choice, manifest, choice.cancel);
    if (manifest.ranks.empty() && manifest.clusters.empty()) return std::nullopt;
    return manifest;
}

Result<CaptureManifest> singleDatabase(const fs::path& path, std::uint64_t size, const SourceChoice& choice) {
    const std::string name = path.filename().string();
    CaptureManifest manifest;
    manifest.root = path.parent_path();
    manifest.isSingleFile = true;
    const auto asDump = [&] {
        manifest.ranks.push_back(memscopeRank(path, name, size, choice, manifest.diagnostics));
        return manifest;
    };
    if (isMemscopeName(name)) return asDump();
    RankManifest rank;
    rank.info.path = name;
    rank.info.source = SourceKind::Db;
    rank.info.framework = frameworkOfDatabase(name);
    rank.traces.push_back(databaseFile(path, name, size, choice, manifest.diagnostics));
    const auto facts = readDbFacts(rank.traces.front().path, name, choice.cancel);
    if (!facts.ok()) return facts.as<CaptureManifest>();
    facts.value().problems.addTo(manifest.diagnostics, name);
    if (!facts.value().holdsTimeline && facts.value().holdsCluster) {
        ClusterManifest cluster;
        cluster.path = cluster.run = name;
        cluster.database = std::move(rank.traces.front());
        manifest.clusters.push_back(std::move(cluster));
        return manifest;
    }
    if (!facts.value().holdsTimeline) {
        // By its content as well: users rename files.
        if (holdsMemscope(path)) return asDump();
        if (auto table = singleTable(path, size, choice)) return std::move(*table);
        return Error{"db.not_a_timeline", path.string(), {}, {}};
    }
    applyFacts(facts.value(), rank);
    if (!rank.info.rankId) rank.info.rankId = rankInDatabaseName(name);
    rank.info.present = presentData(facts.value().contents, rank.info.metadata);
    manifest.ranks.push_back(std::move(rank));
    return manifest;
}

CaptureManifest singleRank(const fs::path& path, RankManifest rank) {
    CaptureManifest manifest;
    manifest.root = path.parent_path();
    manifest.isSingleFile = true;
    manifest.ranks.push_back(std::move(rank));
    return manifest;
}

CaptureManifest singleSnapshot(const fs::path& path, std::uint64_t size) {
    return singleRank(path, snapshotRank({path, path.filename().string(), SourceFormat::Other, size, 0, {}}));
}

CaptureManifest singleCsvDump(const fs::path& path, std::uint64_t size, const SourceChoice& choice) {
    Diagnostics none;
    return singleRank(path, memscopeRank(path, path.filename().string(), size, choice, none));
}

CaptureManifest singleCalls(const fs::path& path, std::uint64_t size) {
    return singleRank(path, pythonTraceRank(path, path.filename().string(), size));
}

CaptureManifest singleMonitor(const fs::path& path, std::uint64_t size) {
    const std::string name = path.filename().string();
    const ListedFolder folder{path.parent_path(), {}, ".", {ListedFile(name, size)}, {}};
    return singleRank(path, monitorRank(folder, folder.files, name));
}

/// A timeline in JSON: also what nothing else is known of, whose reader says what is wrong with it.
CaptureManifest singleTimeline(const fs::path& path, std::uint64_t size) {
    const std::string name = path.filename().string();
    RankManifest rank;
    rank.info.path = name;
    rank.info.framework = Framework::Chrome;
    if (name == "trace_view.json") rank.info.framework = Framework::Torch;
    if (cannTimelineName(name)) rank.info.framework = Framework::Cann;
    if (const auto number = rankInLegacyTimelineName(name)) {
        rank.info.framework = Framework::MindSpore;
        rank.info.rankId = number;
    } else {
        rank.info.rankId = rankInTrace(path, {});
    }
    rank.info.present = {"timeline"};
    SourceFormat format = SourceFormat::TraceJson;
    if (const auto number = rankInHostInfoName(name)) {
        rank.info.framework = Framework::MindSpore;
        rank.info.rankId = number;
        format = SourceFormat::HostInfo;
        rank.tables.push_back({{path, name, SourceFormat::Other, size, 0, {}}, "host_info"});
    } else if (const auto sampled = rankInCpuUsageName(name)) {
        rank.info.framework = Framework::MindSpore;
        rank.info.rankId = sampled;
        format = SourceFormat::CpuUsage;
    }
    rank.traces.push_back({path, name, format, size, 0, {}});
    return singleRank(path, std::move(rank));
}

/// A kind of file that is known by its name, as its first bytes look like those of other files, or like nothing.
struct NamedFile {
    bool (*isNamed)(std::string_view name);
    CaptureManifest (*manifest)(const fs::path& path, std::uint64_t size);
};
constexpr NamedFile kNamedFiles[] = {
    {isSnapshotName, singleSnapshot},
    {[](std::string_view name) { return monitorFileName(name).has_value(); }, singleMonitor},
    {isPythonTraceName, singleCalls},
};

Result<CaptureManifest> singleFile(const fs::path& path, const SourceChoice& choice) {
    const auto file = ReadOnlyFile::open(path);
    if (!file.ok()) {
        const bool denied = file.error().code == "file.denied";
        return captureError(denied ? "capture.denied" : file.error().code, path, file.error().parameters);
    }
    const std::string name = path.filename().string();
    const std::uint64_t size = file.value().size();
    for (const auto& named : kNamedFiles) {
        if (named.isNamed(name)) return named.manifest(path, size);
    }
    switch (fileTypeOf(path)) {
    case FileType::Database: return singleDatabase(path, size, choice);
    case FileType::Archive: return captureError("archive.nested", path);
    case FileType::Snapshot: return singleSnapshot(path, size);
    case FileType::TraceJson:
    case FileType::Unknown: break;
    }
    if (isMemscopeName(name) || beginsAsMemscopeCsv(path)) return singleCsvDump(path, size, choice);
    if (auto table = singleTable(path, size, choice)) return std::move(*table);
    return singleTimeline(path, size);
}

/// Removes from a listing what an analysis has made of raw data. Source: core/import/scan/FORMAT.md section 2.
void dropResults(FolderListing& listing) {
    static constexpr std::string_view kOfCann[] = {"analyze", "timeline", "summary"};
    for (ListedFolder& folder : listing.folders) {
        std::erase_if(folder.folders, [&listing](std::size_t number) {
            const std::string& name = listing.folders[number].name;
            const FolderKind kind = folderKind(name);
            return kind == FolderKind::FrameworkOutput || kind == FolderKind::CannOutput ||
                   std::find(std::begin(kOfCann), std::end(kOfCann), name) != std::end(kOfCann);
        });
        std::erase_if(folder.files,
                      [](const ListedFile& file) { return file.name.ends_with(".db") || !file.content.empty(); });
    }
}

Result<CaptureManifest> folder(const fs::path& path, const SourceChoice& choice, const CancelToken& cancel) {
    CaptureManifest manifest;
    manifest.root = path;
    auto listed = listFolders(path, {}, manifest.diagnostics, cancel);
    if (!listed.ok()) return listed.as<CaptureManifest>();
    const DiscardOnCancel listingLater(cancel, listed.value());
    const ManifestDiscard later(cancel, manifest);
    if (choice.onlyRaw) dropResults(listed.value());
    const FolderListing& listing = listed.value();
    const auto unread = unreadKinds(listing);
    findRanks(listing, choice, manifest, cancel);
    reportOtherSpellings(listing, manifest.diagnostics, cancel);
    if (cancel.cancelled()) return Cancelled{};
    if (manifest.ranks.empty() && manifest.clusters.empty()) {
        const ListedFolder& root = listing.folders.front();
        if (!unread.empty()) return captureError("capture.not_read_yet", path, {{"what", std::string(unread[0].what)}});
        if (listing.skippedLinks > 0) return captureError("capture.only_links", path);
        // A folder that cannot be read may hold all there is; the root of a disk has one that is always closed.
        for (const Diagnostic& one : manifest.diagnostics.entries()) {
            if (one.code == "scan.denied" && one.file != "lost+found")
                return captureError("capture.denied", path / one.file, one.parameters);
        }
        return captureError(root.files.empty() && root.folders.empty() ? "capture.empty" : "capture.nothing_found",
                            path);
    }
    for (const UnreadKind& kind : unread) {
        manifest.diagnostics.add("kind_not_read_yet", Severity::Info, kind.place, {},
                                 {{"what", std::string(kind.what)}}, kind.files);
    }
    settleRepeatedRanks(manifest.ranks, path, manifest.diagnostics, cancel);
    if (cancel.cancelled()) return Cancelled{};
    return manifest;
}

/// After everything that goes by what the files tell: a mistaken number must not make a rank vanish.
void applyCorrections(const RankCorrections& corrections, CaptureManifest& manifest) {
    for (RankManifest& rank : manifest.ranks) {
        const auto said = corrections.find(rank.info.path);
        if (said == corrections.end() || !said->second.rankId) continue;
        rank.info.rankId = said->second.rankId;
        const MessageParameters number{{"rank", std::to_string(*rank.info.rankId)}};
        manifest.diagnostics.add("rank.corrected", Severity::Info, rank.info.path, {}, number);
        const auto same = std::find_if(manifest.ranks.begin(), manifest.ranks.end(), [&](const RankManifest& other) {
            return &other != &rank && other.info.rankId == rank.info.rankId;
        });
        if (same != manifest.ranks.end())
            manifest.diagnostics.add("rank.same_id", Severity::Info, rank.info.path, {},
                                     {number.front(), {"other", same->info.path}});
    }
}

}  // namespace

Result<CaptureManifest> scanCapture(const fs::path& path, const SourceChoice& wanted, const CancelToken& cancel) {
    SourceChoice choice = wanted;
    choice.cancel = cancel;
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error == std::errc::permission_denied)
        return captureError("capture.denied", path, {{"reason", error.message()}});
    if (error) return captureError("capture.missing", path, {{"reason", error.message()}});
    const bool isFolder = fs::is_directory(real, error);
    const auto rank = rankFolderAround(isFolder ? real : real.parent_path());
    auto scanned = rank       ? folder(*rank, choice, cancel)
                   : isFolder ? folder(real, choice, cancel)
                              : singleFile(real, choice);
    if (!scanned.ok()) return scanned;
    CaptureManifest manifest = std::move(scanned.value());
    const ManifestDiscard later(cancel, manifest);
    applyCorrections(choice.corrections, manifest);
    auto& ranks = manifest.ranks;
    parallelSort(
        std::span(ranks),
        [](const RankManifest& a, const RankManifest& b) {
            return std::tie(a.info.rankId, a.info.path) < std::tie(b.info.rankId, b.info.path);
        },
        cancel);
    nameRepeatedRanks(ranks, cancel);
    std::uint32_t number = 0;
    for (RankManifest& one : ranks) {
        if (cancel.cancelled()) return Cancelled{};
        for (SourceFile& file : one.traces) {
            file.number = number++;
            one.info.traceBytes += file.size;
        }
        for (const TableFile& table : one.tables) one.info.traceBytes += table.source.size;
        reportExperimental(one, manifest.diagnostics, cancel);
    }
    if (cancel.cancelled()) return Cancelled{};
    return manifest;
}

}  // namespace altiscope::reader
