#include "views/timeline/rows/key_lanes.h"

#include "core/analysis/steps/device_activity.h"

#include <algorithm>
#include <array>

namespace altiscope {

namespace {

/// A depth with this part of the slices of the fullest one shows the operators; those above it show steps.
constexpr std::uint32_t kFullPart = 4;
/// One with a smaller part of the weight of the first of its role is no lane.
constexpr std::uint64_t kWorthPart = 20;

struct Candidate {
    KeyLane lane;
    std::uint64_t weight = 0;  ///< Compared within a role.
};

/// Time in kernels, known by their names, or in all slices; at least one for each.
std::uint64_t timeIn(const TraceStore& trace, TrackIndex track, bool kernels) {
    const auto stats = trace.columns().nameStats.span();
    auto stat = std::lower_bound(stats.begin(), stats.end(), track.value,
                                 [](const NameStat& one, std::uint32_t wanted) { return one.track < wanted; });
    std::uint64_t time = 0;
    for (; stat != stats.end() && stat->track == track.value; ++stat)
        if (!kernels || isKernelName(trace.text(stat->name)))
            time += stat->count + static_cast<std::uint64_t>(std::max<std::int64_t>(stat->total, 0));
    return time;
}

}  // namespace

std::uint32_t mainDepth(const TraceStore& trace, TrackIndex track) {
    std::uint32_t most = 0;
    for (const DepthRun& run : trace.runs(track)) most = std::max(most, run.count);
    for (const DepthRun& run : trace.runs(track))
        if (std::uint64_t{run.count} * kFullPart > most) return run.depth;
    return 0;
}

std::vector<KeyLane> keyLanes(const TraceStore& trace, const std::vector<TrackIndex>& tracks, std::size_t limit) {
    enum Role : std::size_t { Compute, Communication, Host, Rest, RoleCount };
    std::array<std::vector<Candidate>, RoleCount> roles;
    for (const TrackIndex track : tracks) {
        const std::uint64_t slices = trace.extent(track).sliceCount;
        if (slices == 0) continue;
        const Track& about = trace.track(track);
        if (isGroupTrack(about)) {
            roles[Communication].push_back({{track, 0}, timeIn(trace, track, false)});
        } else if (isStreamTrack(about)) {
            const std::uint64_t kernels = timeIn(trace, track, true);
            roles[kernels > 0 ? Compute : Rest].push_back({{track, 0}, kernels > 0 ? kernels : slices});
        } else if (about.kind == TrackKind::Python) {
            roles[Host].push_back({{track, mainDepth(trace, track)}, slices});
        } else if (about.kind != TrackKind::Overlap) {
            // The analysis of overlaps has a part of a collapsed row for itself.
            roles[Rest].push_back({{track, mainDepth(trace, track)}, slices});
        }
    }
    const bool hasKeys = !roles[Compute].empty() || !roles[Communication].empty() || !roles[Host].empty();
    if (hasKeys) roles[Rest].clear();
    for (auto& role : roles) {
        std::stable_sort(role.begin(), role.end(),
                         [](const Candidate& a, const Candidate& b) { return a.weight > b.weight; });
        std::erase_if(role, [most = role.empty() ? 0 : role.front().weight](const Candidate& one) {
            return one.weight < most / kWorthPart;
        });
    }
    std::vector<KeyLane> lanes;
    for (std::size_t round = 0; lanes.size() < limit; ++round) {
        bool isAny = false;
        for (const auto& role : roles) {
            if (round >= role.size()) continue;
            isAny = true;
            if (lanes.size() < limit) lanes.push_back(role[round].lane);
        }
        if (!isAny) break;
    }
    std::sort(lanes.begin(), lanes.end(), [](const KeyLane& a, const KeyLane& b) { return a.track < b.track; });
    return lanes;
}

}  // namespace altiscope
