#include "core/analysis/collectives/collective_times.h"
#include "core/base/threads/parallel.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <limits>

using namespace altiscope;
using altiscope::test::rankTrace;

namespace {

/// "name elapsed transit wait synchronization idle;" by track and begin.
QByteArray timesOf(const std::string& lines) {
    RankEntry rank;
    rank.trace = rankTrace(lines);
    const auto activity = readDeviceActivity(rank, {});
    QByteArray text;
    for (const CollectiveTime& row : collectiveTimes(rank, CaptureGroups(nullptr), *activity, {})) {
        text += QByteArray::fromStdString(row.opName);
        for (const std::optional<std::int64_t> value :
             {std::optional(row.elapsed), row.transit, std::optional(row.wait), std::optional(row.synchronization),
              row.idle})
            text += ' ' + (value ? QByteArray::number(qint64{*value}) : QByteArray("-"));
        text += ';';
    }
    return text;
}

}  // namespace

class TestCollectiveTimes : public QObject {
    Q_OBJECT
private slots:
    void times_data() {
        QTest::addColumn<QByteArray>("lines");
        QTest::addColumn<QByteArray>("expected");
        QTest::addRow("waits before and after moving")
            << QByteArray("Communication/Group 0 Communication: a[0,100)\n"
                          "Communication/Plane 0: Notify_Wait[0,10) Memcpy[10,40) Notify_Wait[50,65)\n")
            << QByteArray("a 100 30 25 10 45;");
        QTest::addRow("the lowest plane that waits")
            << QByteArray("Communication/Group 0 Communication: a[0,100)\n"
                          "Communication/Plane 0: Memcpy[0,90)\n"
                          "Communication/Plane 1: Notify_Wait[0,5) Memcpy[5,25)\n"
                          "Communication/Plane 2: Notify_Wait[0,50)\n")
            << QByteArray("a 100 20 5 5 75;");
        QTest::addRow("none waits: the lowest") << QByteArray("Communication/Group 0 Communication: a[0,100)\n"
                                                              "Communication/Plane 0: Memcpy[0,90)\n"
                                                              "Communication/Plane 1: Memcpy[5,25)\n")
                                                << QByteArray("a 100 90 0 0 10;");
        QTest::addRow("RDMA") << QByteArray("Communication/Group 0 Communication: a[0,100)\n"
                                            "Communication/Plane 0: RDMASend[0,1) Notify_Wait[1,21)\n")
                              << QByteArray("a 100 - 20 0 -;");
        QTest::addRow("without tasks") << QByteArray("Communication/Group 0 Communication: a[0,100)\n") << QByteArray();
        // Each task once: b runs within a, and c begins before a ends.
        QTest::addRow("overlapping collectives of a group share no task")
            << QByteArray(
                   "Communication/Group 0 Communication: a[0,100) b[20,40) c[90,150)\n"
                   "Communication/Plane 0: Memcpy[0,10) Memcpy[20,30) Memcpy[50,60) Memcpy[90,95) Memcpy[110,120)\n")
            << QByteArray("a 100 20 0 0 80;b 20 10 0 0 10;c 60 15 0 0 45;");
        QTest::addRow("times that do not fit")
            << QByteArray("Communication/Group 0 Communication: a[0,100)\nCommunication/Plane 0: "
                          "Memcpy[0,2305843009213693952) "
                          "Memcpy[1,2305843009213693953) Memcpy[2,2305843009213693954) Memcpy[3,2305843009213693955) "
                          "Memcpy[4,9)\n")
            << QByteArray("a 100 9223372036854775807 0 0 0;");
    }
    void times() {
        QFETCH(QByteArray, lines);
        QTEST(timesOf(lines.toStdString()), "expected");
    }

    void overlappingCollectivesTakeNoLongerThanTheirTasks() {
        // All of them begin before the first ends: looking through all tasks for each would be 4 * 10^8 steps.
        std::string group = "Communication/Group 0 Communication:", plane = "Communication/Plane 0:";
        constexpr int kCount = 20'000;
        for (int i = 0; i < kCount; ++i) {
            group += " c" + std::to_string(i % 7) + "[" + std::to_string(i * 10) + "," +
                     std::to_string(1'000'000 + i * 10) + ")";
            plane += " Memcpy[" + std::to_string(i * 10 + 1) + "," + std::to_string(i * 10 + 3) + ")";
        }
        RankEntry rank;
        rank.trace = rankTrace(group + "\n" + plane + "\n");
        const auto rows = collectiveTimes(rank, CaptureGroups(nullptr), *readDeviceActivity(rank, {}), {});
        QCOMPARE(rows.size(), std::size_t{kCount});
        for (const CollectiveTime& row : rows) QCOMPARE(*row.transit, 2);
    }

    void cancelled() {
        RankEntry rank;
        rank.trace = rankTrace("Communication/Group 0 Communication: a[0,100)\nCommunication/Plane 0: Memcpy[0,90)\n");
        const CancelToken token;
        const auto activity = readDeviceActivity(rank, token);
        token.requestCancel();
        QVERIFY(collectiveTimes(rank, CaptureGroups(nullptr), *activity, token).empty());
    }
};

ALTI_TEST(TestCollectiveTimes)
#include "tst_collective_times.moc"
