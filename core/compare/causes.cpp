#include "core/compare/candidate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace altiscope {

namespace {

using Place = std::optional<std::size_t>;
using RankId = std::optional<std::int64_t>;

/// Parts of what a difference may be explained by, of its change; and how probable the rest must be as noise.
constexpr double kMostOf = 0.75, kMuchOf = 0.5, kNoise = 0.01;
/// From this part on a rank changed as the mean did: one of two ranks alone changes by the double of their mean.
constexpr double kAlike = 0.6;
/// How much more than those like it a link has to change to be a cause.
constexpr double kTimesOthers = 2;

/// Calls that last as long as the device works.
bool waitsForDevice(const MeasureKey& key) {
    return key.dimension == Dimension::Api && key.key.find("Synchronize") != std::string::npos;
}

/// "0-1 HCCS" -> "HCCS"
std::string_view transportOf(std::string_view link) {
    const std::size_t blank = link.find(' ');
    return blank == std::string_view::npos ? std::string_view() : link.substr(blank + 1);
}

/// The part of `change` that follows from `other`: nothing where they have different signs.
double partBy(double change, double other) {
    if ((change < 0) != (other < 0)) return 0;
    return change < 0 ? std::max(change, other) : std::min(change, other);
}

class CauseFinder {
public:
    explicit CauseFinder(std::vector<Candidate>& candidates) : m_candidates(candidates) {
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
        explainByPart("exposed_communication", "bubble");
        explainByPart("free", "preparing");
        explainHost();
        explainSynchronizations();
        finish();
    }

private:
    using Rows = std::map<RankId, std::size_t>;

    double change(std::size_t i) const { return m_candidates[i].difference.change; }
    bool isSignificant(std::size_t i) const { return m_candidates[i].change.significant; }
    bool needsCause(std::size_t i) const { return isSignificant(i) && !m_candidates[i].cause; }

    const Rows& rowsOf(std::string_view part) { return m_rows[{Dimension::Category, std::string(part)}]; }

    bool isExplained(std::size_t i, double part) const {
        if (change(i) == 0) return false;
        const double share = part / change(i);
        return share >= kMostOf || (share >= kMuchOf && m_candidates[i].difference.isAbout(part, kNoise));
    }
    void explain(std::size_t i, double part, Place cause) {
        if (cause && *cause != i && needsCause(i) && isExplained(i, part)) m_candidates[i].cause = cause;
    }

