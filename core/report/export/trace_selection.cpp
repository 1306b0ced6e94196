#include "core/report/export/trace_parts.h"

#include <algorithm>

#include <fnmatch.h>

namespace altiscope {

namespace {

bool matches(const std::string& pattern, const Track& track) {
    if (pattern == std::to_string(track.id.value)) return true;
    const std::string name = pattern.find('/') == std::string::npos ? track.name : track.process + '/' + track.name;
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// pids of several ranks are often the same; before each stands its rank then.
std::string processId(const std::string& pid, const RankEntry& entry, std::size_t number, bool several) {
    if (!several) return chromeId(pid);
    const std::int64_t rank = entry.info.rankId.value_or(static_cast<std::int64_t>(number));
    return chromeId("rank" + std::to_string(rank) + "." + pid);
}

/// Other viewers draw all slices of a thread on one track: call stacks need a thread of their own.
std::string threadId(const Track& track) {
    if (track.kind == TrackKind::Counter) return {};
    return chromeId(track.kind == TrackKind::Stack ? track.tid + " stacks" : track.tid);
}

/// The range on a rank's own clock.
std::optional<TimeRange> rangeOf(const TraceExportOptions& options, RankIndex rank) {
    if (!options.range || rank.value >= options.clocks.size()) return options.range;
    const auto own = [by = options.clocks[rank.value].value](TimeNs time) {
        return TimeNs{std::clamp(time.value - by, -kMaxTimeNs, kMaxTimeNs)};
    };
    return TimeRange{own(options.range->begin), own(options.range->end)};
}

std::optional<Error> unknownRank(const CaptureStore& capture, const TraceExportOptions& options) {
    if (!options.ranks) return std::nullopt;
    for (const std::int64_t wanted : *options.ranks) {
        const bool known = std::any_of(capture.ranks.begin(), capture.ranks.end(),
                                       [wanted](const RankEntry& rank) { return rank.info.rankId == wanted; });
        if (!known) return Error{"export.no_rank", capture.path, {}, {{"rank", std::to_string(wanted)}}};
    }
    return std::nullopt;
}

bool isSelected(const TraceExportOptions& options, const RankEntry& entry) {
    if (!options.ranks) return true;
    return entry.info.rankId &&
           std::find(options.ranks->begin(), options.ranks->end(), *entry.info.rankId) != options.ranks->end();
}

/// @param matched  By pattern; set for those that match the track.
bool takesTrack(const TraceExportOptions& options, RankIndex rank, const Track& track, std::vector<bool>& matched) {
    bool takes = options.tracks.empty();
    for (std::size_t p = 0; p < options.tracks.size(); ++p) {
        if (!matches(options.tracks[p], track)) continue;
        takes = matched[p] = true;
    }
    if (!options.chosen) return takes;
    return std::binary_search(options.chosen->begin(), options.chosen->end(),
                              TraceExportOptions::ChosenTrack{rank, track.id});
}

/// Gives processes, threads and flows ids that are unique among the ranks.
void setIds(std::vector<ExportedRank>& ranks) {
    std::uint64_t flows = 0;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        ExportedRank& rank = ranks[r];
        for (const Track& track : rank.trace().tracks()) {
            rank.process.push_back(processId(track.pid, *rank.entry, r, ranks.size() > 1));
            rank.thread.push_back(threadId(track));
        }
        rank.firstFlow = flows;
        flows += rank.trace().allFlowCount();
    }
}

}  // namespace

Result<std::vector<ExportedRank>> selectRanks(const CaptureStore& capture, const TraceExportOptions& options) {
    if (auto unknown = unknownRank(capture, options)) return *std::move(unknown);
    std::vector<ExportedRank> selected;
    std::vector<bool> matched(options.tracks.size(), false);
    for (RankIndex index; index.value < capture.ranks.size(); ++index.value) {
        const RankEntry& entry = capture.ranks[index.value];
        if (entry.trace == nullptr || !isSelected(options, entry)) continue;
        ExportedRank rank{.entry = &entry, .range = rangeOf(options, index)};
        for (const Track& track : entry.trace->tracks()) {
            const bool takes = takesTrack(options, index, track, matched);
            rank.takes.push_back(takes && (options.computed || track.origin == Origin::Recorded));
        }
        if (options.chosen && std::find(rank.takes.begin(), rank.takes.end(), true) == rank.takes.end()) continue;
        selected.push_back(std::move(rank));
    }
    if (selected.empty()) return Error{"export.no_timeline", capture.path, {}, {}};
    const auto missing = std::find(matched.begin(), matched.end(), false);
    if (missing != matched.end()) {
        const std::string& track = options.tracks[static_cast<std::size_t>(missing - matched.begin())];
        return Error{"export.no_track", capture.path, {}, {{"track", track}}};
    }
    setIds(selected);
    return selected;
}

}  // namespace altiscope
