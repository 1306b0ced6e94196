#include "core/capture/files/json_document.h"

#include "tests/support/test_main.h"

using namespace altiscope;
using capture::JsonDocument;

class TestJsonDocument : public QObject {
    Q_OBJECT

private slots:
    void set_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("expected");
        // Single quotes stand for double ones.
        QTest::addRow("one value, all else stays") << "{ 'b' : 1.50, 'a':[1,2] ,'c':{'d':1e3} }"
                                                   << "c.d"
                                                   << "7"
                                                   << "{ 'b' : 1.50, 'a':[1,2] ,'c':{'d':7} }";
        QTest::addRow("new key as its neighbour") << "{\n  'a': 1\n}\n"
                                                  << "b"
                                                  << "2"
                                                  << "{\n  'a': 1,\n  'b': 2\n}\n";
        QTest::addRow("missing objects are made") << "{'a': 1}"
                                                  << "b.c.d"
                                                  << "[1]"
                                                  << "{'a': 1, 'b': {'c': {'d': [1]}}}";
        QTest::addRow("empty object") << "{ }"
                                      << "a"
                                      << "null"
                                      << "{'a': null}";
        QTest::addRow("value in the way is replaced") << "{'a': 5}"
                                                      << "a.b"
                                                      << "1"
                                                      << "{'a': {'b': 1}}";
        QTest::addRow("last of repeated keys") << "{'a': 1, 'a': 2}"
                                               << "a"
                                               << "3"
                                               << "{'a': 1, 'a': 3}";
        QTest::addRow("brackets and quotes in texts") << "{'x': '}{,\\']', 'a': {'b': '\\\\'}}"
                                                      << "a.b"
                                                      << "1"
                                                      << "{'x': '}{,\\']', 'a': {'b': 1}}";
    }
    void set() {
        QFETCH(QString, text);
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(QString, expected);
        auto document = JsonDocument::parse(text.replace(QLatin1Char('\''), QLatin1Char('"')).toStdString());
        QVERIFY(document.ok());
        document.value().set(path.toStdString(), value.toStdString());
        QCOMPARE(QString::fromStdString(document.value().text()),
                 expected.replace(QLatin1Char('\''), QLatin1Char('"')));
        QCOMPARE(document.value().find(path.toStdString()), std::optional(value.toStdString()));
    }

    void refused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("place");
        QTest::addRow("empty") << ""
                               << "line 1";
        QTest::addRow("no object") << "[1]"
                                   << "line 1";
        QTest::addRow("comment") << "{\n// no\n\"a\": 1}"
                                 << "line 2";
        QTest::addRow("trailing comma") << "{\n\"a\": 1,\n}"
                                        << "line 3";
        QTest::addRow("cut off") << "{\"a\": [1, 2"
                                 << "line 1";
        QTest::addRow("number beyond all bounds") << "{\"a\": 1e400}"
                                                  << "line 1";
        QTest::addRow("deep") << QStringLiteral("{\"a\": ") + QString(70, QLatin1Char('[')) +
                                     QString(70, QLatin1Char(']')) + QLatin1Char('}')
                              << "line 1";
    }
    void refused() {
        QFETCH(QString, text);
        QFETCH(QString, place);
        const auto document = JsonDocument::parse(text.toStdString());
        QVERIFY(document.failed());
        QCOMPARE(document.error().code, std::string("capture.file.bad_json"));
        QCOMPARE(QString::fromStdString(document.error().place), place);
    }

    void depth() {
        for (const auto& [lists, isRead] : {std::pair(64, true), {65, false}}) {
            const auto count = static_cast<std::size_t>(lists);
            const std::string text = "{\"a\": " + std::string(count, '[') + std::string(count, ']') + "}";
            QCOMPARE(JsonDocument::parse(text).ok(), isRead);
        }
    }

    void tooLarge() {
        const auto document = JsonDocument::parse("{\"a\": \"" + std::string(1 << 20, 'x') + "\"}");
        QVERIFY(document.failed());
        QCOMPARE(document.error().code, std::string("file.too_large"));
    }

    void leaves() {
        const auto document = JsonDocument::parse("{\"a\": {\"b\": 1, \"c\": {\"d\": [2], \"e\": {}}}, \"f\": 3}");
        QVERIFY(document.ok());
        QCOMPARE(document.value().leaves("a"), (std::vector<std::string>{"a.b", "a.c.d"}));
        QCOMPARE(document.value().leaves("none"), std::vector<std::string>{});
    }
};

ALTI_TEST(TestJsonDocument)
#include "tst_json_document.moc"
