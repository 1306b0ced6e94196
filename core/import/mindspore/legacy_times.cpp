#include "core/import/mindspore/legacy_times.h"

#include "core/import/csv/csv_records.h"
#include "core/import/mindspore/legacy_events.h"
#include "core/store/recording_parts.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

const TableFile* tableOf(const RankManifest& rank, std::string_view format) {
    const auto found = std::find_if(rank.tables.begin(), rank.tables.end(),
                                    [&](const TableFile& table) { return table.format == format; });
    return found == rank.tables.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Step> legacySteps(const RankManifest& rank, const TraceStore* trace, const LegacyClock& clock,
                              Diagnostics& diagnostics) {
    const TableFile* file = tableOf(rank, kStepTraceFormat);
    if (file == nullptr) return {};
    ProgressSlot unused;
    const auto read = recordedSteps(file->source, nullptr, unused, {}, [](const CsvRecord&) {});
    std::vector<Step> steps;
    if (!read.ok()) return steps;
    for (const auto& [number, step] : read.value().steps) steps.push_back({number, step.range});
    if (trace == nullptr || steps.empty()) return steps;
    const bool agrees = clock.fit == LegacyClock::Fit::Agrees && !clock.differs(file->source.name);
    if (clock.fit == LegacyClock::Fit::Unknown)
        diagnostics.add("legacy.clock_unknown", Severity::Info, file->source.name, {}, {}, steps.size());
    const TimeRange all = trace->range();
    bool isInside = false;
    for (Step& step : steps) {
        step.range->begin.value -= clock.origin;
        step.range->end.value -= clock.origin;
        isInside = isInside || (step.range->begin < all.end && all.begin < step.range->end);
    }
    if (agrees && !isInside)
        diagnostics.add("legacy.steps_elsewhere", Severity::Lost, file->source.name, {}, {}, steps.size());
    if (agrees && isInside) return steps;
    for (Step& step : steps) step.range.reset();
    return steps;
}

bool hasLegacyTimes(const RankManifest& rank) {
    return std::any_of(rank.tables.begin(), rank.tables.end(), [](const TableFile& table) {
        return table.format == kLegacyKernelFormat || table.format == kStepTraceFormat ||
               table.format == kLegacyAiCpuFormat;
    });
}

LegacyClock legacyClockOf(const RankManifest& rank, const LegacySlices& slices) {
    return legacyClock(legacyEvents(rank), legacyOriginHints(rank), slices);
}

RowTables withLegacyKernels(const RankManifest& rank, const RowTables& tables, const LegacyClock& clock,
                            const LegacySlices& slices) {
    constexpr auto K = RowKind::Kernel;
    const RowTable* kernels = tables.find(K);
    if (kernels == nullptr || clock.fit == LegacyClock::Fit::Unknown) return tables;
    const auto differs = [&](std::string_view format) {
        const TableFile* file = tableOf(rank, format);
        return file != nullptr && clock.differs(file->source.name);
    };
    const bool kernelsDiffer = differs(kLegacyKernelFormat), aiCpuDiffers = differs(kLegacyAiCpuFormat);
    std::vector<std::int64_t> times(kernels->size(), kNoCell), found(kernels->size(), kNoCell);
    for (std::size_t row = 0; row < kernels->size(); ++row) {
        const auto ts = kernels->integer(fixedColumn(K, "ts"), row);
        const auto name = kernels->text(fixedColumn(K, "name"), row);
        const auto core = kernels->text(fixedColumn(K, "accelerator_core"), row);
        const bool isAiCpu = core && tables.text(*core) == kAiCpuCore;
        // Nobody knows where times of another recording lie on this clock.
        if (!ts || (isAiCpu ? aiCpuDiffers : kernelsDiffer)) continue;
        times[row] = *ts - clock.origin;
        const std::int64_t duration = kernels->integer(fixedColumn(K, "dur"), row).value_or(0);
        if (const auto slice = name ? slices.nearest(tables.text(*name), times[row], duration,
                                                     isAiCpu ? kAiCpuTolerance : clock.kernelTolerance)
                                    : std::nullopt)
            found[row] = *slice;
    }
    return tables.with(K, fixedColumn(K, "ts"), times).with(K, fixedColumn(K, "slice_id"), found);
}

RowTables withLegacySteps(const RowTables& tables, const std::vector<Step>& steps) {
    constexpr auto K = RowKind::Kernel;
    const RowTable* kernels = tables.find(K);
    std::vector<Step> timed;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(timed),
                 [](const Step& step) { return step.range.has_value(); });
    if (kernels == nullptr || timed.empty()) return tables;
    std::stable_sort(timed.begin(), timed.end(),
                     [](const Step& a, const Step& b) { return a.range->begin < b.range->begin; });
    std::vector<std::int64_t> numbers(kernels->size(), kNoCell);
    for (std::size_t row = 0; row < kernels->size(); ++row) {
        const auto ts = kernels->integer(fixedColumn(K, "ts"), row);
        numbers[row] = kernels->integer(fixedColumn(K, "step"), row).value_or(kNoCell);
        if (!ts || numbers[row] != kNoCell) continue;
        const auto after = std::upper_bound(timed.begin(), timed.end(), TimeNs{*ts},
                                            [](TimeNs time, const Step& step) { return time < step.range->begin; });
        if (after != timed.begin() && (after - 1)->range->contains(TimeNs{*ts})) numbers[row] = (after - 1)->number;
    }
    return tables.with(K, fixedColumn(K, "step"), numbers);
}

