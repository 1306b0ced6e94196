#include "core/base/text/regular_expression.h"
#include "core/query/functions/format_function.h"
#include "core/query/functions/text_patterns.h"
#include "tests/core/query/query_support.h"
#include "tests/support/test_main.h"

#include <sqlite3.h>

#include <random>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// What SQLite's own functions answer, in the form of ask().
std::string querySqlite(const std::string& sql) {
    sqlite3* sqlite = nullptr;
    sqlite3_open(":memory:", &sqlite);
    std::string text;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(sqlite, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(statement); ++i) {
            const bool isNull = sqlite3_column_type(statement, i) == SQLITE_NULL;
            text += (i > 0 ? "|" : "") +
                    (isNull ? "NULL" : std::string(reinterpret_cast<const char*>(sqlite3_column_text(statement, i))));
        }
    } else {
        text = std::string("error sql.failed: ") + sqlite3_errmsg(sqlite);
    }
    sqlite3_finalize(statement);
    sqlite3_close(sqlite);
    return text;
}

/// A value of SQL by chance: a text of few characters, which then often meet, of several bytes or none; a blob, a
/// number or NULL.
std::string randomValue(std::mt19937& random, const std::vector<std::string>& pieces, std::size_t most) {
    switch (random() % 14) {
    case 0: return "NULL";
    case 1: return std::to_string(static_cast<int>(random() % 300) - 100);
    case 2: return "1.5";
    default: break;
    }
    std::string text;
    for (std::size_t i = random() % most; i > 0; --i) text += pieces[random() % pieces.size()];
    std::string hex;
    for (const char c : text) {
        constexpr char kDigits[] = "0123456789abcdef";
        hex += kDigits[static_cast<unsigned char>(c) >> 4U];
        hex += kDigits[static_cast<unsigned char>(c) & 15U];
    }
    return random() % 6 == 0 ? "x'" + hex + "'" : "CAST(x'" + hex + "' AS TEXT)";
}

const std::vector<std::string> kPieces{"a",
                                       "b",
                                       "c",
                                       "A",
                                       "ab",
                                       "\xc3\xa4",
                                       "\xe7\xae\x97",
                                       "\xf0\x9f\x98\x80",
                                       "\x80",
                                       "\xc3",
                                       "\xff",
                                       std::string(1, '\0'),
                                       " "};
const std::vector<std::string> kPatternPieces{"a",    "b",     "A", "%", "_", "*", "?",        "[ab]",         "[^a]",
                                              "[]b]", "[a-c]", "[", "]", "-", "!", "\xc3\xa4", "\xe7\xae\x97", "\x80",
                                              "%%",   "\\"};

}  // namespace

class TestTextFunctions : public QObject {
    Q_OBJECT
private slots:
    void answerAsThoseOfSqlite_data() {
        QTest::addColumn<QByteArray>("function");
        QTest::addColumn<int>("arguments");
        for (const auto& [name, count] : {std::pair{"instr", 2},
                                          {"replace", 3},
                                          {"trim", 2},
                                          {"ltrim", 2},
                                          {"rtrim", 2},
                                          {"like", 2},
                                          {"like", 3},
                                          {"glob", 2}})
            QTest::addRow("%s of %d", name, count) << QByteArray(name) << count;
    }
    void answerAsThoseOfSqlite() {
        QFETCH(QByteArray, function);
        QFETCH(int, arguments);
        const bool isPattern = function == "like" || function == "glob";
        const QueryDatabase database(std::make_shared<CaptureStore>());
        std::mt19937 random(7);
        for (int i = 0; i < 1500; ++i) {
            std::string call = function.toStdString() + "(" +
                               randomValue(random, isPattern ? kPatternPieces : kPieces, isPattern ? 8 : 10);
            call += ", " + randomValue(random, kPieces, isPattern || arguments == 3 ? 10 : 3);
            if (arguments == 3) {
                const std::vector<std::string> escapes{"'!'",  "'a'", "'%'",  "'_'", "NULL",
                                                       "'xx'", "''",  "'算'", "'\\'"};
                call += ", " + (isPattern ? escapes[random() % escapes.size()] : randomValue(random, kPieces, 3));
            }
            const std::string whole = "WITH r(x) AS (SELECT " + call + ")) SELECT typeof(x), hex(x) FROM r";
            QCOMPARE(runSql(database, whole), querySqlite(whole));
        }
    }

