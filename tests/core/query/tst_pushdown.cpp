#include "core/query/database.h"
#include "core/query/schema/schema.h"
#include "tests/core/query/query_support.h"
#include "tests/support/effort.h"
#include "tests/support/test_main.h"

#include <sqlite3.h>

#include <algorithm>
#include <random>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// Copies the tables of a capture into ordinary tables of SQLite, which then answers the same questions without any of
/// our lookups: the truth of this test. (That the tables themselves are right is held in tst_database.)
class Oracle : public RowSink {
public:
    explicit Oracle(const QueryDatabase& database) {
        sqlite3_open(":memory:", &m_sqlite);
        for (const TableInfo& table : tableSchema()) {
            std::string create = createStatement(table);
            create.replace(0, std::string("CREATE TABLE x").size(), "CREATE TABLE \"" + std::string(table.name) + "\"");
            sqlite3_exec(m_sqlite, create.c_str(), nullptr, nullptr, nullptr);
            m_table = table.name;
            const auto copied = database.run("SELECT rowid, * FROM \"" + m_table + "\"", *this, {});
            sqlite3_finalize(m_insert);
            m_insert = nullptr;
            if (!copied.ok() || m_failed) qFatal("copying the tables failed");
        }
    }
    ~Oracle() override { sqlite3_close(m_sqlite); }
    Oracle(const Oracle&) = delete;
    Oracle& operator=(const Oracle&) = delete;

    bool begin(std::span<const std::string> columns) override {
        std::string names;
        std::string marks;
        for (const std::string& column : columns) {
            names += (names.empty() ? "" : ",") + ("\"" + column + "\"");
            marks += marks.empty() ? "?" : ",?";
        }
        const std::string insert = "INSERT INTO \"" + m_table + "\"(" + names + ") VALUES(" + marks + ")";
        m_failed = sqlite3_prepare_v2(m_sqlite, insert.c_str(), -1, &m_insert, nullptr) != SQLITE_OK;
        return !m_failed;
    }
    bool row(std::span<const Value> values) override {
        for (int i = 0; i < static_cast<int>(values.size()); ++i) {
            const Value& v = values[static_cast<std::size_t>(i)];
            if (v.type == ValueType::Null) sqlite3_bind_null(m_insert, i + 1);
            if (v.type == ValueType::Integer) sqlite3_bind_int64(m_insert, i + 1, v.integer);
            if (v.type == ValueType::Real) sqlite3_bind_double(m_insert, i + 1, v.real);
            if (v.type == ValueType::Text)
                sqlite3_bind_text(m_insert, i + 1, v.bytes.data(), static_cast<int>(v.bytes.size()), nullptr);
        }
        // A rowid that came twice would fail here.
        m_failed = m_failed || sqlite3_step(m_insert) != SQLITE_DONE;
        sqlite3_reset(m_insert);
        return !m_failed;
    }

    std::vector<std::string> runSql(const std::string& sql) const {
        std::vector<std::string> rows;
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(m_sqlite, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
            return {sqlite3_errmsg(m_sqlite)};
        while (sqlite3_step(statement) == SQLITE_ROW) {
            std::string& line = rows.emplace_back();
            for (int i = 0; i < sqlite3_column_count(statement); ++i) {
                if (i > 0) line += '|';
                const bool real = sqlite3_column_type(statement, i) == SQLITE_FLOAT;
                std::array<char, 40> number{};
                std::snprintf(number.data(), number.size(), "%.17g", sqlite3_column_double(statement, i));
                const bool null = sqlite3_column_type(statement, i) == SQLITE_NULL;
                line += null   ? std::string("NULL")
                        : real ? std::string(number.data())
                               : std::string(reinterpret_cast<const char*>(sqlite3_column_text(statement, i)));
            }
        }
        sqlite3_finalize(statement);
        return rows;
    }

private:
    sqlite3* m_sqlite = nullptr;
    sqlite3_stmt* m_insert = nullptr;
    std::string m_table;
    bool m_failed = false;
};

std::vector<std::string> sorted(std::vector<std::string> rows) {
    std::sort(rows.begin(), rows.end());
    return rows;
}

/// The first `count` values of each row, which an ORDER BY has put in order.
std::vector<std::string> keys(const std::vector<std::string>& rows, std::size_t count) {
    std::vector<std::string> cut;
    for (const std::string& row : rows) {
        std::size_t end = 0;
        for (std::size_t i = 0; i < count && end != std::string::npos; ++i) end = row.find('|', i == 0 ? 0 : end + 1);
        cut.push_back(row.substr(0, end));
    }
    return cut;
}

/// Makes statements by chance.
class StatementMaker {
public:
    /// @param tables  Those that are asked for; several times for more statements.
    StatementMaker(unsigned seed, const Oracle& oracle, std::vector<std::string> tables)
        : m_random(seed), m_oracle(oracle), m_tables(std::move(tables)) {}

