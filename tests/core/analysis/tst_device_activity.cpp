#include "core/analysis/steps/device_activity.h"
#include "core/analysis/steps/step_breakdown.h"
#include "core/analysis/steps/steps.h"
#include "core/store/recording_parts.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using altiscope::test::addKernelRows;
using altiscope::test::rankTrace;
using altiscope::test::rowsOf;

namespace {

QByteArray text(const IntervalSet& set) {
    QByteArray text;
    for (const TimeRange& range : set)
        text += '[' + QByteArray::number(qint64{range.begin.value}) + ',' +
                QByteArray::number(qint64{range.end.value}) + ')';
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
        QTest::addRow("group by number") << "Communication"
                                         << "Group 0 Communication" << true;
        QTest::addRow("old name of the process") << "HCCL"
                                                 << "Group hash Communication" << true;
        QTest::addRow("2023") << "HCCL"
                              << "Communication Kernel" << true;
        QTest::addRow("plane") << "Communication"
                               << "Plane 1" << false;
        QTest::addRow("engine that moves the data") << "CCU"
                                                    << "CCU" << false;
        QTest::addRow("stream") << "Ascend Hardware"
                                << "Stream 1" << false;
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
        QCOMPARE(text(readDeviceActivity(rank, {})->devices.at(0).communication), QByteArray("[20,50)"));
    }

    void devicesOfOneCaptureAreNotUnited() {
        // The second device computes while the first one communicates: neither hides anything of the other.
        RankEntry rank = rankOf("Ascend Hardware:NPU 4/Stream 1: MatMul[0,10)\n"
                                "Ascend Hardware:NPU 5/Stream 1: MatMul[10,90)\n"
                                "Communication:NPU 4/Group 0 Communication: hcom_receive__1_0_1[10,50)\n"
                                "Communication:NPU 5/Group 0 Communication: hcom_allReduce__1_0_1[80,100)\n");
        RowTablesBuilder builder;
        for (const bool withRows : {false, true}) {
            if (withRows) {
                addKernelRows(builder, *rank.trace, 3);
                rank.rows = builder.seal({}).value();
            }
            const auto activity = readDeviceActivity(rank, {});
            QCOMPARE(activity->devices.size(), std::size_t{2});
            QCOMPARE(*activity->devices[0].device, 4);
            QCOMPARE(text(activity->devices[0].computing), QByteArray("[0,10)"));
            QCOMPARE(text(activity->devices[0].communication), QByteArray("[10,50)"));
            QCOMPARE(activity->devices[0].receives.size(), std::size_t{1});
            QCOMPARE(text(activity->devices[1].computing), QByteArray("[10,90)"));
            QCOMPARE(text(activity->devices[1].communication), QByteArray("[80,100)"));
            const std::vector<StepBreakdown> rows = computeBreakdown(*activity);
            QCOMPARE(rows.size(), std::size_t{2});
            QCOMPARE(*rows[0].deviceNumber, 4);
            QCOMPARE(*rows[0].exposed, 40);
            QCOMPARE(*rows[1].exposed, 10);
            QCOMPARE(*rows[1].overlapped, 10);
            // One row a step for the rank: NPU 5 works for 90 ns, NPU 4 for 50.
            const std::vector<StepBreakdown> ofRank = ofBusiestDevice(rows);
            QCOMPARE(ofRank.size(), std::size_t{1});
            QCOMPARE(*ofRank[0].deviceNumber, 5);
        }
    }

    void theLastStepOfACaptureWithoutKernelRowsEndsOnTheHost() {
        RankEntry rank =
            rankOf("Ascend Hardware/Stream 1: MatMul[0,10) MatMul[110,120) MatMul[180,195) MatMul[500,600)\n");
        rank.steps = {{7, TimeRange{{0}, {90}}}, {8, TimeRange{{100}, {200}}}};
        const auto activity = readDeviceActivity(rank, {});
        QCOMPARE(activity->steps.size(), std::size_t{2});
        QVERIFY((activity->steps[0].device == TimeRange{{0}, {100}}));
        QVERIFY((activity->steps[1].device == TimeRange{{100}, {200}}));
        const std::vector<StepBreakdown> rows = computeBreakdown(*activity);
        QCOMPARE(*rows[0].free, 100);  // until the next step's first kernel
        QCOMPARE(*rows[1].computing, 25);
        QCOMPARE(*rows[1].free, 65);  // [120,180) and [195,200)
    }

    void repeatedStepMarkersAreOneStep() {
        RankEntry rank =
            rankOf("Python/Thread 1: ProfilerStep#4[0,50) ProfilerStep#5[100,140) ProfilerStep#5[100,190)\n"
                   "Ascend Hardware/Stream 1: MatMul[10,20) MatMul[120,150)\n");
        rank.steps = findSteps(*rank.trace);
        QCOMPARE(rank.steps.size(), std::size_t{2});
        QVERIFY((*rank.steps[1].range == TimeRange{{100}, {190}}));  // the longer one
        // Two numbers at one time, as a file that was written twice may have them.
        rank.steps.push_back({6, TimeRange{{100}, {190}}});
        const auto activity = readDeviceActivity(rank, {});
        QCOMPARE(activity->steps.size(), std::size_t{2});
        const std::vector<StepBreakdown> rows = computeBreakdown(*activity);
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(*rows[0].computing, 10);
        QCOMPARE(*rows[1].computing, 30);
    }

