#include "views/timeline/rows/merged_threads.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace altiscope {

namespace {

/// nullopt unless at least two of its threads are there.
std::optional<MergedThreads::Group> groupOf(const TimelineSources& sources, const std::vector<RowKey>& threads) {
    const auto source = threads.empty() ? std::nullopt : sources.sourceOf(threads.front().capture);
    if (!source || threads.front().rank.value >= sources[*source].store->ranks.size()) return std::nullopt;
    MergedThreads::Group group{sources[*source].store->ranks[threads.front().rank.value].trace, {}};
    if (group.trace == nullptr) return std::nullopt;
    for (const RowKey& key : threads) {
        const auto track = group.trace->findTrack({key.id});
        if (track && group.trace->extent(*track).sliceCount > 0) group.tracks.push_back(*track);
    }
    std::sort(group.tracks.begin(), group.tracks.end());
    return group.tracks.size() > 1 ? std::optional(std::move(group)) : std::nullopt;
}

}  // namespace

std::shared_ptr<const MergedTracks> MergedThreads::find(const Group& group) const {
    const auto known = std::find_if(m_merged.begin(), m_merged.end(), [&group](const auto& merged) {
        return merged->trace() == group.trace && merged->tracks() == group.tracks;
    });
    return known == m_merged.end() ? nullptr : *known;
}

std::vector<MergedThreads::Group> MergedThreads::missing(const TimelineSources& sources,
                                                         const TrackArrangement& arrangement) const {
    std::vector<Group> missing;
    for (const auto& threads : arrangement.merged) {
        auto group = groupOf(sources, threads);
        if (group && find(*group) == nullptr) missing.push_back(*std::move(group));
    }
    return missing;
}

void MergedThreads::add(std::vector<std::shared_ptr<const MergedTracks>> merged) {
    std::move(merged.begin(), merged.end(), std::back_inserter(m_merged));
}

void MergedThreads::eraseUnused(const TimelineSources& sources, const TrackArrangement& arrangement) {
    std::unordered_set<const MergedTracks*> used;
    for (const auto& threads : arrangement.merged) {
        if (const auto group = groupOf(sources, threads)) used.insert(find(*group).get());
    }
    std::erase_if(m_merged, [&used](const auto& merged) { return !used.contains(merged.get()); });
}

MergedThreads::ByThread MergedThreads::byThread(const TimelineSources& sources,
                                                const TrackArrangement& arrangement) const {
    ByThread byThread;
    for (const auto& threads : arrangement.merged) {
        const auto group = groupOf(sources, threads);
        const auto merged = group ? find(*group) : nullptr;
        if (merged == nullptr) continue;
        for (const RowKey& key : threads) byThread.emplace(key, merged);
    }
    return byThread;
}

}  // namespace altiscope
