#include "core/import/import_capture.h"

#include "core/base/threads/parallel.h"
#include "core/import/scan/folder_scanner.h"
#include "tests/support/capture_dump.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;
namespace fs = std::filesystem;

namespace {

const char* const kName = "r_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_3.db";

/// What most databases here begin with: one operator that launches one kernel.
const char* const kSmall =
    "CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT);"
    "INSERT INTO STRING_IDS VALUES "
    "(1,'aten::add'),(2,'launch'),(3,'Add'),(4,'AI_CORE'),(5,'Enqueue'),(6,'Dequeue@add'),(7,'read'),(8,'app');"
    "CREATE TABLE CONNECTION_IDS(id INTEGER, connectionId INTEGER); INSERT INTO CONNECTION_IDS VALUES (0,70),(1,9);"
    "CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER, type "
    "INTEGER);"
    "INSERT INTO PYTORCH_API VALUES "
    "('1000','2000',21474836487,0,1,50001),('1100','1200',21474836487,1,5,50002),('1300','1400',21474836488,1,6,50002);"
    "CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER "
    "PRIMARY KEY, name INTEGER);"
    "INSERT INTO CANN_API VALUES (1310,1390,10000,21474836488,70,2);"
    "CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER PRIMARY KEY); INSERT INTO COMPUTE_TASK_INFO "
    "VALUES (3,0);"
    "CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER, "
    "taskType INTEGER,"
    " contextId INTEGER, streamId INTEGER);";
const std::string kOneTask = std::string(kSmall) + "INSERT INTO TASK VALUES (1305,1500,6,70,0,4,4294967295,2);";

void makeDatabase(const fs::path& path, const std::string& sql) {
    fs::create_directories(path.parent_path());
    sqlite3* database = nullptr;
    if (sqlite3_open(path.c_str(), &database) != SQLITE_OK ||
        sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        qFatal("%s", sqlite3_errmsg(database));
    sqlite3_close(database);
}

/// Slices as "process/thread name category begin duration", sorted; flows as "category from -> to"; samples as "counter
/// series time value".
std::set<std::string> rowsOf(const TraceStore& store) {
    std::set<std::string> rows;
    for (std::uint32_t i = 0; i < store.sliceCount(); ++i) {
        const Track& track = store.track({store.runOf({i}).track});
        rows.insert(track.process + '/' + track.thread + ' ' + std::string(store.name({i})) + ' ' +
                    std::string(store.category({i})) + ' ' + std::to_string(store.begin({i}).value) + ' ' +
                    std::to_string(store.duration({i}).value));
    }
    const TraceColumns& columns = store.columns();
    const auto nameOf = [&](std::uint32_t slice) {
        return slice == kNoSlice.value ? std::string("-") : std::string(store.name({slice}));
    };
    for (std::size_t i = 0; i < store.flowCount(); ++i)
        rows.insert(std::string(store.flowCategory(i)) + ' ' + nameOf(columns.flowFrom[i]) + " -> " +
                    nameOf(columns.flowTo[i]));
    for (const CounterSeries& series : store.series()) {
        for (std::uint64_t s = series.first; s < series.first + series.count; ++s)
            rows.insert(store.track({series.track}).name + ' ' + std::string(store.text(series.name)) + ' ' +
                        std::to_string(columns.sampleTime[s]) + ' ' + std::to_string(columns.sampleValue[s]));
    }
    return rows;
}

QByteArray joined(const std::set<std::string>& rows) {
    std::string all;
    for (const std::string& row : rows) all += row + '\n';
    return QByteArray::fromStdString(all);
}

}  // namespace

/// Profiler databases, through the door of the import.
class TestDbCapture : public QObject {
    Q_OBJECT

private slots:
    void rows();
    void counters();
    void hitRatesAreTheSharesOfTheJson();
    void problems_data();
    void problems();
    void broken_data();
    void broken();
    void cutAnywhere();
    void disappears();
    void locked();
    void logBesideIsHonoured();
    void userChoosesTheSource();
    void twins_data();
    void twins();
};

void TestDbCapture::rows() {
    const TestFolder folder;
    makeDatabase(folder.path() / kName, kOneTask);
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    const RankEntry& rank = result.value()->ranks.at(0);
    QCOMPARE(rank.info.rankId, std::optional<std::int64_t>(3));  // rank != device
    QCOMPARE(rank.info.deviceId, std::optional<std::int64_t>(6));
    QCOMPARE(rank.info.source, SourceKind::Db);
    QCOMPARE(joined(rowsOf(*rank.trace)), QByteArray("Ascend Hardware/Stream 2 Add  1305 195\n"
                                                     "CANN/Thread 8 Node@launch  1310 80\n"
                                                     "HostToDevice Node@launch -> Add\n"
                                                     "Overlap Analysis/Computing Computing  1305 195\n"
                                                     "Python/Thread 7 Enqueue enqueue 1100 100\n"
                                                     "Python/Thread 7 aten::add cpu_op 1000 1000\n"
                                                     "Python/Thread 8 Dequeue@add dequeue 1300 100\n"
                                                     "async_npu aten::add -> Add\n"
                                                     "async_task_queue Enqueue -> Dequeue@add\n"));
}

void TestDbCapture::counters() {
    const TestFolder folder;
    makeDatabase(folder.path() / kName, kOneTask + "CREATE TABLE HBM(deviceId, timestampNs, bandwidth, hbmId, type); "
                                                   "INSERT INTO HBM VALUES (6,10,2097152,0,7);"
                                                   "CREATE TABLE LLC(deviceId, llcId, timestampNs, hitRate, "
                                                   "throughput, mode); INSERT INTO LLC VALUES (6,1,10,50.0,1048576,7);"
                                                   "CREATE TABLE NPU_MEM(type, ddr, hbm, timestampNs, deviceId); "
                                                   "INSERT INTO NPU_MEM VALUES (8,1024,2048,10,6);"
                                                   "CREATE TABLE ACC_PMU(accId, readBwLevel, timestampNs, deviceId); "
                                                   "INSERT INTO ACC_PMU VALUES (4,5,10,6),(7,9,10,6);");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    const std::set<std::string> found = rowsOf(*result.value()->ranks.at(0).trace);
    for (const char* row : {"HBM 0/Read Read(MB/s) 10 2.000000", "LLC 1 Read/Hit Rate Hit Rate(%) 10 0.500000",
                            "LLC 1 Read/Throughput Throughput(MB/s) 10 1.000000", "APP/HBM KB 10 2.000000",
                            "APP/DDR KB 10 1.000000", "APP/Memory KB 10 3.000000",
                            "read_bandwidth value acc_id=4 10 5.000000", "read_bandwidth value acc_id=7 10 9.000000"})
        QVERIFY2(found.count(row) == 1, row);
}

/// The JSON of the same run has 71.7 / 100, which is 0.717; 71.7 * 0.01 is another number.
void TestDbCapture::hitRatesAreTheSharesOfTheJson() {
    const TestFolder folder;
    std::string rows;
    for (int tenths = 0; tenths <= 1000; ++tenths)
        rows += "INSERT INTO LLC VALUES (6,1," + std::to_string(10 + tenths) + "," + std::to_string(tenths / 10) + "." +
                std::to_string(tenths % 10) + ",0,7);";
    makeDatabase(folder.path() / kName,
                 kOneTask + "CREATE TABLE LLC(deviceId, llcId, timestampNs, hitRate, throughput, mode);" + rows);
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    const TraceStore& store = *result.value()->ranks.at(0).trace;
    for (const CounterSeries& series : store.series()) {
        if (store.text(series.name) != "Hit Rate(%)") continue;
        QCOMPARE(series.count, std::uint64_t{1001});
        for (std::uint64_t i = 0; i < series.count; ++i)
            QVERIFY(store.columns().sampleValue[series.first + i] == static_cast<double>(i) / 10 / 100);
        return;
    }
    QFAIL("no hit rates");
}

void TestDbCapture::problems_data() {
    QTest::addColumn<QString>("task");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* clause, const char* task, const char* code) {
        QTest::addRow("%s", clause) << QString::fromUtf8(task) << QString::fromUtf8(code);
    };
    row("text in a time", "('soon',1500,6,70,0,4,0,2)", "lost db.wrong_type");
    row("blob in a time", "(x'00ff',1500,6,70,0,4,0,2)", "lost db.wrong_type");
    row("beyond 64 bits", "(99999999999999999999999,1500,6,70,0,4,0,2)", "lost db.out_of_range");
    row("beyond any time", "(9223372036854775807,1500,6,70,0,4,0,2)", "lost db.out_of_range");
    row("no begin", "(NULL,1500,6,70,0,4,0,2)", "lost db.missing_time");
    row("no end", "(1000,NULL,6,70,0,4,0,2)", "repaired db.missing_end");
    row("end before begin", "(1000,900,6,70,0,4,0,2)", "repaired db.negative_duration");
    row("text in a stream", "(1000,1500,6,70,0,4,0,'two')", "repaired db.odd_type");
}

