#include "core/analysis/steps/step_breakdown.h"

#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <limits>
#include <map>
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
        addSaturated(m_lengths[step], interval.length().value);
        return step;
    }
    /// The part of a gap that is its step's.
    void addGap(const DeviceActivity& activity, TimeRange gap) {
        const std::size_t step = m_walk.at(gap.begin);
        const TimeNs end = step < activity.steps.size() ? std::min(gap.end, activity.steps[step].freeUntil) : gap.end;
        if (gap.begin < end) addSaturated(m_lengths[step], (end - gap.begin).value);
    }
    void add(const StepLengths& other) {
        for (std::size_t step = 0; step < m_lengths.size(); ++step)
            addSaturated(m_lengths[step], other.m_lengths[step]);
    }
    std::int64_t of(std::size_t step) const { return m_lengths[step]; }

private:
    StepWalk m_walk;
    std::vector<std::int64_t> m_lengths;
};

constexpr TimeRange kNothing{{std::numeric_limits<std::int64_t>::max()}, {std::numeric_limits<std::int64_t>::min()}};

/// Sums of the four parts over some neighbouring intervals. One walk over both sets: with 10^7 kernels further sets
/// would cost more than the arithmetic.
struct BusySums {
    explicit BusySums(const DeviceActivity& activity)
        : computing(activity), communication(activity), exposed(activity), free(activity),
          extents(activity.steps.size() + 1, kNothing) {}

    /// Adds what begins within [from, to).
    void add(const DeviceActivity& activity, const DeviceBusyTimes& busy, TimeNs from, TimeNs to) {
        const IntervalSet &kernels = busy.computing, &collectives = busy.communication;
        std::size_t k = firstFrom(kernels, from), c = firstFrom(collectives, from);
        const std::size_t lastKernel = firstFrom(kernels, to), lastCollective = firstFrom(collectives, to);
        bool any = k > 0 || c > 0;
        TimeNs busyEnd{std::numeric_limits<std::int64_t>::min()};
        if (k > 0) busyEnd = kernels[k - 1].end;
        if (c > 0) busyEnd = std::max(busyEnd, collectives[c - 1].end);
        while (k < lastKernel || c < lastCollective) {
            const bool isKernel = c == lastCollective || (k < lastKernel && kernels[k].begin <= collectives[c].begin);
            const TimeRange& next = isKernel ? kernels[k++] : collectives[c++];
            if (any && busyEnd < next.begin) free.addGap(activity, {busyEnd, next.begin});
            busyEnd = std::max(busyEnd, next.end);
            any = true;
            const std::size_t step = (isKernel ? computing : communication).add(next);
            extents[step].begin = std::min(extents[step].begin, next.begin);
            extents[step].end = std::max(extents[step].end, next.end);
            if (!isKernel) addExposed(kernels, next);
        }
    }

    void add(const BusySums& other) {
        computing.add(other.computing);
        communication.add(other.communication);
        exposed.add(other.exposed);
        free.add(other.free);
        for (std::size_t step = 0; step < extents.size(); ++step) {
            extents[step].begin = std::min(extents[step].begin, other.extents[step].begin);
            extents[step].end = std::max(extents[step].end, other.extents[step].end);
        }
    }

    StepLengths computing, communication, exposed, free;
    std::vector<TimeRange> extents;  ///< First begin to last end of both.

private:
    static std::size_t firstFrom(const IntervalSet& set, TimeNs time) {
        const auto first = std::lower_bound(set.begin(), set.end(), time,
                                            [](const TimeRange& range, TimeNs t) { return range.begin < t; });
        return static_cast<std::size_t>(first - set.begin());
    }

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

/// The sums over everything, made in parts side by side.
BusySums busySums(const DeviceActivity& activity, const DeviceBusyTimes& busy) {
    constexpr std::size_t kPart = std::size_t{1} << 17;
    const IntervalSet& larger = busy.computing.size() < busy.communication.size() ? busy.communication : busy.computing;
    std::vector<TimeNs> borders{{std::numeric_limits<std::int64_t>::min()}};
    for (std::size_t i = kPart; i < larger.size(); i += kPart) borders.push_back(larger[i].begin);
    borders.push_back({std::numeric_limits<std::int64_t>::max()});
    std::vector<BusySums> parts(borders.size() - 1, BusySums(activity));
    parallelFor(parts.size(), [&](std::size_t p) { parts[p].add(activity, busy, borders[p], borders[p + 1]); });
    for (std::size_t p = 1; p < parts.size(); ++p) parts[0].add(parts[p]);
    return parts[0];
}

}  // namespace

std::vector<StepBreakdown> computeBreakdown(const DeviceActivity& activity) {
    std::vector<StepBreakdown> rows;
    for (const DeviceBusyTimes& device : activity.devices) {
        const BusySums sums = busySums(activity, device);
        StepLengths bubble(activity);
        for (const TimeRange& receive : device.receives) bubble.add(receive);
        for (std::size_t i = 0; i < activity.steps.size(); ++i) {
            if (sums.extents[i] == kNothing) continue;
            StepBreakdown row;
            row.step = activity.steps[i].step;
            row.deviceNumber = device.device;
            row.computing = sums.computing.of(i);
            row.communication = sums.communication.of(i);
            row.exposed = sums.exposed.of(i);
            row.overlapped = sums.communication.of(i) - sums.exposed.of(i);
            row.free = sums.free.of(i);
            row.bubble = bubble.of(i);
            row.stage = saturatedDifference(sums.extents[i].length().value, bubble.of(i));
            row.exposedExclReceive = std::max<std::int64_t>(saturatedDifference(sums.exposed.of(i), bubble.of(i)), 0);
            // A device that begins before the step on the host has another clock, or other work: then nothing was
            // prepared.
            if (const auto& host = activity.steps[i].host; host && sums.extents[i].begin >= host->begin)
                row.preparing = (sums.extents[i].begin - host->begin).value;
            row.device = sums.extents[i];
            rows.push_back(row);
        }
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const StepBreakdown& a, const StepBreakdown& b) { return a.step < b.step; });
    return rows;
}

std::vector<StepBreakdown> ofBusiestDevice(std::vector<StepBreakdown> rows) {
    std::map<std::optional<std::int64_t>, std::int64_t> times;  // by device
    for (const StepBreakdown& row : rows) addSaturated(times[row.deviceNumber], row.endToEnd());
    if (times.size() < 2) return rows;
    const auto busiest =
        std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    std::erase_if(rows, [&](const StepBreakdown& row) { return row.deviceNumber != busiest->first; });
    return rows;
}

StepBreakdown stepBreakdownAt(const RowTable& table, std::size_t row) {
    const auto cell = [&](std::string_view name) {
        return table.integer(rowColumn(RowKind::StepBreakdown, name), row);
    };
    StepBreakdown step;
    step.origin = Origin::Recorded;
    step.step = cell("step");
    step.computing = cell("computing");
    step.communication = cell("communication");
    step.exposed = cell("not_overlapped");
    step.overlapped = cell("overlapped");
    step.free = cell("free");
    step.stage = cell("stage");
    step.bubble = cell("bubble");
    step.exposedExclReceive = cell("not_overlapped_excl_receive");
    step.preparing = cell("preparing");
    step.deviceNumber = cell("device_id");
    return step;
}

std::vector<StepBreakdown> recordedBreakdown(const RankEntry& rank) {
    std::vector<StepBreakdown> rows;
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::StepBreakdown);
    for (std::size_t i = 0; table != nullptr && i < table->size(); ++i) rows.push_back(stepBreakdownAt(*table, i));
    return rows;
}

}  // namespace altiscope
