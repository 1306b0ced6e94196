#include "core/import/import_capture.h"
#include "tests/core/import/db_fixture.h"
#include "tests/support/capture_dump.h"
#include "tests/support/marked_text.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr const char* kOutput = "rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/";

}  // namespace

/// Numbers, keys and rows that profilers always write and that are not there: sums were too small without a word.
class TestMissingValues : public QObject {
    Q_OBJECT
private slots:
    void nullsInDatabases_data();
    void nullsInDatabases();
    void deletedRowsOfDatabases_data();
    void deletedRowsOfDatabases();
    void keysOfCommunication_data();
    void keysOfCommunication();
    void cellsOfTables_data();
    void cellsOfTables();
    void numbersThatTakeNoPart_data();
    void numbersThatTakeNoPart();
    void cellsThatCannotBeAreEmpty();
    void statisticsCountMore_data();
    void statisticsCountMore();
    void deletedRowsThatOtherFilesKnow_data();
    void deletedRowsThatOtherFilesKnow();
    void blocksDeletedFromRealTables_data();
    void blocksDeletedFromRealTables();
};

void TestMissingValues::nullsInDatabases_data() {
    QTest::addColumn<QString>("database");
    QTest::addColumn<QString>("analysis");
    QTest::addColumn<QString>("places");
    QTest::addColumn<QString>("detail");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("kept");
    const auto row = [](const char* clause, const std::string& database, const std::string& analysis,
                        const char* places, const char* detail, RowKind kind, int kept) {
        QTest::addRow("%s", clause) << shown(database) << shown(analysis) << QString::fromUtf8(places)
                                    << QString::fromUtf8(detail) << static_cast<int>(kind) << kept;
    };
    const std::string tasks = kTasks;
    row("type of a task", kKernels + "UPDATE TASK SET taskType = NULL WHERE globalTaskId = 0;", "", "x1 row 2",
        "TASK, taskType", RowKind::Kernel, 3);
    row("connection of tasks", kKernels + "UPDATE TASK SET connectionId = NULL;", "", "x3 row 1, row 2, row 3",
        "TASK, connectionId", RowKind::Kernel, 3);
    row("type of a call", kKernels + "UPDATE CANN_API SET type = NULL WHERE connectionId = 71;", "", "x1 row 71",
        "CANN_API, type", RowKind::Kernel, 3);
    row("type of an operator",
        tasks + "CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid, name, type); INSERT INTO PYTORCH_API "
                "VALUES ('1000','1100',8,15,50001),('1200','1300',8,15,NULL);",
        "", "x1 row 2", "PYTORCH_API, type", RowKind::Operator, 2);
    row("connection of a collective",
        kKernels + "CREATE TABLE COMMUNICATION_OP(opName, startNs, endNs, groupName, connectionId); INSERT INTO "
                   "COMMUNICATION_OP VALUES (8,1700,1900,9,5),(8,1950,1960,9,NULL);",
        "", "x1 row 2", "COMMUNICATION_OP, connectionId", RowKind::Kernel, 5);
    row("plane of a task of a collective",
        kKernels + "CREATE TABLE COMMUNICATION_TASK_INFO(globalTaskId, taskType, planeId, groupName); INSERT INTO "
                   "COMMUNICATION_TASK_INFO VALUES (0,3,NULL,9),(1,3,0,9);",
        "", "x1 row 1", "COMMUNICATION_TASK_INFO, planeId", RowKind::Kernel, 3);
    row("shapes of a kernel", kKernels + "UPDATE COMPUTE_TASK_INFO SET inputShapes = NULL WHERE globalTaskId = 1;", "",
        "x1 row 1", "COMPUTE_TASK_INFO, inputShapes", RowKind::Kernel, 3);
    row("total of memory",
        tasks + "CREATE TABLE MEMORY_RECORD(component, timestamp, totalAllocated, totalReserved, totalActive, "
                "streamPtr, deviceId); INSERT INTO MEMORY_RECORD VALUES (12,10,1,NULL,3,77,6),(13,11,1,2,0,NULL,6);",
        "", "x1 row 1", "MEMORY_RECORD, totalReserved", RowKind::MemorySample, 2);
    row("size of an allocation, and totals of one that was released",
        tasks + "CREATE TABLE OP_MEMORY(name, size, allocationTime, releaseTime, allocationTotalAllocated, "
                "releaseTotalAllocated); INSERT INTO OP_MEMORY VALUES "
                "(15,NULL,10,20,5,6),(15,1,10,20,5,NULL),(15,1,10,NULL,5,NULL),(15,-1,NULL,20,NULL,5);",
        "", "x2 row 1, row 2", "OP_MEMORY, size", RowKind::Allocation, 4);
    row("memory of a module",
        tasks + "CREATE TABLE NPU_MODULE_MEM(moduleId, timestampNs, totalReserved, deviceId); INSERT INTO "
                "NPU_MODULE_MEM VALUES (1,10,NULL,6),(2,10,5,6);",
        "", "x1 row 1", "NPU_MODULE_MEM, totalReserved", RowKind::ModuleMemory, 2);
    row("time of a collective", tasks,
        joined(kTimes, "INSERT INTO CommAnalyzerTime VALUES ('a','7',2,NULL,'step1','p2p');"), "x1 row 1",
        "CommAnalyzerTime, elapse_time", RowKind::Collective, 1);
    row("bandwidth of a link", tasks,
        joined(kLinks,
               "INSERT INTO CommAnalyzerMatrix VALUES ('a-top1','7','0','1','HCCS',2,1,NULL,'step1','p2p','b');"),
        "x1 row 1", "CommAnalyzerMatrix, bandwidth", RowKind::Link, 1);
    row("size of a transport", tasks,
        joined(kBandwidths,
               "INSERT INTO CommAnalyzerBandwidth VALUES ('a','7','HCCS',NULL,1,2.5,0,1,2,3,'step1','p2p');"),
        "x1 row 1", "CommAnalyzerBandwidth, transit_size", RowKind::Packet, 1);
    row("part of a step", tasks, joined(kSteps, "INSERT INTO StepTraceTime VALUES ('1',1,NULL),('2',1,2);"), "x1 row 1",
        "StepTraceTime, stage", RowKind::StepBreakdown, 2);
}

