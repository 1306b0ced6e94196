#include "views/overview/report_model.h"

#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/table_view.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace altiscope;
using namespace altiscope::test;

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
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.warningCount(), 0);
    QCOMPARE(model.firstRowOf(1), -1);
}

void TestReportModel::rowsOfAPartialCapture() {
    JobRunner jobs;
    Session session(jobs);
    ReportModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy counted(&model, &ReportModel::warningCountChanged);
    const std::uint32_t id = openAndWait(session, goldenCapture(QStringLiteral("interrupted")));
    QVERIFY(model.rowCount() > 0);
    QVERIFY(counted.count() > 0);
    QVERIFY(model.warningCount() > 0);
    const int row = model.firstRowOf(id);
    QCOMPARE(row, 0);
    const Diagnostic expected = session.capture(id)->store->diagnostics.entries().front();
    const auto cell = [&](int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(cell(ReportModel::FileColumn), QString::fromStdString(expected.file));
    QCOMPARE(cell(ReportModel::CodeColumn), QString::fromStdString(expected.code));
    QCOMPARE(cell(ReportModel::MessageColumn), QString::fromStdString(expected.message("en")));
    QVERIFY(cell(ReportModel::MessageColumn) != cell(ReportModel::CodeColumn));
    QCOMPARE(model.index(row, ReportModel::CountColumn).data(kSortRole).toULongLong(), expected.count);
    session.close(id);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.warningCount(), 0);
}

void TestReportModel::failedCaptureSaysWhatWasLookedFor() {
    JobRunner jobs;
    Session session(jobs);
    ReportModel model(session);
    const std::uint32_t id = openAndWait(session, QStringLiteral("/nowhere/at/all"));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.warningCount(), 1);
    const auto cell = [&](int column) { return model.index(model.firstRowOf(id), column).data().toString(); };
    QCOMPARE(cell(ReportModel::SeverityColumn), QStringLiteral("Failed"));
    QCOMPARE(cell(ReportModel::CodeColumn), QStringLiteral("capture.missing"));
    QVERIFY2(cell(ReportModel::MessageColumn).contains(QStringLiteral("/nowhere/at/all")),
             qPrintable(cell(ReportModel::MessageColumn)));
}

void TestReportModel::rowsOfAllCaptures() {
    JobRunner jobs;
    Session session(jobs);
    ReportModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const std::uint32_t partial = openAndWait(session, goldenCapture(QStringLiteral("interrupted")));
    const int before = model.rowCount();
    const std::uint32_t failed = openAndWait(session, QStringLiteral("/nowhere/at/all"));
    QCOMPARE(model.rowCount(), before + 1);
    QCOMPARE(model.firstRowOf(partial), 0);
    QCOMPARE(model.firstRowOf(failed), before);
    QCOMPARE(model.index(before, ReportModel::CaptureColumn).data().toString(), QStringLiteral("all"));
    model.retranslate();
    QCOMPARE(model.rowCount(), before + 1);
}

void TestReportModel::rawDataIsAWarning() {
    const QTemporaryDir folder;
    const QString prof = QStringLiteral("host_1_20240101000000_ascend_pt/PROF_000001_20240101000000_ABC/device_0/data");
    QVERIFY(QDir(folder.path()).mkpath(prof));
    JobRunner jobs;
    Session session(jobs);
    const ReportModel model(session);
    openAndWait(session, folder.path());
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, ReportModel::CodeColumn).data().toString(), QStringLiteral("raw_only"));
    QCOMPARE(model.warningCount(), 1);
}

ALTI_TEST(TestReportModel)
#include "tst_report_model.moc"
