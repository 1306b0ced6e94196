#include "core/report/deliverables/framework_files.h"
#include "core/report/deliverables/number_text.h"
#include "core/report/deliverables/step_rows.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr std::string_view kStepPrefix = "ProfilerStep#";
enum StepBar : std::uint8_t { kComputingBar, kCommunicationBar, kExposedBar, kFreeBar, kReceiveBar, kStepBars };

/// A bar as the vendor's program has it: microseconds.
struct BarTime {
    double begin, duration;
};
/// Bars of one device, by kind, each in the order of the file.
using DeviceBars = std::array<std::vector<BarTime>, kStepBars>;

std::optional<StepBar> barOf(const Track& track) {
    static constexpr std::pair<std::string_view, StepBar> kNames[] = {{"Computing", kComputingBar},
                                                                      {"Communication", kCommunicationBar},
                                                                      {"Communication(Not Overlapped)", kExposedBar},
                                                                      {"Free", kFreeBar}};
    if (track.kind != TrackKind::Overlap) return std::nullopt;
    for (const auto& [name, bar] : kNames) {
        if (track.thread == name) return bar;
    }
    return std::nullopt;
}

std::map<std::int64_t, DeviceBars> barsOf(const TraceStore& trace, const CancelToken& cancel) {
    std::map<std::int64_t, DeviceBars> devices;
    for (std::uint32_t t = 0; t < trace.tracks().size() && !cancel.cancelled(); ++t) {
        const Track& track = trace.track({t});
        const bool isGroup = track.kind == TrackKind::Communication && !track.thread.starts_with("Plane ");
        const auto bar = isGroup ? std::optional(kReceiveBar) : barOf(track);
        if (!bar) continue;
        const TrackExtent& extent = trace.extent({t});
        std::vector<BarTime>& bars = devices[deviceOfTrack(track)][*bar];
        for (std::uint32_t i = 0; i < extent.sliceCount; ++i) {
            const SliceIndex slice{extent.firstSlice + i};
            if (isGroup && !trace.name(slice).starts_with("hcom_receive")) continue;
            bars.push_back({printedMicroseconds(trace.begin(slice).value), microseconds(trace.duration(slice).value)});
        }
    }
    return devices;
}

/// Which bars a step has: microseconds; and when it began on the host.
struct StepWindow {
    std::string number;
    std::optional<std::pair<double, double>> range;  ///< nullopt: all times.
    std::int64_t hostBegin = 0;                      ///< ns

    bool has(const BarTime& bar) const { return !range || (bar.begin >= range->first && bar.begin < range->second); }
};

/// From the first work of a step on a device to the end of its last.
struct DeviceRange {
    std::uint32_t firstWork, lastWork;  // of the queue
    std::optional<std::int64_t> begin;
    std::int64_t end;
};

/// By the operators that no other one called.
std::unordered_map<std::uint32_t, DeviceRange> deviceRanges(const DeliverableInput& input, const FrameworkWork& work) {
    const TraceStore& trace = *input.rank.trace;
    std::vector<std::uint32_t> roots(work.operators.size());
    for (std::uint32_t i = 0; i < roots.size(); ++i) {
        const std::uint32_t parent = work.operators[i].parent;
        roots[i] = parent == FrameworkWork::kNone ? i : roots[parent];
    }
    std::unordered_map<std::uint32_t, DeviceRange> ranges;
    for (const FrameworkWork::Kernel& kernel : work.kernels) {
        const std::uint32_t root = roots[kernel.op];
        const std::int64_t end = trace.end(work.operators[root].slice).value;
        ranges.try_emplace(root, DeviceRange{kernel.work, kernel.work, std::nullopt, end}).first->second.lastWork =
            kernel.work;
    }
    for (const FrameworkWork::Kernel& kernel : work.kernels) {
        DeviceRange& range = ranges.at(roots[kernel.op]);
        const std::int64_t begin = trace.begin(kernel.slice).value;
        if (kernel.work == range.firstWork) range.begin = std::min(range.begin.value_or(begin), begin);
        if (kernel.work == range.lastWork) range.end = std::max(range.end, trace.end(kernel.slice).value);
    }
    return ranges;
}

std::vector<StepWindow> stepTimes(const DeliverableInput& input, const FrameworkWork& work) {
    std::vector<StepWindow> steps;
    for (const DeviceStep& step : deviceSteps(input, work))
        steps.push_back(
            {step.number, std::pair(printedMicroseconds(step.begin), printedMicroseconds(step.end)), step.hostBegin});
    if (!steps.empty()) return steps;
    StepWindow all;
    if (!work.operators.empty()) all.hostBegin = input.rank.trace->begin(work.operators.front().slice).value;
    steps.push_back(all);
    return steps;
}

/// A number that begins as the integer 0.
std::string barSum(double value, bool hasAny) { return hasAny ? exactText(value) : "0"; }

