#include "core/report/capture_text.h"

#include "core/query/capture_summary.h"
#include "core/store/capture_store.h"
#include "tests/support/test_main.h"

#include <QStringList>

#include <memory>

using namespace altiscope;

namespace {

CaptureSummary summaryOf(std::size_t ranks) {
    auto capture = std::make_shared<CaptureStore>();
    capture->path = "run";
    capture->state = CaptureStore::State::Ok;
    for (std::size_t r = 0; r < ranks; ++r) {
        RankInfo& info = capture->ranks.emplace_back().info;
        info.rankId = static_cast<std::int64_t>(r);
        info.path = "rank" + std::to_string(r);
    }
    CaptureSummary summary;
    summary.capture = std::move(capture);
    summary.rows = {{"rank", ranks}, {"slice", 0}, {"step_breakdown", 1'234'567}};
    for (const FindingSeverity severity : {FindingSeverity::High, FindingSeverity::Medium, FindingSeverity::Low}) {
        Finding& finding = summary.findings.emplace_back();
        finding.rule = "missing_data";
        finding.severity = severity;
    }
    return summary;
}

QStringList linesOf(const CaptureSummary& summary) {
    return QString::fromStdString(captureText(summary)).split(u'\n', Qt::SkipEmptyParts);
}

}  // namespace

class TestCaptureText : public QObject {
    Q_OBJECT
private slots:
    void ranksAreCounted() {
        QCOMPARE(linesOf(summaryOf(0)).front(), QStringLiteral("run: ok, 0 ranks"));
        QCOMPARE(linesOf(summaryOf(1)).front(), QStringLiteral("run: ok, 1 rank"));
        QCOMPARE(linesOf(summaryOf(2)).front(), QStringLiteral("run: ok, 2 ranks"));
    }

    void emptyTablesAndLowFindingsAreLeftOut() {
        const QStringList lines = linesOf(summaryOf(2));
        const qsizetype rows = lines.indexOf(QStringLiteral("rows"));
        QVERIFY(rows > 0);
        QCOMPARE(lines.at(rows + 1), QStringLiteral("  rank                       2"));
        QCOMPARE(lines.at(rows + 2), QStringLiteral("  step_breakdown       1234567"));
        QCOMPARE(lines.at(rows + 3), QStringLiteral("findings: 1 high, 1 medium, 1 low"));
        QVERIFY(lines.at(rows + 4).startsWith(QStringLiteral("  high missing_data: ")));
        QVERIFY(lines.at(rows + 5).startsWith(QStringLiteral("  medium missing_data: ")));
        QCOMPARE(lines.size(), rows + 6);
    }
};

ALTI_TEST(TestCaptureText)
#include "tst_capture_text.moc"
