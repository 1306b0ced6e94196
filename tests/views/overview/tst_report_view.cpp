#include "views/overview/report_view.h"

#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/table_view.h"
#include "views/overview/report_model.h"

#include <QHeaderView>
#include <QScrollBar>

using namespace altiscope;
using namespace altiscope::test;

class TestReportView : public QObject {
    Q_OBJECT
private slots:
    void messagesStayReadableWhenNarrow();
    void placesAreHiddenWhileThereAreNone();
};

void TestReportView::messagesStayReadableWhenNarrow() {
    JobRunner jobs;
    Session session(jobs);
    ReportModel model(session);
    ReportView view(model, ReportView::Columns::All);
    view.show();
    openAndWait(session, goldenCapture(QStringLiteral("interrupted")));
    const auto* table = view.findChild<TableView*>();
    const auto message = [table] { return table->columnWidth(ReportModel::MessageColumn); };
    for (const int width : {500, 700, 2000}) {
        view.resize(width, 200);
        QTRY_COMPARE(table->width(), width);
        QVERIFY2(message() >= view.fontMetrics().averageCharWidth() * 30, qPrintable(QString::number(message())));
    }
    QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
    QCOMPARE(table->horizontalHeader()->length(), table->viewport()->width());
    view.resize(500, 200);
    QTRY_VERIFY(table->horizontalScrollBar()->maximum() > 0);
}

void TestReportView::placesAreHiddenWhileThereAreNone() {
    JobRunner jobs;
    Session session(jobs);
    ReportModel model(session);
    ReportView view(model, ReportView::Columns::All);
    const auto* table = view.findChild<TableView*>();
    openAndWait(session, QStringLiteral("/nowhere/at/all"));
    QVERIFY(table->isColumnHidden(ReportModel::PlaceColumn));
    openAndWait(session, goldenCapture(QStringLiteral("interrupted")));
    QCOMPARE(!table->isColumnHidden(ReportModel::PlaceColumn), model.anyPlace());
    QVERIFY(model.anyPlace());
}

ALTI_TEST(TestReportView)
#include "tst_report_view.moc"