void TestMissingValues::nullsInDatabases() {
    QFETCH(QString, database);
    QFETCH(QString, analysis);
    QFETCH(QString, places);
    QFETCH(QString, detail);
    QFETCH(int, kind);
    QFETCH(int, kept);
    const TestFolder folder;
    execute(folder.path() / kDatabase, database.toStdString());
    if (!analysis.isEmpty()) execute(folder.path() / kAnalysis, analysis.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    const std::string file = analysis.isEmpty() ? kDatabase : kAnalysis;
    QCOMPARE(troubles(*result.value()), QStringLiteral("lost db.missing_value %1 %2\n").arg(shown(file), places));
    for (const Diagnostic& one : result.value()->diagnostics.entries()) {
        if (one.code == "db.missing_value")
            QCOMPARE(shown(one.parameters.at(0).second + ", " + one.parameters.at(1).second), detail);
    }
    QCOMPARE(rowsOf(*result.value(), static_cast<RowKind>(kind)), static_cast<std::size_t>(kept));
    QCOMPARE(result.value()->state, CaptureStore::State::Partial);
}

void TestMissingValues::deletedRowsOfDatabases_data() {
    QTest::addColumn<QString>("database");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* clause, const std::string& database, const std::string& expected) {
        QTest::addRow("%s", clause) << shown(database) << shown(expected);
    };
    const std::string deleted = "lost db.deleted_rows " + kDatabase;
    const std::string tasks = kTasks;
    const std::string samples = tasks + "CREATE TABLE MEMORY_RECORD(component, timestamp, totalAllocated); INSERT INTO "
                                        "MEMORY_RECORD VALUES (12,1,1),(12,2,1),(12,3,1),(12,4,1),(12,5,1);";
    row("every second one", samples + "DELETE FROM MEMORY_RECORD WHERE _rowid_ % 2 = 0;", deleted + " x2\n");
    row("the first one", samples + "DELETE FROM MEMORY_RECORD WHERE _rowid_ = 1;", deleted + " x1\n");
    // Nothing tells how many there were.
    row("the last ones", samples + "DELETE FROM MEMORY_RECORD WHERE _rowid_ > 3;", "");
    row("copied without gaps",
        samples + "DELETE FROM MEMORY_RECORD WHERE _rowid_ % 2 = 0; CREATE TABLE T AS SELECT * FROM MEMORY_RECORD; "
                  "DROP TABLE MEMORY_RECORD; ALTER TABLE T RENAME TO MEMORY_RECORD;",
        "");
    // Their numbers mean something.
    const std::string lone = "info db.lone_task " + kDatabase;
    row("a call whose task is there", kKernels + "DELETE FROM CANN_API WHERE connectionId = 70;", lone + " x1 row 2\n");
    const std::string later = tasks + "INSERT INTO TASK VALUES (3000,3100,6,72,3,3,4294967295,2);";
    row("the last call of a thread", later, "");
    row("the last calls", later + "INSERT INTO TASK VALUES (3200,3300,6,73,4,3,4294967295,2);",
        lone + " x2 row 4, row 5\n");
    row("all calls", later + "DELETE FROM CANN_API;", "");
    const std::string operators =
        tasks + "CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid, name, type, connectionId); INSERT INTO "
                "PYTORCH_API VALUES ('1000','1100',8,15,50001,1),('1200','1300',8,15,50001,2); CREATE TABLE "
                "CONNECTION_IDS(id, connectionId); INSERT INTO CONNECTION_IDS VALUES (1,70),(2,71),(2,72);";
    row("operators and their connections", operators, "");
    row("the last operator", operators + "DELETE FROM PYTORCH_API WHERE _rowid_ = 2;",
        "info db.lone_entry " + kDatabase + " x1\n");
    row("connections of the capture before", operators + "INSERT INTO CONNECTION_IDS VALUES (0,5);", "");
    row("a connection of a mark",
        operators + "INSERT INTO PYTORCH_API VALUES ('1250','1250',8,15,50004,3); INSERT INTO CONNECTION_IDS VALUES "
                    "(3,73);",
        "");
    row("tasks that do not compute", tasks + "DELETE FROM TASK WHERE globalTaskId = 0;", deleted + " x1\n");
    const std::string overlap = tasks + "CREATE TABLE OVERLAP_ANALYSIS(id INTEGER PRIMARY KEY, deviceId, startNs, "
                                        "endNs, type); INSERT INTO OVERLAP_ANALYSIS VALUES "
                                        "(0,6,1500,1600,0),(1,6,2000,2500,0),(2,6,1600,2000,3);";
    row("parts of the overlap", overlap + "DELETE FROM OVERLAP_ANALYSIS WHERE id = 1;", deleted + " x1\n");
    const std::string collectives =
        kKernels + "CREATE TABLE COMMUNICATION_OP(opName, startNs, endNs, groupName, connectionId, opId INTEGER "
                   "PRIMARY KEY); INSERT INTO COMMUNICATION_OP VALUES (8,1700,1900,9,70,0),(8,1950,1960,9,71,1);"
                   "CREATE TABLE COMMUNICATION_TASK_INFO(globalTaskId, taskType, planeId, groupName, opId); INSERT "
                   "INTO COMMUNICATION_TASK_INFO VALUES (0,3,0,9,0),(1,3,0,9,1);";
    row("collectives and their tasks", collectives, "");
    row("a collective whose tasks are there", collectives + "DELETE FROM COMMUNICATION_OP WHERE opId = 1;",
        "info db.no_collective " + kDatabase + " x1 row 2\n");
    const std::string parts = collectives + "UPDATE COMMUNICATION_OP SET startNs = 1500, endNs = 9100 WHERE opId = 0; "
                                            "INSERT INTO COMMUNICATION_TASK_INFO VALUES (2,3,0,9,0);";
    row("a collective and all its tasks", parts, "");
    row("the last task of a collective", parts + "DELETE FROM COMMUNICATION_TASK_INFO WHERE globalTaskId = 2;",
        "info db.no_parts " + kDatabase + " x1 row 0\n");
    row("no collective at all", collectives + "DELETE FROM COMMUNICATION_OP;", "");
}

