#include "core/findings/run_rules.h"
#include "tests/core/findings/planted_facts.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace altiscope;
using altiscope::test::cleanFacts;
using altiscope::test::kMs;
using altiscope::test::occurrences;

namespace {

constexpr std::size_t kSteps = 16;

/// cleanFacts() with 16 steps, an account of them, and kernels of two types in each.
CaptureFacts longRun() {
    CaptureFacts facts = cleanFacts();
    auto account = std::make_shared<AccountFacts>();
    for (RankFacts& rank : facts.ranks) {
        RankAccount& own = account->ranks.emplace_back();
        own.hasLaunches = true;
        const StepFacts usual = rank.steps.front();
        rank.steps.clear();
        rank.links.clear();
        rank.paces = {{"MatMulV2", {}, {}}, {"Add", {}, {}}};
        for (std::size_t s = 0; s < kSteps; ++s) {
            StepFacts step = usual;
            step.step = static_cast<std::int64_t>(10 + s);
            step.range = {{static_cast<std::int64_t>(s) * 100 * kMs}, {static_cast<std::int64_t>(s + 1) * 100 * kMs}};
            rank.steps.push_back(step);
            for (KernelPace& pace : rank.paces) {
                const double time = pace.type == "Add" ? 10e6 : 50e6;
                pace.time.push_back(time);
                pace.usual.push_back(time);
            }
            rank.mhzBySteps.push_back(1800);
            for (const std::int64_t peer : {0, 1, 2, 3}) {
                if (peer == rank.rankId) continue;
                rank.links.push_back(
                    {10 + static_cast<std::int64_t>(s), *rank.rankId, peer, "HCCS", 180 * kMs, 10 * kMs});
            }
            StepAccount& part = own.steps.emplace_back();
            part.step = step.step;
            part.range = step.range;
            part.computing = step.computing;
            part.transfer = step.exposed;
            part.gaps[static_cast<std::size_t>(Cause::Host)] = step.free;
        }
    }
    facts.account = account;
    return facts;
}

StepAccount& accountOf(CaptureFacts& facts, std::size_t rank, std::size_t step) {
    return const_cast<AccountFacts&>(*facts.account).ranks[rank].steps[step];
}

/// All ranks take `ns` longer in some steps: `rank` by itself, the others wait for it.
template <class Own>
void slow(CaptureFacts& facts, std::size_t rank, std::size_t first, std::size_t end, std::int64_t ns, Own own) {
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        for (std::size_t s = first; s < end; ++s) {
            if (r == rank) {
                own(facts.ranks[r], s);
            } else {
                facts.ranks[r].steps[s].exposed += ns;
                accountOf(facts, r, s).wait += ns;
            }
        }
    }
}

/// Kernels of one type, or of all, are slower.
void slowKernels(CaptureFacts& facts, std::size_t rank, std::size_t first, std::size_t end, double share,
                 bool isAll = true, double mhz = 1800) {
    const auto more = static_cast<std::int64_t>((isAll ? 60e6 : 50e6) * share);
    slow(facts, rank, first, end, more, [&](RankFacts& own, std::size_t s) {
        own.steps[s].computing += more;
        own.paces[0].time[s] *= 1 + share;
        if (isAll) own.paces[1].time[s] *= 1 + share;
        if (!own.mhzBySteps.empty()) own.mhzBySteps[s] = mhz;
        accountOf(facts, rank, s).computing += more;
    });
}

/// Parts of a step, in ms.
void setTime(CaptureFacts& facts, std::size_t rank, std::size_t step, double ms) {
    StepFacts& one = facts.ranks[rank].steps[step];
    const auto ns = static_cast<std::int64_t>(ms * 1e6);
    one.computing = ns / 2;
    one.exposed = one.communication = ns / 4;
    one.free = ns - ns / 2 - ns / 4;
}

/// Ranks of which nothing but the times of their steps is recorded.
CaptureFacts stepsOf(std::size_t ranks, const std::vector<double>& times) {
    CaptureFacts facts;
    for (std::size_t r = 0; r < ranks; ++r) {
        RankFacts& rank = facts.ranks.emplace_back();
        rank.rankId = static_cast<std::int64_t>(r);
        rank.steps.resize(times.size());
        for (std::size_t s = 0; s < times.size(); ++s) {
            rank.steps[s].step = static_cast<std::int64_t>(s);
            setTime(facts, r, s, times[s]);
        }
    }
    return facts;
}

