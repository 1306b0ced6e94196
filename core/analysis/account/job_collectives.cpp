#include "core/analysis/account/job_collectives.h"

#include "core/analysis/account/connections.h"
#include "core/analysis/account/median.h"
#include "core/base/threads/parallel.h"
#include "core/store/recording_parts.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

/// Recorded times come from doubles and are good to 0.25 us.
constexpr std::int64_t kSameBegin = 1'000;
constexpr std::int64_t kNoNumber = -1;

/// What is known of a collective of a rank beside its slice.
struct OwnCollective {
    std::int64_t instance = kNoNumber;  ///< Number of CollectiveInstances.
    std::optional<std::int64_t> transit;
    bool isPeerToPeer = false;
    bool hasAbsent = false;     ///< A rank of its group is not in the capture.
    bool isPair = false;        ///< Its group has two ranks.
    std::size_t groupSize = 0;  ///< 0: not known.
    std::string what;           ///< Type, count and size of the group: equal for what takes equally long.
};

/// Finds rows of a table by name and begin.
class RowFinder {
public:
    RowFinder(const RowTables* tables, const std::vector<std::int64_t>* numbers)
        : m_tables(tables), m_numbers(numbers) {
        const RowTable* table = tables == nullptr ? nullptr : tables->find(RowKind::Collective);
        if (table == nullptr || numbers == nullptr) return;
        for (std::size_t row = 0; row < table->size() && row < numbers->size(); ++row) {
            const auto name = table->text(fixedColumn(RowKind::Collective, "op_name"), row);
            const auto begin = table->integer(fixedColumn(RowKind::Collective, "ts"), row);
            if (!name || !begin) continue;
            const std::string_view text = tables->text(*name);
            m_rows.emplace(std::pair(std::string(text.substr(0, text.find('@'))), *begin), row);
        }
    }

    /// @return whether a row was found.
    bool read(std::string_view name, std::int64_t begin, OwnCollective& own) const {
        const auto at = m_rows.lower_bound(std::pair(std::string(name), begin - kSameBegin));
        if (at == m_rows.end() || at->first.first != name || at->first.second > begin + kSameBegin) return false;
        const RowTable* table = m_tables->find(RowKind::Collective);
        const std::int64_t number = (*m_numbers)[at->second];
        if (own.instance == kNoNumber && number != kNoCell) own.instance = number;
        const auto transit = table->integer(fixedColumn(RowKind::Collective, "transit"), at->second);
        if (!own.transit && transit && *transit > 0) own.transit = transit;
        return true;
    }

private:
    const RowTables* m_tables;
    const std::vector<std::int64_t>* m_numbers;
    std::map<std::pair<std::string, std::int64_t>, std::size_t> m_rows;
};

std::vector<OwnCollective> ownCollectives(const CaptureStore& capture, std::size_t r, const RankGraph& graph,
                                          const CaptureGroups& directory, const CollectiveInstances& instances,
                                          const RowTables* computed, const std::set<std::int64_t>& present,
                                          std::vector<std::string>& groups, const CancelToken& cancel) {
    const RankEntry& rank = capture.ranks[r];
    const TraceStore& trace = *rank.trace;
    const RowTables* recorded = isOfAnotherRecording(rank, RowKind::Collective) ? nullptr : rank.rows.get();
    const RowFinder byEvents(computed, &instances.ranks[r].computed), byFiles(recorded, &instances.ranks[r].recorded);
    const CollectiveGroups names(directory, rank.info.rankId);
    std::vector<SliceIndex> slices;
    for (const GraphCollective& collective : graph.collectives) slices.push_back(collective.slice);
    const std::vector<std::int64_t> counts = argumentNumbers(rank, slices, "\"count\"", cancel);
    std::vector<OwnCollective> all;
    for (std::size_t c = 0; c < slices.size() && !cancel.cancelled(); ++c) {
        const std::string& track = trace.track({graph.collectives[c].track}).name;
        const std::string_view name = trace.name(slices[c]);
        OwnCollective own;
        own.isPeerToPeer = isPeerToPeerName(name);
        byEvents.read(name, trace.begin(slices[c]).value, own);
        byFiles.read(name, trace.begin(slices[c]).value, own);
        const auto places = names.places(track, name);
        own.groupSize = places.size();
        own.isPair = places.size() == 2;
        own.hasAbsent = std::any_of(places.begin(), places.end(), [&](const std::optional<std::int64_t>& place) {
            return !place || !present.contains(*place);
        });
        own.what = collectiveType(name) + ' ' + std::to_string(counts[c]) + ' ' + std::to_string(places.size());
        groups.push_back(names.name(track, name));
        all.push_back(std::move(own));
    }
    return all;
}

