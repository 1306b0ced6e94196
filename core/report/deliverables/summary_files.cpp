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

namespace {

/// Which tasks the list of times leaves out: a task with sub-tasks whose first one is number 0 is listed by the
/// sub-tasks of that number only. The vendor's groups know no devices: tasks of several devices with the same numbers
/// are one.
class ListedTasks {
public:
    explicit ListedTasks(const TaskRecords& records) {
        // The first one in the order of the vendor's list: by the text of the device, then as its sort by begin left
        // them.
        std::map<std::string, std::uint32_t> places;
        for (const TaskRecords::Collection& one : records.collections) places.emplace(std::to_string(one.device), 0);
        for (std::uint32_t next = 0; auto& place : places) place.second = next++;
        std::map<std::int64_t, std::uint32_t> placeOf;
        for (const TaskRecords::Collection& one : records.collections)
            placeOf.emplace(one.device, places.at(std::to_string(one.device)));
        for (const TaskRecord& task : records.tasks) {
            if (task.context == TaskRecord::kNone) continue;
            const First own(placeOf[task.device], task.place, task.context);
            const auto [first, isNew] = m_firstSubTasks.try_emplace(groupOf(task), own);
            if (!isNew) first->second = std::min(first->second, own);
        }
    }

    bool holds(const TaskRecord& task) const {
        if (m_firstSubTasks.empty()) return true;
        const auto first = m_firstSubTasks.find(groupOf(task));
        return first == m_firstSubTasks.end() || std::get<2>(first->second) != 0 || task.context == 0;
    }

private:
    using GroupKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    using First = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // places of device and task, number

    static GroupKey groupOf(const TaskRecord& task) { return {task.stream, task.task, task.batch}; }

    std::map<GroupKey, First> m_firstSubTasks;
};

/// Sorts tasks by begin, whichever device they ran on; those of one begin as the vendor's list has them.
void sortByBegin(std::vector<std::uint32_t>& order, const TaskRecords& records, const CancelToken& cancel) {
    parallelSort(
        std::span(order),
        [&records](std::uint32_t a, std::uint32_t b) {
            return std::tuple(records.tasks[a].begin, a) < std::tuple(records.tasks[b].begin, b);
        },
        cancel);
    const auto areOne = [&records](std::uint32_t a, std::uint32_t b) {
        return records.tasks[a].begin == records.tasks[b].begin;
    };
    if (records.tasks.size() > kMaxRowsInVendorOrder ||
        std::adjacent_find(order.begin(), order.end(), areOne) == order.end())
        return;
    std::vector<bool> isListed(records.tasks.size());
    for (const std::uint32_t i : order) isListed[i] = true;
    order = vendorTaskOrder(records, isListed);
}

void addTaskTime(const TaskRecords& records, const TaskRecord& task, CellText& cells) {
    const auto textOf = [&records](std::uint32_t place) {
        const std::string* text = records.text(place);
        return text == nullptr ? kAbsentText : std::string_view(*text);
    };
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
}

}  // namespace

DeliverableResult writeTaskTimes(const DeliverableInput& input) {
    const TaskRecords& records = input.tasks;
    if (records.tasks.empty()) return {DeliverableResult::State::Nothing};
    const ListedTasks listed(records);
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < records.tasks.size(); ++i) {
        if (i % kTasksPerLook == 0 && input.cancel.cancelled()) return {DeliverableResult::State::Cancelled};
        if (listed.holds(records.tasks[i])) order.push_back(i);
    }
    DeliverableTable table(input, "task_time",
                           {"Device_id", "kernel_name", "kernel_type", "stream_id", "task_id", "task_time(us)",
                            "task_start(us)", "task_stop(us)"},
                           order.size());
    sortByBegin(order, records, input.cancel);
    table.lines(order.size(),
                [&](std::size_t i, CellText& cells) { addTaskTime(records, records.tasks[order[i]], cells); });
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

namespace {

/// The calls of CANN in a trace, by level and name.
class ApiCalls {
public:
    struct Calls {
        std::string_view word;
        Durations durations;
        double sum = 0, variance = 0;  ///< us, added up as the vendor's program does.

