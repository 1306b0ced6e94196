#include "core/report/databases/step_trace.h"

#include "core/base/columns/interval_set.h"
#include "core/report/deliverables/step_rows.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace altiscope {

namespace {

struct Communication {
    TimeRange range;
    bool isReceive;
};
struct TracedWork {
    std::vector<TimeRange> kernels;
    std::vector<Communication> communication;
};

std::map<std::int64_t, TracedWork> workOf(const TaskRecords& records) {
    std::map<std::int64_t, TracedWork> devices;
    // The device of a collective is that of the tasks of its call; where these are of several it has none.
    std::unordered_map<std::int64_t, std::set<std::int64_t>> devicesOf;
    for (const TaskRecord& task : records.tasks) {
        devicesOf[task.connection].insert(task.device);
        const std::string* name = records.text(task.opName);
        if (task.hasOp && (name == nullptr || !name->ends_with("AicpuKernel")))
            devices[task.device].kernels.push_back({{task.begin}, {task.end}});
    }
    for (std::size_t i = 0; i < records.collectives.size() && i < records.collectiveDetails.size(); ++i) {
        const CollectiveDetail& detail = records.collectiveDetails[i];
        const auto found = devicesOf.find(detail.connection);
        if (found == devicesOf.end() || found->second.size() != 1) continue;
        const CollectiveRecord& record = records.collectives[i];
        devices[*found->second.begin()].communication.push_back(
            {{{record.begin}, {detail.end}}, record.name.starts_with("hcom_receive")});
    }
    return devices;
}

/// From the first to the last task that some calls of CANN launched.
class LaunchedRanges {
public:
    explicit LaunchedRanges(const TaskRecords& records) : m_records(records) {
        for (const CallRecord& call : records.calls) {
            if (call.level == kNodeLevel) m_calls.push_back({{{call.begin}, {call.end}}, call.connection});
        }
    }

    /// nullopt: they launched nothing.
    std::optional<TimeRange> of(TimeRange host) const {
        std::unordered_set<std::int64_t> connections;
        for (const auto& [range, connection] : m_calls) {
            if (range.begin >= host.begin && range.end <= host.end) connections.insert(connection);
        }
        std::optional<TimeRange> launched;
        for (const TaskRecord& task : m_records.tasks) {
            if (!connections.contains(task.connection)) continue;
            if (!launched) launched = TimeRange{{task.begin}, {task.end}};
            launched->begin.value = std::min(launched->begin.value, task.begin);
            launched->end.value = std::max(launched->end.value, task.end);
        }
        return launched;
    }

private:
    static constexpr std::uint32_t kNodeLevel = 10000;
    const TaskRecords& m_records;
    std::vector<std::pair<TimeRange, std::int64_t>> m_calls;
};

constexpr TimeRange kAllTime{{std::numeric_limits<std::int64_t>::min()}, {std::numeric_limits<std::int64_t>::max()}};

StepTraceRow rowOf(std::int64_t device, const DeviceStep& window, const TracedWork& work, const CancelToken& cancel) {
    const auto isOfStep = [&window](TimeRange range) {
        return range.begin.value >= window.begin && range.begin.value < window.end;
    };
    StepTraceRow row;
    row.device = device;
    row.step = window.number;
    std::vector<TimeRange> kernels, communication;
    std::copy_if(work.kernels.begin(), work.kernels.end(), std::back_inserter(kernels), isOfStep);
    for (const Communication& one : work.communication) {
        if (!isOfStep(one.range)) continue;
        communication.push_back(one.range);
        if (one.isReceive) row.bubble += one.range.length().value;
    }
    const IntervalSet computed = unionOf(std::move(kernels), cancel), moved = unionOf(std::move(communication), cancel);
    const IntervalSet busy = unionOf(computed, moved);
    row.computing = lengthOf(computed).value;
    row.communication = lengthOf(moved).value;
    row.notOverlapped = lengthOf(differenceOf(moved, computed)).value;
    row.overlapped = row.communication - row.notOverlapped;
    row.free = lengthOf(gapsOf(busy)).value;
    row.notOverlappedExcludingReceive = std::max<std::int64_t>(row.notOverlapped - row.bubble, 0);
    if (busy.empty()) return row;
    row.stage = busy.back().end.value - busy.front().begin.value - row.bubble;
    row.preparing = busy.front().begin.value - window.hostBegin;
    return row;
}

}  // namespace

std::vector<DeviceStep> databaseSteps(const DeliverableInput& input, const FrameworkWork& work) {
    if (input.rank.trace == nullptr) return {};
    const TraceStore& trace = *input.rank.trace;
    const LaunchedRanges launched(input.tasks);
    std::vector<DeviceStep> steps;
    for (const HostStep& step : hostSteps(trace, work)) {
        if (input.cancel.cancelled()) break;
        const TimeRange host = step.range;
        const TimeRange range = launched.of(host).value_or(host);
        steps.push_back({step.number, range.begin.value, std::max(range.end.value, host.end.value), host.begin.value});
    }
    if (!steps.empty()) return steps;
    DeviceStep all{{}, kAllTime.begin.value, kAllTime.end.value, 0};
    if (!work.operators.empty()) all.hostBegin = trace.begin(work.operators.front().slice).value;
    if (const auto tasks = launched.of(kAllTime)) all.begin = tasks->begin.value;
    steps.push_back(all);
    return steps;
}

std::vector<StepTraceRow> stepTrace(const DeliverableInput& input, std::span<const DeviceStep> steps) {
    std::vector<StepTraceRow> rows;
    for (const auto& [device, ofDevice] : workOf(input.tasks)) {
        for (const DeviceStep& step : steps) {
            if (input.cancel.cancelled()) return rows;
            rows.push_back(rowOf(device, step, ofDevice, input.cancel));
        }
    }
    return rows;
}

}  // namespace altiscope
