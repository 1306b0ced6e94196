#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/python_script.h"
#include "tests/support/test_main.h"

#include <QTest>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr const char* kHeading = "FuncInfo,StartTime(ns),EndTime(ns),Thread Id,Process Id\n";

/// A call: name, begin, end, thread.
struct Call {
    const char* name;
    const char* begin;
    const char* end;
    const char* thread = "7";
};

std::string csvOf(const std::vector<Call>& calls) {
    std::string text = kHeading;
    for (const Call& call : calls)
        text += std::string("\"") + call.name + "\"," + call.begin + ',' + call.end + ',' + call.thread + ",9\n";
    return text;
}

void runSql(const std::filesystem::path& path, const std::string& sql) {
    sqlite3* database = nullptr;
    if (sqlite3_open(path.c_str(), &database) != SQLITE_OK ||
        sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        qFatal("%s", sqlite3_errmsg(database));
    sqlite3_close(database);
}

/// A dump without events, with a table of calls.
std::string databaseOf(const std::vector<Call>& calls) {
    std::string sql =
        "CREATE TABLE memscope_dump(ID INTEGER PRIMARY KEY, Event TEXT, \"Event Type\" TEXT, Name TEXT, "
        "\"Timestamp(ns)\" INTEGER, \"Process Id\" INTEGER, \"Thread Id\" INTEGER, \"Device Id\" TEXT, Ptr TEXT, Attr "
        "TEXT, \"Call Stack(Python)\" TEXT, \"Call Stack(C)\" TEXT);"
        "CREATE TABLE python_trace_9(FuncInfo TEXT, \"StartTime(ns)\" TEXT, \"EndTime(ns)\" TEXT, \"Thread Id\" "
        "INTEGER, \"Process Id\" INTEGER);";
    for (const Call& call : calls)
        sql += std::string("INSERT INTO python_trace_9 VALUES('") + call.name + "','" + call.begin + "','" + call.end +
               "','" + call.thread + "',9);";
    return sql;
}

/// Slices without their positions, which differ between files, and problems.
std::string slicesOf(const ImportResult& result) {
    if (!result.ok()) return "error " + result.error().code;
    const auto& trace = result.value()->ranks.at(0).trace;
    if (trace == nullptr) return "no trace";
    std::string rows = dumpRows(*trace), text;
    while (!rows.empty()) {
        const std::size_t end = rows.find('\n');
        std::string line = rows.substr(0, end);
        text += line.substr(0, line.rfind(" @")) + '\n';
        rows.erase(0, end == std::string::npos ? rows.size() : end + 1);
    }
    return text;
}

std::string problemsOf(const ImportResult& result) {
    return result.ok() ? dumpDiagnostics(result.value()->diagnostics) : "error " + result.error().code;
}

/// Both forms of the same calls.
std::vector<std::filesystem::path> filesOf(const TestFolder& folder, const std::vector<Call>& calls) {
    const auto database = folder.path() / "memscope_dump_1.db";
    std::filesystem::remove(database);
    runSql(database, databaseOf(calls));
    return {folder.write("python_trace_1.csv", csvOf(calls)), database};
}

}  // namespace

/// Calls of Python that msMemScope records, as slices: of databases and of text.
class TestPythonTrace : public QObject {
    Q_OBJECT
private slots:
    void callsAreStacked();
    void missingEndsAreFound();
    void damagedRowsAreReported();
    void tablesThatAreNone();
    void callsBesideADump();
    void generatedCallsNest();
    void damageIsNeverSilent();
};

void TestPythonTrace::callsAreStacked() {
    const TestFolder folder;
    const std::vector<Call> calls{{"b.py(2): g", "120", "150"},
                                  {"len", "160", "170"},
                                  {"a.py(1): f", "100", "200"},
                                  {"a.py(1): f", "90", "95", "8"}};
    for (const auto& file : filesOf(folder, calls)) {
        const auto result = importForTest(file);
        QCOMPARE(problemsOf(result).find("lost"), std::string::npos);
        QCOMPARE(slicesOf(result), std::string("slice 9/7 d0 a.py(1): f [100,+100)\nslice 9/7 d1 b.py(2): g [120,+30)\n"
                                               "slice 9/7 d1 len [160,+10)\nslice 9/8 d0 a.py(1): f [90,+5)\n"));
        const TraceStore& trace = *result.value()->ranks[0].trace;
        for (const Track& track : trace.tracks()) QVERIFY(track.kind == TrackKind::Python);
    }
}

