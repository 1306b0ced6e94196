#include "core/findings/fail_slow.h"
#include "core/findings/fail_slow_parts.h"
#include "core/findings/fail_slow_steps.h"
#include "core/findings/rule_support.h"
#include "core/findings/rules.h"

#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

using StepNumber = std::int64_t;

/// Bandwidths of one direction between two ranks.
struct LinkPace {
    std::int64_t source = 0, target = 0;
    std::string transport;
    double usual = 0, slow = 0;  ///< bytes/ns
    double lost = 0;             ///< ns a slow step
    double slowdown() const { return slow > 0 ? usual / slow - 1 : 0; }
    bool touches(std::int64_t rank) const { return source == rank || target == rank; }
};

/// Links of the ranks of a stretch that moved data in slow steps and in usual ones.
struct LinkPaces {
    std::vector<LinkPace> slow, others;  ///< The slowest first; those that are hardly slower than before.
};

/// How a stretch of a job is explained.
struct Explanation {
    SlowCause cause = SlowCause::Unknown;
    const Sighting* seen = nullptr;
    double covered = 0;      ///< ns of a slow step
    bool isCovered = false;  ///< That is as much as it takes longer.
    KernelGrowth kernels;
    double idle = 0;
    double work = 0;  ///< ns a slow step that the rank with the most of it has more to do.
    LinkPaces links;
};

/// All ranks of a job over one stretch: as they show it, or, where their own noise hides it, at the same steps.
struct Stretch {
    std::vector<Sighting> ranks;
    double growth = 0;  ///< ns that a step takes longer, by the rank that shows it most clearly.
    double cost = 0;    ///< The same in all its steps.
    /// Whether a rank's steps are longer by a half of that: who is the cause is as slow as those that wait for it.
    bool isSlow(const Sighting& seen) const { return seen.growth() >= growth / 2; }
};

/// Ranks that do the same work: recording and role.
using PeersOf = std::pair<std::uint32_t, std::string>;
PeersOf peersOf(const RankFacts& rank) { return {rank.recording, rank.role}; }

class FailSlow {
public:
    explicit FailSlow(RuleContext& context) : m_context(context) {}
    void find();

private:
    const RankFacts& rankOf(const Sighting& seen) const { return m_context.facts.ranks[seen.rank.value]; }
    std::vector<Sighting> sightings() const;
    std::vector<std::vector<Sighting>> jointSightings() const;
    std::optional<Sighting> atSteps(RankIndex rank, const Sighting& like) const;
    Stretch stretchOf(std::vector<Sighting> shown) const;
    Explanation explain(const Stretch& stretch) const;
    void explainKernels(Explanation& made) const;
    LinkPaces linkPaces(const Stretch& stretch) const;
    bool isWorthIt(const Explanation& made) const;
    void report(const Stretch& stretch, const Explanation& made);
    void keepLinks(std::uint32_t recording, const LinkPaces& links);
    void reportClock(Finding& finding, const Explanation& made) const;
    void reportHost(Finding& finding, const Explanation& made) const;
    void reportLinks(Finding& finding, const Explanation& made) const;
    void reportUnknown(Finding& finding, const Explanation& made) const;
    void reportOtherPart(Finding& finding, const Stretch& stretch, const Explanation& made) const;

    RuleContext& m_context;
    SlowParts m_parts;
};

std::vector<Sighting> FailSlow::sightings() const {
    const std::vector<RankFacts>& ranks = m_context.facts.ranks;
    std::vector<std::vector<Sighting>> byRank(ranks.size());
    parallelFor(ranks.size(), [&](std::size_t r) {
        if (m_context.cancel.cancelled()) return;
        byRank[r] = sightingsOf(ranks[r], RankIndex{static_cast<std::uint32_t>(r)}, m_context.thresholds);
    });
    std::vector<Sighting> found;
    for (std::vector<Sighting>& own : byRank) std::move(own.begin(), own.end(), std::back_inserter(found));
    return found;
}

