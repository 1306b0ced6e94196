#include "core/query/database.h"
#include "core/query/schema/schema.h"
#include "core/query/schema/wrong_name.h"
#include "tests/core/query/query_support.h"
#include "tests/support/test_main.h"

#include <atomic>
#include <limits>
#include <thread>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// Answers with the position, so that a test sees which record was asked for.
class PositionArguments : public ArgumentSource {
public:
    Result<std::string> arguments(SourcePos pos) const override {
        ++requested;
        if (gone) return Error{"args.source_changed", "trace.json", "byte 3", {}};
        if (pos.offset() == 1) return std::string();
        return "{\"at\":" + std::to_string(pos.offset()) + "}";
    }
    bool gone = false;
    mutable std::atomic<int> requested{0};
};

std::shared_ptr<CaptureStore> twoRanks() {
    auto capture = captureFromTexts({"p1/t1: A[0,100) B[10,40) C[20,30) D[50,120)\n"
                                     "p1/t2: !mark[5] K[60,80)\n"
                                     "p1/c:HBM r[5]=1.5 r[10]=2 w[7]=0.1\n"
                                     "flow f:9 p1/t1@12 -> p1/t2@60\n"
                                     "flow f:10 p1/t1@200 -> p1/t2@70",
                                     "p7/t3: A[9007199254740993,9007199254740994)"});
    RankInfo& first = capture->ranks[0].info;
    first.deviceId = 5;
    first.host = "node-1";
    first.metadata = {{"cann_version", "8.3.RC1"}, {"config.a", "1"}};
    capture->ranks[0].steps = {{50, TimeRange{{0}, {60}}}, {51, std::nullopt}};
    capture->ranks[1].info.rankId = 3;
    capture->ranks[1].info.framework = Framework::Chrome;
    capture->ranks[1].info.source = SourceKind::Db;
    RankEntry listed;
    listed.info.path = "rank9";
    capture->ranks.insert(capture->ranks.begin(), std::move(listed));
    capture->diagnostics.add("unmatched_begin", Severity::Repaired, "rank0/trace_view.json", {PlaceUnit::Byte, 17});
    capture->diagnostics.add("unmatched_begin", Severity::Repaired, "rank0/trace_view.json", {PlaceUnit::Byte, 90});
    capture->diagnostics.add("files_not_read", Severity::Info, "", {});
    return capture;
}

}  // namespace

