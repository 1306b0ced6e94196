#include "core/import/ranks/sample_checks.h"

#include "core/base/threads/parallel_sort.h"
#include "core/base/values/parse.h"
#include "core/import/ranks/cross_checks.h"
#include "core/import/ranks/tables_alone.h"
#include "core/import/ranks/task_times.h"
#include "core/store/recording_parts.h"
#include "core/store/rows/fixed_column.h"

#include <algorithm>
#include <array>
#include <compare>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr auto kModules = RowKind::ModuleMemory;

/// Whether all but some of many are so.
constexpr bool areMost(std::uint64_t some, std::uint64_t all) { return some * 4 >= all * 3; }
/// Whether all but a few of many are so.
constexpr bool areNearlyAll(std::uint64_t some, std::uint64_t all) { return some * 20 >= all * 19; }

constexpr bool isAlike(std::int64_t period, std::int64_t usual) {
    const std::int64_t tolerance = usual / 10;
    return usual - tolerance <= period && period <= usual + tolerance;
}

/// Calls `take` with each row, until work is cancelled.
template <class Take>
void eachRow(const RowTable* table, const CancelToken& cancel, const Take& take) {
    static constexpr std::size_t kPollEvery = 4096;
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        if (row % kPollEvery == 0 && cancel.cancelled()) return;
        take(row);
    }
}

/// The usual time between two samples; nullopt where there is none.
std::optional<std::int64_t> periodOf(std::span<const std::int64_t> times) {
    static constexpr std::size_t kFewest = 8;
    if (times.size() < kFewest) return std::nullopt;
    std::vector<std::int64_t> gaps;
    for (std::size_t i = 1; i < times.size(); ++i) gaps.push_back(times[i] - times[i - 1]);
    const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::nth_element(gaps.begin(), middle, gaps.end());
    const std::int64_t period = *middle;
    const auto usual =
        std::count_if(gaps.begin(), gaps.end(), [period](std::int64_t gap) { return isAlike(gap, period); });
    const bool isRegular = period >= 10 && areMost(static_cast<std::uint64_t>(usual), gaps.size());
    return isRegular ? std::optional(period) : std::nullopt;
}

/// Those within the home range.
std::span<const std::int64_t> timesOf(const TraceStore& trace, const CounterSeries& series) {
    const auto all = trace.columns().sampleTime.span().subspan(series.first, series.count);
    const TimeRange home = trace.homeRange();
    const auto first = std::lower_bound(all.begin(), all.end(), home.begin.value);
    return {first, std::upper_bound(first, all.end(), home.end.value)};
}

/// Whether a counter with fewer samples is one of those of a sampler: others that begin with it are read more rarely.
bool isReadWith(std::span<const std::int64_t> own, std::span<const std::int64_t> times, std::int64_t period) {
    const auto ownPeriod = periodOf(own);
    if (!ownPeriod || !isAlike(*ownPeriod, period)) return false;
    auto from = times.begin();
    return std::all_of(own.begin(), own.end(), [&](std::int64_t time) {
        from = std::lower_bound(from, times.end(), time);
        return from != times.end() && *from == time;
    });
}

/// How many samples lack in counters of one process that begin together: they are read together.
std::uint64_t missingOfSampler(const TraceStore& trace, std::span<const CounterSeries* const> together,
                               TaskTimes& tasks, const CancelToken& cancel) {
    std::span<const std::int64_t> times;
    for (const CounterSeries* one : together) {
        const auto own = timesOf(trace, *one);
        if (own.size() > times.size()) times = own;
    }
    // Nothing is known of one whose samples come as they like.
    const auto period = periodOf(times);
    if (!period) return 0;
    std::uint64_t whole = 0, partly = 0, fewer = 0;
    for (const CounterSeries* one : together) {
        if (cancel.cancelled()) return 0;
        const auto own = timesOf(trace, *one);
        if (own.size() == times.size()) ++whole;
        else if (isReadWith(own, times, *period)) {
            ++partly;
            fewer += times.size() - own.size();
        }
    }
    if (whole * 2 < together.size()) partly = fewer = 0;
    const auto device = deviceOfTrack(trace.track({together.front()->track}));
    const auto goOn = [&](TimeRange range, std::int64_t usual) { return tasks.goOn(device, range, usual); };
    return missingSamples(times, tasks.last(device), goOn) * (whole + partly) + fewer;
}

struct ModuleRow {
    std::int64_t device, ts;
    std::uint32_t module;
    auto operator<=>(const ModuleRow&) const = default;
};

