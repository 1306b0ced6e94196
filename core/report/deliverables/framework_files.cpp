#include "core/report/deliverables/framework_files.h"

#include "core/report/deliverables/graph_files.h"
#include "core/report/deliverables/number_text.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// Rows of the driver's count of the process, not of the framework.
constexpr std::string_view kProcessMemory = "APP";

constexpr std::size_t kRowsPerLook = 1024;
constexpr double kBytesOfKilobyte = 1024, kBytesOfMegabyte = 1024 * 1024;

/// Durations that were added up, as Python prints them: the integer 0 where there is none.
struct DeviceSum {
    double microseconds = 0;
    bool hasAny = false;
    void add(double us) {
        microseconds += us;
        hasAny = true;
    }
};
/// Sums of an operator: its own kernels and all below it, then the same of those on AI cores.
struct DeviceSums {
    DeviceSum own, total, ownOnCores, totalOnCores;
};

std::vector<DeviceSums> deviceSums(const DeliverableInput& input, const FrameworkWork& work, const TaskIndex& tasks) {
    // Deeper operators are in broken files only.
    static constexpr int kDeepestOperator = 1000;
    std::vector<DeviceSums> sums(work.operators.size());
    const TraceStore& trace = *input.rank.trace;
    for (std::size_t i = 0; i < work.kernels.size(); ++i) {
        if (i % kRowsPerLook == 0 && input.cancel.cancelled()) break;
        const FrameworkWork::Kernel& kernel = work.kernels[i];
        const double us = microseconds(trace.duration(kernel.slice).value);
        const TaskRecord* task = tasks.at(trace.pos(kernel.slice));
        const std::string* type = task == nullptr ? nullptr : input.tasks.text(task->type);
        const bool isOnCores = type != nullptr && *type == "AI_CORE";
        sums[kernel.op].own.add(us);
        if (isOnCores) sums[kernel.op].ownOnCores.add(us);
        std::uint32_t op = kernel.op;
        for (int depth = 0; op != FrameworkWork::kNone && depth < kDeepestOperator; ++depth) {
            sums[op].total.add(us);
            if (isOnCores) sums[op].totalOnCores.add(us);
            op = work.operators[op].parent;
        }
    }
    return sums;
}

void addSum(const DeviceSum& sum, CellText& cells) { cells.plain(sum.hasAny ? exactText(sum.microseconds) : "0"); }

void addMegabytes(std::optional<std::int64_t> bytes, CellText& cells) {
    bytes ? cells.exact(static_cast<double>(*bytes) / kBytesOfMegabyte) : cells.empty();
}

void addTime(std::optional<std::int64_t> ns, CellText& cells) { ns ? cells.time(*ns) : cells.empty(); }

void addNumber(std::optional<std::int64_t> number, CellText& cells) { number ? cells.number(*number) : cells.empty(); }

std::string deviceCell(const DeliverableInput& input, const NamedCells& cells, std::size_t row) {
    const auto device = input.rank.info.deviceId ? input.rank.info.deviceId : cells.integer("device_id", row);
    return "NPU:" + std::to_string(device.value_or(0));
}

/// A line of memory_record.
struct MemoryLine {
    std::string_view component;
    std::int64_t time = 0;
    double allocated = 0, reserved = 0;  ///< MB
    std::string active, stream, device;
    double activeMegabytes = 0;

    void write(DeliverableTable& table) const {
        table.line(std::vector<std::string>{std::string(component), timeCell(time), exactText(allocated),
                                            exactText(reserved), active, stream, device});
    }
};

