#include "core/analysis/account/account.h"

#include "core/analysis/account/job_account.h"
#include "core/base/threads/parallel.h"

#include <atomic>
#include <utility>

namespace altiscope {

namespace {

/// Slices of the tracks that a graph has nodes of, and of those that are looked through for them.
std::uint64_t graphSlices(const CaptureStore& capture) {
    std::uint64_t slices = 0;
    for (const RankEntry& rank : capture.ranks) {
        if (!hasEvents(rank)) continue;
        for (std::uint32_t t = 0; t < rank.trace->tracks().size(); ++t) {
            const Track& track = rank.trace->tracks()[t];
            const bool isHost = track.kind == TrackKind::Python || track.kind == TrackKind::Cann;
            if (isHost || isGroupTrack(track) || isStreamTrack(track)) slices += rank.trace->extent({t}).sliceCount;
        }
    }
    return slices;
}

/// Makes the account of a capture, of all ranks together or of one after the other.
class AccountMaker {
public:
    AccountMaker(const AccountRequest& request, const AccountExtras& extras, const CancelToken& cancel)
        : m_request(request), m_extras(extras), m_cancel(cancel), m_graphs(request.capture.ranks.size()) {
        m_made.ranks.resize(m_graphs.size());
        if (extras.gaps != nullptr) extras.gaps->resize(m_graphs.size());
    }

    std::optional<AccountFacts> ofJob() {
        parallelFor(m_graphs.size(), [&](std::size_t r) { makeGraph(r); });
        if (!isGood()) return std::nullopt;
        const auto collectives = join(true);
        if (!collectives) return std::nullopt;
        std::vector<std::unique_ptr<HostCover>> hosts(m_graphs.size());
        parallelFor(m_graphs.size(), [&](std::size_t r) { hosts[r] = makeRank(r, *collectives); });
        if (!isGood()) return std::nullopt;
        const JobGraph graph = makeJobGraph(m_graphs, *collectives);
        const CandidateInput input{
            m_request.capture, m_request.directory, m_request.facts, m_graphs, hosts, *collectives, graph};
        m_made.job = replayJob(input, m_cancel);
        if (m_extras.paths != nullptr && m_made.job.refusal == ReplayRefusal::None) addPaths(input, *m_extras.paths);
        return made();
    }

    std::optional<JobSlowdown> slowdown(const JobAccount& job, const std::vector<std::optional<std::int64_t>>& dps) {
        parallelFor(m_graphs.size(), [&](std::size_t r) { makeGraph(r); });
        if (!isGood()) return std::nullopt;
        const auto collectives = join(true);
        if (!collectives) return std::nullopt;
        std::vector<std::unique_ptr<HostCover>> hosts(m_graphs.size());
        parallelFor(m_graphs.size(), [&](std::size_t r) {
            if (m_graphs[r]) hosts[r] = std::make_unique<HostCover>(*m_request.capture.ranks[r].trace, m_cancel);
        });
        if (!isGood()) return std::nullopt;
        const JobGraph graph = makeJobGraph(m_graphs, *collectives);
        std::vector<std::int64_t> stages;
        for (const RankFacts& rank : m_request.facts) stages.push_back(rank.stage);
        return jobSlowdown(
            {m_request.capture, m_request.directory, m_request.facts, m_graphs, hosts, *collectives, graph}, job.causes,
            stages, dps, m_cancel);
    }

    std::optional<AccountFacts> ofSingleRanks() {
        for (std::size_t r = 0; r < m_graphs.size(); ++r) {
            makeGraph(r);
            if (!isGood()) return std::nullopt;
            const auto collectives = join(false);
            if (!collectives) return std::nullopt;
            makeRank(r, *collectives);
            m_graphs[r].reset();
        }
        m_made.job.refusal = ReplayRefusal::TooLarge;
        return made();
    }

private:
    bool isGood() const { return m_isComplete && !m_cancel.cancelled(); }
    std::optional<AccountFacts> made() { return isGood() ? std::optional(std::move(m_made)) : std::nullopt; }

    void addPaths(const CandidateInput& input, JobPaths& paths) const {
        if (input.job.hasCycle || m_cancel.cancelled()) return;
        Replay recorded(input.job);
        recorded.run();
        paths.steps = input.job.steps;
        paths.path = criticalPaths(input, recorded, m_cancel);
        paths.slacks = arrivalSlacks(input, recorded, paths.groups);
    }

    void makeGraph(std::size_t r) {
        const RankEntry& rank = m_request.capture.ranks[r];
        if (!hasEvents(rank) || !m_request.activities[r]) return;
        m_graphs[r] = makeRankGraph(rank, m_request.facts[r].device, m_cancel);
        if (!m_graphs[r]) m_isComplete = false;
    }
    std::optional<JobCollectives> join(bool isJob) const {
        return joinCollectives(m_request.capture, m_request.directory, m_graphs, m_request.instances,
                               m_request.computed, isJob, m_cancel);
    }
    std::unique_ptr<HostCover> makeRank(std::size_t r, const JobCollectives& collectives) {
        if (!m_graphs[r]) return nullptr;
        const RankEntry& rank = m_request.capture.ranks[r];
        auto host = std::make_unique<HostCover>(*rank.trace, m_cancel);
        auto account = accountOfRank(
            {rank, *m_request.activities[r], m_request.facts[r].device, *m_graphs[r], collectives.shares[r], *host},
            m_extras.gaps == nullptr ? nullptr : &(*m_extras.gaps)[r], m_cancel);
        if (!account) m_isComplete = false;
        else m_made.ranks[r] = std::move(*account);
        return host;
    }

    const AccountRequest& m_request;
    const AccountExtras& m_extras;
    const CancelToken& m_cancel;
    std::vector<std::optional<RankGraph>> m_graphs;
    std::atomic<bool> m_isComplete{true};
    AccountFacts m_made;
};

}  // namespace

std::optional<AccountFacts> accountOf(const AccountRequest& request, const AccountExtras& extras,
                                      const CancelToken& cancel) {
    AccountMaker maker(request, extras, cancel);
    return graphSlices(request.capture) > request.maxSlices ? maker.ofSingleRanks() : maker.ofJob();
}

std::optional<JobSlowdown> slowdownOf(const AccountRequest& request, const JobAccount& job,
                                      const std::vector<std::optional<std::int64_t>>& dps, const CancelToken& cancel) {
    return AccountMaker(request, {}, cancel).slowdown(job, dps);
}

}  // namespace altiscope
