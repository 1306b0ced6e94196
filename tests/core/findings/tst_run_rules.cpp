#include "core/findings/run_rules.h"

#include "core/base/text/catalogue.h"
#include "tests/core/findings/planted_facts.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <functional>
#include <limits>

using namespace altiscope;
using altiscope::test::cleanFacts;
using altiscope::test::kMs;
using altiscope::test::occurrences;

using Change = std::function<void(CaptureFacts&)>;
Q_DECLARE_METATYPE(Change)

class TestRunRules : public QObject {
    Q_OBJECT
private slots:
    void cleanFactsRaiseNothing();
    void plantedFault_data();
    void plantedFault();
    void thresholdsDecide();
    void ranksOfOneNumberAreDistinguished();
    void causesAreNotReportedTwice();
    void nothingIsLostBesideABusyDevice();
    void causesOfOneRankDoNotExplainAnother();
    void freeTimeOfOneRankIsNamedOnce();
    void activationsCannotHide();
    void exposedTimeOfTwoTypesIsSummedByStep();
    void recordingsOfOneRankAreNotComparedAsRanks();
    void aRankWithoutNumberHasAName();
    void smallPacketsHoldUpWhoReceivesThem();
    void packetsAreNotLostWhereARankIsDoneEarly();
    void contentionWinsBackWhatIsExposed();
    void fewUnalignedPacketsAndRareCallsAreNoFinding();
    void hostileSumsStayAtTheBorder();
    void cancelled();
    void manySlowLinksAreFewFindings();
    void textsAreComplete();
    void whatTransfersCostIsOnThePageCommunication();
    void evidenceShowsTheClaim();
    void jsonIsComplete();
};

void TestRunRules::cleanFactsRaiseNothing() {
    for (const Finding& finding : runRules(cleanFacts(), {})) QCOMPARE(finding.severity, FindingSeverity::Low);
    QVERIFY(runRules(CaptureFacts{}, {}).empty());
}

