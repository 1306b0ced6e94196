#include "core/import/import_capture.h"
#include "tests/core/import/db_fixture.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <string>
#include <string_view>

using namespace altiscope;
using namespace altiscope::test;

/// Graphs that are replayed: each of their runs has the rows of the same tasks.
class TestGraphRuns : public QObject {
    Q_OBJECT
private slots:
    void tasksOfACollectiveInEachRunOfAGraph();
    void argumentsOfAnotherRunOfAGraph_data();
    void argumentsOfAnotherRunOfAGraph();
    void argumentsAfterACollectiveWithAWrongEnd();
    void argumentsOfMoreRunsThanCanBeCompared_data();
    void argumentsOfMoreRunsThanCanBeCompared();
};

/// Each run has the rows of its tasks in both tables, by one number: all were joined with all.
void TestGraphRuns::tasksOfACollectiveInEachRunOfAGraph() {
    const TestFolder folder;
    execute(folder.path() / kDatabase,
            kKernels + "CREATE TABLE COMMUNICATION_TASK_INFO(globalTaskId, taskType, planeId, groupName); INSERT INTO "
                       "COMMUNICATION_TASK_INFO VALUES (0,3,0,9),(1,3,0,9),(0,3,0,9),(1,3,0,9),(0,3,0,9),(1,3,0,9);"
                       "INSERT INTO TASK SELECT startNs + 9000, endNs + 9000, deviceId, connectionId, globalTaskId, "
                       "taskType, contextId, streamId FROM TASK UNION ALL SELECT startNs + 99000, endNs + 99000, "
                       "deviceId, connectionId, globalTaskId, taskType, contextId, streamId FROM TASK;");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(troubles(*result.value()), QString());
    const TraceStore& trace = *result.value()->ranks.at(0).trace;
    std::uint32_t slices = 0;
    for (std::uint32_t track = 0; track < trace.tracks().size(); ++track) {
        if (trace.tracks()[track].kind == TrackKind::Communication) slices += trace.extent({track}).sliceCount;
    }
    QCOMPARE(slices, 6U);
}

void TestGraphRuns::argumentsOfAnotherRunOfAGraph_data() {
    QTest::addColumn<QString>("rows");
    QTest::addColumn<QString>("expected");  // size and target of each run
    QTest::addColumn<QString>("reported");
    const auto row = [](const char* clause, const char* rows, const char* expected, const char* reported) {
        QTest::addRow("%s", clause) << QString::fromUtf8(rows) << QString::fromUtf8(expected)
                                    << QString::fromUtf8(reported).replace(QLatin1Char('%'), shown(kDatabase));
    };
    row("of the time of its collective", "(0,3,0,9,0,100,1),(0,3,0,9,1,200,1)", "100 1, 200 1", "");
    row("in another order", "(0,3,0,9,1,200,1),(0,3,0,9,0,100,1)", "100 1, 200 1", "");
    row("the same in each", "(0,3,0,9,NULL,100,1),(0,3,0,9,NULL,100,1)", "100 1, 100 1", "");
    row("of unknown collectives", "(0,3,0,9,7,100,1),(0,3,0,9,8,200,1)", "- 1, - 1",
        "repaired db.unknown_run % x2 row 2, row 4\n");
    row("of collectives that overlap, and say the same", "(0,3,0,9,0,100,1),(0,3,0,9,1,200,1),(0,3,0,9,2,200,1)",
        "100 1, 200 1, 200 1", "");
    row("of collectives that overlap, and do not say the same", "(0,3,0,9,0,100,1),(0,3,0,9,1,200,1),(0,3,0,9,2,300,1)",
        "100 1, - 1, - 1", "repaired db.unknown_run % x2 row 4, row 5\n");
    row("of a long collective around a short one that ended", "(0,3,0,9,0,100,1),(0,3,0,9,2,200,1),(0,3,0,9,3,300,1)",
        "100 1, 200 1, 200 1", "");
    row("without a collective", "(0,3,0,9,-1,100,1),(0,3,0,9,-1,200,1)", "- 1, - 1",
        "repaired db.unknown_run % x2 row 2, row 4\n");
    // The second may be of either time of its number, the first of one of them.
    row("of a number that stands twice", "(0,3,0,9,0,100,1),(0,3,0,9,4,200,1)", "- 1, 200 1",
        "repaired db.unknown_run % x1 row 2\n");
    row("a row of another plane", "(0,3,0,9,7,100,1),(0,3,0,9,8,100,1),(0,3,1,9,8,300,2)", "100 1, 100 1, 300 2, 300 2",
        "");
    row("rows of two planes, of which one says the same in each run",
        "(0,3,0,9,7,100,1),(0,3,0,9,8,100,1),(0,3,1,9,7,300,2),(0,3,1,9,8,400,2)", "100 1, 100 1, - 2, - 2",
        "repaired db.unknown_run % x2 row 2, row 4\n");
    row("a number in one run alone", "(0,3,0,9,7,100,1),(0,3,0,9,8,NULL,1)", "- 1, - 1",
        "repaired db.unknown_run % x2 row 2, row 4\n");
}

