#include "core/report/deliverables/summary_files.h"

#include "core/base/threads/parallel_sort.h"
#include "core/report/deliverables/number_text.h"
#include "core/report/deliverables/tie_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

using Lines = std::vector<std::vector<std::string>>;

constexpr std::string_view kAbsentText = "N/A";
constexpr std::size_t kTasksPerLook = 1024;
constexpr double kNsOfUs = 1000;

std::string recordText(const TaskRecords& records, std::uint32_t place) {
    const std::string* text = records.text(place);
    return text == nullptr ? std::string(kAbsentText) : *text;
}

/// When the collection of a task began; a rank may have several PROF folders.
std::int64_t collectionBegin(const TaskRecords& records, const TaskRecord& task) {
    return task.collection < records.collections.size() ? records.collections[task.collection].wall
                                                        : std::numeric_limits<std::int64_t>::min();
}

/// Durations of one kind of thing, in ns.
struct Durations {
    std::int64_t count = 0, total = 0, min = std::numeric_limits<std::int64_t>::max(), max = 0;
    void add(std::int64_t ns) {
        ++count;
        total += ns;
        min = std::min(min, ns);
        max = std::max(max, ns);
    }
};
using DurationKey = std::pair<std::string, std::string>;

/// Durations that may have fractions of ns.
struct ExactDurations {
    std::int64_t count = 0;
    double total = 0, min = std::numeric_limits<double>::max(), max = 0;
    bool isWhole = true;
    void add(double ns) {
        ++count;
        total += ns;
        min = std::min(min, ns);
        max = std::max(max, ns);
        isWhole = isWhole && ns == std::trunc(ns);
    }
    void add(const ExactDurations& other) {
        count += other.count;
        total += other.total;
        min = std::min(min, other.min);
        max = std::max(max, other.max);
        isWhole = isWhole && other.isWhole;
    }
    /// A division of whole ns, as in the vendor's query, where all are.
    double mean() const {
        const double exact = total / static_cast<double>(count);
        return isWhole ? std::trunc(exact) : exact;
    }
};

/// ns as the vendor's database rounds microseconds, without zeros at the end; its older program keeps one decimal.
std::string statisticText(double ns, bool isOlder) {
    std::string text = roundedText(ns / kNsOfUs);
    return text.ends_with(".0") && !isOlder ? text.substr(0, text.size() - 2) : text;
}

/// Percent, rounded to some digits before it is rounded as statisticText does it.
std::string shareText(double part, double all, int digits) {
    static constexpr double kThousand = 1000;
    if (all == 0) return "0";
    return statisticText(numberOf(fixedText(part / all * 100, digits)) * kThousand, false);
}

template <class Sums>
std::vector<std::pair<DurationKey, Sums>> byTotal(const std::map<DurationKey, Sums>& groups) {
    std::vector<std::pair<DurationKey, Sums>> sorted(groups.begin(), groups.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.total > b.second.total; });
    return sorted;
}

template <class Sums>
auto sumOf(const std::map<DurationKey, Sums>& groups) {
    decltype(Sums::total) sum = 0;
    for (const auto& [key, durations] : groups) sum += durations.total;
    return sum;
}

}  // namespace

DeliverableResult writeTaskTimes(const DeliverableInput& input) {
    const TaskRecords& records = input.tasks;
    if (records.tasks.empty()) return {DeliverableResult::State::Nothing};
    // A task with sub-tasks whose first one is number 0 is listed by the sub-tasks of that number only. The vendor's
    // groups know no devices: tasks of several devices with the same numbers are one.
    using GroupKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    const auto groupOf = [](const TaskRecord& task) { return GroupKey{task.stream, task.task, task.batch}; };
    // The first one in the order of the vendor's list: by the text of the device, then as its sort by begin left them.
    using First = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // places of device and task, number
    std::map<std::string, std::uint32_t> places;
    for (const TaskRecords::Collection& one : records.collections) places.emplace(std::to_string(one.device), 0);
    for (std::uint32_t next = 0; auto& place : places) place.second = next++;
    std::map<std::int64_t, std::uint32_t> placeOf;
    for (const TaskRecords::Collection& one : records.collections)
        placeOf.emplace(one.device, places.at(std::to_string(one.device)));
    std::map<GroupKey, First> firstSubTasks;
    for (const TaskRecord& task : records.tasks) {
        if (task.context == TaskRecord::kNone) continue;
        const First own(placeOf[task.device], task.place, task.context);
        const auto [first, isNew] = firstSubTasks.try_emplace(groupOf(task), own);
        if (!isNew) first->second = std::min(first->second, own);
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < records.tasks.size(); ++i) {
        if (i % kTasksPerLook == 0 && input.cancel.cancelled()) return {DeliverableResult::State::Cancelled};
        const TaskRecord& task = records.tasks[i];
        if (!firstSubTasks.empty()) {
            const auto first = firstSubTasks.find(groupOf(task));
            if (first != firstSubTasks.end() && std::get<2>(first->second) == 0 && task.context != 0) continue;
        }
        order.push_back(i);
    }
    DeliverableTable table(input, "task_time",
                           {"Device_id", "kernel_name", "kernel_type", "stream_id", "task_id", "task_time(us)",
                            "task_start(us)", "task_stop(us)"},
                           order.size());
    // By begin, whichever device they ran on.
    parallelSort(
        std::span(order),
        [&records](std::uint32_t a, std::uint32_t b) {
            return std::tuple(records.tasks[a].begin, a) < std::tuple(records.tasks[b].begin, b);
        },
        input.cancel);
    const auto areOne = [&records](std::uint32_t a, std::uint32_t b) {
        return records.tasks[a].begin == records.tasks[b].begin;
    };
    if (records.tasks.size() <= kMaxRowsInVendorOrder &&
        std::adjacent_find(order.begin(), order.end(), areOne) != order.end()) {
        std::vector<bool> isListed(records.tasks.size());
        for (const std::uint32_t i : order) isListed[i] = true;
        order = vendorTaskOrder(records, isListed);
    }
    const auto textOf = [&records](std::uint32_t place) {
        const std::string* text = records.text(place);
        return text == nullptr ? kAbsentText : std::string_view(*text);
    };
    table.lines(order.size(), [&](std::size_t i, CellText& cells) {
        const TaskRecord& task = records.tasks[order[i]];
        cells.number(task.device);
        cells.text(textOf(task.kernelName));
        cells.text(textOf(task.type));
        cells.number(task.stream);
        cells.number(task.task);
        if (records.isOlder() && task.collection < records.collections.size()) {
            const TaskRecords::Collection& collection = records.collections[task.collection];
            cells.exact(microseconds(static_cast<std::int64_t>(task.duration)));
            cells.time(printedTime(task.begin, collection));
            cells.time(printedTime(task.end, collection));
            return;
        }
        cells.microseconds(static_cast<std::int64_t>(task.duration));
        cells.time(task.begin);
        cells.time(task.end);
    });
    return table.end();
}