void TestRunRules::plantedFault_data() {
    QTest::addColumn<Change>("plant");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<qint64>("rank");         // -1: the capture
    QTest::addColumn<qint64>("recoverable");  // -1: not known
    const auto row = [](const char* name, const char* rule, qint64 rank, qint64 recoverable, Change plant) {
        QTest::addRow("%s", name) << std::move(plant) << QString::fromUtf8(rule) << rank << recoverable;
    };
    row("one rank's kernels take longer", "slow_rank", 2, 10 * kMs,
        [](CaptureFacts& f) { f.ranks[2].kernels["MatMul"].total += 60 * kMs; });
    row("without events the step times tell", "slow_rank", 3, 12 * kMs, [](CaptureFacts& f) {
        for (RankFacts& rank : f.ranks) rank.kernels.clear();
        for (StepFacts& step : f.ranks[3].steps) step.computing += 12 * kMs;
    });
    row("one link is slow", "slow_link", 1, 30 * kMs, [](CaptureFacts& f) {
        for (const std::size_t r : {1U, 2U}) {
            for (LinkFacts& link : f.ranks[r].links) {
                if (link.source + link.target == 3 && link.source * link.target == 2) link.time = 40 * kMs;
            }
        }
    });
    // 10000 packets of 64 KiB: 655.36e6 bytes take 36.409 ms at 18 bytes/ns.
    row("small packets", "small_packets", 0, 13'591'111, [](CaptureFacts& f) {
        f.ranks[0].packets.push_back({11, "HCCS", 65536, 10'000, 100 * kMs, 50e6, 65536e4, 10, {}});
    });
    row("an operator on the AI CPU", "ai_cpu", 1, 29 * kMs, [](CaptureFacts& f) {
        f.ranks[1].aiCpu["Cast"] = occurrences(6, std::vector<std::int64_t>(6, 30 * kMs), 30 * kMs);
    });
    row("half of the steps at a lower frequency", "frequency_drop", 0, 15 * kMs, [](CaptureFacts& f) {
        f.ranks[0].lowestMhz = 1350;
        f.ranks[0].frequencyLoss = occurrences(300, {0, 0, 0, 15 * kMs, 15 * kMs, 15 * kMs}, kMs);
    });
    row("garbage collection", "gc_pause", 3, 20 * kMs, [](CaptureFacts& f) {
        f.ranks[3].garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 20 * kMs), 20 * kMs);
    });
    row("a slow data loader", "data_loading", 0, 30 * kMs, [](CaptureFacts& f) {
        f.ranks[0].dataLoading = occurrences(6, std::vector<std::int64_t>(6, 30 * kMs), 30 * kMs);
    });
    // 110 launches a step, 200 us more for each; 4 us of each are usual.
    row("a host that launches slowly", "slow_launches", 1, 110 * 200'000, [](CaptureFacts& f) {
        f.ranks[1].launchGaps = occurrences(660, std::vector<std::int64_t>(6, 110 * 204'000), 210'000);
        for (StepFacts& step : f.ranks[1].steps) step.free = 25 * kMs;
    });
    row("memory that grows", "memory_leak", 2, -1, [](CaptureFacts& f) {
        for (std::size_t i = 0; i < 7; ++i)
            f.ranks[2].pools[0].allocatedAtBorders[i] += static_cast<std::int64_t>(i) * 4 * 1048576;
    });
    row("a stack that keeps a block again and again", "kept_stack", 1, -1, [](CaptureFacts& f) {
        f.ranks[1].keptStacks = {{0, "a.py(1): f", 4, 64 << 20, 16 << 20, 0.5},
                                 {0, "a.py(7): g", 6, 48 << 20, 8 << 20, 0.99}};
    });
    row("a request that fails", "out_of_memory", 3, -1, [](CaptureFacts& f) {
        f.ranks[3].outOfMemory =
            OutOfMemory{0, 9, 100 << 20, 500 << 20, 640 << 20, 3, 140 << 20, 80 << 20, "a.py(1): f", 300 << 20, true};
    });
    row("reductions that nothing hides", "exposed_communication", 1, -1, [](CaptureFacts& f) {
        f.ranks[1].collectives[0].exposed = occurrences(60, std::vector<std::int64_t>(6, 40 * kMs), kMs);
    });
    row("a device that waits for the host", "free_time", 0, 25 * kMs, [](CaptureFacts& f) {
        for (RankFacts& rank : f.ranks) {
            for (StepFacts& step : rank.steps) step.free = 25 * kMs;
        }
    });
    row("a rank that is free for longer", "free_gap", 2, 9 * kMs, [](CaptureFacts& f) {
        for (StepFacts& step : f.ranks[2].steps) {
            step.free = 14 * kMs;
            step.computing = 100 * kMs;
        }
    });
    row("one step takes longer", "step_outlier", 1, 40 * kMs,
        [](CaptureFacts& f) { f.ranks[1].steps[4].exposed += 40 * kMs; });
    row("steps are slower from the fourth on", "fail_slow", 1, 20 * kMs, [](CaptureFacts& f) {
        for (std::size_t s = 3; s < 6; ++s) f.ranks[1].steps[s].computing += 20 * kMs;
    });
    row("mostly tiny kernels", "tiny_kernels", 1, 2'500'000, [](CaptureFacts& f) {
        f.ranks[1].kernelCount = 3300;
        f.ranks[1].tinyKernels.count = 3000;
        for (StepFacts& step : f.ranks[1].steps) step.free = 12 * kMs;
    });
    row("many synchronisations", "synchronizations", 2, 5 * kMs, [](CaptureFacts& f) {
        f.ranks[2].synchronizations.count = 600;
        f.ranks[2].freeAfterSynchronization = occurrences(600, std::vector<std::int64_t>(6, 5 * kMs), kMs);
    });
    row("an optimizer that is not fused", "unfused_optimizer", 0, -1, [](CaptureFacts& f) {
        f.ranks[0].optimizerNames = {"AdamW"};
        f.ranks[0].optimizers = occurrences(6, std::vector<std::int64_t>(6, kMs), kMs);
    });
    row("kernels in half of the cores", "idle_cores", 1, 4 * kMs, [](CaptureFacts& f) {
        f.ranks[1].idleCores.saved = occurrences(60, std::vector<std::int64_t>(6, 4 * kMs), kMs);
    });
    row("matrix kernels that wait", "cube_efficiency", 2, 4 * kMs, [](CaptureFacts& f) {
        f.ranks[2].idleCube.saved = occurrences(60, std::vector<std::int64_t>(6, 4 * kMs), kMs);
    });
    row("vector kernels that wait", "vector_efficiency", 3, 4 * kMs, [](CaptureFacts& f) {
        f.ranks[3].idleVector.saved = occurrences(60, std::vector<std::int64_t>(6, 4 * kMs), kMs);
    });
    row("a sequence that could be one kernel", "fusible_sequence", 0, 3 * kMs, [](CaptureFacts& f) {
        f.ranks[0].sequences.push_back({{"Mul", "Ad'd"}, occurrences(60, std::vector<std::int64_t>(6, 3 * kMs), kMs)});
    });
    // 8 MB take 5 ms at the 1.6777216 bytes/ns that aligned packets reach.
    row("unaligned packets", "unaligned_packets", 0, 15 * kMs, [](CaptureFacts& f) {
        f.ranks[0].packets.push_back({11, "HCCS", 1'300'000, 10, 20 * kMs, 20e6, 8'388'608, 10, {}});
    });
    // 2 GB take 100 ms at 20 bytes/ns.
    row("packets that the network lost", "lost_packets", 0, 4'400 * kMs, [](CaptureFacts& f) {
        for (RankFacts& rank : f.ranks) {
            for (StepFacts& step : rank.steps) step.exposed = 6'000 * kMs;
            WaitFacts& waits = rank.waits.emplace_back();
            waits.group = "g";
            rank.longCollectives.push_back({11, "g", "hcom_allReduce", 5'000 * kMs, 0, 0});
        }
        f.ranks[0].longCollectives[0].networkTime = 4'500 * kMs;
        f.ranks[0].longCollectives[0].networkBytes = 2'000'000'000;
    });
    row("transfers beside multiplications", "contention", 1, 5 * kMs, [](CaptureFacts& f) {
        ContentionFacts& facts = f.ranks[1].contention.emplace_back();
        facts = {"allreduce", 6, 6, 600 * kMs, 60 * kMs, 600 * kMs, 30 * kMs, {}};
        facts.byStep.assign(6, {100 * kMs, 10 * kMs, 8 * kMs});
    });
    row("operators that could be fused", "affinity_api", 1, -1, [](CaptureFacts& f) {
        f.ranks[1].fusibleCalls["npu_swiglu"] = occurrences(24, std::vector<std::int64_t>(6, kMs), kMs);
    });
    row("new shapes in every step", "dynamic_shapes", 3, -1, [](CaptureFacts& f) {
        f.ranks[3].shapes = {{100, 100}, {100, 60}, {100, 55}, {100, 50}, {100, 70}, {100, 50}};
    });
    row("data that is missing", "missing_data", -1, -1, [](CaptureFacts& f) {
        f.ranks[0].missing = {{"memory", "profile_memory"}};
    });
}

void TestRunRules::plantedFault() {
    QFETCH(Change, plant);
    QFETCH(QString, rule);
    QFETCH(qint64, rank);
    QFETCH(qint64, recoverable);
    const auto isRule = [&](const Finding& finding) { return finding.rule == rule.toStdString(); };
    CaptureFacts facts = cleanFacts();
    for (const Finding& finding : runRules(facts, {})) QVERIFY(!isRule(finding));
    plant(facts);
    const std::vector<Finding> findings = runRules(facts, {});
    QCOMPARE(std::count_if(findings.begin(), findings.end(), isRule), 1);
    const Finding& found = *std::find_if(findings.begin(), findings.end(), isRule);
    QCOMPARE(found.rank ? qint64{found.rank->value} : -1, rank);
    QCOMPARE(qint64{found.recoverable.value_or(-1)}, recoverable);
    for (const Finding& other : findings) QVERIFY(other.severity >= findings.front().severity);
}

/// The sentences of two recordings of one rank were the same.
void TestRunRules::ranksOfOneNumberAreDistinguished() {
    CaptureFacts facts = cleanFacts();
    facts.ranks[3].place = "run_2/node";
    facts.ranks[3].garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 4 * kMs), 4 * kMs);
    const Finding found = runRules(facts, {}).front();
    QCOMPARE(found.rankId, std::optional<std::int64_t>(3));
    const std::string detail = findingDetail(found, "en");
    QVERIFY2(detail.find("rank 3 · run_2/node ") != std::string::npos, detail.c_str());
    facts.ranks[3].place.clear();
    QVERIFY(findingDetail(runRules(facts, {}).front(), "en").find("rank 3 the") != std::string::npos);
}

