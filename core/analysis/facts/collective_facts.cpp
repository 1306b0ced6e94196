#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/collectives/collective_times.h"
#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/facts/kernel_walk.h"
#include "core/analysis/steps/kernel_pieces.h"
#include "core/analysis/support/saturating.h"
#include "core/base/columns/interval_set.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

struct CollectiveSlice {
    TimeRange range;
    SliceIndex slice;
    std::uint32_t track = 0;
};

/// The collectives of all groups, by begin, of those that begin at once the longest first.
std::vector<CollectiveSlice> collectiveSlices(const TraceStore& trace, const CancelToken& cancel) {
    std::vector<CollectiveSlice> slices;
    for (std::uint32_t t = 0; t < trace.tracks().size() && !cancel.cancelled(); ++t) {
        if (!isGroupTrack(trace.tracks()[t])) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i)
            slices.push_back({{trace.begin({i}), trace.end({i})}, {i}, t});
    }
    std::stable_sort(slices.begin(), slices.end(), [](const CollectiveSlice& a, const CollectiveSlice& b) {
        return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : b.range.end < a.range.end;
    });
    return slices;
}

/// When each step computes its first gradient, by place; kMaxTimeNs: never. By the names of kernels.
std::vector<TimeNs> firstGradients(const RankEntry& rank, const std::vector<StepSpan>& steps,
                                   const CancelToken& cancel) {
    std::vector<TimeNs> first(steps.size(), TimeNs{kMaxTimeNs});
    const KernelWalk walk(rank, steps, std::nullopt);
    if (walk.table() == nullptr) return first;
    std::vector<signed char> isGradient(walk.texts().size(), -1);
    walk.forEach(cancel, [&](const KernelCells& kernel) {
        if (!kernel.type || !kernel.range) return;
        signed char& known = isGradient[kernel.type->value];
        if (known < 0) {
            const std::string_view type = walk.texts().text(*kernel.type);
            known = type.find("Grad") != type.npos || type.find("Backprop") != type.npos ? 1 : 0;
        }
        if (known == 0) return;
        if (const auto step = walk.sums().stepAt(kernel.range->begin))
            first[*step] = std::min(first[*step], kernel.range->begin);
    });
    return first;
}

/// Tracks of the groups that reduce something before there are gradients: they are not for these.
std::set<std::uint32_t> groupsOfActivations(const TraceStore& trace, const std::vector<CollectiveSlice>& slices,
                                            const StepSums& sums, const std::vector<TimeNs>& firstGradients) {
    std::set<std::uint32_t> tracks;
    for (const CollectiveSlice& one : slices) {
        const std::string_view name = trace.name(one.slice);
        if (name.find("educe") == name.npos) continue;  // allReduce, reduceScatter
        const auto step = sums.stepAt(one.range.begin);
        if (step && firstGradients[*step].value < kMaxTimeNs && one.range.begin < firstGradients[*step])
            tracks.insert(one.track);
    }
    return tracks;
}

/// Collectives of one type at the end of a step, so far.
struct LastRun {
    std::optional<std::size_t> step;
    TimeNs end{-kMaxTimeNs};
    std::int64_t exposed = 0;

    /// @return What the run before was exposed, if it was the last one of its step.
    std::int64_t add(std::optional<std::size_t> ofStep, TimeRange range, std::int64_t ns,
                     const IntervalSet& computing) {
        // Kernels of some microseconds between two launches hide nothing.
        constexpr std::int64_t kLittle = 100;
        const bool isNewStep = ofStep != step;
        const bool follows =
            !isNewStep &&
            (range.begin < end || lengthWithin(computing, {end, range.begin}).value * kLittle <= range.length().value);
        const std::int64_t before = isNewStep && step ? exposed : 0;
        exposed = follows ? saturatedSum(exposed, ns) : ns;
        step = ofStep;
        end = isNewStep ? range.end : std::max(end, range.end);
        return before;
    }
};

