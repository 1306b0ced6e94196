#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/steps/step_sums.h"
#include "core/base/columns/interval_set.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace altiscope {

namespace {

/// The depth-0 slices of a track that overlap a range. O(log + those).
void addOverlapping(const TraceStore& trace, std::uint32_t track, TimeRange range, std::vector<TimeRange>& to) {
    for (const DepthRun& run : trace.runs({track})) {
        if (run.depth != 0) break;
        // Ascending and disjoint: begins and ends are sorted both.
        std::uint32_t first = run.first, last = run.first + run.count;
        while (first < last) {
            const std::uint32_t middle = first + (last - first) / 2;
            if (trace.end({middle}) <= range.begin) first = middle + 1;
            else last = middle;
        }
        for (std::uint32_t i = first; i < run.first + run.count && trace.begin({i}) < range.end; ++i)
            to.push_back({trace.begin({i}), trace.end({i})});
    }
}

/// What Python is seen to do: the data loader, which is a finding of its own, and operators, on the host's cores too.
IntervalSet working(const TraceStore& trace, const CancelToken& cancel) {
    std::vector<bool> isWork(trace.texts().size());
    for (const std::string_view prefix : {"enumerate(DataLoader)", "aten::", "npu::", "torch_npu::"}) {
        const auto [first, last] = trace.texts().prefixRange(prefix);
        for (std::uint32_t id = first.value; id < last.value; ++id) isWork[id] = true;
    }
    std::vector<TimeRange> ranges;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.tracks()[t].kind != TrackKind::Python || cancel.cancelled()) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            if (isWork[trace.nameId({i}).value]) ranges.push_back({trace.begin({i}), trace.end({i})});
        }
    }
    return unionOf(std::move(ranges), cancel);
}

bool records(const TraceStore& trace, TrackKind kind) {
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.tracks()[t].kind == kind && trace.extent({t}).sliceCount > 0) return true;
    }
    return false;
}

}  // namespace

void readSilentGaps(const TraceStore& trace, const DeviceActivity& activity, RankFacts& facts,
                    const CancelToken& cancel) {
    // What is recorded needs no conjecture; and where calls are not recorded, all is silent.
    if (records(trace, TrackKind::Gc) || !records(trace, TrackKind::Cann) || !records(trace, TrackKind::Python)) return;
    IntervalSet busy;
    for (const DeviceBusyTimes& device : activity.devices)
        busy = unionOf(busy, unionOf(device.computing, device.communication));
    const IntervalSet works = working(trace, cancel);
    const StepSums sums(&trace, activity.steps, StepSums::Clock::Device);
    std::vector<TimeRange> calls;
    std::vector<std::uint32_t> hosts;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.tracks()[t].kind == TrackKind::Cann && trace.extent({t}).sliceCount > 0) hosts.push_back(t);
    }
    for (const TimeRange& gap : gapsOf(busy)) {
        if (gap.length().value < kSilentGapNs) continue;
        if (cancel.cancelled()) return;
        calls.clear();
        for (const std::uint32_t t : hosts) addOverlapping(trace, t, gap, calls);
        constexpr std::int64_t kMaxCalls = 100;  // 1 / 100 of the gap
        const IntervalSet called = unionOf(unionOf(calls, cancel), works);
        if (lengthWithin(called, gap).value > gap.length().value / kMaxCalls) continue;
        sums.addUnseen(facts.silentGaps, gap, gap.length().value);
        facts.longestSilentGaps.push_back(gap);
    }
    auto& longest = facts.longestSilentGaps;
    std::stable_sort(longest.begin(), longest.end(),
                     [](const TimeRange& a, const TimeRange& b) { return a.length() > b.length(); });
    longest.resize(std::min(longest.size(), Occurrences::kMaxSlices));
}

}  // namespace altiscope
