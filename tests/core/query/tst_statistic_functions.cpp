#include "tests/core/query/query_support.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

using namespace altiscope;
using namespace altiscope::test;

class TestStatisticFunctions : public QObject {
    Q_OBJECT
private slots:
    void values_data() {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<QByteArray>("expected");
        const auto add = [](const char* clause, const char* sql, const char* expected) {
            QTest::addRow("%s", clause) << QByteArray(sql) << QByteArray(expected);
        };
        add("odd number of integers: one of them",
            "SELECT median(x), typeof(median(x)) FROM (SELECT column1 AS x FROM (VALUES(3), (1), (2)))", "2|integer");
        add("even number: the mean of two", "SELECT median(column1) FROM (VALUES(4), (1), (2), (3))", "2.5");
        add("two equal neighbours stay an integer", "SELECT median(column1) FROM (VALUES(1), (2), (2), (3))", "2");
        add("reals", "SELECT median(column1) FROM (VALUES(1.5), (0.5), (9))", "1.5");
        add("integers beyond 2^53", "SELECT median(column1) FROM (VALUES(9007199254740993), (9007199254740993), (1))",
            "9007199254740993");
        add("least and greatest integer",
            "SELECT percentile(column1, 0), percentile(column1, 100) FROM (VALUES(-9223372036854775808), "
            "(9223372036854775807))",
            "-9223372036854775808|9223372036854775807");
        add("negative numbers",
            "SELECT percentile(column1, 50), percentile(column1, 25) FROM (VALUES(-1.0), (-3.0), (-2.0), (5.0), (0.0))",
            "-1|-2");
        add("linear between neighbours",
            "SELECT percentile(column1, 25), percentile(column1, 90) FROM (VALUES(10), (20), (30), (40))", "17.5|37");
        add("0 and 100", "SELECT percentile(column1, 0), percentile(column1, 100) FROM (VALUES(7), (5), (6))", "5|7");
        add("NULL does not count", "SELECT median(column1), variance(column1) FROM (VALUES(NULL), (1), (NULL), (3))",
            "2|2");
        add("no values",
            "SELECT median(column1), percentile(column1, 3), stddev(column1), variance(column1) FROM (VALUES(NULL))",
            "NULL|NULL|NULL|NULL");
        add("no rows", "SELECT median(1), percentile(1, 3), stddev(1), variance(1) WHERE 0", "NULL|NULL|NULL|NULL");
        add("one value", "SELECT median(5), stddev(5), variance(5)", "5|NULL|NULL");
        add("of a sample",
            "SELECT variance(column1), stddev(column1) FROM (VALUES(2), (4), (4), (4), (5), (5), (7), (9))",
            "4.5714285714285712|2.1380899352993952");
        add("far from zero",
            "SELECT variance(column1) FROM (VALUES(1700000000000000001), (1700000000000000002), (1700000000000000003))",
            "1");
        add("DISTINCT", "SELECT median(DISTINCT column1) FROM (VALUES(1), (1), (1), (2), (9))", "2");
        add("FILTER", "SELECT median(column1) FILTER (WHERE column1 > 1) FROM (VALUES(1), (2), (9))", "5.5");
        add("a text", "SELECT median('a')", "error sql.failed: median takes finite numbers only");
        add("an infinity", "SELECT variance(9e999)", "error sql.failed: variance takes finite numbers only");
        add("p out of range", "SELECT percentile(1, 101)",
            "error sql.failed: percentile takes a second argument from 0 to 100");
        add("p that is none", "SELECT percentile(1, NULL)",
            "error sql.failed: percentile takes a second argument from 0 to 100");
        add("p that varies", "SELECT percentile(1, column1) FROM (VALUES(1), (2))",
            "error sql.failed: percentile takes one second argument for all rows of a group");
    }
    void values() {
        QFETCH(QByteArray, sql);
        QFETCH(QByteArray, expected);
        QCOMPARE(QByteArray::fromStdString(runSql(QueryDatabase(std::make_shared<CaptureStore>()), sql.toStdString())),
                 expected);
    }

    /// Against sorting, for groups of few and of many values, which are looked for in another way.
    void agreesWithSorting() {
        const QueryDatabase database(std::make_shared<CaptureStore>());
        for (const int count : {1, 2, 999, 70'001}) {
            for (const char* value : {"(i * 7919) % 10007 - 5000", "(i * 7919) % 10007 / 8.0 - 600",
                                      "i * 92233720368547 % 9000000000000001"}) {
                const std::string rows = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < " +
                                         std::to_string(count) + "), v(x) AS (SELECT " + value + " FROM n) ";
                for (const double share : {0.0, 12.5, 99.0, 100.0}) {
                    const double place = share / 100 * (count - 1);
                    const auto at = [&](double p) {
                        return "(SELECT x FROM v ORDER BY x LIMIT 1 OFFSET " + std::to_string(static_cast<int>(p)) +
                               ")";
                    };
                    const std::string sql =
                        rows + "SELECT abs((SELECT percentile(x, " + std::to_string(share) + ") FROM v) - (" +
                        at(std::floor(place)) + " + (" + at(std::ceil(place)) + " - " + at(std::floor(place)) + ") * " +
                        std::to_string(place - std::floor(place)) + ")) < 1e-3 + 1e-9 * abs(" + at(place) + ")";
                    QCOMPARE(runSql(database, sql), std::string("1"));
                }
            }
        }
    }

    void endsSoonWhenCancelled() {
        const QueryDatabase database(std::make_shared<CaptureStore>());
        const CancelToken token;
        std::thread canceller([&] {
            QThread::msleep(300);
            token.requestCancel();
        });
        TextSink sink;
        QVERIFY(database
                    .run("WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT median(i) FROM n",
                         sink, token)
                    .cancelled());
        canceller.join();
    }
};

ALTI_TEST(TestStatisticFunctions)
#include "tst_statistic_functions.moc"