void TestMissingValues::deletedRowsOfDatabases() {
    QFETCH(QString, database);
    QFETCH(QString, expected);
    const TestFolder folder;
    execute(folder.path() / kDatabase, database.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(shown(dumpDiagnostics(result.value()->diagnostics)), expected);
    QCOMPARE(result.value()->state,
             expected.startsWith(u"lost") ? CaptureStore::State::Partial : CaptureStore::State::Ok);
}

void TestMissingValues::keysOfCommunication_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("key");
    const auto row = [](const char* clause, const char* file, const char* from, const char* to, const char* expected,
                        const char* key) {
        QTest::addRow("%s", clause) << QString::fromUtf8(file) << QString::fromUtf8(from) << QString::fromUtf8(to)
                                    << QString::fromUtf8(expected) << QString::fromUtf8(key);
    };
    const char *const operators = "communication.json", *const links = "communication_matrix.json";
    row("whole", operators, "", "", "", "");
    row("a time", operators, R"j("Transit Time(ms)":0.25,"Wait)j", R"j("Wait)j", "x1", "Transit Time(ms)");
    row("two times", operators, R"j("Wait Time(ms)":0,"Synchronization Time(ms)":0,)j", "", "x2", "Wait Time(ms)");
    row("the other word for idle", operators, "Idle Time", "Idel Time", "", "");
    row("all times", operators,
        R"j("Communication Time Info":{"Start Timestamp(us)":1.5,"Elapse Time(ms)":0.5,"Transit Time(ms)":0.25,"Wait Time(ms)":0,"Synchronization Time(ms)":0,"Idle Time(ms)":0},)j",
        "", "x1", "Communication Time Info");
    row("the bandwidth of a transport", operators, R"j("Bandwidth(GB/s)":10,)j", "", "x1", "Bandwidth(GB/s)");
    row("the packets of a transport", operators, R"j("Size Distribution":{"1.25":[2,0.25]})j", R"j("x":0)j", "x1",
        "Size Distribution");
    row("a transport that moved nothing", operators, R"j("HCCS":{)j",
        R"j("SIO":{"Transit Size(MB)":0,"Transit Time(ms)":0,"Bandwidth(GB/s)":0,"Large Packet Ratio":0,"Size Distribution":{}},"HCCS":{)j",
        "", "");
    row("whole links", links, "", "", "", "");
    row("the transport of a link", links, R"j("Transport Type":"HCCS",)j", "", "x1", "Transport Type");
    row("the bandwidth of a link", links, R"j(,"Bandwidth(GB/s)":10)j", "", "x1", "Bandwidth(GB/s)");
    row("the name of a link's operator", links, R"j(,"Op Name":"hcom")j", "", "", "");
}