void TestDbCapture::problems() {
    QFETCH(QString, task);
    QFETCH(QString, code);
    const TestFolder folder;
    makeDatabase(folder.path() / kName, std::string(kSmall) + "INSERT INTO TASK VALUES " + task.toStdString() + ";");
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(QString::fromStdString(dumpDiagnostics(result.value()->diagnostics)),
             code + QLatin1Char(' ') + QString::fromUtf8(kName) + QStringLiteral(" x1 row 1\n"));
    QVERIFY(result.value()->ranks.at(0).trace->sliceCount() >= 4);  // the rest is there
}

void TestDbCapture::broken_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("code");
    QTest::addRow("empty") << QByteArray() << QStringLiteral("db.empty");
    QTest::addRow("encrypted") << QByteArray(4096, '\x5a') << QStringLiteral("db.not_a_database");
    QTest::addRow("cut in the header") << QByteArray("SQLite format 3\0\x10", 17)
                                       << QStringLiteral("db.not_a_database");
}

void TestDbCapture::broken() {
    QFETCH(QByteArray, content);
    QFETCH(QString, code);
    const TestFolder folder;
    folder.write(kName, content.toStdString());
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(result.value()->state, CaptureStore::State::Failed);
    QVERIFY(dumpDiagnostics(result.value()->diagnostics).find(code.toStdString()) != std::string::npos);
}

