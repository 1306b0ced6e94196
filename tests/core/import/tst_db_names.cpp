#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <sqlite3.h>

#include <filesystem>
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

/// Names in the list of tables: those that nobody knows are believed, entries that are no tables are a loss.
class TestDbNames : public QObject {
    Q_OBJECT
private slots:
    void entriesThatAreNoTables_data();
    void entriesThatAreNoTables();
    void newNamesAreSilent_data();
    void newNamesAreSilent();
    void namesInAnotherCaseAreTheSame();
};

void TestDbNames::entriesThatAreNoTables_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("told");
    const QString all = QStringLiteral("db.corrupt");
    QTest::addRow("only in the list")
        << QStringLiteral("PRAGMA writable_schema = ON; UPDATE sqlite_master SET name = 'AKK' WHERE name = 'HBM';")
        << all;
    QTest::addRow("only in the statement")
        << QStringLiteral("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'TABLE HBM', "
                          "'TABLE XYZ') WHERE name = 'HBM';")
        << all;
    QTest::addRow("its kind")
        << QStringLiteral("PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'uable' WHERE name = 'HBM';")
        << all;
}

void TestDbNames::entriesThatAreNoTables() {
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
    row("a column of another name", "ALTER TABLE HBM RENAME COLUMN hbmId TO hbmNr;");
    row("a table of another name", "ALTER TABLE HBM RENAME TO HBN;");
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

ALTI_TEST(TestDbNames)
#include "tst_db_names.moc"
