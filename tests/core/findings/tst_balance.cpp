#include "core/findings/run_rules.h"
#include "tests/core/findings/planted_facts.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <optional>
#include <string>

using namespace altiscope;
using altiscope::test::cleanFacts;
using altiscope::test::kMs;
using altiscope::test::occurrences;

namespace {

std::optional<Finding> ruleIn(const std::vector<Finding>& findings, const char* rule) {
    const auto found =
        std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) { return finding.rule == rule; });
    return found == findings.end() ? std::nullopt : std::optional(*found);
}

std::optional<Finding> foundBy(const char* rule, const CaptureFacts& facts) {
    return ruleIn(runRules(facts, {}), rule);
}

/// Ranks 0 and 1 are the first of two stages, 2 and 3 the second.
CaptureFacts twoStages() {
    CaptureFacts facts = cleanFacts();
    for (std::size_t r = 0; r < 4; ++r) {
        facts.ranks[r].stages = 2;
        facts.ranks[r].stage = r < 2 ? 0 : 1;
    }
    return facts;
}

void setWaits(RankFacts& rank, std::int64_t elapsed, std::int64_t transit) {
    rank.waits.clear();
    WaitFacts& waits = rank.waits.emplace_back();
    waits.group = "g";
    waits.count = 60;
    waits.elapsed = 6 * elapsed;
    waits.transit = 6 * transit;
    waits.byStep.assign(6, elapsed - transit);
}

}  // namespace

class TestBalance : public QObject {
    Q_OBJECT
private slots:
    void aSlowRankIsSaidInSumsThatAddUp();
    void aDifferenceOfLongTimesIsNotRoundedAway();
    void stagesAreNotComparedAsRanks();
    void unbalancedStagesAreNamed();
    void aLayerCannotBeSplit();
    void aRankWithMoreWorkIsNoSlowRank();
    void collectivesThatMostlyWaitSayForWhom();
    void waitsForAnAbsentRankAreNotSharedOut();
    void aRankCutShortIsInNoComparison();
    void ranksThatAreWaitedForKeepTheirNames();
    void ranksThatWaitInTurnAreNoFault();
    void aCauseOfWaitingIsNotReportedTwice();
    void theLastReductionsOfAStepAreNoFault();
    void theBubbleIsComparedWithTheUnavoidable_data();
    void theBubbleIsComparedWithTheUnavoidable();
    void receivesThatWaitForMostOfAStepAreTheMainStory();
    void linksAreComparedWithLinksLikeThem();
    void aLoweredSeveritySaysWhy();
    void oneStepIsRatedByItsShareOfAllSteps();
    void rowsThatWereLostMakeNoHighComparison();
    void whatIsNotRecordedIsOneLine();
    void theOrderIsSeverityThenTime();
    void onlyVariablesSetWronglyAreNamed();
};

void TestBalance::aSlowRankIsSaidInSumsThatAddUp() {
    CaptureFacts facts = cleanFacts();
    facts.ranks[2].kernels["MatMul"].total += 6 * 14'612'345;
    for (StepFacts& step : facts.ranks[2].steps) step.computing = 63'749'999;
    const Finding found = *foundBy("slow_rank", facts);
    const std::string english = findingDetail(found, "en"), chinese = findingDetail(found, "zh_CN");
    QVERIFY2(english.find("computes 63.7 ms a step, its peers 49.1 ms: +14.6 ms (+30 %)") != std::string::npos,
             english.c_str());
    for (const char* part : {"63.7 ms", "49.1 ms", "+14.6 ms", "+30%"})
        QVERIFY2(chinese.find(part) != std::string::npos, chinese.c_str());
}

/// In minutes 30 s of 20 min would read "+0.5 min".
void TestBalance::aDifferenceOfLongTimesIsNotRoundedAway() {
    CaptureFacts facts = cleanFacts();
    facts.ranks[2].kernels["MatMul"].total += 6 * 30'000 * kMs;
    for (StepFacts& step : facts.ranks[2].steps) step.computing = 1'230'000 * kMs;
    const std::string text = findingDetail(*foundBy("slow_rank", facts), "en");
    QVERIFY2(text.find("computes 1230.0 s a step, its peers 1200.0 s: +30.0 s") != std::string::npos, text.c_str());
}

