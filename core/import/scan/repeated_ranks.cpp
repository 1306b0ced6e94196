#include "core/import/scan/repeated_ranks.h"

#include "core/base/memory/discard.h"
#include "core/import/files/file_names.h"
#include "core/import/scan/recorded_data.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace altiscope::reader {

namespace {

/// Part `number` between the '_' of a name, counted from its end; empty if there are not as many.
std::string partFromEnd(std::string_view name, int number) {
    for (; number > 0; --number) {
        const std::size_t border = name.rfind('_');
        if (border == std::string_view::npos) return {};
        name = name.substr(0, border);
    }
    return std::string(name.substr(name.rfind('_') + 1));  // npos + 1 is 0
}

bool isStamp(const std::string& text) {
    const bool isLong = text.size() == 14 || text.size() == 17;
    return isLong && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::filesystem::path folderOf(const RankManifest& rank, const std::filesystem::path& root) {
    return rank.info.path == "." ? root : std::filesystem::path(rank.info.path);
}

std::vector<std::string> foldersOf(const std::string& path) {
    std::vector<std::string> folders;
    for (const auto& part : std::filesystem::path(path)) folders.push_back(part.string());
    return folders;
}

/// Sets the places of ranks of one name.
void setPlaces(const std::vector<RankInfo*>& ranks) {
    std::vector<std::vector<std::string>> folders;
    std::size_t shortest = std::numeric_limits<std::size_t>::max();
    for (const RankInfo* rank : ranks) {
        folders.push_back(foldersOf(rank->path));
        shortest = std::min(shortest, folders.back().size());
    }
    const auto all = [&folders](const auto& isSame) { return std::all_of(folders.begin(), folders.end(), isSame); };
    std::size_t front = 0, back = 0;
    while (front < shortest && all([&](const auto& of) { return of[front] == folders[0][front]; })) ++front;
    // Without a number the folder is the name, and stays in it.
    while (ranks.front()->rankId && front + back < shortest &&
           all([&](const auto& of) { return of[of.size() - 1 - back] == folders[0][folders[0].size() - 1 - back]; }))
        ++back;
    std::map<std::string, std::size_t> count;
    for (const RankInfo* rank : ranks) ++count[rank->path];
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        RankInfo& rank = *ranks[i];
        std::filesystem::path between;
        for (std::size_t part = front; part + back < folders[i].size(); ++part) between /= folders[i][part];
        // One that lies above the others has nothing of its own between; the capture's own folder has no name here.
        const std::string whole = rank.path == "." ? std::string() : rank.path;
        rank.place = between.empty() || rank.path == "." ? whole : between.string();
        if (count[rank.path] == 1) continue;
        const std::string own = rank.deviceId ? "NPU " + std::to_string(*rank.deviceId) : rank.host;
        if (own.empty()) continue;
        const bool isEnough = rank.place.empty() || (between.empty() && rank.rankId);
        rank.place = isEnough ? own : rank.place + " · " + own;
    }
}

/// A folder of a rank that says when it was recorded.
struct Recorded {
    std::size_t place;
    std::string stamp;
};

/// Keeps the newest recording of a rank that holds data; those of the same stamp are all kept (parts of one).
void keepNewestWithData(const std::vector<Recorded>& recordings, std::vector<RankManifest>& ranks,
                        std::vector<bool>& isLeftOut, Diagnostics& diagnostics) {
    const bool isAlone = std::all_of(recordings.begin(), recordings.end(),
                                     [&](const Recorded& one) { return one.stamp == recordings.front().stamp; });
    if (isAlone) return;
    std::vector<RecordedData> data;
    for (const Recorded& one : recordings) data.push_back(recordedData(ranks[one.place]));
    std::size_t best = 0;
    for (std::size_t i = 1; i < recordings.size(); ++i)
        if (std::pair(data[i], recordings[i].stamp) > std::pair(data[best], recordings[best].stamp)) best = i;
    RankInfo& kept = ranks[recordings[best].place].info;
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        const std::string path = ranks[recordings[i].place].info.path;
        if (recordings[i].stamp == recordings[best].stamp) continue;
        isLeftOut[recordings[i].place] = true;
        kept.alternatives.push_back(path);
        if (recordings[i].stamp < recordings[best].stamp)
            diagnostics.add("older_folder", Severity::Info, path, {}, {{"newer", kept.path}});
        else diagnostics.add(newerFolderCode(data[i]), Severity::Repaired, path, {}, {{"shown", kept.path}});
    }
}

}  // namespace

