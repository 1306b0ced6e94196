#include "core/compare/candidate.h"

#include "core/analysis/steps/step_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

using Place = std::optional<std::size_t>;
using RankId = std::optional<std::int64_t>;

/// Parts of what a difference may be explained by, of its change; and how probable the rest must be as noise.
constexpr double kMaxOf = 0.75, kMuchOf = 0.5, kNoise = 0.01;
/// From this part on a rank changed as the mean did: one of two ranks alone changes by the double of their mean.
constexpr double kAlike = 0.6;
/// The rest of a rank's change that what all ranks share leaves to another cause, unless it is noise.
constexpr double kMuchMore = 0.1;
/// Share of the calls of a host that change by more than noise, at least, where the host as a whole changed.
constexpr double kManyCalls = 0.2;
/// How much more than those like it a link has to change to be a cause.
constexpr double kTimesOthers = 2;

/// Calls that last as long as the device works.
bool waitsForDevice(const MeasureKey& key) {
    return key.dimension == Dimension::Api && key.key.find("Synchronize") != std::string::npos;
}

/// "aclnnMm | MatMulV2 | 4,4" -> "MatMulV2"; types and shapes do not hold what stands between the parts.
std::string_view typeOfKernel(std::string_view key) {
    constexpr std::string_view kBetween = " | ";
    const std::size_t last = key.rfind(kBetween);
    if (last == std::string_view::npos || last == 0) return {};
    const std::size_t first = key.rfind(kBetween, last - 1);
    return first == std::string_view::npos ? std::string_view()
                                           : key.substr(first + kBetween.size(), last - first - kBetween.size());
}

/// "0-1 HCCS" -> "HCCS"
std::string_view transportOf(std::string_view link) {
    const std::size_t blank = link.find(' ');
    return blank == std::string_view::npos ? std::string_view() : link.substr(blank + 1);
}

/// "1-0 HCCS" -> 0, 1: both directions are one link.
using Ends = std::pair<std::string_view, std::string_view>;
Ends endsOf(std::string_view link) {
    const std::string_view ends = link.substr(0, link.find(' '));
    const std::size_t dash = ends.find('-');
    const std::string_view first = ends.substr(0, dash), second = ends.substr(std::min(dash + 1, ends.size()));
    return {std::min(first, second), std::max(first, second)};
}

/// The part of `change` that follows from `other`: nothing where they have different signs.
double partBy(double change, double other) {
    if ((change < 0) != (other < 0)) return 0;
    return change < 0 ? std::max(change, other) : std::min(change, other);
}

class CauseFinder {
public:
    explicit CauseFinder(std::vector<Candidate>& candidates)
        : m_candidates(candidates), m_isLink(candidates.size(), false) {
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const MeasureKey& key = *candidates[i].key;
            const bool isOfRanks = key.dimension == Dimension::Category || key.dimension == Dimension::Memory;
            if (isOfRanks) m_rows[{key.dimension, key.key}][key.rankId] = i;
            if (key.dimension == Dimension::Finding && key.key.ends_with("_packets") &&
                candidates[i].change.change != 0)
                m_packetsChanged = true;
        }
    }

    void find() {
        explainByKernels();
        explainByHost();
        explainByLink();
        explainByPauses();
        explainWaits("exposed_communication");
        explainWaits("bubble");
        explainMemory();
        for (auto& [name, rows] : m_rows) explainByRanks(rows);
        explainByPart("exposed_communication", {Dimension::Collective, Dimension::Link});
        explainByPart("bubble", {Dimension::Collective, Dimension::Link});
        explainByPart("free", "preparing");
        explainHost();
        explainKernels();
        explainSynchronizations();
        finish();
    }

