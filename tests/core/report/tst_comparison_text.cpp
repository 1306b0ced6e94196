#include "core/report/comparison_json.h"
#include "core/report/document/comparison_tables.h"

#include "tests/support/test_main.h"

#include <string>

using namespace altiscope;

namespace {

/// 60 significant kernels, of which one is beyond the limit and only counted, with four more.
Comparison cutComparison() {
    Comparison comparison;
    for (std::int64_t i = 0; i < 59; ++i) {
        Difference difference{.dimension = Dimension::Kernel, .key = "kernel", .rankId = {}, .change = {}};
        difference.change = {.base = 0, .current = 100 - i, .change = 100 - i, .low = {}, .high = {}};
        difference.change.significant = true;
        comparison.differences.push_back(difference);
    }
    comparison.significant = 60;
    comparison.omitted[static_cast<std::size_t>(Dimension::Kernel)] = 5;
    return comparison;
}

}  // namespace

class TestComparisonText : public QObject {
    Q_OBJECT
private slots:
    void tablesCountWhatTheyLeaveOut() {
        const auto tables = comparisonTables(cutComparison(), "en");
        QCOMPARE(tables.size(), std::size_t{3});
        QCOMPARE(tables[1].rows.size() + tables[1].omitted, std::size_t{60});
        QCOMPARE(tables[1].rows.size(), std::size_t{50});
        QCOMPARE(tables[2].rows.size() + tables[2].omitted, std::size_t{64});
        Report report;
        report.language = "en";
        report.sections.push_back({"compare", "c", "t", tables});
        QVERIFY(reportHtml(report).find("50 of 60 rows; the others are left out.") != std::string::npos);
    }

    void textCountsWhatIsLeftOutEverywhere() {
        const std::string text = comparisonText(cutComparison(), 25);
        QVERIFY2(text.ends_with("and 39 further differences, see --json, which counts the 5 smallest only\n"),
                 text.c_str());
        Comparison whole = cutComparison();
        whole.omitted = {};
        QVERIFY(comparisonText(whole, 25).ends_with("and 34 further differences, see --json\n"));
        QVERIFY(comparisonText(whole, 59).find("further") == std::string::npos);
    }

    void stepThatIsNotKnownIsNoZero() {
        const std::string json = comparisonJson(cutComparison());
        QVERIFY(json.find("\"step\":null") != std::string::npos);
        QVERIFY(comparisonText(cutComparison(), 1).starts_with("The step time is not recorded on both sides.\n"));
    }
};

ALTI_TEST(TestComparisonText)
#include "tst_comparison_text.moc"