/// @param steps  All of them, of which the row of one is made: a bar belongs to the first one that has it.
StepRow stepRow(std::int64_t device, const std::vector<StepWindow>& steps, std::size_t number, const DeviceBars& bars) {
    const StepWindow& step = steps[number];
    const auto isOfStep = [&](const BarTime& bar) {
        return step.has(bar) && std::none_of(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(number),
                                             [&bar](const StepWindow& before) { return before.has(bar); });
    };
    std::array<double, kStepBars> sums{};
    std::array<bool, kStepBars> hasAny{};
    std::optional<double> begin, end, firstWork;
    StepRow row;
    row.device = device;
    row.step = step.number;
    for (std::size_t kind = 0; kind < kStepBars; ++kind) {
        for (const BarTime& bar : bars[kind]) {
            if (!isOfStep(bar)) continue;
            sums[kind] += bar.duration;
            hasAny[kind] = true;
            if (kind == kReceiveBar) continue;
            begin = std::min(begin.value_or(bar.begin), bar.begin);
            end = std::max(end.value_or(bar.begin + bar.duration), bar.begin + bar.duration);
            if (kind != kComputingBar && kind != kCommunicationBar) continue;
            firstWork = std::min(firstWork.value_or(bar.begin), bar.begin);
        }
    }
    row.computing = sums[kComputingBar];
    row.notOverlapped = sums[kExposedBar];
    row.communication = sums[kCommunicationBar];
    row.overlapped = row.communication - row.notOverlapped;
    row.free = sums[kFreeBar];
    row.bubble = sums[kReceiveBar];
    row.stage = end.value_or(0) - begin.value_or(0) - row.bubble;
    row.notOverlappedExcludingReceive = std::max(row.notOverlapped - row.bubble, 0.0);
    row.hasComputing = hasAny[kComputingBar];
    row.hasExposed = hasAny[kExposedBar];
    row.hasCommunication = hasAny[kCommunicationBar];
    row.hasFree = hasAny[kFreeBar];
    row.hasBubble = hasAny[kReceiveBar];
    row.hasWork = firstWork.has_value();
    if (!row.hasWork) return row;
    row.preparing = *firstWork - printedMicroseconds(step.hostBegin);
    return row;
}

}  // namespace

std::vector<HostStep> hostSteps(const TraceStore& trace, const FrameworkWork& work) {
    std::vector<HostStep> steps;
    for (std::uint32_t i = 0; i < work.operators.size(); ++i) {
        const FrameworkWork::Operator& op = work.operators[i];
        const std::string_view name = trace.name(op.slice);
        if (op.parent != FrameworkWork::kNone || name.find(kStepPrefix) == std::string_view::npos) continue;
        steps.push_back(
            {i, std::string(name.substr(name.rfind('#') + 1)), {trace.begin(op.slice), trace.end(op.slice)}});
    }
    return steps;
}

std::vector<DeviceStep> deviceSteps(const DeliverableInput& input, const FrameworkWork& work) {
    std::vector<DeviceStep> steps;
    if (input.rank.trace == nullptr) return steps;
    const std::unordered_map<std::uint32_t, DeviceRange> ranges = deviceRanges(input, work);
    for (const HostStep& step : hostSteps(*input.rank.trace, work)) {
        const auto range = ranges.find(step.op);
        const std::int64_t begin = step.range.begin.value;
        // Also one whose work no device ran.
        if (range != ranges.end())
            steps.push_back({step.number, range->second.begin.value_or(begin), range->second.end, begin});
        else if (work.operators[step.op].hasQueued && !work.kernels.empty())
            steps.push_back({step.number, begin, step.range.end.value, begin});
    }
    return steps;
}

std::vector<StepRow> stepRows(const DeliverableInput& input, const FrameworkWork& work) {
    std::vector<StepRow> rows;
    if (input.rank.trace == nullptr) return rows;
    const std::map<std::int64_t, DeviceBars> devices = barsOf(*input.rank.trace, input.cancel);
    if (devices.empty()) return rows;
    const std::vector<StepWindow> steps = stepTimes(input, work);
    for (const auto& [device, bars] : devices) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (input.cancel.cancelled()) return rows;
            const StepRow row = stepRow(device, steps, i, bars);
            if (row.hasBars()) rows.push_back(row);
        }
    }
    return rows;
}

DeliverableResult writeStepTimes(const DeliverableInput& input, const FrameworkWork& work) {
    const std::vector<StepRow> rows = stepRows(input, work);
    if (rows.empty()) return {DeliverableResult::State::Nothing};
    DeliverableFile file(input.file("step_trace_time", ".csv"), input.dialect, input.cancel);
    // MindSpore names no device.
    const auto line = [&](const std::vector<std::string>& cells) {
        file.line(std::span(cells).subspan(input.isMindSpore() ? 1 : 0));
    };
    line({"Device_id", "Step", "Computing", "Communication(Not Overlapped)", "Overlapped", "Communication", "Free",
          "Stage", "Bubble", "Communication(Not Overlapped and Exclude Receive)", "Preparing"});
    for (const StepRow& row : rows) {
        line({std::to_string(row.device), row.step, barSum(row.computing, row.hasComputing),
              barSum(row.notOverlapped, row.hasExposed), barSum(row.overlapped, row.hasCommunication || row.hasExposed),
              barSum(row.communication, row.hasCommunication), barSum(row.free, row.hasFree), exactText(row.stage),
              barSum(row.bubble, row.hasBubble),
              // A rest below 0 is the integer, too.
              barSum(row.notOverlappedExcludingReceive,
                     (row.hasExposed || row.hasBubble) && row.notOverlapped >= row.bubble),
              row.hasWork ? exactText(row.preparing) : "0"});
        if (!file.goesOn()) break;
    }
    return endDeliverable(file, input.cancel);
}

}  // namespace altiscope