/// A file that ends anywhere, or has a byte flipped, gives diagnostics and never a crash.
void TestDbCapture::cutAnywhere() {
    const TestFolder folder;
    const fs::path path = folder.path() / kName;
    makeDatabase(path, kOneTask);
    std::ifstream in(path, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    for (std::size_t at = 0; at < whole.size(); at += 509) {
        folder.write(kName, whole.substr(0, at));
        QVERIFY(importForTest(folder.path(), {.threads = 1}).ok());
        std::string flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ 0x55);
        folder.write(kName, flipped);
        QVERIFY(importForTest(folder.path(), {.threads = 1}).ok());
    }
}

/// A database that goes away between being found and being read.
void TestDbCapture::disappears() {
    const TestFolder folder;
    makeDatabase(folder.path() / kName, kOneTask);
    folder.write("s_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json",
                 R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":"1.000","dur":1}])");
    WorkerArena arena(1);
    std::shared_ptr<const CaptureStore> capture;
    arena.run([&] {
        ProgressSlot progress;
        reader::ImportOptions options;
        options.onUpdate = [&](const std::shared_ptr<const CaptureStore>&) {
            fs::remove_all(folder.path() / "r_ascend_pt");
        };
        const auto result = reader::importCapture(folder.path(), options, progress, {});
        if (result.ok()) capture = result.value();
    });
    QVERIFY(capture != nullptr);
    QVERIFY(capture->state == CaptureStore::State::Partial);
    QCOMPARE(QString::fromStdString(dumpDiagnostics(capture->diagnostics)),
             QStringLiteral("lost file.missing ") + QString::fromUtf8(kName) +
                 QStringLiteral(" x1\ninfo rank.no_id s_ascend_pt x1\n"));
    QCOMPARE(capture->ranks.size(), std::size_t{2});
    QVERIFY(std::any_of(capture->ranks.begin(), capture->ranks.end(),
                        [](const RankEntry& rank) { return rank.trace && rank.trace->sliceCount() == 1; }));
}

