#include "core/report/deliverables/framework_files.h"

#include "core/report/deliverables/number_text.h"

#include <array>
#include <unordered_map>
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
    std::string text() const { return hasAny ? exactText(microseconds) : "0"; }
};
/// Of an operator: its own kernels and all below it, then the same of those on AI cores.
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

std::string megabytesCell(const NamedCells& cells, std::string_view column, std::size_t row) {
    const auto bytes = cells.integer(column, row);
    return bytes ? exactText(static_cast<double>(*bytes) / kBytesOfMegabyte) : std::string();
}

std::string deviceCell(const DeliverableInput& input, const NamedCells& cells, std::size_t row) {
    const auto device = input.rank.info.deviceId ? input.rank.info.deviceId : cells.integer("device_id", row);
    return "NPU:" + std::to_string(device.value_or(0));
}

std::string numberCell(std::optional<std::int64_t> number) { return number ? std::to_string(*number) : std::string(); }

}  // namespace

DeliverableResult writeOperatorDetails(const DeliverableInput& input, const FrameworkWork& work,
                                       const TaskIndex& tasks) {
    const NamedCells cells(input.rank, RowKind::Operator);
    if (cells.size() == 0) return {DeliverableResult::State::Nothing};
    const TraceStore& trace = *input.rank.trace;
    const std::vector<DeviceSums> sums = deviceSums(input, work, tasks);
    std::vector<std::int64_t> ofChildren(work.operators.size(), 0);
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < work.operators.size(); ++i) {
        const FrameworkWork::Operator& op = work.operators[i];
        numbers.emplace(op.slice.value, i);
        if (op.parent != FrameworkWork::kNone) ofChildren[op.parent] += trace.duration(op.slice).value;
    }
    DeliverableFile file(input.file("operator_details", ".csv"), input.dialect, input.cancel);
    file.line(std::vector<std::string>{"Name", "Input Shapes", "Call Stack", "Host Self Duration(us)",
                                       "Host Total Duration(us)", "Device Self Duration(us)",
                                       "Device Total Duration(us)", "Device Self Duration With AICore(us)",
                                       "Device Total Duration With AICore(us)"});
    const auto text = [&cells](std::string_view column, std::size_t row) {
        return std::string(cells.text(column, row).value_or(std::string_view()));
    };
    for (std::size_t row = 0; row < cells.size() && file.goesOn(); ++row) {
        const auto slice = cells.integer("slice_id", row);
        const auto known = slice ? numbers.find(static_cast<std::uint32_t>(*slice)) : numbers.end();
        const std::int64_t duration = cells.integer("dur", row).value_or(0);
        const bool isKnown = known != numbers.end();
        const DeviceSums of = isKnown ? sums[known->second] : DeviceSums{};
        const std::int64_t below = isKnown ? ofChildren[known->second] : 0;
        file.line(std::vector<std::string>{text("name", row), text("input_shapes", row), text("call_stack", row),
                                           exactText(microseconds(duration - below)), exactText(microseconds(duration)),
                                           of.own.text(), of.total.text(), of.ownOnCores.text(),
                                           of.totalOnCores.text()});
    }
    return endDeliverable(file, input.cancel);
}

DeliverableResult writeOperatorMemory(const DeliverableInput& input) {
    const NamedCells cells(input.rank, RowKind::Allocation);
    if (cells.size() == 0) return {DeliverableResult::State::Nothing};
    DeliverableFile file(input.file("operator_memory", ".csv"), input.dialect, input.cancel);
    file.line(std::vector<std::string>{
        "Name", "Size(KB)", "Allocation Time(us)", "Release Time(us)", "Active Release Time(us)", "Duration(us)",
        "Active Duration(us)", "Allocation Total Allocated(MB)", "Allocation Total Reserved(MB)",
        "Allocation Total Active(MB)", "Release Total Allocated(MB)", "Release Total Reserved(MB)",
        "Release Total Active(MB)", "Stream Ptr", "Device Type"});
    for (std::size_t row = 0; row < cells.size() && file.goesOn(); ++row) {
        const std::int64_t begin = cells.integer("alloc_ts", row).value_or(0);
        const auto released = cells.integer("release_ts", row), freed = cells.integer("active_release_ts", row);
        const auto time = [](std::optional<std::int64_t> ns) { return ns ? timeCell(*ns) : std::string(); };
        const auto since = [begin](std::optional<std::int64_t> ns) {
            return ns ? timeCell(*ns - begin) : std::string();
        };
        std::vector<std::string> line{
            std::string(cells.text("name", row).value_or(std::string_view())),
            exactText(static_cast<double>(cells.integer("size", row).value_or(0)) / kBytesOfKilobyte),
            timeCell(begin),
            time(released),
            time(freed),
            since(released),
            since(freed)};
        for (const std::string_view column : {"alloc_allocated", "alloc_reserved", "alloc_active", "release_allocated",
                                              "release_reserved", "release_active"})
            line.push_back(megabytesCell(cells, column, row));
        line.push_back(numberCell(cells.integer("stream", row)));
        line.push_back(deviceCell(input, cells, row));
        file.line(line);
    }
    return endDeliverable(file, input.cancel);
}

DeliverableResult writeMemoryRecord(const DeliverableInput& input) {
    const NamedCells cells(input.rank, RowKind::MemorySample);
    if (cells.size() == 0) return {DeliverableResult::State::Nothing};
    DeliverableFile file(input.file("memory_record", ".csv"), input.dialect, input.cancel);
    file.line(std::vector<std::string>{"Component", "Timestamp(us)", "Total Allocated(MB)", "Total Reserved(MB)",
                                       "Total Active(MB)", "Stream Ptr", "Device Type"});
    for (const DeviceSamples& device : input.tasks.samples) {
        // Of a table in KB.
        static constexpr std::uint64_t kWholeKilobyte = 1024;
        for (const NpuMemorySample& one : device.memory) {
            if (one.isDevice || one.time < device.begin) continue;
            const auto kilobytes = static_cast<double>((one.ddr + one.hbm) / kWholeKilobyte);
            file.line(std::vector<std::string>{std::string(kProcessMemory),
                                               timeCell(one.time),
                                               {},
                                               exactText(kilobytes / kBytesOfKilobyte),
                                               {},
                                               {},
                                               "NPU:" + std::to_string(device.device)});
        }
    }
    for (std::size_t row = 0; row < cells.size() && file.goesOn(); ++row) {
        if (cells.text("component", row) == std::optional<std::string_view>(kProcessMemory)) continue;
        file.line(std::vector<std::string>{std::string(cells.text("component", row).value_or(std::string_view())),
                                           timeCell(cells.integer("ts", row).value_or(0)),
                                           megabytesCell(cells, "allocated", row),
                                           megabytesCell(cells, "reserved", row), megabytesCell(cells, "active", row),
                                           numberCell(cells.integer("stream", row)), deviceCell(input, cells, row)});
    }
    return endDeliverable(file, input.cancel);
}

}  // namespace altiscope
