#include "views/sql/language/sql_text.h"

#include "tests/support/test_main.h"
#include "views/common/support/formatters.h"
#include "views/sql/language/sql_tokens.h"
#include "views/sql/language/sql_vocabulary.h"

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// One letter for each kind but blanks: c(omment) w(ord) q(uoted name) t(ext) n(umber) p(arameter) s(ign).
QString kindsOf(const QString& text, SqlOpen open = SqlOpen::Nothing) {
    QString kinds;
    qsizetype at = 0;
    for (const SqlToken& token : sqlTokens(text, open).tokens) {
        if (token.begin != at || token.end <= token.begin) return u"gap"_s;
        at = token.end;
        if (token.kind != SqlTokenKind::Blank) kinds += u" cwqtnps"_s[static_cast<int>(token.kind)];
    }
    return at == text.size() ? kinds : u"end"_s;
}

/// A text with | where the cursor is.
std::pair<QString, qsizetype> cursorIn(QString text) {
    const qsizetype at = text.indexOf(u'|');
    return {text.remove(at, 1), at};
}

}  // namespace

class TestSqlText : public QObject {
    Q_OBJECT
private slots:
    void tokens_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("kinds");
        const auto add = [](const char* clause, const char* text, const char* kinds) {
            QTest::addRow("%s", clause) << QString::fromUtf8(text) << QString::fromLatin1(kinds);
        };
        add("words and signs", "SELECT a.b, c1$ FROM _t", "wwswswww");
        add("texts with doubled quotes", "'it''s' x'00'", "tt");
        add("names in quotes", R"("a ""b""" [c d] `e`)", "qqq");
        add("numbers", "1 0.5 .5 1e9 1.5E-3 0xFF", "nnnnnn");
        add("parameters", ":a @b $c ? ?1", "ppppp");
        add("a sign that is no parameter", "a : b", "wsw");
        add("comments", "a -- b 'c\n d /* e\n; */ f", "wcwcw");
        add("what is left open goes to the end", "a 'b -- c", "wt");
        add("an open comment", "a /* b", "wc");
        add("letters of other languages", "名称 = 'ä'", "wst");
        add("nothing", "", "");
    }
    void tokens() {
        QFETCH(QString, text);
        QTEST(kindsOf(text), "kinds");
    }

    void linesGoOn() {
        QVERIFY(sqlTokens(u"a /* b"_s).open == SqlOpen::Comment);
        QVERIFY(sqlTokens(u"a 'b"_s).open == SqlOpen::Text);
        QVERIFY(sqlTokens(u"a -- 'b"_s).open == SqlOpen::Nothing);
        QVERIFY(sqlTokens({}, SqlOpen::Text).open == SqlOpen::Text);
        QCOMPARE(kindsOf(u"b */ c"_s, SqlOpen::Comment), u"cw"_s);
        QCOMPARE(kindsOf(u"b' c"_s, SqlOpen::Text), u"tw"_s);
        QCOMPARE(kindsOf(u"b\" c"_s, SqlOpen::QuotedName), u"qw"_s);
    }

    void statements_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("statement");
        const auto add = [](const char* clause, const char* text, const char* statement) {
            QTest::addRow("%s", clause) << QString::fromLatin1(text) << QString::fromLatin1(statement);
        };
        add("the only one", "  SELECT |1 ", "SELECT 1");
        add("the first of two", "SELECT| 1; SELECT 2", "SELECT 1");
        add("right after the semicolon", "SELECT 1;| SELECT 2", "SELECT 1");
        add("between two", "SELECT 1;\n| SELECT 2", "SELECT 2");
        add("after the last", "SELECT 1;\nSELECT 2;\n\n|", "SELECT 2");
        add("semicolons in texts and comments", "SELECT ';' -- ; \n, 1|", "SELECT ';' -- ; \n, 1");
        add("a comment before it", "-- why\nSELECT |1", "-- why\nSELECT 1");
        add("comments alone are none", "SELECT 1; -- done|", "SELECT 1");
        add("empty ones do not count", ";;|", "");
        add("nothing", "|", "");
    }
    void statements() {
        QFETCH(QString, text);
        const auto [plain, cursor] = cursorIn(text);
        const TextSpan span = statementAt(plain, cursor);
        QTEST(plain.sliced(span.begin, span.end - span.begin), "statement");
    }

    void parameters() {
        QCOMPARE(parametersOf(u"SELECT :a, ':b', @c -- :d\n, :a, ?, $e"_s), (QStringList{u":a"_s, u"@c"_s, u"$e"_s}));
        QCOMPARE(parametersOf(u"SELECT 1"_s), QStringList());
    }

    void places() {
        QCOMPARE(lineAndColumnOf(u"ab\ncd"_s, 4), (std::pair{2, 2}));
        QCOMPARE(lineAndColumnOf(u"ab"_s, 99), (std::pair{1, 3}));
        QCOMPARE(placeOfByte(u"'ä' x"_s, 5), 4);
        QCOMPARE(placeOfByte(u"a"_s, 99), 1);
    }

    void completions_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("some");
        QTest::addColumn<QStringList>("none");
        const auto add = [](const char* clause, const char* text, const QStringList& some, const QStringList& none) {
            QTest::addRow("%s", clause) << QString::fromLatin1(text) << some << none;
        };
        add("tables after FROM", "SELECT * FROM sl|", {u"slice"_s}, {u"slice_id"_s, u"SELECT"_s});
        add("all tables after JOIN", "SELECT * FROM slice JOIN |", {u"track"_s, u"kernel"_s}, {u"dur"_s});
        add("columns of the tables that are named", "SELECT s| FROM kernel",
            {u"stream"_s, u"slice_id"_s, u"sum"_s, u"SELECT"_s}, {u"self_dur"_s});
        add("columns after a table", "SELECT slice.| FROM slice", {u"dur"_s, u"self_dur"_s},
            {u"stream"_s, u"SELECT"_s});
        add("columns after an alias", "SELECT k.st| FROM kernel AS k", {u"stream"_s, u"step"_s}, {u"dur"_s});
        add("in any case", "SELECT DU| FROM slice", {u"dur"_s}, {});
        add("only of this statement", "SELECT 1 FROM kernel; SELECT s| FROM step", {u"step"_s}, {u"stream"_s});
        add("without a table all columns", "SELECT recov|", {u"recoverable"_s}, {});
        add("nothing in a text", "SELECT 'sl|", {}, {u"slice"_s});
        add("nothing in a comment", "SELECT -- sl|", {}, {u"slice"_s});
        add("nothing in a parameter", "SELECT :s|", {}, {u"slice"_s});
    }
    void completions() {
        QFETCH(QString, text);
        QFETCH(QStringList, some);
        QFETCH(QStringList, none);
        static const SqlVocabulary vocabulary;
        const auto [plain, cursor] = cursorIn(text);
        QStringList words;
        for (const SqlWord* word : vocabulary.completionsAt(plain, cursor).words) words << toQString(word->word);
        for (const QString& word : some) QVERIFY2(words.contains(word), qPrintable(word));
        for (const QString& word : none) QVERIFY2(!words.contains(word), qPrintable(word));
        QCOMPARE(words.removeDuplicates(), 0);
    }

    void hints() {
        const SqlVocabulary vocabulary;
        const auto hint = [&](const char* text) {
            const auto [plain, cursor] = cursorIn(QString::fromLatin1(text));
            const SqlWord* word = vocabulary.wordAt(plain, cursor);
            return word == nullptr ? QString() : wordHint(*word);
        };
        QVERIFY(hint("SELECT du|r FROM kernel").startsWith(u"kernel.dur · INTEGER · ns\n"_s));
        QVERIFY(hint("SELECT dur FROM sli|ce").contains(u"slice"_s));
        QVERIFY(hint("SELECT med|ian(dur) FROM slice").startsWith(u"median(x)\n"_s));
        QVERIFY(hint("SELECT st|ep FROM kernel").startsWith(u"kernel.step"_s));
        QCOMPARE(hint("SELECT 'du|r' FROM kernel"), QString());
        QCOMPARE(hint("|"), QString());
    }
};

ALTI_TEST(TestSqlText)
#include "tst_sql_text.moc"