/// The steps of a rank that have the numbers of those of another one; nullopt if it lacks a half of either.
std::optional<Sighting> FailSlow::atSteps(RankIndex r, const Sighting& like) const {
    const RankFacts& rank = m_context.facts.ranks[r.value];
    const RankFacts& other = rankOf(like);
    std::map<StepNumber, bool> isSlow;
    for (const std::size_t place : like.slow) isSlow[*other.steps[place].step] = true;
    for (const std::size_t place : like.usual) isSlow[*other.steps[place].step] = false;
    Sighting seen = like;
    seen.rank = r;
    seen.slow.clear();
    seen.usual.clear();
    std::vector<double> slow, usual;
    const TimedSteps timed = timedSteps(rank);
    for (std::size_t i = 0; i < timed.places.size(); ++i) {
        const auto known = isSlow.find(*rank.steps[timed.places[i]].step);
        if (known == isSlow.end()) continue;
        (known->second ? seen.slow : seen.usual).push_back(timed.places[i]);
        (known->second ? slow : usual).push_back(timed.times[i]);
    }
    if (slow.empty() || usual.empty() || 2 * slow.size() < like.slow.size() || 2 * usual.size() < like.usual.size())
        return std::nullopt;
    seen.level = median(std::move(slow));
    seen.usualLevel = median(std::move(usual));
    return seen;
}

Stretch FailSlow::stretchOf(std::vector<Sighting> shown) const {
    Stretch stretch;
    const auto isClearer = [](const Sighting& a, const Sighting& b) { return a.growth() > b.growth(); };
    std::stable_sort(shown.begin(), shown.end(), isClearer);
    const Sighting clearest = shown.front();
    stretch.growth = clearest.growth();
    stretch.cost = stretch.growth * static_cast<double>(clearest.slow.size());
    for (RankIndex r; r.value < m_context.facts.ranks.size(); ++r.value) {
        if (peersOf(m_context.facts.ranks[r.value]) != peersOf(rankOf(clearest))) continue;
        // A rank may see it twice: the first is its clearest.
        const auto own = std::find_if(shown.begin(), shown.end(), [r](const Sighting& seen) { return seen.rank == r; });
        if (own != shown.end()) stretch.ranks.push_back(std::move(*own));
        else if (auto made = atSteps(r, clearest)) stretch.ranks.push_back(std::move(*made));
    }
    return stretch;
}

/// The stretches of the jobs, each as the ranks show it: a rank's belongs to that with which it has the largest share
/// of its steps in common.
std::vector<std::vector<Sighting>> FailSlow::jointSightings() const {
    std::map<PeersOf, std::vector<std::vector<Sighting>>> shown;
    for (Sighting& seen : sightings()) {
        std::vector<std::vector<Sighting>>& ofJob = shown[peersOf(rankOf(seen))];
        std::pair<double, std::vector<Sighting>*> nearest{0, nullptr};
        for (std::vector<Sighting>& stretch : ofJob) {
            for (const Sighting& other : stretch) {
                const auto shared = static_cast<double>(seen.sharedSteps(other));
                const auto all = static_cast<double>(std::max(seen.last, other.last)) -
                                 static_cast<double>(std::min(seen.first, other.first)) + 1;
                if (shared / all > nearest.first) nearest = {shared / all, &stretch};
            }
        }
        if (nearest.second != nullptr) nearest.second->push_back(std::move(seen));
        else ofJob.push_back({std::move(seen)});
    }
    std::vector<std::vector<Sighting>> all;
    for (auto& [job, ofJob] : shown) std::move(ofJob.begin(), ofJob.end(), std::back_inserter(all));
    return all;
}

