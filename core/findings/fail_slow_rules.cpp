#include "core/findings/fail_slow.h"
#include "core/findings/rule_support.h"
#include "core/findings/rules.h"

#include "core/analysis/steps/level_changes.h"
#include "core/analysis/support/saturating.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

using StepNumber = std::int64_t;

/// The steps of a rank whose time is known.
struct TimedSteps {
    std::vector<std::size_t> places;  ///< In RankFacts::steps.
    std::vector<double> times;        ///< ns
};

TimedSteps timedSteps(const RankFacts& rank) {
    TimedSteps timed;
    for (std::size_t i = 0; i < rank.steps.size(); ++i) {
        const StepFacts& step = rank.steps[i];
        if (!step.step || step.endToEnd() <= 0) continue;
        timed.places.push_back(i);
        timed.times.push_back(static_cast<double>(step.endToEnd()));
    }
    return timed;
}

/// A slow stretch on one rank.
struct Sighting {
    RankIndex rank{};
    std::vector<std::size_t> slow, usual;  ///< Places in RankFacts::steps.
    StepNumber first = 0, last = 0;
    double level = 0, usualLevel = 0;    ///< ns
    bool begins = false, lasts = false;  ///< With the first of the rank's steps, to the last one.
    double growth() const { return level - usualLevel; }
    bool meets(const Sighting& other) const { return first <= other.last && other.first <= last; }
};

/// Median of a value over some steps, less that over others.
template <class Value>
double medianGrowth(const Sighting& seen, Value valueAt) {
    const auto middle = [&](const std::vector<std::size_t>& places) {
        std::vector<double> values;
        for (const std::size_t place : places) values.push_back(valueAt(place));
        return values.empty() ? 0 : median(std::move(values));
    };
    return middle(seen.slow) - middle(seen.usual);
}

double sumAt(const std::vector<double>& values, const std::vector<std::size_t>& places) {
    double sum = 0;
    for (const std::size_t place : places) sum += place < values.size() ? values[place] : 0;
    return sum;
}

/// By what the same kernels take longer in the slow steps than in the usual ones: 0.2 is a fifth. nullopt: not there.
std::optional<double> slowdownOf(const KernelPace& pace, const Sighting& seen) {
    const double slow = sumAt(pace.usual, seen.slow), usual = sumAt(pace.usual, seen.usual);
    const double before = sumAt(pace.time, seen.usual);
    if (slow <= 0 || usual <= 0 || before <= 0) return std::nullopt;
    return sumAt(pace.time, seen.slow) / slow / (before / usual) - 1;
}

/// The kernels of a rank in the slow steps, against the usual ones.
struct KernelGrowth {
    double time = 0;      ///< ns a step that the same kernels take longer.
    double work = 0;      ///< ns a step that there is more to do.
    double share = 0;     ///< `time` of what they would take.
    double together = 0;  ///< Share of their time that belongs to types which are slower by half of `share` at least.
    std::map<std::string, double, std::less<>> byType;  ///< ns a step.
};

KernelGrowth kernelGrowth(const RankFacts& rank, const Sighting& seen) {
    KernelGrowth growth;
    const auto slowSteps = static_cast<double>(seen.slow.size()), usualSteps = static_cast<double>(seen.usual.size());
    double expected = 0;
    std::vector<std::tuple<double, double>> types;  // slowdown, time
    for (const KernelPace& pace : rank.paces) {
        const std::optional<double> slowdown = slowdownOf(pace, seen);
        const double time = sumAt(pace.time, seen.slow) / slowSteps, before = sumAt(pace.time, seen.usual) / usualSteps;
        if (!slowdown) {
            growth.work += time - before;
            continue;
        }
        const double alike = time / (1 + *slowdown);
        growth.time += time - alike;
        growth.work += alike - before;
        expected += alike;
        growth.byType[pace.type.empty() ? std::string("...") : pace.type] = time - alike;
        types.emplace_back(*slowdown, time);
    }
    if (expected <= 0) return growth;
    growth.share = growth.time / expected;
    double all = 0;
    for (const auto& [slowdown, time] : types) {
        all += time;
        if (slowdown >= growth.share / 2) growth.together += time;
    }
    growth.together = all > 0 ? growth.together / all : 0;
    return growth;
}

