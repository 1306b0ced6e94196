#include "core/analysis/account/account.h"

#include "core/analysis/account/job_account.h"
#include "core/base/threads/parallel.h"

#include <atomic>

namespace altiscope {

std::optional<AccountFacts> accountOf(const AccountRequest& request, std::vector<std::vector<AccountGap>>* gaps,
                                      const CancelToken& cancel) {
    const std::size_t count = request.capture.ranks.size();
    AccountFacts made;
    made.ranks.resize(count);
    if (gaps != nullptr) gaps->resize(count);
    std::vector<std::optional<RankGraph>> graphs(count);
    std::atomic<bool> complete{true};
    parallelFor(count, [&](std::size_t r) {
        const RankEntry& rank = request.capture.ranks[r];
        if (!hasEvents(rank) || !request.activities[r]) return;
        graphs[r] = makeRankGraph(rank, request.facts[r].device, cancel);
        if (!graphs[r]) complete = false;
    });
    if (!complete || cancel.cancelled()) return std::nullopt;
    const auto job =
        joinCollectives(request.capture, request.directory, graphs, request.instances, request.computed, cancel);
    if (!job) return std::nullopt;
    std::vector<std::unique_ptr<HostCover>> hosts(count);
    parallelFor(count, [&](std::size_t r) {
        if (!graphs[r]) return;
        const RankEntry& rank = request.capture.ranks[r];
        hosts[r] = std::make_unique<HostCover>(*rank.trace, cancel);
        const HostCover& host = *hosts[r];
        auto account =
            accountOfRank({rank, *request.activities[r], request.facts[r].device, *graphs[r], job->shares[r], host},
                          gaps == nullptr ? nullptr : &(*gaps)[r], cancel);
        if (!account) complete = false;
        else made.ranks[r] = std::move(*account);
    });
    if (!complete || cancel.cancelled()) return std::nullopt;
    const JobGraph graph = makeJobGraph(graphs, *job);
    made.job = replayJob({request.capture, request.directory, request.facts, graphs, hosts, *job, graph}, cancel);
    if (cancel.cancelled()) return std::nullopt;
    return made;
}

}  // namespace altiscope
