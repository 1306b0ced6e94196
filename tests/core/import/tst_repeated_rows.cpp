#include "core/import/import_capture.h"
#include "tests/core/import/cluster_samples.h"
#include "tests/core/import/db_fixture.h"
#include "tests/support/capture_dump.h"
#include "tests/support/marked_text.h"
#include "tests/support/test_main.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <string>
#include <string_view>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr const char* kOutput = "rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/";

}  // namespace

/// What stands in a file a second time, as it is after a part of it was appended to it: sums doubled without a word.
class TestRepeatedRows : public QObject {
    Q_OBJECT
private slots:
    void eventsOfATraceTwice_data();
    void eventsOfATraceTwice();
    void rowsOfATableTwice_data();
    void rowsOfATableTwice();
    void aDatabaseTwice_data();
    void aDatabaseTwice();
    void tasksOfACollectiveInEachRunOfAGraph();
    void argumentsOfAnotherRunOfAGraph_data();
    void argumentsOfAnotherRunOfAGraph();
    void argumentsAfterACollectiveWithAWrongEnd();
    void argumentsOfMoreRunsThanCanBeCompared_data();
    void argumentsOfMoreRunsThanCanBeCompared();
    void manyEventsTwice();
};

void TestRepeatedRows::eventsOfATraceTwice_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<int>("slices");
    const auto row = [](const char* clause, const char* json, const char* expected, int slices) {
        QTest::addRow("%s", clause) << QString::fromUtf8(json) << QString::fromUtf8(expected) << slices;
    };
    row("an event twice",
        R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":9,"args":{"id":1}},<b>{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":9,"args":{"id":1}}])",
        "lost repeated_event t.json x1 byte {b}\n", 2);
    row("all events appended once more",
        R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":9},{"ph":"X","name":"B","pid":1,"tid":2,"ts":1,"dur":9},<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":9},<b>{"ph":"X","name":"B","pid":1,"tid":2,"ts":1,"dur":9}])",
        "lost repeated_event t.json x2 byte {a}, byte {b}\n", 4);
    row("begins and ends twice",
        R"([{"ph":"B","name":"A","pid":1,"tid":2,"ts":1},<b>{"ph":"B","name":"A","pid":1,"tid":2,"ts":1},{"ph":"E","name":"A","pid":1,"tid":2,"ts":9},{"ph":"E","name":"A","pid":1,"tid":2,"ts":9}])",
        "lost repeated_event t.json x1 byte {b}\n", 2);
    // Sub-tasks run side by side; marks of a moment are distinguished by what they say.
    row("other arguments",
        R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":9,"args":{"id":1}},{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":9,"args":{"id":2}},{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":9}])",
        "", 3);
    row("sub-tasks side by side appended once more",
        R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":9,"args":{"id":1}},{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":9,"args":{"id":2}},<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":9,"args":{"id":1}},<b>{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":9,"args":{"id":2}}])",
        "lost repeated_event t.json x2 byte {a}, byte {b}\n", 4);
    // Its times may be whole us, and two calls of a moment stand alike.
    row("a moment twice",
        R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":0},{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":0}])",
        "", 2);
    row("another category",
        R"([{"ph":"X","name":"A","cat":"a","pid":1,"tid":2,"ts":1,"dur":9},{"ph":"X","name":"A","cat":"b","pid":1,"tid":2,"ts":1,"dur":9}])",
        "", 2);
    row("another thread, name, begin or duration",
        R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":9},{"ph":"X","name":"A","pid":1,"tid":3,"ts":1,"dur":9},{"ph":"X","name":"B","pid":1,"tid":2,"ts":1,"dur":9},{"ph":"X","name":"A","pid":1,"tid":2,"ts":2,"dur":8},{"ph":"X","name":"A","pid":1,"tid":2,"ts":2,"dur":7}])",
        "", 5);
}