std::string recordingStamp(const std::filesystem::path& folder) {
    const std::string name = folder.filename().string();
    std::string stamp;
    switch (folderKind(name)) {
    case FolderKind::TorchRank:
    case FolderKind::MindSporeRank: stamp = partFromEnd(name, 2); break;
    case FolderKind::RawCann: stamp = partFromEnd(name, 1); break;
    case FolderKind::FrameworkOutput:
    case FolderKind::CannOutput:
    case FolderKind::ClusterOutput: return {};
    case FolderKind::Other:
        return name.starts_with("device_") && folder.has_parent_path() ? recordingStamp(folder.parent_path())
                                                                       : std::string();
    }
    return isStamp(stamp) ? stamp : std::string();
}

void settleRepeatedRanks(std::vector<RankManifest>& ranks, const std::filesystem::path& root, Diagnostics& diagnostics,
                         const CancelToken& cancel) {
    std::map<std::pair<std::string, std::int64_t>, std::vector<Recorded>> recordings;
    const DiscardOnCancel later(cancel, recordings);
    const auto keyOf = [&](const RankManifest& rank) {
        const auto folder = folderOf(rank, root);
        const bool isDevice = folderKind(folder.filename().string()) == FolderKind::Other;
        return std::pair((isDevice ? folder.parent_path().parent_path() : folder.parent_path()).string(),
                         *rank.info.rankId);
    };
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (cancel.cancelled()) return;
        if (!ranks[i].info.rankId) continue;
        std::string stamp = recordingStamp(folderOf(ranks[i], root));
        if (stamp.empty()) continue;
        recordings[keyOf(ranks[i])].push_back({i, std::move(stamp)});
    }
    std::vector<bool> isLeftOut(ranks.size(), false);
    for (auto& [key, ofRank] : recordings) {
        if (cancel.cancelled()) return;
        keepNewestWithData(ofRank, ranks, isLeftOut, diagnostics);
    }
    std::vector<RankManifest> kept;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (!isLeftOut[i]) kept.push_back(std::move(ranks[i]));
    }
    ranks = std::move(kept);

    std::map<std::int64_t, const RankManifest*> seen;
    for (const RankManifest& rank : ranks) {
        if (cancel.cancelled()) return;
        if (!rank.info.rankId) continue;
        const auto [first, isNew] = seen.try_emplace(*rank.info.rankId, &rank);
        if (!isNew)
            diagnostics.add("rank.same_id", Severity::Info, rank.info.path, {},
                            {{"rank", std::to_string(*rank.info.rankId)}, {"other", first->second->info.path}});
    }
    for (const RankManifest& rank : ranks) {
        if (cancel.cancelled()) return;
        const bool mayHaveOne = rank.info.framework == Framework::Torch || rank.info.framework == Framework::MindSpore;
        if (!rank.info.rankId && mayHaveOne && !seen.empty())
            diagnostics.add("rank.no_id", Severity::Info, rank.info.path, {});
    }
}

void nameRepeatedRanks(std::vector<RankManifest>& ranks, const CancelToken& cancel) {
    std::map<std::pair<std::optional<std::int64_t>, std::string>, std::vector<RankInfo*>> byName;
    const DiscardOnCancel later(cancel, byName);
    for (RankManifest& rank : ranks) {
        if (cancel.cancelled()) return;
        RankInfo& info = rank.info;
        info.place.clear();
        const std::string last = info.path.substr(info.path.rfind('/') + 1);  // npos + 1 is 0
        byName[{info.rankId, info.rankId ? std::string() : last}].push_back(&info);
    }
    for (const auto& [name, same] : byName) {
        if (cancel.cancelled()) return;
        if (same.size() > 1) setPlaces(same);
    }
}

}  // namespace altiscope::reader
