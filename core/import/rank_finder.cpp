#include "core/import/rank_finder.h"

#include "core/base/parse.h"
#include "core/import/cluster_folder.h"
#include "core/import/file_names.h"
#include "core/import/legacy_mindspore.h"
#include "core/import/profiler_info.h"
#include "core/import/raw_devices.h"
#include "core/import/source_sniffing.h"
#include "core/import/table_files.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

/// Where the launcher's description of the job keeps the rank.
constexpr std::string_view kRankInLayout = "distributed_args.rank";

SourceFile traceFile(const ListedFolder& folder, const ListedFile& file) {
    return {folder.path / file.name, folder.relativeTo(file.name), SourceFormat::TraceJson, file.size, 0, {}};
}

/// The slices of the newest export of a CANN timeline in a folder. Files that carry no time stamp but device, model and
/// iteration (2023) belong together, all of them.
std::vector<SourceFile> cannTimeline(const ListedFolder& folder) {
    static constexpr std::size_t kStampDigits = 14;
    struct Part {
        const ListedFile* file;
        std::string stamp;
        std::int64_t slice;
    };
    std::vector<Part> parts;
    for (const ListedFile& file : folder.files) {
        const auto name = cannTimelineName(file.name);
        if (!name) continue;
        const std::string last = name->numbers.substr(name->numbers.rfind('_') + 1);
        parts.push_back({&file, last.size() >= kStampDigits ? last : std::string{}, name->slice.value_or(0)});
    }
    if (parts.empty()) return {};
    const auto newest =
        std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.stamp < b.stamp; });
    std::erase_if(parts, [stamp = newest->stamp](const Part& part) { return part.stamp != stamp; });
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.slice < b.slice; });
    std::vector<SourceFile> files;
    for (const Part& part : parts) files.push_back(traceFile(folder, *part.file));
    return files;
}

/// Looks through a listing for ranks.
class RankFinder {
public:
    RankFinder(const FolderListing& listing, const SourceChoice& choice, Diagnostics& diagnostics, const CancelToken& cancel)
        : m_listing(listing), m_choice(choice), m_diagnostics(diagnostics), m_cancel(cancel) {}

    std::vector<RankManifest> ranks;
    std::vector<ClusterManifest> clusters;

    void visit(const ListedFolder& folder, const ListedFolder* parent) {
        if (m_cancel.cancelled()) return;
        const std::string& around = parent == nullptr ? folder.relative : parent->relative;
        const FolderKind kind = folderKind(folder.name);
        const bool isRank = kind == FolderKind::TorchRank || kind == FolderKind::MindSporeRank ||
                            m_listing.child(folder, "ASCEND_PROFILER_OUTPUT") != nullptr;
        if (isRank) {
            addFrameworkRank(folder, parent);
            return addClustersIn(folder, around);
        }
        // Whatever its name: the parent of exported data of CANN is what it was exported from.
        if (kind == FolderKind::RawCann || m_listing.child(folder, "mindstudio_profiler_output") != nullptr) return addCannRank(folder);
        const bool isCluster = kind == FolderKind::ClusterOutput;
        // Where somebody has put the files of a cluster beside the ranks, the run lies in the same folder.
        addCluster(folder, isCluster || folder.folders.empty() ? around : folder.relative);
        if (isCluster) return;
        addLooseRanks(folder);
        for (const std::size_t number : folder.folders) visit(m_listing.folders[number], &folder);
    }

private:
    void addFrameworkRank(const ListedFolder& folder, const ListedFolder* parent);
    void addCannRank(const ListedFolder& folder);
    void addLooseRanks(const ListedFolder& folder);
    void addCluster(const ListedFolder& folder, const std::string& run);
    void addClustersIn(const ListedFolder& rank, const std::string& run);
    void addSingle(const ListedFolder& folder, const ListedFile& file, Framework framework,
                   std::optional<std::int64_t> rankId);
    bool looksLikeTrace(const ListedFolder& folder, const ListedFile& file);
    void takeDatabase(RankManifest& rank, const std::vector<const ListedFolder*>& folders);
    void describe(RankManifest& rank, const ListedFolder& output, bool hasRaw, const ListedFolder* analyze = nullptr);
    std::optional<std::int64_t> readInfo(RankInfo& info, const ListedFolder& folder);
    const ListedFolder* rawFolder(const ListedFolder& folder) const;
    void addLegacyRank(const LegacyRank& legacy, bool isOnly);