void FailSlow::find() {
    std::vector<Stretch> stretches;
    for (std::vector<Sighting>& ranks : jointSightings()) {
        if (m_context.cancel.cancelled()) return;
        stretches.push_back(stretchOf(std::move(ranks)));
    }
    std::stable_sort(stretches.begin(), stretches.end(),
                     [](const Stretch& a, const Stretch& b) { return a.cost > b.cost; });
    // Where the level keeps changing the longest stretches tell enough.
    constexpr std::size_t kShown = 5;
    std::size_t count = 0;
    for (const Stretch& stretch : stretches) {
        if (m_context.cancel.cancelled()) return;
        if (count == kShown) break;
        const Explanation made = explain(stretch);
        if (made.seen == nullptr || !isWorthIt(made)) continue;
        report(stretch, made);
        ++count;
    }
    m_parts.take(m_context);
}

/// Links that are as fast as their like in all other steps.
void FailSlow::keepLinks(std::uint32_t recording, const LinkPaces& links) {
    std::map<std::string, std::vector<double>> usual;
    for (const std::vector<LinkPace>* some : {&links.slow, &links.others}) {
        for (const LinkPace& link : *some) usual[link.transport].push_back(link.usual);
    }
    for (const LinkPace& link : links.slow) {
        if (link.usual >= m_context.thresholds.slowLinkShare * median(usual[link.transport]))
            m_parts.addLink(recording, link.source, link.target, m_context.findings.size());
    }
}

/// The rank that itself takes longer: by its kernels, or because its device waits for its host. All others wait for
/// it. If there is none, links.
Explanation FailSlow::explain(const Stretch& stretch) const {
    Explanation best;
    double work = 0;
    for (const Sighting& seen : stretch.ranks) {
        if (!stretch.isSlow(seen)) continue;
        const RankFacts& rank = rankOf(seen);
        Explanation here;
        here.seen = &seen;
        here.kernels = kernelGrowth(rank, seen);
        if (rank.paces.empty())
            here.kernels.time =
                medianGrowth(seen, [&](std::size_t i) { return static_cast<double>(rank.steps[i].computing); });
        const AccountSteps account(m_context, seen.rank);
        const bool hasAccount = account.hasAll(seen);
        here.idle = medianGrowth(seen, [&](std::size_t i) {
            return static_cast<double>(hasAccount ? account.at(i)->gap() : rank.steps[i].free);
        });
        here.covered = std::max(here.kernels.time, 0.0) + std::max(here.idle, 0.0);
        work = std::max(work, here.kernels.work);
        if (best.seen == nullptr || here.covered > best.covered) best = std::move(here);
    }
    best.work = work;
    const double most = stretch.growth;
    best.isCovered = best.seen != nullptr && best.covered >= kNamedShare * most;
    if (best.seen == nullptr) return best;
    if (best.isCovered) {
        if (best.kernels.time >= best.idle) explainKernels(best);
        else best.cause = SlowCause::Host;
        return best;
    }
    LinkPaces links = linkPaces(stretch);
    if (links.slow.empty()) return best;
    // The rank on slow links that loses most.
    double moved = 0;
    for (const Sighting& seen : stretch.ranks) {
        const AccountSteps account(m_context, seen.rank);
        double here = 0;
        if (account.hasAll(seen)) {
            here = medianGrowth(seen, [&](std::size_t i) { return static_cast<double>(account.at(i)->transfer); });
        } else {
            for (const LinkPace& link : links.slow) {
                if (link.source == rankOf(seen).rankId) here = std::max(here, link.lost);
            }
        }
        moved = std::max(moved, here);
    }
    // Slower by more than its data: no matter of links.
    if (moved <= best.covered || moved < kNamedShare * (most - best.covered)) return best;
    best.covered = moved;
    best.links = std::move(links);
    best.cause = SlowCause::Link;
    // The rank that is on all of them.
    std::map<std::int64_t, std::size_t> ends;
    for (const LinkPace& link : best.links.slow) {
        ++ends[link.source];
        ++ends[link.target];
    }
    std::size_t mostLinks = 0;
    for (const Sighting& seen : stretch.ranks) {
        const auto found = rankOf(seen).rankId ? ends.find(*rankOf(seen).rankId) : ends.end();
        if (found == ends.end() || found->second <= mostLinks || !stretch.isSlow(seen)) continue;
        mostLinks = found->second;
        best.seen = &seen;
    }
    return best;
}