class TestDatabase : public QObject {
    Q_OBJECT
private slots:
    void rows_data() {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<QByteArray>("expected");
        const auto add = [](const char* clause, const char* sql, const char* expected) {
            QTest::addRow("%s", clause) << QByteArray(sql) << QByteArray(expected);
        };
        add("rank", "SELECT * FROM rank",
            "NULL|NULL|NULL|torch|text|rank9|NULL|NULL|NULL|NULL|NULL\n"
            "0|5|node-1|torch|text|rank0|0|120|NULL|NULL|NULL\n"
            "3|NULL|NULL|chrome|db|rank1|9007199254740993|9007199254740994|NULL|NULL|NULL");
        add("track",
            "SELECT rank_id, name, thread IS NULL, kind, origin, sort_index FROM track WHERE rank_id = 0 ORDER BY "
            "sort_index",
            "0|Thread 1|0|other|recorded|0\n0|Thread 2|0|other|recorded|1\n0|HBM|1|counter|recorded|2");
        add("slice: depth, self time, parent",
            "SELECT a.name, a.ts, a.dur, a.depth, a.self_dur, b.name FROM slice a LEFT JOIN slice b "
            "ON b.slice_id = a.parent_id WHERE a.rank_id = 0 ORDER BY a.ts, a.depth",
            "A|0|100|0|70|NULL\nB|10|30|1|20|A\nC|20|10|2|10|B\nD|50|70|1|70|NULL\nK|60|20|0|20|NULL");
        add("slice: no category is NULL", "SELECT count(*), count(category) FROM slice", "6|0");
        add("times beyond 2^53 are exact", "SELECT ts, ts + dur, rank_id FROM slice WHERE rank_id = 3",
            "9007199254740993|9007199254740994|3");
        add("ids are unique over ranks", "SELECT count(DISTINCT slice_id), count(DISTINCT track_id) FROM slice", "6|3");
        add("rowid of slice is its id", "SELECT count(*) FROM slice WHERE rowid = slice_id", "6");
        add("instant", "SELECT rank_id, name, ts FROM instant", "0|mark|5");
        add("counter", "SELECT rank_id, name, series, ts, value FROM counter ORDER BY series, ts",
            "0|HBM|r|5|1.5\n0|HBM|r|10|2\n0|HBM|w|7|0.10000000000000001");
        add("flow: an end in no slice is NULL",
            "SELECT f.category, a.name, b.name FROM flow f LEFT JOIN slice a ON a.slice_id = f.from_slice "
            "LEFT JOIN slice b ON b.slice_id = f.to_slice ORDER BY f.flow_id",
            "f|B|K\nf|NULL|K");
        add("step: known by its number only", "SELECT * FROM step", "0|50|0|60|NULL\n0|51|NULL|NULL|NULL");
        add("metadata", "SELECT * FROM metadata", "0|cann_version|8.3.RC1|NULL\n0|config.a|1|NULL");
        add("name_stat",
            "SELECT n.name, n.count, n.total, n.self_total, n.min, n.max FROM name_stat n WHERE n.rank_id = 0 AND name "
            "< 'C'",
            "A|1|100|70|100|100\nB|1|30|20|30|30");
        add("diagnostic: first place, NULL for the capture itself",
            "SELECT severity, code, count, file, place FROM diagnostic",
            "info|files_not_read|1|NULL|NULL\nrepaired|unmatched_begin|2|rank0/trace_view.json|byte 17");
        add("diagnostic: a sentence", "SELECT count(*) FROM diagnostic WHERE length(message) > 20", "2");
        add("args of slices", "SELECT name, args FROM slice WHERE rank_id = 0 AND name IN ('A', 'B', 'K')",
            "A|{\"at\":0}\nB|NULL\nK|{\"at\":5}");
        add("args of instants", "SELECT args FROM instant", "{\"at\":4}");
        add("args without a source", "SELECT args FROM slice WHERE rank_id = 3", "NULL");
        add("functions on JSON", "SELECT sum(json_extract(args, '$.at')) FROM slice WHERE rank_id = 0", "10");
        add("arguments one by one",
            "SELECT s.name, j.key, j.value FROM slice s, json_each(s.args) j WHERE s.rank_id = 0 AND s.name IN ('A', "
            "'K')",
            "A|at|0\nK|at|5");
        add("arguments as a tree",
            "SELECT fullkey, atom FROM json_tree('{\"a\":[1,{\"b\":2}]}') WHERE atom IS NOT NULL",
            "$.a[0]|1\n$.a[1].b|2");
        add("arguments that are absent", "SELECT count(*) FROM slice s, json_each(s.args) WHERE s.name = 'B'", "0");
        add("VALUES", "VALUES (1, 'x'), (2, NULL)", "1|x\n2|NULL");
        add("WITH RECURSIVE",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT sum(i) FROM n", "10");
        add("a comment and a semicolon behind", "SELECT 1; -- done\n/* yes */ ; ", "1");
        add("an integer beyond 2^63 is a real", "SELECT typeof(9223372036854775808)", "real");
        add("blobs", "SELECT x'4142'", "blob:AB");
        add("several columns of a name", "SELECT name, name FROM instant", "mark|mark");
    }
    void rows() {
        QFETCH(QByteArray, sql);
        QFETCH(QByteArray, expected);
        const auto capture = twoRanks();
        capture->ranks[1].arguments = std::make_shared<PositionArguments>();
        QCOMPARE(QByteArray::fromStdString(runSql(QueryDatabase(capture), sql.toStdString())), expected);
    }

    /// The name that SQLite points at, and another that is like it.
    void wrongNames_data() {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QByteArray>("word");
        QTest::addColumn<QByteArray>("near");
        const auto add = [](const char* clause, const char* sql, const char* message, const char* word,
                            const char* near) {
            QTest::addRow("%s", clause) << QByteArray(sql) << QByteArray(message) << QByteArray(word)
                                        << QByteArray(near);
        };
        add("a table", "SELECT name FROM slise", "no such table: slise", "slise", "slice");
        add("whole words", "SELECT slised FROM Slise", "no such table: Slise", "Slise", "slice");
        add("nothing is like it", "SELECT 1 FROM elephant", "no such table: elephant", "elephant", "");
        add("a column of the tables that are named", "SELECT duur FROM slice", "no such column: duur", "duur", "dur");
        add("a column by an alias", "SELECT s.nme FROM slice s", "no such column: s.nme", "nme", "name");
        add("a word of a text is not the name", "SELECT 'slise', 1 FROM slise", "no such table: slise", "slise",
            "slice");
        add("a word of a comment is not the name", "SELECT nme /* nme */ FROM slice -- nme", "no such column: nme",
            "nme", "name");
        add("nor is a name in quotes that goes on", "SELECT 1 AS \"my nme\", nme FROM slice", "no such column: nme",
            "nme", "name");
        add("a name in quotes", "SELECT 1 FROM \"slise\"", "no such table: slise", "slise", "slice");
        add("a table behind a comma", "SELECT 1 FROM rank r, slise", "no such table: slise", "slise", "slice");
        add("a table in brackets", "SELECT 1 FROM (rank, slise)", "no such table: slise", "slise", "slice");
        add("the word itself is not suggested", "SELECT x.dur FROM (SELECT ts FROM slice) x", "no such column: x.dur",
            "dur", "");
        add("a function", "SELECT percentil(dur, 5) FROM slice", "no such function: percentil", "percentil",
            "percentile");
        add("a function of SQLite", "SELECT cuont(*) FROM slice", "no such function: cuont", "cuont", "count");
    }
    /// A column of the same name as a table, before it: SQLite does not say where the table stands.
    void theTableIsMarkedWhereItIsOne() {
        const std::string sql = "SELECT a, slise FROM rank JOIN slise";
        const auto wrong = wrongNameOf(sql, "no such table: slise", std::nullopt);
        QVERIFY(wrong);
        QCOMPARE(wrong->begin, sql.rfind("slise"));
    }

    void wrongNames() {
        QFETCH(QByteArray, sql);
        QFETCH(QByteArray, message);
        QFETCH(QByteArray, word);
        QFETCH(QByteArray, near);
        const auto wrong = wrongNameOf(sql.toStdString(), message.toStdString(), std::nullopt);
        QVERIFY(wrong);
        QCOMPARE(sql.sliced(static_cast<qsizetype>(wrong->begin), static_cast<qsizetype>(wrong->end - wrong->begin)),
                 word);
        QCOMPARE(QByteArray::fromStdString(wrong->near), near);
        QVERIFY(!wrongNameOf(sql.toStdString(), "near \"FROM\": syntax error", 3));
        QVERIFY(!wrongNameOf("SELECT 'slise nme dur percentil'", message.toStdString(), std::nullopt));
        QVERIFY(!wrongNameOf("SELECT 1", message.toStdString(), std::nullopt));
    }

    void errors_data() {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<QByteArray>("expected");
        const auto add = [](const char* clause, QByteArray sql, const char* expected) {
            QTest::addRow("%s", clause) << sql << QByteArray(expected);
        };
        add("empty", "", "error sql.empty");
        add("a comment alone", "-- nothing", "error sql.empty");
        add("two statements", "SELECT 1; SELECT 2", "error sql.several_statements");
        add("something behind that is no statement", "SELECT 1; nonsense", "error sql.several_statements");
        add("too long", "SELECT '" + QByteArray(1'000'000, 'x') + "'", "error sql.too_long");
        add("no such table", "SELECT * FROM absent", "error sql.invalid: no such table: absent");
        add("no such column", "SELECT absent FROM slice", "error sql.invalid: no such column: absent");
        add("a table that is nearly one", "SELECT *\nFROM slise", "error sql.invalid_near: no such table: slise");
        add("a column that is nearly one", "SELECT s.nmae FROM slice s",
            "error sql.invalid_near: no such column: s.nmae");
        add("a function that is nearly one", "SELECT medain(dur) FROM slice",
            "error sql.invalid_near: no such function: medain");
        add("double quotes are no text", "SELECT * FROM slice WHERE name = \"A\"",
            "error sql.invalid: no such column: A");
        add("syntax", "SELEC 1", "error sql.invalid: near \"SELEC\": syntax error");
        add("unfinished", "SELECT", "error sql.invalid: incomplete input");
        add("while it runs", "SELECT abs(-9223372036854775808)", "error sql.failed: integer overflow");
        add("a value too big", "SELECT length(replace(hex(zeroblob(100000000)), '0', 'xxxxxx'))",
            "error sql.value_too_long");
        add("malformed JSON", "SELECT json_extract('{', '$.a')", "error sql.failed: malformed JSON");
        for (const char* sql : {"INSERT INTO slice(name) VALUES('x')",
                                "DROP TABLE slice",
                                "CREATE TABLE t(a)",
                                "CREATE TEMP TABLE t(a)",
                                "CREATE TABLE t AS SELECT 1",
                                "CREATE VIEW v AS SELECT 1",
                                "CREATE TEMP VIEW v AS SELECT 1",
                                "CREATE VIRTUAL TABLE t USING fts5(a)",
                                "ALTER TABLE slice RENAME TO s",
                                "ATTACH ':memory:' AS a",
                                "DETACH main",
                                "VACUUM",
                                "VACUUM INTO 'file.db'",
                                "ANALYZE",
                                "REINDEX",
                                "BEGIN",
                                "COMMIT",
                                "ROLLBACK",
                                "SAVEPOINT s",
                                "PRAGMA user_version = 5",
                                "PRAGMA writable_schema = 1",
                                "PRAGMA temp_store_directory = '/'",
                                "PRAGMA journal_mode",
                                "PRAGMA database_list",
                                "PRAGMA temp_store = 1",
                                "PRAGMA cache_size = 1000000",
                                "PRAGMA hard_heap_limit = 1",
                                "PRAGMA case_sensitive_like = 1",
                                "ATTACH '/etc/passwd' AS p",
                                "CREATE VIRTUAL TABLE t USING json_each",
                                "REPLACE INTO slice(name) VALUES(1)"})
            add(sql, sql, "error sql.denied");
        add("refused by SQLite itself: UPDATE slice SET name = 'x'", "UPDATE slice SET name = 'x'",
            "error sql.invalid: table slice may not be modified");
        add("refused by SQLite itself: DELETE FROM slice", "DELETE FROM slice",
            "error sql.invalid: table slice may not be modified");
        add("refused by SQLite itself: CREATE INDEX i ON slice(ts)", "CREATE INDEX i ON slice(ts)",
            "error sql.invalid: virtual tables may not be indexed");
        add("refused by SQLite itself: CREATE TRIGGER t AFTER INSERT ON slice BEGIN SELECT 1; END",
            "CREATE TRIGGER t AFTER INSERT ON slice BEGIN SELECT 1; END",
            "error sql.invalid: cannot create triggers on virtual tables");
        add("refused by SQLite itself: SELECT * FROM pragma_database_list", "SELECT * FROM pragma_database_list",
            "error sql.invalid: not authorized");
        add("refused by SQLite itself: SELECT load_extension('x')", "SELECT load_extension('x')",
            "error sql.invalid: not authorized to use function: load_extension");
        for (const char* call :
             {"readfile('/etc/passwd')", "writefile('/tmp/x', 'y')", "edit('x')", "fsdir('/')", "eval('SELECT 1')"})
            add(call, QByteArray("SELECT ") + call,
                QByteArray("error sql.invalid: no such function: " + QByteArray(call).split('(').front()).constData());
        add("a table of files", "SELECT * FROM fsdir('/')", "error sql.invalid: no such table: fsdir");
        add("a table of pages", "SELECT * FROM sqlite_dbpage", "error sql.invalid: no such table: sqlite_dbpage");
        add("refused by SQLite itself: SELECT fts3_tokenizer('simple')", "SELECT fts3_tokenizer('simple')",
            "error sql.invalid: not authorized to use function: fts3_tokenizer");
        add("refused by SQLite itself: DELETE FROM sqlite_master", "DELETE FROM sqlite_master",
            "error sql.invalid: table sqlite_master may not be modified");
        add("refused by SQLite itself: UPDATE sqlite_schema SET sql = ''", "UPDATE sqlite_schema SET sql = ''",
            "error sql.invalid: table sqlite_master may not be modified");
        add("refused by SQLite itself: EXPLAIN DELETE FROM slice", "EXPLAIN DELETE FROM slice",
            "error sql.invalid: table slice may not be modified");
    }
    void errors() {
        QFETCH(QByteArray, sql);
        QFETCH(QByteArray, expected);
        const QueryDatabase database(twoRanks());
        QCOMPARE(QByteArray::fromStdString(runSql(database, sql.toStdString())), expected);
        // Whatever was tried, the next query finds all as it was.
        QCOMPARE(runSql(database, "SELECT count(*) FROM slice"), std::string("6"));
    }

    void errorsHaveAPlace() {
        const QueryDatabase database(twoRanks());
        TextSink sink;
        const auto result = database.run("SELECT '算',\n  absent FROM slice", sink, {});
        QVERIFY(result.failed());
        QCOMPARE(result.error().place, std::string("byte 16"));
        const MessageParameters expected{{"message", "no such column: absent"}, {"line", "2"}, {"column", "3"}};
        QVERIFY(result.error().parameters == expected);
        QCOMPARE(sink.begun, 0);
    }

    void describingPragmasAreAllowed() {
        const QueryDatabase database(twoRanks());
        QCOMPARE(runSql(database, "SELECT name FROM pragma_table_info('flow')"),
                 std::string("flow_id\ncategory\nfrom_slice\nto_slice"));
        QVERIFY(runSql(database, "EXPLAIN QUERY PLAN SELECT * FROM slice").find("slice") != std::string::npos);
    }

    void columnsComeFirst() {
        const QueryDatabase database(twoRanks());
        TextSink sink;
        const auto result = database.run("SELECT ts AS a, name FROM slice WHERE 0", sink, {});
        QVERIFY(result.ok());
        QCOMPARE(sink.begun, 1);
        QCOMPARE(sink.names, (std::vector<std::string>{"a", "name"}));
        QCOMPARE(result.value().rows, 0U);
        QVERIFY(result.value().complete);
    }

    void theSinkMayStop() {
        const QueryDatabase database(twoRanks());
        TextSink sink;
        sink.stopAfter = 2;
        const auto result = database.run("SELECT * FROM slice", sink, {});
        QVERIFY(result.ok());
        QCOMPARE(result.value().rows, 2U);
        QVERIFY(!result.value().complete);
    }

    void unreadArgumentsCostNothing() {
        const auto capture = twoRanks();
        const auto arguments = std::make_shared<PositionArguments>();
        capture->ranks[1].arguments = arguments;
        runSql(QueryDatabase(capture),
               "SELECT slice_id, name, ts, dur, depth, self_dur, parent_id FROM slice ORDER BY ts");
        QCOMPARE(arguments->requested.load(), 0);
        runSql(QueryDatabase(capture), "SELECT args FROM slice WHERE name = 'B'");
        QCOMPARE(arguments->requested.load(), 1);
    }

    void aVanishedSourceIsCounted() {
        const auto capture = twoRanks();
        const auto arguments = std::make_shared<PositionArguments>();
        arguments->gone = true;
        capture->ranks[1].arguments = arguments;
        TextSink sink;
        const auto result = QueryDatabase(capture).run("SELECT args FROM slice WHERE rank_id = 0", sink, {});
        QVERIFY(result.ok());
        QCOMPARE(sink.rows, std::vector<std::string>(5, "NULL"));
        const auto entries = result.value().diagnostics.entries();
        QCOMPARE(entries.size(), 1U);
        QCOMPARE(entries[0].code, std::string("args.source_changed"));
        QCOMPARE(entries[0].file, std::string("trace.json"));
        QCOMPARE(entries[0].count, 5U);
    }

    /// The text of a paraphrase differs, its cost and rows do not.
    void paraphrases() {
        const QueryDatabase database(twoRanks());
        const std::string expected =
            runSql(database, "SELECT name FROM slice WHERE ts >= 10 AND ts <= 50 ORDER BY name");
        for (const char* sql :
             {"select NAME from SLICE where TS between 10 and 50 order by 1",
              "SELECT s.name FROM slice AS s WHERE 10 <= s.ts AND NOT s.ts > 50 ORDER BY s.name ASC",
              "SELECT name FROM (SELECT * FROM slice) WHERE ts > 9 AND ts < 51 ORDER BY name",
              "WITH x AS (SELECT name, ts FROM slice) SELECT name FROM x WHERE ts IN (10, 20, 50) ORDER BY name"})
            QCOMPARE(runSql(database, sql), expected);
    }

    /// Counted in steps of SQLite's machine, which do not depend on what else the computer does.
    void paraphrasesCostTheSame_data() {
        QTest::addColumn<QList<QByteArray>>("statements");
        const auto add = [](const char* clause, const QList<QByteArray>& statements) {
            QTest::addRow("%s", clause) << statements;
        };
        add("a range of time",
            {"SELECT name FROM slice WHERE ts >= 100000 AND ts <= 200000",
             "select NAME from SLICE where TS between 100000 and 200000",
             "SELECT s.name FROM slice AS s WHERE 100000 <= s.ts AND 200000 >= s.ts",
             "SELECT name FROM (SELECT * FROM slice) WHERE ts > 99999 AND ts < 200001",
             "WITH x AS (SELECT name, ts FROM slice) SELECT name FROM x WHERE ts > 99999.5 AND 200000.5 > ts"});
        add("a name", {"SELECT ts FROM slice WHERE name = 'name17'", "SELECT ts FROM slice WHERE 'name17' = name",
                       "SELECT ts FROM slice WHERE name IN ('name17')", "SELECT ts FROM slice WHERE name IS 'name17'",
                       "SELECT x.ts FROM slice x WHERE x.\"name\" == 'name17'"});
        add("the last", {"SELECT max(ts) FROM slice", "SELECT ts FROM slice ORDER BY ts DESC LIMIT 1",
                         "SELECT max(ts) FROM (SELECT ts FROM slice)"});
        add("groups", {"SELECT name, count(*) FROM slice GROUP BY name",
                       "SELECT name AS n, count(*) FROM slice GROUP BY 1 ORDER BY n",
                       "SELECT s.name, count(s.name) FROM slice s GROUP BY s.name"});
    }
    void paraphrasesCostTheSame() {
        QFETCH(QList<QByteArray>, statements);
        static const QueryDatabase database(largeCapture(20'000));
        std::uint64_t min = std::numeric_limits<std::uint64_t>::max(), most = 0;
        for (const QByteArray& sql : statements) {
            TextSink sink;
            const auto result = database.run(sql.toStdString(), sink, {});
            QVERIFY2(result.ok(), sql.constData());
            min = std::min(min, result.value().steps);
            most = std::max(most, result.value().steps);
        }
        // A few steps more for each row that is given out.
        QVERIFY2(most <= 2 * min + 50, qPrintable(QStringLiteral("%1 to %2 steps").arg(min).arg(most)));
    }

    void manyThreadsAsk() {
        const QueryDatabase database(randomCapture(5, 400));
        const std::string sql = "SELECT name, count(*), sum(dur) FROM slice GROUP BY name";
        const std::string expected = runSql(QueryDatabase(randomCapture(5, 400)), sql);
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&] {
                for (int n = 0; n < 20; ++n) wrong += runSql(database, sql) != expected;
            });
        }
        for (std::thread& thread : threads) thread.join();
        QCOMPARE(wrong.load(), 0);
    }