DeliverableResult writeOpStatistic(const DeliverableInput& input) {
    // Digits of the shares in the vendor's table.
    static constexpr int kOperatorDigits = 6;
    const TaskRecords& records = input.tasks;
    if (records.isLevelZero) return {DeliverableResult::State::Nothing};
    std::map<std::tuple<std::int64_t, std::uint32_t, std::uint32_t>, ExactDurations> sums;  // by device, type and core
    for (std::size_t i = 0; i < records.tasks.size(); ++i) {
        if (i % kTasksPerLook == 0 && input.cancel.cancelled()) return {DeliverableResult::State::Cancelled};
        const TaskRecord& task = records.tasks[i];
        if (!task.hasOp) continue;
        // A task that began before the collection is in no sum.
        if (task.begin <= collectionBegin(records, task)) continue;
        sums[{task.device, task.opType, task.opCore}].add(task.duration);
    }
    std::map<std::string, std::map<DurationKey, ExactDurations>> devices;  // as their folders stand in a list of names
    for (const auto& [key, durations] : sums) {
        const auto& [device, type, core] = key;
        const std::string name = recordText(records, core);
        if (name != "COMMUNICATION" && name != "HCCL_AI_CPU")
            devices[std::to_string(device)][{recordText(records, type), name}].add(durations);
    }
    if (devices.empty()) return {DeliverableResult::State::Nothing};
    Lines lines{{"Device_id", "OP Type", "Core Type", "Count", "Total Time(us)", "Min Time(us)", "Avg Time(us)",
                 "Max Time(us)", "Ratio(%)"}};
    using Line = std::pair<double, std::vector<std::string>>;  // with the total
    std::vector<Line> sorted;
    for (const auto& [device, groups] : devices) {
        const double all = sumOf(groups);
        for (const auto& [key, one] : byTotal(groups)) {
            const auto& [type, core] = key;
            if (type == kAbsentText || core == "WRITE_BACK" || core == "INVALID") continue;
            sorted.emplace_back(one.total, std::vector<std::string>{device, type, core, std::to_string(one.count),
                                                                    statisticText(one.total, records.isOlder()),
                                                                    statisticText(one.min, records.isOlder()),
                                                                    statisticText(one.mean(), records.isOlder()),
                                                                    statisticText(one.max, records.isOlder()),
                                                                    shareText(one.total, all, kOperatorDigits)});
        }
    }
    // Not stable, as the vendor's program sorts: so rows of one total come in the same order.
    std::sort(sorted.begin(), sorted.end(), [](const Line& a, const Line& b) { return a.first > b.first; });
    for (Line& line : sorted) lines.push_back(std::move(line.second));
    return writeLines(input, "op_statistic", lines);
}

