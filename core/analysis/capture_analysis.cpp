#include "core/analysis/capture_analysis.h"

#include "core/analysis/account/account.h"
#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/collectives/collective_tasks.h"
#include "core/analysis/communication/absent_ranks.h"
#include "core/analysis/communication/peers.h"
#include "core/analysis/communication/pipeline_blocks.h"
#include "core/analysis/communication/rank_roles.h"
#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/facts/lost_parts.h"
#include "core/analysis/facts/rank_facts.h"
#include "core/analysis/steps/device_activity.h"
#include "core/analysis/support/lazy.h"
#include "core/analysis/support/recordings.h"
#include "core/base/threads/parallel.h"
#include "core/store/file/mapped_file.h"
#include "core/store/recording_parts.h"

#include <atomic>
#include <utility>

namespace altiscope {

namespace {

/// The tables that state a rank's collectives: its own, if they are of the recording of its timeline, else what is
/// computed; null if neither has any.
const RowTables* collectiveRows(const RankEntry& rank, const RankComputation& computed) {
    const RowTables* recorded = isOfAnotherRecording(rank, RowKind::Collective) ? nullptr : rank.rows.get();
    for (const RowTables* tables : {recorded, static_cast<const RowTables*>(computed.rows.get())}) {
        if (tables != nullptr && tables->find(RowKind::Collective) != nullptr) return tables;
    }
    return nullptr;
}

}  // namespace

struct CaptureAnalysis::Impl {
    std::shared_ptr<const CaptureStore> capture;
    Lazy<CaptureGroups> groups;
    std::unique_ptr<Lazy<RankComputation>[]> ranks;
    std::unique_ptr<Lazy<ComputedTransfers>[]> transfers;
    Lazy<CaptureFacts> facts;
    Lazy<std::vector<std::vector<AccountGap>>> gaps;
    Lazy<CollectiveInstances> recordedCollectives, allCollectives;
    Lazy<ParallelLayout> layout;
    std::shared_ptr<const JobPaths> paths;  // made with the facts, before anybody sees these
    Lazy<JobSlowdown> slowdown;
    Lazy<std::vector<std::vector<PipelineBlock>>> pipeline;

    std::shared_ptr<const CaptureGroups> directory(const CancelToken& cancel) {
        return groups.get([this] { return std::optional<CaptureGroups>(CaptureGroups(*capture)); }, cancel);
    }

    /// The facts of all ranks; their rows as well, which cost little while what both are made of is in memory.
    std::optional<CaptureFacts> makeFacts(const CaptureAnalysis& analysis, const CancelToken& cancel) {
        const auto known = directory(cancel);
        if (known == nullptr) return std::nullopt;
        CaptureFacts made;
        made.ranks.resize(capture->ranks.size());
        std::atomic<bool> complete{true};
        std::vector<std::shared_ptr<const RankComputation>> computed(capture->ranks.size());
        std::vector<const RowTables*> collectives(capture->ranks.size());
        std::vector<std::optional<DeviceActivity>> activities(capture->ranks.size());
        parallelFor(made.ranks.size(), [&](std::size_t r) {
            const RankEntry& rank = capture->ranks[r];
            const auto& activity = activities[r] = readDeviceActivity(rank, cancel);
            auto read = readRankFacts(*capture, rankIndex(r), activity, *known, cancel);
            const bool isCut = hasCutTimeline(*capture, rank.info);
            computed[r] = ranks[r].get([&] { return computeRank(rank, activity, *known, isCut, cancel); }, cancel);
            keepBelowResidentLimit();
            if (!read || !computed[r]) complete = false;
            if (!read || !computed[r]) return;
            made.ranks[r] = std::move(*read);
            collectives[r] = collectiveRows(rank, *computed[r]);
            if (collectives[r] == nullptr) return;
            readWaitFacts(*collectives[r], *known, made.ranks[r], cancel);
            readReceiveWaits(rank, *collectives[r], made.ranks[r]);
        });
        if (!complete || cancel.cancelled()) return std::nullopt;
        readLostParts(*capture, made);
        const std::vector<std::uint32_t> peers = peersOf(*capture);
        const std::vector<RankRole> roles = rankRoles(*capture, *known, collectives);
        for (std::size_t r = 0; r < made.ranks.size(); ++r) {
            RankFacts& rank = made.ranks[r];
            rank.recording = peers[r];
            rank.stage = roles[r].stage;
            rank.stages = roles[r].stages;
            rank.role = roles[r].role;
            // Without stages such operators are those of another kind of parallelism.
            if (rank.stages > 1) continue;
            for (StepFacts& step : rank.steps) step.batched = step.batchedWait = 0;
        }
        nameAbsentMembers(*capture, made);
        JobPaths found;
        // Several recordings are no job.
        const AccountExtras extras{.paths = recordingsOf(*capture).areSeveral() ? nullptr : &found};
        auto account = withRequest(analysis, made.ranks, activities, cancel,
                                   [&](const AccountRequest& request) { return accountOf(request, extras, cancel); });
        for (RankFacts& rank : made.ranks) rank.savings = {};
        if (!account) return std::nullopt;
        made.account = std::make_shared<const AccountFacts>(std::move(*account));
        paths = std::make_shared<const JobPaths>(std::move(found));
        return made;
    }