RowTables withLegacyPhases(const RowTables& tables, const LegacyClock& clock, const std::vector<Step>& steps) {
    constexpr auto PH = RowKind::StepPhase;
    const RowTable* phases = tables.find(PH);
    if (phases == nullptr) return tables;
    std::set<std::int64_t> timed;
    for (const Step& step : steps) {
        if (step.range) timed.insert(step.number);
    }
    std::vector<std::int64_t> times(phases->size(), kNoCell);
    for (std::size_t row = 0; row < phases->size(); ++row) {
        const auto ts = phases->integer(fixedColumn(PH, "ts"), row),
                   step = phases->integer(fixedColumn(PH, "step"), row);
        if (ts && step && timed.contains(*step)) times[row] = *ts - clock.origin;
    }
    return tables.with(PH, fixedColumn(PH, "ts"), times);
}

RowTables withLegacyMemory(const RowTables& tables, const LegacyClock& clock, const TraceStore& trace) {
    if (clock.fit != LegacyClock::Fit::Agrees || clock.origin == 0 || trace.sliceCount() == 0) return tables;
    const TimeRange home = trace.homeRange();
    const auto meets = [&home](const TimeRange& times, std::int64_t origin) {
        return times.begin.value - origin <= home.end.value && home.begin.value <= times.end.value - origin;
    };
    RowTables moved = tables;
    for (const RowKind kind : {RowKind::MemorySample, RowKind::ModuleMemory, RowKind::Allocation}) {
        const RowTable* table = tables.find(kind);
        const auto times = table == nullptr ? std::nullopt : usualTimes(*table, timeColumn(kind));
        if (!times || meets(*times, 0) || !meets(*times, clock.origin)) continue;
        for (std::size_t column = 0; column < rowColumns(kind).size(); ++column) {
            const std::string_view name = rowColumns(kind)[column].name;
            if (name != "ts" && !name.ends_with("_ts")) continue;
            std::vector<std::int64_t> cells(table->size(), kNoCell);
            for (std::size_t row = 0; row < cells.size(); ++row) {
                if (const auto time = table->integer(column, row)) cells[row] = *time - clock.origin;
            }
            moved = moved.with(kind, column, cells);
        }
    }
    return moved;
}

void reportLegacyClock(const LegacyClock& clock, Diagnostics& diagnostics) {
    for (const LegacyClock::Unmatched& one : clock.unmatched)
        diagnostics.add(one.differs ? "legacy.clock_differs" : "legacy.no_slice",
                        one.differs ? Severity::Lost : Severity::Info, one.file, {PlaceUnit::Row, one.row}, {},
                        one.count);
}

}  // namespace altiscope::reader
