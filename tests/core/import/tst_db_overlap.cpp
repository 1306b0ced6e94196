#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <sqlite3.h>

#include <QTest>

#include <filesystem>
#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

const char* const kDatabase = "r_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_3.db";

void execute(const std::filesystem::path& path, const std::string& sql) {
    std::filesystem::create_directories(path.parent_path());
    sqlite3* database = nullptr;
    if (sqlite3_open(path.c_str(), &database) != SQLITE_OK ||
        sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        qFatal("%s", sqlite3_errmsg(database));
    sqlite3_close(database);
}

/// Kernels at these times on two streams of device 6, and steps.
std::string databaseOf(const std::string& tasks, const std::string& steps) {
    return "CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT);"
           "INSERT INTO STRING_IDS VALUES (1,'Add_1'),(2,'AI_CORE'),(3,'Add'),(6,'N/A');"
           "CREATE TABLE STEP_TIME(id, startNs, endNs); INSERT INTO STEP_TIME VALUES " +
           steps +
           ";CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId "
           "INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER); INSERT INTO TASK VALUES " +
           tasks +
           ";CREATE TABLE COMPUTE_TASK_INFO(name, globalTaskId INTEGER PRIMARY KEY, blockDim, taskType, opType, "
           "inputFormats, inputDataTypes, inputShapes, outputFormats, outputDataTypes, outputShapes);"
           "INSERT INTO COMPUTE_TASK_INFO SELECT 1, globalTaskId, 20, 2, 3, 6, 6, 6, 6, 6, 6 FROM TASK;";
}

std::string task(int number, int begin, int end, int stream) {
    std::string row = "(";
    for (const int value : {begin, end, 6, -1, number, 2}) row += std::to_string(value) + ",";
    return row + "4294967295," + std::to_string(stream) + ")";
}

}  // namespace

/// What databases without a table of it tell about overlap, and steps whose times are none.
class TestDbOverlap : public QObject {
    Q_OBJECT
private slots:
    void kernelsThatTouchAreOnePiece() {
        const TestFolder folder;
        const std::string tasks = task(0, 1000, 1100, 2) + "," + task(1, 1100, 1150, 3) + "," + task(2, 1120, 1140, 2) +
                                  "," + task(3, 1151, 1160, 2) + "," + task(4, 1170, 1180, 3);
        execute(folder.path() / kDatabase, databaseOf(tasks, "(5,1000,1100)"));
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        const TraceStore& trace = *result.value()->ranks.at(0).trace;
        QString pieces;
        for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
            const std::string name(trace.name({i}));
            if (name != "Computing" && name != "Free") continue;
            pieces += QStringLiteral("%1 %2-%3\n")
                          .arg(QString::fromStdString(name))
                          .arg(trace.begin({i}).value)
                          .arg(trace.end({i}).value);
        }
        QCOMPARE(pieces, QStringLiteral("Computing 1000-1150\nComputing 1151-1160\nComputing 1170-1180\n"
                                        "Free 1150-1151\nFree 1160-1170\n"));
    }

    void stepsWithoutTimes() {
        const TestFolder folder;
        execute(folder.path() / kDatabase,
                databaseOf(task(0, 1000, 1100, 2), "(4,0,1000),(5,1000,999),(6,1000,1000),(7,1000,1200),(8,-5,7)"));
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        QString steps;
        for (const Step& step : result.value()->ranks.at(0).steps)
            steps += QStringLiteral("%1%2 ").arg(step.number).arg(QChar(step.range ? u'+' : u'-'));
        QCOMPARE(steps, QStringLiteral("4- 5- 6+ 7+ 8- "));
    }
};

ALTI_TEST(TestDbOverlap)
#include "tst_db_overlap.moc"