/// Each run showed the numbers of the first one.
void TestGraphRuns::argumentsOfAnotherRunOfAGraph() {
    QFETCH(QString, rows);
    QFETCH(QString, expected);
    QFETCH(QString, reported);
    const TestFolder folder;
    execute(folder.path() / kDatabase,
            kKernels +
                "CREATE TABLE COMMUNICATION_OP(opName, startNs, endNs, groupName, connectionId, opId); "
                "INSERT INTO COMMUNICATION_OP VALUES (8,1500,1600,9,70,0),(8,10500,10600,9,70,1),"
                "(8,10400,10700,9,70,2),(8,10450,10460,9,70,3),(8,10401,10701,9,70,4),(8,1400,1700,9,70,4),"
                "(8,1400,20000,9,70,-1);"
                "CREATE TABLE COMMUNICATION_TASK_INFO(globalTaskId, taskType, planeId, groupName, opId, size, dstRank);"
                "INSERT INTO COMMUNICATION_TASK_INFO VALUES " +
                rows.toStdString() +
                "; INSERT INTO TASK SELECT startNs + 9000, endNs + 9000, deviceId, connectionId, globalTaskId, "
                "taskType, contextId, streamId FROM TASK WHERE globalTaskId = 0;");
    if (rows.count(QStringLiteral("(0,3,0,9,")) > 2)
        execute(folder.path() / kDatabase,
                "INSERT INTO TASK SELECT startNs + 50, endNs + 50, deviceId, connectionId, globalTaskId, taskType, "
                "contextId, streamId FROM TASK WHERE globalTaskId = 0 AND startNs > 9000;");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(troubles(*result.value()), reported);
    const RankEntry& rank = result.value()->ranks.at(0);
    QStringList runs;
    for (std::uint32_t track = 0; track < rank.trace->tracks().size(); ++track) {
        const TrackExtent& extent = rank.trace->extent({track});
        if (!rank.trace->tracks()[track].name.starts_with("Plane")) continue;
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            const auto text = rank.arguments->arguments(rank.trace->pos({i}));
            QVERIFY(text.ok());
            const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(text.value())).object();
            const auto value = [&json](const char* key) {
                return json.contains(QLatin1String(key)) ? json[QLatin1String(key)].toVariant().toString()
                                                         : QStringLiteral("-");
            };
            runs.append(value("size(Byte)") + QLatin1Char(' ') + value("dst rank"));
        }
    }
    QCOMPARE(runs.join(QStringLiteral(", ")), expected);
}

