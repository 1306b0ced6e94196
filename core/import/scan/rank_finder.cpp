#include "core/import/scan/rank_finder.h"

#include "core/base/files/file.h"
#include "core/base/threads/parallel.h"
#include "core/import/cluster/cluster_folder.h"
#include "core/import/files/file_names.h"
#include "core/import/files/timeline_files.h"
#include "core/import/mindspore/cpu_usage.h"
#include "core/import/mindspore/host_info_files.h"
#include "core/import/mindspore/legacy_mindspore.h"
#include "core/import/raw/raw_trace_reader.h"
#include "core/import/raw_files/raw_contents.h"
#include "core/import/raw_records/raw_devices.h"
#include "core/import/scan/memscope_files.h"
#include "core/import/scan/monitor_files.h"
#include "core/import/scan/rank_contents.h"
#include "core/import/scan/rank_settings.h"
#include "core/import/scan/rank_sources.h"
#include "core/import/scan/snapshot_files.h"
#include "core/import/scan/source_sniffing.h"
#include "core/import/scan/table_files.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace altiscope::reader {

namespace {

/// Whether there is more than what MindSpore writes about its work on the host.
bool holdsRank(const ListedFolder& folder) {
    return !timelineDatabases(folder).empty() ||
           std::any_of(folder.files.begin(), folder.files.end(), [](const ListedFile& file) {
               const std::string_view content = file.content;
               return isDeliverable(content) && content != "data_pipeline" && content != "host_info";
           });
}

/// Looks through a listing for ranks.
class RankFinder {
public:
    RankFinder(const FolderListing& listing, const SourceChoice& choice, Diagnostics& diagnostics,
               const CancelToken& cancel)
        : m_listing(listing), m_choice(choice), m_diagnostics(diagnostics), m_cancel(cancel) {}

    std::vector<RankManifest> ranks;
    std::vector<ClusterManifest> clusters;

    void visit(const ListedFolder& folder, const ListedFolder* parent) {
        if (m_cancel.cancelled()) return;
        for (RankManifest& rank : monitorRanks(folder, m_cancel)) ranks.push_back(std::move(rank));
        const std::string& around = parent == nullptr ? folder.relative : parent->relative;
        const FolderKind kind = folderKind(folder.name);
        const bool isRank = kind == FolderKind::TorchRank || kind == FolderKind::MindSporeRank ||
                            m_listing.child(folder, "ASCEND_PROFILER_OUTPUT") != nullptr;
        if (isRank) {
            addFrameworkRank(folder, parent);
            return addClustersIn(folder, around);
        }
        // Whatever its name: the parent of exported data of CANN is what it was exported from.
        if (kind == FolderKind::RawCann || m_listing.child(folder, "mindstudio_profiler_output") != nullptr)
            return addCannRank(folder);
        const bool isCluster = kind == FolderKind::ClusterOutput;
        // Where somebody has put the files of a cluster beside the ranks, the run lies in the same folder.
        addCluster(folder, isCluster || folder.folders.empty() ? around : folder.relative);
        if (isCluster) return;
        if (!m_hostInfos.contains(&folder)) {
            // Beside a rank's own files the host's belong to it.
            if (!holdsRank(folder)) addHostInfoRanks(folder);
            if (!m_hostInfos.contains(&folder)) addLooseRanks(folder);
        }
        for (const std::size_t number : folder.folders) visit(m_listing.folders[number], &folder);
    }

private:
    void addFrameworkRank(const ListedFolder& folder, const ListedFolder* parent);
    void addCannRank(const ListedFolder& folder);
    void addLooseRanks(const ListedFolder& folder);
    void addLooseRank(const ListedFolder& folder, const std::string& path);
    bool addMonitoredRanks(const ListedFolder& folder);
    void addCluster(const ListedFolder& folder, const std::string& run);
    void addClustersIn(const ListedFolder& rank, const std::string& run);
    void addSingle(const ListedFolder& folder, const ListedFile& file, Framework framework,
                   std::optional<std::int64_t> rankId);
    bool looksLikeTrace(const ListedFolder& folder, const ListedFile& file);
    std::vector<const ListedFolder*> rawFolders(const ListedFolder& folder) const;
    void reportRaw(const RankManifest& rank, const ListedFolder& folder);
    void takeRaw(RankManifest& rank, SourceFile source);
    void takeExport(RankManifest& rank, const std::vector<const ListedFolder*>& raws,
                    std::vector<std::string>& inDatabase);
    void addLegacyRank(const LegacyRank& legacy, bool isOnly, const HostInfoFolder* hostInfo);
    void addHostInfoRanks(const ListedFolder& folder);
    std::optional<HostInfoFolder> hostInfoIn(const ListedFolder& folder);

