#include "core/analysis/communication/parallel_groups.h"

#include "core/analysis/support/rank_metadata.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace altiscope {

namespace {

using Groups = std::array<std::set<std::vector<std::int64_t>>, kParallelisms>;

constexpr std::size_t at(Parallelism kind) { return static_cast<std::size_t>(kind); }

std::optional<Parallelism> parallelismOf(std::string_view type) {
    static constexpr std::pair<std::string_view, Parallelism> kWords[] = {
        {"tp", Parallelism::Tensor}, {"cp", Parallelism::Context}, {"pp", Parallelism::Pipeline},
        {"dp", Parallelism::Data},   {"ep", Parallelism::Expert},  {"exp", Parallelism::Expert},
    };
    for (const auto& [word, kind] : kWords) {
        if (word == type) return kind;
    }
    return std::nullopt;
}

/// Settings that distributed_args of all ranks state alike.
struct StatedSizes {
    ParallelSizes sizes;
    std::int64_t world = 0;
    bool operator==(const StatedSizes&) const = default;
};

std::optional<StatedSizes> statedSizes(const RankInfo& info) {
    static constexpr std::string_view kPrefix = "distributed_args.";
    StatedSizes stated;
    bool any = false;
    for (const auto& [key, value] : info.metadata) {
        if (!key.starts_with(kPrefix)) continue;
        const std::string_view name = std::string_view(key).substr(kPrefix.size());
        const auto number = wholeNumber<std::int32_t>(value);
        if (!number) continue;
        ParallelSizes& sizes = stated.sizes;
        if (name == "world_size") stated.world = *number;
        std::int32_t* size = name == "tensor_model_parallel_size"     ? &sizes.tp
                             : name == "pipeline_model_parallel_size" ? &sizes.pp
                             : name == "data_parallel_size"           ? &sizes.dp
                             : name == "context_parallel_size"        ? &sizes.cp
                             : name == "expert_model_parallel_size"   ? &sizes.ep
                                                                      : nullptr;
        if (size == nullptr) continue;
        *size = *number;
        any = true;
    }
    return any ? std::optional(stated) : std::nullopt;
}

/// nullopt if none states any, or they contradict each other.
std::optional<StatedSizes> statedSizes(const CaptureStore& capture) {
    std::optional<StatedSizes> stated;
    for (const RankEntry& rank : capture.ranks) {
        const auto own = statedSizes(rank.info);
        if (!own) continue;
        if (stated && *stated != *own) return std::nullopt;
        stated = own;
    }
    return stated;
}

/// The groups that are stated with their ranks, also those of one rank.
Groups statedGroups(const CaptureGroups& directory, bool isWithoutContext) {
    Groups groups, combined;
    for (const CaptureGroups::Group* group : directory.groupsOf(std::nullopt)) {
        if (group->ranks.empty()) continue;
        if (const auto kind = parallelismOf(group->type)) groups[at(*kind)].insert(group->ranks);
        else if (group->type == "dp_cp") combined[at(Parallelism::Data)].insert(group->ranks);
    }
    auto& data = groups[at(Parallelism::Data)];
    if (isWithoutContext && data.empty()) data = std::move(combined[at(Parallelism::Data)]);
    return groups;
}

/// Whether a grid has each stated group. @param kinds  The first ones, without experts or all.
bool hasGroups(const ParallelSizes& sizes, const Groups& groups, std::size_t kinds) {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        for (const auto& ranks : groups[kind]) {
            if (ranks.front() < 0 || ranks.back() >= sizes.ranks()) return false;
            if (groupAt(sizes, static_cast<Parallelism>(kind), ranks.front()) != ranks) return false;
        }
    }
    return true;
}

struct Grid {
    ParallelSizes sizes;
    bool isExpertKnown = true;  ///< Else `ep` is 1: experts are divided in a way that the order does not say.
};

std::optional<Grid> fittingOrder(ParallelSizes sizes, std::span<const RankOrder> orders, std::int64_t ranks,
                                 const Groups& groups) {
    for (const RankOrder order : orders) {
        sizes.order = order;
        if (!problemOf(sizes, ranks) && hasGroups(sizes, groups, kParallelisms)) return Grid{sizes};
    }
    sizes.ep = 1;
    for (const RankOrder order : orders) {
        sizes.order = order;
        if (!problemOf(sizes, ranks) && hasGroups(sizes, groups, at(Parallelism::Expert))) return Grid{sizes, false};
    }
    return std::nullopt;
}

