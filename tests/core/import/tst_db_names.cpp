#include "core/import/files/near_names.h"
#include "core/import/sqlite/db_checked.h"
#include "core/import/sqlite/db_names.h"
#include "tests/support/capture_dump.h"
#include "tests/support/effort.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"
#include "tests/support/thread_clock.h"

#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <string>

using namespace altiscope;
using namespace altiscope::test;
namespace fs = std::filesystem;

namespace {

const char* const kNamedDatabase = "r_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_3.db";
const char* const kNamedTables =
    "CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT); INSERT INTO STRING_IDS VALUES (1, 'a');"
    "CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER "
    "PRIMARY KEY, name INTEGER); INSERT INTO CANN_API VALUES (1000, 1005, 10000, 21474836488, 1, 1);"
    "CREATE TABLE ACC_PMU(accId INTEGER, readBwLevel INTEGER, writeBwLevel INTEGER, readOstLevel INTEGER, "
    "writeOstLevel INTEGER, timestampNs NUMERIC, deviceId INTEGER); INSERT INTO ACC_PMU VALUES (1, 2, 3, 4, 5, 1001, "
    "0);"
    "CREATE TABLE HBM(deviceId INTEGER, timestampNs INTEGER, bandwidth NUMERIC, hbmId INTEGER, type INTEGER);"
    "INSERT INTO HBM VALUES (0, 1002, 1048576, 0, 1);";

void makeNamed(const fs::path& path, const std::string& sql) {
    fs::create_directories(path.parent_path());
    sqlite3* database = nullptr;
    if (sqlite3_open(path.c_str(), &database) != SQLITE_OK ||
        sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        qFatal("%s", sqlite3_errmsg(database));
    sqlite3_close(database);
}

struct NameOutcome {
    bool opened = false, partial = false;
    std::string told;
};

NameOutcome importNamed(const fs::path& folder) {
    const auto result = importForTest(folder);
    if (!result.ok()) return {};
    return {true, result.value()->state != CaptureStore::State::Ok, dumpDiagnostics(result.value()->diagnostics)};
}

}  // namespace

/// A damaged name in the list of tables: what stands under it is not found, which is a loss, not another version.
class TestDbNames : public QObject {
    Q_OBJECT
private slots:
    void nearlyTheSame_data();
    void nearlyTheSame();
    void lostUnderADamagedName_data();
    void lostUnderADamagedName();
    void newNamesAreSilent_data();
    void newNamesAreSilent();
    void namesInAnotherCaseAreTheSame();
    void oneByteOfAName();
    void namesOfRealFilesAreKnown();
    void aLongNameEndsAfterAWholeCharacter();
    void manyTablesTakeNoTime();
};

void TestDbNames::nearlyTheSame_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("known");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char* name, const char* known, bool expected) {
        QTest::addRow("%s for %s", name, known) << QByteArray(name) << QByteArray(known) << expected;
    };
    row("TASL", "TASK", true);
    row("tASK", "TASK", true);
    row("TAK", "TASK", true);
    row("TASSK", "TASK", true);
    row("TAKS", "TASK", true);
    row("TASK", "TASK", false);
    row("XASY", "TASK", false);
    row("startN", "startNs", true);
    row("startNs12", "startNs", true);
    row("startNs123", "startNs", false);
    row("QOT", "QOS", true);
    row("QO", "QOS", false);
    row("QOSX", "QOS", false);
    row("NIC", "UB", false);
    row("", "UB", false);
}

void TestDbNames::nearlyTheSame() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, known);
    QFETCH(bool, expected);
    QCOMPARE(reader::isNearlyName(name.toStdString(), known.toStdString()), expected);
}

