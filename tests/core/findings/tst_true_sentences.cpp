#include "tests/core/findings/planted_facts.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace altiscope;
using altiscope::test::cleanFacts;
using altiscope::test::kMs;
using altiscope::test::occurrences;

namespace {

std::optional<Finding> firstOf(std::string_view rule, const CaptureFacts& facts) {
    for (const Finding& finding : runRules(facts, {})) {
        if (finding.rule == rule) return finding;
    }
    return std::nullopt;
}

bool says(const Finding& finding, std::string_view words) {
    return findingDetail(finding, "en").find(words) != std::string::npos;
}

}  // namespace

/// Sentences that were false or hid the main story, by their symptoms.
class TestTrueSentences : public QObject {
    Q_OBJECT
private slots:
    void nothingIsHighForAWholeRecording() {
        CaptureFacts facts = cleanFacts();
        facts.ranks.resize(1);
        RankFacts& rank = facts.ranks[0];
        rank.steps.resize(1);
        rank.steps[0].free = 900 * kMs;
        QCOMPARE(firstOf("free_time", facts)->severity, FindingSeverity::High);
        rank.steps[0].step.reset();
        const Finding found = *firstOf("free_time", facts);
        QCOMPARE(found.severity, FindingSeverity::Medium);
        QVERIFY(says(found, "of the recording"));
        QVERIFY(!says(found, "of a step"));
    }

    void idleTimeBlamesNoHostThatIsNotRecorded() {
        CaptureFacts facts = cleanFacts();
        for (RankFacts& rank : facts.ranks) {
            for (StepFacts& step : rank.steps) step.free = 25 * kMs;
        }
        QVERIFY(says(*firstOf("free_time", facts), "has nothing of the host"));
        for (RankFacts& rank : facts.ranks) rank.hasHostEvents = true;
        QVERIFY(says(*firstOf("free_time", facts), "what the host does"));
    }

    void aWaitBesideItsCauseIsNoClaim() {
        // Rank 3 computes 10 ms longer, and the others wait for 80 ms: nothing says how much of it is for rank 3.
        CaptureFacts facts = cleanFacts();
        facts.ranks[3].kernels["MatMul"].total += 6 * 10 * kMs;
        for (RankFacts& rank : facts.ranks) {
            for (StepFacts& step : rank.steps) step.exposed = 95 * kMs;
            if (&rank == &facts.ranks[3]) continue;  // it comes last
            WaitFacts& waits = rank.waits.emplace_back();
            waits.group = "g";
            waits.elapsed = 6 * 84 * kMs;
            waits.transit = 6 * 4 * kMs;
            waits.byStep.assign(6, 80 * kMs);
        }
        Finding found = *firstOf("collective_wait", facts);
        QVERIFY(!found.recoverable);
        QCOMPARE(found.severity, FindingSeverity::Low);
        QVERIFY(!says(found, "no other finding"));
        facts.ranks[3].kernels["MatMul"].total -= 6 * 10 * kMs;
        found = *firstOf("collective_wait", facts);
        QCOMPARE(*found.recoverable, 80 * kMs);
        QCOMPARE(found.severity, FindingSeverity::High);
    }

    void messagesOf96BytesAreNoSlowLink() {
        for (const std::int64_t bytes : {std::int64_t{96}, std::int64_t{1'048'575}, std::int64_t{1'048'576}}) {
            CaptureFacts facts = cleanFacts();
            for (RankFacts& rank : facts.ranks) {
                for (LinkFacts& link : rank.links) {
                    link.size = bytes;
                    const bool isSlow = link.source + link.target == 3 && link.source * link.target == 2;
                    link.time = isSlow ? 40 * kMs : 10 * kMs;
                }
            }
            QCOMPARE(firstOf("slow_link", facts).has_value(), bytes >= 1'048'576);
        }
    }