/// A grid of stated sizes, if they are those of the whole job.
std::optional<Grid> gridOfSizes(const StatedSizes& stated, std::int64_t ranks, const Groups& groups) {
    static constexpr RankOrder kTraining[] = {RankOrder::Megatron, RankOrder::MindSpeed,
                                              RankOrder::MegatronPipelineData};
    ParallelSizes dense = stated.sizes;
    dense.ep = 1;
    if (stated.sizes.ep < 1 || problemOf(dense, 0)) return std::nullopt;
    if (stated.sizes.ranks() != stated.world || stated.world < 2) return std::nullopt;
    return fittingOrder(stated.sizes, kTraining, ranks, groups);
}

/// A grid whose every group is stated.
std::optional<Grid> gridOfGroups(const std::vector<std::int64_t>& ranks, const Groups& groups) {
    static constexpr RankOrder kAll[] = {RankOrder::Megatron, RankOrder::MindSpeed, RankOrder::MegatronPipelineData,
                                         RankOrder::MindIe, RankOrder::Vllm};
    const auto count = static_cast<std::int64_t>(ranks.size());
    if (count < 2 || ranks.front() != 0 || ranks.back() != count - 1) return std::nullopt;
    std::array<std::int32_t, kParallelisms> size{};
    for (std::size_t kind = 0; kind < kParallelisms; ++kind) {
        std::size_t largest = 1, covered = 0;
        for (const auto& group : groups[kind]) {
            largest = std::max(largest, group.size());
            covered += group.size();
        }
        // Those of one rank may be missing.
        if (largest > 1 && covered != ranks.size()) return std::nullopt;
        if (largest > ParallelSizes::kMaxSize) return std::nullopt;
        size[kind] = static_cast<std::int32_t>(largest);
    }
    ParallelSizes sizes;
    sizes.tp = size[at(Parallelism::Tensor)];
    sizes.cp = size[at(Parallelism::Context)];
    sizes.pp = size[at(Parallelism::Pipeline)];
    sizes.dp = size[at(Parallelism::Data)];
    sizes.ep = size[at(Parallelism::Expert)];
    return sizes.ranks() == count ? fittingOrder(sizes, kAll, count, groups) : std::nullopt;
}

/// Groups of ranks that differ in one of the indices of a cluster analysis alone; none unless the indices tell all
/// ranks apart and each number of ranks is the product of how many values there are.
Groups groupsOfIndices(const CaptureStore& capture) {
    static constexpr std::pair<std::string_view, Parallelism> kKeys[] = {
        {"tp_index", Parallelism::Tensor}, {"pp_index", Parallelism::Pipeline}, {"dp_index", Parallelism::Data}};
    using Indices = std::array<std::int64_t, std::size(kKeys)>;
    std::map<Indices, std::int64_t> ranks;
    std::array<std::set<std::int64_t>, std::size(kKeys)> values;
    std::set<std::int64_t> numbers;
    for (const RankEntry& rank : capture.ranks) {
        Indices indices{};
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const auto number = metadataNumber(rank.info, kKeys[i].first);
            if (!number || !rank.info.rankId) return {};
            indices[i] = *number;
            values[i].insert(*number);
        }
        if (!ranks.emplace(indices, *rank.info.rankId).second || !numbers.insert(*rank.info.rankId).second) return {};
    }
    std::size_t product = 1;
    for (const auto& one : values) product *= one.size();
    if (ranks.size() < 2 || product != ranks.size()) return {};
    Groups groups;
    for (std::size_t i = 0; i < std::size(kKeys); ++i) {
        std::map<Indices, std::vector<std::int64_t>> lists;
        for (const auto& [indices, rank] : ranks) {
            Indices others = indices;
            others[i] = 0;
            lists[others].push_back(rank);
        }
        for (auto& [others, list] : lists) groups[at(kKeys[i].second)].insert(std::move(list));
    }
    return groups;
}

/// The stated groups of a kind, and the places that they give.
void addGroups(ParallelLayout& layout, const Groups& groups, Parallelism kind) {
    std::vector<std::uint32_t>& of = layout.groupOf[at(kind)];
    of.assign(layout.ranks.size(), ParallelLayout::kNoGroup);
    for (ParallelPlace& place : layout.places) place[at(kind)] = kNoParallelPlace;
    std::vector<bool> isKnown(layout.ranks.size(), false);
    std::uint32_t index = 0;
    for (const auto& ranks : groups[at(kind)]) {
        const bool isOne = ranks.size() < 2;
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const std::size_t rank = *layout.find(ranks[i]);
            // In several groups of one kind it has no place.
            const bool isNew = !isKnown[rank];
            isKnown[rank] = true;
            layout.places[rank][at(kind)] = isNew ? static_cast<std::int32_t>(i) : kNoParallelPlace;
            of[rank] = isNew && !isOne ? static_cast<std::uint32_t>(layout.groups.size()) : ParallelLayout::kNoGroup;
        }
        if (!isOne) layout.groups.push_back({kind, index++, ranks, ParallelSource::Recorded});
    }
}