    /// @param sortedColumns  Set to the number of columns that an ORDER BY has sorted by, 0 without one.
    std::string statement(std::size_t& sortedColumns) {
        sortedColumns = 0;
        const TableInfo& table = *findTable(pick(m_tables));
        std::string where = conditions(table);
        const std::string from = " FROM " + std::string(table.name) + where;
        switch (below(6)) {
        case 0: return "SELECT count(*), min(" + column(table) + "), max(" + column(table) + ")" + from;
        case 1: {
            const std::size_t count = 1 + below(2);
            const std::string group = columns(table, count);
            const std::string sql =
                "SELECT " + group + ", count(*), min(" + column(table) + ")" + from + " GROUP BY " + group;
            if (below(2) == 0) return sql;
            sortedColumns = count;
            std::string order = group + pick({"", " DESC"});
            if (const auto comma = order.find(','); comma != std::string::npos)
                order.insert(comma, pick({"", " DESC"}));
            return sql + " ORDER BY " + order;
        }
        case 2: return "SELECT DISTINCT " + columns(table, 1 + below(2)) + from;
        case 3: return "SELECT *" + from;
        default: break;
        }
        std::vector<std::string> order;
        std::string terms;
        for (std::size_t i = 0, n = 1 + below(3); i < n; ++i) {
            order.push_back(column(table));
            terms += (i > 0 ? ", " : "") + order.back() + (below(3) == 0 ? " DESC" : "");
        }
        std::string select = "SELECT ";
        for (const std::string& name : order) select += name + ", ";
        sortedColumns = order.size();
        return select + "*" + from + " ORDER BY " + terms;
    }

private:
    std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>(m_random() % limit); }
    std::string pick(const std::vector<std::string>& words) { return words[below(words.size())]; }
    std::string column(const TableInfo& table) {
        // Columns that can be looked up more often than the others.
        for (int tries = 0; tries < 2; ++tries) {
            std::string name(table.columns[below(table.columns.size())].name);
            if (name == "index") name = "\"index\"";  // a word of SQL
            if (name == "ts" || name == "name" || name == "origin" || name.ends_with("_id") || tries == 1) return name;
        }
        return std::string(table.columns[0].name);
    }
    std::string columns(const TableInfo& table, std::size_t count) {
        std::string list = column(table);
        for (std::size_t i = 1; i < count; ++i) list += ", " + column(table);
        return list;
    }
    /// A value that often occurs in the column, sometimes of another type.
    std::string value(const TableInfo& table, const std::string& name) {
        switch (below(12)) {
        case 0: return "NULL";
        case 1: return "'1'";
        case 2: return "x'31'";
        case 3: return "'abc'";
        case 4: return pick({"1.0", "1100.5", "-0.5", "1e30", "-1e30", "9223372036854775807", "-9223372036854775808"});
        case 5: return std::to_string(900 + below(700));
        // Just beside a value that is there.
        case 6: return "(" + known(table, name) + pick({" + 1", " - 1", " + 0.5", " - 0.5"}) + ")";
        case 7: return "(SELECT " + pick({"max(", "min("}) + name + ") FROM " + std::string(table.name) + ")";
        default: break;
        }
        return known(table, name);
    }
    std::string known(const TableInfo& table, const std::string& name) {
        const auto found = m_oracle.runSql("SELECT quote(" + name + ") FROM " + std::string(table.name) +
                                           " LIMIT 1 OFFSET " + std::to_string(below(40)));
        return found.empty() ? "1" : found.front();
    }
    std::string condition(const TableInfo& table) {
        // Both ends of a flow, and a column twice, are looked up at a time.
        if (table.name == "flow" && below(4) == 0)
            return "(from_slice = " + known(table, "from_slice") + " AND to_slice " + pick({"=", "!=", "<"}) + " " +
                   known(table, "to_slice") + ")";
        if (below(10) == 0) {
            const std::string twice = column(table);
            return "(" + twice + pick({" >= ", " > "}) + value(table, twice) + " AND " + twice +
                   pick({" <= ", " < ", " = "}) + value(table, twice) + ")";
        }
        const std::string name = below(12) == 0 ? "rowid" : column(table);
        switch (below(10)) {
        case 0:
            return name + " IN (" + value(table, name) + ", " + value(table, name) + ", " + value(table, name) + ")";
        case 1: return name + " BETWEEN " + value(table, name) + " AND " + value(table, name);
        case 2: return name + " LIKE " + pick({"'a%'", "'%mm'", "'x_y'", "'%'", "''", "'a'", "5", "NULL"});
        case 3: return name + " GLOB " + pick({"'a*'", "'*mm'", "'x?y'", "'[a-z]*'", "'zz[*]'", "''"});
        case 4: return name + " IN (SELECT " + name + " FROM " + std::string(table.name) + " ORDER BY rowid LIMIT 3)";
        case 5: return name + " IS " + (below(3) == 0 ? value(table, name) : pick({"NULL", "NOT NULL"}));
        case 6: return name + " = " + value(table, name) + pick({"", " COLLATE NOCASE"});
        default: return name + " " + pick({"=", "<", "<=", ">", ">=", "!="}) + " " + value(table, name);
        }
    }
    std::string conditions(const TableInfo& table) {
        std::string text;
        for (std::size_t i = 0, n = below(4); i < n; ++i) {
            text += text.empty() ? " WHERE " : pick({" AND ", " AND ", " AND ", " OR "});
            text += condition(table);
        }
        return text;
    }