void TestRunRules::thresholdsDecide() {
    CaptureFacts facts = cleanFacts();
    facts.ranks[3].garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 4 * kMs), 4 * kMs);
    QCOMPARE(runRules(facts, {}).front().rule, std::string("gc_pause"));
    QCOMPARE(runRules(facts, {}).front().severity, FindingSeverity::Medium);
    FindingThresholds thresholds;
    thresholds.highShare = 0.039;
    QCOMPARE(runRules(facts, {}, thresholds).front().severity, FindingSeverity::High);
    thresholds.gcPauseNs = 5e6;
    for (const Finding& finding : runRules(facts, {}, thresholds)) QVERIFY(finding.rule != "gc_pause");
    // Every one can be looked at and changed by its name.
    QCOMPARE(thresholdInfos().size() * sizeof(double), sizeof(FindingThresholds));
}

void TestRunRules::causesAreNotReportedTwice() {
    // All free time comes from the pauses.
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks) {
        rank.garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 20 * kMs), 20 * kMs);
        for (StepFacts& step : rank.steps) step.free = 19 * kMs;
    }
    const std::vector<Finding> findings = runRules(facts, {});
    QCOMPARE(findings.front().rule, std::string("gc_pause"));
    QCOMPARE(std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.rule == "gc_pause"; }), 1);
    for (const Finding& finding : findings) QVERIFY(finding.rule != "free_time" && finding.rule != "free_gap");
}

