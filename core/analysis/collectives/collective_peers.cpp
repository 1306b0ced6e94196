#include "core/analysis/collectives/collective_peers.h"

#include "core/analysis/steps/device_activity.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace altiscope {

namespace {

using Ends = std::vector<CollectiveEnd>;

/// Ends of one collective on two ranks are no further apart than this on a common clock, beside what the clocks' fit
/// leaves.
constexpr std::int64_t kMaxApart = 50'000;
/// Distances of neighbouring ends agree within this and a part of themselves, in spite of clocks that drift.
constexpr std::int64_t kGapsApart = 5'000, kGapParts = 400;

bool isSameSequence(const Ends& own, const Ends& other) {
    return std::equal(own.begin(), own.end(), other.begin(), other.end(),
                      [](const CollectiveEnd& a, const CollectiveEnd& b) { return a.what == b.what; });
}

/// Of the same sequence on two ranks: whether most distances of neighbours agree, so that no other order need be looked
/// for.
bool gapsAgree(const Ends& own, const Ends& other) {
    std::size_t agree = 0;
    for (std::size_t i = 0; i + 1 < own.size(); ++i) {
        const std::int64_t gap = own[i + 1].end - own[i].end, otherGap = other[i + 1].end - other[i].end;
        if (std::abs(gap - otherGap) <= kGapsApart + gap / kGapParts) ++agree;
    }
    return own.size() > 2 && 2 * agree > own.size() - 1;
}

std::int64_t reachOf(const ClockLine& line) { return kMaxApart + 4 * line.residual; }

/// The place of the end nearest to where a line leads that is the same thing.
std::optional<std::size_t> nearest(const CollectiveEnd& end, const Ends& other, const ClockLine& line) {
    const std::int64_t expected = line.at(end.end), reach = reachOf(line);
    const auto first = std::lower_bound(other.begin(), other.end(), expected - reach,
                                        [](const CollectiveEnd& a, std::int64_t time) { return a.end < time; });
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    std::optional<std::size_t> found;
    for (auto at = first; at != other.end() && at->end <= expected + reach; ++at) {
        const std::int64_t apart = std::abs(at->end - expected);
        if (at->what != end.what || apart >= best) continue;
        best = apart;
        found = static_cast<std::size_t>(at - other.begin());
    }
    return found;
}

/// The slice on another rank that is the own collective number `at`.
std::optional<std::uint32_t> pairOf(const Ends& own, std::size_t at, const Ends& other) {
    const bool same = isSameSequence(own, other);
    if (same && gapsAgree(own, other)) return other[at].slice;
    if (const auto line = fitClocks(own, other)) {
        const auto found = nearest(own[at], other, *line);
        return found ? std::optional(other[*found].slice) : std::nullopt;
    }
    return same ? std::optional(other[at].slice) : std::nullopt;
}

}  // namespace

std::optional<PairedEnds> pairEnds(const std::vector<CollectiveEnd>& own, const std::vector<CollectiveEnd>& other) {
    PairedEnds paired;
    paired.partners.resize(own.size());
    const bool same = isSameSequence(own, other);
    const auto line = same && gapsAgree(own, other) ? std::nullopt : fitClocks(own, other);
    if (!line) {
        for (std::size_t i = 0; same && i < own.size(); ++i) paired.partners[i] = i;
        return same ? std::optional(std::move(paired)) : std::nullopt;
    }
    paired.line = *line;
    paired.reach = reachOf(*line);
    // Of several that are nearest to the same one, it belongs to the nearest of them.
    std::vector<std::optional<std::size_t>> takenBy(other.size());
    const auto apart = [&](std::size_t i, std::size_t j) { return std::abs(other[j].end - line->at(own[i].end)); };
    for (std::size_t i = 0; i < own.size(); ++i) {
        const auto j = nearest(own[i], other, *line);
        if (!j || (takenBy[*j] && apart(*takenBy[*j], *j) <= apart(i, *j))) continue;
        if (takenBy[*j]) paired.partners[*takenBy[*j]].reset();
        takenBy[*j] = i;
        paired.partners[i] = *j;
    }
    return paired;
}

bool isCollective(const TraceStore& trace, SliceIndex slice) {
    return isGroupTrack(trace.track({trace.runOf(slice).track}));
}

std::shared_ptr<const CollectiveDirectory> CollectiveDirectory::make(std::shared_ptr<const CaptureStore> capture,
                                                                     const CancelToken& cancel) {
    auto made = std::make_shared<CollectiveDirectory>();
    const CaptureGroups directory(capture->rows.get());
    made->m_ranks.resize(capture->ranks.size());
    parallelFor(capture->ranks.size(),
                [&](std::size_t r) { made->m_ranks[r] = collectiveEnds(capture->ranks[r], directory, cancel); });
    made->m_capture = std::move(capture);
    return cancel.cancelled() ? nullptr : made;
}

std::optional<CollectivePeers> CollectiveDirectory::peersOf(SliceRef slice, const CancelToken& cancel) const {
    const auto isIt = [&](const CollectiveEnd& end) { return end.slice == slice.slice.value; };
    for (const auto& ofGroup : m_ranks[slice.rank.value]) {
        const auto& group = ofGroup.first;
        const auto& own = ofGroup.second;
        const auto it = std::find_if(own.begin(), own.end(), isIt);
        if (it == own.end()) continue;
        const auto at = static_cast<std::size_t>(it - own.begin());
        CollectivePeers result;
        result.isTransfer = isTransferGroup(group);
        result.group = result.isTransfer ? group.substr(0, group.size() - 1) : group;
        std::vector<RankIndex> members;
        for (RankIndex r; r.value < m_ranks.size(); ++r.value) {
            if (m_ranks[r.value].contains(group)) members.push_back(r);
        }
        const bool knowsPartners = !result.isTransfer || members.size() == 2;
        std::vector<std::optional<std::uint32_t>> found(members.size());
        parallelFor(members.size(), [&](std::size_t m) {
            if (cancel.cancelled()) return;
            if (members[m] == slice.rank) found[m] = slice.slice.value;
            else if (knowsPartners) found[m] = pairOf(own, at, m_ranks[members[m].value].find(group)->second);
        });
        if (cancel.cancelled()) return std::nullopt;
        std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
        for (std::size_t m = 0; m < members.size(); ++m) {
            if (!found[m]) {
                result.missing.push_back(members[m]);
                continue;
            }
            const TraceStore& trace = *m_capture->ranks[members[m].value].trace;
            const SliceIndex there{*found[m]};
            shortest = std::min(shortest, trace.duration(there).value);
            result.peers.push_back({members[m], there, {trace.begin(there), trace.end(there)}, 0});
        }
        for (CollectivePeer& peer : result.peers) peer.wait = peer.range.length().value - shortest;
        return result;
    }
    return std::nullopt;
}

}  // namespace altiscope
