#include "core/report/deliverables/counter_files.h"

#include "core/report/deliverables/number_text.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

using CounterLines = std::vector<std::vector<std::string>>;

constexpr const char* kNoCounter = "N/A";

/// A real in a column without a type: whole numbers have no decimals.
std::string pythonNumber(double value) {
    std::string text = exactText(value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
}

/// The vendor's program takes the first duration the wrong way round, and without a sign.
std::string negativeText(std::int64_t ns) {
    static constexpr std::uint64_t kNsOfUs = 1000;
    const auto value = -static_cast<std::uint64_t>(ns);
    const std::string rest = std::to_string(value % kNsOfUs);
    return std::to_string(value / kNsOfUs) + '.' + std::string(3 - rest.size(), '0') + rest;
}

std::string nameCell(const std::string& name) { return name.empty() ? kNoCounter : name; }

/// The column of names is there if the host described any operator.
bool hasNames(const DeliverableInput& input) {
    const auto& samples = input.tasks.samples;
    return std::any_of(samples.begin(), samples.end(), [](const DeviceSamples& one) { return one.hasOperators; });
}

/// @param cells  (device, record): those of the two shares.
template <class Cells>
CounterLines shareLines(const DeliverableInput& input, std::vector<std::string> header,
                        std::vector<TaskShares> DeviceSamples::*list, const Cells& cells) {
    const bool isNamed = hasNames(input);
    if (isNamed) header.emplace_back("Op Name");
    CounterLines lines{std::move(header)};
    for (const DeviceSamples& device : input.tasks.samples) {
        for (const TaskShares& one : device.*list) {
            const auto [hits, others] = cells(device, one);
            lines.push_back(
                {std::to_string(device.device), std::to_string(one.stream), std::to_string(one.task), hits, others});
            if (isNamed) lines.back().push_back(nameCell(one.op));
        }
    }
    return lines;
}

}  // namespace

DeliverableResult writeL2Cache(const DeliverableInput& input) {
    return writeLines(input, "l2_cache",
                      shareLines(input, {"Device_id", "Stream Id", "Task Id", "Hit Rate", "Victim Rate"},
                                 &DeviceSamples::caches, [](const DeviceSamples& device, const TaskShares& one) {
                                     return std::pair(device.knowsHits ? exactText(one.hits) : std::string(kNoCounter),
                                                      exactText(one.others));
                                 }));
}

DeliverableResult writeTranslations(const DeliverableInput& input) {
    return writeLines(input, "soc_pmu",
                      shareLines(input, {"Device_id", "Stream Id", "Task Id", "TLB Hit Rate", "TLB Miss Rate"},
                                 &DeviceSamples::translations, [](const DeviceSamples&, const TaskShares& one) {
                                     return std::pair(pythonNumber(one.hits), pythonNumber(one.others));
                                 }));
}

DeliverableResult writePageFaults(const DeliverableInput& input) {
    CounterLines lines{{"Device Id", "Stream Id", "Task Id", "Page Fault Num", "Op Name"}};
    for (const DeviceSamples& device : input.tasks.samples) {
        for (const TaskPageFaults& one : device.pageFaults)
            lines.push_back({std::to_string(device.device), std::to_string(one.stream), std::to_string(one.task),
                             std::to_string(one.faults), nameCell(one.op)});
    }
    return writeLines(input, "page_fault", lines);
}

DeliverableResult writeAicpuKernels(const DeliverableInput& input) {
    CounterLines lines{{"Device_id", "Timestamp(us)", "Node", "Compute_time(us)", "Memcpy_time(us)", "Task_time(us)",
                        "Dispatch_time(us)", "Total_time(us)", "Stream ID", "Task ID"}};
    for (const DeviceSamples& device : input.tasks.samples) {
        for (const AicpuKernel& one : device.aicpuKernels) {
            if (one.begin < device.begin) continue;
            const auto cell = [](double value) { return exactText(pythonRounded(value)); };
            lines.push_back({std::to_string(device.device),
                             timeCell(printedTime(one.begin, input.tasks, device.device)), nameCell(one.op),
                             cell(one.compute), cell(one.copy), cell(one.run), cell(one.dispatch), cell(one.total),
                             std::to_string(one.stream), std::to_string(one.task)});
        }
    }
    return writeLines(input, input.dialect == Dialect::Torch ? "data_preprocess" : "aicpu", lines);
}

