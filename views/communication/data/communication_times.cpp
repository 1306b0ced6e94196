#include "views/communication/data/communication_times.h"

#include "core/analysis/collectives/collective_slice.h"
#include "views/common/support/data_texts.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace altiscope {

namespace {

/// Recorded begins are good to 0.25 us.
constexpr std::int64_t kSameBeginNs = 1'000;

/// The item of a rank that a slice stands for.
std::optional<std::uint32_t> itemOf(const RankCollectives& rank, std::string_view name, TimeNs begin) {
    std::optional<std::uint32_t> best;
    std::int64_t nearest = kSameBeginNs + 1;
    for (std::uint32_t i = 0; i < rank.items.size(); ++i) {
        const CollectiveItem& item = rank.items[i];
        if (!item.begin || rank.name(item) != name) continue;
        const std::int64_t apart = std::abs((*item.begin - begin).value);
        if (apart >= nearest) continue;
        nearest = apart;
        best = i;
    }
    return best;
}

std::optional<std::size_t> rowOf(const CollectiveSet& set, RankIndex rank) {
    const auto found =
        std::find_if(set.ranks.begin(), set.ranks.end(), [&](const RankCollectives& one) { return one.rank == rank; });
    return found == set.ranks.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - set.ranks.begin()));
}

void addDistances(const CommunicationTimes& times, PeerTimes& found) {
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max(), first = shortest;
    const auto hasBegin = [&](const PeerTime& peer) {
        return times.set->ranks[peer.row].items[peer.item].begin.has_value();
    };
    const auto begin = [&](const PeerTime& peer) { return times.chart->aligned(peer.row, peer.item).begin.value; };
    const auto elapsed = [&](const PeerTime& peer) {
        return times.set->ranks[peer.row].items[peer.item].spent.elapsed;
    };
    for (const PeerTime& peer : found.peers) {
        shortest = std::min(shortest, elapsed(peer));
        if (hasBegin(peer)) first = std::min(first, begin(peer));
    }
    for (PeerTime& peer : found.peers) {
        if (hasBegin(peer)) peer.late = begin(peer) - first;
        peer.wait = elapsed(peer) - shortest;
    }
}

}  // namespace

std::shared_ptr<const CommunicationTimes> communicationTimes(std::shared_ptr<const CommunicationSource> source,
                                                             const CollectiveQuery& query, const CancelToken& cancel,
                                                             std::shared_ptr<const CollectiveAlignment> alignment) {
    auto times = std::make_shared<CommunicationTimes>();
    times->source = std::move(source);
    const CommunicationSource& from = *times->source;
    std::vector<CollectiveRows> rows;
    for (std::size_t r = 0; r < from.ranks.size(); ++r) {
        const bool isComputed = from.computed[r] != nullptr;
        if (from.collectives(r) != nullptr)
            rows.push_back({from.ranks[r], isComputed ? from.computed[r] : from.rank(r).rows, isComputed,
                            from.context.shiftOf(from.ranks[r])});
    }
    times->set = collectiveSet(rows, query, cancel);
    if (times->set == nullptr) return nullptr;
    const auto clocks = alignClocks(*from.capture, cancel);
    if (!clocks) return nullptr;
    times->clocks = alignment != nullptr ? alignment->clocks : clocks->ranks;
    times->alignment = std::move(alignment);
    times->chart = CollectiveChart::make(times->set, times->clocks, cancel);
    if (times->chart == nullptr) return nullptr;
    for (const RankCollectives& rank : times->set->ranks) {
        if (!clocks->ranks[rank.rank.value].isAligned()) times->ownClock.push_back(rank.rank);
    }
    times->late = lateRanks(*times->set, cancel);
    times->transfers = rankTransfers(*from.capture, from.ranks, from.computedTransfers, query, cancel);
    return cancel.cancelled() ? nullptr : times;
}

std::optional<PeerTimes> peerTimes(const CommunicationTimes& times, std::size_t row, std::uint32_t item,
                                   std::shared_ptr<const CollectiveDirectory> directory, const CancelToken& cancel) {
    const CollectiveSet& set = *times.set;
    const RankCollectives& own = set.ranks[row];
    const RankEntry& entry = times.rank(row);
    PeerTimes found;
    std::optional<SliceIndex> slice;
    if (entry.trace != nullptr) slice = collectiveSlice(*entry.trace, own.name(own.items[item]), own.items[item].begin);
    if (slice) {
        found.directory =
            directory != nullptr ? std::move(directory) : CollectiveDirectory::make(times.source->capture, cancel);
        if (found.directory == nullptr) return std::nullopt;
        if (const auto peers = found.directory->peersOf({own.rank, *slice}, cancel)) {
            found.missing = peers->missing;
            for (const CollectivePeer& peer : peers->peers) {
                const auto place = rowOf(set, peer.rank);
                if (!place) continue;
                const TraceStore& trace = *times.source->capture->ranks[peer.rank.value].trace;
                if (const auto known = itemOf(set.ranks[*place], trace.name(peer.slice), peer.range.begin))
                    found.peers.push_back({*place, *known, {}, 0});
                else found.missing.push_back(peer.rank);
            }
        }
        if (cancel.cancelled()) return std::nullopt;
    }
    if (found.peers.empty()) {
        found.isByOrder = true;
        for (const PairedItem& paired : pairedItems(set, {row, item}))
            found.peers.push_back({paired.row, paired.item, {}, 0});
    }
    addDistances(times, found);
    return found;
}

std::shared_ptr<const CommunicationTimes> alignedBy(const CommunicationTimes& times, std::size_t row,
                                                    std::uint32_t item, CollectiveChart::Edge edge,
                                                    std::shared_ptr<const CollectiveDirectory> directory,
                                                    const CancelToken& cancel) {
    const auto found = peerTimes(times, row, item, std::move(directory), cancel);
    if (!found || cancel.cancelled()) return nullptr;
    std::vector<std::pair<std::size_t, std::uint32_t>> items{{row, item}};
    for (const PeerTime& peer : found->peers) {
        if (peer.row != row && times.set->ranks[peer.row].items[peer.item].begin)
            items.emplace_back(peer.row, peer.item);
    }
    if (items.size() == 1) return nullptr;
    auto moved = std::make_shared<CommunicationTimes>(times);
    moved->clocks = times.chart->clocksBy(edge, items, times.clocks);
    const RankCollectives& own = times.set->ranks[row];
    moved->alignment = std::make_shared<const CollectiveAlignment>(
        CollectiveAlignment{std::string(own.name(own.items[item])), edge, moved->clocks});
    moved->chart = CollectiveChart::make(times.set, moved->clocks, cancel);
    return moved->chart == nullptr ? nullptr : moved;
}

std::shared_ptr<const CommunicationTimes> restoredTimes(const CommunicationTimes& times, const CancelToken& cancel) {
    auto clocks = alignClocks(*times.source->capture, cancel);
    if (!clocks) return nullptr;
    auto restored = std::make_shared<CommunicationTimes>(times);
    restored->clocks = std::move(clocks->ranks);
    restored->alignment.reset();
    restored->chart = CollectiveChart::make(times.set, restored->clocks, cancel);
    return restored->chart == nullptr ? nullptr : restored;
}

}  // namespace altiscope
