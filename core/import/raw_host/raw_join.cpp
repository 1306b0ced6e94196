#include "core/import/raw_host/raw_join.h"

#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace altiscope::reader {

namespace {

using JoinKey = std::tuple<std::uint16_t, std::uint16_t, std::uint16_t, std::uint16_t, std::uint32_t>;
JoinKey joinKeyOf(const RawHostTask& task) { return {task.device, task.stream, task.batch, task.task, task.context}; }

/// Whether a task counts as unknown: of the parts of tasks, the host knows only those that compute.
bool countsAsUnknown(const RawDeviceTask& task) {
    enum : std::uint8_t { kCore = 0, kVector = 1, kMixedCore = 6, kMixedVector = 7 };
    return !task.isSubTask || task.type == kCore || task.type == kVector || task.type == kMixedCore ||
           task.type == kMixedVector;
}

/// Whether a device has records of a task that the host gave to it.
bool isRunByDevice(const RawHostTask& task) { return task.op >= 0 || task.parts > 0; }

/// @param isRun  Of the host's tasks.
std::uint64_t countMissing(const RawHost& host, std::int64_t device, const std::vector<bool>& isRun) {
    const RawTasksOfDevice ofDevice = rawTasksOf(host, device);
    std::uint64_t missing = 0;
    for (std::size_t i = ofDevice.first; i < ofDevice.first + ofDevice.count; ++i)
        missing += !isRun[i] && isRunByDevice(host.tasks[i]) ? 1 : 0;
    return missing;
}

std::uint64_t groupKey(const RawDeviceTask& task) {
    return (std::uint64_t{task.stream} << 32) | (std::uint64_t{task.batch} << 16) | task.task;
}

std::uint64_t maxCount(std::span<const RawDeviceTask> tasks) {
    std::uint64_t max = 0;
    for (const RawDeviceTask& task : tasks) max = std::max(max, task.end);
    return max;
}

}  // namespace

RawDeviceTimes::RawDeviceTimes(const RawSettings& settings, std::span<const RawDeviceTask> tasks)
    : m_settings(settings), m_clock(settings.deviceClock()), m_isExact(settings.hasExactReals(maxCount(tasks))) {}

std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>> RawDeviceTimes::wall(
    const RawDeviceTask& task) const {
    if (m_isExact) return {m_clock.wall(task.begin), m_clock.wall(task.end)};
    const RawRealTime time = real(task);
    return {m_settings.wallOfReal(time.begin), m_settings.wallOfReal(time.begin, time.length)};
}

RawRealTime RawDeviceTimes::real(const RawDeviceTask& task) const {
    if (m_isExact) {
        static constexpr std::uint64_t kNsOfSecond = 1'000'000'000;
        const auto perCount = static_cast<double>(kNsOfSecond / m_settings.deviceHertz.value_or(1));
        const auto counts = static_cast<std::int64_t>(task.begin - m_settings.deviceCount.value_or(0));
        return {static_cast<double>(counts) * perCount, static_cast<double>(task.end - task.begin) * perCount};
    }
    const double begin = m_settings.deviceReal(task.begin);
    return {begin, m_settings.deviceReal(task.end) - begin};
}

void sortRawTasks(RawHost& host, const CancelToken& cancel) {
    // The order of tasks with one key does not matter: which of them a device ran is not known.
    parallelSort(
        std::span(host.tasks), [](const RawHostTask& a, const RawHostTask& b) { return joinKeyOf(a) < joinKeyOf(b); },
        cancel);
}