void TestRunRules::nothingIsLostBesideABusyDevice() {
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks) {
        for (StepFacts& step : rank.steps) {
            step.free = 0;
            step.exposed = 2 * kMs;
        }
        rank.dataLoading = rank.garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 60 * kMs), 60 * kMs);
        // Groups side by side: together they are exposed for no longer than the device communicates alone.
        rank.collectives[0].exposed = occurrences(60, std::vector<std::int64_t>(6, 80 * kMs), kMs);
    }
    for (const Finding& finding : runRules(facts, {}))
        QVERIFY2(finding.recoverable.value_or(0) <= 2 * kMs, finding.rule.c_str());
}

void TestRunRules::causesOfOneRankDoNotExplainAnother() {
    // Rank 3 pauses for 20 ms; rank 1 waits for its host for 25 ms, and does not pause at all.
    CaptureFacts facts = cleanFacts();
    facts.ranks[3].garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 20 * kMs), 20 * kMs);
    for (const std::size_t r : {1U, 3U}) {
        for (StepFacts& step : facts.ranks[r].steps) step.free = 25 * kMs;
    }
    const auto findings = runRules(facts, {});
    const auto gap =
        std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return f.rule == "free_gap"; });
    QVERIFY(gap != findings.end());
    QCOMPARE(gap->rank->value, 1U);
    QCOMPARE(*gap->recoverable, 20 * kMs);  // above the median of its peers: 5, 5 and 25
}