void TestPythonTrace::missingEndsAreFound() {
    const TestFolder folder;
    // main and run were there at the begin; run returns, main does not. late begins and is there at the end, as is
    // main. early returns and was not seen at the begin; lost has neither end nor is it there.
    const std::vector<Call> calls{
        {"run", "N/A", "150"},        {"early", "N/A", "120"},      {"late", "180", "N/A"},
        {"lost", "130", "N/A"},       {"start: run", "100", "N/A"}, {"start: main", "100", "N/A"},
        {"stop: late", "300", "N/A"}, {"stop: main", "300", "N/A"}, {"stop: other", "300", "N/A"}};
    for (const auto& file : filesOf(folder, calls)) {
        const auto result = importForTest(file);
        const std::string problems = problemsOf(result);
        QVERIFY2(problems.find("info memscope.open_calls " + file.filename().string() + " x2") != std::string::npos,
                 problems.c_str());
        QCOMPARE(problems.find("lost"), std::string::npos);
        const std::string slices = slicesOf(result);
        for (const char* slice :
             {"main [100,+200)", "run [100,+50)", "early [100,+20)", "late [180,+120)", "lost [130,+170)"})
            QVERIFY2(slices.find(slice) != std::string::npos, slices.c_str());
        QCOMPARE(result.value()->ranks[0].trace->sliceCount(), std::size_t{5});
    }
    // A function that calls itself: the inner call ends first.
    for (const auto& file :
         filesOf(folder, {{"f", "10", "N/A"}, {"f", "20", "N/A"}, {"f", "N/A", "30"}, {"f", "N/A", "40"}}))
        QCOMPARE(slicesOf(importForTest(file)), std::string("slice 9/7 d0 f [10,+30)\nslice 9/7 d1 f [20,+10)\n"));
}

void TestPythonTrace::damagedRowsAreReported() {
    const TestFolder folder;
    const std::vector<Call> calls{{"a", "10", "20"},    {"b", "N/A", "N/A"},    {"c", "late", "20"},
                                  {"d", "10", "1e300"}, {"e", "10", "20", "x"}, {"f", "20", "10"},
                                  {"g", "", "20"}};
    const auto files = filesOf(folder, calls);
    const auto text = importForTest(files[0]);
    QCOMPARE(problemsOf(text),
             std::string("lost csv.missing_value python_trace_1.csv x5 row 3, row 4, row 5, row 6, row 8\n"
                         "repaired csv.out_of_range python_trace_1.csv x1 row 7\n"
                         "info reader.experimental python_trace_1.csv x1\n"));
    const auto database = importForTest(files[1]);
    const std::string problems = problemsOf(database);
    for (const char* problem :
         {"lost db.missing_time memscope_dump_1.db x1 row 2",
          "lost db.out_of_range memscope_dump_1.db x3 row 3, row 4, row 7",
          "lost db.missing_id memscope_dump_1.db x1 row 5", "db.negative_duration memscope_dump_1.db x1 row 6"})
        QVERIFY2(problems.find(problem) != std::string::npos, problems.c_str());
    for (const auto& result : {text, database})
        QCOMPARE(slicesOf(result), std::string("slice 9/7 d0 a [10,+10)\nslice 9/7 d1 f [20,+0)\n"));
}

void TestPythonTrace::tablesThatAreNone() {
    const TestFolder folder;
    QVERIFY(problemsOf(importForTest(folder.write("python_trace_1.csv", "FuncInfo,EndTime(ns)\na,1\n")))
                .find("lost csv.no_column python_trace_1.csv") != std::string::npos);
    QVERIFY(problemsOf(importForTest(folder.write("python_trace_1.csv", kHeading + std::string("a,1,2,7,9\nb,1"))))
                .find("lost csv.cut python_trace_1.csv x1 row 3") != std::string::npos);
    const auto file = folder.path() / "memscope_dump_1.db";
    runSql(file, databaseOf({{"a", "1", "2"}}) + "ALTER TABLE python_trace_9 RENAME COLUMN \"Thread Id\" TO Tid;");
    const std::string problems = problemsOf(importForTest(file));
    QVERIFY2(problems.find("lost db.missing_column memscope_dump_1.db") != std::string::npos, problems.c_str());
    // An empty one is no timeline.
    std::filesystem::remove(file);
    runSql(file, databaseOf({}));
    const auto empty = importForTest(file);
    QVERIFY(empty.ok() && empty.value()->ranks[0].trace == nullptr);
}