/// The account of a step, where there is one.
class AccountSteps {
public:
    AccountSteps(const RuleContext& context, RankIndex rank) : m_facts(context.facts.ranks[rank.value]) {
        if (context.facts.account == nullptr || rank.value >= context.facts.account->ranks.size()) return;
        for (const StepAccount& step : context.facts.account->ranks[rank.value].steps) {
            if (step.step) m_byStep.emplace(*step.step, &step);
        }
        m_hasLaunches = context.facts.account->ranks[rank.value].hasLaunches;
    }
    const StepAccount* at(std::size_t place) const {
        const auto found = m_byStep.find(*m_facts.steps[place].step);
        return found == m_byStep.end() ? nullptr : found->second;
    }
    bool hasAll(const Sighting& seen) const {
        const auto isThere = [&](std::size_t place) { return at(place) != nullptr; };
        return std::all_of(seen.slow.begin(), seen.slow.end(), isThere) &&
               std::all_of(seen.usual.begin(), seen.usual.end(), isThere);
    }
    bool hasLaunches() const { return m_hasLaunches; }

private:
    const RankFacts& m_facts;
    std::map<StepNumber, const StepAccount*> m_byStep;
    bool m_hasLaunches = false;
};

/// Bandwidths of one direction between two ranks.
struct LinkPace {
    std::int64_t source = 0, target = 0;
    std::string transport;
    double usual = 0, slow = 0;  ///< bytes/ns
    double lost = 0;             ///< ns a slow step
    double slowdown() const { return slow > 0 ? usual / slow - 1 : 0; }
};

/// How a stretch of a job is explained.
struct Explanation {
    SlowCause cause = SlowCause::Unknown;
    const Sighting* seen = nullptr;
    double covered = 0;  ///< ns of a slow step
    KernelGrowth kernels;
    double idle = 0;
    double work = 0;              ///< ns a slow step that the rank with the most of it has more to do.
    std::vector<LinkPace> links;  ///< The slow ones, the slowest first.
};

/// All ranks of a job over one stretch: as they show it, or, where their own noise hides it, at the same steps.
struct Stretch {
    std::vector<Sighting> ranks;
    double growth = 0;  ///< ns that a step takes longer, by the rank that shows it most clearly.
    /// Whether a rank's steps are longer by a half of that: who is the cause is as slow as those that wait for it.
    bool isSlow(const Sighting& seen) const { return seen.growth() >= growth / 2; }
};

class FailSlow {
public:
    explicit FailSlow(RuleContext& context) : m_context(context) {}
    void find();

private:
    const RankFacts& rankOf(const Sighting& seen) const { return m_context.facts.ranks[seen.rank.value]; }
    std::vector<Sighting> sightings() const;
    std::optional<Sighting> atSteps(RankIndex rank, const Sighting& like) const;
    Stretch stretchOf(std::vector<Sighting> shown) const;
    Explanation explain(const Stretch& stretch) const;
    void explainKernels(Explanation& made) const;
    std::vector<LinkPace> slowLinks(const Stretch& stretch) const;
    bool isWorthIt(const Explanation& made) const;
    void report(const Stretch& stretch, const Explanation& made);
    void reportClock(Finding& finding, const Explanation& made) const;
    void reportHost(Finding& finding, const Explanation& made) const;
    void reportLinks(Finding& finding, const Explanation& made) const;
    void reportUnknown(Finding& finding, const Explanation& made) const;

    RuleContext& m_context;
};

std::vector<Sighting> FailSlow::sightings() const {
    std::vector<Sighting> found;
    for (RankIndex r; r.value < m_context.facts.ranks.size() && !m_context.cancel.cancelled(); ++r.value) {
        const RankFacts& rank = m_context.facts.ranks[r.value];
        const TimedSteps timed = timedSteps(rank);
        const LevelChanges changes =
            levelChanges(timed.times, m_context.thresholds.outlierZ, m_context.thresholds.kernelSavingShare);
        for (const SlowStretch& stretch : changes.stretches) {
            Sighting seen;
            seen.rank = r;
            for (std::size_t i = 0; i < timed.places.size(); ++i) {
                if (stretch.first <= i && i < stretch.end) seen.slow.push_back(timed.places[i]);
                else if (changes.isUsual[i]) seen.usual.push_back(timed.places[i]);
            }
            seen.first = *rank.steps[seen.slow.front()].step;
            seen.last = *rank.steps[seen.slow.back()].step;
            seen.level = stretch.level;
            seen.usualLevel = changes.usual;
            seen.begins = stretch.first == 0;
            seen.lasts = stretch.end == timed.places.size();
            found.push_back(std::move(seen));
        }
    }
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
    const Sighting clearest = *std::max_element(
        shown.begin(), shown.end(), [](const Sighting& a, const Sighting& b) { return a.growth() < b.growth(); });
    stretch.growth = clearest.growth();
    for (RankIndex r; r.value < m_context.facts.ranks.size(); ++r.value) {
        if (m_context.facts.ranks[r.value].recording != rankOf(clearest).recording) continue;
        const auto own = std::find_if(shown.begin(), shown.end(), [r](const Sighting& seen) { return seen.rank == r; });
        if (own != shown.end()) stretch.ranks.push_back(std::move(*own));
        else if (auto made = atSteps(r, clearest)) stretch.ranks.push_back(std::move(*made));
    }
    return stretch;
}