void TestRepeatedRows::eventsOfATraceTwice() {
    QFETCH(QString, json);
    QFETCH(QString, expected);
    QFETCH(int, slices);
    const TestFolder folder;
    const MarkedText marked(json.toStdString());
    const auto result = importForTest(folder.write("t.json", marked.text));
    QVERIFY(result.ok());
    QCOMPARE(troubles(*result.value()), shown(marked.resolved(expected.toStdString())));
    QCOMPARE(result.value()->ranks.at(0).trace->sliceCount(), static_cast<std::size_t>(slices));
    QCOMPARE(result.value()->state, expected.isEmpty() ? CaptureStore::State::Ok : CaptureStore::State::Partial);
}

void TestRepeatedRows::rowsOfATableTwice_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("kept");
    const auto row = [](const char* clause, const char* file, const std::string& text, const std::string& expected,
                        RowKind kind, int kept) {
        QTest::addRow("%s", clause) << QString::fromUtf8(file) << shown(text)
                                    << (expected.empty() ? QString()
                                                         : QStringLiteral("lost csv.repeated_event %1%2 x%3\n")
                                                               .arg(QString::fromUtf8(kOutput), QString::fromUtf8(file),
                                                                    shown(expected)))
                                    << static_cast<int>(kind) << kept;
    };
    const std::string kernels = "Name,Type,Accelerator Core,Start Time(us),Duration(us)\n",
                      two = "A,T,AI_CORE,1,2\nB,T,AI_CORE,5,2\n";
    row("kernels", "kernel_details.csv", kernels + two + two, "2 row 4, row 5", RowKind::Kernel, 4);
    row("kernels, and what is in a quote", "kernel_details.csv",
        kernels + "\"A,\nB\",T,AI_CORE,1,2\n\"A,\nC\",T,AI_CORE,1,2\n\n\"A,\nB\",T,AI_CORE,1,2\r\n", "1 row 5",
        RowKind::Kernel, 3);
    row("kernels three times", "kernel_details.csv", kernels + two + two + two, "4 row 4, row 5, row 6, row 7",
        RowKind::Kernel, 6);
    std::string eight;
    for (int i = 0; i < 8; ++i) eight += "A,T,AI_CORE," + std::to_string(i) + ",2\n";
    row("one of many kernels that name no task", "kernel_details.csv", kernels + eight + "A,T,AI_CORE,7,2\n", "",
        RowKind::Kernel, 9);
    std::string tasks = "Task ID,Name,Type,Accelerator Core,Start Time(us),Duration(us)\n";
    for (int i = 0; i < 8; ++i) tasks += std::to_string(i) + ",A,T,AI_CORE," + std::to_string(i) + ",2\n";
    row("one of many kernels that name their task", "kernel_details.csv", tasks + "7,A,T,AI_CORE,7,2\n", "1 row 10",
        RowKind::Kernel, 9);
    row("kernels of one start", "kernel_details.csv", kernels + "A,T,AI_CORE,1,2\nB,T,AI_CORE,1,2\nA,T,AI_CORE,1,3\n",
        "", RowKind::Kernel, 3);
    const std::string samples = "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB)\n";
    row("samples of memory", "memory_record.csv", samples + "PTA,1,1,2\nGE,1,1,2\nPTA,2,1,2\nPTA,1,1,2\n", "1 row 5",
        RowKind::MemorySample, 4);
    // Two samples of a moment may be alike by chance.
    row("one of many samples of memory", "memory_record.csv",
        samples + "PTA,1,1,2\nPTA,2,1,2\nPTA,3,1,2\nPTA,4,1,2\nPTA,5,1,2\nPTA,6,1,2\nPTA,7,1,2\nPTA,8,1,2\nPTA,8,1,2\n",
        "", RowKind::MemorySample, 9);
    const std::string allocations = "Name,Size(KB),Allocation Time(us),Release Time(us)\n";
    row("allocations", "operator_memory.csv", allocations + "a,1,1,2\na,1,2,3\na,1,1,2\na,1,2,3", "2 row 4, row 5",
        RowKind::Allocation, 4);
    row("memory of modules", "npu_module_mem.csv",
        "Component,Timestamp(us),Total Reserved(KB)\nHCCL,1,5\nHCCL,2,5\nHCCL,2,5\n", "1 row 4", RowKind::ModuleMemory,
        3);
    // Without a time an operator may be called twice alike.
    row("operators", "operator_details.csv", "Name,Host Total Duration(us)\na,1\na,1\n", "", RowKind::Operator, 2);
}