    void formatsAreThoseOfSqlite() {
        const QueryDatabase database(std::make_shared<CaptureStore>());
        for (const char* call :
             {"printf('%d|%5d|%-5d|%05d|%+d|%,d', 1, 2, 3, 4, 5, 1234567)", "printf('%.*f %*d', 3, 1.23456, 8, 42)",
              "printf('%s %q %Q %w %c %.3c', 'a', 'b''c', NULL, 'd\"e', 'fg', 'h')",
              "format('%x %X %o %e %g %%', 255, 255, 8, 1.5, 1e9)", "printf('%s')", "printf('%d %s', '12', 3.5)",
              "printf(NULL, 1)", "printf('%z %d', 7)", "printf(5)", "printf('%5000s', 'x')", "printf('%!.20g', 0.1)",
              "printf('%lld', 9223372036854775807)", "format('%n%d', 3)"}) {
            const std::string whole = std::string("WITH r(x) AS (SELECT ") + call + ") SELECT typeof(x), hex(x) FROM r";
            QCOMPARE(runSql(database, whole), querySqlite(whole));
        }
        QVERIFY(runSql(database, "SELECT printf()").starts_with("error") ==
                querySqlite("SELECT printf()").starts_with("error"));
    }

    /// A loop of SQLite's that nothing stops: ten seconds for a character a billion times.
    void charactersAreNotRepeatedWithoutEnd() {
        const QueryDatabase database(std::make_shared<CaptureStore>());
        for (const char* call : {"printf('%.*c', 1999999999, 'x')", "format('%.1999999999c', 'x')",
                                 "printf('%d%.*c', 5, 1999999999, 'x')", "printf('%*d', -1999999999, 1)"})
            QVERIFY2(runSql(database, std::string("SELECT ") + call).starts_with("error sql.value_too_long"), call);
        const auto tooOften = [](std::string_view format, std::int64_t argument) {
            return repeatsTooOften(format, 100, [argument](int i) { return i == 1 ? argument : std::int64_t{0}; });
        };
        QVERIFY(tooOften("%d %*d", 101) && tooOften("%d%-+ .*lc", -101) && tooOften("%101c", 0) &&
                tooOften("%1.999999999999999999999c", 0));
        QVERIFY(!tooOften("%d %*d", 100) && !tooOften("%*d %d", 101) && !tooOften("%%*d", 101) &&
                !tooOften("100000%", 0) && !tooOften("%", 0));
    }

    /// Long texts are compared by code of ours, short ones by SQLite: both give the same.
    void longTextsMatchAsShortOnes() {
        std::mt19937 random(11);
        const std::string rest(std::size_t{1} << 20, '0');
        for (int i = 0; i < 60; ++i) {
            std::string pattern, text;
            for (std::size_t n = random() % 8; n > 0; --n) pattern += kPatternPieces[random() % kPatternPieces.size()];
            for (std::size_t n = random() % 10; n > 0; --n) text += kPieces[random() % 9];
            text += rest;
            const std::string like = pattern + '%', glob = pattern + '*';
            const auto isLike = matchesPattern(PatternKind::Like, like.c_str(), text.c_str(), '!', {});
            const auto isGlob = matchesPattern(PatternKind::Glob, glob.c_str(), text.c_str(), 0, {});
            QVERIFY(isLike && isGlob);
            QCOMPARE(*isLike, sqlite3_strlike(like.c_str(), text.c_str(), '!') == 0);
            QCOMPARE(*isGlob, sqlite3_strglob(glob.c_str(), text.c_str()) == 0);
        }
    }

    void rangesOfCharactersHoldBothEnds() {
        const std::string rest(std::size_t{1} << 20, '0');
        for (const char* glob : {"[a-c]*", "[^a-c]*", "[c-a]*", "[-c]*", "[a-]*", "[b-b]*", "[]-c]*"}) {
            for (const char first : {'`', 'a', 'b', 'c', 'd', '-', ']'}) {
                const std::string text = first + rest;
                const auto isGlob = matchesPattern(PatternKind::Glob, glob, text.c_str(), 0, {});
                QCOMPARE(isGlob, std::optional(sqlite3_strglob(glob, text.c_str()) == 0));
            }
        }
    }

    void longRegularExpressionsMatchAsShortOnes() {
        for (const std::size_t length :
             {RegularExpression::kShortText, RegularExpression::kShortText + 1, std::size_t{1} << 20}) {
            std::string text(length, 'a');
            text[length / 2] = 'b';
            for (const auto& [pattern, expected] : {std::pair{"ba", RegularExpression::Match::Yes},
                                                    {"^b", RegularExpression::Match::No},
                                                    {"(?<=b)a+$", RegularExpression::Match::Yes},
                                                    {"c", RegularExpression::Match::No}})
                QCOMPARE(RegularExpression(pattern).search(text), expected);
        }
    }
};

ALTI_TEST(TestTextFunctions)
#include "tst_text_functions.moc"