void TestBalance::stagesAreNotComparedAsRanks() {
    // Without kernels the steps tell. The second stage computes 30 % more: no rank of it is slow.
    CaptureFacts facts = twoStages();
    for (RankFacts& rank : facts.ranks) rank.kernels.clear();
    for (const std::size_t r : {2U, 3U}) {
        for (StepFacts& step : facts.ranks[r].steps) step.computing += 18 * kMs, step.free += 10 * kMs;
    }
    QVERIFY(!foundBy("slow_rank", facts) && !foundBy("free_gap", facts) && !foundBy("unbalanced_ranks", facts));
    // The same ranks of one stage.
    for (RankFacts& rank : facts.ranks) rank.stages = 1, rank.stage = 0;
    QVERIFY(foundBy("slow_rank", facts));
    // Or with roles that do different work.
    facts.ranks[2].role = facts.ranks[3].role = "rollout";
    QVERIFY(!foundBy("slow_rank", facts));
}

void TestBalance::unbalancedStagesAreNamed() {
    CaptureFacts facts = twoStages();
    for (const std::size_t r : {2U, 3U}) {
        for (StepFacts& step : facts.ranks[r].steps) step.computing = 400 * kMs, step.exposed = 10 * kMs;
    }
    for (const std::size_t r : {0U, 1U}) {
        for (StepFacts& step : facts.ranks[r].steps) step.computing = 231 * kMs, step.exposed = 165 * kMs;
    }
    const Finding found = *foundBy("unbalanced_stages", facts);
    QCOMPARE(*found.recoverable, std::int64_t{84'500'000});  // 400 - (400 + 231) / 2
    QCOMPARE(found.severity, FindingSeverity::High);
    QVERIFY(found.rank->value >= 2);
    const std::string text = findingDetail(found, "en");
    for (const char* part : {"Stage 1 computes 400.0 ms", "stage 0 231.0 ms", "165.0 ms"})
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    QVERIFY(!foundBy("slow_rank", facts));
}

void TestBalance::aLayerCannotBeSplit() {
    // The last stage computes 60 ms, the first 40: a layer of 20 ms would only change places, one of less would help.
    CaptureFacts facts = twoStages();
    for (std::size_t r = 0; r < 4; ++r) {
        facts.ranks[r].receivesPerStep = 4;
        for (StepFacts& step : facts.ranks[r].steps) step.computing = (r < 2 ? 40 : 60) * kMs;
        // Six steps of four micro-batches.
        facts.ranks[r].kernels["FlashAttentionScoreGrad"] = {6 * 4 * 3, kMs};
        facts.ranks[r].kernels["FlashAttentionScore"] = {6 * 4 * 6, kMs};
    }
    QCOMPARE(foundBy("unbalanced_stages", facts)->severity, FindingSeverity::Low);
    for (RankFacts& rank : facts.ranks) rank.kernels["FlashAttentionScoreGrad"].count = 6 * 4 * 4;
    QCOMPARE(foundBy("unbalanced_stages", facts)->severity, FindingSeverity::High);
}

void TestBalance::aRankWithMoreWorkIsNoSlowRank() {
    // Twice as many calls of a kernel that takes no longer.
    CaptureFacts facts = cleanFacts();
    facts.ranks[1].kernels["MatMul"].count *= 2;
    facts.ranks[1].kernels["MatMul"].total *= 2;
    for (StepFacts& step : facts.ranks[1].steps) step.computing += 50 * kMs;
    QVERIFY(!foundBy("slow_rank", facts));
    const Finding found = *foundBy("unbalanced_ranks", facts);
    QCOMPARE(found.rank->value, 1U);
    QCOMPARE(*found.recoverable, 50 * kMs);
}

void TestBalance::collectivesThatMostlyWaitSayForWhom() {
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks) {
        for (StepFacts& step : rank.steps) step.exposed = 95 * kMs;
        setWaits(rank, 97 * kMs, 4 * kMs);
    }
    setWaits(facts.ranks[2], 8 * kMs, 4 * kMs);
    const Finding found = *foundBy("collective_wait", facts);
    QCOMPARE(found.rank->value, 0U);
    QCOMPARE(*found.recoverable, 93 * kMs);
    QCOMPARE(found.severity, FindingSeverity::High);
    const std::string text = findingDetail(found, "en");
    for (const char* part : {"97.0 ms", "4.0 ms", "waits 93.0 ms for rank 2"})
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    // Where data moves most of the time, it is not waiting.
    for (RankFacts& rank : facts.ranks) setWaits(rank, 97 * kMs, 60 * kMs);
    QVERIFY(!foundBy("collective_wait", facts));
}

