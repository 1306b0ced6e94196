#include "core/analysis/support/account_facts.h"
#include "tests/core/findings/planted_facts.h"
#include "tests/support/test_main.h"

#include <QRegularExpression>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
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

    void aRecordingWithoutStepsIsCalledNoStep() {
        // These are found by comparing steps: without steps there are none of them.
        const std::set<std::string_view> ofSteps = {"dynamic_shapes", "fail_slow", "memory_leak", "memory_spike",
                                                    "step_outlier"};
        for (const RuleInfo& rule : findingRules()) {
            Finding finding;
            finding.rule = rule.rule;
            finding.isOfRecording = true;
            finding.notes = {"finding.note.aligned_known", "finding.note.last_of_step", "finding.note.slower_types",
                             "finding.note.stage_difference"};
            // Not in the names of parameters.
            const QRegularExpression step(QStringLiteral("(?<![{])\\bsteps?\\b(?![}])"));
            const QString text = QString::fromStdString(findingDetail(finding, "en"));
            const bool isOfSteps = text.contains(step);
            QVERIFY2(isOfSteps == ofSteps.contains(rule.rule), qPrintable(text));
        }
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

    void theLongestGapsOfFreeTimeAreNamedWhateverTheirCause() {
        CaptureFacts facts = cleanFacts();
        facts.ranks.resize(1);
        RankFacts& rank = facts.ranks[0];
        rank.hasHostEvents = true;
        for (StepFacts& step : rank.steps) step.free = 25 * kMs;  // from 0 to 600 ms
        auto account = std::make_shared<AccountFacts>();
        StepAccount& step = account->ranks.emplace_back().steps.emplace_back();
        const auto add = [&step](std::int64_t begin, std::int64_t end, Cause cause, std::string name) {
            GapFacts gap;
            gap.range = {{begin * kMs}, {end * kMs}};
            gap.cause = cause;
            gap.name = std::move(name);
            step.gaps[static_cast<std::size_t>(cause)] += (end - begin) * kMs;
            step.longestGaps.push_back(std::move(gap));
        };
        add(-20, 0, Cause::Host, "before the first kernel");
        add(600, 620, Cause::Host, "after the last kernel");
        add(10, 19, Cause::Unknown, "");
        add(30, 38, Cause::Turnaround, "");
        add(50, 57, Cause::Host, "aten::mm");
        add(70, 76, Cause::Host, "shorter than three others");
        facts.account = account;
        const Finding found = *firstOf("free_time", facts);
        QVERIFY(says(found, "what the host did in them: aten::mm (7.0 ms)."));
        QVERIFY(says(found, "device's own time between a launch and its task: 8.0 ms."));
        QVERIFY(says(found, "no cause that is recorded: 9.0 ms."));
        for (const char* words : {"first kernel", "last kernel", "shorter"}) QVERIFY(!says(found, words));
        QCOMPARE(found.evidence.ranges.front().range, (TimeRange{{10 * kMs}, {19 * kMs}}));
    }

    void workOfOtherTracksIsNotWonFromFreeTime() {
        // Six steps are free for 40 ms each, 30 of which another track works.
        CaptureFacts facts = cleanFacts();
        facts.ranks.resize(1);
        for (StepFacts& step : facts.ranks[0].steps) step.free = 40 * kMs;
        auto account = std::make_shared<AccountFacts>();
        RankAccount& rank = account->ranks.emplace_back();
        for (std::int64_t s = 0; s < 6; ++s) {
            GapFacts gap;
            gap.range = {{(s * 100 + 60) * kMs}, {(s * 100 + 90) * kMs}};
            gap.name = "stream_540_parallel_0";
            rank.steps.emplace_back().longestGaps.push_back(gap);
        }
        facts.account = account;
        const Finding found = *firstOf("free_time", facts);
        QCOMPARE(*found.recoverable, 10 * kMs);
        QVERIFY(says(found, "stream_540_parallel_0 (30.0 ms)"));
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

    void batchedSendsAndReceivesAreTheBubble() {
        // Two stages. Step tables call 40 of 100 ms communication; 18 of them wait for the other stage. 10 ms are free.
        CaptureFacts facts = cleanFacts();
        for (std::size_t r = 0; r < 4; ++r) {
            RankFacts& rank = facts.ranks[r];
            rank.stage = r < 2 ? 0 : 1;
            rank.stages = 2;
            rank.collectives.clear();
            for (StepFacts& step : rank.steps) {
                step.computing = 45 * kMs, step.exposed = 45 * kMs, step.free = 10 * kMs;
                step.batched = 40 * kMs, step.batchedWait = 18 * kMs;
            }
        }
        const std::vector<Finding> all = runRules(facts, {});
        QCOMPARE(all.front().rule, std::string("pipeline_bubble"));
        QCOMPARE(*all.front().recoverable, 40 * kMs);
        QVERIFY(says(all.front(), "waits 40.0 ms of a step of 100.0 ms"));
        QVERIFY(says(all.front(), "18.0 ms is recorded as waiting"));
    }

    void aWaitInOneOfTwoStepsIsNoRate() {
        CaptureFacts facts = cleanFacts();
        facts.ranks.resize(1);
        RankFacts& rank = facts.ranks[0];
        rank.steps.resize(2);
        for (StepFacts& step : rank.steps) step.exposed = 60 * kMs;
        WaitFacts& waits = rank.waits.emplace_back();
        waits.elapsed = 50 * kMs;
        waits.transit = 10 * kMs;
        waits.byStep = {38 * kMs, 2 * kMs};
        Finding found = *firstOf("collective_wait", facts);
        QCOMPARE(*found.step, 10);
        QCOMPARE(*found.recoverable, 38 * kMs);
        QCOMPARE(found.severity, FindingSeverity::Medium);  // a fifth of both steps, once
        QVERIFY(says(found, "Its groups are not recorded"));
        QVERIFY(!says(found, "N/A"));
        rank.waits[0].byStep = {20 * kMs, 20 * kMs};
        found = *firstOf("collective_wait", facts);
        QVERIFY(!found.step);
        QCOMPARE(found.severity, FindingSeverity::High);
    }

    void oneRankOfTwoIsNotAllOfThem() {
        CaptureFacts facts = cleanFacts();
        facts.ranks.resize(1);
        RankFacts& rank = facts.ranks[0];
        for (StepFacts& step : rank.steps) step.exposed = 60 * kMs;
        WaitFacts& waits = rank.waits.emplace_back();
        waits.group = "g";
        waits.elapsed = 6 * 50 * kMs;
        waits.transit = 6 * 10 * kMs;
        waits.byStep.assign(6, 40 * kMs);
        waits.members = 2;
        QVERIFY(says(*firstOf("collective_wait", facts), "this one alone is here, and it waits: the other one"));
        rank.waits[0].absent = {7};
        QVERIFY(says(*firstOf("collective_wait", facts), "this one alone is here, and it waits: rank 7"));
    }

    void aCutTimelineIsSaidBeforeWhatIsLow() {
        CaptureFacts facts = cleanFacts();
        facts.ranks[2].isCut = true;
        const std::vector<Finding> all = runRules(facts, {});
        QCOMPARE(all.front().rule, std::string("cut_timeline"));
        QCOMPARE(all.front().rank->value, 2U);
    }

    void threeSamplesAreNoPeakOfTheMemory() {
        CaptureFacts facts = cleanFacts();
        std::vector<MemoryUsage> usage(4);
        PoolUse& pool = usage[1].pools.emplace_back();
        pool.highestReserved = std::int64_t{8} << 30;
        pool.highestAllocated = std::int64_t{4} << 30;
        pool.span = 7 * kMs;  // of a step of 100
        const auto isFound = [&] {
            const std::vector<Finding> found = runRules(facts, usage);
            return std::any_of(found.begin(), found.end(), [](const Finding& f) { return f.rule == "fragmentation"; });
        };
        QVERIFY(!isFound());
        pool.span = 600 * kMs;
        QVERIFY(isFound());
    }

    void fewTinyKernelsAreNoFinding() {
        // 14 kernels of 5 us are 0.1 % of a step that is free for a quarter.
        CaptureFacts facts = cleanFacts();
        RankFacts& rank = facts.ranks[1];
        for (StepFacts& step : rank.steps) step.free = 25 * kMs;
        rank.kernelCount = 6 * 20;
        rank.tinyKernels = occurrences(6 * 14, std::vector<std::int64_t>(6, 14 * 2'000), 3'000);
        QVERIFY(!firstOf("tiny_kernels", facts));
        rank.kernelCount = 6 * 2000;
        rank.tinyKernels = occurrences(6 * 1400, std::vector<std::int64_t>(6, 1400 * 2'000), 3'000);
        QVERIFY(firstOf("tiny_kernels", facts));
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

    void anOutlierSaysWhichPartOfItsStepGrew() {
        // 40 ms more: 30 of waiting, 9 of idle time, of which 8 are a collection of garbage with a finding of its own.
        CaptureFacts facts = cleanFacts();
        facts.ranks[1].steps[4].exposed += 40 * kMs;
        Finding found = *firstOf("step_outlier", facts);
        QVERIFY2(says(found, "Its exposed communication took 40.0 ms more than in the median step."),
                 findingDetail(found, "en").c_str());
        auto account = std::make_shared<AccountFacts>();
        account->ranks.resize(facts.ranks.size());
        for (const StepFacts& step : facts.ranks[1].steps) {
            StepAccount& one = account->ranks[1].steps.emplace_back();
            one.step = step.step;
            one.range = step.range;
            one.computing = 80 * kMs;
            one.gaps[static_cast<std::size_t>(Cause::Host)] = 5 * kMs;
        }
        StepAccount& longer = account->ranks[1].steps[4];
        longer.wait = 30 * kMs;
        longer.gaps[static_cast<std::size_t>(Cause::Gc)] = 8 * kMs;
        longer.gaps[static_cast<std::size_t>(Cause::Host)] += kMs;
        facts.account = account;
        found = *firstOf("step_outlier", facts);
        QVERIFY2(says(found, "It waited for other ranks in collectives for 30.0 ms more"),
                 findingDetail(found, "en").c_str());
        QVERIFY(!says(found, "idle") && !says(found, "exposed communication took"));
        // Idle time names its longest gap.
        account = std::make_shared<AccountFacts>(*account);
        StepAccount& idle = account->ranks[1].steps[4];
        idle.wait = 0;
        idle.gaps[static_cast<std::size_t>(Cause::Host)] += 30 * kMs;
        GapFacts& gap = idle.longestGaps.emplace_back();
        gap.range = {{1000}, {1000 + 20 * kMs}};
        gap.cause = Cause::Host;
        gap.name = "aten::nonzero";
        facts.account = account;
        found = *firstOf("step_outlier", facts);
        QVERIFY2(says(found, "idle for 31.0 ms more") &&
                     says(found, "One gap in the step is 20.0 ms long, beside aten::nonzero on the host"),
                 findingDetail(found, "en").c_str());
        QVERIFY(found.evidence.ranges.back().range == gap.range);
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
