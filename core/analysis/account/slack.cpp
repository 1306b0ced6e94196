#include "core/analysis/account/slack.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace altiscope {

std::vector<std::int64_t> latestStarts(const JobGraph& job, const Replay& recorded) {
    std::vector<std::int64_t> latest(job.nodeCount(), kNoLatestStart);
    const std::vector<JobStep> steps = jobSteps(job, recorded);
    for (const JobGraph::RankStep& step : job.rankSteps) {
        const JobStep& whole = steps[step.step];
        const std::int64_t end = whole.isCommon ? whole.end : recorded.start(step.begin) + (whole.end - whole.begin);
        latest[step.end] = std::min(latest[step.end], end);
    }
    for (std::size_t node = job.nodeCount(); node-- > 0;) {
        if (latest[node] == kNoLatestStart) continue;
        for (std::uint32_t e = job.firstEdge[node]; e < job.firstEdge[node + 1]; ++e) {
            const std::uint32_t other = job.from[e] / 2;
            const std::int64_t duration = job.from[e] % 2 == 1 ? job.duration[other] : 0;
            latest[other] = std::min(latest[other], latest[node] - job.weight[e] - duration);
        }
    }
    return latest;
}

std::vector<ArrivalSlack> arrivalSlacks(const CandidateInput& input, const Replay& recorded,
                                        std::vector<std::string>& groups) {
    const std::vector<std::int64_t> latest = latestStarts(input.job, recorded);
    const JobCollectives& all = input.collectives;
    std::unordered_map<std::string_view, std::uint32_t> known;
    std::vector<ArrivalSlack> slacks;
    for (std::size_t r = 0; r < input.graphs.size(); ++r) {
        if (!input.graphs[r]) continue;
        const RankGraph& graph = *input.graphs[r];
        for (std::uint32_t c = 0; c < graph.collectives.size(); ++c) {
            const std::uint32_t arrival = graph.collectives[c].arrival;
            const std::size_t step =
                arrival == kNoNode ? input.job.steps.size() : stepOfNode(input.job, graph, arrival);
            if (step == input.job.steps.size()) continue;
            const std::uint32_t node = input.job.nodeOf[r][arrival], instance = all.shares[r][c].instance;
            const auto [group, isNew] = known.try_emplace(all.groups[r][c], static_cast<std::uint32_t>(groups.size()));
            if (isNew) groups.push_back(all.groups[r][c]);
            ArrivalSlack made{
                rankIndex(r), graph.collectives[c].slice, static_cast<std::uint32_t>(step), group->second, std::nullopt,
                std::nullopt};
            if (instance != CollectiveShare::kNoInstance) made.instance = all.instances[instance].number;
            if (latest[node] != kNoLatestStart) made.slack = latest[node] - recorded.start(node);
            slacks.push_back(made);
        }
    }
    return slacks;
}

}  // namespace altiscope
