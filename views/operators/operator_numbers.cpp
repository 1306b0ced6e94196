#include "views/operators/operator_numbers.h"

#include "core/tables/rows/kernel_rows.h"
#include "views/operators/operator_tables.h"

#include <algorithm>
#include <map>
#include <utility>

namespace altiscope {

namespace {

void addTime(TotalTime& sum, const TotalTime& other) {
    if (other.count == 0) return;
    sum.min = sum.count == 0 ? other.min : std::min(sum.min, other.min);
    sum.max = sum.count == 0 ? other.max : std::max(sum.max, other.max);
    sum.count += other.count;
    if (__builtin_add_overflow(sum.total, other.total, &sum.total))
        sum.total = std::numeric_limits<std::int64_t>::max();
}

void sortByTime(std::vector<KeyTime>& times) {
    std::stable_sort(times.begin(), times.end(),
                     [](const KeyTime& a, const KeyTime& b) { return a.time.total > b.time.total; });
}

std::shared_ptr<const KernelIndex> indexOf(const Scope& scope, const CancelToken& cancel) {
    std::vector<FilteredKernels> selected = filteredKernels(*scope.store, scope.context, scope.marked, cancel);
    if (scope.rank)
        std::erase_if(selected, [&](const FilteredKernels& kernels) { return kernels.rank != *scope.rank; });
    return cancel.cancelled() ? nullptr : KernelIndex::make(scope.store, std::move(selected), cancel);
}

std::shared_ptr<const KernelGroups> aiCpuGroups(const std::shared_ptr<const KernelIndex>& index,
                                                const CancelToken& cancel) {
    const auto& signatures = index->signatures();
    const bool any = std::any_of(signatures.begin(), signatures.end(), [&](const KernelSignature& signature) {
        return !signature.isCollective && isAiCpu(index->text(signature.core));
    });
    // Nearly always there are none, and nothing has to be summed up.
    if (!any) return nullptr;
    auto groups = groupKernels(index, KernelGrouping::NameAndShape, KernelSplit::None, cancel);
    if (!groups) return nullptr;
    auto percentiles = withPercentiles(*groups, cancel);
    if (!percentiles) return nullptr;
    std::erase_if(percentiles->groups,
                  [&](const KernelGroup& group) { return !isAiCpu(index->text(percentiles->keys[group.key].core)); });
    percentiles->all = {};
    for (const KernelGroup& group : percentiles->groups) addTime(percentiles->all, group.time);
    return std::make_shared<const KernelGroups>(std::move(*percentiles));
}

/// The base beside the groups that are shown; null if cancelled.
std::shared_ptr<const OperatorBase> operatorBase(const OperatorRequest& request, const OperatorNumbers& shown,
                                                 const std::shared_ptr<const OperatorNumbers>& known,
                                                 const CancelToken& cancel) {
    auto base = std::make_shared<OperatorBase>();
    base->scope = *request.base;
    const bool isKnown = known != nullptr && known->base != nullptr && known->base->scope == base->scope;
    base->index = isKnown ? known->base->index : indexOf(base->scope, cancel);
    if (base->index == nullptr) return nullptr;
    auto groups = groupKernels(base->index, request.grouping.grouping, KernelSplit::None, cancel);
    if (!groups) return nullptr;
    base->groups = std::make_shared<const KernelGroups>(std::move(*groups));
    auto first = kernelStepTimes(*base->groups, cancel), second = kernelStepTimes(*shown.groups, cancel);
    if (!first || !second) return nullptr;
    base->changes = kernelChanges({base->groups, std::move(*first)}, {shown.groups, std::move(*second)});
    return base;
}

}  // namespace

bool haveSameGroups(const OperatorNumbers* numbers, const OperatorNumbers* others) {
    return numbers != nullptr && others != nullptr && numbers->index == others->index &&
           numbers->groups->grouping == others->groups->grouping && numbers->groups->split == others->groups->split;
}

bool isAiCpu(std::string_view core) { return core == "AI_CPU" || core == "AICPU"; }

std::shared_ptr<const OperatorNumbers> operatorNumbers(
    const OperatorRequest& request, const std::shared_ptr<const OperatorNumbers>& known,
    const std::function<void(std::shared_ptr<const OperatorNumbers>)>& publish, const CancelToken& cancel) {
    const Scope& scope = request.scope;
    OperatorNumbers numbers{.scope = scope,
                            .index = {},
                            .groups = {},
                            .aiCpu = {},
                            .unequal = {},
                            .absent = {},
                            .table = {},
                            .aiCpuTable = {},
                            .keys = {},
                            .cores = {},
                            .base = {}};
    const bool isKnown = known != nullptr && known->scope == scope;
    numbers.index = isKnown ? known->index : indexOf(scope, cancel);
    if (numbers.index == nullptr) return nullptr;
    if (isKnown) {
        numbers.aiCpu = known->aiCpu;
        numbers.aiCpuTable = known->aiCpuTable;
    }
    auto groups = groupKernels(numbers.index, request.grouping.grouping, request.grouping.split, cancel);
    if (!groups) return nullptr;
    numbers.groups = std::make_shared<const KernelGroups>(std::move(*groups));
    numbers.table = groupTable(*numbers.groups, nullptr);
    numbers.keys = timeByKey(*numbers.groups);
    numbers.cores = timeByCore(*numbers.groups);
    publish(std::make_shared<const OperatorNumbers>(numbers));
    if (request.base) {
        numbers.base = operatorBase(request, numbers, known, cancel);
        if (numbers.base == nullptr) return nullptr;
        numbers.table = groupTable(*numbers.groups, numbers.base.get());
        publish(std::make_shared<const OperatorNumbers>(numbers));
    }
    auto percentiles = withPercentiles(*numbers.groups, cancel);
    if (!percentiles) return nullptr;
    numbers.groups = std::make_shared<const KernelGroups>(std::move(*percentiles));
    numbers.table = groupTable(*numbers.groups, numbers.base.get());
    numbers.absent = isKnown && known->groups->hasPercentiles ? known->absent : absentRanks(*scope.store);
    numbers.unequal = unequalCounts(*numbers.groups, cancel);
    if (numbers.aiCpu == nullptr) {
        numbers.aiCpu = aiCpuGroups(numbers.index, cancel);
        if (numbers.aiCpu != nullptr) numbers.aiCpuTable = groupTable(*numbers.aiCpu, nullptr);
    }
    return cancel.cancelled() ? nullptr : std::make_shared<const OperatorNumbers>(std::move(numbers));
}

std::vector<KeyTime> timeByKey(const KernelGroups& groups) {
    std::vector<KeyTime> times(groups.keys.size());
    for (std::uint32_t key = 0; key < times.size(); ++key) times[key].key = key;
    for (const KernelGroup& group : groups.groups) addTime(times[group.key].time, group.time);
    std::erase_if(times, [](const KeyTime& time) { return time.time.count == 0; });
    sortByTime(times);
    return times;
}

std::vector<KeyTime> timeByCore(const KernelGroups& groups) {
    std::vector<KeyTime> times;
    if (isOfCollectives(groups.grouping)) return times;
    std::map<std::uint32_t, KeyTime> byCore;
    for (const KernelGroup& group : groups.groups) {
        KeyTime& time =
            byCore.try_emplace(groups.keys[group.key].core, KeyTime{.key = group.key, .time = {}}).first->second;
        addTime(time.time, group.time);
    }
    for (const auto& [core, time] : byCore) times.push_back(time);
    sortByTime(times);
    return times;
}

}  // namespace altiscope