    /// What begins where a step ends is of the next one, if that begins there, else of this one.
    void whatBeginsAtTheEndOfAStepIsCountedOnce() {
        RankEntry rank = rankOf("Ascend Hardware/Stream 1: MatMul[10,20) MatMul[100,130) MatMul[200,207)\n");
        rank.steps = {{1, TimeRange{{0}, {100}}}, {2, TimeRange{{100}, {200}}}};
        const auto activity = readDeviceActivity(rank, {});
        QCOMPARE(*activity->stepAt({100}), std::size_t{1});
        QCOMPARE(*activity->stepAt({200}), std::size_t{1});
        QVERIFY(!activity->stepAt({201}));
        const std::vector<StepBreakdown> rows = computeBreakdown(*activity);
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(*rows[0].computing, 10);
        QCOMPARE(*rows[1].computing, 37);
    }

    /// What is prepared begins on the host; a device that begins before has another clock or other work.
    void preparingIsNeverNegative() {
        for (const auto& [begin, preparing] :
             {std::pair<std::int64_t, std::optional<std::int64_t>>(90, 10), {100, 0}, {101, std::nullopt}}) {
            RankEntry rank;
            rank.rows = rowsOf(RowKind::Kernel,
                               {{{"step", "2"}, {"kind", "compute"}, {"name", "A"}, {"ts", "100"}, {"dur", "10"}}});
            rank.steps = {{2, TimeRange{{begin}, {200}}}};
            const std::vector<StepBreakdown> rows = computeBreakdown(*readDeviceActivity(rank, {}));
            QCOMPARE(rows.size(), std::size_t{1});
            QCOMPARE(rows[0].preparing, preparing);
        }
    }

    /// A step lasts until its last kernel and until the host has done it, whichever is later.
    void aStepWithKernelRowsLastsUntilItsEndOnTheHost() {
        RankEntry rank = rankOf("Ascend Hardware/Stream 1: MatMul[0,10)\n"
                                "Communication/Group 0 Communication: hcom_allReduce__586_0_1[50,80)\n");
        RowTablesBuilder builder;
        addKernelRows(builder, *rank.trace, 3);
        rank.rows = builder.seal({}).value();
        for (const auto& [hostEnd, communication] : {std::pair<std::int64_t, std::int64_t>(50, 30), {49, 0}}) {
            rank.steps = {{3, TimeRange{{0}, {hostEnd}}}};
            const auto activity = readDeviceActivity(rank, {});
            QVERIFY((activity->steps.at(0).device == TimeRange{{0}, {hostEnd}}));
            QCOMPARE(*computeBreakdown(*activity).at(0).communication, communication);
        }
    }

    /// Rows of another recording lie beside the timeline; those that touch it do not.
    void kernelsThatTouchTheTimelineAreOfIt() {
        for (const auto& [begin, isOfIt] : {std::pair("20", true), std::pair("21", false)}) {
            RankEntry rank = rankOf("Ascend Hardware/Stream 1: MatMul[10,20)\n");
            rank.rows = rowsOf(RowKind::Kernel, {{{"kind", "compute"}, {"name", "A"}, {"ts", begin}, {"dur", "10"}}});
            QCOMPARE(kernelsOfTimeline(rank) != nullptr, isOfIt);
        }
    }

    void kernelsWithoutATimelineAreAtTheirPrintedTimes() {
        RankEntry rank;
        rank.rows = rowsOf(
            RowKind::Kernel,
            {{{"step", "2"}, {"kind", "compute"}, {"name", "A"}, {"ts", "100"}, {"dur", "10"}},
             {{"step", "2"}, {"kind", "communication"}, {"name", "hcom_receive__1"}, {"ts", "105"}, {"dur", "20"}},
             {{"step", "3"}, {"kind", "compute"}, {"name", "A"}, {"ts", "300"}, {"dur", "5"}},
             {{"step", "3"}, {"kind", "compute"}, {"name", "A"}, {"ts", "200"}, {"dur", "-50"}},
             {{"step", "3"}, {"kind", "compute"}, {"name", "A"}, {"ts", "9223372036854775800"}, {"dur", "100"}},
             {{"step", "3"}, {"kind", "compute"}, {"name", "A"}, {"ts", "400"}, {"dur", "9223372036854775800"}}});
        const auto activity = readDeviceActivity(rank, {});
        QVERIFY(hasComputation(rank) && !hasEvents(rank));
        QCOMPARE(text(activity->devices.at(0).computing), QByteArray("[100,110)[300,305)"));
        QCOMPARE(text(activity->devices.at(0).communication), QByteArray("[105,125)"));
        QCOMPARE(activity->devices.at(0).receives.size(), std::size_t{1});
        QCOMPARE(*activity->steps.at(0).step, 2);
        QVERIFY((activity->steps.at(1).device == TimeRange{{300}, {305}}));
        rank.window = TimeRange{{0}, {1}};
        QVERIFY(!readDeviceActivity(rank, {}));
    }
};

ALTI_TEST(TestDeviceActivity)
#include "tst_device_activity.moc"