    /// Calls `make` with what an account is made of. @return nullopt if cancelled.
    template <class Make>
    auto withRequest(const CaptureAnalysis& analysis, const std::vector<RankFacts>& rankFacts,
                     const std::vector<std::optional<DeviceActivity>>& activities, const CancelToken& cancel,
                     const Make& make) -> decltype(make(std::declval<const AccountRequest&>())) {
        const auto instances = analysis.allCollectives(cancel);
        const auto known = directory(cancel);
        if (instances == nullptr || known == nullptr) return std::nullopt;
        std::vector<std::shared_ptr<const RankComputation>> kept;
        std::vector<const RowTables*> computed;
        for (std::size_t r = 0; r < capture->ranks.size(); ++r) {
            kept.push_back(analysis.rank(rankIndex(r), cancel));
            if (kept.back() == nullptr) return std::nullopt;
            computed.push_back(kept.back()->rows.get());
        }
        return make(AccountRequest{*capture, *known, rankFacts, activities, *instances, computed});
    }

    /// The same, of a capture whose facts are known already.
    template <class Make>
    auto withRequest(const CaptureAnalysis& analysis, const CaptureFacts& made, const CancelToken& cancel,
                     const Make& make) -> decltype(make(std::declval<const AccountRequest&>())) {
        std::vector<std::optional<DeviceActivity>> activities(made.ranks.size());
        parallelFor(activities.size(),
                    [&](std::size_t r) { activities[r] = readDeviceActivity(capture->ranks[r], cancel); });
        if (cancel.cancelled()) return std::nullopt;
        return withRequest(analysis, made.ranks, activities, cancel, make);
    }
};

CaptureAnalysis::CaptureAnalysis(std::shared_ptr<const CaptureStore> capture) : m_impl(std::make_unique<Impl>()) {
    m_impl->ranks = std::make_unique<Lazy<RankComputation>[]>(capture->ranks.size());
    m_impl->transfers = std::make_unique<Lazy<ComputedTransfers>[]>(capture->ranks.size());
    m_impl->capture = std::move(capture);
}

CaptureAnalysis::~CaptureAnalysis() = default;

const CaptureStore& CaptureAnalysis::capture() const { return *m_impl->capture; }

std::shared_ptr<const RankComputation> CaptureAnalysis::rank(RankIndex rank, const CancelToken& cancel) const {
    return m_impl->ranks[rank.value].get(
        [&]() -> std::optional<RankComputation> {
            const auto groups = m_impl->directory(cancel);
            if (groups == nullptr) return std::nullopt;
            const RankEntry& entry = m_impl->capture->ranks[rank.value];
            return computeRank(entry, readDeviceActivity(entry, cancel), *groups,
                               hasCutTimeline(*m_impl->capture, entry.info), cancel);
        },
        cancel);
}

std::shared_ptr<const ComputedTransfers> CaptureAnalysis::transfers(RankIndex rank, const CancelToken& cancel) const {
    return m_impl->transfers[rank.value].get(
        [&]() -> std::optional<ComputedTransfers> {
            const auto groups = m_impl->directory(cancel);
            if (groups == nullptr) return std::nullopt;
            const RankEntry& entry = m_impl->capture->ranks[rank.value];
            // Kernels are many, and tell nothing where no task of the timeline belongs to a collective.
            if (!hasEvents(entry) || groupTracks(*entry.trace).empty()) return ComputedTransfers{};
            return computeTransfers(entry, readDeviceActivity(entry, cancel), *groups, cancel);
        },
        cancel);
}

std::shared_ptr<const CollectiveInstances> CaptureAnalysis::recordedCollectives(const CancelToken& cancel) const {
    return m_impl->recordedCollectives.get([&] { return recordedInstances(*m_impl->capture, cancel); }, cancel);
}

std::shared_ptr<const CollectiveInstances> CaptureAnalysis::allCollectives(const CancelToken& cancel) const {
    const auto recorded = recordedCollectives(cancel);
    if (recorded == nullptr) return nullptr;
    return m_impl->allCollectives.get(
        [&]() -> std::optional<CollectiveInstances> {
            std::vector<const RowTables*> computed(m_impl->capture->ranks.size());
            std::atomic<bool> complete{true};
            parallelFor(computed.size(), [&](std::size_t r) {
                // The analysis keeps the rows.
                const auto made = rank(rankIndex(r), cancel);
                if (made == nullptr) complete = false;
                else computed[r] = made->rows.get();
            });
            if (!complete) return std::nullopt;
            return allInstances(*m_impl->capture, *recorded, computed, cancel);
        },
        cancel);
}

std::shared_ptr<const CaptureFacts> CaptureAnalysis::facts(const CancelToken& cancel) const {
    return m_impl->facts.get([&] { return m_impl->makeFacts(*this, cancel); }, cancel);
}

std::shared_ptr<const std::vector<std::vector<AccountGap>>> CaptureAnalysis::gaps(const CancelToken& cancel) const {
    const auto known = facts(cancel);
    if (known == nullptr) return nullptr;
    return m_impl->gaps.get(
        [&]() -> std::optional<std::vector<std::vector<AccountGap>>> {
            std::vector<std::vector<AccountGap>> all;
            const auto account = m_impl->withRequest(*this, *known, cancel, [&](const AccountRequest& request) {
                return accountOf(request, {.gaps = &all}, cancel);
            });
            if (!account) return std::nullopt;
            return all;
        },
        cancel);
}

std::shared_ptr<const JobPaths> CaptureAnalysis::paths(const CancelToken& cancel) const {
    return facts(cancel) == nullptr ? nullptr : m_impl->paths;
}

std::shared_ptr<const JobSlowdown> CaptureAnalysis::slowdown(const CancelToken& cancel) const {
    const auto known = facts(cancel);
    const auto places = layout(cancel);
    if (known == nullptr || places == nullptr) return nullptr;
    return m_impl->slowdown.get(
        [&]() -> std::optional<JobSlowdown> {
            const JobAccount& job = known->account->job;
            if (job.refusal != ReplayRefusal::None || recordingsOf(*m_impl->capture).areSeveral()) return JobSlowdown{};
            std::vector<std::optional<std::int64_t>> dps(known->ranks.size());
            for (std::size_t r = 0; r < dps.size(); ++r) {
                const auto& number = m_impl->capture->ranks[r].info.rankId;
                const auto at = number ? places->find(*number) : std::nullopt;
                if (!at) continue;
                const std::int32_t place = places->places[*at][static_cast<std::size_t>(Parallelism::Data)];
                if (place != kNoParallelPlace) dps[r] = place;
            }
            return m_impl->withRequest(*this, *known, cancel, [&](const AccountRequest& request) {
                return slowdownOf(request, job, dps, cancel);
            });
        },
        cancel);
}

std::shared_ptr<const std::vector<std::vector<PipelineBlock>>> CaptureAnalysis::pipeline(
    const CancelToken& cancel) const {
    const auto known = facts(cancel);
    if (known == nullptr) return nullptr;
    return m_impl->pipeline.get(
        [&]() -> std::optional<std::vector<std::vector<PipelineBlock>>> {
            std::vector<std::vector<PipelineBlock>> blocks(known->ranks.size());
            parallelFor(blocks.size(), [&](std::size_t r) {
                blocks[r] = pipelineBlocks(m_impl->capture->ranks[r], known->ranks[r].stages, cancel);
            });
            return cancel.cancelled() ? std::nullopt : std::optional(std::move(blocks));
        },
        cancel);
}

std::shared_ptr<const ParallelLayout> CaptureAnalysis::layout(const CancelToken& cancel) const {
    return m_impl->layout.get(
        [&]() -> std::optional<ParallelLayout> {
            const auto groups = m_impl->directory(cancel);
            if (groups == nullptr) return std::nullopt;
            return recordedLayout(*m_impl->capture, *groups);
        },
        cancel);
}

}  // namespace altiscope
