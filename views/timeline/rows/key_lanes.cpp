#include "views/timeline/rows/key_lanes.h"

#include "core/analysis/steps/device_activity.h"

#include <algorithm>
#include <array>
#include <utility>

namespace altiscope {

namespace {

/// A depth with this part of the slices of the fullest one shows the operators; those above it show steps.
constexpr std::uint32_t kFullPart = 4;
/// One with a smaller part of the weight of the first of its role is no lane.
constexpr std::uint64_t kWorthPart = 20;

struct LaneCandidate {
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

using Role = TrackWeight::Role;
constexpr std::size_t indexOf(Role role) { return static_cast<std::size_t>(role); }
using Roles = std::array<std::vector<LaneCandidate>, indexOf(Role::None)>;

TrackWeight weightOf(const TraceStore& trace, TrackIndex track) {
    const std::uint64_t slices = trace.extent(track).sliceCount;
    if (slices == 0) return {};
    const Track& about = trace.track(track);
    if (isGroupTrack(about)) return {Role::Communication, 0, timeIn(trace, track, false)};
    if (isStreamTrack(about)) {
        const std::uint64_t kernels = timeIn(trace, track, true);
        return {kernels > 0 ? Role::Compute : Role::Rest, 0, kernels > 0 ? kernels : slices};
    }
    if (about.kind == TrackKind::Python) return {Role::Host, mainDepth(trace, track), slices};
    // The analysis of overlaps has a part of a collapsed row for itself.
    if (about.kind == TrackKind::Overlap) return {};
    return {Role::Rest, mainDepth(trace, track), slices};
}

void addTo(Roles& roles, TrackIndex track, const TrackWeight& of) {
    if (of.role != Role::None) roles[indexOf(of.role)].push_back({{track, of.depth}, of.weight});
}

std::vector<KeyLane> chosenLanes(Roles roles, std::size_t limit) {
    const bool hasKeys = !roles[indexOf(Role::Compute)].empty() || !roles[indexOf(Role::Communication)].empty() ||
                         !roles[indexOf(Role::Host)].empty();
    if (hasKeys) roles[indexOf(Role::Rest)].clear();
    for (auto& role : roles) {
        std::stable_sort(role.begin(), role.end(),
                         [](const LaneCandidate& a, const LaneCandidate& b) { return a.weight > b.weight; });
        std::erase_if(role, [most = role.empty() ? 0 : role.front().weight](const LaneCandidate& one) {
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

}  // namespace

std::uint32_t mainDepth(const TraceStore& trace, TrackIndex track) {
    std::uint32_t most = 0;
    for (const DepthRun& run : trace.runs(track)) most = std::max(most, run.count);
    for (const DepthRun& run : trace.runs(track))
        if (std::uint64_t{run.count} * kFullPart > most) return run.depth;
    return 0;
}

std::vector<TrackWeight> trackWeights(const TraceStore& trace) {
    std::vector<TrackWeight> weights;
    for (std::uint32_t track = 0; track < trace.tracks().size(); ++track) weights.push_back(weightOf(trace, {track}));
    return weights;
}

std::vector<KeyLane> keyLanes(const TraceStore& trace, const std::vector<TrackIndex>& tracks, std::size_t limit) {
    Roles roles;
    for (const TrackIndex track : tracks) addTo(roles, track, weightOf(trace, track));
    return chosenLanes(std::move(roles), limit);
}

std::vector<KeyLane> keyLanes(const std::vector<TrackWeight>& weights, const std::vector<TrackIndex>& tracks,
                              std::size_t limit) {
    Roles roles;
    for (const TrackIndex track : tracks) addTo(roles, track, weights[track.value]);
    return chosenLanes(std::move(roles), limit);
}

}  // namespace altiscope