void FailSlow::find() {
    std::map<std::uint32_t, std::vector<std::vector<Sighting>>> shown;  // by recording and stretch
    for (Sighting& seen : sightings()) {
        std::vector<std::vector<Sighting>>& ofJob = shown[rankOf(seen).recording];
        const auto known = std::find_if(ofJob.begin(), ofJob.end(), [&](const std::vector<Sighting>& stretch) {
            return stretch.front().meets(seen);
        });
        if (known == ofJob.end()) ofJob.push_back({std::move(seen)});
        else known->push_back(std::move(seen));
    }
    std::vector<std::pair<double, std::pair<std::unique_ptr<Stretch>, Explanation>>> worth;
    for (auto& [recording, ofJob] : shown) {
        for (std::vector<Sighting>& ranks : ofJob) {
            if (m_context.cancel.cancelled()) return;
            auto stretch = std::make_unique<Stretch>(stretchOf(std::move(ranks)));
            Explanation made = explain(*stretch);
            if (!isWorthIt(made)) continue;
            const double cost = stretch->growth * static_cast<double>(made.seen->slow.size());
            worth.emplace_back(cost, std::pair(std::move(stretch), std::move(made)));
        }
    }
    std::stable_sort(worth.begin(), worth.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    // Where the level keeps changing the longest stretches tell enough.
    constexpr std::size_t kShown = 5;
    for (std::size_t i = 0; i < std::min(kShown, worth.size()); ++i)
        report(*worth[i].second.first, worth[i].second.second);
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
    if (best.covered >= kNamedShare * most) {
        if (best.kernels.time >= best.idle) explainKernels(best);
        else best.cause = SlowCause::Host;
        return best;
    }
    std::vector<LinkPace> links = slowLinks(stretch);
    if (links.empty()) return best;
    // The rank on slow links that loses most.
    double moved = 0;
    for (const Sighting& seen : stretch.ranks) {
        const AccountSteps account(m_context, seen.rank);
        double here = 0;
        if (account.hasAll(seen)) {
            here = medianGrowth(seen, [&](std::size_t i) { return static_cast<double>(account.at(i)->transfer); });
        } else {
            for (const LinkPace& link : links) {
                if (link.source == rankOf(seen).rankId) here = std::max(here, link.lost);
            }
        }
        moved = std::max(moved, here);
    }
    if (moved < kNamedShare * (most - std::max(0.0, best.covered))) return best;
    best.covered = moved;
    best.links = std::move(links);
    best.cause = SlowCause::Link;
    // The rank that is on all of them.
    std::map<std::int64_t, std::size_t> ends;
    for (const LinkPace& link : best.links) {
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
    const auto mean = [&](const std::vector<std::size_t>& places) {
        return sumAt(rank.mhzBySteps, places) / static_cast<double>(places.size());
    };
    const double before = mean(made.seen->usual), now = mean(made.seen->slow);
    const bool hasClock = before > 0 && now > 0;
    // By how much a lower frequency makes what runs on the cores longer.
    if (hasClock && before / now - 1 >= kNamedShare * made.kernels.share) made.cause = SlowCause::Clock;
    else if (made.kernels.together < kNamedShare) made.cause = SlowCause::Kernels;
    else if (hasClock) made.cause = SlowCause::Neighbour;
}

std::vector<LinkPace> FailSlow::slowLinks(const Stretch& stretch) const {
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
    std::vector<LinkPace> links;
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
        links.push_back(std::move(pace));
    }
    // Those that are hardly slower than before only wait for the others.
    std::erase_if(links, [&](const LinkPace& link) { return link.slowdown() < most / 2; });
    if (1 / (1 + most) >= m_context.thresholds.slowLinkShare) return {};
    std::stable_sort(links.begin(), links.end(),
                     [](const LinkPace& a, const LinkPace& b) { return a.slowdown() > b.slowdown(); });
    return links;
}

/// Steps that do more are not slow; what is slow from the first step on warms up, unless something else is proven; and
/// where most steps are slow for no known reason, it is the others that do less.
bool FailSlow::isWorthIt(const Explanation& made) const {
    const Sighting& seen = *made.seen;
    if (made.work >= (1 - kNamedShare) * seen.growth() && made.work > made.covered) return false;
    const bool isProven =
        made.cause == SlowCause::Clock || made.cause == SlowCause::Neighbour || made.cause == SlowCause::Link;
    if (isProven) return true;
    return !seen.begins &&
           (made.cause != SlowCause::Unknown || !seen.lasts || seen.slow.size() <= 2 * seen.usual.size());
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
    case SlowCause::Link: reportLinks(finding, made); break;
    case SlowCause::Host: reportHost(finding, made); break;
    case SlowCause::Unknown: reportUnknown(finding, made); break;
    }
    const StepFacts& first = rank.steps[seen.slow.front()];
    const StepFacts& last = rank.steps[seen.slow.back()];
    if (rank.hasEvents && !first.range.empty() && !last.range.empty()) {
        finding.range = TimeRange{first.range.begin, last.range.end};
        // With a step before and after, so that the change is seen.
        const std::size_t before = seen.slow.front() == 0 ? 0 : seen.slow.front() - 1;
        const std::size_t after = std::min(seen.slow.back() + 1, rank.steps.size() - 1);
        const TimeRange whole{rank.steps[before].range.begin, rank.steps[after].range.end};
        finding.evidence.ranges.push_back({seen.rank, whole.empty() ? *finding.range : whole});
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
        return std::to_string(saturatedRound(sumAt(rank.mhzBySteps, places) / static_cast<double>(places.size())));
    };
    addParameter(finding, "highest", mean(made.seen->usual));
    addParameter(finding, "lowest", mean(made.seen->slow));
    addNote(finding, "finding.note.slow_clock");
    finding.evidence.counter = "AI Core Freq";
    addRows(finding, "counter", "name GLOB 'AI Core Freq*'");
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
    if (largest.first < kNamedShare * made.idle || largest.second == Cause::Unknown) {
        addNote(finding, "finding.note.slow_idle");
    } else {
        addParameter(finding, "host_cause", std::string(causeName(largest.second)));
        addNote(finding, "finding.note.slow_host");
    }
    if (longest == nullptr) return;
    finding.evidence.ranges.push_back({seen.rank, longest->range, true, longest->slice});
    if (longest->name.empty()) return;
    addParameter(finding, "gap_time", timeText(longest->range.length().value));
    addParameter(finding, "gap_name", longest->name);
    addNote(finding, "finding.note.slow_gap");
}

