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

}  // namespace

Result<std::vector<ExportedRank>> selectRanks(const CaptureStore& capture, const TraceExportOptions& options) {
    std::vector<ExportedRank> selected;
    std::vector<bool> matched(options.tracks.size(), false);
    if (options.ranks) {
        for (const std::int64_t wanted : *options.ranks) {
            const bool known = std::any_of(capture.ranks.begin(), capture.ranks.end(),
                                           [wanted](const RankEntry& rank) { return rank.info.rankId == wanted; });
            if (!known) return Error{"export.no_rank", capture.path, {}, {{"rank", std::to_string(wanted)}}};
        }
    }
    for (RankIndex index; index.value < capture.ranks.size(); ++index.value) {
        const RankEntry& entry = capture.ranks[index.value];
        if (entry.trace == nullptr) continue;
        if (options.ranks && (!entry.info.rankId || std::find(options.ranks->begin(), options.ranks->end(),
                                                              *entry.info.rankId) == options.ranks->end()))
            continue;
        ExportedRank rank{.entry = &entry, .range = rangeOf(options, index)};
        for (const Track& track : entry.trace->tracks()) {
            bool takes = options.tracks.empty();
            for (std::size_t p = 0; p < options.tracks.size(); ++p) {
                if (!matches(options.tracks[p], track)) continue;
                takes = matched[p] = true;
            }
            if (options.chosen)
                takes = std::binary_search(options.chosen->begin(), options.chosen->end(),
                                           TraceExportOptions::ChosenTrack{index, track.id});
            rank.takes.push_back(takes && (options.computed || track.origin == Origin::Recorded));
        }
        if (options.chosen && std::find(rank.takes.begin(), rank.takes.end(), true) == rank.takes.end()) continue;
        selected.push_back(std::move(rank));
    }
    if (selected.empty()) return Error{"export.no_timeline", capture.path, {}, {}};
    const auto missing = std::find(matched.begin(), matched.end(), false);
    if (missing != matched.end())
        return Error{"export.no_track",
                     capture.path,
                     {},
                     {{"track", options.tracks[static_cast<std::size_t>(missing - matched.begin())]}}};

    std::uint64_t flows = 0;
    for (std::size_t r = 0; r < selected.size(); ++r) {
        ExportedRank& rank = selected[r];
        for (const Track& track : rank.trace().tracks()) {
            rank.process.push_back(processId(track.pid, *rank.entry, r, selected.size() > 1));
            rank.thread.push_back(threadId(track));
        }
        rank.firstFlow = flows;
        flows += rank.trace().allFlowCount();
    }
    return selected;
}

}  // namespace altiscope