RawJoined joinRawTasks(const RawHost& host, std::int64_t device, const RawSettings& settings,
                       std::span<const RawDeviceTask> tasks, const CancelToken& cancel) {
    static constexpr std::size_t kBetweenLooks = 1024;
    RawJoined joined;
    const RawDeviceTimes times(settings, tasks);
    std::unordered_set<std::uint64_t> groups;  // of sub-tasks
    for (const RawDeviceTask& task : tasks) {
        if (task.context != kRawNoContext) groups.insert(groupKey(task));
    }
    std::vector<RawCollectiveTask> ofCollectives;
    std::vector<bool> isRun(host.tasks.size());
    joined.tasks.reserve(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (i % kBetweenLooks == 0 && cancel.cancelled()) return joined;
        const RawDeviceTask& task = tasks[i];
        const auto [begin, end] = times.wall(task);
        if (!begin || !end) {
            joined.badTimes.push_back(task.number);
            continue;
        }
        if (*end < settings.wallBegin) {
            ++joined.early;
            continue;
        }
        if (rawDeviceTypeName(task) == "UNKNOWN") {
            ++joined.nameless;
            continue;
        }
        const JoinKey key{static_cast<std::uint16_t>(device), task.stream, task.batch, task.task, task.context};
        const auto first =
            std::lower_bound(host.tasks.begin(), host.tasks.end(), key,
                             [](const RawHostTask& one, const JoinKey& k) { return joinKeyOf(one) < k; });
        const bool isKnown = first != host.tasks.end() && joinKeyOf(*first) == key;
        if (isKnown && first + 1 != host.tasks.end() && joinKeyOf(*(first + 1)) == key) {
            ++joined.ambiguous;
            for (auto one = first; one != host.tasks.end() && joinKeyOf(*one) == key; ++one)
                isRun[static_cast<std::size_t>(one - host.tasks.begin())] = true;
            continue;
        }
        if (isKnown) {
            isRun[static_cast<std::size_t>(first - host.tasks.begin())] = true;
        } else if (countsAsUnknown(task)) ++joined.unknown;
        const std::int64_t number = isKnown ? first - host.tasks.begin() : -1;
        if (isKnown && first->parts > 0)
            ofCollectives.push_back({static_cast<std::size_t>(number), *begin, *end, task.number, times.real(task)});
        const bool hasBar = task.context != kRawNoContext || groups.empty() || !groups.contains(groupKey(task));
        joined.tasks.push_back({i, *begin, *end, number, hasBar});
    }
    joined.missing = countMissing(host, device, isRun);
    joined.collectives = rawCollectives(host, ofCollectives, settings.wallBegin, cancel,
                                        rawTaskLog(settings.platform) != RawTaskLog::Hwts);
    joined.excludedParts = rawExcludedParts(host, ofCollectives);
    return joined;
}

RawTasksOfDevice rawTasksOf(const RawHost& host, std::int64_t device) {
    const std::int64_t number = static_cast<std::uint16_t>(device);  // as in keys
    const auto isBefore = [](const RawHostTask& task, std::int64_t one) { return task.device < one; };
    const auto first = std::lower_bound(host.tasks.begin(), host.tasks.end(), number, isBefore);
    const auto last = std::lower_bound(first, host.tasks.end(), number + 1, isBefore);
    return {static_cast<std::size_t>(first - host.tasks.begin()), static_cast<std::size_t>(last - first)};
}

std::vector<RawTaskBlocks> rawTaskBlocks(const RawHost& host, const RawJoined& joined, std::size_t tasks) {
    std::vector<RawTaskBlocks> blocks(tasks);
    for (const RawJoinedTask& task : joined.tasks) {
        const std::int64_t number = task.host < 0 ? -1 : host.tasks[static_cast<std::size_t>(task.host)].op;
        if (number < 0) continue;
        const RawOp& op = host.ops[static_cast<std::size_t>(number)];
        blocks[task.place] = {op.blocks, op.mixedBlocks};
    }
    return blocks;
}

RawCollectiveOrder rawCollectiveOrder(const RawHost& host, std::span<const RawCollectiveRun> runs,
                                      std::int64_t wallBegin) {
    RawCollectiveOrder drawn;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (std::size_t k = 0; k < runs[i].parts.size(); ++k) {
            const RawPartRun& part = runs[i].parts[k];
            if (host.collectiveParts[part.part].info >= 0 && part.begin >= wallBegin) drawn.parts.push_back({i, k});
        }
        if (runs[i].hasMaster && runs[i].begin >= wallBegin) drawn.runs.push_back(i);
    }
    return drawn;
}

}  // namespace altiscope::reader
