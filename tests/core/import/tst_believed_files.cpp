#include "core/import/import_capture.h"
#include "tests/core/import/db_fixture.h"
#include "tests/support/capture_dump.h"
#include "tests/support/marked_text.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <string_view>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr const char* kOutput = "rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/";

}  // namespace

/// A file that is well-formed and complete in itself is believed: people filter, sort and save tables again, and no check
/// of one file by another can tell that from damage.
class TestBelievedFiles : public QObject {
    Q_OBJECT
private slots:
    void reSavedTables_data();
    void reSavedTables();
    void stepsOfMindSpore();
    void changedDatabases_data();
    void changedDatabases();
    void eventsTwice();
    void numbersThatTakeNoPart_data();
    void numbersThatTakeNoPart();
    void cellsThatCannotBeAreEmpty();
    void rowsWithoutPartners_data();
    void rowsWithoutPartners();
};

void TestBelievedFiles::reSavedTables_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("kept");
    const auto row = [](const char* clause, const char* file, const std::string& text, RowKind kind, int kept) {
        QTest::addRow("%s", clause) << QString::fromUtf8(file) << shown(text) << static_cast<int>(kind) << kept;
    };
    const char *kernels = "kernel_details.csv", *memory = "memory_record.csv";
    row("empty cells", kernels, "Name,Start Time(us),Duration(us),Wait Time(us)\na,1,2,\nb,2,2,0\n", RowKind::Kernel,
        2);
    row("empty cells of operators", "operator_details.csv",
        "Name,Host Self Duration(us),Host Total Duration(us)\na,1,N/A\nb,,2\n", RowKind::Operator, 2);
    row("empty cells of statistics", "op_statistic.csv",
        "OP Type,Count,Total Time(us),Avg Time(us)\nAdd,,1,1\nSub,1,1,-\n", RowKind::OpStat, 2);
    row("empty cells of steps", "step_trace_time.csv", "Step,Computing,Free,Stage\n1,1,,2\n2,1,1,\n",
        RowKind::StepBreakdown, 2);
    row("a column less", memory, "Component,Timestamp(us),Total Allocated(MB)\nPTA,1,2\n", RowKind::MemorySample, 1);
    row("a column of another name", memory,
        "Component,Timestamp(us),Total Allocated(MB),Totl Reserved(MB)\nPTA,1,2,3\n", RowKind::MemorySample, 1);
    row("an index", kernels, ",Name,Start Time(us),Duration(us)\n0,a,1.0,2.0\n1,b,2.0,2.0\n", RowKind::Kernel, 2);
    row("a mark of the byte order, returns and no last line end", kernels,
        "\xEF\xBB\xBFName,Start Time(us),Duration(us)\r\na,1,2\r\nb,2,2", RowKind::Kernel, 2);
    row("quotes", kernels, "\"Name\",\"Start Time(us)\",\"Duration(us)\"\n\"a\",\"1\",\"2\"\n", RowKind::Kernel, 1);
    row("rows that are alike", memory,
        "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB)\nPTA,1,1,2\nPTA,1,1,2\n", RowKind::MemorySample,
        2);
    row("sorted by duration", kernels, "Name,Start Time(us),Duration(us),Wait Time(us)\nb,20,5,8\nc,30,3,5\na,10,2,0\n",
        RowKind::Kernel, 3);
    row("some of the rows", kernels, "Name,Start Time(us),Duration(us),Wait Time(us)\nb,20,5,8\n", RowKind::Kernel, 1);
}

