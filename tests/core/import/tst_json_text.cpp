#include "core/import/json/json_text.h"

#include "core/import/json/json_event.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <string>

using namespace altiscope::reader;

class TestJsonText : public QObject {
    Q_OBJECT

private slots:
    void extents_data();
    void extents();
    void agreesWithCursor();
    void borders_data();
    void borders();
    void depthLimit();
};

void TestJsonText::extents_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<char>("end");  // 'c'omplete, 'm'ore, 'b'roken
    QTest::addColumn<int>("length");
    const auto row = [](const char* json, char end, int length) {
        QTest::addRow("%s", json) << QByteArray(json) << end << length;
    };
    row(R"({} rest)", 'c', 2);
    row(R"([1,2],)", 'c', 5);
    row(R"({"a":[{"b":"}]"},{}]},x)", 'c', 21);
    row(R"("a\"b" )", 'c', 6);
    row(R"("a\\" )", 'c', 5);
    row("12,", 'c', 2);
    row("true]", 'c', 4);
    row("12", 'm', 2);
    row(R"({"a":1)", 'm', 6);
    row(R"({"a)", 'm', 3);
    row(R"({"a\)", 'm', 4);
    row("", 'm', 0);
    row("  ", 'm', 2);
    row(R"({"a" 1})", 'b', 5);
    row(R"({"a":1 2})", 'b', 7);
    row(R"({"a":1,})", 'b', 7);
    row(R"([1,])", 'b', 3);
    row(R"([,1])", 'b', 1);
    row(R"({1:2})", 'b', 1);
    row(R"({"a":1])", 'b', 6);
    row(R"({"a":"b"c})", 'b', 8);
    row("x", 'b', 0);
    row("]", 'b', 0);
    row(",", 'b', 0);
}

void TestJsonText::extents() {
    QFETCH(QByteArray, json);
    QFETCH(char, end);
    QFETCH(int, length);
    const ValueExtent extent = valueExtent({json.data(), static_cast<std::size_t>(json.size())});
    QCOMPARE(extent.end == ValueExtent::End::Complete   ? 'c'
             : extent.end == ValueExtent::End::NeedMore ? 'm'
                                                        : 'b',
             end);
    QCOMPARE(extent.length, static_cast<std::size_t>(length));
}

/// Whatever the cursor accepts as an object, the scan sees as complete with the same length: all texts of up to seven
/// bytes out of those that matter.
void TestJsonText::agreesWithCursor() {
    static constexpr std::string_view kAlphabet = "{}[],:\"\\1x ";
    std::size_t accepted = 0;
    JsonTokens tokens;
    for (std::size_t length = 1; length <= 6; ++length) {
        std::size_t combinations = 1;
        for (std::size_t i = 0; i < length; ++i) combinations *= kAlphabet.size();
        for (std::size_t number = 0; number < combinations; ++number) {
            std::string text = "{";
            for (std::size_t i = 0, rest = number; i < length; ++i, rest /= kAlphabet.size())
                text += kAlphabet[rest % kAlphabet.size()];
            if (text.back() == ' ' || !tokens.find(text)) continue;
            const JsonCursor cursor(text, tokens);
            JsonEvent event;
            if (cursor.readEvent(0, event) != cursor.count()) continue;
            ++accepted;
            const ValueExtent extent = valueExtent(text);
            QVERIFY2(extent.end == ValueExtent::End::Complete && extent.length == text.size(), text.c_str());
        }
    }
    QVERIFY(accepted > 20);
}

void TestJsonText::borders_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<int>("border");  // -1: none
    const auto row = [](const char* json, int border) { QTest::addRow("%s", json) << QByteArray(json) << border; };
    row(R"(1},{"a":2})", 3);
    row("1} ,\n\t{ \"a\" : 2}", 6);
    row(R"(x},{\"a\":1},{"b":1)", 13);
    row(R"(1}},{"a":2})", 4);
    row(R"(1}{"a":2})", -1);
    row(R"(1},{})", -1);
    row(R"(1},{"a",2})", -1);
    row(R"(1},{"a")", -1);
    row(R"(1},{"a\":":1})", 3);
    row("", -1);
}

void TestJsonText::borders() {
    QFETCH(QByteArray, json);
    QFETCH(int, border);
    const std::string_view text(json.data(), static_cast<std::size_t>(json.size()));
    const auto found = findEventBorder(text, 0, text.size());
    QCOMPARE(found ? static_cast<int>(*found) : -1, border);
    if (!found) return;
    // Only where its brace lies before the limit, and not before the beginning.
    const std::size_t brace = text.rfind('}', *found);
    QVERIFY(findEventBorder(text, 0, brace + 1).has_value());
    QVERIFY(!findEventBorder(text, 0, brace).has_value());
    QVERIFY(findEventBorder(text, brace, text.size()).has_value());
    QVERIFY(findEventBorder(text, brace + 1, text.size()) != found);
}

void TestJsonText::depthLimit() {
    for (const int depth : {JsonCursor::kMaxDepth, JsonCursor::kMaxDepth + 1}) {
        const std::string text = R"({"a":)" + std::string(static_cast<std::size_t>(depth), '[') +
                                 std::string(static_cast<std::size_t>(depth), ']') + "}";
        JsonTokens tokens;
        QVERIFY(tokens.find(text));
        JsonEvent event;
        const JsonCursor cursor(text, tokens);
        QCOMPARE(cursor.readEvent(0, event) == cursor.count(), depth == JsonCursor::kMaxDepth);
        if (depth == JsonCursor::kMaxDepth) QVERIFY(valueExtent(text).end == ValueExtent::End::Complete);
    }
    QVERIFY(valueExtent(std::string(1000000, '[')).end == ValueExtent::End::Broken);
}

ALTI_TEST(TestJsonText)
#include "tst_json_text.moc"