void TestDbNames::lostUnderADamagedName_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("told");
    const auto master = [](const char* where, const char* from, const char* to) {
        return QStringLiteral("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '%2', '%3') "
                              "WHERE name = '%1';")
            .arg(QLatin1String(where), QLatin1String(from), QLatin1String(to));
    };
    const QString table = QStringLiteral("db.damaged_table_name"), all = QStringLiteral("db.corrupt"),
                  column = QStringLiteral("db.damaged_column_name");
    QTest::addRow("a column of counters") << master("ACC_PMU", "readBwLevel", "readBwLewel") << column;
    QTest::addRow("two neighbours") << master("ACC_PMU", "deviceId", "deviecId") << column;
    QTest::addRow("a column in its position") << master("HBM", "timestampNs", "t0123456789") << column;
    QTest::addRow("no text") << QStringLiteral("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = "
                                               "CAST(replace(sql, 'hbmId', 'hb' || x'fe' || 'xx') AS TEXT) "
                                               "WHERE name = 'HBM';")
                             << column;
    QTest::addRow("a comma") << master("HBM", "NUMERIC, hbmId", "NUMERICl hbmId") << column;
    QTest::addRow("a comma without blank") << master("HBM", "NUMERIC, hbmId", "NUMERICITmId") << column;
    QTest::addRow("a blank") << master("HBM", "bandwidth NUMERIC", "bandwidth0NUMERIC") << column;
    QTest::addRow("a row id that is none") << master("CANN_API", "PRIMARY KEY", "PRIMARX KEZ") << column;
    QTest::addRow("a row id of another type") << master("CANN_API", "INTEGER PRIMARY", "INoEGER PRIMARY") << column;
    QTest::addRow("a renamed table") << QStringLiteral("ALTER TABLE ACC_PMU RENAME TO ACC_PMV;") << table;
    QTest::addRow("a short one") << QStringLiteral("ALTER TABLE HBM RENAME TO HBO;") << table;
    QTest::addRow("only in the list")
        << QStringLiteral("PRAGMA writable_schema = ON; UPDATE sqlite_master SET name = 'AKK' WHERE name = 'HBM';")
        << all;
    QTest::addRow("only in the statement") << master("HBM", "TABLE HBM", "TABLE XYZ") << all;
    QTest::addRow("its kind")
        << QStringLiteral("PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'uable' WHERE name = 'HBM';")
        << all;
    QTest::addRow("no name") << QStringLiteral("ALTER TABLE ACC_PMU RENAME TO \"\x01\x02\";") << table;
}

void TestDbNames::lostUnderADamagedName() {
    QFETCH(QString, change);
    QFETCH(QString, told);
    const TestFolder folder;
    makeNamed(folder.path() / kNamedDatabase, kNamedTables);
    QCOMPARE(importNamed(folder.path()).told, std::string());
    makeNamed(folder.path() / kNamedDatabase, change.toStdString());
    const NameOutcome outcome = importNamed(folder.path());
    QVERIFY(outcome.opened && outcome.partial);
    QVERIFY2(outcome.told.find("lost " + told.toStdString() + " " + kNamedDatabase) != std::string::npos,
             outcome.told.c_str());
}

void TestDbNames::newNamesAreSilent_data() {
    QTest::addColumn<QString>("change");
    const auto row = [](const char* name, const char* sql) { QTest::addRow("%s", name) << QString::fromUtf8(sql); };
    row("a further column", "ALTER TABLE HBM ADD COLUMN bandwidths INTEGER;");
    row("a column less", "ALTER TABLE HBM DROP COLUMN hbmId;");
    row("another column at the end", "ALTER TABLE AICORE_NEW ADD COLUMN x;");
    row("a table with a similar name", "CREATE TABLE CANN_APIS(startNs INTEGER);");
    row("a table of a viewer", "CREATE TABLE _COMPUTE_TASK_INFO_old_20251014(name INTEGER);");
    row("a Chinese name", "CREATE TABLE \"数据\"(\"列 1\" INTEGER);");
    row("a name with blanks", "CREATE TABLE \"my own table\"(\"Timestamp(ns)\" INTEGER);");
    row("a type of several words", "CREATE TABLE MINE(a UNSIGNED BIG INT, b DOUBLE PRECISION, c VARCHAR (20));");
    row("an index and a trigger",
        "CREATE INDEX i ON HBM(type); CREATE TRIGGER t AFTER INSERT ON HBM BEGIN SELECT 1; END;");
}

void TestDbNames::newNamesAreSilent() {
    QFETCH(QString, change);
    const TestFolder folder;
    makeNamed(folder.path() / kNamedDatabase,
              std::string(kNamedTables) + "CREATE TABLE AICORE_NEW(deviceId INTEGER);" + change.toStdString());
    const NameOutcome outcome = importNamed(folder.path());
    QVERIFY(outcome.opened && !outcome.partial);
    QCOMPARE(outcome.told, std::string());
}

