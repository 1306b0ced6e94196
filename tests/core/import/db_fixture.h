#pragma once

#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <sqlite3.h>

#include <filesystem>
#include <string>
#include <string_view>

/// Small profiler databases of a rank of PyTorch, for tests of what is read from them.
namespace altiscope::test {

inline const std::string kFolder = "r_ascend_pt/ASCEND_PROFILER_OUTPUT/";
inline const std::string kDatabase = kFolder + "ascend_pytorch_profiler_3.db";
inline const std::string kAnalysis = kFolder + "analysis.db";

inline void execute(const std::filesystem::path& path, const std::string& sql) {
    std::filesystem::create_directories(path.parent_path());
    sqlite3* database = nullptr;
    if (sqlite3_open(path.c_str(), &database) != SQLITE_OK ||
        sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        qFatal("%s", sqlite3_errmsg(database));
    sqlite3_close(database);
}

/// Texts, two launches within step 5, and a task each that computes; COMPUTE_TASK_INFO and the rest come from the test.
inline const char* const kTasks =
    "CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT);"
    "INSERT INTO STRING_IDS VALUES "
    "(1,'Add_1'),(2,'AI_CORE'),(3,'Add'),(4,'\"2,3;4\"'),(5,'FLOAT;FLOAT'),(6,'N/A'),(7,'aic_total_time'),"
    " (8,'hcom_allReduce__1_0_1'),(9,'group_name_0'),(10,'hcom_allReduce_'),(11,'aiv_vec_ratio'),(12,'PTA'),(13,'GE'),("
    "14,'app'),(15,'aten::add'),(16,'launch'),(99,'N/A');"
    "CREATE TABLE ENUM_API_TYPE(id, name); INSERT INTO ENUM_API_TYPE VALUES (5500,'hccl'),(10000,'node');"
    "CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER "
    "PRIMARY KEY, name INTEGER);"
    "INSERT INTO CANN_API VALUES (1010,1020,10000,8,70,16),(1030,1040,10000,8,71,16);"
    "CREATE TABLE STEP_TIME(id, startNs, endNs); INSERT INTO STEP_TIME VALUES (5,1000,1100);"
    "CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER, "
    "taskType INTEGER,"
    " contextId INTEGER, streamId INTEGER);"
    "INSERT INTO TASK VALUES "
    "(2000,2500,6,71,1,2,4294967295,2),(1500,1600,6,70,0,2,4294967295,2),(9000,9100,6,-1,2,2,4294967295,2);";
inline const std::string kKernels = std::string(kTasks) +
                                    "CREATE TABLE COMPUTE_TASK_INFO(name, globalTaskId INTEGER PRIMARY KEY, blockDim, "
                                    "taskType, opType, inputFormats, inputDataTypes,"
                                    " inputShapes, outputFormats, outputDataTypes, outputShapes);"
                                    "INSERT INTO COMPUTE_TASK_INFO VALUES "
                                    "(1,0,20,2,3,6,5,4,6,6,6),(1,1,8,2,3,6,5,4,6,6,6),(99,2,NULL,6,6,6,6,6,6,6,6);";
inline const char* const kSteps = "CREATE TABLE StepTraceTime(step TEXT, computing NUMERIC, stage NUMERIC); ";
inline const char* const kTimes =
    "CREATE TABLE CommAnalyzerTime(hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC, "
    "elapse_time NUMERIC, step TEXT, type TEXT); ";
inline const char* const kLinks =
    "CREATE TABLE CommAnalyzerMatrix(hccl_op_name TEXT, group_name TEXT, src_rank TEXT, dst_rank TEXT, transport_type "
    "TEXT,"
    " transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC, step TEXT, type TEXT, op_name TEXT); ";
inline const char* const kBandwidths =
    "CREATE TABLE CommAnalyzerBandwidth(hccl_op_name TEXT, group_name TEXT, transport_type TEXT, transit_size NUMERIC,"
    " transit_time NUMERIC, bandwidth NUMERIC, large_packet_ratio NUMERIC, package_size NUMERIC, count NUMERIC,"
    " total_duration NUMERIC, step TEXT, type TEXT); ";

inline QString shown(const std::string& text) { return QString::fromStdString(text); }

/// Diagnostics that are worse than information.
inline QString troubles(const CaptureStore& capture) {
    Diagnostics worse;
    for (const Diagnostic& one : capture.diagnostics.entries()) {
        if (one.severity == Severity::Info) continue;
        for (std::size_t i = 0; i < one.places.size(); ++i)
            worse.add(one.code, one.severity, one.file, one.places[i], one.parameters,
                      i == 0 ? one.count - one.places.size() + 1 : 1);
        if (one.places.empty()) worse.add(one.code, one.severity, one.file, {}, one.parameters, one.count);
    }
    return shown(dumpDiagnostics(worse));
}

/// A table of a fixture and more.
inline std::string joined(std::string table, std::string_view more) { return table.append(more); }

/// Rows of a table of the first rank.
inline std::size_t rowsOf(const CaptureStore& capture, RowKind kind) {
    const RowTables* rows = capture.ranks.at(0).rows.get();
    const RowTable* table = rows == nullptr ? nullptr : rows->find(kind);
    return table == nullptr ? 0 : table->size();
}

}  // namespace altiscope::test
