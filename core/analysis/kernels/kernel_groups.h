#pragma once

#include "core/analysis/kernels/kernel_index.h"
#include "core/analysis/kernels/operator_totals.h"
#include "core/base/values/cancel.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// What makes kernels a group. The first four take those that are no collectives, the others collectives.
enum class KernelGrouping : std::uint8_t {
    Name,          ///< with type and core
    Type,          ///< with core: the rows of the profiler's op_statistic
    NameAndShape,  ///< with type and core
    Core,
    CollectiveName,  ///< with type
    CollectiveType,
};
constexpr bool isOfCollectives(KernelGrouping grouping) {
    return grouping == KernelGrouping::CollectiveName || grouping == KernelGrouping::CollectiveType;
}

/// What parts each group further.
enum class KernelSplit : std::uint8_t { None, Step, Rank };

/// Kernels that have one key (and one step or rank, where the groups are split). Times in ns.
struct KernelGroup {
    std::uint32_t key = 0;             ///< Index in KernelGroups::keys.
    std::optional<std::int64_t> step;  ///< With KernelSplit::Step; nullopt: the kernels without one.
    std::uint32_t part = 0;            ///< With KernelSplit::Rank: index in KernelIndex::selected().
    TotalTime time;
    double deviation = 0;     ///< Standard deviation of all (not of a sample), ns.
    std::int64_t wait = 0;    ///< Sum of the waits that are recorded, ns.
    std::uint64_t waits = 0;  ///< How many are.
    /// Nearest-rank percentiles, see DurationPercentiles; 0 until withPercentiles().
    std::int64_t median = 0, p95 = 0;
};

/// Kernels in groups: sums of what is recorded of them. Constant.
struct KernelGroups {
    std::shared_ptr<const KernelIndex> index;
    KernelGrouping grouping = KernelGrouping::Type;
    KernelSplit split = KernelSplit::None;
    /// By key, what the grouping goes by; other members have no value.
    std::vector<KernelSignature> keys;
    std::vector<KernelGroup> groups;  ///< Most time first, then by text. None is empty.
    TotalTime all;                    ///< Of all of them.
    bool hasPercentiles = false;

    /// Keys by signature of the index; kNoText: not in any group.
    std::vector<std::uint32_t> keyOf;
    /// Places of groups by cell: part of the split * keys + key.
    std::vector<std::uint32_t> groupOf;
    std::unordered_map<std::uint64_t, std::uint32_t> sparse;  ///< Numbers of cells, where most of them have no kernels.
    std::size_t parts = 1;
};

/// Kernels without a length are not counted.
/// @return nullopt if cancelled. O(kernels); parallel on the arena.
std::optional<KernelGroups> groupKernels(std::shared_ptr<const KernelIndex> index, KernelGrouping grouping,
                                         KernelSplit split, const CancelToken& cancel);

/// The same with percentiles. O(kernels), 8 bytes of memory each; nullopt if cancelled.
std::optional<KernelGroups> withPercentiles(const KernelGroups& groups, const CancelToken& cancel);

/// The kernels of a group, or of all of them. O(kernels); empty if cancelled.
std::vector<FilteredKernels> kernelsOf(const KernelGroups& groups, std::optional<std::size_t> group,
                                       const CancelToken& cancel);

/// How long each kernel took, by index in `keys`, by part of the index, then in the order of its rows; ns. One pass
/// over the kernels, whatever the number of keys; parallel on the arena. Empty if cancelled.
std::vector<std::vector<std::vector<std::int64_t>>> durationsOfKeys(const KernelGroups& groups,
                                                                    const std::vector<std::uint32_t>& keys,
                                                                    const CancelToken& cancel);

/// Ranks that do not run the same kernels.
struct UnequalCounts {
    std::uint64_t min = 0, max = 0;          ///< Kernels of a rank, of all keys.
    std::uint32_t minPart = 0, maxPart = 0;  ///< Which rank that is: index in KernelIndex::selected().
    std::uint64_t keys = 0;                  ///< Keys of which ranks have different numbers.
};
/// nullopt with fewer than two ranks, or if cancelled. O(signatures + kernels).
std::optional<UnequalCounts> unequalCounts(const KernelGroups& groups, const CancelToken& cancel);

}  // namespace altiscope