/// "None of them alone is late" was said where the late one was not in the capture.
void TestBalance::waitsForAnAbsentRankAreNotSharedOut() {
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks) {
        for (StepFacts& step : rank.steps) step.exposed = 95 * kMs;
        setWaits(rank, 97 * kMs, 4 * kMs);
        rank.waits[0].members = 5;
        rank.waits[0].absent = {7};
    }
    const Finding found = *foundBy("collective_wait", facts);
    const std::string text = findingDetail(found, "en");
    QVERIFY2(text.find("4 of the 5 ranks of group g are here and all wait: rank 7, which is not") != std::string::npos,
             text.c_str());
    QVERIFY2(text.find("none of them") == std::string::npos, text.c_str());
    QCOMPARE(found.severity, FindingSeverity::High);  // Whoever is late, the wait is there.
    // One that is here and clearly waits less is late whoever is absent.
    setWaits(facts.ranks[2], 8 * kMs, 4 * kMs);
    QVERIFY(findingDetail(*foundBy("collective_wait", facts), "en").find("for rank 2") != std::string::npos);
}

/// "One rank idles longer, +3606 %" was said of a rank whose timeline had been cut off.
void TestBalance::aRankCutShortIsInNoComparison() {
    CaptureFacts facts = cleanFacts();
    for (StepFacts& step : facts.ranks[1].steps) step = {.step = step.step, .range = {}, .isIncomplete = true};
    for (const Finding& finding : runRules(facts, {})) QCOMPARE(finding.severity, FindingSeverity::Low);
    const auto missing = foundBy("missing_data", facts);
    QVERIFY(missing.has_value());
    const std::string text = findingDetail(*missing, "en");
    QVERIFY2(text.find("left out of all means and comparisons: 6.") != std::string::npos, text.c_str());
}

/// Others waited "for rank 1,024", and for "20,241,127.1 retry/x".
void TestBalance::ranksThatAreWaitedForKeepTheirNames() {
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks) {
        for (StepFacts& step : rank.steps) step.exposed = 95 * kMs;
        setWaits(rank, 97 * kMs, 4 * kMs);
    }
    RankFacts& late = facts.ranks[2];
    setWaits(late, 8 * kMs, 4 * kMs);
    const auto text = [&] { return findingDetail(*foundBy("collective_wait", facts), "en"); };
    late.rankId = 1024;
    QVERIFY2(text().find("for rank 1024,") != std::string::npos, text().c_str());
    late.rankId.reset();
    for (const char* path : {"20241127.1 retry/x", "20241127.1 s/x", "run20241127.1 ms"}) {
        late.path = path;
        QVERIFY2(text().find("for rank " + late.path + ",") != std::string::npos, text().c_str());
    }
}

void TestBalance::ranksThatWaitInTurnAreNoFault() {
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks) setWaits(rank, 20 * kMs, 4 * kMs);
    const Finding found = *foundBy("collective_wait", facts);
    QCOMPARE(found.severity, FindingSeverity::Low);
    QVERIFY(findingDetail(found, "en").find("Rated low") != std::string::npos);
    // But it is the main story where most of a step is lost to it.
    for (RankFacts& rank : facts.ranks) {
        for (StepFacts& step : rank.steps) step.exposed = 95 * kMs;
        setWaits(rank, 97 * kMs, 4 * kMs);
    }
    QCOMPARE(foundBy("collective_wait", facts)->severity, FindingSeverity::High);
}

