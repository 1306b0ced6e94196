#include "core/analysis/kernels/overall_walk.h"

#include "core/analysis/collectives/collective_tasks.h"
#include "core/analysis/steps/device_activity.h"
#include "core/analysis/steps/kernel_devices.h"
#include "core/analysis/steps/kernel_pieces.h"
#include "core/analysis/support/cell_reader.h"
#include "core/analysis/support/saturating.h"
#include "core/base/columns/interval_set.h"
#include "core/store/recording_parts.h"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// A kernel's row with its time.
struct TimedRow {
    TimeRange range;
    std::uint32_t row = 0;
    SliceIndex slice = kNoSlice;
};

/// A collective with the times in which it waited.
struct TimedCollective {
    TimeRange range;
    SliceIndex slice = kNoSlice;
    std::string_view name;
    std::string group;
    bool hasTasks = false;
    std::vector<TimeRange> waits;
};

/// The times of a rank that count, between the first and the last of what its device did.
IntervalSet windowsOf(const DeviceActivity& activity, const DeviceBusyTimes& busy, const OverallRank& wanted,
                      const CancelToken& cancel) {
    TimeRange whole{{std::numeric_limits<std::int64_t>::max()}, {std::numeric_limits<std::int64_t>::min()}};
    for (const IntervalSet* set : {&busy.computing, &busy.communication}) {
        if (set->empty()) continue;
        whole.begin = std::min(whole.begin, set->front().begin);
        whole.end = std::max(whole.end, set->back().end);
    }
    if (whole.begin >= whole.end) return {};
    IntervalSet windows{whole};
    if (!wanted.steps.empty()) {
        std::vector<TimeRange> steps;
        for (std::size_t i = 0; i < activity.steps.size(); ++i) {
            const StepSpan& span = activity.steps[i];
            if (!span.step || !std::binary_search(wanted.steps.begin(), wanted.steps.end(), *span.step)) continue;
            // A gap is its step's until the next one begins.
            const bool isLast = i + 1 == activity.steps.size();
            steps.push_back({span.device.begin, isLast ? span.device.end : activity.steps[i + 1].device.begin});
        }
        windows = intersectionOf(windows, unionOf(std::move(steps), cancel));
    }
    return wanted.times ? intersectionOf(windows, *wanted.times) : windows;
}

std::vector<TimedRow> timedRows(const RankEntry& rank, const RowTable& table, std::optional<std::int64_t> device,
                                bool hasDevices, const CancelToken& cancel) {
    std::vector<TimedRow> rows;
    const auto communication = rank.rows->texts().find("communication");
    CellReader kinds(table, fixedColumn(RowKind::Kernel, "kind")),
        slices(table, fixedColumn(RowKind::Kernel, "slice_id")), begins(table, fixedColumn(RowKind::Kernel, "ts")),
        lengths(table, fixedColumn(RowKind::Kernel, "dur"));
    const KernelDevices devices(rank);
    for (std::uint32_t row = 0; row < table.size(); ++row) {
        if (row % 4096 == 0 && cancel.cancelled()) break;
        const std::int64_t kind = kinds.at(row), slice = slices.at(row);
        if (communication && kind == std::int64_t{communication->value}) continue;
        if (hasDevices && devices.of(row) != device) continue;
        TimedRow timed{.range = {}, .row = row, .slice = kNoSlice};
        if (slice != kNoCell && hasEvents(rank)) {
            timed.slice = {static_cast<std::uint32_t>(slice)};
            timed.range = {rank.trace->begin(timed.slice), rank.trace->end(timed.slice)};
        } else {
            const auto cell = [](std::int64_t value) { return value == kNoCell ? std::nullopt : std::optional(value); };
            const auto printed = printedTime(cell(begins.at(row)), cell(lengths.at(row)));
            if (!printed) continue;
            timed.range = *printed;
        }
        rows.push_back(timed);
    }
    std::sort(rows.begin(), rows.end(), [](const TimedRow& a, const TimedRow& b) {
        return std::tuple(a.range.begin, a.range.end, a.row) < std::tuple(b.range.begin, b.range.end, b.row);
    });
    return rows;
}

/// The waits of collectives on their main planes.
void addWaits(const TraceStore& trace, const GroupTracks& tracks, const TaskKinds& words,
              std::span<TimedCollective> collectives, const CancelToken& cancel) {
    std::vector<TimeRange> ranges;
    for (const TimedCollective& collective : collectives) ranges.push_back(collective.range);
    std::vector<std::size_t> mainPlane(collectives.size(), tracks.planes.size());
    for (std::size_t plane = 0; plane < tracks.planes.size() && !cancel.cancelled(); ++plane) {
        const TrackExtent& extent = trace.extent({tracks.planes[plane]});
        std::vector<std::uint32_t> tasks;
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) tasks.push_back(i);
        std::stable_sort(tasks.begin(), tasks.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return trace.begin({a}) < trace.begin({b}); });
        RunningCollective running(ranges);
        for (const std::uint32_t task : tasks) {
            const auto place = running.at(trace.begin({task}));
            if (!place) continue;
            collectives[*place].hasTasks = true;
            if (words.of(trace.nameId({task})) != TaskKind::Wait) continue;
            std::size_t& main = mainPlane[*place];
            if (main == tracks.planes.size()) main = plane;
            if (main == plane) collectives[*place].waits.push_back({trace.begin({task}), trace.end({task})});
        }
    }
}