void TestMissingValues::keysOfCommunication() {
    QFETCH(QString, file);
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, expected);
    QFETCH(QString, key);
    const bool isOperators = file == QLatin1String("communication.json");
    QString text = QString::fromUtf8(
        isOperators
            ? R"j({"step2":{"collective":{"hcom_allReduce__491_0_1@74":<a>{"Communication Time Info":{"Start Timestamp(us)":1.5,"Elapse Time(ms)":0.5,"Transit Time(ms)":0.25,"Wait Time(ms)":0,"Synchronization Time(ms)":0,"Idle Time(ms)":0},"Communication Bandwidth Info":{"HCCS":{"Transit Size(MB)":2.5,"Transit Time(ms)":0.25,"Bandwidth(GB/s)":10,"Large Packet Ratio":0,"Size Distribution":{"1.25":[2,0.25]}}}},"Total Op Info@74":{"Communication Time Info":{},"Communication Bandwidth Info":{}}}}})j"
            : R"j({"step2":{"collective":{"allreduce-top1@74":{"0-1":<a>{"Transport Type":"HCCS","Transit Size(MB)":2.5,"Transit Time(ms)":0.25,"Bandwidth(GB/s)":10,"Op Name":"hcom"}}}}})j");
    if (!from.isEmpty()) {
        QVERIFY(text.contains(from));
        text.replace(from, to);
    }
    const MarkedText marked(text.toStdString());
    const TestFolder folder;
    folder.write(kOutput + file.toStdString(), marked.text);
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QString found = troubles(*result.value());
    // Under another name they are something else, too.
    found.remove(QRegularExpression(QStringLiteral("lost communication.nested_object [^\n]*\n")));
    const QString place = QString::number(marked.places.at('a'));
    QCOMPARE(found, expected.isEmpty() ? QString()
                                       : QStringLiteral("lost communication.missing_number %1%2 %3 byte %4\n")
                                             .arg(QString::fromUtf8(kOutput), file, expected, place));
    for (const Diagnostic& one : result.value()->diagnostics.entries()) {
        if (one.code == "communication.missing_number") QCOMPARE(shown(one.parameters.at(0).second), key);
    }
    QCOMPARE(rowsOf(*result.value(), isOperators ? RowKind::Collective : RowKind::Link), std::size_t{1});
}

void TestMissingValues::cellsOfTables_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("kept");
    const auto row = [](const char* file, const char* text, const char* expected, RowKind kind, int kept) {
        QTest::addRow("%s", file) << QString::fromUtf8(file) << QString::fromUtf8(text) << QString::fromUtf8(expected)
                                  << static_cast<int>(kind) << kept;
    };
    row("kernel_details.csv", "Name,Start Time(us),Duration(us),Wait Time(us)\na,1,2,\nb,2,2,0\n", "x1 row 2",
        RowKind::Kernel, 2);
    row("operator_details.csv", "Name,Host Self Duration(us),Host Total Duration(us)\na,1,N/A\nb,,2\n",
        "x2 row 2, row 3", RowKind::Operator, 2);
    row("op_statistic.csv", "OP Type,Count,Total Time(us),Avg Time(us)\nAdd,,1,1\nSub,1,1,-\n", "x2 row 2, row 3",
        RowKind::OpStat, 2);
    row("api_statistic.csv", "Level,API Name,Time(us),Count,Variance\nacl,a,1,,1\nacl,b,1,1,\n", "x2 row 2, row 3",
        RowKind::ApiStat, 2);
    row("step_trace_time.csv", "Step,Computing,Free,Stage\n1,1,,2\n2,1,1,\n", "x2 row 2, row 3", RowKind::StepBreakdown,
        2);
    row("npu_module_mem.csv", "Component,Timestamp(us),Total Reserved(KB)\nHCCL,1,\nHCCL,2,5\n", "x1 row 2",
        RowKind::ModuleMemory, 2);
    // A total belongs to an allocation or release that is there.
    row("operator_memory.csv",
        "Name,Size(KB),Allocation Time(us),Release Time(us),Allocation Total Allocated(MB),Release Total "
        "Allocated(MB)\na,1,1,2,5,\na,1,3,,,\na,1,4,,5,\na,-1,,5,,5\n",
        "x2 row 2, row 3", RowKind::Allocation, 4);
}

