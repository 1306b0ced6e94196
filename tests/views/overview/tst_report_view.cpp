#include "views/overview/page/report_view.h"

#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/tables/data_table.h"
#include "views/overview/facts/report_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>

using namespace altiscope;
using namespace altiscope::test;

class TestReportView : public QObject {
    Q_OBJECT
private slots:
    void messagesStayReadableWhenNarrow();
    void theChosenRowIsShownInFull();
    void namesOfCapturesOnlyWhereTheyMatter();

private:
    static bool settled(const DataTable& table) {
        return QTest::qWaitFor([&] { return !table.loader().busy(); }, 10'000);
    }
};

void TestReportView::messagesStayReadableWhenNarrow() {
    JobRunner jobs;
    Session session(jobs);
    ReportModel model(session);
    ReportView view(model, session, {}, ReportView::Columns::All);
    view.show();
    openAndWait(session, goldenCapture(QStringLiteral("interrupted")));
    const auto* table = view.findChild<DataTable*>();
    QVERIFY(settled(*table));
    const auto* header = table->findChild<QHeaderView*>();
    const auto message = [header] { return header->sectionSize(static_cast<int>(ReportModel::Column::Message)); };
    for (const int width : {500, 700, 1200}) {
        view.resize(width, 200);
        QTRY_COMPARE(table->width(), width);
        QVERIFY2(message() >= view.fontMetrics().averageCharWidth() * 30, qPrintable(QString::number(message())));
    }
    // The sentence takes the room that there is, and no more than it needs.
    QCOMPARE(header->length(), table->viewport()->width());
    view.resize(4000, 200);
    QTRY_VERIFY(header->length() < table->viewport()->width());
    QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
    view.resize(500, 200);
    QTRY_VERIFY(table->horizontalScrollBar()->maximum() > 0);
}

void TestReportView::theChosenRowIsShownInFull() {
    JobRunner jobs;
    Session session(jobs);
    ReportModel model(session);
    ReportView view(model, session, {}, ReportView::Columns::Short);
    const auto* full = view.findChild<QLabel*>(QStringLiteral("full_text"));
    const CaptureId id = openAndWait(session, goldenCapture(QStringLiteral("interrupted")));
    QVERIFY(settled(*view.findChild<DataTable*>()));
    QVERIFY(full->text().startsWith(model.rows().front().message));
    view.showCapture(id);
    QVERIFY(full->text().startsWith(model.rows().front().message));
    QVERIFY(full->text().endsWith(model.rows().front().code));
    // A capture may be asked for before its rows are in order.
    const CaptureId failed = openAndWait(session, QStringLiteral("/nowhere/at/all"));
    view.showCapture(failed);
    QTRY_VERIFY(full->text().contains(QStringLiteral("capture.missing")));
}

void TestReportView::namesOfCapturesOnlyWhereTheyMatter() {
    JobRunner jobs;
    Session session(jobs);
    ReportModel model(session);
    ReportView view(model, session, {}, ReportView::Columns::Short);
    const auto hidden = [&](ReportModel::Column column) {
        return view.findChild<DataTable*>()->findChild<QHeaderView*>()->isSectionHidden(static_cast<int>(column));
    };
    openAndWait(session, QStringLiteral("/nowhere/at/all"));
    QVERIFY(hidden(ReportModel::Column::Capture));
    QVERIFY(hidden(ReportModel::Column::Place) && hidden(ReportModel::Column::Code));
    QVERIFY(!hidden(ReportModel::Column::Message));
    openAndWait(session, goldenCapture(QStringLiteral("interrupted")));
    QVERIFY(!hidden(ReportModel::Column::Capture));
    QVERIFY(hidden(ReportModel::Column::Code));
}

ALTI_TEST(TestReportView)
#include "tst_report_view.moc"