void TestRepeatedRows::rowsOfATableTwice() {
    QFETCH(QString, file);
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QFETCH(int, kind);
    QFETCH(int, kept);
    const TestFolder folder;
    folder.write(kOutput + file.toStdString(), text.toStdString());
    for (const std::size_t chunk : {std::size_t{1} << 20, std::size_t{7}}) {
        const auto result = importForTest(folder.path(), {.chunkBytes = chunk});
        QVERIFY(result.ok());
        QString found = troubles(*result.value());
        found.remove(QStringLiteral("repaired csv.no_line_end %1%2 x1 row 5\n").arg(QString::fromUtf8(kOutput), file));
        QCOMPARE(found, expected);
        QCOMPARE(rowsOf(*result.value(), static_cast<RowKind>(kind)), static_cast<std::size_t>(kept));
    }
}

void TestRepeatedRows::aDatabaseTwice_data() {
    QTest::addColumn<QString>("database");
    QTest::addColumn<QString>("analysis");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("kept");
    const auto row = [](const char* clause, const std::string& database, const std::string& analysis,
                        const std::string& expected, RowKind kind, int kept) {
        QTest::addRow("%s", clause) << shown(database) << shown(analysis)
                                    << (expected.empty() ? QString()
                                                         : QStringLiteral("lost db.repeated_row %1 x%2\n")
                                                               .arg(shown(analysis.empty() ? kDatabase : kAnalysis),
                                                                    shown(expected)))
                                    << static_cast<int>(kind) << kept;
    };
    const std::string tasks = kTasks;
    const auto twice = [](const char* table) {
        return std::string("INSERT INTO ") + table + " SELECT * FROM " + table + ';';
    };
    row("tasks", kKernels + twice("TASK"), "", "3 row 4, row 5, row 6", RowKind::Kernel, 6);
    row("a graph that runs again",
        kKernels + "INSERT INTO TASK SELECT startNs + 9000, endNs + 9000, deviceId, connectionId, globalTaskId, "
                   "taskType, contextId, streamId FROM TASK;",
        "", "", RowKind::Kernel, 6);
    const std::string calls = tasks + "CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid, name, type, "
                                      "sequenceNumber);";
    row("operators",
        calls + "INSERT INTO PYTORCH_API VALUES ('1000','1100',8,15,50001,1),('1200','1300',8,15,50001,2);" +
            twice("PYTORCH_API"),
        "", "2 row 3, row 4", RowKind::Operator, 4);
    row("operators that differ in one number",
        calls + "INSERT INTO PYTORCH_API VALUES ('1000','1100',8,15,50001,1),('1000','1100',8,15,50001,2);", "", "",
        RowKind::Operator, 2);
    row("marks",
        tasks +
            "CREATE TABLE MSTX_EVENTS(startNs, endNs, globalTid, message, eventType, connectionId); INSERT INTO "
            "MSTX_EVENTS VALUES (1000,1000,8,15,0,1);" +
            twice("MSTX_EVENTS"),
        "", "1 row 2", RowKind::Kernel, 0);
    row("collectives",
        kKernels +
            "CREATE TABLE COMMUNICATION_OP(opName, startNs, endNs, groupName, connectionId); INSERT INTO "
            "COMMUNICATION_OP VALUES (8,1700,1900,9,5),(8,1950,1960,9,6);" +
            twice("COMMUNICATION_OP"),
        "", "2 row 3, row 4", RowKind::Kernel, 7);
    const std::string small = kKernels + "CREATE TABLE COMMUNICATION_TASK_INFO(globalTaskId, taskType, planeId, "
                                         "groupName); INSERT INTO COMMUNICATION_TASK_INFO VALUES (0,3,0,9),(1,3,0,9);";
    row("a graph with collectives that runs again",
        small +
            "INSERT INTO TASK SELECT startNs + 9000, endNs + 9000, deviceId, connectionId, globalTaskId, taskType, "
            "contextId, streamId FROM TASK;" +
            twice("COMMUNICATION_TASK_INFO"),
        "", "", RowKind::Kernel, 6);
    row("steps", kKernels + twice("STEP_TIME"), "", "1 row 2", RowKind::Kernel, 3);
    row("samples of memory",
        tasks +
            "CREATE TABLE MEMORY_RECORD(component, timestamp, totalAllocated, totalReserved, totalActive, "
            "streamPtr, deviceId); INSERT INTO MEMORY_RECORD VALUES (12,10,1,2,3,77,6),(13,10,1,2,3,77,6);" +
            twice("MEMORY_RECORD"),
        "", "2 row 3, row 4", RowKind::MemorySample, 4);
    row("allocations",
        tasks +
            "CREATE TABLE OP_MEMORY(name, size, allocationTime, releaseTime, streamPtr); INSERT INTO OP_MEMORY "
            "VALUES (15,512,10,20,7),(15,512,10,NULL,7);" +
            twice("OP_MEMORY"),
        "", "2 row 3, row 4", RowKind::Allocation, 4);
    row("memory of modules",
        tasks +
            "CREATE TABLE NPU_MODULE_MEM(moduleId, timestampNs, totalReserved, deviceId); INSERT INTO "
            "NPU_MODULE_MEM VALUES (1,10,5,6),(2,10,5,6);" +
            twice("NPU_MODULE_MEM"),
        "", "2 row 3, row 4", RowKind::ModuleMemory, 4);
    std::string samples;
    for (int i = 1; i < 15; ++i) samples += "(12," + std::to_string(i) + ",1,2,3,77,6),";
    row("one of fifteen samples of memory",
        tasks +
            "CREATE TABLE MEMORY_RECORD(component, timestamp, totalAllocated, totalReserved, totalActive, "
            "streamPtr, deviceId); INSERT INTO MEMORY_RECORD VALUES " +
            samples + "(12,14,1,2,3,77,6);",
        "", "", RowKind::MemorySample, 15);
    // Real databases say a frequency twice.
    row("a counter",
        tasks +
            "CREATE TABLE AICORE_FREQ(deviceId, timestampNs, freq); INSERT INTO AICORE_FREQ VALUES "
            "(6,10,800),(6,20,800);" +
            twice("AICORE_FREQ"),
        "", "", RowKind::Kernel, 0);
    row("memory of the process",
        tasks +
            "CREATE TABLE NPU_MEM(type, ddr, hbm, timestampNs, deviceId); INSERT INTO NPU_MEM VALUES "
            "(14,1,2048,9,6);" +
            twice("NPU_MEM"),
        "", "1 row 2", RowKind::MemorySample, 2);
    row("collectives of analysis.db", tasks,
        joined(kTimes, "INSERT INTO CommAnalyzerTime VALUES ('a','7',2,1,'step1','p2p'),('a','7',2,1,'step2','p2p');" +
                           twice("CommAnalyzerTime")),
        "2 row 3, row 4", RowKind::Collective, 4);
    row("links of analysis.db", tasks,
        joined(kLinks,
               "INSERT INTO CommAnalyzerMatrix VALUES ('a-top1','7','0','1','HCCS',2,1,2.5,'step1','p2p','b');" +
                   twice("CommAnalyzerMatrix")),
        "1 row 2", RowKind::Link, 2);
    row("packets of analysis.db", tasks,
        joined(kBandwidths, "INSERT INTO CommAnalyzerBandwidth VALUES ('a','7','HCCS',2,1,2.5,0,1,2,3,'step1','p2p');" +
                                twice("CommAnalyzerBandwidth")),
        "1 row 2", RowKind::Packet, 2);
}

