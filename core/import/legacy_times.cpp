#include "core/import/legacy_times.h"

#include "core/base/decimal.h"
#include "core/base/file.h"
#include "core/base/parse.h"
#include "core/import/csv_records.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::int64_t kNsPerTick = 10;
constexpr std::int64_t kMaxTicks = std::int64_t{1} << 58;

const TableFile* tableOf(const RankManifest& rank, std::string_view format) {
    const auto found = std::find_if(rank.tables.begin(), rank.tables.end(), [&](const TableFile& table) { return table.format == format; });
    return found == rank.tables.end() ? nullptr : &*found;
}

/// When the first kernel began, on the system's clock; it is what a timeline of these versions counts from.
std::optional<std::int64_t> legacyOrigin(const RankManifest& rank) {
    const TableFile* kernels = tableOf(rank, kLegacyKernelFormat);
    if (kernels == nullptr) return std::nullopt;
    std::optional<std::int64_t> origin;
    std::optional<std::size_t> place;
    std::int64_t factor = 0;
    ProgressSlot unused;
    const auto read = eachCsvRecord(kernels->source, nullptr, unused, {}, [&](CsvRecord& record) {
        if (factor == 0) {
            factor = 1000;
            const CsvColumns header(std::move(record.cells));
            place = header.findAny({"start_time(us)", "start_time"});
            if (!place && (place = header.find("start_time(ms)"))) factor = 1000000;
            return;
        }
        if (!place || *place >= record.cells.size()) return;
        const auto start = parseScaled(record.cells[*place], factor);
        if (start && (!origin || *start < *origin)) origin = start;
    });
    return read.ok() ? origin : std::nullopt;
}

/// Whether a timeline counts from its own begin: real clocks have run for longer than the trace itself.
bool isRelative(const TraceStore& trace, std::int64_t origin) {
    return trace.range().begin.value < origin / 2 && trace.range().begin.value >= 0;
}

std::string_view lastPart(std::string_view name) {
    const auto slash = name.rfind('/');
    return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

/// Steps of a file by number. `bad` is called with each record that is neither a step nor the means.
Result<std::map<std::int64_t, TimeRange>> stepsInTicks(const SourceFile& file, Diagnostics* problems, ProgressSlot& progress, const CancelToken& cancel,
                                                       const std::function<void(const CsvRecord&)>& bad) {
    std::map<std::int64_t, TimeRange> steps;
    std::optional<std::size_t> number, start, end;
    bool hasHeader = false;
    const auto read = eachCsvRecord(file, problems, progress, cancel, [&](CsvRecord& record) {
        if (!std::exchange(hasHeader, true)) {
            const CsvColumns header(std::move(record.cells));
            number = header.find("step_num");
            start = header.find("start_point");
            end = header.find("end_point");
            return;
        }
        if (!number || !start || !end) return;
        if (record.cells.size() <= std::max({*number, *start, *end})) return bad(record);
        // The means carry the number 0, or none.
        if (record.cells[*number] == "-" || record.cells[*number] == "0") return;
        const auto step = wholeNumber(record.cells[*number]), from = wholeNumber(record.cells[*start]), to = wholeNumber(record.cells[*end]);
        if (!step || *step < 0 || !from || !to || *from < 0 || *to < *from || *to > kMaxTicks) return bad(record);
        steps.insert_or_assign(*step, TimeRange{{*from * kNsPerTick}, {*to * kNsPerTick}});
    });
    using Steps = std::map<std::int64_t, TimeRange>;
    if (!read.ok()) return read.as<Steps>();
    if (hasHeader && (!number || !start || !end)) return Error{"csv.no_column", file.name, "row 1", {{"column", !number ? "step_num" : !start ? "start_point" : "end_point"}}};
    return steps;
}

}  // namespace

Result<Done> readStepTrace(const SourceFile& file, TableContext& context) {
    const auto steps = stepsInTicks(file, &context.diagnostics, context.progress, context.cancel, [&](const CsvRecord& record) {
        context.diagnostics.add("table.broken", Severity::Lost, file.name, {PlaceUnit::Row, record.row}, {{"what", "step_num"}});
    });
    return steps.ok() ? Result<Done>(Done{}) : steps.as<Done>();
}

std::vector<Step> legacySteps(const RankManifest& rank, const TraceStore* trace) {
    const TableFile* file = tableOf(rank, kStepTraceFormat);
    if (file == nullptr) return {};
    ProgressSlot unused;
    const auto read = stepsInTicks(file->source, nullptr, unused, {}, [](const CsvRecord&) {});
    std::vector<Step> steps;
    if (!read.ok()) return steps;
    for (const auto& [step, range] : read.value()) steps.push_back({step, range});
    if (trace == nullptr) return steps;
    const auto origin = legacyOrigin(rank);
    const std::int64_t shift = origin && isRelative(*trace, *origin) ? *origin : 0;
    for (Step& step : steps) {
        step.range->begin.value -= shift;
        step.range->end.value -= shift;
    }
    const TimeRange all = trace->range();
    const bool isSameClock = std::any_of(steps.begin(), steps.end(), [&all](const Step& step) { return step.range->begin < all.end && all.begin < step.range->end; });
    if (!isSameClock)
        for (Step& step : steps) step.range.reset();
    return steps;
}

RowTables withLegacyKernels(const RowTables& tables, const TraceStore& trace) {
    constexpr auto K = RowKind::Kernel;
    const RowTable* kernels = tables.find(K);
    if (kernels == nullptr) return tables;
    std::optional<std::int64_t> origin;
    for (std::size_t row = 0; row < kernels->size(); ++row) {
        const auto ts = kernels->integer(rowColumn(K, "ts"), row);
        if (ts && (!origin || *ts < *origin)) origin = ts;
    }
    if (!origin || !isRelative(trace, *origin)) return tables;
    using Place = std::tuple<std::int64_t, StringId, std::uint32_t>;  // begin, name, slice
    std::vector<Place> places;
    places.reserve(trace.sliceCount());
    for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) places.emplace_back(trace.begin({i}).value, trace.nameId({i}), i);
    std::sort(places.begin(), places.end());
    std::vector<std::int64_t> times(kernels->size(), kNoCell), slices(kernels->size(), kNoCell);
    std::size_t agreeing = 0;
    for (std::size_t row = 0; row < kernels->size(); ++row) {
        const auto ts = kernels->integer(rowColumn(K, "ts"), row);
        const auto name = kernels->text(rowColumn(K, "name"), row);
        if (!ts) continue;
        times[row] = *ts - *origin;
        const auto wanted = trace.texts().find(name ? lastPart(tables.text(*name)) : std::string_view{});
        for (std::int64_t begin = times[row] - 1; wanted && begin <= times[row] + 1; ++begin) {
            const auto at = std::lower_bound(places.begin(), places.end(), Place{begin, *wanted, 0});
            if (at == places.end() || std::get<0>(*at) != begin || std::get<1>(*at) != *wanted) continue;
            slices[row] = std::get<2>(*at);
            ++agreeing;
            break;
        }
    }
    if (agreeing * 2 <= kernels->size()) return tables;
    return tables.with(K, rowColumn(K, "ts"), times).with(K, rowColumn(K, "slice_id"), slices);
}

}  // namespace altiscope::reader