/// Puts the members of each instance side by side.
void gatherInstances(const std::vector<std::vector<OwnCollective>>& own, JobCollectives& job) {
    std::vector<std::tuple<std::int64_t, std::size_t, std::uint32_t>> numbered;
    for (std::size_t r = 0; r < own.size(); ++r) {
        if (r >= job.clocks.ranks.size() || !job.clocks.ranks[r].isAligned()) continue;
        for (std::uint32_t c = 0; c < own[r].size(); ++c) {
            if (own[r][c].instance != kNoNumber) numbered.emplace_back(own[r][c].instance, r, c);
        }
    }
    std::sort(numbered.begin(), numbered.end());
    for (std::size_t i = 0; i < numbered.size();) {
        CollectiveInstance instance;
        instance.firstMember = static_cast<std::uint32_t>(job.members.size());
        const std::int64_t number = instance.number = std::get<0>(numbered[i]);
        std::size_t last = numbered.size();
        for (; i < numbered.size() && std::get<0>(numbered[i]) == number; ++i) {
            const auto [unused, r, c] = numbered[i];
            // A rank is in a collective once; what claims otherwise was paired wrongly.
            if (last == r) continue;
            last = r;
            job.members.push_back({rankIndex(r), c});
            job.shares[r][c].instance = static_cast<std::uint32_t>(job.instances.size());
            ++instance.memberCount;
        }
        const CollectiveMember& first = job.members[instance.firstMember];
        const OwnCollective& one = own[first.rank.value][first.collective];
        instance.isPeerToPeer = one.isPeerToPeer;
        instance.what = one.what;
        instance.isComplete = one.isPeerToPeer
                                  ? instance.memberCount == 2
                                  : !one.hasAbsent && instance.memberCount >= std::max<std::size_t>(2, one.groupSize);
        job.instances.push_back(instance);
    }
}

/// When the last member came, and which, on the common clock.
std::int64_t latestArrival(JobCollectives& job, CollectiveInstance& instance) {
    std::int64_t latest = 0;
    for (std::uint32_t m = 0; m < instance.memberCount; ++m) {
        const CollectiveMember& member = job.members[instance.firstMember + m];
        const std::size_t r = member.rank.value;
        const std::int64_t begin = job.aligned(r, job.shares[r][member.collective].begin);
        if (m > 0 && begin <= latest) continue;
        latest = begin;
        instance.late = m;
    }
    return latest;
}

/// The part of a collective after its last arrival, where not all of its ranks are here.
void shareIncomplete(CollectiveShare& share, std::optional<std::int64_t> like, bool hasAbsent) {
    share.isAbsent = hasAbsent && like.has_value();
    share.transferBegin = like ? std::max(share.arrived, share.end - *like) : share.end;
}

/// Shares of collectives that no other rank is known to be in.
void shareAlone(const OwnCollective& own, std::optional<std::int64_t> like, CollectiveShare& share) {
    const auto data = like ? like : own.transit;
    share.arrived = share.begin;
    if (own.hasAbsent) {
        // Who of several the partner of a send or receive is, is not known.
        shareIncomplete(share, data, !own.isPeerToPeer || own.isPair);
        return;
    }
    share.transferBegin = data ? std::max(share.begin, share.end - *data) : share.end;
    // A rank that is here came late, but nobody knows which.
    if (data) share.arrived = share.transferBegin;
}

}  // namespace

