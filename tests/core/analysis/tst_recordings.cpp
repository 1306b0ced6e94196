#include "core/analysis/support/recordings.h"
#include "tests/support/test_main.h"

#include <string>
#include <utility>
#include <vector>

using namespace altiscope;

namespace {

/// "0 a/x" for rank 0 in folder a/x, "- y" for one without a number.
CaptureStore captureOf(const QString& ranks) {
    CaptureStore capture;
    for (const QString& rank : ranks.split(u',')) {
        RankEntry& entry = capture.ranks.emplace_back();
        const QString number = rank.section(u' ', 0, 0);
        if (number != QStringLiteral("-")) entry.info.rankId = number.toLongLong();
        entry.info.path = rank.section(u' ', 1).toStdString();
    }
    return capture;
}

}  // namespace

class TestRecordings : public QObject {
    Q_OBJECT
private slots:
    void ranksOfOneNumberAreApart_data() {
        QTest::addColumn<QString>("ranks");
        QTest::addColumn<QString>("recordings");
        QTest::addColumn<QString>("names");
        QTest::newRow("one run") << "0 x,1 y"
                                 << "0 0"
                                 << "";
        QTest::newRow("roles") << "0 train/a,0 rollout/b,1 train/c,1 rollout/d"
                               << "0 1 0 1"
                               << "train, rollout";
        QTest::newRow("a role lacks a rank") << "0 train/a,1 train/c,1 rollout/d"
                                             << "0 0 1"
                                             << "train, rollout";
        QTest::newRow("nodes that both count from 0") << "0 n0/p/a,0 n1/p/a,1 n0/p/b,1 n1/p/b"
                                                      << "0 1 0 1"
                                                      << "n0, n1";
        QTest::newRow("rank folders side by side") << "0 x,0 y,1 z"
                                                   << "0 1 0"
                                                   << "recording 1, recording 2";
        QTest::newRow("twice in one folder") << "0 a/x,0 b/x,0 b/y"
                                             << "0 1 2"
                                             << "recording 1, recording 2, recording 3";
        QTest::newRow("without a number") << "- a/x,0 a/y,0 b/z"
                                          << "0 0 1"
                                          << "a, b";
    }
    void ranksOfOneNumberAreApart() {
        QFETCH(QString, ranks);
        QFETCH(QString, recordings);
        QFETCH(QString, names);
        const Recordings found = recordingsOf(captureOf(ranks));
        QStringList numbers;
        for (const std::uint32_t one : found.ofRank) numbers << QString::number(one);
        QCOMPARE(numbers.join(u' '), recordings);
        QCOMPARE(QString::fromStdString(recordingNames(found)), names);
        QCOMPARE(found.areSeveral(), !names.isEmpty());
    }
};

ALTI_TEST(TestRecordings)
#include "tst_recordings.moc"