void TestPythonTrace::callsBesideADump() {
    const TestFolder folder;
    const std::string dump = "ID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id,Ptr,Attr,Call "
                             "Stack(Python),Call Stack(C)\n1,MALLOC,HAL,N/A,10,9,7,3,4096,\"{size:8192}\",,\n";
    folder.write("run/device_3/dump/memscope_dump_1.csv", dump);
    folder.write("run/device_3/dump/python_trace_7_1.csv", csvOf({{"a", "10", "20"}}));
    folder.write("run/device_3/dump/python_trace_8_1.csv", csvOf({{"b", "11", "21", "8"}}));
    folder.write("run/device_4/dump/python_trace_1.csv", csvOf({{"c", "10", "20"}}));
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(result.value()->ranks.size(), std::size_t{2});
    const RankEntry& both = result.value()->ranks[0];
    QCOMPARE(both.info.deviceId.value_or(-1), std::int64_t{3});
    QCOMPARE(both.trace->sliceCount(), std::size_t{2});
    QCOMPARE(both.rows->find(RowKind::MemorySample)->size(), std::size_t{1});
    QCOMPARE(both.info.present, (std::vector<std::string>{"memory", "snapshot", "timeline"}));
    QCOMPARE(result.value()->ranks[1].info.deviceId.value_or(-1), std::int64_t{4});
    QCOMPARE(result.value()->ranks[1].trace->sliceCount(), std::size_t{1});
}

/// The calls of a generated dump lie within each other, in both forms alike.
void TestPythonTrace::generatedCallsNest() {
    const TestFolder folder;
    std::string first;
    for (const char* name : {"memscope_dump_1.db", "memscope_dump_1.csv"}) {
        const auto file = folder.path() / "capture" / name;
        std::filesystem::remove_all(folder.path() / "capture");
        std::filesystem::create_directory(folder.path() / "capture");
        QVERIFY(runScript("make_memscope.py", {file, "--events", "200", "--calls", "400"}));
        const auto result = importForTest(folder.path() / "capture");
        QVERIFY(result.ok() && !result.value()->diagnostics.anyLost());
        const std::string slices = slicesOf(result);
        const TraceStore& trace = *result.value()->ranks.at(0).trace;
        QVERIFY(trace.sliceCount() > 300);
        QVERIFY(slices.find(" d5 ") != std::string::npos);
        if (first.empty()) first = slices;
        QCOMPARE(slices, first);
    }
}

void TestPythonTrace::damageIsNeverSilent() {
    const TestFolder folder;
    const auto file = folder.path() / "memscope_dump_1.db";
    QVERIFY(runScript("make_memscope.py", {file, "--events", "12", "--calls", "300"}));
    const auto countOf = [](const ImportResult& result) -> std::size_t {
        if (!result.ok() || result.value()->ranks.empty() || result.value()->ranks[0].trace == nullptr) return 0;
        return result.value()->ranks[0].trace->sliceCount();
    };
    const auto sound = importForTest(file);
    const std::string fine = problemsOf(sound);
    const std::size_t slices = countOf(sound);
    QVERIFY(slices > 200);
    std::ifstream in(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    for (std::size_t at = 0; at < bytes.size(); at += 307) {
        std::string flipped = bytes;
        flipped[at] = static_cast<char>(flipped[at] ^ 0xFF);
        std::ofstream(file, std::ios::binary) << flipped;
        const auto result = importForTest(file);
        QVERIFY2(problemsOf(result) != fine || countOf(result) == slices, std::to_string(at).c_str());
    }
}

ALTI_TEST(TestPythonTrace)
#include "tst_python_trace.moc"