void TestRunRules::freeTimeOfOneRankIsNamedOnce() {
    // Only rank 2 is free for long: all that is above the others is the gap, and no free time besides.
    CaptureFacts facts = cleanFacts();
    for (StepFacts& step : facts.ranks[2].steps) step.free = 45 * kMs;
    std::int64_t named = 0;
    for (const Finding& finding : runRules(facts, {})) {
        if (finding.rule == "free_gap" || finding.rule == "free_time") named += *finding.recoverable;
    }
    QCOMPARE(named, 40 * kMs);
}

void TestRunRules::activationsCannotHide() {
    CaptureFacts facts = cleanFacts();
    CollectiveFacts& collectives = facts.ranks[1].collectives[0];
    collectives.parallelType.clear();
    collectives.exposed = occurrences(60, std::vector<std::int64_t>(6, 40 * kMs), kMs);
    const auto rankOf = [&] {
        for (const Finding& finding : runRules(facts, {})) {
            if (finding.rule == "exposed_communication") return finding.rank.value_or(RankIndex{9}).value;
        }
        return 9U;
    };
    QCOMPARE(rankOf(), 1U);
    collectives.isOfActivations = true;
    QCOMPARE(rankOf(), 9U);
}

void TestRunRules::exposedTimeOfTwoTypesIsSummedByStep() {
    // 30 ms of one type in three of the steps, 30 ms of another in the others: a step loses 30 ms, not 60.
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks) {
        rank.collectives[0].exposed = occurrences(3, {30 * kMs, 30 * kMs, 30 * kMs, 0, 0, 0}, kMs);
        rank.collectives[0].all = rank.collectives[0].exposed;
        rank.collectives.push_back({"edp", false, occurrences(3, {0, 0, 0, 30 * kMs, 30 * kMs, 30 * kMs}, kMs),
                                    occurrences(3, {0, 0, 0, 30 * kMs, 30 * kMs, 30 * kMs}, kMs)});
    }
    const auto findings = runRules(facts, {});
    const auto exposed = std::find_if(findings.begin(), findings.end(),
                                      [](const Finding& f) { return f.rule == "exposed_communication"; });
    QVERIFY(exposed != findings.end());
    QVERIFY(findingDetail(*exposed, "en").find("30.0 ms of 30.0 ms") != std::string::npos);
}

void TestRunRules::recordingsOfOneRankAreNotComparedAsRanks() {
    // The second recording of rank 0 was made with other kernels: nobody is slow.
    CaptureFacts facts = cleanFacts();
    facts.ranks.resize(2);
    facts.ranks[1].rankId = 0;
    facts.ranks[1].recording = 1;
    facts.ranks[1].kernels["MatMul"].total *= 3;
    for (StepFacts& step : facts.ranks[1].steps) {
        step.computing = 80 * kMs;
        step.free = 14 * kMs;
    }
    for (const Finding& finding : runRules(facts, {}))
        QVERIFY2(finding.rule != "slow_rank" && finding.rule != "free_gap", finding.rule.c_str());
    facts.ranks[1].rankId = 1;
    facts.ranks[1].recording = 0;
    const auto findings = runRules(facts, {});
    QVERIFY(std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.rule == "slow_rank"; }));
}

void TestRunRules::aRankWithoutNumberHasAName() {
    for (const auto& [path, name] : {std::pair(".", "N/A"), {"", "N/A"}, {"host_ascend_pt", "host_ascend_pt"}}) {
        CaptureFacts facts = cleanFacts();
        facts.ranks[3].rankId.reset();
        facts.ranks[3].path = path;
        facts.ranks[3].garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 20 * kMs), 20 * kMs);
        const Finding finding = runRules(facts, {}).front();
        QVERIFY2(findingDetail(finding, "en").find(name) != std::string::npos, findingDetail(finding, "en").c_str());
    }
}

