#include "tests/support/test_main.h"
#include "views/sql/editor/parameter_values.h"
#include "views/sql/saved/query_store.h"
#include "views/sql/saved/query_tabs.h"
#include "views/sql/saved/statement_history.h"

#include <QVariantMap>

using namespace altiscope;
using namespace Qt::StringLiterals;

/// What the page remembers: bounded, and believed only as far as it makes sense.
class TestKeptQueries : public QObject {
    Q_OBJECT
private slots:
    void init() { m_kept.clear(); }

    void history() {
        StatementHistory history(m_memory);
        QVERIFY(!history.step(-1, u"x"_s));
        for (const QString& text : {u"a"_s, u"b"_s, u"c"_s, u"a"_s}) history.add(text);
        QCOMPARE(history.statements(), (QStringList{u"a"_s, u"c"_s, u"b"_s}));
        QCOMPARE(*history.step(-1, u"mine"_s), u"a"_s);
        QCOMPARE(*history.step(-1, u"a"_s), u"c"_s);
        QCOMPARE(*history.step(-1, u"c"_s), u"b"_s);
        QVERIFY(!history.step(-1, u"b"_s));
        QCOMPARE(*history.step(1, u"b"_s), u"c"_s);
        QCOMPARE(*history.step(1, u"c"_s), u"a"_s);
        QCOMPARE(*history.step(1, u"a"_s), u"mine"_s);
        QVERIFY(!history.step(1, u"mine"_s));
        QCOMPARE(StatementHistory(m_memory).statements(), history.statements());
    }

    void historyIsBounded() {
        StatementHistory history(m_memory);
        for (int i = 0; i < 250; ++i) history.add(QString::number(i));
        QCOMPARE(history.statements().size(), StatementHistory::kMaxStatements);
        QCOMPARE(history.statements().front(), u"249"_s);
        history.add(QString(StatementHistory::kMaxLetters + 1, u'x'));
        QCOMPARE(history.statements().front(), u"249"_s);
        for (int i = 0; i < 30; ++i) history.add(QString(StatementHistory::kMaxLetters - i, u'x'));
        qsizetype letters = 0;
        for (const QString& statement : history.statements()) letters += statement.size();
        QVERIFY(letters <= StatementHistory::kMaxLettersInAll);
    }

    void tabs() {
        QueryTabs tabs(m_memory);
        QCOMPARE(tabs.tabs().size(), 1U);
        tabs.tab().text = u"SELECT 1"_s;
        tabs.add(u"second"_s, u"SELECT 2"_s);
        tabs.add({}, u"SELECT 3"_s);
        QCOMPARE(tabs.current(), 2U);
        tabs.choose(1);
        tabs.move(1, 2);
        QCOMPARE(tabs.current(), 2U);
        tabs.rename(2, u"  new\nname "_s);
        tabs.rename(0, u" "_s);
        QCOMPARE(tabs.tab().name, u"new name"_s);
        tabs.keep();
        const QueryTabs again(m_memory);
        QCOMPARE(again.tabs().size(), 3U);
        QCOMPARE(again.current(), 2U);
        QCOMPARE(again.tabs()[2].text, u"SELECT 2"_s);
        QVERIFY(!again.tabs()[0].name.isEmpty() && again.tabs()[0].name != again.tabs()[1].name);
        tabs.close(2);
        QCOMPARE(tabs.current(), 1U);
        tabs.close(0);
        QCOMPARE(tabs.current(), 0U);
        tabs.close(0);
        QCOMPARE(tabs.tabs().size(), 1U);
        QVERIFY(tabs.tab().text.isEmpty());
    }

    void tabsAreBounded() {
        QueryTabs tabs(m_memory);
        while (tabs.canAdd()) tabs.add({}, u"x"_s);
        QCOMPARE(tabs.tabs().size(), QueryTabs::kMaxTabs);
        tabs.tab().text = QString(QueryTabs::kMaxKeptLetters + 1, u'x');
        tabs.keep();
        QCOMPARE(QueryTabs(m_memory).tabs().size(), QueryTabs::kMaxTabs - 1);
        QStringList many;
        for (int i = 0; i < 100; ++i) many << u"name"_s << u"text"_s;
        m_kept[u"sql/tabs"_s] = many << u"odd"_s;
        m_kept[u"sql/current_tab"_s] = 4711;
        QCOMPARE(QueryTabs(m_memory).tabs().size(), QueryTabs::kMaxTabs);
        m_kept[u"sql/tabs"_s] = 7;
        QCOMPARE(QueryTabs(m_memory).tabs().size(), 1U);
    }

