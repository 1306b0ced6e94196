#include "core/base/threads/parallel.h"
#include "core/import/sqlite/db_checked.h"
#include "tests/support/capture_dump.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

using namespace altiscope;
using namespace altiscope::test;
namespace fs = std::filesystem;

namespace {

const char* const kDatabase = "r_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_3.db";

void runSql(const fs::path& path, const std::string& sql) {
    fs::create_directories(path.parent_path());
    sqlite3* database = nullptr;
    if (sqlite3_open(path.c_str(), &database) != SQLITE_OK ||
        sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        qFatal("%s", sqlite3_errmsg(database));
    sqlite3_close(database);
}

/// A timeline of 20,000 calls of the host, and nothing else that has events.
std::string manyCalls(const std::string& form = {}) {
    return "CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT)" + form +
           "; CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId "
           "INTEGER PRIMARY KEY, name INTEGER)" +
           form +
           "; WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999) INSERT INTO CANN_API "
           "SELECT 1000 + i * 10, 1005 + i * 10, 10000, 21474836488, i, i % 50 FROM n;"
           "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49) INSERT INTO STRING_IDS SELECT "
           "i, 'call ' || i FROM n;";
}

struct DamageOutcome {
    std::uint64_t slices = 0;
    std::optional<CaptureStore::State> state;
    std::string reported;
    std::string names;  ///< Of the first slices.

    bool reports(std::string_view what) const { return reported.find(what) != std::string::npos; }
};

DamageOutcome importOf(const fs::path& path) {
    DamageOutcome outcome;
    const auto result = importForTest(path);
    if (!result.ok()) return outcome;
    outcome.state = result.value()->state;
    outcome.reported = dumpDiagnostics(result.value()->diagnostics);
    const RankEntry& rank = result.value()->ranks.at(0);
    if (!rank.trace) return outcome;
    outcome.slices = rank.trace->sliceCount();
    for (std::uint32_t i = 0; i < std::min<std::uint64_t>(2, outcome.slices); ++i)
        outcome.names += std::string(rank.trace->name({i})) + '|';
    return outcome;
}

std::string contentOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The number of the n-th page of a kind, from 1.
std::size_t pageOfKind(const std::string& bytes, char kind, std::size_t n) {
    for (std::size_t page = 2; page * 4096 <= bytes.size(); ++page) {
        if (bytes[(page - 1) * 4096] == kind && n-- == 0) return page;
    }
    return 0;
}

std::optional<reader::CheckedDatabase> checkedOf(const fs::path& path) {
    std::optional<reader::CheckedDatabase> checked;
    WorkerArena arena(2);
    arena.run([&] {
        auto opened = reader::CheckedDatabase::open(
            {path, path.filename().string(), reader::SourceFormat::Database, fs::file_size(path), 0, {}}, {});
        if (opened.ok()) checked.emplace(std::move(opened).value());
    });
    return checked;
}

}  // namespace

/// Databases that were damaged on their way, or are not what profilers write: what is lost is reported, and all else is
/// shown.
class TestDbDamage : public QObject {
    Q_OBJECT
private slots:
    void soundFilesAreSound_data();
    void soundFilesAreSound();
    void realFilesAreSound();
    void halfOfTheRowsAfterInsertedBytes();
    void oneDamagedPage_data();
    void oneDamagedPage();
    void analysisIsDamaged();
    void strayPagesAreReported();
    void sixDamagedPlacesAreNamed();
    void idsOfRowsRise();
    void otherForms_data();
    void otherForms();
};

void TestDbDamage::soundFilesAreSound_data() {
    QTest::addColumn<QString>("sql");
    for (const int bytes : {512, 4096, 65536})
        QTest::addRow("pages of %d", bytes)
            << QStringLiteral("PRAGMA page_size = %1;").arg(bytes) + QString::fromStdString(manyCalls());
    QTest::addRow("long texts")
        << QString::fromStdString(manyCalls()) +
               QStringLiteral("INSERT INTO STRING_IDS VALUES (100, hex(zeroblob(50000))), (101, hex(zeroblob(2100)));");
    QTest::addRow("deleted rows")
        << QString::fromStdString(manyCalls()) +
               QStringLiteral(
                   "DELETE FROM CANN_API WHERE connectionId % 3 = 0; DELETE FROM CANN_API WHERE connectionId > 15000;");
    QTest::addRow("auto_vacuum") << QStringLiteral("PRAGMA auto_vacuum = FULL;") + QString::fromStdString(manyCalls()) +
                                        QStringLiteral("DELETE FROM CANN_API WHERE connectionId < 9000;");
    QTest::addRow("indexes")
        << QString::fromStdString(manyCalls()) +
               QStringLiteral("CREATE INDEX i ON CANN_API(startNs, name); CREATE UNIQUE INDEX j ON STRING_IDS(value);");
    QTest::addRow("without row ids") << QString::fromStdString(manyCalls(" WITHOUT ROWID"));
    QTest::addRow("empty tables") << QStringLiteral(
        "CREATE TABLE CANN_API(startNs INTEGER); CREATE TABLE TASK(startNs INTEGER);");
    QTest::addRow("negative row ids") << QStringLiteral(
        "CREATE TABLE T(a); INSERT INTO T(rowid, a) VALUES (-9223372036854775807, 1), (-3, 1), (9223372036854775807, "
        "2);");
    QTest::addRow("UTF-16") << QStringLiteral("PRAGMA encoding = 'UTF-16le';") + QString::fromStdString(manyCalls());
}

void TestDbDamage::soundFilesAreSound() {
    QFETCH(QString, sql);
    const TestFolder folder;
    const fs::path path = folder.path() / "x.db";
    runSql(path, sql.toStdString());
    const auto checked = checkedOf(path);
    QVERIFY(checked);
    Diagnostics reported;
    checked->reportDamage("x.db", reported);
    QCOMPARE(dumpDiagnostics(reported), std::string());
    for (const auto& [name, table] : checked->schema.tables()) {
        const auto count =
            reader::prepareQuery(checked->connection.get(), "SELECT count(*) FROM " + reader::quotedName(name));
        QCOMPARE(sqlite3_step(count.get()), SQLITE_ROW);
        QCOMPARE(static_cast<std::int64_t>(checked->pages.rows.at(name)), sqlite3_column_int64(count.get(), 0));
    }
}

void TestDbDamage::realFilesAreSound() {
    const auto root = sharedData("");
    if (!root) QSKIP(kNoSharedData);
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(*root)) {
        if (entry.path().extension() != ".db" || entry.file_size() == 0) continue;
        const auto checked = checkedOf(entry.path());
        QVERIFY2(checked, entry.path().c_str());
        Diagnostics reported;
        checked->reportDamage("x", reported);
        QVERIFY2(reported.empty(), (entry.path().string() + dumpDiagnostics(reported)).c_str());
        ++files;
    }
    QVERIFY(files > 5);
}