void TestMissingValues::cellsOfTables() {
    QFETCH(QString, file);
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QFETCH(int, kind);
    QFETCH(int, kept);
    const TestFolder folder;
    folder.write(kOutput + file.toStdString(), text.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(troubles(*result.value()),
             QStringLiteral("lost csv.missing_number %1%2 %3\n").arg(QString::fromUtf8(kOutput), file, expected));
    QCOMPARE(rowsOf(*result.value(), static_cast<RowKind>(kind)), static_cast<std::size_t>(kept));
}

void TestMissingValues::numbersThatTakeNoPart_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* clause, const char* file, const char* text, const char* expected) {
        QTest::addRow("%s", clause) << QString::fromUtf8(file) << QString::fromUtf8(text)
                                    << QString::fromUtf8(expected).replace(
                                           QLatin1Char('%'), QString::fromUtf8(kOutput) + QString::fromUtf8(file));
    };
    const char* const memory = "operator_memory.csv";
    row("a release before its allocation", memory,
        "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us)\na,1,5,4,6\na,1,5,6,4\na,1,5,5,5\n",
        "repaired csv.out_of_range % x2 row 2, row 3\n");
    row("an allocation of a size below zero", memory,
        "Name,Size(KB),Allocation Time(us),Release Time(us)\na,-1,5,6\na,-1,,6\n",
        "repaired csv.out_of_range % x1 row 2\n");
    row("a time that lost its digits", "memory_record.csv",
        "Component,Timestamp(us),Total Reserved(MB)\nPTA,1.7e15,1\nPTA,1.7e15,1\nPTA,1700000000000000.5,1\n",
        "info csv.low_precision % x2 row 2, row 3\n");
    row("times of a trace that lost their digits", "trace_view.json",
        R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1.7e15,"dur":2},{"ph":"X","name":"B","pid":1,"tid":2,"ts":"1.70000000000E+15","dur":2},{"ph":"X","name":"C","pid":1,"tid":2,"ts":1.700000000000001e15,"dur":2},{"ph":"X","name":"D","pid":1,"tid":2,"ts":1700000000000002.5,"dur":2}])",
        "info low_precision % x2 byte 1, byte 59\n");
}

void TestMissingValues::numbersThatTakeNoPart() {
    QFETCH(QString, file);
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const TestFolder folder;
    folder.write(kOutput + file.toStdString(), text.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(shown(dumpDiagnostics(result.value()->diagnostics)), expected);
}

void TestMissingValues::cellsThatCannotBeAreEmpty() {
    const TestFolder folder;
    folder.write(std::string(kOutput) + "operator_memory.csv",
                 "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us)\n"
                 "a,1,5,4,6\na,1,5,6,4\na,1,5,5,5\na,-1,5,6,7\n");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    const RowTable& table = *result.value()->ranks.at(0).rows->find(RowKind::Allocation);
    QString cells;
    for (std::size_t row = 0; row < table.size(); ++row) {
        for (const char* column : {"size", "alloc_ts", "release_ts", "active_release_ts"}) {
            const auto value = table.integer(rowColumn(RowKind::Allocation, column), row);
            cells += (value ? QString::number(*value) : QStringLiteral("-")) + QLatin1Char(' ');
        }
    }
    QCOMPARE(cells, QStringLiteral("1024 5000 - 6000 1024 5000 6000 - 1024 5000 5000 5000 - 5000 6000 7000 "));
}

void TestMissingValues::statisticsCountMore_data() {
    QTest::addColumn<QString>("file");  // that is another one
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* clause, const char* file, const char* text, const char* expected) {
        QTest::addRow("%s", clause) << QString::fromUtf8(file) << QString::fromUtf8(text)
                                    << QString::fromUtf8(expected).replace(QLatin1Char('%'),
                                                                           QString::fromUtf8(kOutput));
    };
    row("all agree", "", "", "");
    row("kernels were deleted", "kernel_details.csv",
        "Name,Type,Accelerator Core,Start Time(us),Duration(us)\na,Add,AI_CORE,4,2\nd,hcom,COMMUNICATION,10,2\n",
        "lost files.kernels_differ %kernel_details.csv x2\n");
    row("statistics were deleted", "op_statistic.csv", "OP Type,Core Type,Count,Total Time(us)\nAdd,AI_CORE,2,4\n",
        "info files.kernels_differ %op_statistic.csv x1\n");
    row("kernels of unknown type", "kernel_details.csv",
        "Name,Type,Accelerator Core,Start Time(us),Duration(us)\na,Add,AI_CORE,4,2\nb,Add,AI_CORE,6,2\nc,Add,AI_CORE,8,"
        "2\nx,N/A,AI_CORE,10,2\ny,,AI_CORE,12,2\nd,hcom,COMMUNICATION,14,2\n",
        "");
    row("no statistics", "op_statistic.csv", "OP Type,Core Type,Count,Total Time(us)\n", "");
    row("calls were deleted", "trace_view.json",
        R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"CANN"}},{"ph":"X","name":"AscendCL@b","pid":1,"tid":2,"ts":3,"dur":1}])",
        "lost files.calls_differ %trace_view.json x1\n");
    row("a trace without calls", "trace_view.json",
        R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"Python"}},{"ph":"X","name":"b","pid":1,"tid":2,"ts":3,"dur":1}])",
        "");
    row("statistics of calls were deleted", "api_statistic.csv", "Level,API Name,Time(us),Count\nacl,a,1,1\n",
        "lost files.calls_differ %api_statistic.csv x1\n");
}

