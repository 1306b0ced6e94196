#include "core/base/text/regular_expression.h"
#include "tests/core/query/query_support.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using namespace altiscope::test;

class TestRegexp : public QObject {
    Q_OBJECT

private slots:
    void finds_data();
    void finds();
    void equalsLikeOnAllNames();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void endsWhatWouldTakeForEver();
};

void TestRegexp::finds_data() {
    QTest::addColumn<QByteArray>("expression");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("anywhere in the text") << QByteArray("'aten::mm' REGEXP 'n::m'") << QByteArray("1");
    QTest::newRow("anchored") << QByteArray("'aten::mm' REGEXP '^mm'") << QByteArray("0");
    QTest::newRow("case counts") << QByteArray("'Aten' REGEXP 'aten'") << QByteArray("0");
    QTest::newRow("case does not count if asked so") << QByteArray("'Aten' REGEXP '(?i)aten'") << QByteArray("1");
    QTest::newRow("look ahead") << QByteArray("'MatMulV2' REGEXP 'MatMul(?!V3)'") << QByteArray("1");
    QTest::newRow("one character, three bytes") << QByteArray("'算子' REGEXP '^..$'") << QByteArray("1");
    QTest::newRow("a number is compared as text") << QByteArray("125 REGEXP '^1.5$'") << QByteArray("1");
    QTest::newRow("no text") << QByteArray("NULL REGEXP 'a'") << QByteArray("NULL");
    QTest::newRow("no pattern") << QByteArray("'a' REGEXP NULL") << QByteArray("NULL");
    QTest::newRow("empty pattern") << QByteArray("'a' REGEXP ''") << QByteArray("1");
    QTest::newRow("a pattern for each row")
        << QByteArray("count(*) FROM (SELECT 'a' AS p UNION SELECT 'b') WHERE 'abc' REGEXP p || '$'")
        << QByteArray("0");
    QTest::newRow("bytes that are no UTF-8") << QByteArray("CAST(x'61ff62' AS TEXT) REGEXP 'b$'") << QByteArray("1");
}

void TestRegexp::finds() {
    QFETCH(QByteArray, expression);
    QFETCH(QByteArray, expected);
    const QueryDatabase database(std::make_shared<CaptureStore>());
    QCOMPARE(QByteArray::fromStdString(runSql(database, "SELECT " + expression.toStdString())), expected);
}

/// The pattern is looked up in the names, where LIKE is too; `||` keeps it from being looked up.
void TestRegexp::equalsLikeOnAllNames() {
    const QueryDatabase database(randomCapture(5, 300));
    for (const auto& [expression, like] :
         {std::pair{"'^aten'", "name GLOB 'aten*'"}, std::pair{"'mm$'", "name GLOB '*mm'"},
          std::pair{"'^x.y$'", "name GLOB 'x?y'"}, std::pair{"'^$'", "name = ''"}}) {
        const std::string rows = "SELECT slice_id, name FROM slice WHERE ";
        const std::string expected = runSql(database, rows + like + " ORDER BY slice_id");
        QVERIFY(!expected.empty());
        QCOMPARE(runSql(database, rows + "name REGEXP " + expression + " ORDER BY slice_id"), expected);
        QCOMPARE(runSql(database, rows + "name || '' REGEXP " + expression + " ORDER BY slice_id"), expected);
        QCOMPARE(runSql(database, rows + "rank_id = 1 AND name REGEXP " + expression + " ORDER BY slice_id"),
                 runSql(database, rows + "rank_id = 1 AND " + like + " ORDER BY slice_id"));
    }
}

void TestRegexp::saysWhatIsWrong_data() {
    QTest::addColumn<QByteArray>("pattern");
    QTest::newRow("open group") << QByteArray("(a");
    QTest::newRow("nothing to repeat") << QByteArray("*");
    QTest::newRow("open set") << QByteArray("[a");
}

void TestRegexp::saysWhatIsWrong() {
    QFETCH(QByteArray, pattern);
    const QueryDatabase database(randomCapture(5, 30));
    const std::string promise =
        runSql(database, "SELECT count(*) FROM slice WHERE name REGEXP '" + pattern.toStdString() + "'");
    QVERIFY2(promise.starts_with("error sql.failed: regular expression: "), promise.c_str());
    QVERIFY2(promise.find(" at character ") != std::string::npos, promise.c_str());
}

void TestRegexp::endsWhatWouldTakeForEver() {
    const RegularExpression expression("^(a+)+$");
    QCOMPARE(expression.search(std::string(40, 'a') + "b"), RegularExpression::Match::TooCostly);
    const QueryDatabase database(std::make_shared<CaptureStore>());
    const std::string promise = runSql(database, "SELECT '" + std::string(40, 'a') + "b' REGEXP '^(a+)+$'");
    QCOMPARE(QByteArray::fromStdString(promise),
             QByteArray("error sql.failed: regular expression: it tries too many ways"));
}

ALTI_TEST(TestRegexp)
#include "tst_regexp.moc"