    void ownQueries() {
        OwnQueries own(m_memory);
        QVERIFY(own.save(u" b "_s, u"SELECT 1"_s) && own.save(u"a"_s, u"SELECT 2"_s) &&
                own.save(u"b"_s, u"SELECT 3"_s));
        QVERIFY(!own.save(u" "_s, u"SELECT 1"_s) && !own.save(u"c"_s, u" "_s));
        QVERIFY(!own.save(u"c"_s, QString(OwnQueries::kMaxLetters + 1, u'x')));
        QCOMPARE(own.queries().size(), 2U);
        QCOMPARE(own.queries()[0].title, u"a"_s);
        QCOMPARE(own.queries()[1].sql, u"SELECT 3"_s);
        QVERIFY(!own.rename(u"a"_s, u"b"_s) && !own.rename(u"a"_s, u" "_s) && !own.rename(u"none"_s, u"x"_s));
        QVERIFY(own.rename(u"a"_s, u"z"_s));
        QCOMPARE(OwnQueries(m_memory).queries()[1].title, u"z"_s);
        own.remove(u"b"_s);
        QCOMPARE(OwnQueries(m_memory).queries().size(), 1U);
        for (int i = 0; i < 300; ++i) own.save(QString::number(i), u"SELECT 1"_s);
        QCOMPARE(own.queries().size(), OwnQueries::kMaxQueries);
        QVERIFY(own.save(u"0"_s, u"SELECT 9"_s));
    }

    void queryOfAFile() {
        const QString text =
            u"-- title: One\n-- title[zh_CN]: 一\n-- about: What\n-- :n = 5\n-- :s = a = b\nSELECT :n\n-- kept\n"_s;
        const auto english = queryOfText(text, u"en"_s), chinese = queryOfText(text, u"zh_CN"_s);
        QCOMPARE(english->title, u"One"_s);
        QCOMPARE(chinese->title, u"一"_s);
        QCOMPARE(chinese->about, u"What"_s);
        QCOMPARE(english->sql, u"SELECT :n\n-- kept"_s);
        QCOMPARE(english->values.value(u":n"_s), u"5"_s);
        QCOMPARE(english->values.value(u":s"_s), u"a = b"_s);
        QVERIFY(!queryOfText(u"SELECT 1"_s, u"en"_s));
        QVERIFY(!queryOfText(u"-- title: x\n"_s, u"en"_s));
    }

    void parameterValues_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("kind");
        QTest::newRow("nothing") << u" "_s << 0;
        QTest::newRow("NULL") << u"null"_s << 0;
        QTest::newRow("integer") << u" -5 "_s << 1;
        QTest::newRow("largest integer") << u"9223372036854775807"_s << 1;
        QTest::newRow("beyond it") << u"9223372036854775808"_s << 2;
        QTest::newRow("real") << u"1e3"_s << 2;
        QTest::newRow("infinity is a word") << u"inf"_s << 3;
        QTest::newRow("text") << u"MatMul"_s << 3;
        QTest::newRow("number in quotes") << u"'12'"_s << 3;
    }
    void parameterValues() {
        QFETCH(QString, text);
        const QueryParameter parameter = parameterOf(u":x"_s, text);
        QCOMPARE(parameter.name, ":x");
        QTEST(static_cast<int>(parameter.value.index()), "kind");
        QVERIFY(std::get<std::string>(parameterOf(u":x"_s, u"'it''s'"_s).value) == "it's");
    }

private:
    QVariantMap m_kept;
    ViewMemory m_memory{[this](const QString& name) { return m_kept.value(name); },
                        [this](const QString& name, const QVariant& value) { m_kept[name] = value; }};
};

ALTI_TEST(TestKeptQueries)
#include "tst_kept_queries.moc"
