#pragma once

#include "core/analysis/communication/absent_ranks.h"
#include "core/analysis/kernels/kernel_groups.h"
#include "core/compare/kernel_step_times.h"
#include "core/tables/scope/context_filter.h"
#include "core/tables/scope/rank_windows.h"
#include "core/tables/sources/column_table.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

/// How kernels are grouped.
struct OperatorGrouping {
    KernelGrouping grouping = KernelGrouping::Type;
    KernelSplit split = KernelSplit::None;
    bool operator==(const OperatorGrouping&) const = default;
};

/// Time by key of the groups, over what splits them; most time first.
struct KeyTime {
    std::uint32_t key = 0;  ///< Index in KernelGroups::keys.
    TotalTime time;
};
std::vector<KeyTime> timeByKey(const KernelGroups& groups);
/// The same by kind of core; of each the first key that has it. Empty for groups of collectives.
std::vector<KeyTime> timeByCore(const KernelGroups& groups);

/// Scope of the sums.
struct OperatorRequest {
    Scope scope;
    OperatorGrouping grouping = {};
    std::optional<Scope> base = {};  ///< Scope that it is compared with.
    bool operator==(const OperatorRequest&) const = default;
};

/// The base of a request, grouped alike.
struct OperatorBase {
    Scope scope;
    std::shared_ptr<const KernelIndex> index;
    std::shared_ptr<const KernelGroups> groups;
    KernelChanges changes;  ///< From it to the groups that are shown.
};

/// Numbers that the page shows. Constant; made on a worker.
struct OperatorNumbers {
    Scope scope;  ///< Kernels that overlap its times.
    std::shared_ptr<const KernelIndex> index;
    /// Percentiles come with the second part of the result, as does all below.
    std::shared_ptr<const KernelGroups> groups;
    /// Kernels of the AI CPU by name and shape; the groups of other cores are not shown.
    std::shared_ptr<const KernelGroups> aiCpu;
    std::optional<UnequalCounts> unequal;
    AbsentRanks absent;
    std::shared_ptr<const ColumnTable> table, aiCpuTable;  ///< Tables of the groups, see groupTable.
    std::vector<KeyTime> keys, cores;                      ///< timeByKey, timeByCore
    std::shared_ptr<const OperatorBase> base;              ///< Null without one, and in the first part of a result.
};

/// In parts: sums first, those beside the base if there is one, the rest when it is there.
/// @param known    An earlier result; indices of the same scopes are taken from it. May be null.
/// @param publish  Takes all but the last part.
/// @return Null if cancelled.
std::shared_ptr<const OperatorNumbers> operatorNumbers(
    const OperatorRequest& request, const std::shared_ptr<const OperatorNumbers>& known,
    const std::function<void(std::shared_ptr<const OperatorNumbers>)>& publish, const CancelToken& cancel);

/// Both are of the same kernels in the same groups. Not so if one is null.
bool haveSameGroups(const OperatorNumbers* numbers, const OperatorNumbers* others);

/// A core on which an operator runs that the AI Cores have no kernel for.
bool isAiCpu(std::string_view core);

}  // namespace altiscope