    const FolderListing& m_listing;
    const SourceChoice& m_choice;
    Diagnostics& m_diagnostics;
    const CancelToken& m_cancel;
    std::size_t m_looks = 0;
    std::set<const ListedFolder*> m_hostInfos;  ///< Belong to ranks that were found.
};

/// The PROF folders of a rank, the newest first.
std::vector<const ListedFolder*> RankFinder::rawFolders(const ListedFolder& folder) const {
    std::vector<const ListedFolder*> found;
    for (const std::size_t number : folder.folders) {
        if (folderKind(m_listing.folders[number].name) == FolderKind::RawCann)
            found.push_back(&m_listing.folders[number]);
    }
    std::stable_sort(found.begin(), found.end(), [](const ListedFolder* a, const ListedFolder* b) {
        return rawFolderStamp(a->name) > rawFolderStamp(b->name);
    });
    return found;
}

void RankFinder::addFrameworkRank(const ListedFolder& folder, const ListedFolder* parent) {
    RankManifest rank;
    RankInfo& info = rank.info;
    info.path = folder.relative;
    const ListedFolder* output = m_listing.child(folder, "ASCEND_PROFILER_OUTPUT");
    if (output == nullptr) output = &folder;
    const std::vector<const ListedFolder*> raws = rawFolders(folder);

    if (const ListedFile* trace = plainOrPacked(*output, "trace_view.json"))
        rank.traces.push_back(traceFile(*output, *trace));
    else rank.traces = cannTimeline(*output, m_cancel);

    info.rankId = readRankSettings(info, folder, m_diagnostics, m_cancel);
    RawIdentity identity;
    for (const ListedFolder* raw : raws) {
        RawIdentity one = rawIdentity(m_listing, *raw, m_diagnostics);
        if (identity.host.empty()) identity.host = std::move(one.host);
        for (const RawDevice& device : one.devices) {
            const bool isKnown = std::any_of(identity.devices.begin(), identity.devices.end(),
                                             [&](const RawDevice& known) { return known.device == device.device; });
            if (!isKnown) identity.devices.push_back(device);
        }
    }
    info.host = identity.host;
    std::vector<std::string> inDatabase = chooseTimelineSource(rank, {output}, m_choice, m_diagnostics);
    if (rank.traces.empty()) takeExport(rank, raws, inDatabase);
    if (rank.traces.empty()) {
        if (auto source = rawRankSource(folder)) takeRaw(rank, std::move(*source));
    }
    if (rank.traces.empty()) rank.traces = taskTimelines(*output, m_cancel);
    for (const ListedFile& file : output->files) {
        if (!info.rankId) info.rankId = rankInDatabaseName(file.name);
        if (file.name.starts_with("ascend_mindspore")) info.framework = Framework::MindSpore;
    }
    if (identity.devices.size() == 1) {
        if (!info.rankId) info.rankId = identity.devices.front().rankId;
        if (!info.deviceId) info.deviceId = identity.devices.front().device;
    }
    if (!info.rankId) info.rankId = knownRank(info.metadata, kRankInLayout);
    if (!info.rankId) info.rankId = rankInFolderName(folder.name);
    if (!info.rankId && parent != nullptr) info.rankId = rankInFolderName(parent->name);
    if (folderKind(folder.name) == FolderKind::MindSporeRank) info.framework = Framework::MindSpore;
    if (const auto name = rankFolderName(folder.name); name && info.host.empty()) info.host = name->worker;
    const bool hasRaw = !raws.empty() || m_listing.child(folder, "FRAMEWORK") != nullptr;
    if (info.framework == Framework::MindSpore) addLegacyFacts(*output, info.metadata, m_diagnostics, m_cancel);
    const auto hostInfo = hostInfoIn(folder);
    if (hostInfo) addHostInfoTimeline(rank, *hostInfo, m_diagnostics);
    if (const ListedFolder* records = m_listing.child(folder, "FRAMEWORK");
        records != nullptr && !rank.traces.empty() && addCpuUsage(rank, *records, m_choice.corrections, m_diagnostics))
        inDatabase.clear();
    describeRank(rank, {output, hasRaw, nullptr, hostInfo ? &*hostInfo : nullptr, std::move(inDatabase)}, m_choice,
                 m_diagnostics);
    reportRaw(rank, folder);
    ranks.push_back(std::move(rank));
}

/// Reports what raw data alone will show.
void RankFinder::reportRaw(const RankManifest& rank, const ListedFolder& folder) {
    if (rank.info.state != RankState::Raw) return;
    std::string what;
    for (const std::string& content : rawContents(m_listing, folder)) what += (what.empty() ? "" : ", ") + content;
    if (!what.empty()) m_diagnostics.add("raw.holds", Severity::Info, rank.info.path, {}, {{"what", what}});
}

/// Where the framework's own files are gone or were never made, what CANN exported is better than nothing: of several
/// PROF folders the newest one that has something; the others become alternatives.
void RankFinder::takeExport(RankManifest& rank, const std::vector<const ListedFolder*>& raws,
                            std::vector<std::string>& inDatabase) {
    for (const ListedFolder* raw : raws) {
        const ListedFolder* exported = m_listing.child(*raw, "mindstudio_profiler_output");
        const bool hasText = exported != nullptr && !cannTimeline(*exported, m_cancel).empty();
        if (!hasText && timelineDatabases(*raw).empty()) continue;
        if (!rank.traces.empty()) {
            rank.info.alternatives.push_back(raw->relative);
            m_diagnostics.add("source_not_taken", Severity::Info, raw->relative, {},
                              {{"taken", rank.traces.front().name}});
            continue;
        }
        if (hasText) rank.traces = cannTimeline(*exported, m_cancel);
        inDatabase = chooseTimelineSource(rank, {raw}, m_choice, m_diagnostics);
    }
}

/// Where nothing was exported, the records themselves.
void RankFinder::takeRaw(RankManifest& rank, SourceFile source) {
    rank.traces.push_back(std::move(source));
    rank.info.source = SourceKind::Raw;
}

void RankFinder::addCannRank(const ListedFolder& folder) {
    RankManifest rank;
    RankInfo& info = rank.info;
    info.path = folder.relative;
    info.framework = Framework::Cann;
    const RawIdentity identity = rawIdentity(m_listing, folder, m_diagnostics);
    info.host = identity.host;
    for (const RawDevice& device : identity.devices) {
        if (const ListedFolder* timeline = m_listing.child(*device.folder, "timeline")) {
            for (SourceFile& file : cannTimeline(*timeline, m_cancel)) rank.traces.push_back(std::move(file));
        }
    }
    const ListedFolder* output = m_listing.child(folder, "mindstudio_profiler_output");
    if (output != nullptr) {
        if (auto exported = cannTimeline(*output, m_cancel); !exported.empty()) rank.traces = std::move(exported);
    }
    std::vector<const ListedFolder*> folders{&folder};
    if (output != nullptr) folders.push_back(output);
    // Up to 2023 tables lay beside the timelines of each device.
    const ListedFolder* tables = output;
    for (const RawDevice& device : identity.devices) {
        const ListedFolder* summary = m_listing.child(*device.folder, "summary");
        if (summary == nullptr || summary->files.empty()) continue;
        if (tables == nullptr) tables = summary;
        else if (tables != output)
            m_diagnostics.add("files_not_read", Severity::Info, summary->relative, {}, {{"what", "summary"}},
                              summary->files.size());
    }
    std::vector<std::string> inDatabase = chooseTimelineSource(rank, folders, m_choice, m_diagnostics);
    if (rank.traces.empty()) {
        if (auto source = rawSource(folder)) takeRaw(rank, std::move(*source));
    }
    if (rank.traces.empty()) rank.traces = taskTimelines(tables != nullptr ? *tables : folder, m_cancel);
    const bool hasRaw = m_listing.child(folder, "host") != nullptr || !identity.devices.empty() ||
                        folderKind(folder.name) == FolderKind::RawCann;
    if (identity.devices.size() == 1) {
        if (!info.rankId) info.rankId = identity.devices.front().rankId;
        info.deviceId = identity.devices.front().device;
    }
    addTuningAdvice(tables != nullptr ? *tables : folder, info.metadata, m_diagnostics);
    describeRank(rank,
                 {tables != nullptr ? tables : &folder, hasRaw, m_listing.child(folder, "analyze"), nullptr,
                  std::move(inDatabase)},
                 m_choice, m_diagnostics);
    reportRaw(rank, folder);
    if (info.state != RankState::Raw || identity.devices.size() < 2) return ranks.push_back(std::move(rank));
    // Several devices were recorded together; each is a rank of its own.
    for (const RawDevice& device : identity.devices) {
        RankManifest one = rank;
        one.info.rankId = device.rankId;
        one.info.deviceId = device.device;
        one.info.path = device.folder->relative;
        ranks.push_back(std::move(one));
    }
}

/// The folder in which MindSpore writes about its work on the host, if a rank's folder has one.
std::optional<HostInfoFolder> RankFinder::hostInfoIn(const ListedFolder& folder) {
    if (const ListedFolder* found = m_listing.child(folder, "host_info")) {
        m_hostInfos.insert(found);
        return HostInfoFolder(*found);
    }
    HostInfoFolder here(folder);
    return here.hasRecords() ? std::optional(std::move(here)) : std::nullopt;
}

/// Ranks of which there is nothing but what MindSpore wrote about its work on the host.
void RankFinder::addHostInfoRanks(const ListedFolder& folder) {
    const HostInfoFolder hostInfo(folder);
    const auto numbers = hostInfo.ranks();
    for (const std::int64_t number : numbers) {
        if (m_cancel.cancelled()) return;
        RankManifest rank;
        rank.info.framework = Framework::MindSpore;
        rank.info.rankId = number;
        rank.info.path =
            numbers.size() == 1 ? folder.relative : folder.relativeTo("host_info_" + std::to_string(number) + ".csv");
        addHostInfoTimeline(rank, hostInfo, m_diagnostics);
        const ListedFolder nothing{folder.path, folder.name, folder.relative, {}, {}};
        describeRank(rank, {&nothing, false, nullptr, &hostInfo}, m_choice, m_diagnostics);
        ranks.push_back(std::move(rank));
    }
    if (!numbers.empty()) m_hostInfos.insert(&folder);
}

void RankFinder::addCluster(const ListedFolder& folder, const std::string& run) {
    auto cluster = clusterIn(folder, run);
    if (!cluster) return;
    if (auto& database = cluster->database)
        database = databaseFile(database->path, database->name, database->size, m_choice, m_diagnostics);
    clusters.push_back(std::move(*cluster));
}

/// Cluster results that lie in a rank's folder, or in its output.
void RankFinder::addClustersIn(const ListedFolder& rank, const std::string& run) {
    for (const std::size_t number : rank.folders) {
        const ListedFolder& folder = m_listing.folders[number];
        if (folder.name == "ASCEND_PROFILER_OUTPUT") addClustersIn(folder, run);
        else if (folderKind(folder.name) != FolderKind::RawCann) { addCluster(folder, run); }
    }
}

void RankFinder::addSingle(const ListedFolder& folder, const ListedFile& file, Framework framework,
                           std::optional<std::int64_t> rankId) {
    RankManifest rank;
    rank.info.framework = framework;
    rank.info.rankId = rankId;
    rank.info.path = folder.relativeTo(file.name);
    rank.info.present = {"timeline"};
    rank.traces.push_back(traceFile(folder, file));
    ranks.push_back(std::move(rank));
}

/// Whether a file without a known name is a trace by its first bytes.
bool RankFinder::looksLikeTrace(const ListedFolder& folder, const ListedFile& file) {
    // A folder of something else may hold any number of JSON files, and each look costs a read.
    static constexpr std::size_t kMaxLooks = 1000;
    const bool isPacked = isPackedJson(file.name);
    if (m_cancel.cancelled() || (!isPacked && !file.name.ends_with(".json"))) return false;
    // A packed copy of a file that is shown.
    if (isPacked && folder.file(unpackedName(file.name)) != nullptr) return false;
    if (++m_looks > kMaxLooks) {
        m_diagnostics.add("scan.look_limit", Severity::Lost, folder.relative, {},
                          {{"limit", std::to_string(kMaxLooks)}});
        return false;
    }
    return holdsTrace(folder.path / file.name, m_cancel);
}

/// A rank in a folder of MindSpore up to 2.3.
/// @param hostInfo  The folder's host_info; null: it has none.
void RankFinder::addLegacyRank(const LegacyRank& legacy, bool isOnly, const HostInfoFolder* hostInfo) {
    RankManifest rank;
    RankInfo& info = rank.info;
    info.framework = Framework::MindSpore;
    info.path = isOnly ? legacy.folder.relative : legacy.folder.relativeTo(legacy.own.front().name);
    readRankSettings(info, legacy.folder, m_diagnostics, m_cancel);
    addLegacyFacts(legacy.folder, info.metadata, m_diagnostics, m_cancel);
    info.rankId = legacy.id;
    for (const ListedFile& file : legacy.own) {
        if (!rankInLegacyTimelineName(unpackedName(file.name))) continue;
        if (rank.traces.empty()) rank.traces.push_back(traceFile(legacy.folder, file));
        else info.alternatives.push_back(legacy.folder.relativeTo(file.name));
    }
    for (const std::string& name : info.alternatives)
        m_diagnostics.add("source_not_taken", Severity::Info, name, {}, {{"taken", rank.traces.front().name}});
    if (hostInfo != nullptr) addHostInfoTimeline(rank, *hostInfo, m_diagnostics);
    addCpuUsage(rank, legacy.folder, m_choice.corrections, m_diagnostics);
    describeRank(rank, {&legacy.folder, false, nullptr, hostInfo, {}, "Profiler.analyse"}, m_choice, m_diagnostics);
    std::set<std::string_view> kinds;
    std::uint64_t unread = 0;
    for (const ListedFile& file : legacy.own) {
        if (!file.content.empty() || rankInInfoName(file.name) || isLegacyFact(file.name) ||
            rankInCpuUsageName(file.name))
            continue;
        ++unread;
        const std::string_view kind = legacyKind(file.name);
        kinds.insert(kind.empty() ? std::string_view("MindSpore") : kind);
    }
    std::string what;
    for (const std::string_view kind : kinds) what += (what.empty() ? "" : ", ") + std::string(kind);
    if (unread > 0)
        m_diagnostics.add("files_not_read", Severity::Info, legacy.folder.relative, {}, {{"what", what}}, unread);
    ranks.push_back(std::move(rank));
}

/// npu-monitor: each process of a job writes files of its own, msmonitor_{pid}_{time}_{rank or -1}.db, all into one
/// folder. The newest of one process is shown.
bool RankFinder::addMonitoredRanks(const ListedFolder& folder) {
    std::map<std::pair<std::string, std::string>, ListedFolder> processes;
    for (const ListedFile& file : folder.files) {
        const std::string_view content = file.content;
        if (content != "database") {
            if (isDeliverable(content)) return false;
            continue;
        }
        if (!file.name.starts_with("msmonitor_")) return false;
        const std::size_t pidEnd = file.name.find('_', file.name.find('_') + 1);
        const std::pair key(file.name.substr(file.name.rfind('_')), file.name.substr(0, pidEnd));
        auto& process =
            processes.try_emplace(key, ListedFolder{folder.path, folder.name, folder.relative, {}, {}}).first->second;
        process.files.push_back(file);
    }
    if (processes.size() < 2) return false;
    for (const auto& [key, process] : processes) {
        if (m_cancel.cancelled()) break;
        RankManifest rank;
        rank.info.framework = Framework::Cann;
        rank.info.path = folder.relativeTo(timelineDatabases(process).front()->name);
        rank.info.rankId = rankInDatabaseName(process.files.front().name);
        std::vector<std::string> inDatabase = chooseTimelineSource(rank, {&process}, m_choice, m_diagnostics);
        describeRank(rank, {&process, false, nullptr, nullptr, std::move(inDatabase)}, m_choice, m_diagnostics);
        ranks.push_back(std::move(rank));
    }
    return true;
}

/// Ranks whose files lie directly in a folder that nothing else says to be a rank.
void RankFinder::addLooseRanks(const ListedFolder& folder) {
    if (const auto legacy = legacyRanks(folder, m_diagnostics); !legacy.empty()) {
        const auto hostInfo = hostInfoIn(folder);
        for (const LegacyRank& one : legacy) {
            if (m_cancel.cancelled()) return;
            addLegacyRank(one, legacy.size() == 1, hostInfo ? &*hostInfo : nullptr);
        }
        return;
    }
    if (hasMonitorLines(folder)) return addLooseRanks(withoutMonitorLines(folder));
    if (addMonitoredRanks(folder)) return;
    // Databases of several ranks that somebody has put into one folder; what else lies there belongs to none of them.
    std::map<std::int64_t, std::vector<ListedFile>> ofRanks;
    for (const ListedFile* file : timelineDatabases(folder)) {
        if (const auto number = rankInDatabaseName(file->name)) ofRanks[*number].push_back(*file);
    }
    if (ofRanks.size() < 2) return addLooseRank(folder, folder.relative);
    ListedFolder rest = folder;
    std::erase_if(rest.files, [&](const ListedFile& file) {
        const auto number = rankInDatabaseName(file.name);
        const auto known = number ? ofRanks.find(*number) : ofRanks.end();
        return known != ofRanks.end() && std::any_of(known->second.begin(), known->second.end(),
                                                     [&](const ListedFile& one) { return one.name == file.name; });
    });
    for (auto& [number, files] : ofRanks) {
        if (m_cancel.cancelled()) return;
        const std::string path = folder.relativeTo(files.front().name);
        if (const ListedFile* own = folder.file("profiler_info_" + std::to_string(number) + ".json"))
            files.push_back(*own);
        std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
        addLooseRank({folder.path, folder.name, folder.relative, std::move(files), {}}, path);
    }
    addLooseRank(rest, folder.relative);
}

/// The rank whose files lie directly in a folder, if there is one, and traces without a known name.
void RankFinder::addLooseRank(const ListedFolder& folder, const std::string& path) {
    RankManifest rank;
    rank.info.path = path;
    bool hasDeliverables = false;
    for (const ListedFile& file : folder.files) {
        const std::string_view content = file.content;
        if (content.empty() && looksLikeTrace(folder, file))
            addSingle(folder, file, Framework::Chrome, rankInTrace(folder.path / file.name, m_cancel));
        else if (isDeliverable(content)) hasDeliverables = true;
    }
    if (!hasDeliverables && timelineDatabases(folder).empty()) return;
    if (const ListedFile* trace = plainOrPacked(folder, "trace_view.json")) {
        rank.traces.push_back(traceFile(folder, *trace));
    } else {
        rank.traces = cannTimeline(folder, m_cancel);
        rank.info.framework = rank.traces.empty() ? Framework::Torch : Framework::Cann;
    }
    rank.info.rankId = readRankSettings(rank.info, folder, m_diagnostics, m_cancel);
    if (!rank.info.rankId) rank.info.rankId = knownRank(rank.info.metadata, kRankInLayout);
    std::vector<std::string> inDatabase = chooseTimelineSource(rank, {&folder}, m_choice, m_diagnostics);
    if (rank.info.source == SourceKind::Db) {
        const std::string name = std::filesystem::path(rank.traces.front().name).filename().string();
        rank.info.framework = frameworkOfDatabase(name);
        if (!rank.info.rankId) rank.info.rankId = rankInDatabaseName(name);
    }
    if (rank.traces.empty()) {
        rank.traces = taskTimelines(folder, m_cancel);
        if (!rank.traces.empty() && folder.file("task_time.csv") == nullptr) rank.info.framework = Framework::Cann;
    }
    const auto hostInfo = hostInfoIn(folder);
    if (hostInfo) addHostInfoTimeline(rank, *hostInfo, m_diagnostics);
    describeRank(rank, {&folder, false, nullptr, hostInfo ? &*hostInfo : nullptr, std::move(inDatabase)}, m_choice,
                 m_diagnostics);
    ranks.push_back(std::move(rank));
}

/// Lets the system fetch what the finder looks into, of all ranks at once: it looks into one after the other.
void readFactsAhead(const FolderListing& listing, const CancelToken& cancel) {
    // A settings file is smaller, and of a table one line is looked at.
    constexpr std::uint64_t kFacts = std::uint64_t{16} << 10;
    parallelFor(listing.folders.size(), [&](std::size_t i) {
        const ListedFolder& folder = listing.folders[i];
        for (const ListedFile& file : folder.files) {
            if (cancel.cancelled()) return;
            if (!file.name.starts_with("profiler_info") && file.name != "profiler_metadata.json" &&
                file.content != "kernels")
                continue;
            if (const auto opened = ReadOnlyFile::open(folder.path / file.name); opened.ok())
                opened.value().readAhead(kFacts);
        }
    });
}

}  // namespace

void findRanks(const FolderListing& listing, const SourceChoice& choice, CaptureManifest& manifest,
               const CancelToken& cancel) {
    readFactsAhead(listing, cancel);
    RankFinder finder(listing, choice, manifest.diagnostics, cancel);
    finder.visit(listing.folders.front(), nullptr);
    manifest.ranks = std::move(finder.ranks);
    manifest.clusters = std::move(finder.clusters);
    if (choice.onlyRaw) return;
    addSnapshots(listing, manifest.ranks, manifest.diagnostics, cancel);
    addMemscopeDumps(listing, choice, manifest.ranks, manifest.diagnostics, cancel);
}

}  // namespace altiscope::reader