    void aTrifleOnTheAiCpuIsLow() {
        CaptureFacts facts = cleanFacts();
        facts.ranks[1].aiCpu["Cast"] = occurrences(12, std::vector<std::int64_t>(6, 50'000), 25'000);  // 0.05 %
        QCOMPARE(firstOf("ai_cpu", facts)->severity, FindingSeverity::Low);
        facts.ranks[1].aiCpu["Cast"] = occurrences(12, std::vector<std::int64_t>(6, 1'100'000), 550'000);
        QCOMPARE(firstOf("ai_cpu", facts)->severity, FindingSeverity::Medium);
    }

    void aRankThatAlwaysRunsSlowerThanItsPeersIsSaid() {
        CaptureFacts facts = cleanFacts();
        facts.ranks[2].highestMhz = facts.ranks[2].lowestMhz = 1350;
        // Its kernels take a third longer.
        for (auto& [name, kernel] : facts.ranks[2].kernels) kernel.total = kernel.total * 4 / 3;
        for (StepFacts& step : facts.ranks[2].steps) step.computing = 80 * kMs;
        const Finding found = *firstOf("frequency_drop", facts);
        QCOMPARE(found.rank->value, 2U);
        QCOMPARE(*found.recoverable, 20 * kMs);  // 80 ms at 1350 MHz are 60 at 1800
        QVERIFY(says(found, "at 1350 instead of 1800 MHz"));
        QVERIFY(says(found, "never ran faster"));
        QVERIFY(!firstOf("slow_rank", facts));
        // Chips of another frequency class do not compare with one rank of their own.
        facts.ranks[2].highestMhz = facts.ranks[2].lowestMhz = 1750;
        QVERIFY(!firstOf("frequency_drop", facts));
    }

    void aSlowRankNamesTheTypesThatMakeItSlow() {
        CaptureFacts facts = cleanFacts();
        for (RankFacts& rank : facts.ranks) {
            rank.kernels["MatMul"].type = "MatMulV2";
            rank.kernels["Add"].type = "Add";
        }
        facts.ranks[2].kernels["MatMul"].total += 60 * kMs;
        const Finding found = *firstOf("slow_rank", facts);
        QVERIFY(says(found, "MatMulV2 (10.0 ms)"));
        QVERIFY(!says(found, "Add ("));
    }

    void aLongerStageNamesWhatTakesLonger() {
        CaptureFacts facts = cleanFacts();
        for (std::size_t r = 0; r < 4; ++r) {
            RankFacts& rank = facts.ranks[r];
            rank.stage = r < 2 ? 0 : 1;
            rank.stages = 2;
            rank.kernels["MatMul"].type = "MatMulV2";
            rank.kernels["Add"].type = "Add";
            if (r >= 2) continue;
            for (StepFacts& step : rank.steps) step.computing = 120 * kMs;
            rank.kernels["MatMul"] = {130, 660 * kMs, "MatMulV2"};
            rank.kernelCount += 70;
        }
        const Finding found = *firstOf("unbalanced_stages", facts);
        QVERIFY(says(found, "MatMulV2 (60.0 ms)"));
    }

    void oneEventIsNoRate() {
        CaptureFacts facts = cleanFacts();
        facts.ranks[3].garbageCollections = occurrences(1, {0, 0, 0, 100 * kMs, 0, 0}, 100 * kMs);
        Finding found = *firstOf("gc_pause", facts);
        QCOMPARE(found.rank->value, 3U);
        QCOMPARE(*found.step, 13);
        QVERIFY(says(found, "in step 13 alone"));
        facts.ranks[3].garbageCollections = occurrences(2, {0, 0, 10 * kMs, 10 * kMs, 0, 0}, 10 * kMs);
        found = *firstOf("gc_pause", facts);
        QVERIFY(!found.step);
    }

    void anOutlierIsOfTheRankThatTookLonger() {
        // All ranks show the longer step: rank 1 is free in it, and the others wait for it, a little longer.
        CaptureFacts facts = cleanFacts();
        for (std::size_t r = 0; r < 4; ++r) {
            StepFacts& step = facts.ranks[r].steps[4];
            if (r == 1) step.free += 40 * kMs;
            else step.exposed += 41 * kMs;
        }
        const Finding found = *firstOf("step_outlier", facts);
        QCOMPARE(found.rank->value, 1U);
        QCOMPARE(*found.step, 14);
    }

    void otherDevicesGetNoAdviceForNpus() {
        CaptureFacts facts = cleanFacts();
        for (RankFacts& rank : facts.ranks) {
            rank.optimizerNames = {"AdamW"};
            rank.fusibleCalls["npu_swiglu"] = occurrences(60, std::vector<std::int64_t>(6, kMs), kMs);
        }
        QVERIFY(firstOf("unfused_optimizer", facts) && firstOf("affinity_api", facts));
        for (RankFacts& rank : facts.ranks) rank.isNpu = false;
        QVERIFY(!firstOf("unfused_optimizer", facts) && !firstOf("affinity_api", facts));
    }
};

ALTI_TEST(TestTrueSentences)
#include "tst_true_sentences.moc"