/// Somebody who writes into a database keeps nobody from reading what it held before.
void TestDbCapture::locked() {
    const TestFolder folder;
    makeDatabase(folder.path() / kName, kOneTask);
    sqlite3* writer = nullptr;
    QCOMPARE(sqlite3_open((folder.path() / kName).c_str(), &writer), SQLITE_OK);
    QCOMPARE(sqlite3_exec(writer, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
    const auto result = importForTest(folder.path());
    sqlite3_exec(writer, "ROLLBACK", nullptr, nullptr, nullptr);
    sqlite3_close(writer);
    QVERIFY(result.ok());
    QCOMPARE(dumpDiagnostics(result.value()->diagnostics), std::string());
    QCOMPARE(result.value()->ranks.at(0).rows->find(RowKind::Operator)->size(), std::size_t{1});
}

void TestDbCapture::logBesideIsHonoured() {
    const TestFolder folder, work;
    sqlite3* writer = nullptr;
    const fs::path source = work.path() / "x.db";
    QCOMPARE(sqlite3_open(source.c_str(), &writer), SQLITE_OK);
    QCOMPARE(sqlite3_exec(writer, ("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;" + kOneTask).c_str(),
                          nullptr, nullptr, nullptr),
             SQLITE_OK);
    // As it lies while its writer runs: the tables are in the log.
    fs::create_directories((folder.path() / kName).parent_path());
    fs::copy_file(source, folder.path() / kName);
    fs::copy_file(source.string() + "-wal", (folder.path() / kName).string() + "-wal");
    sqlite3_close(writer);
    const auto result = importForTest(folder.path());
    QVERIFY(result.ok());
    QCOMPARE(result.value()->ranks.at(0).trace->sliceCount(), std::size_t{6});
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path())) files += entry.is_regular_file() ? 1 : 0;
    QCOMPARE(files, std::size_t{2});
    // Changes are looked for in the user's file, not in the copy, which is gone.
    QCOMPARE(result.value()->ranks.at(0).sources->at(0), stampOf(folder.path() / kName));
}

void TestDbCapture::userChoosesTheSource() {
    const TestFolder folder;
    makeDatabase(folder.path() / kName, kOneTask);
    const fs::path output = fs::path(kName).parent_path();
    const std::string text = (output / "trace_view.json").string();
    folder.write(text, R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2}])");
    const auto taken = [&](const reader::SourceChoice& choice) {
        const auto manifest = reader::scanCapture(folder.path(), choice, {});
        return manifest.ok() ? manifest.value().ranks.at(0).traces.at(0).name : manifest.error().code;
    };
    const auto path = reader::scanCapture(folder.path(), {}, {}).value().ranks.at(0).info.path;
    QCOMPARE(taken({}), std::string(kName));
    QCOMPARE(taken({.preferText = false, .corrections = {{path, {{}, text}}}}), text);
    QCOMPARE(taken({.preferText = true}), text);
    QCOMPARE(taken({.preferText = true, .corrections = {{path, {{}, kName}}}}), std::string(kName));
    QCOMPARE(taken({.preferText = false, .corrections = {{path, {{}, "gone.db"}}}}), std::string(kName));
}

void TestDbCapture::twins_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<int>("parents");  // of fused tasks, which the text leaves out
    QTest::addRow("small") << QStringLiteral("raw/small/expected") << 0;
    QTest::addRow("flip_ffts") << QStringLiteral("raw/flip_ffts/expected") << 1;
}

/// JSON and database of one input hold the same slices, flows and samples.
void TestDbCapture::twins() {
    QFETCH(QString, folder);
    QFETCH(int, parents);
    const auto path = sharedData(folder.toStdString());
    if (!path) QSKIP(kNoSharedData);
    WorkerArena arena(2);
    std::map<bool, std::set<std::string>> rows;
    for (const bool preferText : {true, false}) {
        arena.run([&] {
            ProgressSlot progress;
            reader::ImportOptions options;
            options.preferText = preferText;
            const auto result = reader::importCapture(*path, options, progress, {});
            if (result.ok() && result.value()->ranks.at(0).trace)
                rows[preferText] = rowsOf(*result.value()->ranks[0].trace);
        });
    }
    QVERIFY(!rows[true].empty());
    for (const std::string& row : rows[true]) QVERIFY2(rows[false].count(row) == 1, row.c_str());
    QCOMPARE(static_cast<int>(rows[false].size() - rows[true].size()), parents);
}

ALTI_TEST(TestDbCapture)
#include "tst_db_capture.moc"
