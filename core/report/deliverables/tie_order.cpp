#include "core/report/deliverables/tie_order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>

namespace altiscope {

namespace {

struct TaskGroup {
    std::uint32_t stream, task, batch;
    bool operator==(const TaskGroup&) const = default;
};
/// Whose order of a map is that of the vendor's.
struct TaskGroupHash {
    std::size_t operator()(const TaskGroup& group) const {
        return std::size_t{group.stream} ^ (std::size_t{group.task} << 1) ^ (std::size_t{group.batch} << 2);
    }
};

}  // namespace

std::vector<std::uint32_t> vendorTaskOrder(const TaskRecords& records, const std::vector<bool>& isListed) {
    std::map<std::int64_t, std::string> names;  // of devices, whose folders stand in a list of names
    for (const TaskRecords::Collection& one : records.collections)
        names.emplace(one.device, std::to_string(one.device));
    std::vector<std::uint32_t> list(records.tasks.size());
    std::iota(list.begin(), list.end(), 0U);
    std::stable_sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
        const TaskRecord &first = records.tasks[a], &second = records.tasks[b];
        if (first.device != second.device) return names[first.device] < names[second.device];
        return std::tie(first.collection, first.place) < std::tie(second.collection, second.place);
    });
    std::unordered_map<TaskGroup, std::vector<std::uint32_t>, TaskGroupHash> groups;
    groups.reserve(list.size() / 2);
    for (const std::uint32_t i : list) {
        const TaskRecord& task = records.tasks[i];
        groups[{task.stream, task.task, task.batch}].push_back(i);
    }
    std::vector<std::uint32_t> order;
    order.reserve(list.size());
    for (const auto& group : groups) {
        for (const std::uint32_t i : group.second) {
            if (isListed[i]) order.push_back(i);
        }
    }
    std::sort(order.begin(), order.end(),
              [&records](std::uint32_t a, std::uint32_t b) { return records.tasks[a].begin < records.tasks[b].begin; });
    return order;
}

void sortAsVendor(std::vector<SummaryRowPlace>& rows) {
    std::stable_sort(rows.begin(), rows.end(), [](const SummaryRowPlace& a, const SummaryRowPlace& b) {
        return std::tie(a.isCollective, a.device, a.place) < std::tie(b.isCollective, b.device, b.place);
    });
    std::sort(rows.begin(), rows.end(), [](const SummaryRowPlace& a, const SummaryRowPlace& b) {
        return std::tie(a.device, a.begin) < std::tie(b.device, b.begin);
    });
}

}  // namespace altiscope