void TestBalance::aCauseOfWaitingIsNotReportedTwice() {
    // Rank 3 computes 25 ms longer; the others wait as long for it in their collectives.
    CaptureFacts facts = cleanFacts();
    facts.ranks[3].kernels["MatMul"].total += 6 * 25 * kMs;
    for (RankFacts& rank : facts.ranks) {
        setWaits(rank, 30 * kMs, 4 * kMs);
        rank.collectives[0].exposed = occurrences(60, std::vector<std::int64_t>(6, 26 * kMs), kMs);
    }
    setWaits(facts.ranks[3], 5 * kMs, 4 * kMs);
    const std::vector<Finding> findings = runRules(facts, {});
    QCOMPARE(findings.front().rule, std::string("slow_rank"));
    QVERIFY(!ruleIn(findings, "collective_wait"));        // 1 ms is left
    QVERIFY(!ruleIn(findings, "exposed_communication"));  // a third of it is hidden
}

void TestBalance::theLastReductionsOfAStepAreNoFault() {
    CaptureFacts facts = cleanFacts();
    CollectiveFacts& reductions = facts.ranks[1].collectives[0];
    reductions.all = reductions.exposed = occurrences(60, std::vector<std::int64_t>(6, 20 * kMs), kMs);
    const Finding found = *foundBy("exposed_communication", facts);
    QCOMPARE(found.severity, FindingSeverity::Low);
    QVERIFY(!found.recoverable);
    QVERIFY(findingDetail(found, "en").find("could be recovered") == std::string::npos);
    reductions.lastExposed = 6 * 19 * kMs;
    QVERIFY(!foundBy("exposed_communication", facts));
}

void TestBalance::theBubbleIsComparedWithTheUnavoidable_data() {
    QTest::addColumn<double>("receives");
    QTest::addColumn<qint64>("recoverable");
    // Steps of 100 ms, 35 of them alone; 30 of these are bubble.
    QTest::addRow("one micro-batch makes half of the step unavoidable") << 1.0 << qint64{0};
    QTest::addRow("four make a fifth") << 4.0 << 10 * qint64{kMs};
    QTest::addRow("nine make a tenth") << 9.0 << 20 * qint64{kMs};
    QTest::addRow("where they are not recorded, all of it is the most that there could be") << 0.0 << 30 * qint64{kMs};
}

void TestBalance::theBubbleIsComparedWithTheUnavoidable() {
    QFETCH(double, receives);
    QFETCH(qint64, recoverable);
    CaptureFacts facts = twoStages();
    for (RankFacts& rank : facts.ranks) {
        rank.receivesPerStep = receives;
        for (StepFacts& step : rank.steps) step.exposed = 5 * kMs, step.bubble = 30 * kMs;
    }
    const auto found = foundBy("pipeline_bubble", facts);
    QVERIFY(found.has_value());
    QCOMPARE(qint64{found->recoverable.value_or(-1)}, recoverable);
    const std::string text = findingDetail(*found, "en");
    QVERIFY2(text.find("waits 30.0 ms of a step of 100.0 ms") != std::string::npos, text.c_str());
    // Interleaved stages need as many micro-batches as there are stages.
    QCOMPARE(text.find("one part of the model now") != std::string::npos, receives >= 2);
    QCOMPARE(found->severity == FindingSeverity::Low, recoverable <= 0);
}

void TestBalance::receivesThatWaitForMostOfAStepAreTheMainStory() {
    // Nothing states what a step of 179 ms consists of, but its receives wait for 169 ms.
    CaptureFacts facts;
    for (const std::int64_t wait : {90 * kMs, 169 * kMs}) {
        RankFacts& rank = facts.ranks.emplace_back();
        rank.rankId = wait == 90 * kMs ? 0 : 1;
        rank.missing = {{"timeline", "export_type"}};
        rank.receiveWaits = {5, 5 * 179 * kMs, 5 * wait};
    }
    const Finding first = runRules(facts, {}).front();
    QCOMPARE(first.rule, std::string("pipeline_bubble"));
    QCOMPARE(first.severity, FindingSeverity::Medium);
    QVERIFY(!first.recoverable);
    const std::string text = findingDetail(first, "en");
    QVERIFY2(text.find("Rank 1 waits 169.0 ms of a step of 179.0 ms") != std::string::npos, text.c_str());
    QVERIFY2(text.find("kernels are not recorded") != std::string::npos, text.c_str());
    facts.ranks[1].receiveWaits.wait = 5 * 80 * kMs;
    facts.ranks[0].receiveWaits.wait = 5 * 10 * kMs;
    QCOMPARE(foundBy("pipeline_bubble", facts)->severity, FindingSeverity::Low);
    facts.ranks.pop_back();
    QVERIFY(!foundBy("pipeline_bubble", facts));
}