/// How many rows lack of the modules of one device.
/// @param rows  In order.
std::uint64_t missingModules(std::span<const ModuleRow> rows, TaskTimes& tasks, const CancelToken& cancel) {
    std::set<std::uint32_t> modules;  // that had a row by then
    std::vector<std::int64_t> times;
    std::uint64_t whole = 0, fewer = 0;
    for (std::size_t from = 0, to = 0; from < rows.size(); from = to) {
        if (cancel.cancelled()) return 0;
        for (; to < rows.size() && rows[to].ts == rows[from].ts; ++to) modules.insert(rows[to].module);
        const std::uint64_t missing = modules.size() - (to - from);
        whole += missing == 0 ? 1 : 0;
        fewer += missing;
        times.push_back(rows[from].ts);
    }
    // Some versions write what has changed alone.
    if (modules.size() < 2 || times.size() < 4 || !areNearlyAll(whole, times.size())) return 0;
    const auto device = rows.front().device < 0 ? std::nullopt : std::optional(rows.front().device);
    const auto goOn = [&](TimeRange range, std::int64_t usual) { return tasks.goOn(device, range, usual); };
    return fewer + missingSamples(times, tasks.last(device), goOn) * modules.size();
}

/// How many rows of modules are not there.
std::uint64_t missingModules(const RowTables& tables, const TimeRange& home, TaskTimes& tasks,
                             const CancelToken& cancel) {
    const RowTable* const table = tables.find(kModules);
    std::vector<ModuleRow> rows;
    eachRow(table, cancel, [&](std::size_t row) {
        const auto ts = table->integer(fixedColumn(kModules, "ts"), row);
        const auto module = table->text(fixedColumn(kModules, "component"), row);
        if (!ts || !module || *ts < home.begin.value || home.end.value < *ts) return;
        rows.push_back({table->integer(fixedColumn(kModules, "device_id"), row).value_or(-1), *ts, module->value});
    });
    parallelSort(std::span(rows), std::less<>(), cancel);
    if (cancel.cancelled()) return 0;
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    std::uint64_t missing = 0;
    for (std::size_t from = 0, to = 0; from < rows.size(); from = to) {
        while (to < rows.size() && rows[to].device == rows[from].device) ++to;
        missing += missingModules(std::span(rows).subspan(from, to - from), tasks, cancel);
    }
    return missing;
}

/// Kernels whose slice lies on another stream.
std::uint64_t onOtherStreams(const RowTables& rows, const TraceStore& trace, const CancelToken& cancel) {
    static constexpr std::string_view kStream = "Stream ";
    const RowTable* const kernels = rows.find(RowKind::Kernel);
    std::vector<std::optional<std::int64_t>> streams(trace.tracks().size());
    for (std::size_t i = 0; i < streams.size(); ++i) {
        const Track& track = trace.tracks()[i];
        if (track.kind == TrackKind::Hardware && track.thread.starts_with(kStream))
            streams[i] = wholeNumber(std::string_view(track.thread).substr(kStream.size()));
    }
    std::uint64_t others = 0;
    eachRow(kernels, cancel, [&](std::size_t row) {
        const auto slice = kernels->integer(fixedColumn(RowKind::Kernel, "slice_id"), row);
        const auto stream = kernels->integer(fixedColumn(RowKind::Kernel, "stream"), row);
        if (!slice || !stream) return;
        const auto found = streams[trace.runOf({static_cast<std::uint32_t>(*slice)}).track];
        others += found && *found != *stream ? 1 : 0;
    });
    return others;
}

using OperatorKeys = std::vector<std::tuple<std::int64_t, std::uint32_t, std::uint32_t>>;  // step, group, name

template <RowKind kind>
OperatorKeys operatorsOf(const RowTables& rows, const CancelToken& cancel) {
    static constexpr std::size_t kGroup = rowColumn(kind, "group_name"), kName = rowColumn(kind, "op_name"),
                                 kStep = rowColumn(kind, "step");
    OperatorKeys keys;
    const RowTable* const table = rows.find(kind);
    eachRow(table, cancel, [&](std::size_t row) {
        const auto group = table->text(kGroup, row);
        const auto name = table->text(kName, row);
        if (group && name) keys.emplace_back(table->integer(kStep, row).value_or(-1), group->value, name->value);
    });
    parallelSort(std::span(keys), std::less<>(), cancel);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

/// How many links lack in the selections that all have the same ones.
std::uint64_t missingLinks(const RowTables& rows, const CancelToken& cancel) {
    constexpr auto kLinkRows = RowKind::Link;
    static constexpr std::array<std::string_view, 4> kSelections{"top1", "middle", "bottom1", "total"};
    const RowTable* const table = rows.find(kLinkRows);
    if (table == nullptr) return 0;
    std::array<std::optional<StringId>, kSelections.size()> words;
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = rows.texts().find(kSelections[i]);
    std::map<std::pair<std::int64_t, std::uint32_t>, std::array<std::uint64_t, kSelections.size()>> counts;
    eachRow(table, cancel, [&](std::size_t row) {
        const auto selection = table->text(fixedColumn(kLinkRows, "selection"), row);
        const auto group = table->text(fixedColumn(kLinkRows, "group_name"), row);
        const auto word = std::find(words.begin(), words.end(), selection);
        if (!selection || !group || word == words.end()) return;
        const std::int64_t step = table->integer(fixedColumn(kLinkRows, "step"), row).value_or(-1);
        ++counts[{step, group->value}][static_cast<std::size_t>(word - words.begin())];
    });
    std::uint64_t missing = 0;
    for (const auto& [key, count] : counts) {
        const std::uint64_t most = *std::max_element(count.begin(), count.end());
        // Some tools write some of the selections alone.
        for (const std::uint64_t one : count) missing += one == 0 ? 0 : most - one;
    }
    return missing;
}

}  // namespace

