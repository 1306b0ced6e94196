#include "core/import/cluster/cluster_folder.h"
#include "core/import/communication/cluster_groups.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <string>

using namespace altiscope;
using namespace altiscope::reader;

/// What files of a cluster write as texts.
class TestClusterTexts : public QObject {
    Q_OBJECT
private slots:
    void setsOfRanks_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("ranks");
        for (const auto& [text, ranks] : {std::pair("(0, 1, 2)", "0 1 2"),
                                          {"(5,)", "5"},
                                          {"()", ""},
                                          {"(7,3)", "3 7"},
                                          {"(7,3,7)", "3 7 and 1"},
                                          {"(1000000)", "1000000"},
                                          {"(0, 1", "none"},
                                          {"0, 1)", "none"},
                                          {"(0 1)", "none"},
                                          {"(0,,1)", "none"},
                                          {"(,)", "none"},
                                          {"(-1)", "none"},
                                          {"(1000001)", "none"},
                                          {"p2p", "none"},
                                          {"", "none"},
                                          {"(", "none"}})
            QTest::addRow("%s", text) << QString::fromUtf8(text) << QString::fromUtf8(ranks);
    }
    void setsOfRanks() {
        QFETCH(QString, text);
        QFETCH(QString, ranks);
        const auto found = rankSetOf(text.toStdString());
        QStringList words;
        if (found) {
            for (const std::int64_t rank : found->ranks) words << QString::number(rank);
        }
        if (found && found->repeated > 0) words << QStringLiteral("and %1").arg(found->repeated);
        QCOMPARE(found ? words.join(u' ') : QStringLiteral("none"), ranks);
    }

    void foldersInFolders() {
        QVERIFY(liesIn("a", "a"));
        QVERIFY(liesIn("a/b", "a"));
        QVERIFY(liesIn("a/b", "."));
        QVERIFY(liesIn(".", "."));
        QVERIFY(!liesIn("ab", "a"));
        QVERIFY(!liesIn("a-b/c", "a"));
        QVERIFY(!liesIn("a", "a/b"));
        QVERIFY(!liesIn("b/a", "a"));
    }
};

ALTI_TEST(TestClusterTexts)
#include "tst_cluster_texts.moc"
