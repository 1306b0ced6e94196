#include "views/overview/page/findings_list.h"

#include "tests/support/test_main.h"

using namespace altiscope;
using namespace Qt::StringLiterals;

class TestFindingsList : public QObject {
    Q_OBJECT
private slots:
    void namesOfFoldersAreNotCut_data();
    void namesOfFoldersAreNotCut();
};

void TestFindingsList::namesOfFoldersAreNotCut_data() {
    QTest::addColumn<QString>("detail");
    QTest::addColumn<bool>("needsMore");
    QTest::newRow("one long word") << u"PROF_000001_20230818142704322_COJGGGCANRMICFBC"_s << true;
    QTest::newRow("between Chinese") << u"卡 profiler/PROF_000001_20230818142704322_COJGGGCANRMICFBC的集合通信"_s
                                     << true;
    QTest::newRow("a short one") << u"rank0"_s << false;
}

/// The end of a word that is wider than the list was cut off at its edge.
void TestFindingsList::namesOfFoldersAreNotCut() {
    QFETCH(QString, detail);
    QFETCH(bool, needsMore);
    FindingSettings settings({});
    FindingsList list(settings);
    FindingItem item;
    item.title = u"Waits"_s;
    item.detail = detail;
    list.setItems({item});
    list.resize(900, 300);
    list.show();
    const int wide = list.sizeHintForRow(0);
    list.resize(220, 300);
    QVERIFY(list.fontMetrics().horizontalAdvance(u"rank0"_s) < 100);
    const int lines = (list.sizeHintForRow(0) - wide) / list.fontMetrics().height();
    QVERIFY2((lines > 0) == needsMore, qPrintable(QString::number(lines)));
    // The last line that there is room for is written: what is not broken ends in the first.
    const QImage picture = list.viewport()->grab().toImage();
    const int line = list.fontMetrics().height(), bottom = list.visualRect(list.model()->index(0, 0)).bottom();
    int inked = 0;
    for (int y = bottom - line; y < bottom; ++y) {
        for (int x = 2 * line; x < picture.width(); ++x) inked += picture.pixel(x, y) != picture.pixel(1, 1) ? 1 : 0;
    }
    QVERIFY2(inked > 10, qPrintable(QString::number(inked)));
}

ALTI_TEST(TestFindingsList)
#include "tst_findings_list.moc"