void TestDbDamage::halfOfTheRowsAfterInsertedBytes() {
    const TestFolder folder;
    const fs::path path = folder.path() / kDatabase;
    runSql(path, manyCalls());
    std::string bytes = contentOf(path);
    QVERIFY(bytes.size() > 500'000);
    bytes.insert(300'000, 37, '7');
    folder.write(kDatabase, bytes);
    const DamageOutcome outcome = importOf(folder.path());
    QCOMPARE(outcome.state, std::optional(CaptureStore::State::Partial));
    QVERIFY2(outcome.reports("lost db.wrong_size"), outcome.reported.c_str());
    QVERIFY2(outcome.reports("lost db.damaged_pages"), outcome.reported.c_str());
    QVERIFY2(outcome.slices > 8'000 && outcome.slices < 20'000, outcome.reported.c_str());
}

void TestDbDamage::oneDamagedPage_data() {
    QTest::addColumn<int>("kind");  // of the page that is changed
    QTest::addColumn<int>("at");    // in it
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("losesAll");  // rows of the page
    QTest::addRow("zeros instead of a leaf") << 0x0d << 0 << QByteArray(4096, '\0') << true;
    QTest::addRow("an empty leaf") << 0x0d << 3 << QByteArray(2, '\0') << true;
    QTest::addRow("a leaf of half of its rows") << 0x0d << 3 << QByteArray("\0\x10", 2) << false;
    QTest::addRow("row ids out of order") << 0x0d << 8 << QByteArray("\x08\x00", 2) << false;
    QTest::addRow("zeros in a leaf") << 0x0d << 3000 << QByteArray(500, '\0') << false;
    QTest::addRow("digits in a leaf") << 0x0d << 3000 << QByteArray(500, '4') << false;
    QTest::addRow("an inner page that leads elsewhere") << 0x05 << 20 << QByteArray(4, '\x01') << false;
    QTest::addRow("an inner page with fewer children") << 0x05 << 3 << QByteArray("\0\x10", 2) << false;
}

void TestDbDamage::oneDamagedPage() {
    QFETCH(int, kind);
    QFETCH(int, at);
    QFETCH(QByteArray, bytes);
    QFETCH(bool, losesAll);
    const TestFolder folder;
    const fs::path path = folder.path() / kDatabase;
    runSql(path, manyCalls());
    std::string content = contentOf(path);
    const std::size_t page = pageOfKind(content, static_cast<char>(kind), kind == 0x0d ? 40 : 0);
    QVERIFY(page > 0);
    const std::size_t begin = (page - 1) * 4096;
    const auto rowsOfPage =
        (static_cast<unsigned char>(content[begin + 3]) << 8) + static_cast<unsigned char>(content[begin + 4]);
    content.replace(begin + static_cast<std::size_t>(at), static_cast<std::size_t>(bytes.size()), bytes.toStdString());
    folder.write(kDatabase, content);
    const DamageOutcome outcome = importOf(folder.path());
    QCOMPARE(outcome.state, std::optional(CaptureStore::State::Partial));
    QVERIFY2(outcome.reports(std::string("lost db.damaged_pages ") + kDatabase), outcome.reported.c_str());
    if (kind == 0x0d) {
        QVERIFY2(outcome.reports("byte " + std::to_string(begin)), outcome.reported.c_str());
        // Whatever becomes of the rows of this page, all others are there.
        QVERIFY2(outcome.slices >= static_cast<std::uint64_t>(20'000 - rowsOfPage),
                 (std::to_string(outcome.slices) + ' ' + outcome.reported).c_str());
        if (losesAll) QCOMPARE(outcome.slices, static_cast<std::uint64_t>(20'000 - rowsOfPage));
    }
}

void TestDbDamage::analysisIsDamaged() {
    const std::string output = "r_ascend_pt/ASCEND_PROFILER_OUTPUT/";
    const TestFolder folder;
    runSql(folder.path() / kDatabase, manyCalls());
    const fs::path path = folder.path() / (output + "analysis.db");
    runSql(path, "CREATE TABLE CommAnalyzerTime(hccl_op_name TEXT, group_name TEXT, start_timestamp REAL, elapse_time "
                 "REAL, step TEXT, type TEXT);"
                 "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) INSERT INTO "
                 "CommAnalyzerTime SELECT 'hcom_allReduce__' || i, '7', i, 1.5, 'step1', 'collective' FROM n;");
    const auto rows = [&] {
        const auto result = importForTest(folder.path());
        const RowTable* table = result.ok() && result.value()->ranks.at(0).rows
                                    ? result.value()->ranks.at(0).rows->find(RowKind::Collective)
                                    : nullptr;
        return std::pair(table == nullptr ? 0 : table->size(),
                         result.ok() ? dumpDiagnostics(result.value()->diagnostics) : std::string());
    };
    QCOMPARE(rows().first, std::size_t{1000});
    std::string content = contentOf(path);
    const std::size_t page = pageOfKind(content, '\x0d', 3);
    std::fill_n(content.begin() + static_cast<std::ptrdiff_t>((page - 1) * 4096), 4096, '\0');
    folder.write(output + "analysis.db", content);
    const auto [left, reported] = rows();
    QVERIFY2(left > 800 && left < 1000, reported.c_str());
    QVERIFY2(reported.find("lost db.damaged_pages " + output + "analysis.db x1 byte " +
                           std::to_string((page - 1) * 4096)) != std::string::npos,
             reported.c_str());
}

/// Pages that no table has, although the file is as long as it says.
void TestDbDamage::strayPagesAreReported() {
    const TestFolder folder;
    runSql(folder.path() / "x.db", manyCalls());
    auto checked = checkedOf(folder.path() / "x.db");
    QVERIFY(checked && checked->pages.isWhole());
    checked->pages.strayPages = 2;
    checked->pages.firstStray = 3;
    Diagnostics diagnostics;
    checked->reportDamage("x.db", diagnostics);
    QCOMPARE(QString::fromStdString(dumpDiagnostics(diagnostics)),
             QStringLiteral("lost db.stray_pages x.db x1 byte 8192\n"));
    QVERIFY(!checked->pages.isWhole());
}

void TestDbDamage::sixDamagedPlacesAreNamed() {
    const TestFolder folder;
    runSql(folder.path() / "x.db", manyCalls());
    for (const std::size_t count : {1U, 6U, 7U, 9U}) {
        auto checked = checkedOf(folder.path() / "x.db");
        QVERIFY(checked);
        QString expected;
        for (std::size_t i = 0; i < count; ++i) {
            reader::DbDamage& damage = checked->pages.damages.emplace_back();
            damage.table = "T" + std::to_string(i);
            damage.hasRows = true;
            damage.rows = {static_cast<std::int64_t>(i) * 10, static_cast<std::int64_t>(i) * 10 + 9};
            damage.page = 2;
            damage.pages = 1;
            if (i < 6)
                expected += QStringLiteral("%1T%2 %3..%4")
                                .arg(i > 0 ? QStringLiteral(", ") : QString())
                                .arg(i)
                                .arg(i * 10)
                                .arg(i * 10 + 9);
        }
        if (count > 6) expected += QStringLiteral(", ...");
        Diagnostics diagnostics;
        checked->reportDamage("x.db", diagnostics);
        const auto entries = diagnostics.entries();
        QCOMPARE(entries.size(), std::size_t{1});
        QCOMPARE(entries[0].count, std::uint64_t{count});
        QCOMPARE(QString::fromStdString(entries[0].parameters.at(0).second), expected);
    }
}

/// A row that has the id of the one before it cannot be found by it.
void TestDbDamage::idsOfRowsRise() {
    const TestFolder folder;
    const fs::path path = folder.path() / "x.db";
    runSql(path, "PRAGMA page_size = 512; CREATE TABLE T(x); INSERT INTO T VALUES (1), (2), (3);");
    const std::string sound = contentOf(path);
    // The one page of the table: places of cells from byte 8 on, each with the size of its row in front of the id.
    constexpr std::size_t kPage = 512;
    const auto byteAt = [&](std::size_t at) {
        return static_cast<std::size_t>(static_cast<unsigned char>(sound.at(at)));
    };
    const std::size_t third = kPage + byteAt(kPage + 12) * 256 + byteAt(kPage + 13) + 1;
    QCOMPARE(byteAt(third), std::size_t{3});
    for (const auto& [id, isSound] : {std::pair('\x03', true), {'\x04', true}, {'\x02', false}, {'\x01', false}}) {
        std::string bytes = sound;
        bytes[third] = id;
        folder.write("y.db", bytes);
        const auto checked = checkedOf(folder.path() / "y.db");
        QVERIFY(checked);
        QCOMPARE(checked->pages.damages.empty(), isSound);
    }
}

void TestDbDamage::otherForms_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("reported");
    QTest::addColumn<bool>("isPartial");
    QTest::addColumn<int>("slices");
    QTest::addColumn<QString>("names");
    const QString calls = QString::fromStdString(manyCalls());
    const QString named = QStringLiteral("Node@call 0|Node@call 1|"), nameless = QStringLiteral("Node@N/A|Node@N/A|");
    QTest::addRow("UTF-16") << QStringLiteral("PRAGMA encoding = 'UTF-16be';") + calls << QString() << false << 20'000
                            << named;
    QTest::addRow("no texts") << calls + QStringLiteral("DROP TABLE STRING_IDS;") << QStringLiteral("lost db.no_table")
                              << true << 20'000 << nameless;
    QTest::addRow("some texts are missing") << calls + QStringLiteral("DELETE FROM STRING_IDS WHERE id < 2;")
                                            << QStringLiteral("lost db.missing_text") << true << 20'000 << nameless;
    QTest::addRow("no text is left") << calls + QStringLiteral("DELETE FROM STRING_IDS;")
                                     << QStringLiteral("lost db.missing_text") << true << 20'000 << nameless;
    QTest::addRow("texts are NULL") << calls + QStringLiteral("UPDATE STRING_IDS SET value = NULL WHERE id < 2;")
                                    << QStringLiteral("lost db.missing_text") << true << 20'000 << nameless;
    QTest::addRow("calls name no text") << calls +
                                               QStringLiteral("UPDATE CANN_API SET name = NULL WHERE startNs < 1020;")
                                        << QStringLiteral("lost db.missing_name") << true << 20'000 << nameless;
    QTest::addRow("times have gone through a double")
        << QString(calls)
               .replace(QStringLiteral("startNs INTEGER"), QStringLiteral("startNs REAL"))
               .replace(QStringLiteral("SELECT 1000 + i * 10, 1005 + i * 10"),
                        QStringLiteral("SELECT 1736408883573887920 + i * 10000, 1736408883573890920 + i * 10000"))
        << QStringLiteral("info db.inexact_time") << false << 20'000 << named;
    QTest::addRow("a view of texts")
        << calls +
               QStringLiteral("ALTER TABLE STRING_IDS RENAME TO other; CREATE VIEW STRING_IDS AS SELECT * FROM other;")
        << QStringLiteral("lost db.not_a_table") << true << 20'000 << nameless;
    QTest::addRow("a view of events") << calls + QStringLiteral(
                                                     "CREATE TABLE TASK(startNs INTEGER); ALTER TABLE CANN_API RENAME "
                                                     "TO other; CREATE VIEW CANN_API AS SELECT * FROM other;")
                                      << QStringLiteral("lost db.not_a_table") << true << 0 << QString();
    QTest::addRow("texts without row ids")
        << QString::fromStdString(manyCalls())
               .replace(QStringLiteral("value TEXT)"), QStringLiteral("value TEXT) WITHOUT ROWID"))
        << QString() << false << 20'000 << named;
    QTest::addRow("all without row ids") << QString::fromStdString(manyCalls(" WITHOUT ROWID"))
                                         << QStringLiteral("info db.no_row_ids") << false << 20'000 << named;
}

void TestDbDamage::otherForms() {
    QFETCH(QString, sql);
    QFETCH(QString, reported);
    QFETCH(bool, isPartial);
    QFETCH(int, slices);
    QFETCH(QString, names);
    const TestFolder folder;
    runSql(folder.path() / kDatabase, sql.toStdString());
    const DamageOutcome outcome = importOf(folder.path());
    QCOMPARE(outcome.state, std::optional(isPartial ? CaptureStore::State::Partial : CaptureStore::State::Ok));
    if (reported.isEmpty()) QCOMPARE(outcome.reported, std::string());
    else QVERIFY2(outcome.reports(reported.toStdString()), outcome.reported.c_str());
    QCOMPARE(outcome.slices, static_cast<std::uint64_t>(slices));
    QCOMPARE(QString::fromStdString(outcome.names), names);
}

ALTI_TEST(TestDbDamage)
#include "tst_db_damage.moc"
