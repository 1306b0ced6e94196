#include "views/common/widgets/recent_list.h"

#include "tests/support/test_main.h"

using namespace altiscope;

class TestRecentList : public QObject {
    Q_OBJECT
private slots:
    void newestFirstAndOnce();
    void hasAnEnd();
};

void TestRecentList::newestFirstAndOnce() {
    QStringList list = withRecent({}, QStringLiteral("a"));
    list = withRecent(list, QStringLiteral("b"));
    list = withRecent(list, QStringLiteral("a"));
    QCOMPARE(list, (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
}

void TestRecentList::hasAnEnd() {
    QStringList list;
    for (int i = 0; i < 20; ++i) list = withRecent(list, QString::number(i));
    QCOMPARE(list.size(), kMaxRecent);
    QCOMPARE(list.constFirst(), QStringLiteral("19"));
    QCOMPARE(list.constLast(), QStringLiteral("8"));
}

ALTI_TEST(TestRecentList)
#include "tst_recent_list.moc"
