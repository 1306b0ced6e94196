#include "core/base/text/json_depth.h"
#include "core/base/text/json_text.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <string>

using namespace altiscope;

class TestJsonText : public QObject {
    Q_OBJECT

private slots:
    void theOrderOfKeysIsKeptWhereItCounts() {
        const std::string text = R"({"b":1,"a":[true,null,-2.5,"\u00e9"]})";
        QCOMPARE(dumpJson(parseOrderedJson(text)), std::string("{\"b\":1,\"a\":[true,null,-2.5,\"\xc3\xa9\"]}"));
        QCOMPARE(dumpJson(parseJson(text)), std::string("{\"a\":[true,null,-2.5,\"\xc3\xa9\"],\"b\":1}"));
        QCOMPARE(dumpJson(parseJson("[1,{}]"), 1), std::string("[\n 1,\n {}\n]"));
    }

    void bytesThatAreNoUtf8AreReplaced() {
        QCOMPARE(dumpJson(nlohmann::json("a\xff")), std::string("\"a\xef\xbf\xbd\""));
        QCOMPARE(dumpJson(nlohmann::ordered_json("a\xff")), std::string("\"a\xef\xbf\xbd\""));
    }

    void aTextIsPlainWithoutQuotes() {
        QCOMPARE(plainJson(nlohmann::json("a \"b\"")), std::string("a \"b\""));
        QCOMPARE(plainJson(nlohmann::ordered_json("")), std::string());
        QCOMPARE(plainJson(parseOrderedJson(R"({"b":1,"a":"x"})")), std::string(R"({"b":1,"a":"x"})"));
        QCOMPARE(plainJson(nlohmann::json(nullptr)), std::string("null"));
    }

    void whereATextIsBrokenIsSaid() {
        for (const char* text : {"", "{", "[1,]", "{\"a\":1} x", "nul", "\"\xff\""}) {
            QVERIFY2(parseJson(text).is_discarded(), text);
            QVERIFY2(parseOrderedJson(text).is_discarded(), text);
            QVERIFY2(!isJson(text), text);
        }
        std::size_t byte = 99;
        QVERIFY(parseJson("{\"a\": ]", &byte).is_discarded());
        QCOMPARE(byte, std::size_t{7});
        QVERIFY(parseOrderedJson("{\"a\":1}}", &byte).is_discarded());
        QCOMPARE(byte, std::size_t{8});
        QVERIFY(parseJson("1e999", &byte).is_discarded());
        QCOMPARE(byte, std::size_t{0});
        byte = 99;
        QVERIFY(isJson("{}") && parseJson("{}", &byte).is_object());
        QCOMPARE(byte, std::size_t{99});
    }

    void theDepthOfAText() {
        const auto nested = [](std::size_t levels) {
            return std::string(levels, '[') + "\"]]]\"" + std::string(levels, ']');
        };
        QVERIFY(!isNestedDeeper("1", 0) && !isNestedDeeper("", 0) && isNestedDeeper("{}", 0));
        QVERIFY(!isNestedDeeper(nested(7), 7) && isNestedDeeper(nested(8), 7));
        QVERIFY(!isNestedDeeper("[[1], {\"a\": [2]}, \"\\\"[[[\", \"\\\\\", [3]]", 3));
        QVERIFY(isNestedDeeper(R"([[1], {"a": [2]}])", 2));
        QVERIFY(isNestedDeeper(std::string(1'000'000, '{'), 64));
    }
};

ALTI_TEST(TestJsonText)
#include "tst_json_text.moc"