void FailSlow::reportLinks(Finding& finding, const Explanation& made) const {
    const LinkPace& slowest = made.links.front();
    addParameter(finding, "bandwidth", bandwidthText(slowest.slow));
    addParameter(finding, "usual_bandwidth", bandwidthText(slowest.usual));
    addParameter(finding, "transport", slowest.transport);
    addParameter(finding, "source", std::to_string(slowest.source));
    addParameter(finding, "target", std::to_string(slowest.target));
    const auto own = rankOf(*made.seen).rankId;
    std::set<std::int64_t> peers;
    const bool isOnAll = std::all_of(made.links.begin(), made.links.end(), [&](const LinkPace& link) {
        peers.insert(link.source == own ? link.target : link.source);
        return link.source == own || link.target == own;
    });
    // One pair of ranks: either of them, or what is between.
    addNote(finding, !isOnAll           ? "finding.note.slow_links"
                     : peers.size() > 1 ? "finding.note.slow_links_of_rank"
                                        : "finding.note.slow_link");
    addRows(finding, "link",
            "src_rank = " + std::to_string(slowest.source) + " AND dst_rank = " + std::to_string(slowest.target));
}

void FailSlow::reportUnknown(Finding& finding, const Explanation& made) const {
    const RankFacts& rank = rankOf(*made.seen);
    const double most = made.seen->growth();
    if (made.kernels.time >= kNamedShare * most) {
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

bool isInSlowStretch(const RuleContext& context, const RankFacts& rank, std::int64_t step) {
    return std::any_of(context.findings.begin(), context.findings.end(), [&](const Finding& finding) {
        if (finding.rule != RuleName("fail_slow") || !finding.rank) return false;
        if (context.facts.ranks[finding.rank->value].recording != rank.recording) return false;
        std::optional<std::int64_t> first, last;
        for (const auto& [name, value] : finding.parameters) {
            if (name == "first_step") first = wholeNumber<std::int64_t>(value);
            if (name == "last_step") last = wholeNumber<std::int64_t>(value);
        }
        return first && last && *first <= step && step <= *last;
    });
}

void findFailSlow(RuleContext& context) { FailSlow(context).find(); }

}  // namespace altiscope
