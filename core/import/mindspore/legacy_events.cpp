#include "core/import/mindspore/legacy_events.h"

#include "core/base/files/file.h"
#include "core/base/text/text.h"
#include "core/base/values/decimal.h"
#include "core/base/values/parse.h"
#include "core/import/csv/csv_records.h"
#include "core/import/mindspore/legacy_times.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::int64_t kNsPerCounterTick = 10;
constexpr std::uint64_t kMaxAiCpuFile = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxCounterFile = 4096;

std::vector<std::string> blankSeparated(std::string_view line) {
    std::vector<std::string> words;
    while (true) {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos) return words;
        line.remove_prefix(begin);
        const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
        words.emplace_back(word);
        line.remove_prefix(word.size());
    }
}

/// Columns of a list of AI CPU operators.
struct AiCpuColumns {
    std::optional<std::size_t> name, start, end, total, execution;

    explicit AiCpuColumns(const CsvColumns& header)
        : name(header.findAny({"kernel_type", "node_type_name", "op_type"})), start(header.find("run_start")),
          end(header.find("run_end")), total(header.find("total_time")), execution(header.find("execution_time")) {}

    /// nullopt: it is none.
    std::optional<LegacyEvent> event(const std::vector<std::string>& cells) const {
        if (!name || !start || !end || cells.size() <= std::max({*name, *start, *end})) return std::nullopt;
        static constexpr std::int64_t kNsPerMs = 1'000'000, kNsPerUs = 1000;
        const auto from = parseScaled(cells[*start], kNsPerUs), to = parseScaled(cells[*end], kNsPerUs);
        if (!from || !to || *from < 0 || *to < *from) return std::nullopt;
        const auto length = timeOf(cells, total), ran = timeOf(cells, execution);
        // Versions from 2.0 on make these files of CANN's: starts are ms too, and an end is the start and all of the
        // time, of which the operator waited some. Source: core/import/mindspore/FORMAT.md section 3.
        // Both went through doubles of ms, whose step on the clock of the wall is 244 ns.
        static constexpr std::int64_t kNoise = 600;
        const auto fromMs = parseScaled(cells[*start], kNsPerMs), toMs = parseScaled(cells[*end], kNsPerMs);
        const bool isMs = length && ran && *length > 0 && *ran >= 0 && *ran <= *length && fromMs && toMs &&
                          std::abs(*toMs - *fromMs - *length) <= kNoise;
        if (isMs) return LegacyEvent{cells[*name], *fromMs, *ran, 0};
        return LegacyEvent{cells[*name], *from, *to - *from, 0};
    }

private:
    static std::optional<std::int64_t> timeOf(const std::vector<std::string>& cells,
                                              std::optional<std::size_t> column) {
        return column && *column < cells.size() ? parseScaled(cells[*column], 1'000'000) : std::nullopt;
    }
};

/// Calls `take` with each operator of a list, `bad` with the row of each record that is none.
Result<Done> eachAiCpu(const SourceFile& file, const std::function<void(LegacyEvent)>& take,
                       const std::function<void(std::uint64_t, std::string_view)>& bad) {
    const auto text = readSmallFile(file.path, kMaxAiCpuFile);
    if (!text.ok()) return text.as<Done>();
    const bool isCsv = file.path.extension() == ".csv";
    std::optional<AiCpuColumns> columns;
    std::uint64_t row = 0;
    for (std::string_view rest = text.value(); !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        ++row;
        std::string words(line);
        // Names hold no commas and no blanks.
        if (isCsv) std::replace(words.begin(), words.end(), ',', ' ');
        std::vector<std::string> cells = blankSeparated(words);
        // The text table ends in its sum.
        if (cells.empty() || line.starts_with("AI CPU Total Time")) continue;
        if (!columns) {
            columns.emplace(CsvColumns(std::move(cells)));
            continue;
        }
        auto event = columns->event(cells);
        if (!event) {
            bad(row, line);
            continue;
        }
        event->row = row;
        take(*std::move(event));
    }
    return Done{};
}

LegacyEvents listedKernels(const TableFile& table) {
    LegacyEvents listed{table.source.name, true, 1, {}};
    std::optional<std::size_t> name, start, duration;
    std::int64_t startFactor = 0, durationFactor = 0;
    int decimals = 0;
    ProgressSlot unused;
    const auto read = eachCsvRecord(table.source, nullptr, unused, {}, [&](CsvRecord& record) {
        if (startFactor == 0) {
            const CsvColumns header(std::move(record.cells));
            const auto timed = [&header](const std::string& what, std::int64_t& factor) {
                factor = 1'000'000;
                for (const std::string& written : {what + "(ms)", what}) {
                    if (const auto column = header.find(written)) return column;
                }
                factor = 1000;
                return header.find(what + "(us)");
            };
            name = header.findAny({"op_name", "kernel_name"});
            start = timed("start_time", startFactor);
            duration = timed("duration", durationFactor);
            return;
        }
        if (!name || !start || record.cells.size() <= std::max(*name, *start)) return;
        const std::string& printed = record.cells[*start];
        const auto ts = parseScaled(printed, startFactor);
        if (!ts) return;
        if (const auto point = printed.find('.'); point != std::string::npos)
            decimals = std::max(decimals, static_cast<int>(printed.size() - point - 1));
        const auto dur = duration && *duration < record.cells.size()
                             ? parseScaled(record.cells[*duration], durationFactor)
                             : std::nullopt;
        listed.events.push_back({std::move(record.cells[*name]), *ts, dur.value_or(0), record.row});
    });
    if (!read.ok()) listed.events.clear();
    std::int64_t unit = startFactor;
    for (int i = 0; i < decimals && unit > 1; ++i) unit /= 10;
    listed.tolerance = unit / 2 + 1;
    return listed;
}

