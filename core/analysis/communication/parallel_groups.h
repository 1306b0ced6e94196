#pragma once

#include "core/analysis/collectives/collective_groups.h"
#include "core/base/values/result.h"
#include "core/store/capture_store.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

/// Dimension by which the work of a job is divided: the words of the SQL table `parallel_group`.
enum class Parallelism : std::uint8_t { Tensor, Context, Pipeline, Data, Expert };
inline constexpr std::size_t kParallelisms = 5;
std::string_view parallelismName(Parallelism kind);  ///< "tp", "cp", "pp", "dp", "ep"

/// How numbers of ranks follow from places in the job, the dimension that varies fastest first, and which ranks share
/// experts. Source: core/analysis/FORMULAS.md section J.
enum class RankOrder : std::uint8_t {
    Megatron,              ///< tp-cp-dp-pp; experts over dp.
    MegatronPipelineData,  ///< tp-cp-pp-dp; experts over dp.
    MindSpeed,             ///< tp-cp-dp-pp; experts over cp x dp.
    MindIe,                ///< tp-dp-pp; tp x dp is moe_tp x ep in layers of experts, moe_tp the faster one. No cp.
    Vllm,                  ///< tp-pp-dp; experts over tp x dp. No cp.
};
inline constexpr std::size_t kRankOrders = 5;
/// "megatron", "megatron-pp-dp", "mindspeed", "mindie", "vllm"
std::string_view rankOrderName(RankOrder order);
/// nullopt for any other word. O(1).
std::optional<RankOrder> rankOrderOf(std::string_view name);

/// The sizes of a job whose ranks are a grid: dp * pp * tp * cp ranks, and ep of them share the experts of a layer.
struct ParallelSizes {
    std::int32_t dp = 1, pp = 1, tp = 1, cp = 1, ep = 1;
    RankOrder order = RankOrder::Megatron;

    static constexpr std::int32_t kMaxSize = 10'000;
    static constexpr std::int64_t kMaxRanks = 1'000'000;

    std::int64_t ranks() const { return std::int64_t{dp} * pp * tp * cp; }
    std::int32_t of(Parallelism kind) const;
    bool operator==(const ParallelSizes&) const = default;
};

/// Why no job of at least this many ranks has these sizes; nullopt if one can have them. O(1).
/// @return Error "parallel.size" (a size that is not within 1 to kMaxSize), "parallel.ranks" (ranks, product: the
///         product is smaller than that, or above kMaxRanks), "parallel.context" (order: it has no cp) or
///         "parallel.expert" (ep, of: what it has to divide).
std::optional<Error> problemOf(const ParallelSizes& sizes, std::int64_t ranks);

/// By Parallelism; kNoParallelPlace: not known.
using ParallelPlace = std::array<std::int32_t, kParallelisms>;
inline constexpr std::int32_t kNoParallelPlace = -1;

/// Where a rank is in a job of these sizes. @pre !problemOf(sizes, rank + 1), rank >= 0. O(1).
ParallelPlace placeOf(const ParallelSizes& sizes, std::int64_t rank);
/// The rank at a place; its place in `ep` follows from the others and is not looked at. @pre As placeOf(), and each
/// place is within its size. O(1).
std::int64_t rankAt(const ParallelSizes& sizes, const ParallelPlace& place);
/// The ranks over which a kind divides the work of a rank, itself among them, by place. @pre As placeOf(). O(result).
std::vector<std::int64_t> groupAt(const ParallelSizes& sizes, Parallelism kind, std::int64_t rank);

/// Where something about a job comes from.
enum class ParallelSource : std::uint8_t {
    Recorded,  ///< The capture states it.
    Computed,  ///< It follows from recorded sizes and Megatron's order, which nothing recorded contradicts.
    Typed,     ///< From sizes that the user gave.
};
std::string_view parallelSourceName(ParallelSource source);  ///< "recorded", "computed", "typed"

/// Ranks over which one kind of parallelism divides the work. Two at least.
struct ParallelGroup {
    Parallelism kind = Parallelism::Tensor;
    std::uint32_t index = 0;          ///< Among those of its kind.
    std::vector<std::int64_t> ranks;  ///< By place, ascending; also those that are not in the capture.
    ParallelSource source = ParallelSource::Recorded;
};

/// Where the ranks of a job are in it, as far as it is known. Constant.
struct ParallelLayout {
    static constexpr std::uint32_t kNoGroup = std::numeric_limits<std::uint32_t>::max();

    /// The job is a grid of these; nullopt: it is not known to be one. Where stated experts fit no order `ep` is 1, and
    /// their places are those of stated groups.
    std::optional<ParallelSizes> sizes;
    ParallelSource source = ParallelSource::Recorded;  ///< Source of `sizes`.
    /// Numbers of all ranks of the capture, of its groups and of the grid, ascending.
    std::vector<std::int64_t> ranks;
    std::vector<ParallelPlace> places;  ///< As `ranks`. Where a kind divides nothing its place is 0.
    std::vector<ParallelGroup> groups;  ///< By kind and first rank.
    /// By kind, as `ranks`: position in `groups` of the only group that holds the rank; kNoGroup: none, or several do.
    std::array<std::vector<std::uint32_t>, kParallelisms> groupOf;

    /// Position of a number in `ranks`; nullopt: it is not there. O(log ranks).
    std::optional<std::size_t> find(std::int64_t rank) const;
};

/// The layout of a job of these sizes. Its source is Typed. @pre !problemOf(sizes, 0).
/// Any thread. O(ranks): below 1 ms for 4,096, up to 150 MB for kMaxRanks.
ParallelLayout typedLayout(const ParallelSizes& sizes);

/// Layout of a job, as its capture states it. By the first of these that states a kind: communication groups
/// with ranks and a name ("tp", "cp", "pp", "dp", "exp"; "dp_cp" is dp where cp is stated as 1); sizes in
/// distributed_args (core/import/cluster/FORMAT.md section 3) with an order of Megatron or MindSpeed that gives each
/// stated group again; dp_index, pp_index and tp_index of cluster results where they tell all ranks apart; the metadata
/// pipeline_stage, without groups. Where several recordings contradict each other their groups are listed and places
/// are not known.
/// Any thread. O(metadata of all ranks + ranks of all groups * log): 30 ms for 4,096 ranks of 60 texts each.
ParallelLayout recordedLayout(const CaptureStore& capture, const CaptureGroups& directory);

}  // namespace altiscope