DeliverableResult writeQueueActions(const DeliverableInput& input) {
    CounterLines lines{{"Device_id", "Timestamp(us)", "Action", "Source", "Cached Buffer Size"}};
    for (const DeviceSamples& device : input.tasks.samples) {
        for (const QueueAction& one : device.queueActions)
            lines.push_back({std::to_string(device.device),
                             one.isOld ? exactText(printedMicroseconds(one.time)) : microsecondsText(one.time),
                             one.action, one.source, std::to_string(one.size)});
    }
    return writeLines(input, "dp", lines);
}

DeliverableResult writeQueueWaits(const DeliverableInput& input) {
    CounterLines lines{{"Device_id", "Node Name", "Start Time(us)", "End Time(us)", "Queue Size"}};
    for (const DeviceSamples& device : input.tasks.samples) {
        for (const QueueWait& one : device.queueWaits) {
            const auto cell = [](std::uint64_t value) { return exactText(static_cast<double>(value)); };
            lines.push_back(
                {std::to_string(device.device), one.name, cell(one.begin), cell(one.end), std::to_string(one.size)});
        }
    }
    return writeLines(input, "aicpu_mi", lines);
}

DeliverableResult writeIterations(const DeliverableInput& input) {
    using Key = std::pair<std::uint32_t, std::int64_t>;
    // By model and end: those of all devices, as the vendor's program finds them.
    std::map<Key, std::vector<const ReductionRecord*>> reductions;
    for (const DeviceSamples& device : input.tasks.samples) {
        if (device.hasEqualReductions) continue;
        for (const ReductionRecord& one : device.reductions) reductions[{one.model, one.iterationEnd}].push_back(&one);
    }
    std::size_t most = 0;
    for (const auto& [key, list] : reductions) most = std::max(most, list.size());
    CounterLines lines{{"Device_id", "Iteration ID", "FP Start(us)", "BP End(us)", "Iteration End(us)",
                        "Iteration Time(us)", "FP to BP Time(us)", "Iteration Refresh(us)", "Data Aug Bound(us)",
                        "Model ID"}};
    for (std::size_t i = 0; i < most; ++i) {
        lines.front().emplace_back("Reduce Start(us)");
        lines.front().emplace_back("Reduce Duration(us)");
    }
    for (const DeviceSamples& device : input.tasks.samples) {
        for (const IterationRecord& one : device.iterations) {
            lines.push_back({std::to_string(device.device), std::to_string(one.index), timeCell(one.forward),
                             timeCell(one.backward), timeCell(one.end), microsecondsText(one.length),
                             microsecondsText(one.passes), microsecondsText(one.refresh), microsecondsText(one.wait),
                             std::to_string(one.model)});
            std::vector<std::string>& cells = lines.back();
            const auto found = reductions.find({one.model, one.end});
            const std::size_t known = found == reductions.end() ? 0 : found->second.size();
            for (std::size_t i = 0; i < known; ++i) {
                const ReductionRecord& reduction = *found->second[i];
                cells.push_back(timeCell(reduction.begin));
                cells.push_back(i == 0 ? negativeText(reduction.end - reduction.begin)
                                       : microsecondsText(reduction.end - reduction.begin));
            }
            // One cell each, not two.
            cells.insert(cells.end(), most - known, kNoCounter);
        }
    }
    return writeLines(input, "step_trace", lines);
}

}  // namespace altiscope
