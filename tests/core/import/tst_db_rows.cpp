#include "core/import/database_lookup/db_lookup.h"
#include "core/import/sqlite/db_checked.h"
#include "tests/core/import/db_fixture.h"

#include <QTest>

#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;
using altiscope::reader::DbRow;

namespace {

constexpr const char* kNames[] = {"a", "b", "missing"};
const std::vector<std::string> kColumns = {"a", "b", ""};
constexpr reader::DbRowRange kAllRows{INT64_MIN, INT64_MAX};

/// Of any type, as SQL.
std::string randomValue(std::mt19937& random) {
    switch (random() % 5) {
    case 0: return "NULL";
    case 1: return std::to_string(static_cast<std::int64_t>((std::uint64_t{random()} << 32) | random()));
    case 2: return std::to_string(random() % 1000) + ".25";
    case 3: return "'" + std::string(random() % 3000, static_cast<char>('a' + random() % 26)) + "'";
    default: return "x'41420a44'";
    }
}

std::string randomRows(int count) {
    std::mt19937 random(7);
    std::string sql = "BEGIN; ";
    for (int i = 0; i < count; ++i)
        sql += "INSERT INTO T VALUES (" + std::to_string(i * 3) + ", " + randomValue(random) + ", " +
               randomValue(random) + "); ";
    return sql + "COMMIT;";
}

}  // namespace

/// Rows that SQLite hands over by a function of ours are those that a statement gives.
class TestDbRows : public QObject {
    Q_OBJECT
private slots:
    void rowsAreThoseOfAStatement_data();
    void rowsAreThoseOfAStatement();
    void whatIsThrownWithinARowArrives();
    void whatSqliteSaysOfADamagedPageIsKept();
    void noSchemaCallsTheFunction();
    void rowsOfAnIdEndAtTheLargestNumber();
};

void TestDbRows::rowsAreThoseOfAStatement_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("key");
    QTest::addRow("a table") << ""
                             << "";
    QTest::addRow("an index") << "CREATE INDEX i ON T(b, a);"
                              << "";
    QTest::addRow("UTF-16") << "PRAGMA encoding = 'UTF-16le';"
                            << "";
    QTest::addRow("without row ids") << ""
                                     << "WITHOUT ROWID";
}

void TestDbRows::rowsAreThoseOfAStatement() {
    QFETCH(QString, before);
    QFETCH(QString, key);
    const TestFolder folder;
    const auto path = folder.path() / "t.db";
    const bool isIndex = before.startsWith(QLatin1String("CREATE"));
    execute(path, (isIndex ? std::string() : before.toStdString()) + "CREATE TABLE T(id INTEGER PRIMARY KEY, a, b) " +
                      key.toStdString() + ";" + (isIndex ? before.toStdString() : std::string()) + randomRows(2000));
    const CancelToken cancel;
    const auto checked = reader::CheckedDatabase::open({path, "t.db"}, cancel);
    QVERIFY(checked.ok());
    sqlite3* const connection = checked.value().connection.get();
    std::vector<std::string> expected, found;
    const auto query = reader::prepareQuery(
        connection, (key.isEmpty() ? "SELECT id" : "SELECT row_number() OVER ()") +
                        std::string(", a IS NULL, CAST(a AS TEXT), b IS NULL, CAST(b AS TEXT) FROM T ORDER BY id"));
    while (sqlite3_step(query.get()) == SQLITE_ROW) {
        std::string& row = expected.emplace_back();
        for (int i = 0; i < 5; ++i) {
            const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(query.get(), i));
            row.append(bytes == nullptr ? "" : bytes, static_cast<std::size_t>(sqlite3_column_bytes(query.get(), i))) +=
                '|';
        }
    }
    reader::DbProblemLog problems;
    reader::readDbRange(connection, *checked.value().schema.table("T"), kColumns, kNames, kAllRows, problems, cancel,
                        [&](const DbRow& row, std::int64_t number) {
                            std::string& text = found.emplace_back(std::to_string(number) + '|');
                            for (const int column : {0, 1})
                                (text += row.isNull(column) ? "1|" : "0|").append(row.text(column)) += '|';
                            if (!row.isNull(2)) text += "a column that is not there";
                        });
    QCOMPARE(expected.size(), 2000U);
    QCOMPARE(found, expected);
}