std::int64_t JobCollectives::aligned(std::size_t rank, std::int64_t own) const {
    if (rank >= clocks.ranks.size() || !clocks.ranks[rank].isAligned()) return own;
    return clocks.ranks[rank].aligned({own}).value;
}

std::optional<JobCollectives> joinCollectives(const CaptureStore& capture, const CaptureGroups& directory,
                                              const std::vector<std::optional<RankGraph>>& graphs,
                                              const CollectiveInstances& instances,
                                              const std::vector<const RowTables*>& computed, bool isJob,
                                              const CancelToken& cancel) {
    JobCollectives job;
    if (auto clocks = isJob ? alignClocks(capture, cancel) : std::nullopt) job.clocks = std::move(*clocks);
    std::set<std::int64_t> present;
    for (const RankEntry& rank : capture.ranks) {
        if (rank.info.rankId) present.insert(*rank.info.rankId);
    }
    std::vector<std::vector<OwnCollective>> own(graphs.size());
    job.shares.resize(graphs.size());
    job.groups.resize(graphs.size());
    parallelFor(graphs.size(), [&](std::size_t r) {
        if (!graphs[r] || cancel.cancelled()) return;
        own[r] =
            ownCollectives(capture, r, *graphs[r], directory, instances, computed[r], present, job.groups[r], cancel);
        const TraceStore& trace = *capture.ranks[r].trace;
        for (const GraphCollective& collective : graphs[r]->collectives) {
            CollectiveShare share;
            share.begin = trace.begin(collective.slice).value;
            share.end = trace.end(collective.slice).value;
            share.arrived = share.transferBegin = share.begin;
            job.shares[r].push_back(share);
        }
    });
    if (cancel.cancelled()) return std::nullopt;
    gatherInstances(own, job);
    std::map<std::string, std::vector<std::int64_t>> transfers;
    const auto eachMember = [&](CollectiveInstance& instance, auto body) {
        const std::int64_t latest = latestArrival(job, instance);
        for (std::uint32_t m = 0; m < instance.memberCount; ++m) {
            const auto [rank, c] = job.members[instance.firstMember + m];
            CollectiveShare& share = job.shares[rank.value][c];
            const std::int64_t late = latest - job.aligned(rank.value, share.begin);
            body(share, own[rank.value][c], share.begin + late);
        }
    };
    for (CollectiveInstance& instance : job.instances) {
        if (!instance.isComplete) continue;
        eachMember(instance, [&](CollectiveShare& share, const OwnCollective& mine, std::int64_t arrived) {
            share.arrived = share.transferBegin = std::clamp(arrived, share.begin, share.end);
            transfers[mine.what].push_back(share.end - share.arrived);
        });
    }
    std::map<std::string, std::int64_t> usual;
    for (auto& [what, values] : transfers) usual[what] = upperMedian(values);
    const auto likeOf = [&](const OwnCollective& mine) -> std::optional<std::int64_t> {
        const auto found = usual.find(mine.what);
        return found == usual.end() ? mine.transit : std::optional(found->second);
    };
    for (CollectiveInstance& instance : job.instances) {
        eachMember(instance, [&](CollectiveShare& share, const OwnCollective& mine, std::int64_t arrived) {
            if (!instance.like) instance.like = likeOf(mine);
            if (instance.isComplete) return;
            share.arrived = std::clamp(arrived, share.begin, share.end);
            shareIncomplete(share, likeOf(mine), mine.hasAbsent && (!mine.isPeerToPeer || mine.isPair));
        });
    }
    for (std::size_t r = 0; r < own.size(); ++r) {
        for (std::size_t c = 0; c < own[r].size(); ++c) {
            if (job.shares[r][c].instance == CollectiveShare::kNoInstance)
                shareAlone(own[r][c], likeOf(own[r][c]), job.shares[r][c]);
        }
    }
    return job;
}

}  // namespace altiscope