void TestRunRules::smallPacketsHoldUpWhoReceivesThem() {
    // Rank 0 sends 10 ms of small packets to rank 2, which sends 15 ms of its own elsewhere: it loses both.
    CaptureFacts facts = cleanFacts();
    facts.ranks[0].packets.push_back({10, "RDMA", 1, 100, 10 * kMs, 10e6, 0, 1, "pp"});
    facts.ranks[2].packets.push_back({10, "RDMA", 1, 100, 15 * kMs, 15e6, 0, 1, "other"});
    facts.ranks[2].receivesIn = {"pp"};
    const auto lossOf = [&](std::uint32_t rank) {
        for (const Finding& finding : runRules(facts, {})) {
            if (finding.rule == "small_packets" && finding.rank == RankIndex{rank}) return *finding.recoverable;
        }
        return std::int64_t{0};
    };
    QCOMPARE(lossOf(2), 25 * kMs);
    // Of several senders in a group nobody knows whose packets they are.
    facts.ranks[1].packets.push_back({10, "RDMA", 1, 100, 10 * kMs, 10e6, 0, 1, "pp"});
    QCOMPARE(lossOf(2), 15 * kMs);
}

void TestRunRules::packetsAreNotLostWhereARankIsDoneEarly() {
    // All others wait for it: it came late, and the network did what it should.
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks) {
        rank.steps[1].exposed = 6'000 * kMs;
        WaitFacts& waits = rank.waits.emplace_back();
        waits.group = "g";
        rank.longCollectives.push_back({11, "g", "hcom_allReduce", 5'000 * kMs, 4'500 * kMs, 1'000'000});
    }
    const auto isFound = [&] {
        const auto findings = runRules(facts, {});
        return std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.rule == "lost_packets"; });
    };
    QVERIFY(isFound());
    facts.ranks[3].longCollectives.clear();
    QVERIFY(!isFound());
    // It is in another group.
    facts.ranks[3].waits[0].group = "h";
    QVERIFY(isFound());
    // Nothing but waiting.
    for (RankFacts& rank : facts.ranks) {
        for (LongCollective& one : rank.longCollectives) one.networkTime = 3'999 * kMs;
    }
    QVERIFY(!isFound());
}

void TestRunRules::contentionWinsBackWhatIsExposed() {
    CaptureFacts facts = cleanFacts();
    ContentionFacts& contention = facts.ranks[1].contention.emplace_back();
    contention = {"allreduce", 6, 6, 600 * kMs, 60 * kMs, 600 * kMs, 30 * kMs, {}};
    contention.byStep.assign(6, {100 * kMs, 10 * kMs, 2 * kMs});
    const auto recoverable = [&] {
        for (const Finding& finding : runRules(facts, {})) {
            if (finding.rule == "contention") return *finding.recoverable;
        }
        return std::int64_t{-1};
    };
    QCOMPARE(recoverable(), 2 * kMs);
    for (ContentionFacts::InStep& step : contention.byStep) step.exposed = 0;
    QCOMPARE(recoverable(), std::int64_t{-1});
    // Of two others nobody knows what is usual.
    for (ContentionFacts::InStep& step : contention.byStep) step.exposed = 2 * kMs;
    contention.alone = 2;
    QCOMPARE(recoverable(), std::int64_t{-1});
}

void TestRunRules::fewUnalignedPacketsAndRareCallsAreNoFinding() {
    CaptureFacts facts = cleanFacts();
    facts.ranks[0].packets.push_back({11, "HCCS", 1'300'000, 1, 2 * kMs, 2e6, 1'300'000, 10, {}});
    facts.ranks[0].packets.push_back({11, "RDMA", 1'300'000, 10, 90 * kMs, 90e6, 13'000'000, 10, {}});
    facts.ranks[0].packets.push_back({11, "HCCS", 512, 10, 5 * kMs, 5e6, 5120, 10, {}});
    facts.ranks[1].fusibleCalls["npu_swiglu"] = occurrences(5, {kMs, 0, 0, 0, 0, 0}, kMs);
    // A step without new shapes: they settle.
    facts.ranks[3].shapes = {{100, 100}, {100, 60}, {100, 55}, {100, 0}, {100, 70}, {100, 50}};
    for (const Finding& finding : runRules(facts, {}))
        QVERIFY2(finding.rule != "unaligned_packets" && finding.rule != "affinity_api" &&
                     finding.rule != "dynamic_shapes",
                 finding.rule.c_str());
}