void TestRepeatedRows::aDatabaseTwice() {
    QFETCH(QString, database);
    QFETCH(QString, analysis);
    QFETCH(QString, expected);
    QFETCH(int, kind);
    QFETCH(int, kept);
    const TestFolder folder;
    execute(folder.path() / kDatabase, database.toStdString());
    if (!analysis.isEmpty()) execute(folder.path() / kAnalysis, analysis.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(troubles(*result.value()), expected);
    QCOMPARE(rowsOf(*result.value(), static_cast<RowKind>(kind)), static_cast<std::size_t>(kept));
    QCOMPARE(result.value()->ranks.at(0).steps.size(), std::size_t{1});
}

/// Each run has the rows of its tasks in both tables, by one number: all were joined with all.
void TestRepeatedRows::tasksOfACollectiveInEachRunOfAGraph() {
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

void TestRepeatedRows::argumentsOfAnotherRunOfAGraph_data() {
    QTest::addColumn<QString>("rows");
    QTest::addColumn<QString>("expected");  // size and target of each run
    QTest::addColumn<QString>("reported");
    const auto row = [](const char* clause, const char* rows, const char* expected, const char* reported) {
        QTest::addRow("%s", clause) << QString::fromUtf8(rows) << QString::fromUtf8(expected)
                                    << QString::fromUtf8(reported).replace(QLatin1Char('%'), shown(kDatabase));
    };
    row("of the time of its collective", "(0,3,0,9,0,100,1),(0,3,0,9,1,200,1)", "100 1, 200 1", "");
    row("in another order", "(0,3,0,9,1,200,1),(0,3,0,9,0,100,1)", "100 1, 200 1", "");
    row("the same in each", "(0,3,0,9,NULL,100,1),(0,3,0,9,NULL,100,1)", "100 1, 100 1",
        "lost db.missing_value % x2 row 1, row 2\n");
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
void TestRepeatedRows::argumentsOfAnotherRunOfAGraph() {
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
void TestRepeatedRows::argumentsAfterACollectiveWithAWrongEnd() {
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

void TestRepeatedRows::argumentsOfMoreRunsThanCanBeCompared_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<bool>("hasTarget");
    QTest::newRow("as many as are compared") << 10'000 << true;
    QTest::newRow("one more") << 10'001 << false;
}

/// One click looked up each row of the task.
void TestRepeatedRows::argumentsOfMoreRunsThanCanBeCompared() {
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

/// More than are compared at a time, in parts that lie apart.
void TestRepeatedRows::manyEventsTwice() {
    std::string events;
    for (int i = 0; i < 9000; ++i)
        events += R"({"ph":"X","name":"n","pid":1,"tid":2,"ts":)" + std::to_string(i * 10) +
                  R"(,"dur":9,"args":{"i":)" + std::to_string(i) + "}},";
    const std::string end = R"({"ph":"X","name":"end","pid":1,"tid":2,"ts":90000,"dur":9}])";
    const TestFolder folder;
    const auto result = importForTest(folder.write("t.json", '[' + events + events + end), {.chunkBytes = 4096});
    QVERIFY(result.ok());
    const auto entries = result.value()->diagnostics.entries();
    QCOMPARE(entries.size(), std::size_t{1});
    QCOMPARE(entries.front().code, std::string("repeated_event"));
    QCOMPARE(entries.front().count, std::uint64_t{9000});
    QCOMPARE(entries.front().places.front().value, std::uint64_t{events.size() + 1});
    QCOMPARE(result.value()->ranks.at(0).trace->sliceCount(), std::size_t{18001});
}

ALTI_TEST(TestRepeatedRows)
#include "tst_repeated_rows.moc"