std::vector<Finding> failSlow(const CaptureFacts& facts) {
    std::vector<Finding> found = runRules(facts, {});
    std::erase_if(found, [](const Finding& finding) { return finding.rule != "fail_slow"; });
    return found;
}

std::string parameter(const Finding& finding, std::string_view name) {
    const auto found = std::find_if(finding.parameters.begin(), finding.parameters.end(),
                                    [&](const auto& one) { return one.first == name; });
    return found == finding.parameters.end() ? "" : found->second;
}

bool says(const Finding& finding, std::string_view words) {
    return findingDetail(finding, "en").find(words) != std::string::npos;
}

}  // namespace

class TestFailSlow : public QObject {
    Q_OBJECT
private slots:
    void nothingIsSaidOfASteadyRun() { QVERIFY(failSlow(longRun()).empty()); }

    void theClockIsNamedWithTheRankAndItsSteps() {
        CaptureFacts facts = longRun();
        slowKernels(facts, 2, 5, 9, 0.25, true, 1440);
        const std::vector<Finding> found = failSlow(facts);
        QCOMPARE(found.size(), std::size_t{1});
        const Finding& finding = found.front();
        QCOMPARE(finding.rank->value, 2U);
        QCOMPARE(*finding.recoverable, 15 * kMs);
        QCOMPARE(parameter(finding, "cause"), std::string("clock"));
        QCOMPARE(parameter(finding, "first_step") + parameter(finding, "last_step"), std::string("1518"));
        QVERIFY2(says(finding, "1,440 instead of 1,800 MHz") || says(finding, "1440 instead of 1800 MHz"),
                 findingDetail(finding, "en").c_str());
        QVERIFY(says(finding, "as before"));
        QCOMPARE(finding.range->begin.value, 5 * 100 * kMs);
        QCOMPARE(finding.range->end.value, 9 * 100 * kMs);
        QVERIFY(!findingDetail(finding, "zh_CN").empty() && !findingTitle(finding, "zh_CN").empty());
    }

    /// One fault is named first by one finding; the other rule that finds it says so.
    void theDropOfTheFrequencyInThoseStepsIsAPartOfIt() {
        for (const bool isElsewhereToo : {false, true}) {
            CaptureFacts facts = longRun();
            slowKernels(facts, 2, 5, 9, 0.25, true, 1440);
            std::vector<std::int64_t> losses(kSteps);
            for (std::size_t s = 5; s < 9; ++s) losses[s] = 15 * kMs;
            if (isElsewhereToo) losses[12] = 15 * kMs;
            facts.ranks[2].lowestMhz = 1440;
            facts.ranks[2].frequencyLoss = occurrences(4, losses, 15 * kMs);
            const std::vector<Finding> found = runRules(facts, {});
            const auto of = [&](std::string_view rule) {
                return std::find_if(found.begin(), found.end(), [&](const Finding& one) { return one.rule == rule; });
            };
            QVERIFY(of("fail_slow") != found.end() && of("frequency_drop") != found.end());
            QCOMPARE(says(*of("frequency_drop"), "the same fault"), !isElsewhereToo);
            if (isElsewhereToo) continue;
            QVERIFY(of("fail_slow") < of("frequency_drop"));
            QCOMPARE(of("frequency_drop")->severity, FindingSeverity::Low);
            QVERIFY(of("frequency_drop")->recoverable.value_or(0) > 0);
        }
    }

    void theRankThatIsSlowInThoseStepsIsAPartOfIt() {
        for (const bool isAlwaysSlow : {false, true}) {
            CaptureFacts facts = longRun();
            slowKernels(facts, 1, 5, 12, 0.3);
            for (auto& [name, kernel] : facts.ranks[1].kernels) kernel.total += kernel.total * 3 * 7 / 10 / kSteps;
            for (std::size_t s = 0; isAlwaysSlow && s < kSteps; ++s) {
                facts.ranks[1].steps[s].computing += 10 * kMs;
                accountOf(facts, 1, s).computing += 10 * kMs;
            }
            const std::vector<Finding> found = runRules(facts, {});
            const auto of = [&](std::string_view rule) {
                return std::find_if(found.begin(), found.end(), [&](const Finding& one) { return one.rule == rule; });
            };
            QVERIFY(of("fail_slow") != found.end() && of("slow_rank") != found.end());
            QCOMPARE(says(*of("slow_rank"), "the same fault"), !isAlwaysSlow);
            if (!isAlwaysSlow) QVERIFY(of("fail_slow") < of("slow_rank"));
        }
    }

