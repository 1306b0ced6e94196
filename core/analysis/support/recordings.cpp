#include "core/analysis/support/recordings.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace altiscope {

namespace {

using Folders = std::vector<std::string>;

Folders foldersOf(const std::string& path) {
    Folders folders;
    for (const auto& part : std::filesystem::path(path)) folders.push_back(part.string());
    return folders;
}

/// How many folders two paths have in common, from the outermost on.
std::size_t commonOf(const Folders& a, const Folders& b) {
    const auto [first, second] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return static_cast<std::size_t>(first - a.begin());
}

/// The depth of the folder that tells ranks of one number apart; nullopt if no number repeats.
std::optional<std::size_t> dividingDepth(const CaptureStore& capture, const std::vector<Folders>& folders) {
    std::map<std::int64_t, std::size_t> first;
    std::optional<std::size_t> depth;
    for (std::size_t r = 0; r < folders.size(); ++r) {
        const auto& number = capture.ranks[r].info.rankId;
        if (!number) continue;
        const auto [known, isNew] = first.try_emplace(*number, r);
        if (isNew) continue;
        const std::size_t common = commonOf(folders[known->second], folders[r]);
        depth = std::min(depth.value_or(common), common);
    }
    return depth;
}

/// By the folder at a depth; nullopt where that does not tell ranks of one number apart, or each rank from each.
std::optional<Recordings> byFolder(const CaptureStore& capture, const std::vector<Folders>& folders,
                                   std::size_t depth) {
    Recordings found;
    std::map<std::string, std::uint32_t> known;
    std::set<std::pair<std::uint32_t, std::int64_t>> numbers;
    bool isRanksOwn = true;
    for (std::size_t r = 0; r < folders.size(); ++r) {
        isRanksOwn = isRanksOwn && folders[r].size() <= depth + 1;
        const std::string name = depth < folders[r].size() ? folders[r][depth] : std::string(".");
        const auto [place, isNew] = known.try_emplace(name, static_cast<std::uint32_t>(known.size()));
        if (isNew) found.names.push_back(name);
        found.ofRank.push_back(place->second);
        const auto& number = capture.ranks[r].info.rankId;
        if (number && !numbers.emplace(place->second, *number).second) return std::nullopt;
    }
    return isRanksOwn ? std::nullopt : std::optional(std::move(found));
}

Recordings byCount(const CaptureStore& capture) {
    Recordings found;
    std::map<std::int64_t, std::uint32_t> count;
    std::uint32_t most = 0;
    for (const RankEntry& rank : capture.ranks) {
        const std::uint32_t number = rank.info.rankId ? count[*rank.info.rankId]++ : 0;
        most = std::max(most, number);
        found.ofRank.push_back(number);
    }
    for (std::uint32_t i = 0; i <= most; ++i) found.names.push_back("recording " + std::to_string(i + 1));
    return found;
}

}  // namespace

Recordings recordingsOf(const CaptureStore& capture) {
    std::vector<Folders> folders;
    folders.reserve(capture.ranks.size());
    for (const RankEntry& rank : capture.ranks) folders.push_back(foldersOf(rank.info.path));
    const auto depth = dividingDepth(capture, folders);
    if (!depth) return {std::vector<std::uint32_t>(folders.size(), 0), {}};
    if (auto found = byFolder(capture, folders, *depth)) return *std::move(found);
    return byCount(capture);
}

std::string recordingNames(const Recordings& recordings) {
    std::string text;
    for (const std::string& name : recordings.names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

}  // namespace altiscope