void FailSlow::explainKernels(Explanation& made) const {
    const RankFacts& rank = rankOf(*made.seen);
    made.cause = SlowCause::Unknown;
    if (rank.paces.empty()) return;
    const double before = meanMhz(rank, made.seen->usual), now = meanMhz(rank, made.seen->slow);
    const bool hasClock = before > 0 && now > 0;
    // By how much a lower frequency makes what runs on the cores longer.
    if (hasClock && before / now - 1 >= kNamedShare * made.kernels.share) made.cause = SlowCause::Clock;
    else if (made.kernels.together < kNamedShare) made.cause = SlowCause::Kernels;
    else if (hasClock) made.cause = SlowCause::Neighbour;
}

LinkPaces FailSlow::linkPaces(const Stretch& stretch) const {
    using Key = std::tuple<std::int64_t, std::int64_t, std::string, std::string, std::string>;
    struct Sums {
        std::int64_t bytes[2] = {0, 0}, time[2] = {0, 0};
        std::set<StepNumber> slowSteps;
    };
    std::map<Key, Sums> byLink;
    for (const Sighting& seen : stretch.ranks) {
        const RankFacts& rank = rankOf(seen);
        std::map<StepNumber, bool> isSlow;
        for (const std::size_t place : seen.slow) isSlow[*rank.steps[place].step] = true;
        for (const std::size_t place : seen.usual) isSlow[*rank.steps[place].step] = false;
        for (const LinkFacts& link : rank.links) {
            const auto known = link.step ? isSlow.find(*link.step) : isSlow.end();
            if (known == isSlow.end() || link.source == link.target || link.time <= 0) continue;
            Sums& sums = byLink[{link.source, link.target, link.transport, link.operation, link.groupKind}];
            addSaturated(sums.bytes[known->second ? 1 : 0], link.size);
            addSaturated(sums.time[known->second ? 1 : 0], link.time);
            if (known->second) sums.slowSteps.insert(*link.step);
        }
    }
    LinkPaces links;
    double most = 0;
    for (const auto& [key, sums] : byLink) {
        if (sums.bytes[0] <= 0 || sums.bytes[1] <= 0 || sums.time[0] <= 0) continue;
        LinkPace pace{std::get<0>(key),
                      std::get<1>(key),
                      std::get<2>(key),
                      static_cast<double>(sums.bytes[0]) / static_cast<double>(sums.time[0]),
                      static_cast<double>(sums.bytes[1]) / static_cast<double>(sums.time[1]),
                      0};
        pace.lost = (static_cast<double>(sums.time[1]) - static_cast<double>(sums.bytes[1]) / pace.usual) /
                    static_cast<double>(sums.slowSteps.size());
        most = std::max(most, pace.slowdown());
        links.others.push_back(std::move(pace));
    }
    if (1 / (1 + most) >= m_context.thresholds.slowLinkShare) return {};
    std::stable_sort(links.others.begin(), links.others.end(),
                     [](const LinkPace& a, const LinkPace& b) { return a.slowdown() > b.slowdown(); });
    // Those that are hardly slower than before only wait for the others.
    const auto hardly = std::find_if(links.others.begin(), links.others.end(),
                                     [&](const LinkPace& link) { return link.slowdown() < most / 2; });
    std::move(links.others.begin(), hardly, std::back_inserter(links.slow));
    links.others.erase(links.others.begin(), hardly);
    return links;
}

