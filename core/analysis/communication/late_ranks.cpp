#include "core/analysis/communication/late_ranks.h"

#include "core/analysis/support/saturating.h"
#include "core/base/values/median.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace altiscope {

namespace {

constexpr double kFarFromMedian = 3.5, kMadToSigma = 0.6745;
constexpr double kMinShare = 0.05, kMinShareOfFew = 0.2;
constexpr std::size_t kFewRanks = 4;

/// What must be equal for collectives of two ranks to be the same.
struct SameKey {
    std::int64_t step = 0;
    std::string_view group;
    std::uint32_t type = 0;
    bool operator<(const SameKey& other) const {
        return std::tie(step, group, type) < std::tie(other.step, other.group, other.type);
    }
};

/// Where no file names the group, by what its name holds of it.
SameKey sameKeyOf(const RankCollectives& rank, const CollectiveItem& item) {
    const std::string_view group = rank.group(item);
    return {item.step.value_or(kNoCell), group.empty() ? groupDigits(rank.name(item)) : group, item.type};
}

using ItemsByKey = std::map<SameKey, std::vector<std::uint32_t>>;

void sortByBegin(const RankCollectives& rank, std::vector<std::uint32_t>& items) {
    std::stable_sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) {
        return rank.items[a].begin.value_or(TimeNs{}) < rank.items[b].begin.value_or(TimeNs{});
    });
}

/// Whether the shortest of some times stands out.
bool isClearlyShort(const std::vector<double>& times, double shortest) {
    const double median = altiscope::median(times);
    if (times.size() < kFewRanks) return median - shortest > kMinShareOfFew * median;
    if (median - shortest <= kMinShare * median) return false;
    std::vector<double> distances;
    for (const double time : times) distances.push_back(std::abs(time - median));
    const double spread = altiscope::median(std::move(distances));
    return spread <= 0 || kMadToSigma * (median - shortest) / spread > kFarFromMedian;
}

/// The lists of those ranks that have as many as most.
struct Comparable {
    std::vector<std::pair<std::size_t, const std::vector<std::uint32_t>*>> ranks;
    std::size_t count = 0;
};

Comparable comparable(const std::vector<std::pair<std::size_t, const std::vector<std::uint32_t>*>>& all) {
    std::map<std::size_t, std::size_t> byCount;
    for (const auto& [rank, items] : all) ++byCount[items->size()];
    Comparable kept;
    std::size_t most = 0;
    for (const auto& [count, ranks] : byCount) {
        if (ranks < most) continue;
        most = ranks;
        kept.count = count;
    }
    for (const auto& one : all) {
        if (one.second->size() == kept.count) kept.ranks.push_back(one);
    }
    return kept;
}

}  // namespace

std::vector<LateRank> lateRanks(const CollectiveSet& set, const CancelToken& cancel) {
    std::vector<LateRank> late(set.ranks.size());
    std::vector<ItemsByKey> byRank(set.ranks.size());
    std::map<SameKey, std::vector<std::pair<std::size_t, const std::vector<std::uint32_t>*>>> all;
    for (std::size_t r = 0; r < set.ranks.size() && !cancel.cancelled(); ++r) {
        const RankCollectives& rank = set.ranks[r];
        for (std::uint32_t i = 0; i < rank.items.size(); ++i) {
            // Of groups that nothing tells apart, collectives of different ones would be compared.
            if (!rank.items[i].isPeerToPeer && !sameKeyOf(rank, rank.items[i]).group.empty())
                byRank[r][sameKeyOf(rank, rank.items[i])].push_back(i);
        }
        for (auto& [key, items] : byRank[r]) {
            sortByBegin(rank, items);
            all[key].emplace_back(r, &items);
        }
    }
    for (const auto& entry : all) {
        if (cancel.cancelled()) break;
        const Comparable same = comparable(entry.second);
        if (same.ranks.size() < 2) continue;
        for (std::size_t n = 0; n < same.count; ++n) {
            std::vector<double> times;
            for (const auto& [rank, items] : same.ranks) {
                ++late[rank].compared;
                times.push_back(static_cast<double>(set.ranks[rank].items[(*items)[n]].spent.elapsed));
            }
            const auto shortest = std::min_element(times.begin(), times.end());
            if (!isClearlyShort(times, *shortest)) continue;
            LateRank& last = late[same.ranks[static_cast<std::size_t>(shortest - times.begin())].first];
            ++last.last;
            for (const double time : times) addSaturated(last.waited, saturatedRound(time - *shortest));
        }
    }
    return late;
}

std::vector<PairedItem> pairedItems(const CollectiveSet& set, PairedItem own) {
    const RankCollectives& rank = set.ranks[own.row];
    const SameKey key = sameKeyOf(rank, rank.items[own.item]);
    // Which send belongs to which receive is not to be seen from their order.
    if (rank.items[own.item].isPeerToPeer || key.group.empty()) return {own};
    std::vector<std::vector<std::uint32_t>> lists(set.ranks.size());
    for (std::size_t r = 0; r < set.ranks.size(); ++r) {
        const auto& items = set.ranks[r].items;
        for (std::uint32_t i = 0; i < items.size(); ++i) {
            if (items[i].type != key.type || items[i].step.value_or(kNoCell) != key.step ||
                sameKeyOf(set.ranks[r], items[i]).group != key.group)
                continue;
            lists[r].push_back(i);
        }
        sortByBegin(set.ranks[r], lists[r]);
    }
    const auto place = static_cast<std::size_t>(std::find(lists[own.row].begin(), lists[own.row].end(), own.item) -
                                                lists[own.row].begin());
    std::vector<PairedItem> paired;
    for (std::size_t r = 0; r < lists.size(); ++r) {
        if (lists[r].size() == lists[own.row].size()) paired.push_back({r, lists[r][place]});
    }
    return paired;
}

}  // namespace altiscope
