#include "core/import/memscope/memscope_events.h"
#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/python_script.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr const char* kColumns =
    "(ID INTEGER PRIMARY KEY, Event TEXT, \"Event Type\" TEXT, Name TEXT, \"Timestamp(ns)\" "
    "INTEGER, \"Process Id\" INTEGER, \"Thread Id\" INTEGER, \"Device Id\" TEXT, Ptr TEXT, "
    "Attr TEXT, \"Call Stack(Python)\" TEXT, \"Call Stack(C)\" TEXT)";

void runSql(const std::filesystem::path& path, const std::string& sql) {
    std::filesystem::create_directories(path.parent_path());
    sqlite3* database = nullptr;
    if (sqlite3_open(path.c_str(), &database) != SQLITE_OK ||
        sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        qFatal("%s", sqlite3_errmsg(database));
    sqlite3_close(database);
}

/// JSON in single quotes, in double ones; moc 6.4 loses its way in raw strings of such texts.
std::string quoted(std::string text) {
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

/// "(event, kind, time, device, address, attributes)" as a row.
std::string row(const char* event, const char* kind, int time, const char* device, const char* address,
                const std::string& attributes, const char* stack = "") {
    return "INSERT INTO memscope_dump VALUES(NULL, '" + std::string(event) + "', '" + kind + "', 'N/A', " +
           std::to_string(time) + ", 1, 1, '" + device + "', '" + address + "', '" + attributes + "', '" + stack +
           "', '');";
}

std::string dumpOf(const std::vector<std::string>& rows) {
    std::string sql = std::string("CREATE TABLE memscope_dump") + kColumns + ";";
    for (const std::string& one : rows) sql += one;
    return sql;
}

std::string realText(const RowTable& table, std::string_view name, std::size_t row) {
    const auto& extras = table.extras();
    const auto found = std::find(extras.begin(), extras.end(), name);
    if (found == extras.end()) return "-";
    const auto value =
        table.real(rowColumns(table.kind()).size() + static_cast<std::size_t>(found - extras.begin()), row);
    return value ? std::to_string(static_cast<std::int64_t>(*value)) : "-";
}

/// What count_memscope.py prints of a dump.
std::string summaryOf(const ImportResult& result) {
    if (!result.ok()) return "error " + result.error().code;
    const RowTables& rows = *result.value()->ranks.at(0).rows;
    std::string text;
    const auto cells = [&](RowKind kind, std::size_t row, std::initializer_list<const char*> columns) {
        std::string line;
        for (const char* name : columns) line += '|' + cellText(rows, *rows.find(kind), rowColumn(kind, name), row);
        return line;
    };
    constexpr RowKind S = RowKind::MemorySample, A = RowKind::Allocation, E = RowKind::SnapshotEvent,
                      B = RowKind::SnapshotBlock;
    for (std::size_t i = 0; i < rows.find(S)->size(); ++i)
        text += "sample" + cells(S, i, {"component", "ts", "allocated", "reserved", "device_id"}) + '\n';
    const RowTable& allocations = *rows.find(A);
    for (std::size_t i = 0; i < allocations.size(); ++i) {
        text += "allocation" + cells(A, i, {"name", "size", "alloc_ts", "release_ts", "device_id"});
        for (const char* use : {"first_use", "longest_idle", "unused_end"}) text += '|' + realText(allocations, use, i);
        text += '\n';
    }
    std::map<std::tuple<std::int64_t, std::string>, std::int64_t> states, actions;
    const RowTable& blocks = *rows.find(B);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        states[{blocks.integer(fixedColumn(B, "device_id"), i).value_or(-1), cells(B, i, {"device_id", "state"})}] +=
            blocks.integer(fixedColumn(B, "size"), i).value_or(0);
    for (const auto& [key, bytes] : states) text += "blocks" + std::get<1>(key) + '|' + std::to_string(bytes) + '\n';
    const RowTable& events = *rows.find(E);
    for (std::size_t i = 0; i < events.size(); ++i)
        ++actions[{events.integer(fixedColumn(E, "device_id"), i).value_or(-1), cells(E, i, {"device_id", "action"})}];
    for (const auto& [key, count] : actions) text += "entries" + std::get<1>(key) + '|' + std::to_string(count) + '\n';
    return text;
}

void compareWithScript(const std::filesystem::path& file) {
    std::string expected = runScript("count_memscope.py", {file}).value_or("");
    expected.erase(0, expected.find('\n') + 1);
    QVERIFY(expected.size() > 100);
    const auto result = importForTest(file);
    const std::string actual = summaryOf(result);
    if (actual == expected) return;
    const auto [a, e] = std::mismatch(actual.begin(), actual.end(), expected.begin(), expected.end());
    const auto line = [](const std::string& text, std::size_t at) {
        const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
        return text.substr(begin, text.find('\n', at) - begin);
    };
    QFAIL((file.string() + '\n' + line(actual, static_cast<std::size_t>(a - actual.begin())) + "\nexpected\n" +
           line(expected, static_cast<std::size_t>(e - expected.begin())))
              .c_str());
}

std::string problemsOf(const ImportResult& result) {
    return result.ok() ? dumpDiagnostics(result.value()->diagnostics) : "error " + result.error().code + '\n';
}

}  // namespace

/// Dumps of msMemScope against Python's sqlite3, and what is wrong with them.
class TestMemscope : public QObject {
    Q_OBJECT
private slots:
    void formsAgreeWithPython_data() {
        QTest::addColumn<QByteArray>("words");
        QTest::addRow("as the tool writes it") << QByteArray("--seed 1");
        QTest::addRow("under its old name") << QByteArray("--seed 2 --table leaks_dump");
        QTest::addRow("attributes without quotes") << QByteArray("--seed 3 --plain");
        QTest::addRow("more rows than a batch") << QByteArray("--seed 4 --events 20000");
    }
    void formsAgreeWithPython() {
        QFETCH(QByteArray, words);
        const TestFolder folder;
        const std::filesystem::path file = folder.path() / "memscope_dump_1.db";
        std::vector<std::filesystem::path> arguments{file};
        for (const QByteArray& word : words.split(' ')) arguments.emplace_back(word.toStdString());
        QVERIFY(runScript("make_memscope.py", arguments));
        compareWithScript(file);
    }

    void theSampleAgreesWithPython() {
        const auto folder = sharedData("memscope");
        if (!folder) QSKIP(kNoSharedData);
        const std::filesystem::path file = *folder / "memscope_dump_20260527062213.db";
        compareWithScript(file);
        const auto result = importForTest(file);
        QCOMPARE(problemsOf(result), std::string("info memscope.other_events memscope_dump_20260527062213.db x3\n"));
        const RowTables& rows = *result.value()->ranks.at(0).rows;
        const RowTable& events = *rows.find(RowKind::SnapshotEvent);
        const std::string stack = cellText(rows, events, fixedColumn(RowKind::SnapshotEvent, "stack"), 1);
        QVERIFY(stack.find("libleaks_ascend_hal_hook.so(halMemAlloc+0x118)") < stack.find('\n'));
        QVERIFY(stack.ends_with("a.py(11): <module>"));
    }

    void aBlockLivesFromItsAllocationToItsRelease() {
        const TestFolder folder;
        const auto file = folder.path() / "memscope_dump_1.db";
        runSql(file,
               dumpOf({row("MALLOC", "HAL", 10, "0", "0x1000", quoted("{'size':'8192'}")),
                       row("MALLOC", "PTA", 20, "0", "0x1000", quoted("{'size':'512','owner':'PTA@w'}"), "a.py(1): f"),
                       row("ACCESS", "READ", 25, "0", "0x1100", quoted("{'type':'PTA'}")),
                       row("ACCESS", "WRITE", 45, "0", "0x1000", quoted("{'type':'PTA'}")),
                       row("FREE", "PTA", 60, "0", "0x1000", quoted("{'size':'512'}")),
                       row("MALLOC", "PTA", 70, "0", "0x1200", quoted("{'size':'1024'}"))}));
        const auto result = importForTest(file);
        QCOMPARE(problemsOf(result), std::string());
        QCOMPARE(dumpTables(*result.value()),
                 std::string("? memory_sample HAL|10|-|8192|-|-|0\n? memory_sample PTA|20|512|-|-|-|0\n"
                             "? memory_sample PTA|60|0|-|-|-|0\n? memory_sample PTA|70|1024|-|-|-|0\n"
                             "? allocation PTA@w|512|20|60|-|512|-|-|0|-|-|-|0\n"
                             "? allocation PTA|1024|70|-|-|1024|-|-|-|-|-|-|0\n"
                             "? snapshot_event 0|0|segment_alloc|4096|8192|-|0|8192|-|10|-|-|-\n"
                             "? snapshot_event 0|1|alloc|4096|512|-|512|8192|a.py(1): f|20|-|-|-\n"
                             "? snapshot_event 0|2|access|4352|-|-|512|8192|-|25|-|-|-\n"
                             "? snapshot_event 0|3|access|4096|-|-|512|8192|-|45|-|-|-\n"
                             "? snapshot_event 0|4|free_requested|4096|512|-|0|8192|-|60|-|-|-\n"
                             "? snapshot_event 0|5|free_completed|4096|512|-|0|8192|-|60|-|-|-\n"
                             "? snapshot_event 0|6|alloc|4608|1024|-|1024|8192|-|70|-|-|-\n"
                             "? snapshot_block 0|4608|1024|1024|active_allocated|4096|6|-|-|-|-|-\n"
                             "? snapshot_block 0|4096|512|-|inactive|4096|-|-|-|-|-|-\n"
                             "? snapshot_block 0|5632|6656|-|inactive|4096|-|-|-|-|-|-\n"
                             "? snapshot_block 0|4096|512|512|freed|4096|1|5|a.py(1): f|-|-|-\n"));
        const RowTable& allocations = *result.value()->ranks[0].rows->find(RowKind::Allocation);
        QCOMPARE(realText(allocations, "first_use", 0), std::string("5"));
        QCOMPARE(realText(allocations, "longest_idle", 0), std::string("20"));
        QCOMPARE(realText(allocations, "unused_end", 0), std::string("15"));
        QCOMPARE(realText(allocations, "first_use", 1), std::string("-"));
    }

    void anAddressInTheAttributesAloneIsEnough() {
        const TestFolder folder;
        const auto file = folder.path() / "memscope_dump_1.db";
        runSql(file, dumpOf({row("MALLOC", "PTA", 10, "0", "N/A", quoted("{'addr':'0x1000','size':'512'}")),
                             row("FREE", "PTA", 20, "0", "", quoted("{'addr':'4096','size':'512'}"))}));
        const auto result = importForTest(file);
        QCOMPARE(problemsOf(result), std::string());
        const RowTables& rows = *result.value()->ranks.at(0).rows;
        const RowTable& blocks = *rows.find(RowKind::SnapshotBlock);
        QCOMPARE(blocks.size(), std::size_t{1});
        QCOMPARE(cellText(rows, blocks, fixedColumn(RowKind::SnapshotBlock, "address"), 0), std::string("4096"));
    }

    void whatDoesNotHoldIsReported() {
        const TestFolder folder;
        const auto file = folder.path() / "memscope_dump_1.db";
        runSql(file,
               dumpOf({row("MALLOC", "PTA", 10, "0", "0x1000", quoted("{'size':'512'}")),
                       row("MALLOC", "PTA", 20, "0", "0x1000", quoted("{'size':'100'}")),  // its release is missing
                       row("FREE", "PTA", 30, "0", "0x9000", quoted("{'size':'70'}")),     // older
                       row("MALLOC", "PTA", 40, "0", "nowhere", quoted("{'size':'1'}")),
                       row("MALLOC", "PTA", 50, "0", "0x2000", quoted("{'size':'a lot'}")),
                       row("MALLOC", "PTA", 60, "5000", "0x3000", quoted("{'size':'8'}")),
                       row("FREE", "PTA", 0, "0", "0x1000", "{}"),
                       "UPDATE memscope_dump SET \"Timestamp(ns)\" = 'late' WHERE ID = 7;",
                       row("TRIMMED", "x", 90, "0", "N/A", "{}")}));
        const auto result = importForTest(file);
        QCOMPARE(
            problemsOf(result),
            std::string(
                "lost db.missing_id memscope_dump_1.db x1 row 4\nrepaired db.odd_type memscope_dump_1.db x1 row 6\n"
                "lost db.out_of_range memscope_dump_1.db x1 row 5\nlost db.wrong_type memscope_dump_1.db x1 row 7\n"
                "info memscope.older memscope_dump_1.db x1\n"
                "repaired memscope.replaced memscope_dump_1.db x1\n"
                "lost memscope.unknown_events memscope_dump_1.db x1\n"));
        const RowTables& rows = *result.value()->ranks.at(0).rows;
        QCOMPARE(rows.find(RowKind::Allocation)->size(), std::size_t{4});
        // The baseline is what is released later: sums begin at 70 and never fall below 0. The host's 8 come first.
        const RowTable& samples = *rows.find(RowKind::MemorySample);
        std::string sums;
        for (std::size_t i = 0; i < samples.size(); ++i)
            sums += cellText(rows, samples, fixedColumn(RowKind::MemorySample, "allocated"), i) + ' ';
        QCOMPARE(sums, std::string("8 582 170 100 "));
    }

    void anUnknownKindOfEventIsNoOtherEvent_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("expected");
        const auto kind = [](const char* word, const char* code) {
            QTest::addRow("%s", word) << QString::fromUtf8(word) << QString::fromUtf8(code);
        };
        for (const char* word : {"SYSTEM", "OP_LAUNCH", "KERNEL_LAUNCH", "MSTX", "OOM_DETAIL"})
            kind(word, "info memscope.other_events");
        for (const char* word :
             {"OOM_DETAILS", "TRIM", "N/A", "MALLOD", "MA}LOC", "MAL\x03\x7FOC", "", "\xE4\xB8\xAD\xE6\x96\x87"})
            kind(word, "lost memscope.unknown_events");
    }
    void anUnknownKindOfEventIsNoOtherEvent() {
        QFETCH(QString, kind);
        QFETCH(QString, expected);
        const TestFolder folder;
        const auto file = folder.path() / "memscope_dump_1.db";
        runSql(file, dumpOf({row("MALLOC", "PTA", 10, "0", "0x1000", quoted("{'size':'512'}")),
                             row(kind.toUtf8().constData(), "PTA", 20, "0", "0x1000", "{}")}));
        QCOMPARE(QString::fromStdString(problemsOf(importForTest(file))),
                 expected + QStringLiteral(" memscope_dump_1.db x1\n"));
    }

    void aFolderOfDumpsIsACapture() {
        const TestFolder folder;
        for (const char* device : {"device_0", "device_3"})
            runSql(folder.path() / "msmemscope_7_1_ascend" / device / "dump" / "memscope_dump_5.db",
                   dumpOf({row("MALLOC", "HAL", 10, "0", "0x1000", quoted("{'size':'8192'}"))}));
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        QCOMPARE(result.value()->ranks.size(), std::size_t{2});
        QCOMPARE(result.value()->ranks[1].info.deviceId.value_or(-1), std::int64_t{3});
        for (const RankEntry& rank : result.value()->ranks) {
            QVERIFY(rank.info.state == RankState::Ok);
            QVERIFY(rank.rows->find(RowKind::MemorySample) != nullptr);
        }
        // A renamed file is known by its table.
        const auto other = folder.path() / "mine.sqlite";
        runSql(other, dumpOf({row("MALLOC", "HAL", 10, "0", "0x1000", quoted("{'size':'8192'}"))}));
        QVERIFY(importForTest(other).ok());
        const auto none = folder.path() / "memscope_dump_9.db";
        runSql(none, "CREATE TABLE other(x)");
        QCOMPARE(problemsOf(importForTest(none)), std::string("lost memscope.no_table memscope_dump_9.db x1\n"));
    }

    void damageIsNeverSilent() {
        const TestFolder folder;
        const auto file = folder.path() / "memscope_dump_1.db";
        QVERIFY(runScript("make_memscope.py", {file, "--events", "120"}));
        const auto samplesOf = [](const ImportResult& result) -> std::size_t {
            if (!result.ok() || result.value()->ranks.empty() || result.value()->ranks[0].rows == nullptr) return 0;
            const RowTable* table = result.value()->ranks[0].rows->find(RowKind::MemorySample);
            return table == nullptr ? 0 : table->size();
        };
        const auto sound = importForTest(file);
        const std::string fine = problemsOf(sound);
        const std::size_t samples = samplesOf(sound);
        std::ifstream in(file, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(in)), {});
        std::size_t reported = 0;
        for (std::size_t at = 0; at < bytes.size(); at += 211) {
            std::string flipped = bytes;
            flipped[at] = static_cast<char>(flipped[at] ^ 0xFF);
            std::ofstream(file, std::ios::binary) << flipped;
            const auto result = importForTest(file);
            if (problemsOf(result) != fine) {
                ++reported;
                continue;
            }
            // A byte within a value makes another value; no row may go for it.
            QVERIFY2(samplesOf(result) == samples, std::to_string(at).c_str());
        }
        QVERIFY(reported > 20);
    }

    void attributesOfAllForms_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("pairs");
        QTest::addRow("texts") << quoted("{'a':'1','b':'x, y'}").c_str() << "a=1;b=x, y;";
        QTest::addRow("numbers") << quoted("{'a': 1, 'b': 22}").c_str() << "a=1;b=22;";
        QTest::addRow("without quotes") << "{a:1,b:{c},shape:[1, 2],d:e}"
                                        << "a=1;b={c;shape=[1, 2];d=e;";
        QTest::addRow("cut") << quoted("{'a':'1','b':'x").c_str() << "a=1;b=x;";
        QTest::addRow("empty") << ""
                               << "";
        QTest::addRow("no pair") << "{,,}{ nothing"
                                 << "";
        QTest::addRow("a quote within") << quoted("{'a':'x\\'y','b':'2'}").c_str() << quoted("a=x\\'y;b=2;").c_str();
    }
    void attributesOfAllForms() {
        QFETCH(QString, text);
        QFETCH(QString, pairs);
        std::string found;
        const std::string bytes = text.toStdString();
        reader::eachMemscopeAttribute(bytes, [&](std::string_view key, std::string_view value) {
            found.append(key).append("=").append(value).append(";");
        });
        QCOMPARE(QString::fromStdString(found), pairs);
    }
};

ALTI_TEST(TestMemscope)
#include "tst_memscope.moc"
