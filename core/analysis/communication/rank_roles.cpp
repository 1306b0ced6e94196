#include "core/analysis/communication/rank_roles.h"

#include "core/analysis/support/rank_metadata.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

/// Stage and number of stages, by number of the rank.
using StagesByRank = std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>>;

/// Where some metadata of all ranks state their stages. Of one stage alone they state none.
StagesByRank stagesByMetadata(const CaptureStore& capture, std::string_view key) {
    StagesByRank stages;
    std::int64_t last = 0;
    for (const RankEntry& rank : capture.ranks) {
        const auto stage = metadataNumber(rank.info, key);
        if (!rank.info.rankId || !stage || *stage < 0) continue;
        stages[*rank.info.rankId].first = *stage;
        last = std::max(last, *stage);
    }
    if (last == 0) return {};
    for (auto& [rank, stage] : stages) stage.second = last + 1;
    return stages;
}

/// The outermost dimension of the job is that of the stages.
StagesByRank stagesBySizes(const CaptureStore& capture) {
    StagesByRank stages;
    for (const RankEntry& rank : capture.ranks) {
        const auto sizeOf = [&](const char* name) {
            return metadataNumber(rank.info, "distributed_args." + std::string(name)).value_or(1);
        };
        const std::int64_t all = sizeOf("world_size"), pipeline = sizeOf("pipeline_model_parallel_size");
        const std::int64_t inner =
            sizeOf("tensor_model_parallel_size") * sizeOf("context_parallel_size") * sizeOf("data_parallel_size");
        const bool fits = pipeline > 1 && inner > 0 && inner < all && inner * pipeline == all;
        if (fits && rank.info.rankId && *rank.info.rankId < all)
            stages[*rank.info.rankId] = {*rank.info.rankId / inner, pipeline};
    }
    return stages;
}

/// Ranks that send to and receive from each other in a group of their own are a pipeline, in the order of their
/// numbers.
StagesByRank stagesByPeers(const CaptureStore& capture, const CaptureGroups& groups,
                           const std::vector<const RowTables*>& tables) {
    constexpr auto K = RowKind::Collective;
    std::map<std::string, std::set<std::int64_t>, std::less<>> members;
    for (std::size_t r = 0; r < tables.size(); ++r) {
        const auto rankId = capture.ranks[r].info.rankId;
        const RowTable* table = tables[r] == nullptr ? nullptr : tables[r]->find(K);
        if (table == nullptr || !rankId) continue;
        std::set<std::string, std::less<>> known;
        for (const CaptureGroups::Group* group : groups.groupsOf(rankId)) {
            if (!group->type.empty() && group->type != "p2p") known.insert(group->name);
        }
        const StringPool& texts = tables[r]->texts();
        const auto [firstSend, lastSend] = texts.prefixRange("hcom_send");
        const auto [firstReceive, lastReceive] = texts.prefixRange("hcom_receive");
        const bool any = firstSend < lastSend || firstReceive < lastReceive;
        for (std::size_t row = 0; any && row < table->size(); ++row) {
            const auto name = table->text(fixedColumn(K, "op_name"), row),
                       group = table->text(fixedColumn(K, "group_name"), row);
            if (!name || !group) continue;
            const bool isPeer =
                (!(*name < firstSend) && *name < lastSend) || (!(*name < firstReceive) && *name < lastReceive);
            if (isPeer && !known.contains(texts.text(*group))) members[std::string(texts.text(*group))].insert(*rankId);
        }
    }
    StagesByRank stages;
    for (const auto& [group, ranks] : members) {
        std::int64_t stage = 0;
        for (const std::int64_t rank : ranks) {
            if (ranks.size() > 1) stages.emplace(rank, std::pair(stage++, static_cast<std::int64_t>(ranks.size())));
        }
    }
    return stages;
}

}  // namespace

std::vector<RankRole> rankRoles(const CaptureStore& capture, const CaptureGroups& groups,
                                const std::vector<const RowTables*>& tables) {
    StagesByRank stages = groups.pipelineStages();
    if (stages.empty()) stages = stagesByMetadata(capture, "pp_index");
    if (stages.empty()) stages = stagesByMetadata(capture, "pipeline_stage");
    if (stages.empty()) stages = stagesBySizes(capture);
    if (stages.empty()) stages = stagesByPeers(capture, groups, tables);
    std::vector<RankRole> roles(capture.ranks.size());
    for (std::size_t r = 0; r < roles.size(); ++r) {
        const RankInfo& info = capture.ranks[r].info;
        roles[r].role = metadataOf(info, "role").value_or(std::string_view());
        const auto stage = info.rankId ? stages.find(*info.rankId) : stages.end();
        if (stage != stages.end()) std::tie(roles[r].stage, roles[r].stages) = stage->second;
    }
    return roles;
}

}  // namespace altiscope
