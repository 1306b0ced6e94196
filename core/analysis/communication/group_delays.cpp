#include "core/analysis/communication/group_delays.h"

#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/median.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace altiscope {

namespace {

constexpr double kNoDelay = std::numeric_limits<double>::quiet_NaN();
constexpr double kFarDelay = 3.5, kMadToDeviation = 0.6745;

using ArrivalMember = GroupArrivals::Member;

/// The members of a collective that are looked at.
class MemberChoice {
public:
    explicit MemberChoice(const DelayQuery& query) : m_query(query) {}

    bool isWanted(const GroupArrivals::Collective& collective, const ArrivalMember& first) const {
        const auto& steps = m_query.steps;
        if (!steps.empty() &&
            (!collective.step || std::find(steps.begin(), steps.end(), *collective.step) == steps.end()))
            return false;
        if (!m_query.range) return true;
        const std::size_t r = first.rank.value;
        const std::int64_t later = r < m_query.drawnLater.size() ? m_query.drawnLater[r].value : 0;
        const std::int64_t begin = first.begin.value + later;
        return begin < m_query.range->end.value && begin + first.elapsed > m_query.range->begin.value;
    }
    bool isWanted(const ArrivalMember& member) const {
        return m_query.isWanted.empty() || m_query.isWanted[member.rank.value];
    }

private:
    const DelayQuery& m_query;
};

/// Sums of one operation.
struct PaceSamples {
    std::vector<std::int64_t> skews, transfers;
    std::uint64_t sized = 0;
    double bytes = 0, time = 0, busBytes = 0;

    void add(const GroupArrivals::Collective& collective, std::int64_t longest, std::int64_t shortest, bool isWhole) {
        skews.push_back(longest - shortest);
        if (!collective.isComplete || !isWhole) return;
        transfers.push_back(shortest);
        if (!collective.volume || shortest <= 0) return;
        ++sized;
        const auto moved = static_cast<double>(collective.volume->bytes);
        bytes += moved;
        busBytes += moved * collective.volume->busShare;
        time += static_cast<double>(shortest);
    }
    OperationPace pace(std::uint32_t operation) {
        OperationPace made;
        made.operation = operation;
        made.count = skews.size();
        made.largestSkew = *std::max_element(skews.begin(), skews.end());
        made.skew = upperMedian(skews);
        made.complete = transfers.size();
        if (!transfers.empty()) made.transfer = upperMedian(transfers);
        made.sized = sized;
        if (sized == 0) return made;
        made.bytes = saturatedRound(bytes / static_cast<double>(sized));
        made.algorithmBandwidth = bytes / time;
        made.busBandwidth = busBytes / time;
        return made;
    }
};

GroupDelays delaysOf(const GroupArrivals& arrivals, std::uint32_t group, const std::vector<std::uint32_t>& collectives,
                     const MemberChoice& choice, const CancelToken& cancel) {
    GroupDelays made;
    made.group = group;
    std::map<RankIndex, std::size_t> places;
    for (const RankIndex rank : arrivals.groups[group].ranks) {
        if (!choice.isWanted({rank, {}, 0})) continue;
        places.emplace(rank, made.ranks.size());
        made.ranks.push_back(rank);
    }
    const std::size_t n = made.ranks.size();
    if (n <= GroupDelays::kMostRanks) made.late.assign(n * n, kNoDelay);
    std::map<std::uint32_t, PaceSamples> byOperation;
    std::set<std::optional<std::int64_t>> steps;
    std::vector<std::pair<std::size_t, std::int64_t>> here;  // place, elapsed
    for (const std::uint32_t c : collectives) {
        if (cancel.cancelled()) return made;
        const GroupArrivals::Collective& collective = arrivals.collectives[c];
        const ArrivalMember* members = arrivals.members.data() + collective.firstMember;
        if (!choice.isWanted(collective, *members)) continue;
        here.clear();
        std::int64_t longest = 0, shortest = std::numeric_limits<std::int64_t>::max();
        for (std::uint32_t m = 0; m < collective.memberCount; ++m) {
            if (!choice.isWanted(members[m])) continue;
            here.emplace_back(places.at(members[m].rank), members[m].elapsed);
            longest = std::max(longest, members[m].elapsed);
            shortest = std::min(shortest, members[m].elapsed);
        }
        if (here.size() < 2) continue;
        steps.insert(collective.step);
        byOperation[collective.operation].add(collective, longest, shortest, here.size() == collective.memberCount);
        if (made.late.empty()) continue;
        for (const auto& [row, own] : here) {
            for (const auto& [column, other] : here) {
                if (row == column) continue;
                double& cell = made.late[row * n + column];
                if (std::isnan(cell)) cell = 0;
                cell += static_cast<double>(std::max<std::int64_t>(0, other - own));
            }
        }
    }
    // Collectives outside of steps do not count where there are steps.
    if (steps.size() > 1) steps.erase(std::nullopt);
    made.steps = std::max<std::size_t>(1, steps.size());
    for (double& cell : made.late) cell /= static_cast<double>(made.steps);
    for (auto& [operation, samples] : byOperation) made.operations.push_back(samples.pace(operation));
    return made;
}

}  // namespace