void reportMissingCommunication(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics,
                                const CancelToken& cancel) {
    if (entry.rows == nullptr || isReadFromRaw(rank)) return;
    const RowTables& rows = *entry.rows;
    const auto timed = operatorsOf<RowKind::Collective>(rows, cancel),
               moving = operatorsOf<RowKind::Bandwidth>(rows, cancel);
    OperatorKeys lone;
    std::set_difference(moving.begin(), moving.end(), timed.begin(), timed.end(), std::back_inserter(lone));
    const std::uint64_t links = missingLinks(rows, cancel);
    if (cancel.cancelled()) return;
    if (!lone.empty())
        diagnostics.add("communication.lone_bandwidth", Severity::Info, fileOfTable(rank, RowKind::Collective), {}, {},
                        lone.size());
    if (links > 0)
        diagnostics.add("communication.links_differ", Severity::Info, fileOfTable(rank, RowKind::Link), {}, {}, links);
}

std::uint64_t missingSamples(std::span<const std::int64_t> times, std::optional<std::int64_t> lastTask,
                             const TasksGoOn& tasksGoOn) {
    // A profiler that is busy is late by a few periods, and ends before the device by some of the usual length.
    static constexpr std::int64_t kLatePeriods = 4, kLateEnd = 100'000'000;
    const auto period = periodOf(times);
    if (!period) return 0;
    std::uint64_t missing = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const std::int64_t gap = times[i] - times[i - 1];
        if (gap > kLatePeriods * *period && tasksGoOn({{times[i - 1]}, {times[i]}}, *period))
            missing += static_cast<std::uint64_t>(gap / *period - 1);
    }
    const std::int64_t after = lastTask ? *lastTask - times.back() : 0;
    if (after > kLatePeriods * *period && after > kLateEnd && tasksGoOn({{times.back()}, {*lastTask}}, *period))
        missing += static_cast<std::uint64_t>(after / *period);
    return missing;
}

void reportMissingSamples(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics,
                          const CancelToken& cancel) {
    const TraceStore* const trace = entry.trace.get();
    if (trace == nullptr || entry.window || isReadFromRaw(rank) || rank.traces.size() != 1) return;
    const std::string& timeline = rank.traces.front().name;
    TaskTimes tasks(*trace, cancel);
    std::map<std::pair<std::string_view, std::int64_t>, std::vector<const CounterSeries*>> samplers;
    for (const CounterSeries& series : trace->series()) {
        if (cancel.cancelled()) return;
        const auto times = timesOf(*trace, series);
        if (!times.empty()) samplers[{trace->track({series.track}).pid, times.front()}].push_back(&series);
    }
    std::uint64_t missing = 0;
    for (const auto& [sampler, together] : samplers) missing += missingOfSampler(*trace, together, tasks, cancel);
    if (cancel.cancelled()) return;
    if (missing > 0) diagnostics.add("files.counters_missing", Severity::Info, timeline, {}, {}, missing);
    if (entry.rows == nullptr) return;
    if (!isOfAnotherRecording(entry, kModules)) {
        const std::uint64_t modules = missingModules(*entry.rows, trace->homeRange(), tasks, cancel);
        if (cancel.cancelled()) return;
        if (modules > 0)
            diagnostics.add("files.modules_missing", Severity::Info, fileOfTable(rank, kModules), {}, {}, modules);
    }
    const std::string kernels = fileOfTable(rank, RowKind::Kernel);
    const std::uint64_t others = kernels == timeline ? 0 : onOtherStreams(*entry.rows, *trace, cancel);
    if (others > 0 && !cancel.cancelled())
        diagnostics.add("files.streams_differ", Severity::Info, timeline, {}, {{"other", kernels}}, others);
}

}  // namespace altiscope::reader