/// The framework's memory and that of the graph engine by time; after each line the sum of both on its device.
void writeTogether(const DeliverableInput& input, const NamedCells& cells, const std::vector<GraphMemoryLine>& ofGraphs,
                   DeliverableTable& table) {
    std::vector<MemoryLine> own;
    for (std::size_t row = 0; row < cells.size(); ++row) {
        const auto component = cells.text("component", row);
        if (component != "PTA" && component != "WORKSPACE") continue;
        const auto megabytes = [&](std::string_view column) {
            return static_cast<double>(cells.integer(column, row).value_or(0)) / kBytesOfMegabyte;
        };
        const auto stream = cells.integer("stream", row);
        own.push_back({*component, cells.integer("ts", row).value_or(0), megabytes("allocated"), megabytes("reserved"),
                       exactText(megabytes("active")), stream ? std::to_string(*stream) : std::string(),
                       deviceCell(input, cells, row), megabytes("active")});
    }
    std::map<std::string, MemoryLine> lastOwn, lastOfGraphs;
    const auto writeBoth = [&table](const MemoryLine& line, const std::map<std::string, MemoryLine>& others) {
        line.write(table);
        if (line.component == "WORKSPACE") return;
        MemoryLine sum = line;
        sum.component = "PTA+GE";
        const bool isOwn = line.component == "PTA";
        const auto other = others.find(line.device);
        if (other != others.end()) {
            sum.allocated += other->second.allocated;
            sum.reserved += other->second.reserved;
            if (sum.stream.empty()) sum.stream = other->second.stream;
        }
        if (!isOwn) sum.active = other == others.end() ? "0" : exactText(other->second.activeMegabytes);
        sum.write(table);
    };
    std::size_t next = 0;
    for (const GraphMemoryLine& one : ofGraphs) {
        if (input.cancel.cancelled()) return;
        for (; next < own.size() && own[next].time <= one.time; ++next) {
            writeBoth(own[next], lastOfGraphs);
            if (own[next].component == "PTA") lastOwn[own[next].device] = own[next];
        }
        const MemoryLine line{"GE", one.time, one.allocated, one.reserved, {}, {}, one.device, 0};
        writeBoth(line, lastOwn);
        lastOfGraphs[one.device] = line;
    }
    for (; next < own.size(); ++next) writeBoth(own[next], lastOfGraphs);
}

}  // namespace

DeliverableResult writeOperatorDetails(const DeliverableInput& input, const FrameworkWork& work,
                                       const TaskIndex& tasks) {
    const NamedCells cells(input.rank, RowKind::Operator);
    if (cells.size() == 0) return {DeliverableResult::State::Nothing};
    const TraceStore& trace = *input.rank.trace;
    const std::vector<DeviceSums> sums = deviceSums(input, work, tasks);
    std::vector<std::int64_t> ofChildren(work.operators.size(), 0);
    std::vector<std::uint32_t> numbers(trace.sliceCount(), FrameworkWork::kNone);  // of operators, by slice
    for (std::uint32_t i = 0; i < work.operators.size(); ++i) {
        const FrameworkWork::Operator& op = work.operators[i];
        numbers[op.slice.value] = i;
        if (op.parent != FrameworkWork::kNone) ofChildren[op.parent] += trace.duration(op.slice).value;
    }
    DeliverableTable table(input, "operator_details",
                           {"Name", "Input Shapes", "Call Stack", "Host Self Duration(us)", "Host Total Duration(us)",
                            "Device Self Duration(us)", "Device Total Duration(us)",
                            "Device Self Duration With AICore(us)", "Device Total Duration With AICore(us)"},
                           cells.size());
    const std::size_t texts[] = {cells.column("name"), cells.column("input_shapes"), cells.column("call_stack")},
                      sliceColumn = cells.column("slice_id"), durationColumn = cells.column("dur");
    table.lines(cells.size(), [&](std::size_t row, CellText& line) {
        for (const std::size_t column : texts) line.text(cells.text(column, row).value_or(std::string_view()));
        const auto slice = cells.integer(sliceColumn, row);
        const std::uint32_t number = slice && static_cast<std::size_t>(*slice) < numbers.size()
                                         ? numbers[static_cast<std::size_t>(*slice)]
                                         : FrameworkWork::kNone;
        const std::int64_t duration = cells.integer(durationColumn, row).value_or(0);
        const bool isKnown = number != FrameworkWork::kNone;
        const DeviceSums of = isKnown ? sums[number] : DeviceSums{};
        line.exactMicroseconds(duration - (isKnown ? ofChildren[number] : 0));
        line.exactMicroseconds(duration);
        for (const DeviceSum& sum : {of.own, of.total, of.ownOnCores, of.totalOnCores}) addSum(sum, line);
    });
    return table.end();
}

std::vector<std::string> operatorMemoryHeader() {
    return {"Name",
            "Size(KB)",
            "Allocation Time(us)",
            "Release Time(us)",
            "Active Release Time(us)",
            "Duration(us)",
            "Active Duration(us)",
            "Allocation Total Allocated(MB)",
            "Allocation Total Reserved(MB)",
            "Allocation Total Active(MB)",
            "Release Total Allocated(MB)",
            "Release Total Reserved(MB)",
            "Release Total Active(MB)",
            "Stream Ptr",
            "Device Type"};
}