double GroupDelays::largest() const {
    double most = 0;
    for (const double value : late) most = std::isnan(value) ? most : std::max(most, value);
    return most;
}

std::vector<GroupDelays> groupDelays(const GroupArrivals& arrivals, const DelayQuery& query,
                                     const CancelToken& cancel) {
    const MemberChoice choice(query);
    std::vector<std::vector<std::uint32_t>> byGroup(arrivals.groups.size());
    for (std::uint32_t c = 0; c < arrivals.collectives.size(); ++c) byGroup[arrivals.collectives[c].group].push_back(c);
    std::vector<GroupDelays> all(byGroup.size());
    parallelFor(all.size(), [&](std::size_t g) {
        all[g] = delaysOf(arrivals, static_cast<std::uint32_t>(g), byGroup[g], choice, cancel);
    });
    std::erase_if(all, [](const GroupDelays& group) { return group.operations.empty(); });
    return all;
}

std::vector<double> slowLinkDelays(const LinkMatrix& links, const std::vector<std::optional<std::int64_t>>& numbers,
                                   std::size_t steps) {
    std::map<std::int64_t, std::size_t> places;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i]) places.emplace(*numbers[i], i);
    }
    const auto placeOf = [&](std::size_t node) -> std::optional<std::size_t> {
        const auto& rank = links.nodes()[node].rank;
        const auto found = rank ? places.find(*rank) : places.end();
        return found == places.end() ? std::nullopt : std::optional(found->second);
    };
    const std::size_t n = numbers.size();
    std::vector<double> delays(n * n, kNoDelay);
    // Links of one transport are like each other.
    std::map<std::uint16_t, std::vector<double>> bandwidths;
    const auto eachLink = [&](const auto& body) {
        for (std::size_t source = 0; source < links.nodes().size(); ++source) {
            const auto row = placeOf(source);
            for (std::size_t place = links.rowBegin(source); row && place < links.rowEnd(source); ++place) {
                const LinkSum link = links.link(source, place);
                const auto column = placeOf(link.target);
                const auto reached = link.hasTime() ? link.bandwidth() : std::nullopt;
                if (column && *column != *row && reached && *reached > 0 && !links.isTooSmall(link))
                    body(*row, *column, link, *reached);
            }
        }
    };
    eachLink([&](std::size_t, std::size_t, const LinkSum& link, double reached) {
        bandwidths[link.transports].push_back(reached);
    });
    if (bandwidths.empty()) return {};
    std::map<std::uint16_t, double> usual;
    for (auto& [transports, values] : bandwidths) usual[transports] = median(std::move(values));
    eachLink([&](std::size_t row, std::size_t column, const LinkSum& link, double) {
        const double needed = static_cast<double>(link.size) / usual[link.transports];
        delays[row * n + column] = std::max(0.0, static_cast<double>(link.time) - needed) /
                                   static_cast<double>(std::max<std::size_t>(1, steps));
    });
    return delays;
}

DelayPattern delayPattern(const std::vector<double>& values, std::size_t n, double minimum) {
    DelayPattern pattern;
    std::vector<double> known;
    for (std::size_t i = 0; i < n * n; ++i) {
        if (i / n != i % n && !std::isnan(values[i])) known.push_back(values[i]);
    }
    pattern.isPair = n == 2;
    if (n < 3 || known.empty()) return pattern;
    const double usual = median(known);
    for (double& value : known) value = std::abs(value - usual);
    const double limit = std::max(minimum, usual + kFarDelay / kMadToDeviation * median(std::move(known)));
    const auto at = [&](std::size_t row, std::size_t column) { return values[row * n + column]; };
    const auto standsOut = [&](std::size_t row, std::size_t column) {
        return row != column && at(row, column) >= limit && at(row, column) > usual;
    };
    std::vector<bool> isRow(n), isColumn(n);
    // Whether most of the cells of a line stand out, of those that no row explains already. @param cellAt  By place.
    const auto isLine = [&](const auto& cellAt) {
        std::size_t all = 0, found = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const auto [row, column, isExplained] = cellAt(i);
            if (row == column || isExplained || std::isnan(at(row, column))) continue;
            ++all;
            found += standsOut(row, column) ? 1 : 0;
        }
        return found >= 2 && 4 * found >= 3 * all;
    };
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> sums(n);
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t column = 0; column < n; ++column)
            sums[row] += row != column && !std::isnan(at(row, column)) ? at(row, column) : 0;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
    for (const std::size_t row : order)
        isRow[row] = isLine([&](std::size_t i) { return std::tuple(row, i, bool{isRow[i]}); });
    for (std::size_t column = 0; column < n; ++column)
        isColumn[column] = isLine([&](std::size_t i) { return std::tuple(i, column, bool{isRow[i]}); });
    for (std::uint32_t i = 0; i < n; ++i) {
        if (isRow[i]) pattern.rows.push_back(i);
        if (isColumn[i]) pattern.columns.push_back(i);
        for (std::uint32_t column = 0; column < n; ++column) {
            if (!isRow[i] && !isColumn[column] && standsOut(i, column)) pattern.cells.emplace_back(i, column);
        }
    }
    return pattern;
}

}  // namespace altiscope
