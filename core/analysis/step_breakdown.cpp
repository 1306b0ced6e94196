#include "core/analysis/step_breakdown.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>

namespace altiscope {

namespace {

/// Finds the steps of times that ascend.
class StepWalk {
public:
    explicit StepWalk(const DeviceActivity& activity) : m_steps(activity.steps) {}

    /// The step in whose device range a time lies; the number of steps if there is none.
    std::size_t at(TimeNs time) {
        while (m_step + 1 < m_steps.size() && m_steps[m_step + 1].device.begin <= time) ++m_step;
        const TimeRange& device = m_steps[m_step].device;
        return device.begin <= time && time <= device.end ? m_step : m_steps.size();
    }

private:
    const std::vector<StepSpan>& m_steps;
    std::size_t m_step = 0;
};

/// Lengths of the intervals of one kind, by the step in which they begin; one more at the end for those in none.
class StepLengths {
public:
    explicit StepLengths(const DeviceActivity& activity) : m_walk(activity), m_lengths(activity.steps.size() + 1) {}

    std::size_t add(TimeRange interval) {
        const std::size_t step = m_walk.at(interval.begin);
        m_lengths[step] += interval.length().value;
        return step;
    }
    std::int64_t of(std::size_t step) const { return m_lengths[step]; }

private:
    StepWalk m_walk;
    std::vector<std::int64_t> m_lengths;
};

constexpr TimeRange kNothing{{std::numeric_limits<std::int64_t>::max()}, {std::numeric_limits<std::int64_t>::min()}};

/// Sums of the four lanes. One walk over both sets: with 10^7 kernels further sets would cost more than the arithmetic.
struct LaneSums {
    explicit LaneSums(const DeviceActivity& activity)
        : computing(activity), communication(activity), exposed(activity), free(activity), extents(activity.steps.size() + 1, kNothing) {
        const IntervalSet &kernels = activity.computing, &collectives = activity.communication;
        std::size_t k = 0, c = 0;
        TimeNs busyEnd;
        bool any = false;
        while (k < kernels.size() || c < collectives.size()) {
            const bool isKernel = c == collectives.size() || (k < kernels.size() && kernels[k].begin <= collectives[c].begin);
            const TimeRange& next = isKernel ? kernels[k++] : collectives[c++];
            if (any && busyEnd < next.begin) free.add({busyEnd, next.begin});
            busyEnd = any ? std::max(busyEnd, next.end) : next.end;
            any = true;
            const std::size_t step = (isKernel ? computing : communication).add(next);
            extents[step].begin = std::min(extents[step].begin, next.begin);
            extents[step].end = std::max(extents[step].end, next.end);
            if (!isKernel) addExposed(kernels, next);
        }
    }

    StepLengths computing, communication, exposed, free;
    std::vector<TimeRange> extents;  ///< First begin to last end of both.

private:
    void addExposed(std::span<const TimeRange> kernels, TimeRange collective) {
        TimeNs from = collective.begin;
        auto kernel = std::upper_bound(kernels.begin(), kernels.end(), from,
                                       [](TimeNs time, const TimeRange& range) { return time < range.end; });
        for (; kernel != kernels.end() && kernel->begin < collective.end; ++kernel) {
            if (from < kernel->begin) exposed.add({from, kernel->begin});
            from = kernel->end;
        }
        if (from < collective.end) exposed.add({from, collective.end});
    }
};

}  // namespace

std::vector<StepBreakdown> computeBreakdown(const DeviceActivity& activity) {
    const LaneSums lanes(activity);
    StepLengths bubble(activity);
    for (const TimeRange& receive : activity.receives) bubble.add(receive);
    std::vector<StepBreakdown> rows;
    for (std::size_t i = 0; i < activity.steps.size(); ++i) {
        if (lanes.extents[i] == kNothing) continue;
        StepBreakdown row;
        row.step = activity.steps[i].step;
        row.computing = lanes.computing.of(i);
        row.communication = lanes.communication.of(i);
        row.notOverlapped = lanes.exposed.of(i);
        row.overlapped = lanes.communication.of(i) - lanes.exposed.of(i);
        row.free = lanes.free.of(i);
        row.bubble = bubble.of(i);
        row.stage = lanes.extents[i].length().value - bubble.of(i);
        row.notOverlappedExclReceive = std::max<std::int64_t>(lanes.exposed.of(i) - bubble.of(i), 0);
        if (activity.steps[i].host) row.preparing = (lanes.extents[i].begin - activity.steps[i].host->begin).value;
        row.device = lanes.extents[i];
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
