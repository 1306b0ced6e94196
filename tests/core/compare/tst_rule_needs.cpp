#include "core/compare/rule_needs.h"

#include "core/findings/finding.h"
#include "tests/support/test_main.h"

using namespace altiscope;

class TestRuleNeeds : public QObject {
    Q_OBJECT
private slots:
    /// A rule without an entry would be "new" beside a side that cannot find it.
    void everyRuleHasAnEntry() {
        for (const RuleInfo& info : findingRules()) QVERIFY2(areNeedsKnown(info.rule), std::string(info.rule).c_str());
        QVERIFY(!areNeedsKnown("no_such_rule"));
    }

    void levelZeroCannotFindWaiting() {
        const RecordedWords levelZero{"category", "operator", "kernel", "memory", "steps", "peers"};
        QVERIFY(!canFindIn("collective_wait", levelZero));
        QVERIFY(!canFindIn("slow_link", levelZero));
        QVERIFY(!canFindIn("gc_pause", levelZero));
        QVERIFY(!canFindIn("dynamic_shapes", levelZero));
        QVERIFY(canFindIn("free_time", levelZero));
        QVERIFY(canFindIn("slow_rank", levelZero));
        QVERIFY(canFindIn("environment", {}));
        QVERIFY(canFindIn("no_such_rule", {}));
    }

    void oneRankHasNoPeersAndARecordingNoSteps() {
        const RecordedWords one{"category", "kernel", "steps"};
        QVERIFY(!canFindIn("slow_rank", one));
        QVERIFY(!canFindIn("free_time", {"category", "kernel"}));
        QVERIFY(canFindIn("free_time", one));
    }

    void oneOfSeveralKindsOfDataIsEnough() {
        QVERIFY(canFindIn("small_packets", {"link"}));
        QVERIFY(canFindIn("small_packets", {"collective"}));
        QVERIFY(!canFindIn("small_packets", {"kernel"}));
        QVERIFY(canFindIn("out_of_memory", {"snapshot"}));
        QVERIFY(!canFindIn("kept_stack", {"memory"}));
    }

    void rulesThatNameTheWorstRankAreAboutAllOfThem() {
        QVERIFY(isAboutOneRank("slow_rank"));
        QVERIFY(isAboutOneRank("slow_link"));
        QVERIFY(!isAboutOneRank("slow_launches"));
        QVERIFY(!isAboutOneRank("memory_leak"));
    }
};

ALTI_TEST(TestRuleNeeds)
#include "tst_rule_needs.moc"