    /// Of a dimension the ones that changed most in each direction, and by how much all of it did.
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
            Place& greatest = change(i) < 0 ? found.shorter : found.longer;
            (change(i) < 0 ? found.sumShorter : found.sumLonger) += change(i);
            if (!greatest || std::abs(change(i)) > std::abs(change(*greatest))) greatest = i;
        }
        return found;
    }

    void explainByKernels() {
        const Extremes kernels = extremesOf(Dimension::Kernel);
        for (const auto& [rank, i] : rowsOf("computing"))
            if (const Place cause = kernels.of(change(i))) explain(i, partBy(change(i), change(*cause)), cause);
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
    void explainHost() {
        const Place free = rowOf("free");
        if (!free || m_candidates[*free].cause) return;
        for (const Dimension dimension : {Dimension::Operator, Dimension::Api}) {
            const double all = extremesOf(dimension).sumOf(change(*free));
            if (partBy(change(*free), all) / change(*free) < kMuchOf) continue;
            for (std::size_t i = 0; i < m_candidates.size(); ++i) {
                const bool isPart = m_candidates[i].key->dimension == dimension && needsCause(i) &&
                                    (change(i) < 0) == (change(*free) < 0) && change(i) / all < kMuchOf;
                if (isPart) m_candidates[i].cause = free;
            }
        }
    }

    /// The link that changed most, and more than twice as much as those of the same transport.
    Place outstandingLink() const {
        std::map<std::string_view, std::vector<std::pair<double, std::size_t>>> transports;  // by relative change
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const Candidate& one = m_candidates[i];
            if (one.key->dimension != Dimension::Link || one.change.base <= 0) continue;
            transports[transportOf(one.key->key)].emplace_back(change(i) / static_cast<double>(one.change.base), i);
        }
        Place outstanding;
        for (const auto& [transport, links] : transports) {
            for (const auto& [share, i] : links) {
                if (!isSignificant(i) || (outstanding && std::abs(change(i)) <= std::abs(change(*outstanding))))
                    continue;
                const auto isOther = [&](const auto& link) { return !isSamePair(link.second, i); };
                std::vector<double> others;
                for (const auto& link : links)
                    if (isOther(link)) others.push_back(link.first);
                // Where no other link is like it, smaller packets would look the same.
                if (others.empty() ? m_packetsChanged
                                   : std::abs(share) < kTimesOthers * std::abs(percentileOf(others, 0.5)))
                    continue;
                outstanding = i;
            }
        }
        return outstanding;
    }

    /// "0-1" and "1-0" are one link.
    bool isSamePair(std::size_t a, std::size_t b) const {
        const auto pairOf = [](std::string_view key) {
            const std::string_view ends = key.substr(0, key.find(' '));
            const std::size_t dash = ends.find('-');
            const std::string_view first = ends.substr(0, dash), second = ends.substr(std::min(dash + 1, ends.size()));
            return std::pair(std::min(first, second), std::max(first, second));
        };
        return pairOf(m_candidates[a].key->key) == pairOf(m_candidates[b].key->key);
    }

    void explainByLink() {
        const Place link = m_link = outstandingLink();
        if (!link) return;
        for (const std::string_view part : {"exposed_communication", "bubble"})
            for (const auto& [rank, i] : rowsOf(part)) explain(i, partBy(change(i), change(*link)), link);
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const MeasureKey& key = *m_candidates[i].key;
            if (key.dimension == Dimension::Collective) explain(i, partBy(change(i), change(*link)), link);
            if (key.dimension == Dimension::Link && isSamePair(i, *link)) explain(i, change(i), link);
        }
    }

    /// What pauses the hosts of several ranks at different times is free time of one and makes the others wait.
    void explainByPauses() {
        const Rows& free = rowsOf("free");
        const auto mean = free.find(RankId());
        if (mean == free.end() || !m_candidates[mean->second].cause) return;
        const std::size_t cause = *m_candidates[mean->second].cause;
        for (const auto& [rank, i] : rowsOf("exposed_communication")) {
            const auto own = free.find(rank);
            const double left = change(cause) - (own == free.end() ? 0 : change(own->second));
            explain(i, partBy(change(i), partBy(change(cause), left)), cause);
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

    /// Of the ranks that changed by more than noise the two that became longer most, and the two that became shorter
    /// most: for every rank the one that it waits for is among them.
    static std::vector<Work> extremes(const std::map<std::int64_t, Work>& works) {
        std::vector<Work> all;
        for (const auto& [rank, work] : works)
            if (work.row) all.push_back(work);
        std::stable_sort(all.begin(), all.end(), [](const Work& a, const Work& b) { return a.change < b.change; });
        if (all.size() > 4) all.erase(all.begin() + 2, all.end() - 2);
        return all;
    }

    /// Who works longer than a rank is waited for, as long as by how much more; in a pipeline, where stages work in
    /// turns, for all of it.
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
            const double inTurns = bubbleOf(*rank);
            double most = 0;
            Place cause;
            for (const Work& work : causes) {
                if (work.rank == *rank) continue;
                double by = partBy(change(i), work.change - own->second.change);
                const double turn = partBy(change(i), partBy(isBubble ? change(i) : inTurns, work.change));
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

    double bubbleOf(std::int64_t rank) {
        const Rows& rows = rowsOf("bubble");
        const auto found = rows.find(rank);
        return found == rows.end() ? 0 : change(found->second);
    }

    /// What grows by as much in each of n steps peaks at the mean of 1 to n times that.
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
        Place greatest;
        for (const auto& [rank, i] : rows) {
            if (!rank || !isSignificant(i)) continue;
            const double of = change(i),
                         alike = partBy(of, whole) / std::max(std::abs(of), std::abs(whole)) * (of < 0 ? -1 : 1);
            const bool isAlike =
                alike >= kMostOf || (alike >= kAlike && m_candidates[i].difference.isAbout(whole, kNoise));
            if (isAlike && isSignificant(mean->second)) {
                if (!m_candidates[i].cause) m_candidates[i].cause = mean->second;
                continue;
            }
            outstanding += of;
            if ((of < 0) == (whole < 0) && (!greatest || std::abs(of) > std::abs(change(*greatest)))) greatest = i;
        }
        explain(mean->second, partBy(whole, outstanding / static_cast<double>(rows.size() - 1)), greatest);
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

    /// What is hidden behind computing is waited for too, by one collective after the other.
    void explainByPart(std::string_view part, const std::set<Dimension>& dimensions) {
        const Place row = rowOf(part);
        if (!row) return;
        const Place cause = m_candidates[*row].cause;
        const double most = cause && std::abs(change(*cause)) > std::abs(change(*row)) ? change(*cause) : change(*row);
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const bool isCause = m_link && (i == *m_link || m_candidates[i].cause == m_link);
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

    void explainSynchronizations() {
        Place longest;
        for (const std::string_view part : {"computing", "exposed_communication", "free"}) {
            const Place row = rowOf(part);
            if (row && (!longest || std::abs(change(*row)) > std::abs(change(*longest)))) longest = row;
        }
        for (std::size_t i = 0; longest && i < m_candidates.size(); ++i)
            if (waitsForDevice(*m_candidates[i].key) && needsCause(i)) m_candidates[i].cause = longest;
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
    Place m_link;  ///< That changed more than others.
};

}  // namespace

void explainByCauses(std::vector<Candidate>& candidates) { CauseFinder(candidates).find(); }

}  // namespace altiscope