void TestRunRules::hostileSumsStayAtTheBorder() {
    constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks) {
        for (StepFacts& step : rank.steps) step.computing = step.exposed = step.free = step.communication = kHuge;
        rank.garbageCollections = rank.launchGaps = occurrences(3, {kHuge, kHuge}, kMaxTimeNs);
        rank.launchGaps.total = kHuge;
        rank.aiCpu["Cast"] = rank.aiCpu["Add"] = occurrences(3, {kHuge, kHuge}, kMaxTimeNs);
        rank.kernels["MatMul"] = {1, kHuge};
        rank.packets.push_back({11, "HCCS", 1, kHuge, kHuge, 1e19, 1e19, 10, {}});
        rank.packets.push_back({11, "HCCS", 2, kHuge, kHuge, 1e19, 1e19, 10, {}});
        rank.links.push_back({10, 0, 1, "HCCS", kHuge, kHuge});
        rank.longCollectives.push_back({11, "g", "x", kHuge, kHuge, kHuge});
        rank.idleCores.saved = rank.idleVector.saved = occurrences(3, {kHuge, kHuge}, kMaxTimeNs);
        rank.idleCores.time = kHuge;
        rank.sequences.push_back({{"Mul", "Add"}, occurrences(9, {kHuge, kHuge}, kMaxTimeNs), kHuge});
        ContentionFacts& contention = rank.contention.emplace_back();
        contention = {"allreduce", 6, 6, kHuge, kHuge, 1, kHuge, {}};
        contention.byStep.assign(6, {kHuge, kHuge, kHuge});
        for (CollectiveFacts& collectives : rank.collectives)
            collectives.exposed = collectives.all = occurrences(3, {kHuge, kHuge}, kMaxTimeNs);
    }
    QVERIFY(!runRules(facts, {}).empty());  // under the sanitizers
}

void TestRunRules::cancelled() {
    const CancelToken token;
    token.requestCancel();
    CaptureFacts facts = cleanFacts();
    facts.ranks[3].garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 20 * kMs), 20 * kMs);
    QVERIFY(runRules(facts, {}, {}, token).empty());
}

void TestRunRules::manySlowLinksAreFewFindings() {
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks) {
        rank.links.clear();
        for (std::int64_t target = 100; target < 200; ++target)
            rank.links.push_back({11, *rank.rankId, target, "HCCS", 18'000'000, (target % 5 == 0 ? 4 : 1) * kMs});
        // Too little for a bandwidth.
        rank.links.push_back({11, *rank.rankId, 200, "HCCS", 1000, 10'000});
    }
    const auto findings = runRules(facts, {});
    QCOMPARE(std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.rule == "slow_link"; }),
             10);
    for (const Finding& finding : findings) QVERIFY(finding.rule != "slow_link" || *finding.recoverable == 3 * kMs);
}