    /// Free time and slow launches of all steps are no part of those that are slower still.
    void theHostThatIsLateInThoseStepsIsAPartOfIt() {
        for (const bool isAlwaysLate : {false, true}) {
            CaptureFacts facts = longRun();
            slow(facts, 1, 5, 12, 60 * kMs, [&](RankFacts& own, std::size_t s) {
                own.steps[s].free += 60 * kMs;
                accountOf(facts, 1, s).gaps[static_cast<std::size_t>(Cause::Host)] += 60 * kMs;
            });
            std::vector<std::int64_t> gaps(kSteps, isAlwaysLate ? 40 * kMs : kMs / 2);
            for (std::size_t s = 5; s < 12; ++s) gaps[s] += 60 * kMs;
            for (std::size_t r = 0; isAlwaysLate && r < facts.ranks.size(); ++r) {
                for (std::size_t s = 0; s < kSteps; ++s) {
                    facts.ranks[r].steps[s].free += 40 * kMs;
                    accountOf(facts, r, s).gaps[static_cast<std::size_t>(Cause::Host)] += 40 * kMs;
                }
            }
            for (const bool hasLaunches : {false, true}) {
                if (hasLaunches) facts.ranks[1].launchGaps = occurrences(1000, gaps, 2 * kMs);
                const std::vector<Finding> found = runRules(facts, {});
                const auto of = [&](std::string_view rule) {
                    return std::find_if(found.begin(), found.end(),
                                        [&](const Finding& one) { return one.rule == rule; });
                };
                QVERIFY(of("fail_slow") != found.end());
                QCOMPARE(parameter(*of("fail_slow"), "cause"), std::string("host"));
                const auto part = of(hasLaunches ? "slow_launches" : "free_time");
                QVERIFY(part != found.end());
                QCOMPARE(says(*part, "the same fault"), !isAlwaysLate);
            }
        }
    }

