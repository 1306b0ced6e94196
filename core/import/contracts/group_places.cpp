#include "core/import/contracts/group_places.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace altiscope {

namespace {

/// The largest jobs have some ten thousand ranks; greater places come from damaged files.
constexpr std::int64_t kMaxPlaces = 1'000'000;

using KnownPlaces = std::map<std::int64_t, std::int64_t>;  // place -> rank

/// Ranks rise with places, and there must be room for those before and behind.
bool isOrdered(const KnownPlaces& known, std::int64_t places, std::optional<std::int64_t> rankCount) {
    std::int64_t place = -1, rank = -1;
    for (const auto& [nextPlace, nextRank] : known) {
        if (nextRank - rank < nextPlace - place) return false;
        place = nextPlace;
        rank = nextRank;
    }
    return !rankCount || *rankCount - rank >= places - place;
}

/// Fills what lies between two known places if there is one way to do so.
void fillBetween(std::int64_t place, std::int64_t rank, std::int64_t nextPlace, std::int64_t nextRank,
                 std::vector<std::optional<std::int64_t>>& ranks) {
    if (nextRank - rank != nextPlace - place) return;
    for (std::int64_t i = 1; i < nextPlace - place; ++i) ranks[static_cast<std::size_t>(place + i)] = rank + i;
}

}  // namespace

void GroupWitness::addLink(std::int64_t source, std::int64_t target) {
    if (source < 0 || target < 0 || source >= kMaxPlaces || target >= kMaxPlaces) return;
    m_highest = std::max({m_highest, source, target});
    if (source == target) m_toItself.insert(source);
    if (!m_inAll) m_inAll = std::set{source, target};
    else std::erase_if(*m_inAll, [&](std::int64_t place) { return place != source && place != target; });
}

std::set<std::int64_t> GroupWitness::own() const {
    if (!m_toItself.empty()) return m_toItself;
    return m_inAll && m_inAll->size() == 1 ? *m_inAll : std::set<std::int64_t>();
}

GroupPlaces groupPlaces(const std::vector<GroupWitness>& witnesses, std::optional<std::int64_t> rankCount) {
    GroupPlaces result;
    std::int64_t places = 0;
    bool isCollective = false;
    std::map<std::int64_t, std::set<std::int64_t>> placesOf, ranksAt;
    std::set<std::int64_t> members;
    for (const GroupWitness& witness : witnesses) {
        places = std::max(places, witness.highest() + 1);
        isCollective = isCollective || witness.isCollective();
        members.insert(witness.rank());
        for (const std::int64_t place : witness.own()) {
            placesOf[witness.rank()].insert(place);
            ranksAt[place].insert(witness.rank());
        }
    }
    if (places == 0) return result;
    result.ranks.resize(static_cast<std::size_t>(places));
    std::set<std::int64_t> conflicting;
    for (const auto& [rank, own] : placesOf) {
        if (own.size() > 1) conflicting.insert(rank);
    }
    for (const auto& [place, ranks] : ranksAt) {
        if (ranks.size() > 1) conflicting.insert(ranks.begin(), ranks.end());
    }
    KnownPlaces known;
    for (const auto& [rank, own] : placesOf) {
        if (!conflicting.contains(rank)) known.emplace(*own.begin(), rank);
    }
    // As many as there are places, each with a place of its own.
    if (conflicting.empty() && static_cast<std::int64_t>(members.size()) == places) {
        KnownPlaces all;
        for (const std::int64_t rank : members) all.emplace(static_cast<std::int64_t>(all.size()), rank);
        if (std::includes(all.begin(), all.end(), known.begin(), known.end())) known = std::move(all);
        else conflicting = members;
    }
    if (!isOrdered(known, places, rankCount) || static_cast<std::int64_t>(members.size()) > places)
        conflicting = members;
    result.conflicting.assign(conflicting.begin(), conflicting.end());
    if (conflicting == members) return result;

    std::int64_t place = -1, rank = -1;
    for (const auto& [nextPlace, nextRank] : known) {
        result.ranks[static_cast<std::size_t>(nextPlace)] = nextRank;
        fillBetween(place, rank, nextPlace, nextRank, result.ranks);
        place = nextPlace;
        rank = nextRank;
    }
    if (rankCount) fillBetween(place, rank, places, *rankCount, result.ranks);
    const bool isFilled =
        std::all_of(result.ranks.begin(), result.ranks.end(), [](const auto& one) { return one.has_value(); });
    if (!isFilled || !conflicting.empty()) return result;
    // A place beyond these would be an end of a link of one of its neighbours, of all of which the links are there.
    const bool hasAllLinks = isCollective && std::all_of(result.ranks.begin(), result.ranks.end(),
                                                         [&](const auto& one) { return members.contains(*one); });
    result.isWhole = hasAllLinks || (rankCount && *result.ranks.back() == *rankCount - 1);
    return result;
}

}  // namespace altiscope
