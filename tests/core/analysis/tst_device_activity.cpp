#include "core/analysis/device_activity.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using altiscope::test::rankTrace;

namespace {

QByteArray text(const IntervalSet& set) {
    QByteArray text;
    for (const TimeRange& range : set) text += '[' + QByteArray::number(qint64{range.begin.value}) + ',' + QByteArray::number(qint64{range.end.value}) + ')';
    return text;
}

RankEntry rankOf(std::string_view lines) {
    RankEntry rank;
    rank.trace = rankTrace(lines);
    return rank;
}

}  // namespace

class TestDeviceActivity : public QObject {
    Q_OBJECT
private slots:
    void groupTrack_data() {
        QTest::addColumn<QString>("process");
        QTest::addColumn<QString>("thread");
        QTest::addColumn<bool>("expected");
        QTest::addRow("group by number") << "Communication" << "Group 0 Communication" << true;
        QTest::addRow("old name of the process") << "HCCL" << "Group hash Communication" << true;
        QTest::addRow("2023") << "HCCL" << "Communication Kernel" << true;
        QTest::addRow("plane") << "Communication" << "Plane 1" << false;
        QTest::addRow("engine that moves the data") << "CCU" << "CCU" << false;
        QTest::addRow("stream") << "Ascend Hardware" << "Stream 1" << false;
    }
    void groupTrack() {
        QFETCH(QString, process);
        QFETCH(QString, thread);
        const auto trace = rankTrace(process.toStdString() + "/" + thread.toStdString() + ": a[0,1)");
        QTEST(isGroupTrack(trace->tracks()[0]), "expected");
    }

    void tasksOfTheCcuAreNoCollectives() {
        const RankEntry rank = rankOf("Ascend Hardware/Stream 1: MatMul[0,10)\n"
                                      "Communication/Group 0 Communication: hcom_allReduce__586_0_1[20,50)\n"
                                      "CCU/CCU: hcom_allReduce_ccu[0,100)\n");
        QCOMPARE(text(readDeviceActivity(rank, {})->communication), QByteArray("[20,50)"));
    }
};

ALTI_TEST(TestDeviceActivity)
#include "tst_device_activity.moc"