void TestBalance::linksAreComparedWithLinksLikeThem() {
    CaptureFacts facts = cleanFacts();
    // Besides the reductions each pair exchanges little data, slowly as little data is; and some of it with another
    // host.
    for (RankFacts& rank : facts.ranks) {
        rank.host = *rank.rankId < 2 ? "a" : "b";
        for (LinkFacts& link : rank.links) {
            link.operation = "allreduce";
            link.groupKind = "dp";
            if ((link.source < 2) != (link.target < 2)) link.time = 25 * kMs;
        }
        for (std::int64_t peer = 0; peer < 4; ++peer) {
            if (peer != *rank.rankId)
                rank.links.push_back({10, *rank.rankId, peer, "HCCS", 2'000'000, 3 * kMs, "allgather", "tp"});
        }
    }
    QVERIFY(!foundBy("slow_link", facts));
    // One of the same kind, size and distance that is slower than the others.
    for (RankFacts& rank : facts.ranks) {
        for (LinkFacts& link : rank.links) {
            if (link.groupKind == "tp" && std::min(link.source, link.target) == 0 &&
                std::max(link.source, link.target) == 3)
                link.time = 12 * kMs;
        }
    }
    const Finding found = *foundBy("slow_link", facts);
    QCOMPARE(*found.recoverable, 9 * kMs);
    const std::string text = findingDetail(found, "en");
    for (const char* part : {"between ranks 0 and 3", "Compared links: 3 more of HCCS", "allgather", "tp"})
        QVERIFY2((findingTitle(found, "en") + text).find(part) != std::string::npos, text.c_str());
}

void TestBalance::aLoweredSeveritySaysWhy() {
    CaptureFacts facts = cleanFacts();
    facts.ranks[1].steps[4].exposed += 40 * kMs;  // of 100
    const auto found = foundBy("step_outlier", facts);
    QVERIFY(found.has_value());
    QCOMPARE(found->severity, FindingSeverity::Medium);  // 40 of 640 ms
    const auto share = std::find_if(found->parameters.begin(), found->parameters.end(),
                                    [](const auto& one) { return one.first == "all_share"; });
    QVERIFY(share != found->parameters.end());
    QCOMPARE(share->second, std::string("6.2 %"));  // 6.25, half to even
    QVERIFY2(findingDetail(*found, "en").find("medium at most") != std::string::npos,
             findingDetail(*found, "en").c_str());
    QVERIFY(findingDetail(*found, "zh_CN").find("最高为中") != std::string::npos);
}

void TestBalance::oneStepIsRatedByItsShareOfAllSteps() {
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks) {
        const std::vector<StepFacts> few = rank.steps;
        for (int i = 0; i < 3; ++i) rank.steps.insert(rank.steps.end(), few.begin(), few.end());
    }
    facts.ranks[1].steps[4].exposed += 40 * kMs;  // of 2,440
    QCOMPARE(foundBy("step_outlier", facts)->severity, FindingSeverity::Low);
}

void TestBalance::rowsThatWereLostMakeNoHighComparison() {
    CaptureFacts facts = cleanFacts();
    facts.ranks[2].kernels["MatMul"].total += 6 * 14'612'345;
    for (StepFacts& step : facts.ranks[2].steps) step.computing = 63'749'999;
    const Finding whole = *foundBy("slow_rank", facts);
    QCOMPARE(whole.severity, FindingSeverity::High);
    QVERIFY(whole.notes.empty());
    // Rows of a peer are lost: the rank may only look slow.
    facts.ranks[1].isPartial = facts.ranks[1].lost.links = true;
    QVERIFY(foundBy("slow_rank", facts)->notes.empty());
    facts.ranks[1].lost.steps = true;
    const Finding finding = *foundBy("slow_rank", facts);
    QCOMPARE(finding.severity, FindingSeverity::Medium);
    QCOMPARE(finding.recoverable, whole.recoverable);
    QVERIFY(findingDetail(finding, "en").find("Some data could not be read") != std::string::npos);
    // What a rank does alone needs no peers: only those of the rank itself count.
    facts.ranks[2].garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 20 * kMs), 20 * kMs);
    const Finding alone = *foundBy("gc_pause", facts);
    QVERIFY(findingDetail(alone, "en").find("Some data could not be read") == std::string::npos);
    facts.ranks[2].isPartial = true;
    const Finding own = *foundBy("gc_pause", facts);
    QCOMPARE(own.severity, alone.severity);
    QVERIFY(findingDetail(own, "en").find("Some data could not be read") != std::string::npos);
}