        double mean() const { return rounded(sum); }
        double meanVariance() const { return rounded(variance); }

    private:
        /// Halves go up as the product has them: 0.0625 becomes 0.063.
        double rounded(double all) const {
            return std::round(all / static_cast<double>(durations.count) * 1000) / 1000;
        }
    };
    using Key = std::pair<std::string_view, int>;  ///< Name and number of the level.

    ApiCalls(const TraceStore& trace, const CancelToken& cancel) : m_trace(trace), m_cancel(cancel) {
        forEachCall([](Calls& calls, std::int64_t ns) {
            calls.durations.add(ns);
            calls.sum += microseconds(ns);
        });
        forEachCall([](Calls& calls, std::int64_t ns) {
            const double distance = microseconds(ns) - calls.mean();
            calls.variance += distance * distance;
        });
    }

    const std::map<Key, Calls>& all() const { return m_calls; }

private:
    /// Null: of another level.
    Calls* callsOf(SliceIndex slice) {
        // Numbers of the levels, and their words; calls of other levels have neither.
        struct Level {
            std::string_view prefix, word;
            int number;
        };
        static constexpr Level kLevels[] = {{"AscendCL@", "acl", 20000},   {"Model@", "model", 15000},
                                            {"Node@", "node", 10000},      {"Communication@", "communication", 5500},
                                            {"Runtime@", "runtime", 5000}, {"Api@", "", 0}};
        const auto [known, isNew] = m_byName.try_emplace(m_trace.nameId(slice).value, nullptr);
        if (!isNew) return known->second;
        const std::string_view name = m_trace.name(slice);
        for (const Level& level : kLevels) {
            if (!name.starts_with(level.prefix)) continue;
            known->second = &m_calls[{name.substr(level.prefix.size()), level.number}];
            known->second->word = level.word;
            break;
        }
        return known->second;
    }

    template <class Take>
    void forEachCall(const Take& take) {
        std::size_t looks = 0;
        for (std::uint32_t t = 0; t < m_trace.tracks().size(); ++t) {
            if (m_trace.track({t}).kind != TrackKind::Cann) continue;
            const TrackExtent& extent = m_trace.extent({t});
            for (std::uint32_t i = 0; i < extent.sliceCount; ++i) {
                if (++looks % kTasksPerLook == 0 && m_cancel.cancelled()) return;
                const SliceIndex slice{extent.firstSlice + i};
                if (Calls* found = callsOf(slice)) take(*found, m_trace.duration(slice).value);
            }
        }
    }

    const TraceStore& m_trace;
    const CancelToken& m_cancel;
    std::map<Key, Calls> m_calls;
    std::map<std::uint32_t, Calls*> m_byName;  // by the id of the slice's name
};

}  // namespace

DeliverableResult writeApiStatistic(const DeliverableInput& input) {
    if (input.rank.trace == nullptr) return {DeliverableResult::State::Nothing};
    const ApiCalls calls(*input.rank.trace, input.cancel);
    if (input.cancel.cancelled()) return {DeliverableResult::State::Cancelled};
    if (calls.all().empty()) return {DeliverableResult::State::Nothing};
    Lines lines{{"Device_id", "Level", "API Name", "Time(us)", "Count", "Avg(us)", "Min(us)", "Max(us)", "Variance"}};
    const bool isOlder = input.tasks.isOlder();
    const std::string place = isOlder ? std::to_string(input.tasks.collections.front().device) : "host";
    const auto cell = [isOlder](double us) {
        std::string text = trimmedText(us);
        return isOlder && text.find('.') == std::string::npos ? text + ".0" : text;
    };
    for (const auto& [key, one] : calls.all()) {
        const Durations& durations = one.durations;
        lines.push_back({place, std::string(one.word), std::string(key.first), cell(microseconds(durations.total)),
                         std::to_string(durations.count), cell(one.mean()), cell(microseconds(durations.min)),
                         cell(microseconds(durations.max)), cell(one.meanVariance())});
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