std::vector<TimedCollective> timedCollectives(const RankEntry& rank, const TraceDevices& devices, std::size_t device,
                                              const CaptureGroups& directory, const CancelToken& cancel) {
    std::vector<TimedCollective> all;
    const CollectiveGroups names(directory, rank.info.rankId);
    if (hasEvents(rank)) {
        const TraceStore& trace = *rank.trace;
        const TaskKinds words(trace);
        for (const GroupTracks& tracks : groupTracks(trace)) {
            if (devices.count() > 1 && devices.ofTrack(tracks.group) != device) continue;
            const GroupCollectives collectives(trace, tracks.group);
            const std::size_t first = all.size();
            const std::string& title = trace.track({tracks.group}).name;
            for (std::size_t i = 0; i < collectives.slices.size(); ++i) {
                const std::string_view name = trace.name(collectives.slices[i]);
                std::string group = names.name(title, name);
                all.push_back({.range = collectives.ranges[i],
                               .slice = collectives.slices[i],
                               .name = name,
                               .group = group.empty() ? title : std::move(group),
                               .hasTasks = false,
                               .waits = {}});
            }
            addWaits(trace, tracks, words, std::span(all).subspan(first), cancel);
        }
    }
    const RowTable* table = kernelsOfTimeline(rank);
    if (all.empty() && table != nullptr) {
        const auto communication = rank.rows->texts().find("communication");
        const KernelDevices ofRow(rank);
        for (std::size_t row = 0; communication && row < table->size(); ++row) {
            if (row % 4096 == 0 && cancel.cancelled()) break;
            const auto kind = table->text(fixedColumn(RowKind::Kernel, "kind"), row);
            const auto name = table->text(fixedColumn(RowKind::Kernel, "name"), row);
            if (kind != communication || (devices.count() > 1 && ofRow.of(row) != devices.number(device))) continue;
            const auto range = printedTime(table->integer(fixedColumn(RowKind::Kernel, "ts"), row),
                                           table->integer(fixedColumn(RowKind::Kernel, "dur"), row));
            if (!range) continue;
            const std::string_view text = name ? rank.rows->text(*name) : std::string_view();
            all.push_back({.range = *range,
                           .slice = kNoSlice,
                           .name = text,
                           .group = names.name({}, text),
                           .hasTasks = false,
                           .waits = {}});
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const TimedCollective& a, const TimedCollective& b) {
        return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end < b.range.end;
    });
    return all;
}

/// What of each of many ranges, which come by begin, no range before it has covered.
class NewPart {
public:
    TimeRange of(TimeRange range) {
        const TimeNs from = std::max(range.begin, m_covered);
        m_covered = std::max(m_covered, range.end);
        return {from, std::max(from, range.end)};
    }

private:
    TimeNs m_covered{std::numeric_limits<std::int64_t>::min()};
};

}  // namespace

WalkedRank walkOverall(const RankEntry& rank, const OverallRank& wanted, const CaptureGroups& groups, OverallSink& sink,
                       const CancelToken& cancel) {
    WalkedRank walked;
    const auto activity = readDeviceActivity(rank, cancel);
    if (!activity) return walked;
    const RowTable* table = kernelsOfTimeline(rank);
    const TraceDevices devices(hasEvents(rank) ? rank.trace.get() : nullptr, table);
    // The others wait for the busiest device.
    std::size_t device = 0;
    std::int64_t most = -1;
    IntervalSet windows, computing, busy;
    for (std::size_t d = 0; d < activity->devices.size(); ++d) {
        const DeviceBusyTimes& own = activity->devices[d];
        IntervalSet times = windowsOf(*activity, own, wanted, cancel);
        IntervalSet both = intersectionOf(unionOf(own.computing, own.communication), times);
        if (const std::int64_t length = lengthOf(both).value; length > most) {
            most = length;
            device = d;
            computing = intersectionOf(own.computing, times);
            windows = std::move(times);
            busy = std::move(both);
        }
    }
    if (windows.empty() || cancel.cancelled()) return walked;
    walked.any = true;
    walked.unclassified = lengthOf(computing).value;
    if (table != nullptr) {
        walked.hasClasses = true;
        const KernelClasses classes(rank, cancel);
        NewPart part;
        const auto rows =
            timedRows(rank, *table, activity->devices[device].device, activity->devices.size() > 1, cancel);
        for (const TimedRow& row : rows) {
            if (cancel.cancelled()) return walked;
            const std::int64_t length = lengthWithin(windows, row.range).value;
            const std::int64_t time = lengthWithin(computing, part.of(row.range)).value;
            if (length == 0) continue;
            walked.unclassified -= time;
            const auto name = table->text(fixedColumn(RowKind::Kernel, "name"), row.row);
            sink.kernel(classes.of(row.row), {.slice = row.slice,
                                              .name = name ? rank.rows->text(*name) : std::string_view(),
                                              .range = row.range,
                                              .time = time,
                                              .length = length});
        }
    }
    const IntervalSet exposed =
        differenceOf(intersectionOf(activity->devices[device].communication, windows), computing);
    NewPart part;
    for (TimedCollective& collective : timedCollectives(rank, devices, device, groups, cancel)) {
        if (cancel.cancelled()) return walked;
        const std::int64_t length = lengthWithin(windows, collective.range).value;
        const IntervalSet own = clipped(exposed, part.of(collective.range));
        if (length == 0) continue;
        std::optional<std::int64_t> wait;
        if (collective.hasTasks)
            wait = lengthOf(intersectionOf(own, unionOf(std::move(collective.waits), cancel))).value;
        sink.collective(collective.group,
                        {.slice = collective.slice,
                         .name = collective.name,
                         .range = collective.range,
                         .time = lengthOf(own).value,
                         .length = length},
                        wait);
    }
    for (const TimeRange& gap : differenceOf(windows, busy)) sink.gap(gap);
    return walked;
}

}  // namespace altiscope
