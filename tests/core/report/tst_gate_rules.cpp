#include "core/report/gates/gate_check.h"
#include "core/report/gates/gate_rules.h"

#include "tests/support/test_main.h"

#include <string>
#include <utility>

using namespace altiscope;

class TestGateRules : public QObject {
    Q_OBJECT
private slots:
    void understood_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<double>("limit");  // in base units
        QTest::addColumn<QString>("name");
        QTest::addRow("time") << "step < 30 ms" << 30e6 << "step";
        QTest::addRow("no blanks") << "step<30ms" << 30e6 << "step";
        QTest::addRow("plus") << "step < +30 ms" << 30e6 << "step";
        QTest::addRow("no unit") << "free >= 5" << 5.0 << "free";
        QTest::addRow("statistic") << "p95( computing ) <= 1.5 s" << 1.5e9 << "computing";
        QTest::addRow("share") << "max(free_ratio) < 12.5 %" << 0.125 << "free";
        QTest::addRow("binary size") << "peak_reserved < 2 GiB" << 2147483648.0 << "peak_reserved";
        QTest::addRow("decimal size") << "peak_allocated < 2 GB" << 2e9 << "peak_allocated";
        QTest::addRow("bandwidth") << "slow_link_min > 15 GB/s" << 15.0 << "slow_link_min";
        // Filters of the window know these.
        QTest::addRow("a gate in TiB is no wrong usage")
            << "peak_reserved < 1 TiB" << 1099511627776.0 << "peak_reserved";
        QTest::addRow("in TB") << "peak_reserved < 1 TB" << 1e12 << "peak_reserved";
        QTest::addRow("in kB") << "peak_reserved < 1 kB" << 1e3 << "peak_reserved";
        QTest::addRow("in minutes") << "step < 2 min" << 120e9 << "step";
        QTest::addRow("in hours") << "step < 2 h" << 7200e9 << "step";
        QTest::addRow("in micro sign s") << "step < 5 \u00b5s" << 5e3 << "step";
        QTest::addRow("in Greek mu s") << "step < 5 \u03bcs" << 5e3 << "step";
        QTest::addRow("bandwidth in MB/s") << "slow_link_min > 900 MB/s" << 0.9 << "slow_link_min";
        QTest::addRow("bandwidth in TB/s") << "slow_link_min < 2 TB/s" << 2000.0 << "slow_link_min";
        QTest::addRow("bandwidth in MiB/s") << "slow_link_min > 1000 MiB/s" << 1.048576 << "slow_link_min";
        QTest::addRow("rule") << "slow_rank.count = 0" << 0.0 << "slow_rank";
        QTest::addRow("rule's time") << "gc_pause.recoverable <= 1e3 us" << 1e6 << "gc_pause";
        QTest::addRow("comment") << "lost != -1 # as before" << -1.0 << "lost";
        QTest::addRow("statement") << "sql(SELECT ')<#' < max(dur) FROM kernel) < 3 ms # x" << 3e6
                                   << "SELECT ')<#' < max(dur) FROM kernel";
        QTest::addRow("change") << "change(p50(step)) < 2 %" << 0.02 << "step";
    }
    void understood() {
        QFETCH(QString, line);
        QFETCH(double, limit);
        QFETCH(QString, name);
        const auto rules = readGateRules("\n# comment\n" + line.toStdString() + "\r\n", "f", true);
        QVERIFY2(rules.ok(), rules.failed() ? rules.error().parameters[1].second.c_str() : "");
        QCOMPARE(rules.value().size(), std::size_t{1});
        const GateRule& rule = rules.value()[0];
        QCOMPARE(rule.line, std::size_t{3});
        QCOMPARE(limitOf(rule), limit);
        QCOMPARE(QString::fromStdString(rule.metric.name), name);
    }

    /// 57 * 0.01 is more than 0.57.
    void percentsAreHundredths() {
        for (int percent = 0; percent <= 100; ++percent) {
            const auto rules = readGateRules("free_ratio < " + std::to_string(percent) + " %", "f", false);
            QCOMPARE(limitOf(rules.value()[0]), percent / 100.0);
        }
    }

    void fileWithoutRulesIsWrong() {
        const auto rules = readGateRules("# nothing\n\n", "f", true);
        QVERIFY(rules.failed());
        QCOMPARE(rules.error().code, std::string("gate.no_rules"));
    }

    void wrong_data() {
        QTest::addColumn<QString>("line");
        for (const char* line : {"stepp < 3 ms",
                                 "step < 3 lightyears",
                                 "step < 3 GB",
                                 "step < 3 ms/s",
                                 "slow_link_min > 3 GB",
                                 "peak_reserved < 3 GB/s",
                                 "step < 3 MS",
                                 "step 3 ms",
                                 "step == 3",
                                 "step <",
                                 "step < nan",
                                 "step < +-3",
                                 "step < +",
                                 "lost < 3 %",
                                 "p95(lost) < 3",
                                 "p99(step) < 3",
                                 "nothing.count = 0",
                                 "sql() = 1",
                                 "slow_rank.total < 1",
                                 "< 3",
                                 "change(change(step)) < 1",
                                 "free_ratio_ratio < 1"})
            QTest::addRow("%s", line) << QString::fromLatin1(line);
    }
    void wrong() {
        QFETCH(QString, line);
        const auto rules = readGateRules("lost = 0\n" + line.toStdString(), "f", true);
        QVERIFY(rules.failed());
        QCOMPARE(rules.error().code, std::string("gate.syntax"));
        QCOMPARE(rules.error().parameters[0].second, std::string("2"));
    }

    void valuesInTheUnitOfTheRule() {
        const auto rules = readGateRules("step < 30 ms\nfree < 5\nlost = 0\nfree_ratio < 10 %\n", "f", false);
        QVERIFY(rules.ok());
        QCOMPARE(gateValueText(rules.value()[0], 1.5e6), std::string("1.500 ms"));
        QCOMPARE(gateValueText(rules.value()[0], 30e6), std::string("30 ms"));
        QCOMPARE(gateValueText(rules.value()[1], 7), std::string("7 ns"));
        QCOMPARE(gateValueText(rules.value()[2], 3), std::string("3"));
        QCOMPARE(gateValueText(rules.value()[3], 0.125), std::string("12.500 %"));
    }

    void changesNeedABase() {
        for (const char* line : {"change(step) < 1 ms", "significant.count = 0"}) {
            QVERIFY(readGateRules(line, "f", true).ok());
            QVERIFY(readGateRules(line, "f", false).failed());
        }
    }

    void outcomesAreSafeOnATerminal() {
        GateOutcome outcome;
        outcome.message = "sql(SELECT '\x1b[31m\xE2\x80\xAE') = 0";
        QVERIFY(gateText({outcome}).find("FAILED  sql(SELECT '\\x1b[31m\\u202e') = 0\n") == 0);
    }

    void outcomesAsXml() {
        GateOutcome outcome;
        outcome.rule.text = "sql(SELECT '<\"&]]>\x01') = 0";
        outcome.message = "a < b";
        const std::string xml = gateJunit({outcome}, "run");
        QVERIFY(xml.find("tests=\"1\" failures=\"1\"") != std::string::npos);
        QVERIFY(xml.find("name=\"sql(SELECT &#39;&lt;&quot;&amp;]]&gt;\\x01&#39;) = 0\"") != std::string::npos);
        QVERIFY(xml.find("<failure message=\"a &lt; b\"") != std::string::npos);
        outcome.met = true;
        QVERIFY(gateJunit({outcome}, "run").find("<failure") == std::string::npos);
    }
};

ALTI_TEST(TestGateRules)
#include "tst_gate_rules.moc"
