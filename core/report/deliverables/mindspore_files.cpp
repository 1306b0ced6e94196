#include "core/report/deliverables/mindspore_files.h"

#include "core/analysis/support/saturating.h"
#include "core/report/deliverables/framework_files.h"
#include "core/report/deliverables/graph_files.h"
#include "core/report/deliverables/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr std::string_view kUnknown = "N/A";
constexpr double kBytesPerKb = 1024, kBytesPerMb = 1024 * 1024;
/// Bytes of an MB of memory_record.
constexpr double kKbPerMb = 1000;

/// Microseconds as a decimal without zeros at the end.
std::string decimalMicroseconds(std::int64_t ns) {
    std::string text = microsecondsText(ns);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

/// Memory of one pool, KB.
struct PoolEvent {
    std::int64_t time = 0;
    double allocated = 0, reserved = 0, active = 0;
    std::string device;
    bool isGraph = false;
};

std::vector<std::string> poolLine(std::string_view component, std::string time, const PoolEvent& event) {
    const auto megabytes = [](double kilobytes) { return exactText(kilobytes / kKbPerMb); };
    return {std::string(component),    std::move(time),         megabytes(event.allocated),
            megabytes(event.reserved), megabytes(event.active), event.device};
}

std::vector<PoolEvent> poolEvents(const DeliverableInput& input, const std::string& device) {
    std::vector<PoolEvent> events;
    for (const GraphMemoryLine& one : graphMemoryLines(input))
        events.push_back({one.time, one.allocated * kBytesPerKb, one.reserved * kBytesPerKb, 0, one.device, true});
    const NamedCells cells(input.rank, RowKind::MemorySample);
    for (std::size_t row = 0; row < cells.size(); ++row) {
        if (cells.text("component", row) != std::optional<std::string_view>("MindSpore")) continue;
        const auto kilobytes = [&](std::string_view column) {
            return static_cast<double>(cells.integer(column, row).value_or(0)) / kBytesPerKb;
        };
        events.push_back({cells.integer("ts", row).value_or(0), kilobytes("allocated"), kilobytes("reserved"),
                          kilobytes("active"), device, false});
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const PoolEvent& a, const PoolEvent& b) { return a.time < b.time; });
    return events;
}

/// Python's round(value, 2).
/// As Python prints a text.
std::string quotedAsPython(std::string_view text) {
    const bool hasSingle = text.find('\'') != std::string_view::npos,
               hasDouble = text.find('"') != std::string_view::npos;
    const char quote = hasSingle && !hasDouble ? '"' : '\'';
    std::string shown(1, quote);
    for (const char c : text) {
        if (c == '\n') shown += "\\n";
        else if (c == '\t') shown += "\\t";
        else if (c == '\r') shown += "\\r";
        else if (c == '\\' || c == quote) (shown += '\\') += c;
        else shown += c;
    }
    return shown + quote;
}

/// The first two pairs of a record's "k:v;k:v;..." as Python prints them; "{}" of fewer pairs, and an empty text if it
/// says nothing of itself. nullopt: MindSpore's program cannot read it.
std::optional<std::string> customInfo(const TaskRecords& tasks, SourcePos pos) {
    const auto found = std::lower_bound(tasks.rangeInfos.begin(), tasks.rangeInfos.end(), pos,
                                        [](const auto& one, SourcePos wanted) { return one.first < wanted; });
    if (found == tasks.rangeInfos.end() || found->first != pos) return std::string();
    std::vector<std::pair<std::string_view, std::string_view>> pairs;
    std::size_t count = 0;
    for (std::string_view rest = found->second; !rest.empty();) {
        const std::string_view pair = rest.substr(0, rest.find(';'));
        rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
        if (pair.empty() || ++count > 2) continue;
        const std::size_t colon = pair.find(':');
        if (colon == std::string_view::npos || pair.find(':', colon + 1) != std::string_view::npos) return std::nullopt;
        const std::string_view key = pair.substr(0, colon), value = pair.substr(colon + 1);
        if (!pairs.empty() && pairs.front().first == key) pairs.front().second = value;
        else pairs.emplace_back(key, value);
    }
    std::string text = "{";
    if (count >= 2) {
        for (const auto& [key, value] : pairs)
            text += (text.size() > 1 ? ", " : "") + quotedAsPython(key) + ": " + quotedAsPython(value);
    }
    return text + '}';
}

double roundedCents(double value) { return numberOf(fixedText(value, 2)); }

}  // namespace

DeliverableResult writeMindsporeMemory(const DeliverableInput& input) {
    const std::string device = "NPU:" + std::to_string(input.rank.info.rankId.value_or(0));
    const std::vector<PoolEvent> events = poolEvents(input, device);
    std::vector<std::vector<std::string>> ofProcess;
    for (const DeviceSamples& one : input.tasks.samples) {
        for (const NpuMemorySample& sample : one.memory) {
            if (sample.isDevice || sample.time < one.begin) continue;
            const auto kilobytes = static_cast<double>((sample.ddr + sample.hbm) / std::uint64_t{1024});
            ofProcess.push_back(
                poolLine("APP", microsecondsText(sample.time), {sample.time, 0, kilobytes, 0, device, false}));
        }
    }
    if (events.empty() && ofProcess.empty()) return {DeliverableResult::State::Nothing};
    DeliverableTable table(
        input, "memory_record",
        {"Component", "Timestamp(us)", "Total Allocated(MB)", "Total Reserved(MB)", "Total Active(MB)", "Device Type"},
        2 * events.size() + ofProcess.size());
    PoolEvent lastGraph, lastOwn;
    for (const PoolEvent& event : events) {
        const std::string time = decimalMicroseconds(event.time);
        table.line(poolLine(event.isGraph ? "GE" : "MindSpore", event.isGraph ? timeCell(event.time) : time, event));
        const PoolEvent& other = event.isGraph ? lastOwn : lastGraph;
        PoolEvent sum = event;
        sum.allocated += other.allocated;
        sum.reserved += other.reserved;
        sum.active += other.active;
        sum.device = device;
        table.line(poolLine("MindSpore+GE", time, sum));
        (event.isGraph ? lastGraph : lastOwn) = event;
    }
    for (const std::vector<std::string>& line : ofProcess) table.line(line);
    return table.end();
}