    const FolderListing& m_listing;
    const SourceChoice& m_choice;
    Diagnostics& m_diagnostics;
    const CancelToken& m_cancel;
    std::size_t m_looks = 0;
    std::vector<std::string> m_contents;  ///< Of the database that was taken for the rank at hand.
};

/// Decides between the text that a rank has and the timeline databases of its folders; the first one of these that can be
/// opened is taken, unless text is preferred and there. The sources that are not taken become alternatives.
void RankFinder::takeDatabase(RankManifest& rank, const std::vector<const ListedFolder*>& folders) {
    m_contents.clear();
    const bool keepsText = m_choice.preferText && !rank.traces.empty();
    std::optional<SourceFile> taken;
    for (const ListedFolder* folder : folders) {
        for (const ListedFile* file : timelineDatabases(*folder)) {
            const std::string name = folder->relativeTo(file->name);
            if (taken || keepsText) {
                rank.info.alternatives.push_back(name);
                continue;
            }
            SourceFile source = databaseFile(folder->path / file->name, name, file->size, m_choice, m_diagnostics);
            const auto facts = readDbFacts(source.path, name);
            if (facts.ok() && facts.value().holdsTimeline) {
                applyFacts(facts.value(), rank);
                m_contents = facts.value().contents;
                taken = std::move(source);
            } else if (rank.traces.empty() && !taken && !facts.ok()) {
                // With nothing else to show, its reader says what is wrong with it.
                taken = std::move(source);
            } else {
                const Error error = facts.ok() ? Error{"db.not_a_timeline", name, {}, {}} : facts.error();
                m_diagnostics.add(error.code, Severity::Info, name, {}, error.parameters);
                rank.info.alternatives.push_back(name);
            }
        }
    }
    if (taken) {
        for (const SourceFile& text : rank.traces) rank.info.alternatives.push_back(text.name);
        rank.traces.assign(1, std::move(*taken));
        rank.info.source = SourceKind::Db;
    }
    for (const std::string& name : rank.info.alternatives)
        m_diagnostics.add("source_not_taken", Severity::Info, name, {}, {{"taken", rank.traces.empty() ? rank.info.path : rank.traces.front().name}});
}

std::optional<std::int64_t> knownRank(const Metadata& metadata, std::string_view key) {
    const auto told = std::find_if(metadata.begin(), metadata.end(), [&](const auto& m) { return m.first == key; });
    const auto rank = told != metadata.end() ? wholeNumber(told->second) : std::nullopt;
    // Tools write -1 where they do not know.
    return rank && *rank >= 0 ? rank : std::nullopt;
}

/// Adds the facts of profiler_info and profiler_metadata. @return The rank that the first one names.
std::optional<std::int64_t> RankFinder::readInfo(RankInfo& info, const ListedFolder& folder) {
    std::optional<std::int64_t> rank;
    const auto read = [&](const ListedFile& file) {
        Metadata metadata = readMetadata(folder.path / file.name, folder.relativeTo(file.name), m_diagnostics);
        info.metadata.insert(info.metadata.end(), std::make_move_iterator(metadata.begin()),
                             std::make_move_iterator(metadata.end()));
    };
    for (const ListedFile& file : folder.files) {
        const auto number = rankInInfoName(file.name);
        if (!number && file.name != "profiler_info.json") continue;
        if (!rank) rank = number;
        const auto before = static_cast<std::ptrdiff_t>(info.metadata.size());
        read(file);
        const auto within = knownRank({info.metadata.begin() + before, info.metadata.end()}, "rank_id");
        if (rank && within && *within != *rank)
            m_diagnostics.add("rank.id_conflict", Severity::Info, folder.relativeTo(file.name), {},
                              {{"taken", std::to_string(*rank)}, {"other", std::to_string(*within)}});
    }
    if (const ListedFile* file = folder.file("profiler_metadata.json")) read(*file);
    return rank ? rank : knownRank(info.metadata, "rank_id");
}

const ListedFolder* RankFinder::rawFolder(const ListedFolder& folder) const {
    for (const std::size_t number : folder.folders) {
        if (folderKind(m_listing.folders[number].name) == FolderKind::RawCann) return &m_listing.folders[number];
    }
    return nullptr;
}