    std::mt19937 m_random;
    const Oracle& m_oracle;
    std::vector<std::string> m_tables;
};

/// Whether statements by chance have the rows of ordinary tables, in the order that they ask for; the first that has
/// not.
std::string firstWrong(const QueryDatabase& database, unsigned seed, int statements,
                       const std::vector<std::string>& tables) {
    const Oracle oracle(database);
    StatementMaker questioner(seed, oracle, tables);
    for (int i = 0; i < statements; ++i) {
        std::size_t sortedColumns = 0;
        const std::string sql = questioner.statement(sortedColumns);
        const std::vector<std::string> expected = oracle.runSql(sql);
        TextSink sink;
        if (!database.run(sql, sink, {}).ok() || sorted(sink.rows) != sorted(expected)) return sql;
        if (sortedColumns > 0 && keys(sink.rows, sortedColumns) != keys(expected, sortedColumns)) return sql;
    }
    return {};
}

std::vector<std::string> allTables() {
    std::vector<std::string> names;
    for (const TableInfo& table : tableSchema()) names.emplace_back(table.name);
    return names;
}

}  // namespace

class TestPushdown : public QObject {
    Q_OBJECT
private slots:
    /// Whatever is looked up, the rows are those that SQLite picks from the same rows by itself.
    void agreesWithOrdinaryTables_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 4; ++seed) QTest::addRow("seed %u", seed) << seed;
    }
    void agreesWithOrdinaryTables() {
        QFETCH(unsigned, seed);
        const QueryDatabase database(randomCapture(seed, 120));
        const std::string wrong = firstWrong(database, seed, repetitions(500),
                                             {"slice", "slice", "slice", "track", "instant", "counter", "flow", "flow",
                                              "name_stat", "step", "metadata", "rank", "diagnostic"});
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    /// The same of all tables, with recorded rows of each kind and computed ones.
    void summaryTablesAgreeWithOrdinaryTables_data() { agreesWithOrdinaryTables_data(); }
    void summaryTablesAgreeWithOrdinaryTables() {
        QFETCH(unsigned, seed);
        const QueryDatabase database(randomTables(seed, 60));
        QVERIFY(runSql(database, "SELECT count(*) > 0 FROM op_stat WHERE origin = 'computed'") == "1");
        QVERIFY(runSql(database, "SELECT count(*) > 0 FROM api_stat WHERE origin = 'recorded'") == "1");
        const std::string wrong = firstWrong(database, seed, repetitions(700), allTables());
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    /// Comparisons with each value at, beside and between those that are there, and with what is none.
    void borders_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("column");
        for (const char* table : {"slice", "instant", "counter", "kernel", "collective", "memory_sample"})
            QTest::addRow("%s by ts", table) << QString::fromLatin1(table) << QStringLiteral("ts");
        for (const char* table : {"slice", "track", "flow", "kernel", "op_stat", "step_breakdown"})
            QTest::addRow("%s by rowid", table) << QString::fromLatin1(table) << QStringLiteral("rowid");
        for (const char* table : {"slice", "track", "rank", "kernel"})
            QTest::addRow("%s by rank_id", table) << QString::fromLatin1(table) << QStringLiteral("rank_id");
        for (const char* table : {"operator", "kernel"})
            QTest::addRow("%s by slice_id", table) << QString::fromLatin1(table) << QStringLiteral("slice_id");
        QTest::addRow("kernel by operator") << QStringLiteral("kernel") << QStringLiteral("operator_slice_id");
        QTest::addRow("slice by parent") << QStringLiteral("slice") << QStringLiteral("parent_id");
        for (const char* table : {"kernel", "operator", "collective", "step_breakdown", "link"})
            QTest::addRow("%s by step", table) << QString::fromLatin1(table) << QStringLiteral("step");
        QTest::addRow("kernel_metric by kernel") << QStringLiteral("kernel_metric") << QStringLiteral("kernel_rowid");
    }
    void borders() {
        QFETCH(QString, table);
        QFETCH(QString, column);
        const QueryDatabase database(randomTables(5, 30));
        const Oracle oracle(database);
        const std::string from = " FROM " + table.toStdString(), name = column.toStdString();
        std::vector<std::string> known =
            oracle.runSql("SELECT DISTINCT " + name + from + " WHERE " + name + " IS NOT NULL ORDER BY 1");
        QVERIFY(known.size() > 1);
        // The first, one in the middle, and the last.
        if (known.size() > 3) known = {known[0], known[known.size() / 2], known.back()};
        std::vector<std::string> values{"NULL",
                                        "CAST(NULL AS INTEGER)",
                                        "'a'",
                                        "x'31'",
                                        "1e30",
                                        "-1e30",
                                        "9223372036854775807",
                                        "-9223372036854775808"};
        for (const std::string& value : known) {
            values.push_back(value);
            // Halves of great numbers are no numbers of their own.
            for (const char* beside : {" + 1", " - 1", " + 0.5", " - 0.5"}) {
                const std::string both = oracle.runSql("SELECT " + value + beside).front();
                values.push_back(both);
            }
        }
        for (const std::string& value : values) {
            for (const char* compared : {"=", "<", "<=", ">", ">=", "!=", "IS", "IS NOT"}) {
                const std::string sql = "SELECT rowid" + from + " WHERE " + name + ' ' + compared + ' ' + value;
                TextSink sink;
                QVERIFY2(database.run(sql, sink, {}).ok(), sql.c_str());
                QVERIFY2(sorted(sink.rows) == sorted(oracle.runSql(sql)), sql.c_str());
            }
        }
    }

    /// Both of the ids that a row has.
    void idsAndRowids() {
        const QueryDatabase database(randomTables(6, 30));
        const Oracle oracle(database);
        for (const auto& [table, id] : {std::pair("track", "track_id"), {"slice", "slice_id"}, {"flow", "flow_id"}}) {
            const std::string name(id), from = std::string(" FROM ") + table;
            const std::vector<std::string> known = oracle.runSql("SELECT " + name + from + " ORDER BY 1 LIMIT 2");
            QCOMPARE(known.size(), std::size_t{2});
            for (const std::string& both :
                 {name + " = " + known[0] + " AND rowid = " + known[0],
                  name + " = " + known[0] + " AND rowid = " + known[1],
                  name + " IN (" + known[0] + ", " + known[1] + ") AND rowid = " + known[1],
                  name + " = " + known[1] + " AND rowid IN (" + known[0] + ", " + known[1] + ")"}) {
                const std::string sql = "SELECT rowid" + from + " WHERE " + both;
                TextSink sink;
                QVERIFY2(database.run(sql, sink, {}).ok(), sql.c_str());
                QVERIFY2(sink.rows == oracle.runSql(sql), sql.c_str());
            }
        }
    }

    /// Each table as a whole, by name: none is forgotten above, and each has rows.
    void eachTableIsFilled() {
        const QueryDatabase database(randomTables(1, 60));
        const std::vector<std::string> names = allTables();
        QCOMPARE(names.size(), 40U);
        std::string empty;
        for (const std::string& name : names)
            if (name != "finding" && runSql(database, "SELECT count(*) FROM " + name) == "0") empty += name + " ";
        // Random captures have no problem that a rule knows, cannot be replayed, and are of no parallel job.
        QCOMPARE(empty, std::string("blame critical_path slack parallel_group pipeline_block "));
    }

    void joinsAgreeWithOrdinaryTables_data() {
        QTest::addColumn<QString>("sql");
        const auto add = [](const char* sql) { QTest::addRow("%s", sql) << QString::fromLatin1(sql); };
        add("SELECT s.slice_id, t.track_id, t.name FROM slice s JOIN track t USING (track_id) WHERE t.rank_id = 1");
        add("SELECT s.name, count(*), sum(s.dur) FROM slice s JOIN track t USING (track_id) WHERE t.kind = 'other' "
            "GROUP BY s.name");
        add("SELECT a.slice_id, b.slice_id FROM slice a JOIN slice b ON b.slice_id = a.parent_id");
        add("SELECT a.slice_id, count(b.slice_id) FROM slice a LEFT JOIN slice b ON b.slice_id = a.parent_id GROUP BY "
            "1");
        add("SELECT a.slice_id, b.slice_id FROM slice a JOIN slice b ON b.name = a.name AND b.track_id = a.track_id "
            "AND b.ts > a.ts");
        add("SELECT f.flow_id, a.name, b.name FROM flow f JOIN slice a ON a.slice_id = f.from_slice JOIN slice b ON "
            "b.slice_id = f.to_slice");
        add("SELECT s.slice_id, f.flow_id FROM slice s JOIN flow f ON f.from_slice = s.slice_id");
        add("SELECT s.slice_id, f.flow_id FROM slice s JOIN flow f ON f.to_slice = s.slice_id AND f.from_slice > 0");
        add("SELECT r.path, n.name, n.total FROM rank r JOIN name_stat n USING (rank_id)");
        add("SELECT r.path, s.step, s.start_ts FROM rank r LEFT JOIN step s USING (rank_id)");
        add("SELECT s.step, count(*) FROM step s JOIN slice x ON x.rank_id = s.rank_id AND x.ts BETWEEN s.start_ts AND "
            "s.end_ts GROUP BY 1");
        add("SELECT t.track_id, (SELECT max(ts) FROM slice s WHERE s.track_id = t.track_id) FROM track t");
        add("SELECT count(*) FROM slice WHERE track_id IN (SELECT track_id FROM track WHERE rank_id = 4)");
        add("SELECT name, count(*) FROM slice WHERE name IN (SELECT name FROM instant) GROUP BY name");
        add("SELECT count(*) FROM slice WHERE name = (SELECT min(name) FROM slice WHERE name > 'a')");
        add("SELECT a.rank_id, b.rank_id, count(*) FROM slice a JOIN counter b ON b.ts = a.ts GROUP BY 1, 2");
        add("SELECT m.rank_id, m.value FROM metadata m WHERE m.rank_id IN (1, 4) AND m.key = 'key'");
        add("WITH x AS (SELECT name, ts FROM slice WHERE dur > 30) SELECT a.name, b.ts FROM x a JOIN x b ON a.name = "
            "b.name AND a.ts < b.ts");
        add("SELECT count(*) FROM slice s WHERE NOT EXISTS (SELECT 1 FROM flow f WHERE f.to_slice = s.slice_id)");
        add("SELECT rank_id, ts, name FROM instant UNION SELECT rank_id, ts, name FROM slice");
    }
    void joinsAgreeWithOrdinaryTables() {
        QFETCH(QString, sql);
        for (const unsigned seed : {11U, 12U, 13U}) {
            const QueryDatabase database(randomCapture(seed, 80));
            const Oracle oracle(database);
            TextSink sink;
            QVERIFY(database.run(sql.toStdString(), sink, {}).ok());
            QCOMPARE(sorted(sink.rows), sorted(oracle.runSql(sql.toStdString())));
        }
    }

    /// The keys of joins; each asked in both directions, alone and beside other conditions.
    void keyedJoinsAgreeWithOrdinaryTables_data() {
        QTest::addColumn<QString>("sql");
        const auto add = [](const char* sql) { QTest::addRow("%s", sql) << QString::fromLatin1(sql); };
        add("SELECT k.rowid, o.rowid FROM kernel k JOIN operator o ON o.slice_id = k.operator_slice_id");
        add("SELECT k.rowid, o.rowid FROM kernel k LEFT JOIN operator o ON o.slice_id = k.operator_slice_id AND "
            "o.rank_id = k.rank_id AND o.step IN (1, 2)");
        add("SELECT o.rowid, k.rowid FROM operator o CROSS JOIN kernel k ON k.operator_slice_id = o.slice_id AND "
            "k.name = o.name");
        add("SELECT s.slice_id, k.rowid FROM slice s CROSS JOIN kernel k ON k.slice_id = s.slice_id");
        add("SELECT a.rowid, b.rowid FROM kernel a JOIN kernel b ON b.step = a.step AND b.ts > a.ts");
        add("SELECT a.rowid, b.rowid FROM collective a CROSS JOIN collective b ON b.instance = a.instance");
        add("SELECT a.rowid, b.rowid FROM collective a JOIN collective b ON b.instance = a.instance AND b.rank_id > "
            "a.rank_id AND b.origin = a.origin");
        add("SELECT p.slice_id, c.slice_id FROM slice p CROSS JOIN slice c ON c.parent_id = p.slice_id AND c.dur > 3");
        add("SELECT slice_id FROM slice WHERE parent_id IN (SELECT slice_id FROM slice WHERE name = 'a')");
        add("SELECT count(*) FROM kernel WHERE operator_slice_id IN (SELECT slice_id FROM slice) AND step IN (0, 3)");
        add("SELECT count(*) FROM kernel WHERE slice_id IS NULL OR step IS NULL");
        add("SELECT rowid FROM kernel WHERE step = 2.0 AND operator_slice_id <> 5 ORDER BY rank_id");
        add("SELECT rowid FROM operator WHERE step = '3' OR step = 2.5 OR step = NULL");
        add("WITH RECURSIVE below(id, level) AS (SELECT slice_id, 0 FROM slice WHERE parent_id IS NULL UNION ALL "
            "SELECT "
            "s.slice_id, level + 1 FROM slice s JOIN below ON s.parent_id = below.id) SELECT * FROM below");
    }
    void keyedJoinsAgreeWithOrdinaryTables() {
        QFETCH(QString, sql);
        for (const unsigned seed : {21U, 22U}) {
            const QueryDatabase database(randomTables(seed, 60));
            const Oracle oracle(database);
            TextSink sink;
            QVERIFY(database.run(sql.toStdString(), sink, {}).ok());
            QCOMPARE(sorted(sink.rows), sorted(oracle.runSql(sql.toStdString())));
            // What chance makes has few collectives that several ranks have in common.
            QVERIFY(seed != 21U || !sink.rows.empty() || sql.contains(u"instance"));
        }
    }

    /// As many steps of SQLite's machine for each rank, however many there are: the join grew with the square.
    void aJoinOfKernelsAndOperatorsIsLinear() {
        const auto stepsFor = [](std::size_t ranks) {
            auto capture = std::make_shared<CaptureStore>(*randomCapture(3, 40));
            std::mt19937 random(4);
            const RankEntry model = capture->ranks.back();
            capture->ranks.clear();
            for (std::size_t r = 0; r < ranks; ++r) {
                RankEntry& entry = capture->ranks.emplace_back(model);
                entry.info.rankId = static_cast<std::int64_t>(r);
                entry.rows = randomRows(random, 200, false);
            }
            TextSink sink;
            const auto done = QueryDatabase(capture).run("SELECT count(*) FROM kernel k LEFT JOIN operator o ON "
                                                         "o.slice_id = k.operator_slice_id AND o.rank_id = "
                                                         "k.rank_id",
                                                         sink, {});
            return done.ok() ? done.value().steps : 0;
        };
        const std::uint64_t few = stepsFor(2), many = stepsFor(16);
        QVERIFY(few > 0);
        QVERIFY2(many < 10 * few, qPrintable(QString::number(many) + u'/' + QString::number(few)));
    }

    /// Lookups and orders are really taken over: SQLite sorts nothing and passes the condition on.
    void plans_data() {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<bool>("sorts");
        const auto add = [](const char* sql, bool sorts) {
            QTest::addRow("%s", sql) << QString::fromLatin1(sql) << sorts;
        };
        add("SELECT name, count(*) FROM slice GROUP BY name", false);
        add("SELECT name, count(*) FROM slice WHERE ts > 1100 GROUP BY name", false);
        add("SELECT * FROM slice ORDER BY ts", false);
        add("SELECT * FROM slice ORDER BY ts DESC LIMIT 3", false);
        add("SELECT * FROM slice WHERE track_id = (SELECT min(track_id) FROM track) ORDER BY ts", false);
        add("SELECT * FROM slice ORDER BY rank_id, track_id, ts", false);
        add("SELECT * FROM slice ORDER BY rank_id, ts", false);
        add("SELECT * FROM slice ORDER BY track_id, depth, ts", false);
        add("SELECT track_id, count(*) FROM slice GROUP BY track_id", false);
        add("SELECT rank_id, name, count(*) FROM slice GROUP BY rank_id, name", false);
        add("SELECT * FROM counter ORDER BY ts", false);
        add("SELECT * FROM instant ORDER BY track_id, ts", false);
        add("SELECT * FROM track ORDER BY track_id", false);
        add("SELECT * FROM track ORDER BY rank_id", false);
        add("SELECT * FROM step ORDER BY rank_id", false);
        add("SELECT min(ts) FROM slice", false);
        add("SELECT * FROM slice ORDER BY dur", true);
        add("SELECT * FROM slice ORDER BY name COLLATE NOCASE", true);
    }
    void plans() {
        QFETCH(QString, sql);
        QFETCH(bool, sorts);
        const QueryDatabase database(randomCapture(3, 500));
        const QString plan = QString::fromStdString(runSql(database, "EXPLAIN QUERY PLAN " + sql.toStdString()));
        QCOMPARE(plan.contains(QLatin1String("TEMP B-TREE")), sorts);
    }

    /// A lookup touches what it returns: of a million slices in no time.
    void lookupsAreFast_data() {
        QTest::addColumn<QString>("sql");
        const auto add = [](const char* sql) { QTest::addRow("%s", sql) << QString::fromLatin1(sql); };
        add("SELECT * FROM slice WHERE slice_id = (SELECT max(slice_id) FROM (SELECT slice_id FROM slice LIMIT 5))");
        add("SELECT count(*) FROM slice WHERE ts BETWEEN 5000000 AND 5001000");
        add("SELECT slice_id FROM slice ORDER BY ts LIMIT 10");
        add("SELECT slice_id FROM slice ORDER BY ts DESC LIMIT 10");
        add("SELECT min(ts) FROM slice");
        add("SELECT max(ts) FROM slice");
        add("SELECT (SELECT min(ts) FROM slice), (SELECT max(ts) FROM slice)");
        add("SELECT DISTINCT name FROM slice");
        add("SELECT * FROM name_stat LIMIT 100");
        add("SELECT count(*) FROM slice WHERE name = 'name17'");
    }
    void lookupsAreFast() {
        QFETCH(QString, sql);
        static const auto capture = largeCapture(1'000'000);
        const QueryDatabase database(capture);
        const auto best = [&](const std::string& statement) {
            double milliseconds = 1e9;
            for (int i = 0; i < 3; ++i) {
                QElapsedTimer timer;
                timer.start();
                runSql(database, statement);
                milliseconds = std::min(milliseconds, static_cast<double>(timer.nsecsElapsed()) / 1e6);
            }
            return milliseconds;
        };
        // Against going through all rows, so that neither the machine nor a sanitizer matters.
        static const double allRows = best("SELECT count(*), sum(dur), max(self_dur), count(category) FROM slice");
        const double lookup = best(sql.toStdString());
        QVERIFY2(lookup < allRows, qPrintable(QStringLiteral("%1 ms, all rows %2 ms").arg(lookup).arg(allRows)));
    }
};

ALTI_TEST(TestPushdown)
#include "tst_pushdown.moc"