    void theLinkThatIsSlowInThoseStepsIsAPartOfIt() {
        for (const bool isAlwaysSlow : {false, true}) {
            CaptureFacts facts = longRun();
            for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
                for (std::size_t s = 7; s < 12; ++s) {
                    facts.ranks[r].steps[s].exposed += 30 * kMs;
                    accountOf(facts, r, s).transfer += 30 * kMs;
                }
                for (LinkFacts& link : facts.ranks[r].links) {
                    if (link.source + link.target != 3 || link.source * link.target != 2) continue;
                    const bool isInside = *link.step >= 17 && *link.step < 22;
                    link.time *= (isInside ? 4 : 1) * (isAlwaysSlow ? 2 : 1);
                }
            }
            const std::vector<Finding> found = runRules(facts, {});
            const auto of = [&](std::string_view rule) {
                return std::find_if(found.begin(), found.end(), [&](const Finding& one) { return one.rule == rule; });
            };
            QVERIFY(of("fail_slow") != found.end() && of("slow_link") != found.end());
            QCOMPARE(parameter(*of("fail_slow"), "cause"), std::string("link"));
            QCOMPARE(says(*of("slow_link"), "the same fault"), !isAlwaysSlow);
            if (!isAlwaysSlow) QVERIFY(of("fail_slow") < of("slow_link"));
        }
    }

    /// At the same frequency it is something else; if that is not recorded, nobody can tell them apart.
    void allKernelsAtTheSameFrequencyAreSlowedByANeighbour() {
        CaptureFacts facts = longRun();
        slowKernels(facts, 1, 8, kSteps, 0.2);
        QCOMPARE(failSlow(facts).size(), std::size_t{1});
        QCOMPARE(parameter(failSlow(facts).front(), "cause"), std::string("neighbour"));
        QVERIFY(says(failSlow(facts).front(), "lasts to the end"));
        for (RankFacts& rank : facts.ranks) rank.mhzBySteps.clear();
        const Finding finding = failSlow(facts).front();
        QCOMPARE(parameter(finding, "cause"), std::string("unknown"));
        QVERIFY2(says(finding, "AI Core Freq"), findingDetail(finding, "en").c_str());
    }

    void aDropThatExplainsOnlyAPartIsNotTheClock() {
        CaptureFacts facts = longRun();
        slowKernels(facts, 1, 8, kSteps, 0.2, true, 1750);
        QCOMPARE(parameter(failSlow(facts).front(), "cause"), std::string("neighbour"));
    }

    void someTypesAreNamed() {
        CaptureFacts facts = longRun();
        for (RankFacts& rank : facts.ranks) {
            // Most of the time is of types that stay as they are.
            for (double& time : rank.paces[1].time) time = 50e6;
            rank.paces[1].usual = rank.paces[1].time;
        }
        slowKernels(facts, 3, 4, 12, 0.2, false);
        const Finding finding = failSlow(facts).front();
        QCOMPARE(parameter(finding, "cause"), std::string("kernel"));
        QVERIFY2(says(finding, "MatMulV2") && !says(finding, "Add"), findingDetail(finding, "en").c_str());
    }

    void theHostIsNamedWithItsCall() {
        CaptureFacts facts = longRun();
        slow(facts, 0, 6, 11, 20 * kMs, [&](RankFacts& own, std::size_t s) {
            own.steps[s].free += 20 * kMs;
            StepAccount& account = accountOf(facts, 0, s);
            account.gaps[static_cast<std::size_t>(Cause::DataLoading)] += 20 * kMs;
            GapFacts& gap = account.longestGaps.emplace_back();
            gap.range = {{100}, {100 + 20 * kMs}};
            gap.cause = Cause::DataLoading;
            gap.name = "next(loader)";
        });
        const Finding finding = failSlow(facts).front();
        QCOMPARE(finding.rank->value, 0U);
        QCOMPARE(parameter(finding, "cause"), std::string("host"));
        QVERIFY2(says(finding, "loading data") && says(finding, "next(loader)"), findingDetail(finding, "en").c_str());
    }

    /// All ranks move their data longer; the links of one of them are the slow ones.
    void theRankOnAllSlowLinksIsNamed() {
        CaptureFacts facts = longRun();
        for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
            for (std::size_t s = 7; s < 12; ++s) {
                facts.ranks[r].steps[s].exposed += 30 * kMs;
                accountOf(facts, r, s).transfer += 30 * kMs;
            }
            for (LinkFacts& link : facts.ranks[r].links) {
                const bool isSlow = *link.step >= 17 && *link.step < 22 && (link.source == 1 || link.target == 1);
                if (isSlow) link.time *= 4;
            }
        }
        const std::vector<Finding> found = failSlow(facts);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found.front().rank->value, 1U);
        QCOMPARE(parameter(found.front(), "cause"), std::string("link"));
        QVERIFY2(says(found.front(), "All links of this rank"), findingDetail(found.front(), "en").c_str());
    }

    void whatNobodyRecordedIsSaidToBeUnknown() {
        CaptureFacts facts = longRun();
        slow(facts, facts.ranks.size(), 6, 11, 20 * kMs, [](RankFacts&, std::size_t) {});
        const Finding finding = failSlow(facts).front();
        QCOMPARE(parameter(finding, "cause"), std::string("unknown"));
        QVERIFY(says(finding, "not recorded"));
    }

    /// The rank that is slow may show it less clearly than those that wait for it.
    void theCauseIsSoughtOnRanksWhoseNoiseHidesIt() {
        CaptureFacts facts = longRun();
        slowKernels(facts, 1, 6, 11, 0.25, true, 1440);
        for (std::size_t s = 0; s < kSteps; s += 2) facts.ranks[1].steps[s].exposed += 15 * kMs;
        const std::vector<Finding> found = failSlow(facts);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found.front().rank->value, 1U);
        QCOMPARE(parameter(found.front(), "cause"), std::string("clock"));
    }

    void stepsThatDoMoreAreNotSlow() {
        CaptureFacts facts = longRun();
        slow(facts, 1, 6, 11, 30 * kMs, [&](RankFacts& own, std::size_t s) {
            own.steps[s].computing += 30 * kMs;
            own.paces[0].time[s] += 30e6;
            own.paces[0].usual[s] += 30e6;
        });
        QVERIFY(failSlow(facts).empty());
    }

    /// Slow steps from the first one on that pass are the warm-up, unless a cause is proven.
    void aWarmUpIsNotSlow() {
        CaptureFacts facts = longRun();
        slow(facts, 1, 0, 3, 30 * kMs, [&](RankFacts& own, std::size_t s) {
            own.steps[s].free += 30 * kMs;
            accountOf(facts, 1, s).gaps[static_cast<std::size_t>(Cause::Compile)] += 30 * kMs;
        });
        QVERIFY(failSlow(facts).empty());
        CaptureFacts throttled = longRun();
        slowKernels(throttled, 1, 0, 3, 0.25, true, 1440);
        QCOMPARE(failSlow(throttled).size(), std::size_t{1});
    }

    /// Rank 0 sees one stretch where rank 1 sees two; its first is far from the growth of the second.
    void aRankThatSeesTwoStretchesWhereAnotherSeesOneIsTakenByTheClearest() {
        CaptureFacts facts = stepsOf(2, std::vector<double>(50, 100));
        for (std::size_t s = 10; s <= 30; ++s) setTime(facts, 0, s, 107);
        for (std::size_t s = 10; s <= 15; ++s) setTime(facts, 1, s, 107);
        for (std::size_t s = 21; s <= 30; ++s) setTime(facts, 1, s, 140);
        const std::vector<Finding> found = failSlow(facts);
        QVERIFY(!found.empty());
        QCOMPARE(found.front().rank->value, 1U);
        QCOMPARE(*found.front().recoverable, 40 * kMs);
    }

    /// The short steps are evaluations, not the usual ones.
    void stepsBetweenEvaluationsAreNotSlow() {
        std::vector<double> times(90, 100);
        for (const std::size_t first : {30U, 60U}) std::fill_n(times.begin() + first, 4, 40);
        QVERIFY(failSlow(stepsOf(1, times)).empty());
        CaptureFacts facts = longRun();
        for (std::size_t s = 0; s < kSteps; ++s) {
            if (s % 8 >= 4 && s % 8 < 7) continue;
            facts.ranks[1].steps[s].free += 60 * kMs;
            accountOf(facts, 1, s).gaps[static_cast<std::size_t>(Cause::Host)] += 60 * kMs;
        }
        QVERIFY(failSlow(facts).empty());
    }

    void aWarmUpBehindAShortFirstStepIsNotSlow() {
        std::vector<double> times(40, 100);
        times[0] = 60;
        std::fill_n(times.begin() + 1, 5, 150);
        QVERIFY(failSlow(stepsOf(1, times)).empty());
    }

    /// At the first steps other reasons are as likely as other users of the device.
    void slowKernelsOfTheFirstStepsAreTheWarmUp() {
        CaptureFacts facts = longRun();
        slowKernels(facts, 1, 0, 4, 0.25);
        QVERIFY(failSlow(facts).empty());
    }

    void aStepFarAboveTheSlowStretchAroundItIsAnOutlier() {
        std::vector<double> times(60, 100);
        // Some noise, without which any difference is far.
        for (std::size_t s = 0; s < times.size(); ++s) times[s] += 0.2 * static_cast<double>(s * 7 % 5);
        for (std::size_t s = 20; s < 35; ++s) times[s] += 6;
        times[27] = 3000;
        const std::vector<Finding> all = runRules(stepsOf(1, times), {});
        const auto of = [&](std::string_view rule) {
            return std::find_if(all.begin(), all.end(), [&](const Finding& f) { return f.rule == rule; });
        };
        QVERIFY(of("fail_slow") != all.end());
        QVERIFY(of("step_outlier") != all.end());
        QCOMPARE(*of("step_outlier")->step, 27);
    }

    void someLinksOfARankAreNotCalledAll() {
        CaptureFacts facts = longRun();
        for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
            for (std::size_t s = 7; s < 12; ++s) {
                facts.ranks[r].steps[s].exposed += 30 * kMs;
                accountOf(facts, r, s).transfer += 30 * kMs;
            }
            for (LinkFacts& link : facts.ranks[r].links) {
                const bool isOwn = link.source == 1 || link.target == 1, isOther = link.source == 3 || link.target == 3;
                if (*link.step >= 17 && *link.step < 22 && isOwn && !isOther) link.time *= 4;
            }
        }
        const Finding finding = failSlow(facts).front();
        QCOMPARE(parameter(finding, "cause"), std::string("link"));
        QVERIFY2(says(finding, "to 2 of 3 peers") && !says(finding, "All links"), findingDetail(finding, "en").c_str());
    }

    /// Neither kernels nor gaps alone are as much longer as the step.
    void bothPartsAreNamedWhereNeitherIsEnough() {
        CaptureFacts facts = stepsOf(1, std::vector<double>(60, 100));
        for (std::size_t s = 20; s < 35; ++s) {
            facts.ranks[0].steps[s].computing += 11 * kMs;
            facts.ranks[0].steps[s].free += 9 * kMs;
        }
        const Finding finding = failSlow(facts).front();
        QVERIFY2(says(finding, "kernels took 11.0 ms more") && says(finding, "idle for 9.0 ms more") &&
                     !says(finding, "no rank"),
                 findingDetail(finding, "en").c_str());
    }

    /// Slow links that explain a fifth of it are not why.
    void linksThatExplainLessThanKernelsAreNotTheCause() {
        CaptureFacts facts = longRun();
        slow(facts, 1, 7, 12, 75 * kMs, [&](RankFacts& own, std::size_t s) {
            own.steps[s].free += 75 * kMs;
            accountOf(facts, 1, s).gaps[static_cast<std::size_t>(Cause::Host)] += 75 * kMs;
        });
        for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
            for (std::size_t s = 7; s < 12; ++s) {
                facts.ranks[r].steps[s].exposed += 25 * kMs;
                accountOf(facts, r, s).transfer += 25 * kMs;
            }
            for (LinkFacts& link : facts.ranks[r].links) {
                if (*link.step >= 17 && *link.step < 22 && (link.source == 1 || link.target == 1)) link.time *= 4;
            }
        }
        QVERIFY(parameter(failSlow(facts).front(), "cause") != "link");
    }

    /// Ranks of another role are slow at the same time for reasons of their own.
    void eachRoleHasItsOwnStretch() {
        CaptureFacts facts = stepsOf(2, std::vector<double>(40, 100));
        facts.ranks[0].role = "actor";
        facts.ranks[1].role = "rollout";
        for (std::size_t s = 10; s < 20; ++s) {
            setTime(facts, 0, s, 150);
            setTime(facts, 1, s, 120);
        }
        QCOMPARE(failSlow(facts).size(), std::size_t{2});
    }

    /// Steps without kernels have no frequency; they do not lower the mean.
    void stepsWithoutKernelsDoNotLowerTheFrequency() {
        CaptureFacts facts = longRun();
        slowKernels(facts, 1, 6, 12, 0.2);
        facts.ranks[1].mhzBySteps[7] = facts.ranks[1].mhzBySteps[8] = 0;
        QCOMPARE(parameter(failSlow(facts).front(), "cause"), std::string("neighbour"));
    }

    void evidenceDoesNotReachBackToANeighbourWithoutARange() {
        CaptureFacts facts = longRun();
        slowKernels(facts, 1, 6, 12, 0.2);
        for (RankFacts& rank : facts.ranks) rank.steps[5].range = {};
        const Finding finding = failSlow(facts).front();
        QCOMPARE(finding.evidence.ranges.front().range.begin.value, 6 * 100 * kMs);
    }

    void itsStepsAreNoOutliers() {
        CaptureFacts facts = longRun();
        slowKernels(facts, 2, 5, 9, 0.25, true, 1440);
        const std::vector<Finding> all = runRules(facts, {});
        QVERIFY(std::none_of(all.begin(), all.end(), [](const Finding& f) { return f.rule == "step_outlier"; }));
        facts.ranks[2].steps[13].exposed += 60 * kMs;
        const std::vector<Finding> both = runRules(facts, {});
        const auto outlier =
            std::find_if(both.begin(), both.end(), [](const Finding& f) { return f.rule == "step_outlier"; });
        QVERIFY(outlier != both.end());
        QCOMPARE(*outlier->step, 23);
    }
};

ALTI_TEST(TestFailSlow)
#include "tst_fail_slow.moc"
