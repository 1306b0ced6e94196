#include "core/findings/run_rules.h"
#include "tests/core/findings/planted_facts.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>

using namespace altiscope;
using altiscope::test::cleanFacts;

namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;
using Plant = std::function<void(std::vector<MemoryUsage>&)>;

std::optional<Finding> foundBy(const char* rule, const Plant& plant, const MemoryLimits& limits = {},
                               const CaptureFacts& facts = cleanFacts()) {
    std::vector<MemoryUsage> usage(facts.ranks.size());
    plant(usage);
    for (Finding& finding : runRules(facts, usage, {}, {}, limits)) {
        if (finding.rule == rule) return std::move(finding);
    }
    return std::nullopt;
}

std::string parameterOf(const Finding& finding, std::string_view name) {
    const auto found = std::find_if(finding.parameters.begin(), finding.parameters.end(),
                                    [name](const auto& one) { return one.first == name; });
    return found == finding.parameters.end() ? std::string("-") : std::string(found->second);
}

void plantHoles(std::vector<MemoryUsage>& usage) {
    PoolUse& pool = usage[1].pools.emplace_back();
    pool.highestReserved = 10 * kGiB;
    pool.highestAllocated = 6 * kGiB;
    pool.span = 600'000'000;  // of six steps of 100 ms
}

void plantSpike(std::vector<MemoryUsage>& usage) {
    PoolUse& pool = usage[3].pools.emplace_back();
    pool.highestInSteps.assign(6, 2 * kGiB);
    pool.highestInSteps[2] = 3 * kGiB;
    pool.atEnds.assign(6, kGiB);
    pool.atBegin = kGiB;
    pool.atHighest = {{"aten::cat", kGiB}};
}

void plantCut(std::vector<MemoryUsage>& usage) {
    usage[0].snapshots = {{0, 500, 20, 300 << 20, 1000 << 20, 0, 0, 0}};
    // Nothing was recorded at all: that is no cut.
    usage[1].snapshots = {{0, 0, 900, 900 << 20, 900 << 20, 0, 0, 0}};
}

}  // namespace

/// Rules about the use of memory, on both sides of each of their limits.
class TestMemoryRules : public QObject {
    Q_OBJECT
private slots:
    void twoStepsAreNoLeak() {
        CaptureFacts facts = cleanFacts();
        for (RankFacts& rank : facts.ranks) rank.pools[0].allocatedAtBorders = {1000 << 20, 1004 << 20, 1007 << 20};
        for (const Finding& finding : runRules(facts, {})) QVERIFY(finding.rule != "memory_leak");
    }

