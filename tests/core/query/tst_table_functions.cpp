#include "core/query/schema/table_functions.h"

#include "tests/core/query/query_support.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

std::vector<std::string> sortedRows(const QueryDatabase& database, const std::string& sql) {
    TextSink sink;
    const auto done = database.run(sql, sink, {});
    if (!done.ok()) return {"failed: " + runSql(database, sql)};
    std::sort(sink.rows.begin(), sink.rows.end());
    return sink.rows;
}

}  // namespace

/// Functions that are read like tables, against SQL that says the same in many more words, and by hand.
class TestTableFunctions : public QObject {
    Q_OBJECT
private slots:
    void agreeWithPlainSql_data() {
        QTest::addColumn<QString>("shortSql");
        QTest::addColumn<QString>("plainSql");
        const auto add = [](const char* name, const char* shortSql, const char* plainSql) {
            QTest::addRow("%s", name) << QString::fromLatin1(shortSql) << QString::fromLatin1(plainSql);
        };
        add("ancestors", "SELECT s.slice_id, a.slice_id, a.distance FROM slice s JOIN ancestors(s.slice_id) a",
            "WITH RECURSIVE up(start, id, n) AS (SELECT slice_id, parent_id, 1 FROM slice WHERE parent_id IS NOT NULL "
            "UNION ALL SELECT start, s.parent_id, n + 1 FROM up JOIN slice s ON s.slice_id = up.id WHERE s.parent_id "
            "IS NOT NULL) SELECT * FROM up");
        add("descendants", "SELECT s.slice_id, d.slice_id, d.distance FROM slice s, descendants(s.slice_id) d",
            "WITH RECURSIVE up(start, id, n) AS (SELECT slice_id, parent_id, 1 FROM slice WHERE parent_id IS NOT NULL "
            "UNION ALL SELECT start, s.parent_id, n + 1 FROM up JOIN slice s ON s.slice_id = up.id WHERE s.parent_id "
            "IS NOT NULL) SELECT id, start, n FROM up");
        add("slices that flows lead to",
            "SELECT s.slice_id, c.slice_id FROM slice s, flow_chain(s.slice_id) c WHERE "
            "distance > 0",
            "WITH RECURSIVE down(start, id) AS (SELECT from_slice, to_slice FROM flow WHERE from_slice IS NOT NULL AND "
            "to_slice IS NOT NULL UNION SELECT start, f.to_slice FROM down JOIN flow f ON f.from_slice = down.id WHERE "
            "f.to_slice IS NOT NULL) SELECT * FROM down WHERE start <> id");
        add("slices that lead there",
            "SELECT s.slice_id, c.slice_id FROM slice s, flow_chain(s.slice_id) c WHERE "
            "distance < 0",
            "WITH RECURSIVE down(start, id) AS (SELECT from_slice, to_slice FROM flow WHERE from_slice IS NOT NULL AND "
            "to_slice IS NOT NULL UNION SELECT start, f.to_slice FROM down JOIN flow f ON f.from_slice = down.id WHERE "
            "f.to_slice IS NOT NULL) SELECT id, start FROM down WHERE start <> id");
        add("gaps", "SELECT key, ts, dur FROM gaps('slice', 'track_id')",
            "SELECT track_id, e, (SELECT min(ts) FROM slice n WHERE n.track_id = x.track_id AND n.ts > e) - e FROM "
            "(SELECT DISTINCT track_id, ts + dur AS e FROM slice) x WHERE NOT EXISTS (SELECT 1 FROM slice c WHERE "
            "c.track_id = x.track_id AND (c.ts = e AND c.dur > 0 OR c.ts < e AND c.ts + c.dur > e)) AND EXISTS (SELECT "
            "1 FROM slice n WHERE n.track_id = x.track_id AND n.ts > e)");
        add("times with any slice", "SELECT key, sum(dur), count(*) FROM merge('slice', 'rank_id') GROUP BY key",
            "WITH points(rank_id, t) AS (SELECT rank_id, ts FROM slice UNION SELECT rank_id, ts + dur FROM slice), "
            "pieces AS (SELECT rank_id, t, lead(t) OVER (PARTITION BY rank_id ORDER BY t) AS t2 FROM points), covered "
            "AS "
            "(SELECT p.*, EXISTS (SELECT 1 FROM slice s WHERE s.rank_id IS p.rank_id AND s.ts <= t AND s.ts + s.dur >= "
            "t2) AS c FROM pieces p) SELECT rank_id, sum(CASE WHEN c THEN t2 - t ELSE 0 END), sum(CASE WHEN c = 0 OR "
            "t2 "
            "IS NULL THEN 1 ELSE 0 END) FROM covered GROUP BY rank_id");
        add("pairs",
            "SELECT key, left_id, right_id, ts, dur FROM span_join('SELECT slice_id AS id, ts, dur, rank_id FROM "
            "slice WHERE dur > 20', 'slice', 'rank_id')",
            "SELECT a.rank_id, a.slice_id, b.slice_id, max(a.ts, b.ts), min(a.ts + a.dur, b.ts + b.dur) - max(a.ts, "
            "b.ts) FROM slice a JOIN slice b ON a.rank_id IS b.rank_id AND a.dur > 20 AND (a.ts = b.ts OR (b.ts < a.ts "
            "AND a.ts < b.ts + b.dur) OR (a.ts < b.ts AND b.ts < a.ts + a.dur))");
        add("common times",
            "SELECT sum(dur) FROM \"intersect\"('SELECT ts, dur FROM slice WHERE rank_id = 1', 'SELECT "
            "ts, dur FROM slice WHERE rank_id = 4')",
            "WITH points(t) AS (SELECT ts FROM slice UNION SELECT ts + dur FROM slice), pieces AS (SELECT t, lead(t) "
            "OVER "
            "(ORDER BY t) AS t2 FROM points) SELECT sum(t2 - t) FROM pieces WHERE EXISTS (SELECT 1 FROM slice WHERE "
            "rank_id = 1 AND ts <= t AND ts + dur >= t2) AND EXISTS (SELECT 1 FROM slice WHERE rank_id = 4 AND ts <= t "
            "AND ts + dur >= t2)");
    }
    void agreeWithPlainSql() {
        QFETCH(QString, shortSql);
        QFETCH(QString, plainSql);
        for (const unsigned seed : {31U, 32U}) {
            const QueryDatabase database(randomCapture(seed, 120));
            const auto found = sortedRows(database, shortSql.toStdString());
            QCOMPARE(found, sortedRows(database, plainSql.toStdString()));
            QVERIFY(!found.empty());
        }
    }