/// Steps that do more are not slow; what is slow from the first steps on warms up, unless clock or links are proven;
/// and where most steps are not at the level that counts as usual, it is the others that do less: evaluations between
/// the steps of a training, say. That the part which grew is known does not tell the two apart.
bool FailSlow::isWorthIt(const Explanation& made) const {
    const Sighting& seen = *made.seen;
    if (made.work >= (1 - kNamedShare) * seen.growth() && made.work > made.covered) return false;
    if (made.cause == SlowCause::Clock || made.cause == SlowCause::Link) return true;
    if (seen.begins) return false;
    if (made.cause == SlowCause::Neighbour) return true;
    return seen.unusual <= (made.cause == SlowCause::Unknown ? 1 : 2) * seen.usual.size();
}

void FailSlow::report(const Stretch& stretch, const Explanation& made) {
    const Sighting& seen = *made.seen;
    const RankFacts& rank = rankOf(seen);
    Finding finding = rankFinding(m_context, "fail_slow", seen.rank, saturatedRound(seen.growth()),
                                  {"outlier_z", "kernel_saving_share"});
    addParameter(finding, "steps", std::to_string(seen.slow.size()));
    rateByAllSteps(m_context, finding, seen.slow.size(), FindingSeverity::Low);
    addParameter(finding, "first_step", std::to_string(seen.first));
    addParameter(finding, "last_step", std::to_string(seen.last));
    addParameter(finding, "time", timeText(saturatedRound(seen.level)));
    addParameter(finding, "usual", timeText(saturatedRound(seen.usualLevel)));
    addParameter(finding, "cause", std::string(slowCauseName(made.cause)));
    addNote(finding, seen.lasts ? "finding.note.slow_lasts" : "finding.note.slow_passes");
    switch (made.cause) {
    case SlowCause::Clock: reportClock(finding, made); break;
    case SlowCause::Neighbour:
        addParameter(finding, "kernel_share", shareText(made.kernels.share));
        addNote(finding, "finding.note.slow_neighbour");
        break;
    case SlowCause::Kernels:
        addParameter(finding, "kernel_time", timeText(saturatedRound(made.kernels.time)));
        addParameter(finding, "types", largestTypes(made.kernels.byType));
        addNote(finding, "finding.note.slow_kernels");
        break;
    case SlowCause::Link:
        reportLinks(finding, made);
        keepLinks(rank.recording, made.links);
        break;
    case SlowCause::Host: reportHost(finding, made); break;
    case SlowCause::Unknown: reportUnknown(finding, made); break;
    }
    m_parts.addRank(made.cause, seen.rank, seen.slow, m_context.findings.size());
    if (made.isCovered) reportOtherPart(finding, stretch, made);
    const StepFacts& first = rank.steps[seen.slow.front()];
    const StepFacts& last = rank.steps[seen.slow.back()];
    if (rank.hasEvents && !first.range.empty() && !last.range.empty()) {
        finding.range = TimeRange{first.range.begin, last.range.end};
        // With a step before and after, so that the change is seen.
        TimeRange whole = *finding.range;
        if (const std::size_t at = seen.slow.front(); at > 0 && !rank.steps[at - 1].range.empty())
            whole.begin = std::min(whole.begin, rank.steps[at - 1].range.begin);
        if (const std::size_t at = seen.slow.back() + 1; at < rank.steps.size() && !rank.steps[at].range.empty())
            whole.end = std::max(whole.end, rank.steps[at].range.end);
        finding.evidence.ranges.push_back({seen.rank, whole});
    }
    for (const Sighting& other : stretch.ranks) {
        if (other.rank != seen.rank && finding.evidence.peers.size() < 16) finding.evidence.peers.push_back(other.rank);
    }
    addRows(finding, "step_breakdown",
            "step BETWEEN " + std::to_string(seen.first) + " AND " + std::to_string(seen.last));
    m_context.findings.push_back(std::move(finding));
}