void TestMissingValues::statisticsCountMore() {
    QFETCH(QString, file);
    QFETCH(QString, text);
    QFETCH(QString, expected);
    // Kernels begin where the timeline ends, which has no device.
    const TestFolder folder;
    const auto write = [&](const char* name, const char* whole) {
        folder.write(std::string(kOutput) + name, file == QLatin1String(name) ? text.toStdString() : whole);
    };
    write("kernel_details.csv",
          "Name,Type,Accelerator Core,Start Time(us),Duration(us)\na,Add,AI_CORE,4,2\nb,Add,AI_CORE,6,2\n"
          "c,Sub,AI_CORE,8,2\nd,hcom,COMMUNICATION,10,2\n");
    write("op_statistic.csv", "OP Type,Core Type,Count,Total Time(us)\nAdd,AI_CORE,2,4\nSub,AI_CORE,1,2\n");
    write("api_statistic.csv", "Level,API Name,Time(us),Count\nacl,a,1,1\nacl,b,1,1\n");
    write(
        "trace_view.json",
        R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"CANN"}},{"ph":"X","name":"AscendCL@a","pid":1,"tid":2,"ts":1,"dur":1},{"ph":"X","name":"AscendCL@b","pid":1,"tid":2,"ts":3,"dur":1}])");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(shown(dumpDiagnostics(result.value()->diagnostics)), expected);
    QCOMPARE(result.value()->state,
             expected.startsWith(u"lost") ? CaptureStore::State::Partial : CaptureStore::State::Ok);
}