    void spansByHand() {
        const QueryDatabase database(captureFromTexts({}));
        const std::string values = "SELECT column1 AS k, column2 AS ts, column3 AS dur FROM (VALUES (1, 0, 10), (1, 5, "
                                   "10), (1, 15, 5), (1, 30, 0), (1, 40, 5), (2, 100, 1), (NULL, 7, 1), (1, NULL, 3))";
        QCOMPARE(runSql(database, "SELECT key, ts, dur FROM gaps('" + values + "', 'k')"),
                 std::string("1|20|10\n1|30|10"));
        QCOMPARE(runSql(database, "SELECT key, ts, dur, count FROM merge('" + values + "', 'k')"),
                 std::string("NULL|7|1|1\n1|0|20|3\n1|30|0|1\n1|40|5|1\n2|100|1|1"));
        QCOMPARE(runSql(database, "SELECT key, ts, dur FROM merge('" + values + "', 'k, k > 1') WHERE ts = 100"),
                 std::string("[2,1]|100|1"));
        QCOMPARE(runSql(database, "SELECT ts, dur FROM gaps('" + values + "')"), std::string("20|10\n30|10\n45|55"));
        QCOMPARE(runSql(database, "SELECT ts, dur FROM intersect_spans('" + values + "', 'SELECT 8 AS ts, 25 AS dur')"),
                 std::string("8|12"));
    }

    void whatIsWrongIsSaid() {
        const QueryDatabase database(captureFromTexts({"p1/t1: A[0,100)"}));
        QVERIFY(runSql(database, "SELECT * FROM gaps('nothing')").starts_with("error sql.failed: gaps: "));
        QVERIFY(runSql(database, "SELECT * FROM gaps()").starts_with("error sql.failed: gaps needs a table"));
        QVERIFY(runSql(database, "SELECT * FROM ancestors()").starts_with("error sql.failed: ancestors needs a slice"));
        QVERIFY(runSql(database, "SELECT * FROM gaps('rank')").starts_with("error sql.failed: gaps: no such column"));
        // Nothing but reading, here too.
        for (const char* source : {"slice); DELETE FROM slice; --", "SELECT load_extension(''x'') AS ts, 1 AS dur"})
            QVERIFY(runSql(database, "SELECT * FROM merge('" + std::string(source) + "')").starts_with("error "));
        QCOMPARE(runSql(database, "SELECT count(*) FROM ancestors(12345)"), std::string("0"));
        QCOMPARE(runSql(database, "SELECT count(*) FROM descendants('x')"), std::string("0"));
        QCOMPARE(runSql(database, "SELECT count(*) FROM slice"), std::string("1"));
    }

    /// What the text of an argument reads is not known before it runs.
    void timelinesAreReadForThem() {
        const QueryDatabase database(captureFromTexts({"p1/t1: A[0,100) B[10,40)"}));
        QCOMPARE(runSql(database, "SELECT ts, dur FROM merge('slice')"), std::string("0|100"));
        QCOMPARE(runSql(database, "SELECT distance FROM slice s, ancestors(s.slice_id) a WHERE s.name = 'B'"),
                 std::string("1"));
    }
};

ALTI_TEST(TestTableFunctions)
#include "tst_table_functions.moc"