/// All of a grid.
void addGrid(ParallelLayout& layout, const Grid& grid, ParallelSource source, const Groups& stated) {
    layout.sizes = grid.sizes;
    layout.source = source;
    const auto count = static_cast<std::size_t>(grid.sizes.ranks());
    layout.ranks.resize(count);
    std::iota(layout.ranks.begin(), layout.ranks.end(), std::int64_t{0});
    layout.places.reserve(count);
    for (const std::int64_t rank : layout.ranks) layout.places.push_back(placeOf(grid.sizes, rank));
    for (std::size_t k = 0; k < kParallelisms; ++k) {
        const auto kind = static_cast<Parallelism>(k);
        if (kind == Parallelism::Expert && !grid.isExpertKnown) {
            addGroups(layout, stated, kind);
            continue;
        }
        std::vector<std::uint32_t>& of = layout.groupOf[k];
        of.assign(count, ParallelLayout::kNoGroup);
        if (grid.sizes.of(kind) < 2) continue;
        std::uint32_t index = 0;
        for (std::size_t rank = 0; rank < count; ++rank) {
            if (layout.places[rank][k] != 0) continue;
            ParallelGroup group{kind, index++, groupAt(grid.sizes, kind, layout.ranks[rank]), source};
            if (stated[k].contains(group.ranks)) group.source = ParallelSource::Recorded;
            for (const std::int64_t member : group.ranks)
                of[static_cast<std::size_t>(member)] = static_cast<std::uint32_t>(layout.groups.size());
            layout.groups.push_back(std::move(group));
        }
    }
}

/// Where groups do not give the places in the pipeline, the stages that each rank states itself. Of one stage alone
/// they state none.
void addStages(ParallelLayout& layout, const CaptureStore& capture) {
    const auto kind = at(Parallelism::Pipeline);
    std::map<std::int64_t, std::int32_t> stages;
    for (const RankEntry& rank : capture.ranks) {
        const auto stage = metadataNumber(rank.info, "pipeline_stage");
        if (!stage || *stage < 0 || *stage > ParallelSizes::kMaxSize || !rank.info.rankId) continue;
        // Ranks with equal numbers are of several recordings.
        if (const auto known = stages.try_emplace(*rank.info.rankId, static_cast<std::int32_t>(*stage)).first;
            known->second != *stage)
            return;
    }
    if (std::all_of(stages.begin(), stages.end(), [](const auto& one) { return one.second == 0; })) return;
    for (const auto& [rank, stage] : stages) {
        std::int32_t& place = layout.places[*layout.find(rank)][kind];
        if (place == kNoParallelPlace) place = stage;
    }
}

}  // namespace

std::optional<std::size_t> ParallelLayout::find(std::int64_t rank) const {
    const auto found = std::lower_bound(ranks.begin(), ranks.end(), rank);
    if (found == ranks.end() || *found != rank) return std::nullopt;
    return static_cast<std::size_t>(found - ranks.begin());
}

ParallelLayout typedLayout(const ParallelSizes& sizes) {
    ParallelLayout layout;
    addGrid(layout, {sizes}, ParallelSource::Typed, {});
    return layout;
}

ParallelLayout recordedLayout(const CaptureStore& capture, const CaptureGroups& directory) {
    const auto stated = statedSizes(capture);
    Groups groups = statedGroups(directory, stated && stated->sizes.cp == 1);
    ParallelLayout layout;
    std::set<std::int64_t> ranks;
    for (const RankEntry& rank : capture.ranks) {
        if (rank.info.rankId) ranks.insert(*rank.info.rankId);
    }
    for (const CaptureGroups::Group* group : directory.groupsOf(std::nullopt))
        ranks.insert(group->ranks.begin(), group->ranks.end());
    layout.ranks.assign(ranks.begin(), ranks.end());
    const bool areNumbers = layout.ranks.empty() || layout.ranks.front() >= 0;
    const std::int64_t count = layout.ranks.empty() ? 0 : layout.ranks.back() + 1;
    if (const auto grid = stated && areNumbers ? gridOfSizes(*stated, count, groups) : std::nullopt) {
        addGrid(layout, *grid, ParallelSource::Computed, groups);
        return layout;
    }
    const bool anyGroup = std::any_of(groups.begin(), groups.end(), [](const auto& ofKind) { return !ofKind.empty(); });
    if (!anyGroup) groups = groupsOfIndices(capture);
    if (const auto grid = gridOfGroups(layout.ranks, groups)) {
        addGrid(layout, *grid, ParallelSource::Recorded, groups);
        return layout;
    }
    layout.places.resize(layout.ranks.size());
    for (std::size_t kind = 0; kind < kParallelisms; ++kind) addGroups(layout, groups, static_cast<Parallelism>(kind));
    addStages(layout, capture);
    return layout;
}

}  // namespace altiscope