void TestMissingValues::deletedRowsThatOtherFilesKnow_data() {
    QTest::addColumn<QString>("files");  // that are there
    QTest::addColumn<QString>("file");   // that is another one
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* clause, const char* files, const char* file, const char* text,
                        const char* expected) {
        QTest::addRow("%s", clause) << QString::fromUtf8(files) << QString::fromUtf8(file) << QString::fromUtf8(text)
                                    << QString::fromUtf8(expected).replace(QLatin1Char('%'),
                                                                           QString::fromUtf8(kOutput));
    };
    const char *all = "kernel_details trace_view step_trace_time memory_record operator_memory operator_details",
               *kernels = "kernel_details.csv", *timed = "kernel_details trace_view",
               *steps = "kernel_details step_trace_time", *memory = "memory_record operator_memory";
    row("all agree", all, "", "", "");
    const char* header = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\n";
    const std::string a = "a,Add,AI_CORE,10,2,0\n", b = "b,Add,AI_CORE,20,2,8\n", c = "c,Sub,AI_CORE,30,2,8\n",
                      d = "d,hcom,COMMUNICATION,40,2,8\n";
    const auto kernelRow = [&](const char* clause, const char* files, const std::string& rows, const char* expected) {
        row(clause, files, kernels, (header + rows).c_str(), expected);
    };
    kernelRow("a kernel in the middle, in the list alone", "kernel_details", a + c + d,
              "info files.waits_differ %kernel_details.csv x1\n");
    kernelRow("the first kernel, in the list alone", "kernel_details", b + c + d,
              "info files.waits_differ %kernel_details.csv x1\n");
    kernelRow("the last collective, of the timeline", timed, a + b + c + "e,hcom,COMMUNICATION,32,1,0\n",
              "info files.kernels_missing %kernel_details.csv x1\ninfo files.kernels_unplaced %trace_view.json "
              "x1\ninfo files.overlap_missing %trace_view.json x1\n");
    kernelRow("the last kernel, of the timeline", timed, a + b, "info files.kernels_missing %kernel_details.csv x1\n");
    kernelRow("the last kernel, of the steps", steps, a + b, "info files.steps_longer %kernel_details.csv x1\n");
    kernelRow("kernels side by side", "kernel_details", "a,Add,AI_CORE,10,20,0\nb,Add,AI_CORE,20,2,0\n", "");
    row("waits at a change of the device", "kernel_details", kernels,
        "Device_id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\n0,a,Add,AI_CORE,10,2,0\n"
        "1,b,Add,AI_CORE,20,2,8\n1,c,Sub,AI_CORE,30,2,8\n",
        "");
    kernelRow("waits that went through doubles", "kernel_details", a + "b,Add,AI_CORE,20,2,8.25\n", "");
    kernelRow("waits that are something else", "kernel_details",
              a + "b,Add,AI_CORE,20,2,1\nc,Sub,AI_CORE,30,2,1\n" + d + "e,Add,AI_CORE,50,2,1\n",
              "info files.waits_differ %kernel_details.csv x3\n");
    const std::string device =
        R"([{"ph":"M","name":"process_name","pid":4,"args":{"name":"Ascend Hardware"}},{"ph":"X","name":"a","pid":4,"tid":1,"ts":10,"dur":2},{"ph":"X","name":"b","pid":4,"tid":1,"ts":20,"dur":2},{"ph":"X","name":"d","pid":4,"tid":1,"ts":40,"dur":2})";
    const std::string marks =
        R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"Overlap Analysis"}},{"ph":"M","name":"process_name","pid":2,"args":{"name":"Python"}},{"ph":"X","name":"Computing","pid":1,"tid":1,"ts":10,"dur":2},{"ph":"X","name":"Computing","pid":1,"tid":1,"ts":20,"dur":2},)";
    row("busy times of the timeline", timed, "trace_view.json",
        (marks + device.substr(1) +
         R"(,{"ph":"X","name":"c","pid":4,"tid":1,"ts":30,"dur":2},{"ph":"X","name":"Communication","pid":1,"tid":2,"ts":40,"dur":2}])")
            .c_str(),
        "info files.overlap_missing %trace_view.json x1\n");
    row("a step of the table", "trace_view step_trace_time", "step_trace_time.csv",
        "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free\n2,6,2,0,2,24\n",
        "info files.steps_differ %step_trace_time.csv x1\ninfo files.steps_differ %trace_view.json x1\n");
    row("all slices of kernels", timed, "trace_view.json",
        (device + R"(,{"ph":"X","name":"c","pid":4,"tid":1,"ts":30,"dur":2}])").c_str(), "");
    row("a slice of a kernel", timed, "trace_view.json", (device + ']').c_str(),
        "info files.kernels_unplaced %trace_view.json x1\n");
    row("names of processes", timed, "trace_view.json",
        (device.substr(0, 1) + device.substr(device.find(R"({"ph":"X")")) + ']').c_str(),
        "info files.kernels_unplaced %trace_view.json x4\n");
    const char* samples = "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB)\n";
    row("samples of one pool", memory, "memory_record.csv",
        (std::string(samples) + "PTA,10,1,2\nPTA+GE,10,1,2\nPTA+GE,20,1,2\nGE,25,1,2\nPTA+GE,25,1,2\n").c_str(),
        "info files.samples_missing %memory_record.csv x1\n");
    row("samples of an allocation", memory, "memory_record.csv",
        (std::string(samples) + "PTA,10,1,2\nPTA+GE,10,1,2\nGE,25,1,2\nPTA+GE,25,1,2\n").c_str(),
        "info files.samples_missing %memory_record.csv x1\n");
    row("operators", "operator_details trace_view", "operator_details.csv",
        "Name,Host Self Duration(us),Host Total Duration(us)\nx,1,1\n",
        "info files.operators_differ %operator_details.csv x1\n");
    row("operators of the timeline", "operator_details trace_view", "operator_details.csv",
        "Name,Host Self Duration(us),Host Total Duration(us)\nx,1,1\ny,1,1\nz,1,1\n",
        "info files.operators_differ %operator_details.csv x1\n");
}