private:
    using Rows = std::map<RankId, std::size_t>;

    double change(std::size_t i) const { return m_candidates[i].difference.change; }
    bool isSignificant(std::size_t i) const { return m_candidates[i].change.significant; }
    /// By its own noise, whatever else was looked at: enough to follow from something, and too little to be a cause.
    bool isNotable(std::size_t i) const { return isSignificant(i) || m_candidates[i].change.isBeyondNoise(); }
    bool needsCause(std::size_t i) const { return isNotable(i) && !m_candidates[i].cause; }

    const Rows& rowsOf(std::string_view part) { return m_rows[{Dimension::Category, std::string(part)}]; }

    bool isExplained(std::size_t i, double part) const {
        if (change(i) == 0) return false;
        const double share = part / change(i);
        return share >= kMaxOf || (share >= kMuchOf && m_candidates[i].difference.isAbout(part, kNoise));
    }
    void explain(std::size_t i, double part, Place cause) {
        if (!cause || *cause == i || !needsCause(i) || !isExplained(i, part)) return;
        // Beside a large cause what little one of many quantities varies by would seem to follow from it.
        if (!isSignificant(i) && std::abs(change(i)) < kMuchMore * std::abs(change(*cause))) return;
        m_candidates[i].cause = cause;
    }

    /// Differences of a dimension that changed most in each direction, and by how much all of it did.
    struct Extremes {
        Place longer, shorter;
        double sumLonger = 0, sumShorter = 0;
        Place of(double change) const { return change < 0 ? shorter : longer; }
        double sumOf(double change) const { return change < 0 ? sumShorter : sumLonger; }
    };
    Extremes extremesOf(Dimension dimension) const {
        Extremes found;
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const MeasureKey& key = *m_candidates[i].key;
            if (key.dimension != dimension || !isSignificant(i) || waitsForDevice(key)) continue;
            Place& max = change(i) < 0 ? found.shorter : found.longer;
            (change(i) < 0 ? found.sumShorter : found.sumLonger) += change(i);
            if (!max || std::abs(change(i)) > std::abs(change(*max))) max = i;
        }
        return found;
    }

    /// One kernel that makes most of what its type changes by stands for the type, else the type for its kernels.
    void explainTypes() {
        std::map<std::string_view, std::size_t> types;
        for (std::size_t i = 0; i < m_candidates.size(); ++i)
            if (m_candidates[i].key->dimension == Dimension::KernelType) types.emplace(m_candidates[i].key->key, i);
        std::map<std::size_t, std::vector<std::size_t>> kernels;
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            if (m_candidates[i].key->dimension != Dimension::Kernel) continue;
            const auto type = types.find(typeOfKernel(m_candidates[i].key->key));
            if (type != types.end()) kernels[type->second].push_back(i);
        }
        for (const auto& [type, ofType] : kernels)
            for (const std::size_t kernel : ofType)
                if (isSignificant(kernel)) explain(type, partBy(change(type), change(kernel)), kernel);
        for (const auto& [type, ofType] : kernels)
            for (const std::size_t kernel : ofType)
                if (isSignificant(type) && !m_candidates[type].cause)
                    explain(kernel, partBy(change(kernel), change(type)), type);
    }

    void explainByKernels() {
        explainTypes();
        const Rows& rows = rowsOf("computing");
        const double common = commonOf(rows);
        for (const Dimension dimension : {Dimension::Kernel, Dimension::KernelType}) {
            const Extremes kernels = extremesOf(dimension);
            for (const auto& [rank, i] : rows) {
                const Place cause = kernels.of(change(i));
                if (cause && !(rank && isBeyond(i, common))) explain(i, partBy(change(i), change(*cause)), cause);
            }
        }
    }

    /// Where many of them take longer, as after a drop of the frequency, none of them made it.
    void explainKernels() {
        const Place computing = rowOf("computing");
        if (!computing || m_candidates[*computing].cause) return;
        for (const Dimension dimension : {Dimension::KernelType, Dimension::Kernel}) {
            if (shareOfCalls(dimension, change(*computing)) < kManyCalls) continue;
            for (std::size_t i = 0; i < m_candidates.size(); ++i)
                if (m_candidates[i].key->dimension == dimension)
                    explain(i, partBy(change(i), change(*computing)), computing);
        }
    }

    /// Change that half of the ranks reach.
    double commonOf(const Rows& rows) const {
        std::vector<double> changes;
        for (const auto& [rank, i] : rows)
            if (rank) changes.push_back(change(i));
        return changes.empty() ? 0 : percentileOf(std::move(changes), 0.5);
    }
    /// Whether a rank changed in the direction of the others, but by clearly more: the rest has another cause.
    bool isBeyond(std::size_t i, double common) const {
        const double rest = change(i) - common;
        return partBy(change(i), common) != 0 && rest / change(i) >= kMuchMore &&
               !m_candidates[i].difference.isAbout(common, kNoise);
    }

    /// The device waits for one operator that takes longer; where all of them do, most of that is hidden behind what
    /// the device has to do, and none of them makes the free time.
    void explainByHost() {
        for (const Dimension dimension : {Dimension::Operator, Dimension::Api}) {
            const Extremes calls = extremesOf(dimension);
            for (const std::string_view part : {"free", "preparing"}) {
                for (const auto& [rank, i] : rowsOf(part)) {
                    const Place cause = calls.of(change(i));
                    if (cause && change(*cause) / calls.sumOf(change(i)) >= kMuchOf)
                        explain(i, partBy(change(i), change(*cause)), cause);
                }
            }
        }
    }
    /// Share of the calls of both sides that changed at all which did so in a direction by more than noise.
    double shareOfCalls(Dimension dimension, double direction) const {
        double alike = 0, all = 0;
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const Candidate& one = m_candidates[i];
            const bool isOfBoth = one.onlyIn == Difference::Side::Both && !waitsForDevice(*one.key);
            if (one.key->dimension != dimension || !isOfBoth || change(i) == 0) continue;
            ++all;
            if (isSignificant(i) && (change(i) < 0) == (direction < 0)) ++alike;
        }
        return all == 0 ? 0 : alike / all;
    }
    void explainHost() {
        const Place free = rowOf("free");
        if (!free || m_candidates[*free].cause) return;
        for (const Dimension dimension : {Dimension::Operator, Dimension::Api}) {
            const double all = extremesOf(dimension).sumOf(change(*free));
            if (partBy(change(*free), all) / change(*free) < kMuchOf) continue;
            if (shareOfCalls(dimension, change(*free)) < kManyCalls) continue;
            for (std::size_t i = 0; i < m_candidates.size(); ++i) {
                const bool isPart = m_candidates[i].key->dimension == dimension && needsCause(i) &&
                                    (change(i) < 0) == (change(*free) < 0) && change(i) / all < kMuchOf;
                if (isPart) m_candidates[i].cause = free;
            }
        }
    }

    /// The links of one transport by relative change, and where those of each pair of ranks stand among them.
    struct Transport {
        std::vector<std::pair<double, std::size_t>> links;
        std::map<Ends, std::vector<std::size_t>> pairs;
        double oneSided = 0;  ///< The longest time of a link that only one side uses.

        /// The median of all links but those of a pair; nullopt where there are no others.
        std::optional<double> medianBeside(const Ends& pair) const {
            const std::vector<std::size_t>& own = pairs.at(pair);
            const std::size_t others = links.size() - own.size();
            if (others == 0) return std::nullopt;
            const auto at = [&](std::size_t place) {
                for (const std::size_t skipped : own)
                    if (skipped <= place) ++place;
                return links[place].first;
            };
            return (at((others - 1) / 2) + at(others / 2)) / 2;
        }
    };

    std::map<std::string_view, Transport> transports() const {
        std::map<std::string_view, Transport> all;
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const Candidate& one = m_candidates[i];
            if (one.key->dimension != Dimension::Link) continue;
            if (one.onlyIn != Difference::Side::Both) {
                double& most = all[transportOf(one.key->key)].oneSided;
                most = std::max(most, std::abs(change(i)));
            }
            if (one.change.base <= 0) continue;
            all[transportOf(one.key->key)].links.emplace_back(change(i) / static_cast<double>(one.change.base), i);
        }
        for (auto& [name, transport] : all) {
            std::sort(transport.links.begin(), transport.links.end());
            for (std::size_t place = 0; place < transport.links.size(); ++place)
                transport.pairs[endsOf(m_candidates[transport.links[place].second].key->key)].push_back(place);
        }
        return all;
    }

    /// The links that changed more than twice as much as those of the same transport, the largest change first. Where
    /// data goes other ways, over links that one side alone uses, no link says why. How long one pair of ranks moves
    /// data follows from no other pair; of a pair one direction stands for both where they changed alike.
    void findLinks() {
        std::map<std::pair<std::string_view, Ends>, std::vector<std::size_t>> pairs;
        for (const auto& [name, transport] : transports()) {
            for (const auto& [share, i] : transport.links) {
                if (!isSignificant(i) || transport.oneSided >= kMuchOf * std::abs(change(i))) continue;
                const Ends ends = endsOf(m_candidates[i].key->key);
                const auto median = transport.medianBeside(ends);
                // Where no other link is like it, smaller packets would look the same.
                if (median ? std::abs(share) < kTimesOthers * std::abs(*median) : m_packetsChanged) continue;
                pairs[{name, ends}].push_back(i);
            }
        }
        const auto isGreater = [this](std::size_t a, std::size_t b) {
            return std::tuple(-std::abs(change(a)), a) < std::tuple(-std::abs(change(b)), b);
        };
        for (auto& [pair, links] : pairs) {
            std::sort(links.begin(), links.end(), isGreater);
            for (const std::size_t i : links) {
                explain(i, partBy(change(i), change(links.front())), links.front());
                if (m_candidates[i].cause) continue;
                m_links.push_back(i);
                m_isLink[i] = true;
            }
        }
        std::sort(m_links.begin(), m_links.end(), isGreater);
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const MeasureKey& key = *m_candidates[i].key;
            if (key.dimension != Dimension::Link || !needsCause(i)) continue;
            const auto own = pairs.find({transportOf(key.key), endsOf(key.key)});
            if (own != pairs.end()) explain(i, partBy(change(i), change(own->second.front())), own->second.front());
        }
    }

    /// The largest link that explains it, of a rank one of its own first.
    void explainByLinks(std::size_t i) {
        const RankId rank = m_candidates[i].key->rankId;
        const std::string name = rank ? std::to_string(*rank) : std::string();
        for (const bool isOwn : {true, false}) {
            for (const std::size_t link : m_links) {
                const auto [first, second] = endsOf(m_candidates[link].key->key);
                if ((rank && (first == name || second == name)) != isOwn) continue;
                if (!needsCause(i)) return;
                explain(i, partBy(change(i), change(link)), link);
            }
        }
    }

    void explainByLink() {
        findLinks();
        if (m_links.empty()) return;
        for (const std::string_view part : {"exposed_communication", "bubble"})
            for (const auto& [rank, i] : rowsOf(part)) explainByLinks(i);
        for (std::size_t i = 0; i < m_candidates.size(); ++i)
            if (m_candidates[i].key->dimension == Dimension::Collective) explainByLinks(i);
    }

    /// A pause of the hosts of several ranks at different times is free time of one and makes the others wait.
    void explainByPauses() {
        const Rows& free = rowsOf("free");
        const auto mean = free.find(RankId());
        if (mean == free.end() || !m_candidates[mean->second].cause) return;
        const std::size_t cause = *m_candidates[mean->second].cause;
        for (const std::string_view part : {"exposed_communication", "bubble"}) {
            for (const auto& [rank, i] : rowsOf(part)) {
                const auto own = free.find(rank);
                const double left = change(cause) - (own == free.end() ? 0 : change(own->second));
                explain(i, partBy(change(i), partBy(change(cause), left)), cause);
            }
        }
    }

    /// By how much a rank works longer, and the row that says so.
    struct Work {
        std::int64_t rank = 0;
        double change = 0;
        Place row;
    };

    std::map<std::int64_t, Work> works() {
        std::map<std::int64_t, Work> byRank;
        for (const std::string_view part : {"computing", "free"}) {
            for (const auto& [rank, i] : rowsOf(part)) {
                if (!rank) continue;
                Work& work = byRank.try_emplace(*rank, Work{*rank, 0, {}}).first->second;
                work.change += change(i);
                if (isSignificant(i) && (!work.row || std::abs(change(i)) > std::abs(change(*work.row)))) work.row = i;
            }
        }
        return byRank;
    }

    /// Ranks that changed by more than noise: the two that became longer most, and the two that became shorter
    /// most: for every rank the one that it waits for is among them.
    static std::vector<Work> extremes(const std::map<std::int64_t, Work>& works) {
        std::vector<Work> all;
        for (const auto& [rank, work] : works)
            if (work.row) all.push_back(work);
        std::stable_sort(all.begin(), all.end(), [](const Work& a, const Work& b) { return a.change < b.change; });
        if (all.size() > 4) all.erase(all.begin() + 2, all.end() - 2);
        return all;
    }

    /// Who works longer than a rank is waited for, as long as by how much more; in the bubble of a pipeline, where
    /// stages work in turns, for all of it.
    void explainWaits(std::string_view part) {
        const bool isBubble = part == "bubble";
        const std::map<std::int64_t, Work> all = works();
        const std::vector<Work> causes = extremes(all);
        std::map<std::size_t, double> byCause;
        double explained = 0;
        Place mean;
        std::size_t ranks = 0;
        for (const auto& [rank, i] : rowsOf(part)) {
            if (!rank) {
                mean = i;
                continue;
            }
            ++ranks;
            const auto own = all.find(*rank);
            if (own == all.end()) continue;
            double most = 0;
            Place cause;
            for (const Work& work : causes) {
                if (work.rank == *rank) continue;
                double by = partBy(change(i), work.change - own->second.change);
                const double turn = isBubble ? partBy(change(i), work.change) : 0;
                if (std::abs(turn) > std::abs(by)) by = turn;
                if (std::abs(by) <= std::abs(most)) continue;
                most = by;
                cause = work.row;
            }
            explained += most;
            if (cause) byCause[*cause] += std::abs(most);
            explain(i, most, cause);
        }
        if (!mean || byCause.empty()) return;
        const auto most = std::max_element(byCause.begin(), byCause.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        explain(*mean, partBy(change(*mean), explained / static_cast<double>(ranks)), most->first);
    }

    /// Memory that grows by as much in each of n steps peaks at the mean of 1 to n times that.
    void explainMemory() {
        const auto of = [this](const char* key) -> Rows& { return m_rows[{Dimension::Memory, key}]; };
        const auto explainEach = [this](const Rows& rows, const Rows& causes, auto times) {
            for (const auto& [rank, i] : rows) {
                const auto cause = causes.find(rank);
                if (cause == causes.end() || !isSignificant(cause->second)) continue;
                explain(i, partBy(change(i), times(m_candidates[i]) * change(cause->second)), cause->second);
            }
        };
        const auto meanOfSteps = [](const Candidate& one) { return (static_cast<double>(one.currentSteps) + 1) / 2; };
        const auto once = [](const Candidate&) { return 1.0; };
        explainEach(of("peak_allocated"), of("growth_allocated"), meanOfSteps);
        explainEach(of("peak_reserved"), of("growth_allocated"), meanOfSteps);
        explainEach(of("peak_reserved"), of("peak_allocated"), once);
        explainEach(of("growth_reserved"), of("growth_allocated"), once);
    }

    /// One part or size of the ranks, and its mean over them.
    void explainByRanks(const Rows& rows) {
        const auto mean = rows.find(RankId());
        if (mean == rows.end() || rows.size() < 3) return;
        const double whole = change(mean->second);
        double outstanding = 0;
        Place max;
        const double common = commonOf(rows);
        for (const auto& [rank, i] : rows) {
            if (!rank || !isNotable(i)) continue;
            const double of = change(i),
                         alike = partBy(of, whole) / std::max(std::abs(of), std::abs(whole)) * (of < 0 ? -1 : 1);
            const bool isAlike =
                alike >= kMaxOf || (alike >= kAlike && m_candidates[i].difference.isAbout(whole, kNoise));
            if (isAlike && !isBeyond(i, common) && isSignificant(mean->second)) {
                if (!m_candidates[i].cause) m_candidates[i].cause = mean->second;
                continue;
            }
            if (!isSignificant(i)) continue;
            outstanding += of;
            if ((of < 0) == (whole < 0) && (!max || std::abs(of) > std::abs(change(*max)))) max = i;
        }
        explain(mean->second, partBy(whole, outstanding / static_cast<double>(rows.size() - 1)), max);
    }

    /// The row of a part that a reader looks at first: the mean, else the rank that changed most.
    Place rowOf(std::string_view part) {
        Place row;
        for (const auto& [rank, i] : rowsOf(part)) {
            if (!isSignificant(i)) continue;
            if (!rank) return i;
            if (!row || std::abs(change(i)) > std::abs(change(*row))) row = i;
        }
        return row;
    }

    /// Communication that is hidden behind computing is waited for too, by one collective after the other.
    void explainByPart(std::string_view part, const std::set<Dimension>& dimensions) {
        const Place row = rowOf(part);
        if (!row) return;
        const Place cause = m_candidates[*row].cause;
        const double most = cause && std::abs(change(*cause)) > std::abs(change(*row)) ? change(*cause) : change(*row);
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const bool isCause = m_isLink[i];
            if (dimensions.contains(m_candidates[i].key->dimension) && !isCause)
                explain(i, partBy(change(i), most), row);
            if (cause && m_candidates[i].key->dimension == Dimension::Collective)
                explain(i, partBy(change(i), m_candidates[i].waiting), row);
        }
    }
    void explainByPart(std::string_view part, std::string_view other) {
        const Rows causes = rowsOf(part);
        for (const auto& [rank, i] : rowsOf(other)) {
            const auto cause = causes.find(rank);
            if (cause != causes.end() && isSignificant(cause->second))
                explain(i, partBy(change(i), change(cause->second)), cause->second);
        }
    }

    /// The host waits for as much longer as the device works longer, or as it works less itself. A call that was added
    /// or taken away changed by itself.
    void explainSynchronizations() {
        Place longest;
        double most = 0;
        for (const StepPart part : kWholeStep) {
            const Place row = rowOf(infoOf(part).name);
            if (row) most += std::abs(change(*row));
            if (row && (!longest || std::abs(change(*row)) > std::abs(change(*longest)))) longest = row;
        }
        for (const Dimension dimension : {Dimension::Operator, Dimension::Api}) {
            const Extremes calls = extremesOf(dimension);
            most += calls.sumLonger - calls.sumShorter;
        }
        for (std::size_t i = 0; longest && i < m_candidates.size(); ++i) {
            const Candidate& one = m_candidates[i];
            if (waitsForDevice(*one.key) && one.onlyIn == Difference::Side::Both)
                explain(i, partBy(change(i), std::copysign(most, change(i))), longest);
        }
    }

    /// The cause of a cause explains what both explain.
    void finish() {
        for (Candidate& one : m_candidates) {
            for (std::size_t hops = 0; one.cause && m_candidates[*one.cause].cause && hops < m_candidates.size();
                 ++hops)
                one.cause = m_candidates[*one.cause].cause;
        }
        for (Candidate& one : m_candidates) {
            if (!one.cause) continue;
            one.change.significant = false;
            one.causeKey = m_candidates[*one.cause].key;
        }
    }

    std::vector<Candidate>& m_candidates;
    std::map<std::pair<Dimension, std::string>, Rows> m_rows;
    bool m_packetsChanged = false;
    std::vector<std::size_t> m_links;  ///< That changed more than others, the largest first,
    std::vector<bool> m_isLink;        ///< and whether a difference is one of them.
};

}  // namespace

void explainByCauses(std::vector<Candidate>& candidates) { CauseFinder(candidates).find(); }

}  // namespace altiscope