void TestRunRules::textsAreComplete() {
    CaptureFacts facts = cleanFacts();
    for (RankFacts& rank : facts.ranks)
        rank.garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 20 * kMs), 20 * kMs);
    facts.ranks[0].missing = {{"memory", "profile_memory"}};
    for (const Finding& finding : runRules(facts, {})) {
        for (const char* language : {"en", "zh_CN"}) {
            const std::string text = findingTitle(finding, language) + findingDetail(finding, language);
            QVERIFY2(text.find('{') == std::string::npos, text.c_str());
            QVERIFY2(language[0] == 'e' || text.find(" %") == std::string::npos, text.c_str());
            QVERIFY(text.size() > 20);
        }
        QVERIFY(findingTitle(finding, "en") != findingTitle(finding, "zh_CN"));
    }
    for (const RuleInfo& rule : findingRules()) {
        Finding finding;
        finding.rule = rule.rule;
        for (const char* language : {"en", "zh_CN"}) {
            // A code that the catalogue does not know stays as it is.
            QVERIFY(!ruleName(rule.rule, language).starts_with("finding."));
            QVERIFY(ruleFormula(rule.rule, language).find(' ') != std::string::npos || language[0] == 'z');
            QVERIFY(!ruleFormula(rule.rule, language).starts_with("finding."));
            QVERIFY(!findingTitle(finding, language).starts_with("finding."));
            QVERIFY(!findingDetail(finding, language).starts_with("finding."));
        }
    }
    for (const ThresholdInfo& threshold : thresholdInfos()) {
        QVERIFY2(catalogueText(threshold.meaning(), "en") != threshold.meaning(), threshold.name.data());
        QVERIFY(catalogueText(threshold.meaning(), "en") != catalogueText(threshold.meaning(), "zh_CN"));
    }
}

void TestRunRules::whatTransfersCostIsOnThePageCommunication() {
    for (const char* rule : {"slow_link", "small_packets", "unaligned_packets", "lost_packets", "contention",
                             "collective_wait", "exposed_communication", "pipeline_bubble", "slow_rank"})
        QVERIFY2(topicOf(rule) == RuleTopic::Communication, rule);
    for (const char* rule : {"gc_pause", "ai_cpu", "memory_leak", "of no rule"})
        QVERIFY2(topicOf(rule) == RuleTopic::Other, rule);
}

/// What views show beside it: the ranks that it was compared with, the gaps that it is about.
void TestRunRules::evidenceShowsTheClaim() {
    CaptureFacts slow = cleanFacts();
    slow.ranks[2].kernels["MatMul"].total += 60 * kMs;
    slow.ranks[0].stage = 1;  // it does other work
    const std::vector<Finding> all = runRules(slow, {});
    const auto rank =
        std::find_if(all.begin(), all.end(), [](const Finding& finding) { return finding.rule == "slow_rank"; });
    QVERIFY(rank != all.end());
    QCOMPARE(rank->evidence.peers, (std::vector<RankIndex>{{1}, {3}}));
    CaptureFacts host = cleanFacts();
    host.ranks[1].launchGaps = occurrences(660, std::vector<std::int64_t>(6, 110 * 204'000), 210'000);
    host.ranks[1].longestLaunchGaps = {{{100}, {300}}, {{700}, {800}}};
    for (StepFacts& step : host.ranks[1].steps) step.free = 25 * kMs;
    const std::vector<Finding> found = runRules(host, {});
    const auto launches = std::find_if(found.begin(), found.end(),
                                       [](const Finding& finding) { return finding.rule == "slow_launches"; });
    QVERIFY(launches != found.end());
    QCOMPARE(launches->evidence.ranges.size(), std::size_t{2});
    QVERIFY(launches->evidence.ranges[1].isGap);
    QCOMPARE(launches->evidence.ranges[1].rank.value, 1U);
    QCOMPARE(launches->evidence.ranges[1].range, (TimeRange{{700}, {800}}));
}

void TestRunRules::jsonIsComplete() {
    CaptureFacts facts = cleanFacts();
    facts.ranks[3].garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 20 * kMs), 20 * kMs);
    const Finding finding = runRules(facts, {}).front();
    QCOMPARE(findingEvidenceJson(finding), std::string(R"({"slices":[7],"ranges":[],"rows":[]})"));
    QCOMPARE(findingThresholdsJson(finding),
             std::string(R"({"high_share":0.05,"medium_share":0.03,"gc_pause":1000000.0})"));
    QVERIFY(findingParametersJson(finding).starts_with(
        R"({"rank":"3","recoverable":"20.0 ms","share":"20.0 %","count":"6")"));
}

ALTI_TEST(TestRunRules)
#include "tst_run_rules.moc"