void TestMissingValues::deletedRowsThatOtherFilesKnow() {
    QFETCH(QString, files);
    QFETCH(QString, file);
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const TestFolder folder;
    const auto write = [&](const QString& name, const char* whole) {
        if (!files.split(QLatin1Char(' ')).contains(name.section(QLatin1Char('.'), 0, 0))) return;
        folder.write(kOutput + name.toStdString(), file == name ? text.toStdString() : whole);
    };
    write(QStringLiteral("kernel_details.csv"),
          "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\na,Add,AI_CORE,10,2,0\n"
          "b,Add,AI_CORE,20,2,8\nc,Sub,AI_CORE,30,2,8\nd,hcom,COMMUNICATION,40,2,8\n");
    write(QStringLiteral("step_trace_time.csv"),
          "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free\n1,6,2,0,2,24\n");
    write(QStringLiteral("memory_record.csv"),
          "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB)\nPTA,10,1,2\nPTA+GE,10,1,2\nPTA,20,1,2\n"
          "PTA+GE,20,1,2\nGE,25,1,2\nPTA+GE,25,1,2\nAPP,30,,2\n");
    write(QStringLiteral("operator_memory.csv"), "Name,Size(KB),Allocation Time(us),Release Time(us)\nx,1,10,20\n");
    write(QStringLiteral("operator_details.csv"),
          "Name,Host Self Duration(us),Host Total Duration(us)\nx,1,1\ny,1,1\n");
    write(
        QStringLiteral("trace_view.json"),
        R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"Overlap Analysis"}},{"ph":"M","name":"process_name","pid":2,"args":{"name":"Python"}},{"ph":"X","name":"Computing","pid":1,"tid":1,"ts":10,"dur":2},{"ph":"X","name":"Computing","pid":1,"tid":1,"ts":20,"dur":2},{"ph":"X","name":"Computing","pid":1,"tid":1,"ts":30,"dur":2},{"ph":"X","name":"Communication","pid":1,"tid":2,"ts":40,"dur":2},{"ph":"M","name":"process_name","pid":4,"args":{"name":"Ascend Hardware"}},{"ph":"X","name":"a","pid":4,"tid":1,"ts":10,"dur":2},{"ph":"X","name":"b","pid":4,"tid":1,"ts":20,"dur":2},{"ph":"X","name":"c","pid":4,"tid":1,"ts":30,"dur":2},{"ph":"X","name":"d","pid":4,"tid":1,"ts":40,"dur":2},{"ph":"X","name":"ProfilerStep#1","cat":"cpu_op","pid":2,"tid":3,"ts":5,"dur":40},{"ph":"X","name":"x","cat":"cpu_op","pid":2,"tid":3,"ts":6,"dur":1},{"ph":"X","name":"y","cat":"cpu_op","pid":2,"tid":3,"ts":8,"dur":1}])");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(shown(dumpDiagnostics(result.value()->diagnostics)), expected);
}

void TestMissingValues::blocksDeletedFromRealTables_data() {
    QTest::addColumn<QString>("capture");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("without");  // files that are not there
    QTest::addColumn<int>("part");         // of ten
    for (int part = 0; part < 10; part += 3) {
        const auto row = [part](const char* capture, const char* file, const char* without) {
            QTest::addRow("%s, %s without %s, part %d", capture, file, without, part)
                << QString::fromUtf8(capture) << QString::fromUtf8(file) << QString::fromUtf8(without) << part;
        };
        const char* level0 = "torch_text/level0/rank0_ascend_pt";
        row(level0, "kernel_details.csv", "trace_view.json");
        row(level0, "kernel_details.csv", "step_trace_time.csv");
        row(level0, "memory_record.csv", "");
        row(level0, "operator_details.csv", "");
        row("torch_cluster_level2/rank_0_ascend_pt", "kernel_details.csv", "op_statistic.csv");
        row("torch_cluster_level2/rank_0_ascend_pt", "memory_record.csv", "");
    }
}

void TestMissingValues::blocksDeletedFromRealTables() {
    QFETCH(QString, capture);
    QFETCH(QString, file);
    QFETCH(QString, without);
    QFETCH(int, part);
    const auto path = sharedData(capture.toStdString());
    if (!path) QSKIP(kNoSharedData);
    const TestFolder folder;
    std::filesystem::copy(*path, folder.path() / "r_ascend_pt", std::filesystem::copy_options::recursive);
    const std::filesystem::path output = folder.path() / "r_ascend_pt" / "ASCEND_PROFILER_OUTPUT";
    if (!without.isEmpty()) QVERIFY(std::filesystem::remove(output / without.toStdString()));
    const auto before = importForTest(folder.path());
    QVERIFY(before.ok() && before.value()->state == CaptureStore::State::Ok);
    QStringList records;
    {
        std::ifstream in(output / file.toStdString());
        std::string line, record;
        while (std::getline(in, line)) {
            record += line + '\n';
            // A quoted cell may have line ends.
            if (std::count(record.begin(), record.end(), '"') % 2 != 0) continue;
            records.append(QString::fromStdString(record));
            record.clear();
        }
    }
    const qsizetype rows = records.size() - 1, from = 1 + rows * part / 10;
    QVERIFY(rows > 100);
    records.remove(from, rows / 10);
    std::filesystem::permissions(output / file.toStdString(), std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::add);
    std::ofstream(output / file.toStdString(), std::ios::trunc) << records.join(QString()).toStdString();
    const auto after = importForTest(folder.path());
    QVERIFY(after.ok());
    const std::string reported = dumpDiagnostics(after.value()->diagnostics);
    QVERIFY2(reported != dumpDiagnostics(before.value()->diagnostics) && reported.find(" files.") != std::string::npos,
             reported.c_str());
}

ALTI_TEST(TestMissingValues)
#include "tst_missing_values.moc"
