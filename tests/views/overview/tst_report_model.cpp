#include "views/overview/facts/report_model.h"

#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace altiscope;
using namespace altiscope::test;

namespace {

QString cellOf(const ReportModel& model, ReportModel::Column column, std::size_t row) {
    return shownCell(*model.table(), ReportModel::headings(), static_cast<std::size_t>(column), row);
}

}  // namespace

class TestReportModel : public QObject {
    Q_OBJECT
private slots:
    void nothingToReport();
    void rowsOfAPartialCapture();
    void failedCaptureSaysWhatWasLookedFor();
    void rowsOfAllCaptures();
    void rawDataIsAWarning();
};

void TestReportModel::nothingToReport() {
    JobRunner jobs;
    Session session(jobs);
    const ReportModel model(session);
    QCOMPARE(model.table()->rowCount(), std::size_t{0});
    QCOMPARE(model.warningCount(), 0);
    QVERIFY(!model.firstRowOf({1}));
}

void TestReportModel::rowsOfAPartialCapture() {
    JobRunner jobs;
    Session session(jobs);
    ReportModel model(session);
    QSignalSpy counted(&model, &ReportModel::warningCountChanged);
    const CaptureId id = openAndWait(session, goldenCapture(QStringLiteral("interrupted")));
    QVERIFY(!model.rows().empty());
    QVERIFY(counted.count() > 0);
    QVERIFY(model.warningCount() > 0);
    const auto row = model.firstRowOf(id);
    QCOMPARE(row, std::optional<std::size_t>(0));
    const Diagnostic expected = session.capture(id)->store->diagnostics.entries().front();
    const auto cell = [&](ReportModel::Column column) { return cellOf(model, column, *row); };
    QCOMPARE(cell(ReportModel::Column::File), QString::fromStdString(expected.file));
    QCOMPARE(cell(ReportModel::Column::Code), QString::fromStdString(expected.code));
    QCOMPARE(cell(ReportModel::Column::Message), QString::fromStdString(expected.message("en")));
    QVERIFY(cell(ReportModel::Column::Message) != cell(ReportModel::Column::Code));
    QCOMPARE(model.rows()[*row].count, expected.count);
    // Files have the word of the SQL table.
    QCOMPARE(model.table()->text(0, model.table()->cell(0, *row)), severityName(expected.severity));
    session.close(id);
    QCOMPARE(model.table()->rowCount(), std::size_t{0});
    QCOMPARE(model.warningCount(), 0);
}

void TestReportModel::failedCaptureSaysWhatWasLookedFor() {
    JobRunner jobs;
    Session session(jobs);
    ReportModel model(session);
    const CaptureId id = openAndWait(session, QStringLiteral("/nowhere/at/all"));
    QCOMPARE(model.table()->rowCount(), std::size_t{1});
    QCOMPARE(model.warningCount(), 1);
    const auto cell = [&](ReportModel::Column column) { return cellOf(model, column, *model.firstRowOf(id)); };
    QCOMPARE(cell(ReportModel::Column::Severity), QStringLiteral("Failed"));
    QCOMPARE(cell(ReportModel::Column::Code), QStringLiteral("capture.missing"));
    QVERIFY2(cell(ReportModel::Column::Message).contains(QStringLiteral("/nowhere/at/all")),
             qPrintable(cell(ReportModel::Column::Message)));
}

void TestReportModel::rowsOfAllCaptures() {
    JobRunner jobs;
    Session session(jobs);
    ReportModel model(session);
    const CaptureId partial = openAndWait(session, goldenCapture(QStringLiteral("interrupted")));
    const std::size_t before = model.rows().size();
    const CaptureId failed = openAndWait(session, QStringLiteral("/nowhere/at/all"));
    QCOMPARE(model.rows().size(), before + 1);
    QCOMPARE(model.firstRowOf(partial), std::optional<std::size_t>(0));
    QCOMPARE(model.firstRowOf(failed), std::optional(before));
    QCOMPARE(cellOf(model, ReportModel::Column::Capture, before), QStringLiteral("all"));
    model.retranslate();
    QCOMPARE(model.rows().size(), before + 1);
}

void TestReportModel::rawDataIsAWarning() {
    const QTemporaryDir folder;
    const QString prof = QStringLiteral("host_1_20240101000000_ascend_pt/PROF_000001_20240101000000_ABC/device_0/data");
    QVERIFY(QDir(folder.path()).mkpath(prof));
    JobRunner jobs;
    Session session(jobs);
    const ReportModel model(session);
    openAndWait(session, folder.path());
    QCOMPARE(model.table()->rowCount(), std::size_t{1});
    QCOMPARE(cellOf(model, ReportModel::Column::Code, 0), QStringLiteral("raw_only"));
    QCOMPARE(model.warningCount(), 1);
}

ALTI_TEST(TestReportModel)
#include "tst_report_model.moc"