/// The end of one collective took the numbers from all later runs.
void TestGraphRuns::argumentsAfterACollectiveWithAWrongEnd() {
    static constexpr int kRuns = 100;
    const TestFolder folder;
    const std::string numbers = "WITH RECURSIVE run(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM run WHERE n < " +
                                std::to_string(kRuns - 1) + ") ";
    execute(folder.path() / kDatabase,
            kKernels +
                "CREATE TABLE COMMUNICATION_OP(opName, startNs, endNs, groupName, connectionId, opId);"
                "CREATE TABLE COMMUNICATION_TASK_INFO(globalTaskId, taskType, planeId, groupName, opId, size, dstRank);"
                "DELETE FROM TASK WHERE globalTaskId = 0;" +
                numbers +
                "INSERT INTO COMMUNICATION_OP SELECT 8, 10000 + n * 1000, 10500 + n * 1000, 9, 70, n FROM run; " +
                numbers + "INSERT INTO COMMUNICATION_TASK_INFO SELECT 0, 3, 0, 9, n, 100 + n, 1 FROM run; " + numbers +
                "INSERT INTO TASK SELECT 10000 + n * 1000, 10500 + n * 1000, 6, 70, 0, 2, 4294967295, 2 FROM run; "
                "UPDATE COMMUNICATION_OP SET endNs = 9000000 WHERE opId = 1;");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QVERIFY2(!troubles(*result.value()).contains(QStringLiteral("db.unknown_run")),
             qPrintable(troubles(*result.value())));
    const RankEntry& rank = result.value()->ranks.at(0);
    int run = 0;
    for (std::uint32_t track = 0; track < rank.trace->tracks().size(); ++track) {
        const TrackExtent& extent = rank.trace->extent({track});
        if (!rank.trace->tracks()[track].name.starts_with("Plane")) continue;
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i, ++run) {
            const auto text = rank.arguments->arguments(rank.trace->pos({i}));
            QVERIFY(text.ok());
            const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(text.value())).object();
            QCOMPARE(json[QLatin1String("size(Byte)")].toInt(), 100 + run);
        }
    }
    QCOMPARE(run, kRuns);
}

void TestGraphRuns::argumentsOfMoreRunsThanCanBeCompared_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<bool>("hasTarget");
    QTest::newRow("as many as are compared") << 10'000 << true;
    QTest::newRow("one more") << 10'001 << false;
}

/// One click looked up each row of the task.
void TestGraphRuns::argumentsOfMoreRunsThanCanBeCompared() {
    QFETCH(int, rows);
    QFETCH(bool, hasTarget);
    const TestFolder folder;
    execute(folder.path() / kDatabase,
            kKernels +
                "CREATE TABLE COMMUNICATION_TASK_INFO(globalTaskId, taskType, planeId, groupName, opId, size, dstRank);"
                "WITH RECURSIVE run(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM run WHERE n < " +
                std::to_string(rows - 1) +
                ") INSERT INTO COMMUNICATION_TASK_INFO SELECT 0, 3, 0, 9, NULL, 100 + n, 1 FROM run;");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    const RankEntry& rank = result.value()->ranks.at(0);
    int slices = 0;
    for (std::uint32_t track = 0; track < rank.trace->tracks().size(); ++track) {
        const TrackExtent& extent = rank.trace->extent({track});
        if (!rank.trace->tracks()[track].name.starts_with("Plane")) continue;
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i, ++slices) {
            const auto text = rank.arguments->arguments(rank.trace->pos({i}));
            QVERIFY(text.ok());
            const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(text.value())).object();
            QCOMPARE(json.contains(QLatin1String("dst rank")), hasTarget);
            QVERIFY(!json.contains(QLatin1String("size(Byte)")));
            QVERIFY(json.contains(QLatin1String("task type")));
            QVERIFY(json.contains(QLatin1String("stream id")));
        }
    }
    QCOMPARE(slices, 1);
}

ALTI_TEST(TestGraphRuns)
#include "tst_graph_runs.moc"
