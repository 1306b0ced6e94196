#include "core/import/ranks/sample_checks.h"

#include "core/base/values/parse.h"
#include "core/import/ranks/cross_checks.h"
#include "core/store/recording_parts.h"
#include "core/store/rows/fixed_column.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr auto kModules = RowKind::ModuleMemory;
constexpr auto kRunRows = RowKind::Kernel;

/// Whether all but some of many are so.
constexpr bool areMost(std::uint64_t some, std::uint64_t all) { return some * 4 >= all * 3; }

/// The usual time between two samples; nullopt where there is none.
std::optional<std::int64_t> periodOf(std::span<const std::int64_t> times) {
    static constexpr std::size_t kFewest = 8;
    if (times.size() < kFewest) return std::nullopt;
    std::vector<std::int64_t> gaps;
    for (std::size_t i = 1; i < times.size(); ++i) gaps.push_back(times[i] - times[i - 1]);
    const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::nth_element(gaps.begin(), middle, gaps.end());
    const std::int64_t period = *middle, tolerance = period / 10;
    const auto usual = std::count_if(gaps.begin(), gaps.end(), [period, tolerance](std::int64_t gap) {
        return period - tolerance <= gap && gap <= period + tolerance;
    });
    const bool isRegular = tolerance > 0 && areMost(static_cast<std::uint64_t>(usual), gaps.size());
    return isRegular ? std::optional(period) : std::nullopt;
}

std::optional<std::int64_t> lastTaskOf(const TraceStore& trace) {
    std::optional<std::int64_t> last;
    for (const DepthRun& run : trace.runs()) {
        if (run.count == 0 || trace.track({run.track}).kind != TrackKind::Hardware) continue;
        const std::int64_t begin = trace.begin({run.first + run.count - 1}).value;
        last = std::max(last.value_or(begin), begin);
    }
    return last;
}

std::span<const std::int64_t> timesOf(const TraceStore& trace, const CounterSeries& series) {
    return trace.columns().sampleTime.span().subspan(series.first, series.count);
}

/// Counters of one process that begin together are read together.
std::uint64_t missingOfSampler(const TraceStore& trace, std::span<const CounterSeries* const> together,
                               std::optional<std::int64_t> lastTask) {
    const auto longest =
        *std::max_element(together.begin(), together.end(),
                          [](const CounterSeries* a, const CounterSeries* b) { return a->count < b->count; });
    const auto times = timesOf(trace, *longest);
    // Nothing is known of one whose samples come as they like.
    if (!periodOf(times)) return 0;
    std::uint64_t missing = missingSamples(times, lastTask), whole = 0, fewer = 0;
    for (const CounterSeries* one : together) {
        whole += one->count == longest->count ? 1 : 0;
        const auto own = timesOf(trace, *one);
        if (one->count < longest->count && std::includes(times.begin(), times.end(), own.begin(), own.end()))
            fewer += longest->count - one->count;
    }
    if (whole * 2 >= together.size()) missing += fewer;
    return missing;
}

/// How many rows of modules are not there.
std::uint64_t missingModules(const RowTables& rows, std::optional<std::int64_t> lastTask) {
    const RowTable* const table = rows.find(kModules);
    std::map<std::int64_t, std::map<std::int64_t, std::uint64_t>> byDevice;  // rows by time
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        const auto ts = table->integer(fixedColumn(kModules, "ts"), row);
        if (ts) ++byDevice[table->integer(fixedColumn(kModules, "device_id"), row).value_or(-1)][*ts];
    }
    std::uint64_t missing = 0;
    for (const auto& [device, moments] : byDevice) {
        std::map<std::uint64_t, std::uint64_t> sizes;
        std::vector<std::int64_t> times;
        for (const auto& [ts, count] : moments) {
            ++sizes[count];
            times.push_back(ts);
        }
        const auto [modules, often] = *sizes.rbegin();
        // Some versions write what has changed alone.
        if (modules < 2 || moments.size() < 4 || !areMost(often, moments.size())) continue;
        for (const auto& [count, moment] : sizes) missing += (modules - count) * moment;
        missing += missingSamples(times, lastTask) * modules;
    }
    return missing;
}

/// Kernels whose slice lies on another stream.
std::uint64_t onOtherStreams(const RowTables& rows, const TraceStore& trace) {
    static constexpr std::string_view kStream = "Stream ";
    const RowTable* const kernels = rows.find(kRunRows);
    if (kernels == nullptr) return 0;
    std::vector<std::optional<std::int64_t>> streams(trace.tracks().size());
    for (std::size_t i = 0; i < streams.size(); ++i) {
        const Track& track = trace.tracks()[i];
        if (track.kind == TrackKind::Hardware && track.thread.starts_with(kStream))
            streams[i] = wholeNumber(std::string_view(track.thread).substr(kStream.size()));
    }
    std::uint64_t others = 0;
    for (std::size_t row = 0; row < kernels->size(); ++row) {
        const auto slice = kernels->integer(fixedColumn(kRunRows, "slice_id"), row);
        const auto stream = kernels->integer(fixedColumn(kRunRows, "stream"), row);
        if (!slice || !stream) continue;
        const auto found = streams[trace.runOf({static_cast<std::uint32_t>(*slice)}).track];
        others += found && *found != *stream ? 1 : 0;
    }
    return others;
}

using OperatorKeys = std::vector<std::tuple<std::int64_t, std::uint32_t, std::uint32_t>>;  // step, group, name

