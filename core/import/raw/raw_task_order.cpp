#include "core/import/raw/raw_task_order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace altiscope::reader {

namespace {

/// Longer lists are not compared row by row, and would cost more than they tell.
constexpr std::size_t kMaxListedTasks = std::size_t{1} << 20;

struct ListedTask {
    std::uint32_t task, stream, context, batch;
    std::uint64_t number;      ///< Among tasks of one key: by begin.
    double begin;              ///< kNotRun: no device ran it.
    std::uint32_t joined;      ///< Place in RawJoined::tasks; kNoPlace: it is not there.
    bool isAmbiguous = false;  ///< Several tasks of the host have its key.
    auto key() const { return std::tie(task, stream, context, batch); }
};
constexpr std::uint32_t kNoPlace = 0xffffffff;
constexpr double kNotRun = std::numeric_limits<double>::lowest();

bool haveOneBegin(const RawJoined& joined) {
    return std::adjacent_find(joined.tasks.begin(), joined.tasks.end(),
                              [](const auto& a, const auto& b) { return a.begin == b.begin; }) != joined.tasks.end();
}

}  // namespace

std::vector<std::uint32_t> rawTaskPlaces(const RawHost& host, const RawOrderedTasks& of, const CancelToken& cancel) {
    const auto& [device, tasks, joined, times] = of;
    std::vector<std::uint32_t> places(joined.tasks.size());
    std::iota(places.begin(), places.end(), 0U);
    const RawTasksOfDevice ofDevice = rawTasksOf(host, device);
    const auto hostTask = [&](std::size_t i) -> const RawHostTask& { return host.tasks[ofDevice.first + i]; };
    if (tasks.size() + ofDevice.count > kMaxListedTasks || !haveOneBegin(joined)) return places;
    std::vector<ListedTask> list;
    list.reserve(tasks.size() + ofDevice.count);
    std::vector<std::uint32_t> joinedOf(tasks.size(), kNoPlace);
    for (std::uint32_t i = 0; i < joined.tasks.size(); ++i) joinedOf[joined.tasks[i].place] = i;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const RawDeviceTask& task = tasks[i];
        list.push_back({task.task, task.stream, task.context, task.batch, i, times.real(task).begin, joinedOf[i]});
    }
    const auto isBefore = [](const ListedTask& a, const ListedTask& b) {
        return std::tuple_cat(a.key(), std::tie(a.number)) < std::tuple_cat(b.key(), std::tie(b.number));
    };
    std::sort(list.begin(), list.end(), isBefore);
    if (cancel.cancelled()) return places;
    // Tasks of the host: those that ran are there already, those of a key that several have are left out.
    std::vector<ListedTask> notRun;
    for (std::size_t i = 0, next = 0; i < ofDevice.count; i = next) {
        const RawHostTask& one = hostTask(i);
        const auto isSame = [&one](const RawHostTask& other) {
            return one.stream == other.stream && one.batch == other.batch && one.task == other.task &&
                   one.context == other.context;
        };
        for (next = i + 1; next < ofDevice.count && isSame(hostTask(next));) ++next;
        const ListedTask key{one.task, one.stream, one.context, one.batch, 0, kNotRun, kNoPlace};
        const auto [first, last] = std::equal_range(list.begin(), list.end(), key,
                                                    [](const auto& a, const auto& b) { return a.key() < b.key(); });
        if (first == last) notRun.insert(notRun.end(), next - i, key);
        else if (next - i > 1) std::for_each(first, last, [](ListedTask& task) { task.isAmbiguous = true; });
    }
    std::erase_if(list, [](const ListedTask& task) { return task.isAmbiguous; });
    list.insert(list.end(), notRun.begin(), notRun.end());
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.key() < b.key(); });
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::uint32_t next = 0;
    for (const ListedTask& one : list) {
        if (one.joined != kNoPlace) places[one.joined] = next++;
    }
    return places;
}

std::vector<std::uint32_t> rawCollectivePlaces(const RawHost& host, std::int64_t device,
                                               std::span<const RawCollectiveRun> runs) {
    std::vector<std::uint32_t> places(runs.size());
    std::iota(places.begin(), places.end(), 0U);
    if (runs.size() > kMaxListedTasks) return places;
    // The order of this kind of map is the order of the vendor's rows.
    std::unordered_map<std::string, std::uint32_t> byName;
    std::string unknown;
    for (std::uint32_t i = 0; i < runs.size(); ++i)
        byName.try_emplace(runs[i].name + '_' + std::string(host.texts.text(runs[i].group, unknown)) + '_' +
                               std::to_string(device),
                           i);
    std::uint32_t next = 0;
    for (const auto& [name, run] : byName) places[run] = next++;
    return places;
}

}  // namespace altiscope::reader