/// Tools and people save tables again; what they make is as good as any other table.
void TestBelievedFiles::reSavedTables() {
    QFETCH(QString, file);
    QFETCH(QString, text);
    QFETCH(int, kind);
    QFETCH(int, kept);
    const TestFolder folder;
    folder.write(kOutput + file.toStdString(), text.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(result.value()->state, CaptureStore::State::Ok);
    for (const Diagnostic& one : result.value()->diagnostics.entries()) QCOMPARE(one.severity, Severity::Info);
    QCOMPARE(rowsOf(*result.value(), static_cast<RowKind>(kind)), static_cast<std::size_t>(kept));
}

/// The guide and the source of MindSpore write "Step ID", those of torch_npu "Step Id".
void TestBelievedFiles::stepsOfMindSpore() {
    const TestFolder folder;
    folder.write("rank_0/h_1_20260101000000000_ascend_ms/ASCEND_PROFILER_OUTPUT/kernel_details.csv",
                 "Step ID,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\n"
                 "7,a,Add,AI_CORE,1,2,0\n8,b,Add,AI_CORE,4,2,1\n");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(troubles(*result.value()), QString());
    const RowTable& table = *result.value()->ranks.at(0).rows->find(RowKind::Kernel);
    QCOMPARE(table.integer(fixedColumn(RowKind::Kernel, "step"), 0).value_or(0), std::int64_t{7});
    QCOMPARE(table.integer(fixedColumn(RowKind::Kernel, "step"), 1).value_or(0), std::int64_t{8});
}

void TestBelievedFiles::changedDatabases_data() {
    QTest::addColumn<QString>("sql");
    const auto row = [](const char* clause, const char* sql) { QTest::addRow("%s", clause) << QString::fromUtf8(sql); };
    row("no change", "");
    row("rows were deleted", "DELETE FROM TASK WHERE rowid = (SELECT max(rowid) - 1 FROM TASK WHERE globalTaskId NOT "
                             "IN (SELECT globalTaskId FROM COMPUTE_TASK_INFO));");
    row("a row twice", "INSERT INTO TASK SELECT * FROM TASK WHERE globalTaskId = 0;");
    row("numbers that are not there", "UPDATE TASK SET connectionId = NULL, streamId = NULL;");
    row("compacted", "VACUUM;");
    row("an index of somebody", "CREATE INDEX mine ON TASK(startNs);");
}

void TestBelievedFiles::changedDatabases() {
    QFETCH(QString, sql);
    const TestFolder folder;
    execute(folder.path() / kDatabase, kKernels + sql.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(troubles(*result.value()), QString());
}

/// A trace in which an event stands twice, and a copy of a part of it, is what it says.
void TestBelievedFiles::eventsTwice() {
    const TestFolder folder;
    const std::string event = R"({"ph":"X","name":"a","pid":1,"tid":2,"ts":5,"dur":3,"args":{"n":1}})";
    const auto result = importForTest(folder.write("t.json", '[' + event + ',' + event + ']'));
    QVERIFY(result.ok());
    QCOMPARE(shown(dumpDiagnostics(result.value()->diagnostics)), QString());
    QCOMPARE(result.value()->ranks.at(0).trace->sliceCount(), std::size_t{2});
}

void TestBelievedFiles::numbersThatTakeNoPart_data() {
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

void TestBelievedFiles::numbersThatTakeNoPart() {
    QFETCH(QString, file);
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const TestFolder folder;
    folder.write(kOutput + file.toStdString(), text.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(shown(dumpDiagnostics(result.value()->diagnostics)), expected);
}

void TestBelievedFiles::cellsThatCannotBeAreEmpty() {
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

void TestBelievedFiles::rowsWithoutPartners_data() {
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
               *timed = "kernel_details trace_view";
    row("all agree", all, "", "", "");
    row("fewer kernels", all, "kernel_details.csv",
        "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\nb,Add,AI_CORE,20,2,8\n", "");
    row("fewer samples", all, "memory_record.csv",
        "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB)\nPTA,10,1,2\n", "");
    row("other steps", all, "step_trace_time.csv",
        "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free\n2,60,2,0,2,24\n", "");
    const std::string device =
        R"([{"ph":"M","name":"process_name","pid":4,"args":{"name":"Ascend Hardware"}},{"ph":"X","name":"a","pid":4,"tid":1,"ts":10,"dur":2},{"ph":"X","name":"b","pid":4,"tid":1,"ts":20,"dur":2},{"ph":"X","name":"d","pid":4,"tid":1,"ts":40,"dur":2})";
    row("all slices of kernels", timed, "trace_view.json",
        (device + R"(,{"ph":"X","name":"c","pid":4,"tid":1,"ts":30,"dur":2}])").c_str(), "");
    row("a slice of a kernel", timed, "trace_view.json", (device + ']').c_str(),
        "info files.kernels_unplaced %kernel_details.csv x1\n");
    row("operators", "operator_details trace_view", "operator_details.csv",
        "Name,Host Self Duration(us),Host Total Duration(us)\nx,1,1\n",
        "info files.operators_differ %operator_details.csv x1\n");
    row("operators of the timeline", "operator_details trace_view", "operator_details.csv",
        "Name,Host Self Duration(us),Host Total Duration(us)\nx,1,1\ny,1,1\nz,1,1\n",
        "info files.operators_differ %operator_details.csv x1\n");
}

void TestBelievedFiles::rowsWithoutPartners() {
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

ALTI_TEST(TestBelievedFiles)
#include "tst_believed_files.moc"