template <RowKind kind>
OperatorKeys operatorsOf(const RowTables& rows) {
    OperatorKeys keys;
    const RowTable* const table = rows.find(kind);
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        const auto group = table->text(fixedColumn(kind, "group_name"), row);
        const auto name = table->text(fixedColumn(kind, "op_name"), row);
        if (group && name)
            keys.emplace_back(table->integer(fixedColumn(kind, "step"), row).value_or(-1), group->value, name->value);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

/// How many links lack in the selections that all have the same ones.
std::uint64_t missingLinks(const RowTables& rows) {
    constexpr auto kLinkRows = RowKind::Link;
    static constexpr std::array<std::string_view, 4> kSelections{"top1", "middle", "bottom1", "total"};
    const RowTable* const table = rows.find(kLinkRows);
    if (table == nullptr) return 0;
    std::array<std::optional<StringId>, kSelections.size()> words;
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = rows.texts().find(kSelections[i]);
    std::map<std::pair<std::int64_t, std::uint32_t>, std::array<std::uint64_t, kSelections.size()>> counts;
    for (std::size_t row = 0; row < table->size(); ++row) {
        const auto selection = table->text(fixedColumn(kLinkRows, "selection"), row);
        const auto group = table->text(fixedColumn(kLinkRows, "group_name"), row);
        const auto word = std::find(words.begin(), words.end(), selection);
        if (!selection || !group || word == words.end()) continue;
        const std::int64_t step = table->integer(fixedColumn(kLinkRows, "step"), row).value_or(-1);
        ++counts[{step, group->value}][static_cast<std::size_t>(word - words.begin())];
    }
    std::uint64_t missing = 0;
    for (const auto& [place, count] : counts) {
        const std::uint64_t most = *std::max_element(count.begin(), count.end());
        for (const std::uint64_t one : count) missing += most - one;
    }
    return missing;
}

}  // namespace

void reportMissingCommunication(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics) {
    // Raw data is read as a whole.
    const bool isRaw = std::any_of(rank.traces.begin(), rank.traces.end(),
                                   [](const SourceFile& file) { return file.format == SourceFormat::Raw; });
    if (entry.rows == nullptr || isRaw) return;
    const RowTables& rows = *entry.rows;
    const auto timed = operatorsOf<RowKind::Collective>(rows), moving = operatorsOf<RowKind::Bandwidth>(rows);
    const auto lone = std::count_if(moving.begin(), moving.end(), [&timed](const auto& one) {
        return !std::binary_search(timed.begin(), timed.end(), one);
    });
    if (lone > 0)
        diagnostics.add("communication.lone_bandwidth", Severity::Info, fileOfTable(rank, RowKind::Collective), {}, {},
                        static_cast<std::uint64_t>(lone));
    if (const std::uint64_t links = missingLinks(rows); links > 0)
        diagnostics.add("communication.links_differ", Severity::Info, fileOfTable(rank, RowKind::Collective), {}, {},
                        links);
}

std::uint64_t missingSamples(std::span<const std::int64_t> times, std::optional<std::int64_t> lastTask) {
    // A profiler that is busy is late by a few periods, and ends before the device by some of the usual length.
    static constexpr std::int64_t kLatePeriods = 4, kLateEnd = 100'000'000;
    const auto period = periodOf(times);
    if (!period) return 0;
    std::uint64_t missing = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const std::int64_t gap = times[i] - times[i - 1];
        if (gap > kLatePeriods * *period) missing += static_cast<std::uint64_t>(gap / *period - 1);
    }
    const std::int64_t after = lastTask ? *lastTask - times.back() : 0;
    if (after > kLatePeriods * *period && after > kLateEnd) missing += static_cast<std::uint64_t>(after / *period);
    return missing;
}

void reportMissingSamples(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics,
                          const CancelToken& cancel) {
    const TraceStore* const trace = entry.trace.get();
    const bool isRaw = std::any_of(rank.traces.begin(), rank.traces.end(),
                                   [](const SourceFile& file) { return file.format == SourceFormat::Raw; });
    if (trace == nullptr || entry.window || isRaw || rank.traces.size() != 1) return;
    const std::string& timeline = rank.traces.front().name;
    const auto lastTask = lastTaskOf(*trace);
    std::map<std::pair<std::string_view, std::int64_t>, std::vector<const CounterSeries*>> samplers;
    for (const CounterSeries& series : trace->series()) {
        if (series.count == 0) continue;
        samplers[{trace->track({series.track}).process, timesOf(*trace, series).front()}].push_back(&series);
    }
    std::uint64_t missing = 0;
    for (const auto& [sampler, together] : samplers) {
        if (cancel.cancelled()) return;
        missing += missingOfSampler(*trace, together, lastTask);
    }
    if (missing > 0) diagnostics.add("files.counters_missing", Severity::Info, timeline, {}, {}, missing);
    if (entry.rows == nullptr) return;
    if (!isOfAnotherRecording(entry, kModules)) {
        if (const std::uint64_t modules = missingModules(*entry.rows, lastTask); modules > 0)
            diagnostics.add("files.modules_missing", Severity::Info, fileOfTable(rank, kModules), {}, {}, modules);
    }
    const std::string kernels = fileOfTable(rank, kRunRows);
    const std::uint64_t others = kernels == timeline ? 0 : onOtherStreams(*entry.rows, *trace);
    if (others > 0) diagnostics.add("files.streams_differ", Severity::Info, timeline, {}, {{"other", kernels}}, others);
}

}  // namespace altiscope::reader