/// SQLite does not distinguish them, so a tool that writes the tables anew may change them.
void TestDbNames::namesInAnotherCaseAreTheSame() {
    const TestFolder folder;
    makeNamed(folder.path() / "as" / kNamedDatabase, kNamedTables);
    std::string small(kNamedTables);
    for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    makeNamed(folder.path() / "small" / kNamedDatabase, small);
    const auto known = importForTest(folder.path() / "as"), other = importForTest(folder.path() / "small");
    QVERIFY(known.ok() && other.ok());
    QCOMPARE(dumpDiagnostics(other.value()->diagnostics), dumpDiagnostics(known.value()->diagnostics));
    const TraceStore &trace = *known.value()->ranks.at(0).trace, &same = *other.value()->ranks.at(0).trace;
    QCOMPARE(trace.sliceCount(), std::size_t{1});
    QCOMPARE(same.sliceCount(), trace.sliceCount());
    QCOMPARE(same.series().size(), trace.series().size());
    QVERIFY(trace.series().size() >= 5);
}

/// Each byte of each name in the list of tables becomes another: something is said, or all values are still there.
void TestDbNames::oneByteOfAName() {
    const TestFolder folder;
    const fs::path path = folder.path() / kNamedDatabase;
    makeNamed(path, kNamedTables);
    std::ifstream in(path, std::ios::binary);
    const std::string sound{std::istreambuf_iterator<char>(in), {}};
    for (const std::string_view name : {"ACC_PMU(", "writeBwLevel", "HBM(", "hbmId", "CANN_API(", "globalTid"}) {
        const std::size_t at = sound.find(name);
        QVERIFY(at != std::string::npos);
        for (std::size_t i = 0; i + (name.ends_with('(') ? 1 : 0) < name.size(); ++i) {
            for (const int bit : {0, 1, 5, 7}) {
                std::string bytes = sound;
                bytes[at + i] = static_cast<char>(bytes[at + i] ^ (1 << bit));
                folder.write(kNamedDatabase, bytes);
                const NameOutcome outcome = importNamed(folder.path());
                // Another case of a letter is the same name.
                const bool isSame = bit == 5 && name[i] != '_';
                QVERIFY2(isSame || !outcome.opened || (outcome.partial && !outcome.told.empty()),
                         (std::string(name) + " byte " + std::to_string(i) + " bit " + std::to_string(bit)).c_str());
            }
        }
    }
}

void TestDbNames::namesOfRealFilesAreKnown() {
    const auto shared = sharedData(".");
    if (!shared) QSKIP(kNoSharedData);
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(*shared)) {
        if (entry.path().extension() != ".db") continue;
        auto opened = reader::openDatabase(entry.path(), "x.db", nullptr);
        QVERIFY(opened.ok());
        const auto schema = reader::DbSchema::read(opened.value().get(), "x.db");
        QVERIFY(schema.ok());
        QVERIFY2(reader::damagedNames(schema.value()).empty(), entry.path().c_str());
        ++files;
    }
    QVERIFY(files > 0);
}

/// 257 bytes and more, with a character of three bytes at the border.
void TestDbNames::aLongNameEndsAfterAWholeCharacter() {
    const TestFolder folder;
    const std::string start = "\x01" + std::string(254, 'x');
    makeNamed(folder.path() / "x.db", "CREATE TABLE \"" + start + "\u6570\u636e\"(a);");
    auto opened = reader::openDatabase(folder.path() / "x.db", "x.db", nullptr);
    QVERIFY(opened.ok());
    const auto schema = reader::DbSchema::read(opened.value().get(), "x.db");
    QVERIFY(schema.ok());
    const auto damaged = reader::damagedNames(schema.value());
    QCOMPARE(damaged.size(), std::size_t{1});
    QCOMPARE(damaged[0].found, start);
}

void TestDbNames::manyTablesTakeNoTime() {
    const TestFolder folder;
    std::string sql = "BEGIN;";
    for (int i = 0; i < 9'000; ++i) sql += "CREATE TABLE TASX" + std::to_string(i) + "(startNx, endNx);";
    makeNamed(folder.path() / "x.db", sql + "COMMIT;");
    auto opened = reader::openDatabase(folder.path() / "x.db", "x.db", nullptr);
    QVERIFY(opened.ok());
    const auto schema = reader::DbSchema::read(opened.value().get(), "x.db");
    QVERIFY(schema.ok());
    ThreadClock timer;
    // Those that are TASK but for one place: TASX0 to TASX9.
    QCOMPARE(reader::damagedNames(schema.value()).size(), std::size_t{10});
    QVERIFY2(timer.elapsed() < 500 * static_cast<qint64>(kStride), std::to_string(timer.elapsed()).c_str());
}

ALTI_TEST(TestDbNames)
#include "tst_db_names.moc"
