#include "core/session/sql/sql_table.h"

#include "core/query/database.h"
#include "core/session/sql/row_place.h"
#include "core/session/sql/sql_words.h"
#include "tests/core/query/query_support.h"
#include "tests/support/test_main.h"

#include <bit>

using namespace altiscope;
using namespace altiscope::test;

namespace {

std::shared_ptr<CaptureStore> twoTracks() {
    return captureFromTexts({"p1/t1: A[0,100) B[10,40) C[20,30)\np1/t2: K[60,80)", "p7/t3: A[900,1000)"});
}

std::shared_ptr<const SqlTable> tableOf(const char* sql, SqlRows::Limits limits = {}, SqlRows::Full* full = nullptr) {
    SqlRows rows(limits, TimeNs{5});
    if (!QueryDatabase(twoTracks()).run(sql, rows, {}).ok()) return nullptr;
    if (full != nullptr) *full = rows.full();
    return rows.finish({});
}

QByteArray cellOf(const SqlTable& table, std::size_t column, std::size_t row) {
    const std::int64_t cell = table.cell(column, row);
    if (cell == kAbsentCell) return "NULL";
    switch (table.columns()[column].type) {
    case CellType::Integer: return QByteArray::number(qlonglong(cell));
    case CellType::Real: return QByteArray::number(std::bit_cast<double>(cell), 'g', 17);
    case CellType::Text: return QByteArray::fromStdString(std::string(table.text(column, cell)));
    }
    return {};
}

/// Type of the only column and its cells.
QByteArray printed(const SqlTable& table) {
    constexpr const char* kTypes[] = {"integer", "real", "text"};
    QByteArray text = kTypes[static_cast<int>(table.columns()[0].type)];
    for (std::size_t row = 0; row < table.rowCount(); ++row) text += ' ' + cellOf(table, 0, row);
    return text;
}

}  // namespace

class TestSqlTable : public QObject {
    Q_OBJECT
private slots:
    void types_data() {
        QTest::addColumn<QByteArray>("values");
        QTest::addColumn<QByteArray>("expected");
        const auto add = [](const char* clause, const char* values, const char* expected) {
            QTest::addRow("%s", clause) << QByteArray(values) << QByteArray(expected);
        };
        add("integers", "(1), (NULL), (9223372036854775807)", "integer 1 NULL 9223372036854775807");
        add("reals", "(0.5), (NULL), (-0.0)", "real 0.5 NULL 0");
        add("reals after integers", "(1), (NULL), (0.5)", "real 1 NULL 0.5");
        add("integers after reals", "(0.5), (2)", "real 0.5 2");
        add("an integer that a real would round", "(9007199254740993), (0.5)", "text 9007199254740993 0.5");
        add("the same the other way", "(0.5), (9007199254740993)", "text 0.5 9007199254740993");
        add("the integer that means absent", "(1), (-9223372036854775808)", "text 1 -9223372036854775808");
        add("texts after numbers", "(7), (NULL), ('b'), ('a')", "text 7 NULL b a");
        add("numbers after texts", "('b'), (7), (0.25)", "text b 7 0.25");
        add("blobs", "(x'00ff'), ('')", "text 00ff ");
        add("infinities", "(1.0), (9e999), (-9e999)", "text 1 1e999 -1e999");
        add("nothing but NULL", "(NULL), (NULL)", "integer NULL NULL");
        add("bytes that are no text", "(CAST(x'41ff' AS TEXT))", "text A\xef\xbf\xbd");
    }
    void types() {
        QFETCH(QByteArray, values);
        QFETCH(QByteArray, expected);
        const auto table = tableOf(("SELECT column1 FROM (VALUES " + values + ")").constData());
        QVERIFY(table != nullptr);
        QCOMPARE(printed(*table), expected);
    }

    void numbersOfTextsFollowTheirOrder() {
        const auto table = tableOf("VALUES ('b'), ('a'), ('c'), ('a')");
        QCOMPARE(table->textCount(0), 3U);
        QVERIFY(table->cell(0, 1) < table->cell(0, 0) && table->cell(0, 0) < table->cell(0, 2));
        QCOMPARE(table->cell(0, 1), table->cell(0, 3));
    }

    void columnsOfTheSchemaHaveUnits() {
        const auto table = tableOf("SELECT ts, dur AS d, dur / 2 AS half, name, dur FROM slice");
        const auto columns = table->columns();
        QVERIFY(columns[0].unit == CellUnit::Time && columns[1].unit == CellUnit::Duration);
        QVERIFY(columns[2].unit == CellUnit::None && columns[3].unit == CellUnit::None);
        QCOMPARE(columns[0].origin, 5);
        QCOMPARE(table->facts(1).unit, "ns");
        QVERIFY(!table->facts(1).meaning.empty() && table->facts(2).meaning.empty());
    }