void FailSlow::reportClock(Finding& finding, const Explanation& made) const {
    const RankFacts& rank = rankOf(*made.seen);
    const auto mean = [&](const std::vector<std::size_t>& places) {
        return std::to_string(saturatedRound(meanMhz(rank, places)));
    };
    addParameter(finding, "highest", mean(made.seen->usual));
    addParameter(finding, "lowest", mean(made.seen->slow));
    addNote(finding, "finding.note.slow_clock");
    finding.evidence.counter = "AI Core Freq";
    addRows(finding, "counter", "name GLOB 'AI Core Freq*'");
}

/// Note on the host's work meanwhile; empty: not known.
std::string_view hostNote(Cause cause) {
    switch (cause) {
    case Cause::Host: return "finding.note.slow_host_launches";
    case Cause::Gc: return "finding.note.slow_host_gc";
    case Cause::Gil: return "finding.note.slow_host_gil";
    case Cause::Lock: return "finding.note.slow_host_lock";
    case Cause::Preempted: return "finding.note.slow_host_preempted";
    case Cause::Interrupt: return "finding.note.slow_host_interrupt";
    case Cause::Syscall: return "finding.note.slow_host_syscall";
    case Cause::Compile: return "finding.note.slow_host_compile";
    case Cause::Synchronize: return "finding.note.slow_host_synchronize";
    case Cause::DataLoading: return "finding.note.slow_host_data_loading";
    case Cause::Checkpoint: return "finding.note.slow_host_checkpoint";
    default: return {};
    }
}

void FailSlow::reportHost(Finding& finding, const Explanation& made) const {
    const Sighting& seen = *made.seen;
    addParameter(finding, "idle", timeText(saturatedRound(made.idle)));
    const AccountSteps account(m_context, seen.rank);
    if (!account.hasAll(seen) || !account.hasLaunches()) {
        addNote(finding, "finding.note.slow_idle");
        addNote(finding, "finding.note.slow_record_host");
        return;
    }
    std::pair<double, Cause> largest{0, Cause::Unknown};
    for (std::size_t c = 0; c < kCauseCount; ++c) {
        const auto cause = static_cast<Cause>(c);
        const double growth =
            medianGrowth(seen, [&](std::size_t i) { return static_cast<double>(account.at(i)->gapOf(cause)); });
        if (growth > largest.first) largest = {growth, cause};
    }
    const GapFacts* longest = nullptr;
    for (const std::size_t place : seen.slow) {
        for (const GapFacts& gap : account.at(place)->longestGaps) {
            if (gap.cause == largest.second && (longest == nullptr || longest->range.length() < gap.range.length()))
                longest = &gap;
        }
    }
    addNote(finding, "finding.note.slow_idle");
    if (const std::string_view note = hostNote(largest.second);
        largest.first >= kNamedShare * made.idle && !note.empty())
        addNote(finding, note);
    if (longest == nullptr) return;
    finding.evidence.ranges.push_back({seen.rank, longest->range, true, longest->slice});
    if (longest->name.empty()) return;
    addParameter(finding, "gap_time", timeText(longest->range.length().value));
    addParameter(finding, "gap_name", longest->name);
    addNote(finding, "finding.note.slow_gap");
}