/// The collectives of one type in a step, played again as if nothing waited for them before the last one has ended:
/// each begins when as much is computed as was before it, and the one before it is done.
class HiddenRun {
public:
    /// @return What of the step before could have hidden, if it is over; ns.
    std::int64_t add(std::optional<std::size_t> ofStep, TimeRange range, std::int64_t ns,
                     const IntervalSet& computing) {
        std::int64_t before = 0;
        if (m_step != ofStep || !m_isAny) {
            before = couldHide();
            *this = {};
            m_step = ofStep;
            m_end = range.begin;
            m_isAny = true;
        }
        // By how much is computed since the first began.
        const TimeNs from = std::min(m_end, range.begin);
        const std::int64_t atBegin = m_computed + lengthWithin(computing, {from, range.begin}).value;
        m_done = saturatedSum(std::max(m_done, atBegin), range.length().value);
        m_computed = atBegin + lengthWithin(computing, range).value;
        m_end = range.end;
        addSaturated(m_exposed, ns);
        return before;
    }
    std::int64_t couldHide() const {
        return std::max<std::int64_t>(0, m_exposed - std::max<std::int64_t>(0, m_done - m_computed));
    }

private:
    std::optional<std::size_t> m_step;
    bool m_isAny = false;
    TimeNs m_end{};                                          ///< Of the last one.
    std::int64_t m_computed = 0, m_done = 0, m_exposed = 0;  ///< ns
};

}  // namespace

void readCollectiveFacts(const RankEntry& rank, const CaptureGroups& groups, const DeviceActivity& activity,
                         RankFacts& facts, const CancelToken& cancel) {
    const TraceStore& trace = *rank.trace;
    const CollectiveGroups types(groups, rank.info.rankId);
    const StepSums sums(&trace, activity.steps, StepSums::Clock::Device);
    using Type = std::tuple<std::string, bool, bool>;  // parallel type, peer to peer, of activations
    std::map<Type, CollectiveFacts> byType;
    std::map<Type, LastRun> lastRuns;
    std::map<Type, HiddenRun> hiddenRuns;
    const TraceDevices devices(&trace);
    // Where several run at once the time is that of the first to begin, so that all together are as long as their
    // union.
    std::vector<TimeNs> coveredOf(activity.devices.size(), TimeNs{-kMaxTimeNs});
    const std::vector<CollectiveSlice> slices = collectiveSlices(trace, cancel);
    std::optional<std::set<std::uint32_t>> activations;  // looked for where a group's type is not known
    for (const CollectiveSlice& one : slices) {
        if (cancel.cancelled()) return;
        const std::size_t device = devices.ofTrack(one.track);
        if (facts.device && devices.number(device) != facts.device) continue;
        const std::string_view name = trace.name(one.slice);
        std::string parallelType = types.parallelType(trace.tracks()[one.track].name, name);
        if (parallelType.empty() && !activations)
            activations = groupsOfActivations(trace, slices, sums, firstGradients(rank, activity.steps, cancel));
        const bool isOfActivations = parallelType.empty() && activations->contains(one.track);
        const Type type{std::move(parallelType), isPeerToPeerName(name), isOfActivations};
        CollectiveFacts& sum = byType[type];
        TimeNs& covered = coveredOf[device];
        const TimeRange own{std::max(one.range.begin, covered), std::max(one.range.end, covered)};
        covered = own.end;
        sums.add(sum.all, one.slice, own.length().value);
        const std::int64_t exposed = own.length().value - lengthWithin(activity.devices[device].computing, own).value;
        if (exposed > 0) sums.add(sum.exposed, one.slice, exposed);
        addSaturated(sum.lastExposed, lastRuns[type].add(sums.stepAt(one.range.begin), one.range, exposed,
                                                         activity.devices[device].computing));
        sum.couldHide =
            saturatedSum(sum.couldHide.value_or(0), hiddenRuns[type].add(sums.stepAt(one.range.begin), own, exposed,
                                                                         activity.devices[device].computing));
    }
    for (auto& [key, sum] : byType) {
        const LastRun& last = lastRuns[key];
        if (last.step) addSaturated(sum.lastExposed, last.exposed);
        sum.couldHide = saturatedSum(sum.couldHide.value_or(0), hiddenRuns[key].couldHide());
        sum.parallelType = std::get<0>(key);
        sum.isPeerToPeer = std::get<1>(key);
        sum.isOfActivations = std::get<2>(key);
        facts.collectives.push_back(std::move(sum));
    }
    if (activations) facts.activationTracks.assign(activations->begin(), activations->end());
}

}  // namespace altiscope