/// Intervals that step_trace_raw describes: columns "NAME_start_point" and "NAME_end_point".
LegacyEvents listedIntervals(const TableFile& table) {
    static constexpr std::string_view kStart = "_start_point", kEnd = "_end_point";
    struct Interval {
        std::string name;
        std::size_t start, end;
    };
    LegacyEvents listed{table.source.name, false, kNsPerCounterTick / 2 + 1, {}};
    std::vector<Interval> intervals;
    bool hasHeader = false;
    ProgressSlot unused;
    const auto read = eachCsvRecord(table.source, nullptr, unused, {}, [&](CsvRecord& record) {
        if (!std::exchange(hasHeader, true)) {
            const CsvColumns header(record.cells);
            for (const std::string& column : record.cells) {
                if (!column.ends_with(kStart)) continue;
                std::string name = column.substr(0, column.size() - kStart.size());
                const auto start = header.find(column), end = header.find(name + std::string(kEnd));
                if (start && end) intervals.push_back({std::move(name), *start, *end});
            }
            return;
        }
        // The means carry the number 0, or none.
        if (record.cells.front() == "-" || record.cells.front() == "0") return;
        for (const Interval& interval : intervals) {
            if (record.cells.size() <= std::max(interval.start, interval.end)) continue;
            const auto from = parseScaled(record.cells[interval.start], kNsPerCounterTick),
                       to = parseScaled(record.cells[interval.end], kNsPerCounterTick);
            if (from && to && *from > 0 && *to >= *from)
                listed.events.push_back({interval.name, *from, *to - *from, record.row});
        }
    });
    if (!read.ok()) listed.events.clear();
    return listed;
}

}  // namespace

Result<Done> readLegacyAiCpu(const SourceFile& file, TableContext& context) {
    static constexpr std::size_t kShownBytes = 60;
    constexpr auto K = RowKind::Kernel;
    RowBatch batch = context.builder.batch(K);
    const auto read = eachAiCpu(
        file,
        [&batch](const LegacyEvent& event) {
            batch.addRow();
            batch.setText(fixedColumn(K, "kind"), "compute");
            // The lists name the types of operators.
            for (const std::size_t column : {fixedColumn(K, "name"), fixedColumn(K, "type")})
                batch.setText(column, repairedUtf8(event.name));
            batch.setText(fixedColumn(K, "accelerator_core"), kAiCpuCore);
            batch.setInteger(fixedColumn(K, "ts"), event.ts);
            batch.setInteger(fixedColumn(K, "dur"), event.dur);
        },
        [&](std::uint64_t row, std::string_view line) {
            context.diagnostics.add("table.broken", Severity::Lost, file.name, {PlaceUnit::Row, row},
                                    {{"what", repairedUtf8(line.substr(0, utf8Prefix(line, kShownBytes)))}});
        });
    if (!read.ok()) return read;
    context.progress.addDone(file.size);
    context.builder.commit(batch);
    return Done{};
}

Result<Done> readMinCycle(const SourceFile& file, TableContext& context) {
    const auto text = readSmallFile(file.path, kMaxCounterFile);
    if (!text.ok()) return text.as<Done>();
    context.progress.addDone(file.size);
    const auto words = blankSeparated(text.value().substr(0, text.value().find('\n')));
    if (words.empty() || !parseScaled(words.front(), kNsPerCounterTick))
        context.diagnostics.add("table.broken", Severity::Lost, file.name, {PlaceUnit::Row, 1},
                                {{"what", std::string(kMinCycleFormat)}});
    return Done{};
}

std::vector<LegacyEvents> legacyEvents(const RankManifest& rank) {
    std::vector<LegacyEvents> files;
    for (const TableFile& table : rank.tables) {
        if (table.format == kLegacyKernelFormat) files.push_back(listedKernels(table));
        else if (table.format == kStepTraceFormat) files.push_back(listedIntervals(table));
        else if (table.format == kLegacyAiCpuFormat) {
            LegacyEvents listed{table.source.name, false, kAiCpuTolerance, {}};
            const auto read = eachAiCpu(
                table.source, [&listed](LegacyEvent event) { listed.events.push_back(std::move(event)); },
                [](std::uint64_t, std::string_view) {});
            if (read.ok()) files.push_back(std::move(listed));
        }
    }
    return files;
}

std::vector<std::int64_t> legacyOriginHints(const RankManifest& rank) {
    std::vector<std::int64_t> hints;
    for (const TableFile& table : rank.tables) {
        if (table.format != kMinCycleFormat) continue;
        const auto text = readSmallFile(table.source.path, kMaxCounterFile);
        const auto words =
            text.ok() ? blankSeparated(text.value().substr(0, text.value().find('\n'))) : std::vector<std::string>();
        if (const auto origin = words.empty() ? std::nullopt : parseScaled(words.front(), kNsPerCounterTick))
            hints.push_back(*origin);
    }
    return hints;
}

}  // namespace altiscope::reader