DeliverableResult writeApiStatistic(const DeliverableInput& input) {
    if (input.rank.trace == nullptr) return {DeliverableResult::State::Nothing};
    const TraceStore& trace = *input.rank.trace;
    // Numbers of the levels, and their words; calls of other levels have neither.
    struct Level {
        std::string_view prefix, word;
        int number;
    };
    static constexpr Level kLevels[] = {{"AscendCL@", "acl", 20000},   {"Model@", "model", 15000},
                                        {"Node@", "node", 10000},      {"Communication@", "communication", 5500},
                                        {"Runtime@", "runtime", 5000}, {"Api@", "", 0}};
    struct Calls {
        std::string_view word;
        Durations durations;
        double sum = 0, variance = 0;  ///< us, added up as the vendor's program does.
    };
    using Key = std::pair<std::string_view, int>;
    std::map<Key, Calls> calls;
    std::map<std::uint32_t, Calls*> byName;  // by the id of the slice's name
    const auto callsOf = [&](SliceIndex slice) {
        const auto [known, isNew] = byName.try_emplace(trace.nameId(slice).value, nullptr);
        if (!isNew) return known->second;
        const std::string_view name = trace.name(slice);
        for (const Level& level : kLevels) {
            if (!name.starts_with(level.prefix)) continue;
            known->second = &calls[{name.substr(level.prefix.size()), level.number}];
            known->second->word = level.word;
            break;
        }
        return known->second;
    };
    const auto each = [&](const auto& take) {
        std::size_t looks = 0;
        for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
            if (trace.track({t}).kind != TrackKind::Cann) continue;
            const TrackExtent& extent = trace.extent({t});
            for (std::uint32_t i = 0; i < extent.sliceCount; ++i) {
                if (++looks % kTasksPerLook == 0 && input.cancel.cancelled()) return;
                const SliceIndex slice{extent.firstSlice + i};
                if (Calls* found = callsOf(slice)) take(*found, trace.duration(slice).value);
            }
        }
    };
    // Halves go up as the product has them: 0.0625 becomes 0.063.
    const auto meanOf = [](double sum, const Calls& one) {
        return std::round(sum / static_cast<double>(one.durations.count) * 1000) / 1000;
    };
    each([](Calls& found, std::int64_t ns) {
        found.durations.add(ns);
        found.sum += microseconds(ns);
    });
    each([&](Calls& found, std::int64_t ns) {
        const double distance = microseconds(ns) - meanOf(found.sum, found);
        found.variance += distance * distance;
    });
    if (input.cancel.cancelled()) return {DeliverableResult::State::Cancelled};
    if (calls.empty()) return {DeliverableResult::State::Nothing};
    Lines lines{{"Device_id", "Level", "API Name", "Time(us)", "Count", "Avg(us)", "Min(us)", "Max(us)", "Variance"}};
    const bool isOlder = input.tasks.isOlder();
    const std::string place = isOlder ? std::to_string(input.tasks.collections.front().device) : "host";
    const auto cell = [isOlder](double us) {
        std::string text = trimmedText(us);
        return isOlder && text.find('.') == std::string::npos ? text + ".0" : text;
    };
    for (const auto& [key, one] : calls) {
        const Durations& durations = one.durations;
        lines.push_back({place, std::string(one.word), std::string(key.first), cell(microseconds(durations.total)),
                         std::to_string(durations.count), cell(meanOf(one.sum, one)), cell(microseconds(durations.min)),
                         cell(microseconds(durations.max)), cell(meanOf(one.variance, one))});
    }
    return writeLines(input, "api_statistic", lines);
}

DeliverableResult writeCommunicationStatistic(const DeliverableInput& input) {
    static constexpr int kShareDigits = 15;
    const TaskRecords& records = input.tasks;
    if (records.isLevelZero) return {DeliverableResult::State::Nothing};
    struct Device {
        std::map<DurationKey, ExactDurations> groups;
        bool isAnyTyped = false;  ///< Else the vendor's program counts nothing of it.
    };
    std::map<std::string, Device> devices;  // as their folders stand in a list of names
    bool isAnyTyped = false;
    for (const CollectiveRecord& one : records.collectives) {
        const bool isTyped = one.type != CollectiveRecord::kNoType;
        Device& device = devices[std::to_string(one.device)];
        device.isAnyTyped = device.isAnyTyped || isTyped;
        isAnyTyped = isAnyTyped || isTyped;
        device.groups[{recordText(records, one.type), {}}].add(one.length);
    }
    if (!isAnyTyped) return {DeliverableResult::State::Nothing};
    Lines lines{{"Device_id", "OP Type", "Count", "Total Time(us)", "Min Time(us)", "Avg Time(us)", "Max Time(us)",
                 "Ratio(%)"}};
    std::vector<std::pair<double, std::vector<std::string>>> sorted;  // with the total
    for (const auto& [name, device] : devices) {
        if (!device.isAnyTyped) continue;
        const double all = sumOf(device.groups);
        for (const auto& [key, one] : byTotal(device.groups)) {
            const double mean = one.total / static_cast<double>(one.count);
            sorted.emplace_back(
                one.total, std::vector<std::string>{
                               name, key.first, std::to_string(one.count), statisticText(one.total, records.isOlder()),
                               statisticText(one.min, records.isOlder()), statisticText(mean, records.isOlder()),
                               statisticText(one.max, records.isOlder()), shareText(one.total, all, kShareDigits)});
        }
    }
    // Those of all devices together.
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto& line : sorted) lines.push_back(std::move(line.second));
    return writeLines(input, "communication_statistic", lines);
}

}  // namespace altiscope