    void repeatedNamesAreNumbered() {
        const auto table = tableOf("SELECT 1 AS a, 2 AS a");
        QCOMPARE(table->columns()[1].name, "a_2");
    }

    void limits() {
        SqlRows::Full full{};
        const char* many =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 'text ' || i FROM n";
        auto table = tableOf(many, {.rows = 100, .bytes = 1 << 20}, &full);
        QCOMPARE(table->rowCount(), 100U);
        QVERIFY(full == SqlRows::Full::Rows);
        table = tableOf(many, {.rows = 1'000'000, .bytes = 100'000}, &full);
        QVERIFY(full == SqlRows::Full::Bytes);
        QVERIFY(table->rowCount() > 500 && table->bytes() <= 100'000);
        table = tableOf("VALUES (1), (2)", {.rows = 2, .bytes = 1 << 20}, &full);
        QVERIFY(full == SqlRows::Full::No);
        table = tableOf("SELECT zeroblob(1000000)", {.rows = 2, .bytes = 1 << 20}, &full);
        QVERIFY(full == SqlRows::Full::Bytes);
        QCOMPARE(table->rowCount(), 0U);
    }

    void rowsSoFarStayAsTheyAre() {
        SqlRows rows({});
        const std::string names[] = {"x"};
        QVERIFY(rows.soFar() == nullptr);
        rows.begin(names);
        const auto add = [&](const char* text) {
            const Value value{.type = ValueType::Text, .bytes = text};
            rows.row({&value, 1});
        };
        add("b");
        const auto early = rows.soFar();
        add("a");
        const auto all = rows.finish({});
        QCOMPARE(printed(*early), "text b");
        QCOMPARE(printed(*all), "text b a");
        const CancelToken cancelled;
        cancelled.requestCancel();
        SqlRows other({});
        other.begin(names);
        const Value value{.type = ValueType::Text, .bytes = "x"};
        other.row({&value, 1});
        QVERIFY(other.finish(cancelled) == nullptr);
    }

    void rowsLeadToPlaces() {
        const auto capture = twoTracks();
        const auto place = [&](const char* sql) { return placeOfRow(*capture, *tableOf(sql), 0); };
        const auto slice = place("SELECT name, slice_id FROM slice WHERE name = 'K'");
        QVERIFY(slice && slice->slice);
        const auto ofTrack = place("SELECT ts, dur, track_id FROM slice WHERE rank_id = 1");
        QVERIFY(ofTrack && ofTrack->rank == RankIndex{1});
        const auto range = place("SELECT ts, dur, rank_id FROM slice WHERE rank_id = 1");
        QVERIFY(range && !range->slice);
        QCOMPARE(range->rank.value, 1U);
        QVERIFY(range->range == (TimeRange{{900}, {1000}}));
        QVERIFY(!place("SELECT ts, dur FROM slice"));  // of which rank?
        QVERIFY(!place("SELECT ts, -1 AS dur, rank_id FROM slice"));
        QVERIFY(!place("SELECT ts, 9223372036854775807 AS dur, rank_id FROM slice"));
        QVERIFY(!place("SELECT 'x' AS slice_id"));
        QVERIFY(!place("SELECT NULL AS slice_id"));
        QVERIFY(!placeOfRow(*capture, *tableOf("SELECT 1 AS slice_id"), 1));
        QVERIFY(leadsToPlaces(*tableOf("SELECT 1 AS slice_id")));
        QVERIFY(!leadsToPlaces(*tableOf("SELECT 1 AS ts, name FROM slice")));
    }

    /// Every word that is offered is one.
    void wordsExist() {
        const QueryDatabase database(twoTracks());
        int columns = 0;
        for (const SqlWord& word : sqlWords()) {
            if (word.kind != SqlWord::Kind::Column) continue;
            ++columns;
            const std::string sql = "SELECT \"" + word.word + "\" FROM \"" + word.table + "\" LIMIT 0";
            QCOMPARE(runSql(database, sql), std::string());
            QVERIFY(!word.meaning.empty() && !word.type.empty());
        }
        QVERIFY(columns > 200);
        // Called without arguments a function that exists has something to say about that, or a result.
        for (const SqlWord& word : sqlWords()) {
            if (word.kind != SqlWord::Kind::Function) continue;
            const std::string result = runSql(database, "SELECT " + word.word + "() FROM (SELECT 1)");
            QVERIFY2(result.find("no such function") == std::string::npos || word.word == "json_each",
                     word.word.c_str());
        }
    }
};

ALTI_TEST(TestSqlTable)
#include "tst_sql_table.moc"