void TestDbRows::whatIsThrownWithinARowArrives() {
    const TestFolder folder;
    const auto path = folder.path() / "t.db";
    execute(path, "CREATE TABLE T(id INTEGER PRIMARY KEY, a, b);" + randomRows(100));
    const CancelToken cancel;
    const auto checked = reader::CheckedDatabase::open({path, "t.db"}, cancel);
    QVERIFY(checked.ok());
    reader::DbProblemLog problems;
    int rows = 0;
    const auto read = [&](int most) {
        rows = 0;
        reader::readDbRange(checked.value().connection.get(), *checked.value().schema.table("T"), kColumns, kNames,
                            kAllRows, problems, cancel, [&](const DbRow&, std::int64_t) {
                                if (++rows == most) throw std::length_error("no room");
                            });
    };
    QVERIFY_THROWS_EXCEPTION(std::length_error, read(40));
    QCOMPARE(rows, 40);
    // The connection is as good as before.
    read(1000);
    QCOMPARE(rows, 100);
}

void TestDbRows::whatSqliteSaysOfADamagedPageIsKept() {
    const TestFolder folder;
    const auto path = folder.path() / "t.db";
    execute(path, "PRAGMA page_size = 4096; CREATE TABLE T(id INTEGER PRIMARY KEY, a, b);" + randomRows(2000));
    const CancelToken cancel;
    // The schema is read of the sound file: damaged pages it would leave out.
    const auto checked = reader::CheckedDatabase::open({path, "t.db"}, cancel);
    QVERIFY(checked.ok());
    {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        static constexpr int kPageBytes = 4096, kLeaf = 13;
        for (int page = 100;; ++page) {
            file.seekg(page * kPageBytes);
            const int kind = file.get();
            QVERIFY(file.good());
            if (kind != kLeaf) continue;
            file.seekp(page * kPageBytes);
            file.put(0);
            break;
        }
    }
    reader::DbProblemLog problems;
    int rows = 0;
    reader::readDbRange(checked.value().connection.get(), *checked.value().schema.table("T"), kColumns, kNames,
                        kAllRows, problems, cancel, [&](const DbRow&, std::int64_t) { ++rows; });
    QVERIFY(rows > 100 && rows < 2000);
    Diagnostics diagnostics;
    problems.addTo(diagnostics, "t.db");
    QCOMPARE(diagnostics.entries().size(), 1U);
    const std::string said = diagnostics.entries().front().message("en");
    QVERIFY2(said.find("malformed") != std::string::npos, said.c_str());
}

void TestDbRows::noSchemaCallsTheFunction() {
    const TestFolder folder;
    const auto path = folder.path() / "t.db";
    execute(path, "CREATE TABLE T(id INTEGER PRIMARY KEY, a, b); INSERT INTO T VALUES (1, 2, 3);"
                  "CREATE VIEW V AS SELECT each_row(NULL, a) FROM T;");
    const CancelToken cancel;
    const auto checked = reader::CheckedDatabase::open({path, "t.db"}, cancel);
    QVERIFY(checked.ok());
    sqlite3* const connection = checked.value().connection.get();
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 1, nullptr);
    QVERIFY(!reader::prepareQuery(connection, "SELECT * FROM V"));
    QVERIFY(std::string(sqlite3_errmsg(connection)).find("each_row") != std::string::npos);
    // Whatever is given instead of a reader.
    for (const char* sql : {"SELECT each_row(NULL, a) FROM T", "SELECT each_row(12345, a) FROM T"}) {
        const auto query = reader::prepareQuery(connection, sql);
        QVERIFY(query);
        QCOMPARE(sqlite3_step(query.get()), SQLITE_ERROR);
    }
}

void TestDbRows::rowsOfAnIdEndAtTheLargestNumber() {
    const TestFolder folder;
    const auto path = folder.path() / "t.db";
    execute(path, "CREATE TABLE T(a); INSERT INTO T(_rowid_, a) VALUES (9223372036854775806, 5), "
                  "(9223372036854775807, 5);");
    const CancelToken cancel;
    auto checked = reader::CheckedDatabase::open({path, "t.db"}, cancel);
    QVERIFY(checked.ok());
    reader::DbRowIndexes indexes;
    reader::DbLookup lookup(std::move(checked.value().connection), std::move(checked.value().schema), indexes);
    std::vector<std::int64_t> rows;
    lookup.eachRowOf("T", "a", 5, [&](std::int64_t row) {
        rows.push_back(row);
        return rows.size() < 10;
    });
    QCOMPARE(rows, (std::vector<std::int64_t>{INT64_MAX - 1, INT64_MAX}));
}

ALTI_TEST(TestDbRows)
#include "tst_db_rows.moc"
