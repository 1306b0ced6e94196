#include "core/base/files/sqlite_guard.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

using namespace altiscope;
namespace fs = std::filesystem;

namespace {

struct CloseConnection {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
};
using Handle = std::unique_ptr<sqlite3, CloseConnection>;

Handle connectionThrough(const char* guard, const fs::path& database, int flags) {
    sqlite3* raw = nullptr;
    sqlite3_open_v2(database.c_str(), &raw, flags, guard);
    return Handle(raw);
}

int run(const Handle& connection, const std::string& sql) {
    return sqlite3_exec(connection.get(), sql.c_str(), nullptr, nullptr, nullptr);
}

constexpr int kWriting = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
const std::string kTable = "CREATE TABLE t(x); INSERT INTO t VALUES (1)";

/// Sorts more than memory takes.
const std::string kSorting =
    "PRAGMA cache_size = 10; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) "
    "SELECT count(*) FROM (SELECT i FROM n ORDER BY random() LIMIT -1 OFFSET 0)";

std::string bigEndian(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
}

/// A journal that was left by a killed writer, changes nothing, and belongs to a change over several databases.
std::string journalNaming(const std::string& name) {
    const std::string magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
    std::string journal = magic + bigEndian(0) + bigEndian(0) + bigEndian(2) + bigEndian(512) + bigEndian(4096);
    journal.resize(512);
    std::uint32_t checksum = 0;
    for (const char c : name) checksum += static_cast<unsigned char>(c);
    return journal + bigEndian(1 + 0x40000000 / 4096) + name + bigEndian(static_cast<std::uint32_t>(name.size())) +
           bigEndian(checksum) + magic;
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::size_t filesBelow(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

class TestSqliteGuard : public QObject {
    Q_OBJECT

private slots:
    void init();
    void journalDeletesNoFileThatItNames();
    void nothingBesideTheDatabaseIsTouched_data();
    void nothingBesideTheDatabaseIsTouched();
    void databaseItselfCanBeChanged();
    void linkInThePathIsFollowed();
    void readingTouchesNothing_data();
    void readingTouchesNothing();
    void sortingUsesTemporaryFiles();
    void cancelEndsWritingWhatWasSorted();
    void cancelEndsAStatement();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_path, m_database, m_victim;
};

void TestSqliteGuard::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->path().toStdString();
    m_database = m_path / "inside" / "copy.db";
    m_victim = m_path / "victim.txt";
    fs::create_directory(m_path / "inside");
    QCOMPARE(run(connectionThrough(nullptr, m_database, kWriting), kTable), SQLITE_OK);
    write(m_victim, "precious");
}

/// The control of the case: without a guard SQLite deletes the file.
void TestSqliteGuard::journalDeletesNoFileThatItNames() {
    for (const bool isGuarded : {true, false}) {
        write(m_database.string() + "-journal", journalNaming(m_victim.string()));
        const WritableSqliteFiles files(m_database, {});
        const Handle connection =
            connectionThrough(isGuarded ? files.name() : nullptr, m_database, SQLITE_OPEN_READWRITE);
        run(connection, "SELECT count(*) FROM t");
        QCOMPARE(fs::exists(m_victim), isGuarded);
    }
}

void TestSqliteGuard::nothingBesideTheDatabaseIsTouched_data() {
    QTest::addColumn<QString>("sql");
    QTest::addRow("attached for reading")
        << QStringLiteral("ATTACH '%1/other.db' AS o; SELECT count(*) FROM o.sqlite_master");
    QTest::addRow("attached anew") << QStringLiteral("ATTACH '%1/new.db' AS o; CREATE TABLE o.x(y)");
    QTest::addRow("attached below") << QStringLiteral("ATTACH '%1/inside/copy.db/../new.db' AS o; CREATE TABLE o.x(y)");
    QTest::addRow("attached with a known beginning")
        << QStringLiteral("ATTACH '%1/inside/copy.dbx' AS o; CREATE TABLE o.x(y)");
    QTest::addRow("vacuum into") << QStringLiteral("VACUUM INTO '%1/new.db'");
    QTest::addRow("uri") << QStringLiteral("ATTACH 'file:%1/new.db?mode=rwc' AS o; CREATE TABLE o.x(y)");
}

void TestSqliteGuard::nothingBesideTheDatabaseIsTouched() {
    QFETCH(QString, sql);
    const QString statement = sql.contains(QLatin1String("%1")) ? sql.arg(m_folder->path()) : sql;
    QCOMPARE(run(connectionThrough(nullptr, m_path / "other.db", kWriting), kTable), SQLITE_OK);
    const auto before = fs::last_write_time(m_path / "other.db");
    const WritableSqliteFiles files(m_database, {});
    const Handle connection = connectionThrough(files.name(), m_database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI);
    QVERIFY(run(connection, statement.toStdString()) != SQLITE_OK);
    QCOMPARE(filesBelow(m_path), std::size_t{3});
    QCOMPARE(filesBelow(m_path / "inside"), std::size_t{1});
    QCOMPARE(fs::last_write_time(m_path / "other.db"), before);
}

void TestSqliteGuard::databaseItselfCanBeChanged() {
    for (const char* mode : {"DELETE", "WAL"}) {
        const WritableSqliteFiles files(m_database, {});
        const Handle connection = connectionThrough(files.name(), m_database, SQLITE_OPEN_READWRITE);
        QCOMPARE(run(connection, std::string("PRAGMA journal_mode = ") + mode +
                                     "; INSERT INTO t VALUES (2); PRAGMA journal_mode = DELETE"),
                 SQLITE_OK);
        QCOMPARE(filesBelow(m_path / "inside"), std::size_t{1});
    }
}

void TestSqliteGuard::linkInThePathIsFollowed() {
    fs::create_directory_symlink(m_path / "inside", m_path / "link");
    const fs::path database = m_path / "link" / "copy.db";
    const WritableSqliteFiles files(database, {});
    QCOMPARE(run(connectionThrough(files.name(), database, SQLITE_OPEN_READWRITE), "INSERT INTO t VALUES (3)"),
             SQLITE_OK);
}

void TestSqliteGuard::readingTouchesNothing_data() {
    QTest::addColumn<QString>("sql");
    QTest::addRow("insert") << QStringLiteral("INSERT INTO t VALUES (5)");
    QTest::addRow("attach") << QStringLiteral("ATTACH '%1/new.db' AS o; CREATE TABLE o.x(y)");
    QTest::addRow("vacuum into") << QStringLiteral("VACUUM INTO '%1/new.db'");
    QTest::addRow("log mode") << QStringLiteral("PRAGMA journal_mode = WAL; INSERT INTO t VALUES (5)");
}

void TestSqliteGuard::readingTouchesNothing() {
    QFETCH(QString, sql);
    const QString statement = sql.contains(QLatin1String("%1")) ? sql.arg(m_folder->path()) : sql;
    const Handle connection = connectionThrough(readOnlySqliteFiles(), m_database, SQLITE_OPEN_READONLY);
    QCOMPARE(run(connection, "SELECT count(*) FROM t"), SQLITE_OK);
    QVERIFY(run(connection, statement.toStdString()) != SQLITE_OK);
    QCOMPARE(filesBelow(m_path), std::size_t{2});
    QCOMPARE(filesBelow(m_path / "inside"), std::size_t{1});
    QVERIFY(sqlite3_errcode(connectionThrough(readOnlySqliteFiles(), m_path / "new.db", kWriting).get()) != SQLITE_OK);
    QVERIFY(!fs::exists(m_path / "new.db"));
}

void TestSqliteGuard::sortingUsesTemporaryFiles() {
    const Handle connection = connectionThrough(readOnlySqliteFiles(), m_database, SQLITE_OPEN_READONLY);
    QCOMPARE(run(connection, kSorting), SQLITE_OK);
}

/// Without a progress handler: nothing else looks at the token.
void TestSqliteGuard::cancelEndsWritingWhatWasSorted() {
    const Handle connection = connectionThrough(readOnlySqliteFiles(), m_database, SQLITE_OPEN_READONLY);
    const CancelToken cancel;
    {
        const CancelsTemporaryFiles files(cancel);
        QCOMPARE(run(connection, kSorting), SQLITE_OK);
        cancel.requestCancel();
        QCOMPARE(run(connection, kSorting), SQLITE_IOERR);
    }
    QCOMPARE(run(connection, kSorting), SQLITE_OK);
}

void TestSqliteGuard::cancelEndsAStatement() {
    const CancelToken cancel;
    const WritableSqliteFiles files(m_database, cancel);
    const Handle connection = connectionThrough(files.name(), m_database, SQLITE_OPEN_READWRITE);
    cancel.requestCancel();
    QVERIFY(run(connection, "SELECT count(*) FROM t") != SQLITE_OK);
}

ALTI_TEST(TestSqliteGuard)
#include "tst_sqlite_guard.moc"
