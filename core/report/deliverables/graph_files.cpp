#include "core/report/deliverables/graph_files.h"

#include "core/report/deliverables/number_text.h"
#include "core/store/raw/graph_allocations.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr double kBytesOfGraphKilobyte = 1024;

/// KB of bytes, as the vendor's database divides and prints them.
std::string kilobytesText(std::uint64_t bytes) {
    return databaseText(static_cast<double>(static_cast<std::int64_t>(bytes)) / kBytesOfGraphKilobyte);
}

/// KB to three digits, as Python rounds and prints them.
std::string threeDigits(double value) { return exactText(pythonRounded(value)); }
std::string roundedKilobytes(std::uint64_t bytes) {
    return threeDigits(static_cast<double>(bytes) / kBytesOfGraphKilobyte);
}

/// KB with all digits; whole ones without a point.
std::string staticKilobytes(std::int64_t bytes) {
    static constexpr std::int64_t kWhole = 1024;
    return bytes % kWhole == 0 ? std::to_string(bytes / kWhole)
                               : exactText(static_cast<double>(bytes) / kBytesOfGraphKilobyte);
}

/// The vendor writes the rows of all devices as those of the first one.
std::string firstDevice(const DeliverableInput& input) {
    const auto& collections = input.tasks.collections;
    return std::to_string(collections.empty() ? 0 : collections.front().device);
}

}  // namespace

DeliverableResult writeFusions(const DeliverableInput& input) {
    std::vector<std::vector<std::string>> lines{{"Device_id", "Model Name", "Model ID", "Fusion Op", "Original Ops",
                                                 "Memory Input(KB)", "Memory Output(KB)", "Memory Weight(KB)",
                                                 "Memory Workspace(KB)", "Memory Total(KB)"}};
    for (const FusionRecord& one : input.tasks.fusions) {
        // The vendor's numbers of models have 32 bits.
        std::vector<std::string> line{"host", one.modelName, std::to_string(static_cast<std::uint32_t>(one.model)),
                                      one.name, one.ops};
        for (const std::uint64_t bytes : one.bytes) line.push_back(kilobytesText(bytes));
        lines.push_back(std::move(line));
    }
    return writeLines(input, "fusion_op", lines);
}

DeliverableResult writeGraphMemoryRecord(const DeliverableInput& input) {
    // The vendor writes neither file where one would be empty.
    if (graphAllocations(input.tasks.graphMemory).empty()) return {DeliverableResult::State::Nothing};
    std::vector<std::vector<std::string>> lines{
        {"Device_id", "Component", "Timestamp(us)", "Total Allocated(KB)", "Total Reserved(KB)", "Device"}};
    const std::string device = firstDevice(input);
    for (const GraphMemoryRecord& one : input.tasks.graphMemory)
        lines.push_back({device, "GE", timeCell(printedTime(one.time, input.tasks.host)),
                         roundedKilobytes(one.allocated), roundedKilobytes(one.reserved),
                         "NPU:" + std::to_string(one.device)});
    return writeLines(input, "memory_record", lines);
}

DeliverableResult writeGraphAllocations(const DeliverableInput& input) {
    std::vector<std::vector<std::string>> lines{
        {"Device_id", "Name", "Size(KB)", "Allocation Time(us)", "Duration(us)", "Allocation Total Allocated(KB)",
         "Allocation Total Reserved(KB)", "Release Total Allocated(KB)", "Release Total Reserved(KB)", "Device"}};
    const std::string device = firstDevice(input);
    for (const GraphAllocation& one : graphAllocations(input.tasks.graphMemory)) {
        const GraphMemoryRecord& begin = *one.begin;
        // An allocation that was not released has zeros.
        const std::int64_t passed = one.end == nullptr ? 0 : one.end->time - begin.time;
        lines.push_back({device, begin.isNamed ? begin.op : std::string(),
                         roundedKilobytes(static_cast<std::uint64_t>(begin.bytes)),
                         timeCell(printedTime(begin.time, input.tasks.host)), threeDigits(microseconds(passed)),
                         roundedKilobytes(begin.allocated), roundedKilobytes(begin.reserved),
                         roundedKilobytes(one.end == nullptr ? 0 : one.end->allocated),
                         roundedKilobytes(one.end == nullptr ? 0 : one.end->reserved),
                         "NPU:" + std::to_string(begin.device)});
    }
    return writeLines(input, "operator_memory", lines);
}

std::vector<GraphMemoryLine> graphMemoryLines(const DeliverableInput& input) {
    if (graphAllocations(input.tasks.graphMemory).empty()) return {};
    const auto megabytes = [](std::uint64_t bytes) {
        return pythonRounded(static_cast<double>(bytes) / kBytesOfGraphKilobyte) / kBytesOfGraphKilobyte;
    };
    std::vector<GraphMemoryLine> lines;
    for (const GraphMemoryRecord& one : input.tasks.graphMemory)
        lines.push_back({printedTime(one.time, input.tasks.host), megabytes(one.allocated), megabytes(one.reserved),
                         "NPU:" + std::to_string(one.device)});
    std::stable_sort(lines.begin(), lines.end(),
                     [](const GraphMemoryLine& a, const GraphMemoryLine& b) { return a.time < b.time; });
    return lines;
}

std::vector<std::vector<std::string>> graphAllocationLines(const DeliverableInput& input) {
    const auto megabytes = [](std::uint64_t bytes) {
        return exactText(pythonRounded(static_cast<double>(bytes) / kBytesOfGraphKilobyte) / kBytesOfGraphKilobyte);
    };
    std::vector<std::vector<std::string>> lines;
    for (const GraphAllocation& one : graphAllocations(input.tasks.graphMemory)) {
        const GraphMemoryRecord& begin = *one.begin;
        const std::int64_t passed = one.end == nullptr ? 0 : one.end->time - begin.time;
        const std::int64_t time = printedTime(begin.time, input.tasks.host);
        lines.push_back({"cann::" + (begin.isNamed ? begin.op : std::string()),
                         roundedKilobytes(static_cast<std::uint64_t>(begin.bytes)),
                         timeCell(time),
                         timeCell(time + passed),
                         {},
                         threeDigits(microseconds(passed)),
                         {},
                         megabytes(begin.allocated),
                         megabytes(begin.reserved),
                         {},
                         megabytes(one.end == nullptr ? 0 : one.end->allocated),
                         megabytes(one.end == nullptr ? 0 : one.end->reserved),
                         {},
                         {},
                         "NPU:" + std::to_string(begin.device)});
    }
    return lines;
}

DeliverableResult writeStaticMemory(const DeliverableInput& input) {
    std::vector<std::vector<std::string>> lines{
        {"Device_id", "Op Name", "Model Name", "Graph ID", "Node Index Start", "Node Index End", "Size(KB)"}};
    for (const StaticMemoryRecord& one : input.tasks.staticMemory)
        lines.push_back({"host", one.op, one.root, std::to_string(one.graph), std::to_string(one.lifeBegin),
                         std::to_string(one.lifeEnd), staticKilobytes(one.bytes)});
    return writeLines(input, "static_op_mem", lines);
}

}  // namespace altiscope
