#include "core/analysis/step_breakdown.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>

namespace altiscope {

namespace {

/// Calls body(step, interval) for each interval with the step in whose device range it begins. Intervals by begin.
template <class Body>
void forEachInStep(const DeviceActivity& activity, std::span<const TimeRange> intervals, Body body) {
    const std::vector<StepSpan>& steps = activity.steps;
    std::size_t step = 0;
    for (const TimeRange& interval : intervals) {
        while (step + 1 < steps.size() && steps[step + 1].device.begin <= interval.begin) ++step;
        if (steps[step].device.begin <= interval.begin && interval.begin <= steps[step].device.end) body(step, interval);
    }
}

std::vector<std::int64_t> lengthsByStep(const DeviceActivity& activity, std::span<const TimeRange> intervals) {
    std::vector<std::int64_t> lengths(activity.steps.size());
    forEachInStep(activity, intervals,
                  [&](std::size_t step, const TimeRange& interval) { lengths[step] += interval.length().value; });
    return lengths;
}

}  // namespace

std::vector<StepBreakdown> computeBreakdown(const DeviceActivity& activity) {
    const auto computing = lengthsByStep(activity, activity.computing);
    const auto communication = lengthsByStep(activity, activity.communication);
    const auto exposed = lengthsByStep(activity, differenceOf(activity.communication, activity.computing));
    const IntervalSet busy = unionOf(activity.computing, activity.communication);
    const auto free = lengthsByStep(activity, gapsOf(busy));
    const auto bubble = lengthsByStep(activity, activity.receives);

    constexpr TimeRange kNothing{{std::numeric_limits<std::int64_t>::max()}, {std::numeric_limits<std::int64_t>::min()}};
    std::vector<TimeRange> extents(activity.steps.size(), kNothing);
    for (const IntervalSet* set : {&activity.computing, &activity.communication}) {
        forEachInStep(activity, *set, [&](std::size_t step, const TimeRange& interval) {
            extents[step].begin = std::min(extents[step].begin, interval.begin);
            extents[step].end = std::max(extents[step].end, interval.end);
        });
    }
    std::vector<StepBreakdown> rows;
    for (std::size_t i = 0; i < activity.steps.size(); ++i) {
        if (extents[i] == kNothing) continue;
        StepBreakdown row;
        row.step = activity.steps[i].step;
        row.computing = computing[i];
        row.communication = communication[i];
        row.notOverlapped = exposed[i];
        row.overlapped = communication[i] - exposed[i];
        row.free = free[i];
        row.bubble = bubble[i];
        row.stage = extents[i].length().value - bubble[i];
        row.notOverlappedExclReceive = std::max<std::int64_t>(exposed[i] - bubble[i], 0);
        if (activity.steps[i].host) row.preparing = (extents[i].begin - activity.steps[i].host->begin).value;
        row.device = extents[i];
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const StepBreakdown& a, const StepBreakdown& b) { return a.step < b.step; });
    return rows;
}

std::vector<StepBreakdown> recordedBreakdown(const RankEntry& rank) {
    std::vector<StepBreakdown> rows;
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::StepBreakdown);
    if (table == nullptr) return rows;
    const auto cell = [table](std::string_view name, std::size_t row) {
        return table->integer(rowColumn(RowKind::StepBreakdown, name), row);
    };
    for (std::size_t i = 0; i < table->size(); ++i) {
        StepBreakdown row;
        row.origin = Origin::Recorded;
        row.step = cell("step", i);
        row.computing = cell("computing", i);
        row.communication = cell("communication", i);
        row.notOverlapped = cell("not_overlapped", i);
        row.overlapped = cell("overlapped", i);
        row.free = cell("free", i);
        row.stage = cell("stage", i);
        row.bubble = cell("bubble", i);
        row.notOverlappedExclReceive = cell("not_overlapped_excl_receive", i);
        row.preparing = cell("preparing", i);
        rows.push_back(row);
    }
    return rows;
}

}  // namespace altiscope
