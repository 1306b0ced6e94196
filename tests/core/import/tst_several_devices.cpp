#include "core/store/rows/row_table.h"

#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <sqlite3.h>

#include <filesystem>
#include <string>
#include <utility>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr const char* kFolder = "x_ascend_pt/ASCEND_PROFILER_OUTPUT/";

std::string stepsOf(const TestFolder& folder, bool prefersDatabase = false) {
    ImportTestOptions options;
    options.preferDatabase = prefersDatabase;
    const auto capture = importForTest(folder.path(), options);
    std::string text;
    constexpr auto SB = RowKind::StepBreakdown;
    const RowTable* steps =
        capture.ok() && capture.value()->ranks.at(0).rows ? capture.value()->ranks.at(0).rows->find(SB) : nullptr;
    for (std::size_t row = 0; steps != nullptr && row < steps->size(); ++row) {
        const auto& rows = *capture.value()->ranks.at(0).rows;
        for (const char* column : {"device_id", "step", "computing"})
            text += cellText(rows, *steps, rowColumn(SB, column), row) + ' ';
        text += '\n';
    }
    return text + dumpDiagnostics(capture.value()->diagnostics);
}

void writeDatabase(const TestFolder& folder, const std::string& rows) {
    sqlite3* database = nullptr;
    folder.write(std::string(kFolder) + "x", "");
    const std::string path = (folder.path() / kFolder / "analysis.db").string();
    QVERIFY(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
    const std::string sql =
        "CREATE TABLE StepTraceTime(deviceId INTEGER, step TEXT, computing REAL, preparing REAL);" + rows;
    QCOMPARE(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
}

}  // namespace

/// Steps of several devices in one folder, and which of two files with the same tables is read.
class TestSeveralDevices : public QObject {
    Q_OBJECT
private slots:
    /// Four rows of a step had no device, so nobody could tell them apart.
    void stepsOfSeveralDevicesInText() {
        const TestFolder folder;
        folder.write(std::string(kFolder) + "step_trace_time.csv",
                     "Device_id,Step,Computing,Free\n0,5,100,1\n1,5,200,1\n2,5,300,1\n3,5,400,1\n");
        QCOMPARE(QString::fromStdString(stepsOf(folder)),
                 QStringLiteral("0 5 100000 \n1 5 200000 \n2 5 300000 \n3 5 400000 \n"));
    }
    void stepsOfSeveralDevicesInADatabase() {
        const TestFolder folder;
        writeDatabase(folder, "INSERT INTO StepTraceTime VALUES (0,'5',100,1),(3,'5',400,1);");
        QCOMPARE(QString::fromStdString(stepsOf(folder)), QStringLiteral("0 5 100000 \n3 5 400000 \n"));
    }

    /// All forms in which files name a device, and what is none: nothing, or reported.
    void devicesOfTextTables() {
        const TestFolder folder;
        folder.write(std::string(kFolder) + "kernel_details.csv",
                     "Device_id,Name,Start Time(us),Duration(us)\n1,a,1,1\n 3 ,b,2,1\nN/A,c,3,1\n1024,d,4,1\n");
        folder.write(std::string(kFolder) + "memory_record.csv",
                     "Component,Timestamp(us),Total Reserved(MB),Device Type\nPTA,1,1,NPU:0\nPTA,2,1,NPU:12\n"
                     "PTA,3,1,CPU\nPTA,4,1,-1\nPTA,5,1,NPU:x\n");
        folder.write(std::string(kFolder) + "npu_module_mem.csv",
                     "Device_id,Component,Timestamp(us),Total Reserved(KB),Device\n7,HCCL,1,1,NPU:7\n");
        folder.write(std::string(kFolder) + "op_statistic.csv",
                     "Device_id,OP Type,Core Type,Count,Total Time(us)\nhost,Add,AI_CORE,1,1\n2,Add,AI_CORE,1,1\n");
        const auto capture = importForTest(folder.path()).value();
        const auto devices = [&](RowKind kind) {
            const RowTables& rows = *capture->ranks.at(0).rows;
            QString text;
            for (std::size_t row = 0; row < rows.find(kind)->size(); ++row)
                text +=
                    QString::fromStdString(cellText(rows, *rows.find(kind), rowColumn(kind, "device_id"), row)) + u' ';
            return text;
        };
        QCOMPARE(devices(RowKind::Kernel), QStringLiteral("1 3 - - "));
        QCOMPARE(devices(RowKind::MemorySample), QStringLiteral("0 12 - - - "));
        QCOMPARE(devices(RowKind::ModuleMemory), QStringLiteral("7 "));
        QCOMPARE(devices(RowKind::OpStat), QStringLiteral("- 2 "));
        QVERIFY(!capture->ranks.at(0).info.deviceId);
        const QString reported = QString::fromStdString(dumpDiagnostics(capture->diagnostics));
        QCOMPARE(reported.count(QStringLiteral("csv.bad_number")), 1);
        QCOMPARE(reported.count(QStringLiteral("csv.out_of_range")), 1);
    }

    /// A copy that somebody has made beside a table was read, too: all rows stood twice.
    void aCopyOfATable() {
        const TestFolder folder;
        for (const char* name : {"step_trace_time.csv", "step_trace_time_1.csv"})
            folder.write(std::string(kFolder) + name, "Device_id,Step,Computing,Free\n0,5,100,1\n");
        QCOMPARE(QString::fromStdString(stepsOf(folder)),
                 QStringLiteral("0 5 100000 \ninfo files_not_read x_ascend_pt/ASCEND_PROFILER_OUTPUT x1\n"));
    }

    /// `--prefer db` did nothing for a text rank, though a diagnostic offers it; the database is the exact one.
    void preferDatabaseForATextRank() {
        const TestFolder folder;
        folder.write(std::string(kFolder) + "step_trace_time.csv", "Device_id,Step,Computing,Free\n0,5,100.25,1\n");
        writeDatabase(folder, "INSERT INTO StepTraceTime VALUES (0,'5',100.183,1);");
        const QString noted = QStringLiteral("info tables_not_taken x_ascend_pt/ASCEND_PROFILER_OUTPUT/%1 x1\n");
        QCOMPARE(QString::fromStdString(stepsOf(folder)),
                 QStringLiteral("0 5 100250 \n") + noted.arg(QStringLiteral("analysis.db")));
        QCOMPARE(QString::fromStdString(stepsOf(folder, true)),
                 QStringLiteral("0 5 100183 \n") + noted.arg(QStringLiteral("step_trace_time.csv")));
    }

    /// A database without one of the tables for which a text file stands took the rows of that file with it.
    void aDatabaseThatLacksOneOfTheTablesOfAFile() {
        const TestFolder folder;
        folder.write(std::string(kFolder) + "communication.json",
                     "{\"step5\":{\"p2p\":{},\"collective\":{\"hcom_allReduce__1_0_1@17\":{\"Communication Time Info\":"
                     "{\"Start Timestamp(us)\":1,\"Elapse Time(ms)\":1,\"Transit Time(ms)\":1,\"Wait Time(ms)\":0,"
                     "\"Synchronization Time(ms)\":0,\"Idle Time(ms)\":0},\"Communication Bandwidth Info\":{\"HCCS\":"
                     "{\"Transit Size(MB)\":1,\"Transit Time(ms)\":1,\"Bandwidth(GB/s)\":1,\"Large Packet Ratio\":0,"
                     "\"Size Distribution\":{\"1\":[1,1]}}}}}}}");
        const char* const kTimes = "CREATE TABLE CommAnalyzerTime(hccl_op_name TEXT, elapse_time REAL);"
                                   "INSERT INTO CommAnalyzerTime VALUES ('a', 2), ('b', 2);";
        const char* const kBandwidths = "CREATE TABLE CommAnalyzerBandwidth(hccl_op_name TEXT, transport_type TEXT, "
                                        "transit_size REAL);INSERT INTO CommAnalyzerBandwidth VALUES ('a', 'RDMA', 7);";
        const auto rows = [&](const std::string& tables) {
            std::filesystem::remove(folder.path() / kFolder / "analysis.db");
            writeDatabase(folder, tables);
            ImportTestOptions options;
            options.preferDatabase = true;
            const auto capture = importForTest(folder.path(), options).value();
            const auto size = [&](RowKind kind) {
                const RowTable* table = capture->ranks.at(0).rows->find(kind);
                return table == nullptr ? std::size_t{0} : table->size();
            };
            return std::pair(size(RowKind::Collective), size(RowKind::Bandwidth));
        };
        QCOMPARE(rows(kTimes), std::pair(std::size_t{1}, std::size_t{1}));
        QCOMPARE(rows(kBandwidths), std::pair(std::size_t{1}, std::size_t{1}));
        QCOMPARE(rows(std::string(kTimes) + kBandwidths), std::pair(std::size_t{2}, std::size_t{1}));
    }
};

ALTI_TEST(TestSeveralDevices)
#include "tst_several_devices.moc"