DeliverableResult writeMindsporeAllocations(const DeliverableInput& input) {
    const NamedCells cells(input.rank, RowKind::Allocation);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < cells.size(); ++row) {
        // Allocations of the graph engine have no active part.
        if (cells.integer("alloc_active", row)) rows.push_back(row);
    }
    if (rows.empty()) return {DeliverableResult::State::Nothing};
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        return cells.integer("alloc_ts", a).value_or(0) < cells.integer("alloc_ts", b).value_or(0);
    });
    DeliverableTable table(input, "operator_memory", operatorMemoryHeader(), rows.size());
    table.lines(rows.size(), [&](std::size_t i, CellText& line) {
        const std::size_t row = rows[i];
        const std::int64_t begin = cells.integer("alloc_ts", row).value_or(0);
        const auto end = cells.integer("release_ts", row);
        const auto known = [&line](std::optional<double> value) { value ? line.exact(*value) : line.plain(kUnknown); };
        const auto megabytes = [&](std::string_view column) {
            const auto bytes = cells.integer(column, row);
            known(bytes ? std::optional(static_cast<double>(*bytes) / kBytesPerMb) : std::nullopt);
        };
        line.text(cells.text("name", row).value_or(std::string_view()));
        line.exact(static_cast<double>(cells.integer("size", row).value_or(0)) / kBytesPerKb);
        line.exact(microseconds(begin));
        known(end ? std::optional(microseconds(*end)) : std::nullopt);
        line.plain(kUnknown);
        known(end ? std::optional(microseconds(*end - begin)) : std::nullopt);
        line.plain(kUnknown);
        for (const std::string_view column : {"alloc_allocated", "alloc_reserved", "alloc_active", "release_allocated",
                                              "release_reserved", "release_active"})
            megabytes(column);
        line.number(cells.integer("stream", row).value_or(0));
        line.plain("NPU:" + std::to_string(cells.integer("device_id", row).value_or(0)));
    });
    return table.end();
}

DeliverableResult writeMindsporeOperators(const DeliverableInput& input) {
    const NamedCells cells(input.rank, RowKind::Operator);
    if (cells.size() == 0) return {DeliverableResult::State::Nothing};
    DeliverableTable table(input, "operator_details", {"Name", "Input Shapes"}, cells.size());
    const std::size_t name = cells.column("name"), shapes = cells.column("input_shapes");
    table.lines(cells.size(), [&](std::size_t row, CellText& line) {
        for (const std::size_t column : {name, shapes}) line.text(cells.text(column, row).value_or(std::string_view()));
    });
    return table.end();
}

DeliverableResult writeMindsporeDataset(const DeliverableInput& input) {
    static constexpr std::string_view kPrefix = "Dataset::", kSeparator = "::";
    struct Mean {
        std::string_view event, stage;
        std::string info;
        std::int64_t count = 0, sum = 0;
    };
    const TraceStore& trace = *input.rank.trace;
    // In the order of the records.
    std::vector<std::pair<SourcePos, SliceIndex>> slices;
    const auto [first, last] = trace.texts().prefixRange(kPrefix);
    for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if (input.cancel.cancelled()) return {DeliverableResult::State::Cancelled};
        const StringId name = trace.nameId({i});
        if (!(name < first) && name < last && trace.duration({i}).value > 0)
            slices.emplace_back(trace.pos({i}), SliceIndex{i});
    }
    std::sort(slices.begin(), slices.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Mean> means;
    std::map<std::pair<std::string_view, std::string>, std::size_t> places;
    for (const auto& [pos, slice] : slices) {
        const std::string_view name = trace.name(slice).substr(kPrefix.size());
        const std::size_t middle = name.find(kSeparator);
        if (middle == std::string_view::npos || name.find(kSeparator, middle + 2) != std::string_view::npos) continue;
        const auto info = customInfo(input.tasks, pos);
        // The program gives up.
        if (!info) return {DeliverableResult::State::Nothing};
        const auto [place, isNew] = places.try_emplace({name, *info}, means.size());
        if (isNew) means.push_back({name.substr(0, middle), name.substr(middle + kSeparator.size()), *info, 0, 0});
        ++means[place->second].count;
        addSaturated(means[place->second].sum, trace.duration(slice).value);
    }
    std::vector<std::vector<std::string>> lines{{"Operation", "Stage", "Occurrences", "Avg. time (us)", "Custom Info"}};
    for (const Mean& mean : means)
        lines.push_back({std::string(mean.event), std::string(mean.stage), std::to_string(mean.count),
                         exactText(roundedCents(microseconds(mean.sum) / static_cast<double>(mean.count))), mean.info});
    return writeLines(input, "dataset", lines);
}

}  // namespace altiscope