/// Completes what a rank has and lacks, from the files of its output folder and its settings.
/// @param analyze  Where CANN puts its communication files; null: there is no such folder.
void RankFinder::describe(RankManifest& rank, const ListedFolder& output, bool hasRaw, const ListedFolder* analyze) {
    RankInfo& info = rank.info;
    std::vector<std::string> contents;
    std::map<std::string, std::uint64_t> unread;
    const std::vector<TableFile> readable = tableFiles(output);
    std::vector<const ListedFolder*> folders{&output};
    if (analyze != nullptr) folders.push_back(analyze);
    rank.tables = chosenTables(readable, info.source, folders, m_choice, m_diagnostics);
    const auto isRead = [&](std::string_view name) {
        const std::string relative = output.relativeTo(name);
        return isAnalysisDatabase(name) ||
               std::any_of(readable.begin(), readable.end(), [&](const TableFile& t) { return t.source.name == relative; });
    };
    for (const ListedFile& file : output.files) {
        const std::string content(fileContent(file.name));
        if (content.empty() || content == "timeline") continue;
        if (content == "database") continue;
        contents.push_back(content);
        if (!isRead(file.name)) ++unread[content];
        if (content == "kernels" || content == "memory" || content == "module_memory") {
            if (!info.deviceId) info.deviceId = deviceInCsv(output.path / file.name);
        }
    }
    if (analyze != nullptr) {
        for (const ListedFile& file : analyze->files) contents.emplace_back(fileContent(file.name));
        std::erase(contents, "");
    }
    const bool hasTimeline = !rank.traces.empty();
    if (hasTimeline) contents.emplace_back("timeline");
    contents.insert(contents.end(), m_contents.begin(), m_contents.end());
    if (hasRaw) contents.emplace_back("raw");
    info.present = presentData(contents, info.metadata);
    info.missing = missingData(info.present, info.metadata);
    const bool isRawOnly = hasRaw && !hasTimeline && contents.size() == 1;
    if (!hasTimeline)
        info.missing.insert(info.missing.begin(), missingTimeline(isRawOnly ? "analyse" : "export_type"));

    if (isRawOnly) {
        info.source = SourceKind::Raw;
        info.state = RankState::Raw;
        m_diagnostics.add("raw_only", Severity::Info, info.path, {});
    }
    if (!unread.empty()) {
        std::string what;
        std::uint64_t count = 0;
        for (const auto& [content, files] : unread) {
            what += (what.empty() ? "" : ", ") + content;
            count += files;
        }
        m_diagnostics.add("files_not_read", Severity::Info, output.relative, {}, {{"what", what}}, count);
    }
}

void RankFinder::addFrameworkRank(const ListedFolder& folder, const ListedFolder* parent) {
    RankManifest rank;
    RankInfo& info = rank.info;
    info.path = folder.relative;
    const ListedFolder* output = m_listing.child(folder, "ASCEND_PROFILER_OUTPUT");
    if (output == nullptr) output = &folder;
    const ListedFolder* raw = rawFolder(folder);

    if (const ListedFile* trace = output->file("trace_view.json")) rank.traces.push_back(traceFile(*output, *trace));
    else rank.traces = cannTimeline(*output);

    info.rankId = readInfo(info, folder);
    const RawIdentity identity = raw != nullptr ? rawIdentity(m_listing, *raw, m_diagnostics) : RawIdentity();
    info.host = identity.host;
    takeDatabase(rank, {output});
    if (rank.traces.empty() && raw != nullptr) {
        // The framework's own files are gone or were never made: what CANN exported is better than nothing.
        if (const ListedFolder* exported = m_listing.child(*raw, "mindstudio_profiler_output"))
            rank.traces = cannTimeline(*exported);
        takeDatabase(rank, {raw});
    }
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
    describe(rank, *output, raw != nullptr || m_listing.child(folder, "FRAMEWORK") != nullptr);
    ranks.push_back(std::move(rank));
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
            for (SourceFile& file : cannTimeline(*timeline)) rank.traces.push_back(std::move(file));
        }
    }
    const ListedFolder* output = m_listing.child(folder, "mindstudio_profiler_output");
    if (output != nullptr) {
        if (auto exported = cannTimeline(*output); !exported.empty()) rank.traces = std::move(exported);
    }
    std::vector<const ListedFolder*> folders{&folder};
    if (output != nullptr) folders.push_back(output);
    takeDatabase(rank, folders);
    const bool hasRaw = m_listing.child(folder, "host") != nullptr || !identity.devices.empty() || folderKind(folder.name) == FolderKind::RawCann;
    if (identity.devices.size() == 1) {
        if (!info.rankId) info.rankId = identity.devices.front().rankId;
        info.deviceId = identity.devices.front().device;
    }
    describe(rank, output != nullptr ? *output : folder, hasRaw, m_listing.child(folder, "analyze"));
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