void FailSlow::reportLinks(Finding& finding, const Explanation& made) const {
    const LinkPace& slowest = made.links.slow.front();
    addParameter(finding, "bandwidth", bandwidthText(slowest.slow));
    addParameter(finding, "usual_bandwidth", bandwidthText(slowest.usual));
    addParameter(finding, "transport", slowest.transport);
    addParameter(finding, "source", std::to_string(slowest.source));
    addParameter(finding, "target", std::to_string(slowest.target));
    const std::int64_t own = rankOf(*made.seen).rankId.value_or(-1);
    const bool isOnAll = std::all_of(made.links.slow.begin(), made.links.slow.end(),
                                     [own](const LinkPace& link) { return link.touches(own); });
    // One port has all links of a transport.
    std::set<std::int64_t> slow, all;
    for (const std::vector<LinkPace>* links : {&made.links.slow, &made.links.others}) {
        for (const LinkPace& link : *links) {
            if (!link.touches(own) || link.transport != slowest.transport) continue;
            const std::int64_t peer = link.source == own ? link.target : link.source;
            all.insert(peer);
            if (links == &made.links.slow) slow.insert(peer);
        }
    }
    // One pair of ranks: either of them, or what is between.
    std::string_view note = "finding.note.slow_link";
    if (!isOnAll) {
        note = "finding.note.slow_links";
    } else if (slow.size() > 1 && slow.size() == all.size()) {
        note = "finding.note.slow_links_of_rank";
    } else if (slow.size() > 1) {
        note = "finding.note.some_slow_links_of_rank";
        addParameter(finding, "slow_peers", std::to_string(slow.size()));
        addParameter(finding, "all_peers", std::to_string(all.size()));
    }
    addNote(finding, note);
    addRows(finding, "link",
            "src_rank = " + std::to_string(slowest.source) + " AND dst_rank = " + std::to_string(slowest.target));
}

/// Where neither kernels nor gaps alone are as much longer, the part that the cause does not name.
void FailSlow::reportOtherPart(Finding& finding, const Stretch& stretch, const Explanation& made) const {
    if (std::max(made.kernels.time, made.idle) >= kNamedShare * stretch.growth) return;
    if (made.kernels.time >= made.idle) {
        addParameter(finding, "idle", timeText(saturatedRound(made.idle)));
        addNote(finding, "finding.note.slow_idle_too");
    } else {
        addParameter(finding, "kernel_time", timeText(saturatedRound(made.kernels.time)));
        addNote(finding, "finding.note.slow_computing_too");
    }
}

void FailSlow::reportUnknown(Finding& finding, const Explanation& made) const {
    const RankFacts& rank = rankOf(*made.seen);
    if (made.isCovered) {
        addParameter(finding, "kernel_time", timeText(saturatedRound(made.kernels.time)));
        addNote(finding, "finding.note.slow_computing");
        addNote(finding, rank.paces.empty() ? "finding.note.slow_record_kernels" : "finding.note.slow_record_clock");
        return;
    }
    addNote(finding, "finding.note.slow_unknown");
    if (!rank.hasEvents) addNote(finding, "finding.note.slow_record_timeline");
    else if (!rank.hasHostEvents) addNote(finding, "finding.note.slow_record_host");
}

}  // namespace

std::string_view slowCauseName(SlowCause cause) {
    switch (cause) {
    case SlowCause::Clock: return "clock";
    case SlowCause::Neighbour: return "neighbour";
    case SlowCause::Kernels: return "kernel";
    case SlowCause::Link: return "link";
    case SlowCause::Host: return "host";
    case SlowCause::Unknown: break;
    }
    return "unknown";
}

std::vector<SlowSteps> slowStepsOf(const RuleContext& context, const RankFacts& rank) {
    std::vector<SlowSteps> all;
    for (const Finding& finding : context.findings) {
        if (finding.rule != RuleName("fail_slow") || !finding.rank) continue;
        if (peersOf(context.facts.ranks[finding.rank->value]) != peersOf(rank)) continue;
        std::optional<std::int64_t> first, last;
        for (const auto& [name, value] : finding.parameters) {
            if (name == "first_step") first = wholeNumber<std::int64_t>(value);
            if (name == "last_step") last = wholeNumber<std::int64_t>(value);
        }
        if (!first || !last) continue;
        std::vector<double> times;
        for (const StepFacts& one : rank.steps) {
            if (one.step && *first <= *one.step && *one.step <= *last && one.endToEnd() > 0)
                times.push_back(static_cast<double>(one.endToEnd()));
        }
        if (!times.empty()) all.push_back({*first, *last, median(std::move(times))});
    }
    return all;
}

void findFailSlow(RuleContext& context) { FailSlow(context).find(); }

}  // namespace altiscope