void TestBalance::whatIsNotRecordedIsOneLine() {
    CaptureFacts facts = cleanFacts();
    facts.ranks[0].missing = {{"memory", "profile_memory"}, {"stacks", "with_stack"}, {"shapes", "record_shapes"}};
    facts.ranks[1].missing = {{"memory", "profile_memory"}};
    const std::vector<Finding> findings = runRules(facts, {});
    QCOMPARE(std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.rule == "missing_data"; }),
             1);
    const Finding found = *ruleIn(findings, "missing_data");
    QCOMPARE(findingTitle(found, "en"), std::string("Not recorded: memory, shapes, stacks"));
    const std::string text = findingDetail(found, "en");
    for (const char* part : {"2 ranks", "profile_memory, record_shapes, with_stack"})
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    for (std::size_t r = 0; r < 1234; ++r) {
        if (r >= facts.ranks.size()) facts.ranks.emplace_back();
        facts.ranks[r].missing = {{"memory", "profile_memory"}};
    }
    const std::string many = findingDetail(*foundBy("missing_data", facts), "en");
    QVERIFY2(many.find("1,234 ranks") != std::string::npos, many.c_str());
}

void TestBalance::theOrderIsSeverityThenTime() {
    CaptureFacts facts = cleanFacts();
    facts.ranks[3].garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 8 * kMs), 8 * kMs);
    facts.ranks[2].kernels["MatMul"].total += 6 * 12 * kMs;
    facts.ranks[1].aiCpu["Cast"] = occurrences(6, std::vector<std::int64_t>(6, 4 * kMs), 4 * kMs);
    facts.ranks[0].pools = {{.device = {},
                             .allocatedAtBorders = {1 << 20, 5 << 20, 9 << 20, 13 << 20, 17 << 20, 21 << 20, 25 << 20},
                             .keptAllocations = {}}};
    facts.ranks[0].missing = {{"memory", "profile_memory"}};
    std::vector<std::string> rules;
    const std::vector<Finding> findings = runRules(facts, {});
    for (const Finding& finding : findings) rules.push_back(finding.rule);
    QCOMPARE(std::vector<std::string>(rules.begin(), rules.begin() + 4),
             (std::vector<std::string>{"slow_rank", "gc_pause", "memory_leak", "ai_cpu"}));
    for (std::size_t i = 1; i < findings.size(); ++i) {
        QVERIFY(findings[i - 1].severity <= findings[i].severity);
        if (findings[i - 1].severity == findings[i].severity)
            QVERIFY(findings[i - 1].recoverable.value_or(0) >= findings[i].recoverable.value_or(0));
    }
}

void TestBalance::onlyVariablesSetWronglyAreNamed() {
    CaptureFacts facts = cleanFacts();
    // As files have them that nobody set, and as they should be set.
    facts.ranks[0].environment = {{"ASCEND_GLOBAL_LOG_LEVEL", "3"},
                                  {"ASCEND_LAUNCH_BLOCKING", "0"},
                                  {"ACLNN_CACHE_LIMIT", "20000"},
                                  {"PYTORCH_NPU_ALLOC_CONF", "expandable_segments:True"}};
    QVERIFY(!foundBy("environment", facts));
    facts.ranks[0].environment[0].second = "1";
    facts.ranks[0].environment[2].second = "500";
    const Finding low = *foundBy("environment", facts);
    QCOMPARE(low.severity, FindingSeverity::Low);
    QVERIFY(findingDetail(low, "en").find(": ASCEND_GLOBAL_LOG_LEVEL=1, ACLNN_CACHE_LIMIT=500.") != std::string::npos);
    facts.ranks[0].environment[1].second = "1";
    QCOMPARE(foundBy("environment", facts)->severity, FindingSeverity::Medium);
}

ALTI_TEST(TestBalance)
#include "tst_balance.moc"