void RankFinder::addCluster(const ListedFolder& folder, const std::string& run) {
    auto cluster = clusterIn(folder, run);
    if (!cluster) return;
    if (auto& database = cluster->database) database = databaseFile(database->path, database->name, database->size, m_choice, m_diagnostics);
    clusters.push_back(std::move(*cluster));
}

/// Cluster results that lie in a rank's folder, or in its output.
void RankFinder::addClustersIn(const ListedFolder& rank, const std::string& run) {
    for (const std::size_t number : rank.folders) {
        const ListedFolder& folder = m_listing.folders[number];
        if (folder.name == "ASCEND_PROFILER_OUTPUT") addClustersIn(folder, run);
        else if (folderKind(folder.name) != FolderKind::RawCann) {
            addCluster(folder, run);
        }
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
    if (!file.name.ends_with(".json") || m_cancel.cancelled()) return false;
    if (++m_looks > kMaxLooks) {
        m_diagnostics.add("scan.entry_limit", Severity::Lost, folder.relative, {});
        return false;
    }
    return lookOfFile(folder.path / file.name) == FileLook::TraceJson;
}

/// A rank in a folder of MindSpore up to 2.3.
void RankFinder::addLegacyRank(const LegacyRank& legacy, bool isOnly) {
    RankManifest rank;
    RankInfo& info = rank.info;
    info.framework = Framework::MindSpore;
    info.path = isOnly ? legacy.folder.relative : legacy.folder.relativeTo(legacy.own.front().name);
    readInfo(info, legacy.folder);
    info.rankId = legacy.id;
    for (const ListedFile& file : legacy.own) {
        if (!rankInLegacyTimelineName(file.name)) continue;
        if (rank.traces.empty()) rank.traces.push_back(traceFile(legacy.folder, file));
        else info.alternatives.push_back(legacy.folder.relativeTo(file.name));
    }
    for (const std::string& name : info.alternatives)
        m_diagnostics.add("source_not_taken", Severity::Info, name, {}, {{"taken", rank.traces.front().name}});
    describe(rank, legacy.folder, false);
    const auto unread = std::count_if(legacy.own.begin(), legacy.own.end(), [](const ListedFile& file) {
        return fileContent(file.name).empty() && !rankInInfoName(file.name);
    });
    if (unread > 0)
        m_diagnostics.add("files_not_read", Severity::Info, legacy.folder.relative, {}, {{"what", "MindSpore"}}, static_cast<std::uint64_t>(unread));
    ranks.push_back(std::move(rank));
}

/// Ranks whose files lie directly in a folder that nothing else says to be a rank.
void RankFinder::addLooseRanks(const ListedFolder& folder) {
    const auto legacy = legacyRanks(folder);
    for (const LegacyRank& one : legacy) addLegacyRank(one, legacy.size() == 1);
    if (!legacy.empty()) return;
    RankManifest rank;
    rank.info.path = folder.relative;
    bool hasDeliverables = false;
    for (const ListedFile& file : folder.files) {
        const std::string_view content = fileContent(file.name);
        if (content.empty() && looksLikeTrace(folder, file))
            addSingle(folder, file, Framework::Chrome, rankInTrace(folder.path / file.name));
        else if (!content.empty()) hasDeliverables = true;
    }
    if (!hasDeliverables && timelineDatabases(folder).empty()) return;
    if (const ListedFile* trace = folder.file("trace_view.json")) {
        rank.traces.push_back(traceFile(folder, *trace));
    } else {
        rank.traces = cannTimeline(folder);
        rank.info.framework = rank.traces.empty() ? Framework::Torch : Framework::Cann;
    }
    rank.info.rankId = readInfo(rank.info, folder);
    if (!rank.info.rankId) rank.info.rankId = knownRank(rank.info.metadata, kRankInLayout);
    takeDatabase(rank, {&folder});
    if (rank.info.source == SourceKind::Db) {
        const std::string name = std::filesystem::path(rank.traces.front().name).filename().string();
        rank.info.framework = frameworkOfDatabase(name);
        if (!rank.info.rankId) rank.info.rankId = rankInDatabaseName(name);
    }
    describe(rank, folder, false);
    ranks.push_back(std::move(rank));
}

}  // namespace

void findRanks(const FolderListing& listing, const SourceChoice& choice, CaptureManifest& manifest, const CancelToken& cancel) {
    RankFinder finder(listing, choice, manifest.diagnostics, cancel);
    finder.visit(listing.folders.front(), nullptr);
    manifest.ranks = std::move(finder.ranks);
    manifest.clusters = std::move(finder.clusters);
}

}  // namespace altiscope::reader