    void cancelled_data() {
        QTest::addColumn<QByteArray>("sql");
        const auto add = [](const char* clause, const char* sql) { QTest::addRow("%s", clause) << QByteArray(sql); };
        add("rows without end",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
        add("a product of tables", "SELECT count(*) FROM slice a, slice b");
        add("sorting", "SELECT a.name, a.dur, a.args FROM slice a JOIN (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT "
                       "3) ORDER BY a.dur, a.slice_id DESC");
        add("grouping by something computed", "SELECT a.dur % 7 || a.name, count(*) FROM slice a, slice b GROUP BY 1");
        add("rows that a table passes over", "SELECT count(*) FROM slice a CROSS JOIN slice b CROSS JOIN slice c WHERE "
                                             "c.name = 'name1' AND c.track_id IN (1, 2)");
        add("by name", "SELECT a.name, count(*) FROM slice a JOIN track t USING (track_id), slice b GROUP BY a.name");
    }
    /// From the wish to the end are at most 100 ms; on a busy machine the best of some tries counts.
    void cancelled() {
        QFETCH(QByteArray, sql);
        static const auto capture = largeCapture(1'500'000);
        double best = 1e9;
        for (int attempt = 0; attempt < 4 && best > 100; ++attempt) {
            const QueryDatabase database(capture);
            const CancelToken token;
            QElapsedTimer since;
            std::thread canceller([&] {
                QThread::msleep(static_cast<unsigned long>(80 + 150 * attempt));
                since.start();
                token.requestCancel();
            });
            TextSink sink;
            sink.stopAfter = 1;
            const auto result = database.run(sql.toStdString(), sink, token);
            canceller.join();
            QVERIFY(result.cancelled());
            best = std::min(best, static_cast<double>(since.nsecsElapsed()) / 1e6);
        }
        QVERIFY2(best <= 100, qPrintable(QString::number(best)));
    }

    void parameters_data() {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<QByteArray>("expected");
        const auto add = [](const char* clause, const char* sql, const char* expected) {
            QTest::addRow("%s", clause) << QByteArray(sql) << QByteArray(expected);
        };
        add("in a condition that is looked up", "SELECT name FROM slice WHERE rank_id = :rank AND name = @name", "K");
        add("of every sign and type", "SELECT :rank, @name, $share, typeof(:rank), typeof($share)",
            "0|K|0.5|integer|real");
        add("one that is not given is NULL", "SELECT :other IS NULL, ?", "1|NULL");
        add("as a limit", "SELECT name FROM slice WHERE rank_id = 0 ORDER BY ts LIMIT 2 - :rank", "A\nB");
        add("a text is no SQL", "SELECT count(*) FROM slice WHERE name = :evil", "0");
    }
    void parameters() {
        QFETCH(QByteArray, sql);
        QFETCH(QByteArray, expected);
        const std::vector<QueryParameter> values{{":rank", std::int64_t{0}},
                                                 {"@name", std::string("K")},
                                                 {"$share", 0.5},
                                                 {":unused", std::int64_t{7}},
                                                 {":evil", std::string("x' OR '1'='1")}};
        TextSink sink;
        QVERIFY(QueryDatabase(twoRanks()).run(sql.toStdString(), sink, {}, values).ok());
        QByteArray text;
        for (const std::string& row : sink.rows) text += (text.isEmpty() ? "" : "\n") + QByteArray::fromStdString(row);
        QCOMPARE(text, expected);
    }

    /// Columns of tables are known as such through names, aliases and views of the statement; what is computed is not.
    void describedColumns() {
        class Described : public TextSink {
        public:
            void describe(std::span<const ColumnInfo* const> columns) override {
                QCOMPARE(begun, 0);
                for (const ColumnInfo* column : columns)
                    text += (column == nullptr ? "-" : std::string(column->name)) + " ";
            }
            std::string text;
        } sink;
        const char* sql =
            "WITH s AS (SELECT dur AS d, ts FROM slice) SELECT d, ts, d + 1, s.ts AS t, 'dur', max(d) FROM s";
        QVERIFY(QueryDatabase(twoRanks()).run(sql, sink, {}).ok());
        QCOMPARE(sink.text, "dur ts - ts - - ");
    }

    void cancelledBeforeItBegan() {
        const CancelToken token;
        token.requestCancel();
        TextSink sink;
        QVERIFY(QueryDatabase(twoRanks()).run("SELECT 1", sink, token).cancelled());
        QCOMPARE(sink.begun, 0);
    }
};

ALTI_TEST(TestDatabase)
#include "tst_database.moc"