DeliverableResult writeOperatorMemory(const DeliverableInput& input) {
    const NamedCells cells(input.rank, RowKind::Allocation);
    if (cells.size() == 0) return {DeliverableResult::State::Nothing};
    DeliverableTable table(input, "operator_memory", operatorMemoryHeader(), cells.size());
    const std::size_t name = cells.column("name"), size = cells.column("size"), allocated = cells.column("alloc_ts"),
                      released = cells.column("release_ts"), freed = cells.column("active_release_ts"),
                      stream = cells.column("stream");
    const std::size_t totals[] = {cells.column("alloc_allocated"),  cells.column("alloc_reserved"),
                                  cells.column("alloc_active"),     cells.column("release_allocated"),
                                  cells.column("release_reserved"), cells.column("release_active")};
    // Allocations of the graph engine follow, in the cells of msprof. How much of them was active is not stated.
    const std::vector<std::vector<std::string>> ofGraphs = graphAllocationLines(input);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < cells.size(); ++row) {
        if (ofGraphs.empty() || cells.integer(totals[2], row)) rows.push_back(row);
    }
    table.lines(rows.size(), [&](std::size_t i, CellText& line) {
        const std::size_t row = rows[i];
        const std::int64_t begin = cells.integer(allocated, row).value_or(0);
        const std::optional<std::int64_t> ends[] = {cells.integer(released, row), cells.integer(freed, row)};
        line.text(cells.text(name, row).value_or(std::string_view()));
        line.exact(static_cast<double>(cells.integer(size, row).value_or(0)) / kBytesOfKilobyte);
        line.time(begin);
        for (const auto& end : ends) addTime(end, line);
        for (const auto& end : ends) addTime(end ? std::optional(*end - begin) : std::nullopt, line);
        for (const std::size_t column : totals) addMegabytes(cells.integer(column, row), line);
        addNumber(cells.integer(stream, row), line);
        line.plain(deviceCell(input, cells, row));
    });
    for (const std::vector<std::string>& line : ofGraphs) table.line(line);
    return table.end();
}

DeliverableResult writeMemoryRecord(const DeliverableInput& input) {
    const NamedCells cells(input.rank, RowKind::MemorySample);
    if (cells.size() == 0) return {DeliverableResult::State::Nothing};
    const std::vector<GraphMemoryLine> ofGraphs = graphMemoryLines(input);
    DeliverableTable table(input, "memory_record",
                           {"Component", "Timestamp(us)", "Total Allocated(MB)", "Total Reserved(MB)",
                            "Total Active(MB)", "Stream Ptr", "Device Type"},
                           cells.size() + 2 * ofGraphs.size());
    for (const DeviceSamples& device : input.tasks.samples) {
        // The vendor's table is in KB.
        static constexpr std::uint64_t kWholeKilobyte = 1024;
        for (const NpuMemorySample& one : device.memory) {
            if (one.isDevice || one.time < device.begin) continue;
            const auto kilobytes = static_cast<double>((one.ddr + one.hbm) / kWholeKilobyte);
            table.line(std::vector<std::string>{std::string(kProcessMemory),
                                                timeCell(one.time),
                                                {},
                                                exactText(kilobytes / kBytesOfKilobyte),
                                                {},
                                                {},
                                                "NPU:" + std::to_string(device.device)});
        }
    }
    if (!ofGraphs.empty()) {
        writeTogether(input, cells, ofGraphs, table);
        return table.end();
    }
    const std::size_t component = cells.column("component"), time = cells.column("ts"), stream = cells.column("stream");
    const std::size_t totals[] = {cells.column("allocated"), cells.column("reserved"), cells.column("active")};
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < cells.size(); ++row) {
        if (cells.text(component, row) != std::optional(kProcessMemory)) rows.push_back(row);
    }
    table.lines(rows.size(), [&](std::size_t i, CellText& line) {
        const std::size_t row = rows[i];
        line.text(cells.text(component, row).value_or(std::string_view()));
        line.time(cells.integer(time, row).value_or(0));
        for (const std::size_t column : totals) addMegabytes(cells.integer(column, row), line);
        addNumber(cells.integer(stream, row), line);
        line.plain(deviceCell(input, cells, row));
    });
    return table.end();
}

}  // namespace altiscope