    void aLeakIsFoundInTwoSteps() {
        CaptureFacts facts = cleanFacts();
        facts.ranks[2].pools[0].allocatedAtBorders = {1000 << 20, 1008 << 20, 1016 << 20};
        facts.ranks[2].pools[0].keptAllocations = {8 << 20};
        const auto findings = runRules(facts, {});
        const auto leak =
            std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return f.rule == "memory_leak"; });
        QVERIFY(leak != findings.end());
        QCOMPARE(leak->rank->value, 2U);
        // Grown, but not by what was allocated in the step: a cache that filled.
        facts.ranks[2].pools[0].keptAllocations = {1 << 20};
        for (const Finding& finding : runRules(facts, {})) QVERIFY(finding.rule != "memory_leak");
    }

    void aLeakIsFoundBesideADip() {
        const auto leakOf = [](std::vector<std::int64_t> borders, std::vector<std::int64_t> lowest,
                               std::vector<std::int64_t> fromBegins = {}) {
            CaptureFacts facts = cleanFacts();
            facts.ranks[2].pools[0].allocatedAtBorders = std::move(borders);
            facts.ranks[2].pools[0].lowestInSteps = std::move(lowest);
            facts.ranks[2].pools[0].lowestFromBegins = std::move(fromBegins);
            for (const Finding& finding : runRules(facts, {})) {
                if (finding.rule != "memory_leak") continue;
                for (const auto& [name, value] : finding.parameters) {
                    if (name == "growth_bytes") return value;
                }
            }
            return std::string();
        };
        constexpr std::int64_t kMiB = 1 << 20, kDip = 32'000;
        // One sample is 32 kB below the one before, where two borders are alike.
        QCOMPARE(leakOf({100 * kMiB, 100 * kMiB - kDip, 164 * kMiB, 228 * kMiB, 292 * kMiB}, {}),
                 std::to_string(64 * kMiB));
        // The first sample comes a block after the first step's begin, and the last border has a tensor more.
        QCOMPARE(leakOf({147 * kMiB, 163 * kMiB, 179 * kMiB, 195 * kMiB, 229 * kMiB},
                        {147 * kMiB, 163 * kMiB, 179 * kMiB, 195 * kMiB, 211 * kMiB}),
                 std::to_string(16 * kMiB));
        // The recording ends before the last step falls back: one MiB a step, and 18 of a tensor.
        QCOMPARE(leakOf({132 * kMiB, 133 * kMiB, 134 * kMiB, 135 * kMiB, 154 * kMiB},
                        {132 * kMiB, 133 * kMiB, 134 * kMiB, 135 * kMiB, 154 * kMiB},
                        {132 * kMiB, 132 * kMiB, 133 * kMiB, 134 * kMiB, 135 * kMiB}),
                 std::to_string(kMiB));
        // States of an optimizer, made in the first of two steps, and no leak.
        QCOMPARE(leakOf({180 * kMiB, 180 * kMiB}, {100 * kMiB, 180 * kMiB}), std::string());
        // A cache that filled in the first steps.
        QCOMPARE(leakOf({100 * kMiB, 160 * kMiB, 180 * kMiB, 180 * kMiB, 180 * kMiB},
                        {100 * kMiB, 160 * kMiB, 180 * kMiB, 180 * kMiB}),
                 std::string());
        // It falls back every other step.
        QCOMPARE(leakOf({100 * kMiB, 130 * kMiB, 110 * kMiB, 150 * kMiB, 130 * kMiB}, {}), std::string());
    }

    void fragmentation() {
        const auto found = foundBy("fragmentation", plantHoles);
        QVERIFY(found);
        QCOMPARE(found->rank->value, 1U);
        QVERIFY(found->severity == FindingSeverity::Medium && !found->recoverable);
        QCOMPARE(parameterOf(*found, "recoverable_bytes"), std::to_string(4 * kGiB));
        QCOMPARE(parameterOf(*found, "unused_share"), std::string("40.0 %"));
        for (const double share : {0.39, 0.41})
            QCOMPARE(foundBy("fragmentation", plantHoles, {.fragmentationShare = share}).has_value(), share < 0.4);
        for (const double bytes : {4.2e9, 4.3e9})
            QCOMPARE(foundBy("fragmentation", plantHoles, {.fragmentationBytes = bytes}).has_value(), bytes < 4.25e9);
    }

    void onlyAWholeSnapshotProvesHoles() {
        const auto plant = [](std::uint64_t older) {
            return [older](std::vector<MemoryUsage>& usage) {
                usage[2].snapshots = {{0, 90, older, 0, 9, 5 * kGiB, 8 * kGiB, 7}};
            };
        };
        const auto found = foundBy("fragmentation", plant(0));
        QVERIFY(found);
        QCOMPARE(found->evidence.rows.at(0).condition, std::string("rank_id = 2 AND device_id = 0 AND event_id = 7"));
        QCOMPARE(found->evidence.rows.at(0).rank, std::optional(RankIndex{2}));
        QVERIFY(!foundBy("fragmentation", plant(1)));
    }

    void spike() {
        const auto found = foundBy("memory_spike", plantSpike);
        QVERIFY(found);
        QCOMPARE(found->rank->value, 3U);
        QCOMPARE(*found->step, std::int64_t{12});
        QCOMPARE(parameterOf(*found, "recoverable_bytes"), std::to_string(kGiB));
        QVERIFY(findingDetail(*found, "en").find("aten::cat (1.0 GiB)") != std::string::npos);
        QVERIFY(parameterOf(*found, "usual").find(',') == std::string::npos);
        for (const double share : {0.49, 0.51})
            QCOMPARE(foundBy("memory_spike", plantSpike, {.spikeShare = share}).has_value(), share < 0.5);
        for (const double bytes : {1.07e9, 1.08e9})
            QCOMPARE(foundBy("memory_spike", plantSpike, {.spikeBytes = bytes}).has_value(), bytes < 1.075e9);
    }

    void growthIsNoSpike() {
        const auto kept = [](std::int64_t bytes) {
            return [bytes](std::vector<MemoryUsage>& usage) {
                plantSpike(usage);
                usage[3].pools[0].atEnds[2] = kGiB + bytes;
            };
        };
        QVERIFY(foundBy("memory_spike", kept(kGiB / 2 - 1)));
        QVERIFY(!foundBy("memory_spike", kept(kGiB / 2)));
        QVERIFY(!foundBy("memory_spike", [](std::vector<MemoryUsage>& usage) {
            plantSpike(usage);
            usage[3].pools[0].highestInSteps = {2 * kGiB, 3 * kGiB};
            usage[3].pools[0].atEnds = {kGiB, kGiB};
        }));
    }

    void cutHistory() {
        const auto found = foundBy("cut_history", plantCut);
        QVERIFY(found);
        QCOMPARE(found->rank->value, 0U);
        QCOMPARE(parameterOf(*found, "bytes_share"), std::string("30.0 %"));
        QVERIFY(found->notes.empty());
        for (const double share : {0.29, 0.31})
            QCOMPARE(foundBy("cut_history", plantCut, {.unknownShare = share}).has_value(), share < 0.3);
        // A round number of entries is a limit that was reached.
        const auto round = foundBy("cut_history", [](std::vector<MemoryUsage>& usage) {
            plantCut(usage);
            usage[0].snapshots[0].entries = 100'000;
        });
        QVERIFY(round && round->notes.size() == 1);
        // The sentence read "100000 entries"; programs take the parameter as it is.
        QVERIFY(findingDetail(*round, "en").find("history of 100,000 entries") != std::string::npos);
        QVERIFY(findingDetail(*round, "zh_CN").find("100,000 条") != std::string::npos);
        QCOMPARE(parameterOf(*round, "entries"), std::string("100000"));
        // Host memory has no number.
        const auto host = foundBy("cut_history", [](std::vector<MemoryUsage>& usage) {
            plantCut(usage);
            usage[0].snapshots[0].device = -1;
        });
        QVERIFY(host->evidence.rows.at(0).condition.starts_with("rank_id = 0 AND device_id IS NULL AND "));
    }

    void unusedAllocations() {
        const auto found = foundBy("unused_allocation", [](std::vector<MemoryUsage>& usage) {
            usage[2].unused.late = 2;
            usage[2].unused.idle = 1;
            usage[2].unused.lateBytes = 8 << 20;
            usage[2].unused.idleBytes = 1 << 20;
            usage[2].unused.name = "PTA@w";
            usage[2].unused.bytes = 6 << 20;
        });
        QVERIFY(found);
        QCOMPARE(found->rank->value, 2U);
        QCOMPARE(parameterOf(*found, "recoverable_bytes"), std::to_string(9 << 20));
        const auto many = foundBy("unused_allocation", [](std::vector<MemoryUsage>& usage) {
            usage[2].unused.late = 1024;
            usage[2].unused.lateBytes = 8 << 20;
        });
        QVERIFY(many && findingDetail(*many, "en").find(": 1,024 (8.0 MiB) after") != std::string::npos);
        QVERIFY(findingDetail(*many, "zh_CN").find("1,024 次（8.0 MiB）") != std::string::npos);
    }

    void nothingIsSaidOfCleanMemory() {
        for (const char* rule : {"fragmentation", "memory_spike", "cut_history", "unused_allocation"})
            QVERIFY(!foundBy(rule, [](std::vector<MemoryUsage>&) {}));
    }

    void growthHasItsMarginAndItsNames() {
        CaptureFacts facts = cleanFacts();
        // By hand: slope 8 MiB; residuals 1, -2, 1 MiB over x = -1, 0, 1: 12.706 * sqrt(6 / 1 / 2) = 22.0 MiB.
        facts.ranks[2].pools[0].allocatedAtBorders = {1001 << 20, 1006 << 20, 1017 << 20};
        facts.ranks[2].pools[0].keptAllocations = {8 << 20};
        const auto leak = foundBy(
            "memory_leak",
            [](std::vector<MemoryUsage>& usage) {
                usage[2].pools.emplace_back().kept = {{"aten::clone", 8 << 20}, {"aten::add", 1 << 20}};
            },
            {}, facts);
        QVERIFY(leak);
        QCOMPARE(parameterOf(*leak, "margin"), std::string("22.0 MiB"));
        // A slope is a quotient of reals, cut to whole bytes.
        QVERIFY(std::abs(std::stoll(parameterOf(*leak, "growth_bytes")) - (8 << 20)) <= 1);
        const std::string text = findingDetail(*leak, "en");
        QVERIFY2(text.find("aten::clone (8.0 MiB), aten::add (1.0 MiB)") != std::string::npos, text.c_str());
    }
};

ALTI_TEST(TestMemoryRules)
#include "tst_memory_rules.moc"
