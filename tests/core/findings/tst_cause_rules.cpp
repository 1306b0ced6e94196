#include "core/findings/cause_rules.h"
#include "core/findings/rule_table.h"
#include "tests/support/test_main.h"

#include <QString>

#include <string>

using namespace altiscope;

/// Which rule claims which cause, by the table of core/findings/README.md.
class TestCauseRules : public QObject {
    Q_OBJECT
private slots:
    void rules_data();
    void rules();
};

void TestCauseRules::rules_data() {
    QTest::addColumn<int>("cause");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("rule");
    const auto row = [](Cause cause, CauseKind kind, const char* rule) {
        QTest::addRow("%s %d", std::string(causeName(cause)).c_str(), static_cast<int>(kind))
            << static_cast<int>(cause) << static_cast<int>(kind) << QString::fromLatin1(rule);
    };
    row(Cause::Kernel, CauseKind::Any, "slow_rank");
    row(Cause::Kernel, CauseKind::AiCpu, "ai_cpu");
    row(Cause::Frequency, CauseKind::Any, "frequency_drop");
    row(Cause::Host, CauseKind::Any, "slow_launches");
    row(Cause::Host, CauseKind::MemoryCalls, "memory_calls");
    row(Cause::Gc, CauseKind::Any, "gc_pause");
    row(Cause::DataLoading, CauseKind::Any, "data_loading");
    row(Cause::Compile, CauseKind::Any, "operator_compilation");
    row(Cause::Transfer, CauseKind::Link, "slow_link");
    row(Cause::Transfer, CauseKind::SmallPackets, "small_packets");
    row(Cause::Transfer, CauseKind::NotHidden, "exposed_communication");
    row(Cause::Absent, CauseKind::Any, "collective_wait");
    row(Cause::Checkpoint, CauseKind::Any, "");
    row(Cause::Bubble, CauseKind::Any, "");
}

void TestCauseRules::rules() {
    QFETCH(int, cause);
    QFETCH(int, kind);
    QFETCH(QString, rule);
    CauseFacts facts;
    facts.cause = static_cast<Cause>(cause);
    facts.kind = static_cast<CauseKind>(kind);
    QCOMPARE(QString::fromStdString(std::string(ruleOf(facts))), rule);
    QVERIFY(rule.isEmpty() || findRule(ruleOf(facts)) != nullptr);
}

ALTI_TEST(TestCauseRules)
#include "tst_cause_rules.moc"
