#include "core/base/text/text_buffer.h"

#include "core/base/text/json_escape.h"
#include "core/base/text/text.h"
#include "tests/support/test_main.h"

using namespace altiscope;

namespace {

template <class Add>
std::string written(const Add& add) {
    TextBuffer buffer;
    add(buffer);
    return std::string(buffer.view());
}

}  // namespace

class TestTextBuffer : public QObject {
    Q_OBJECT

private slots:
    void trimmed_data() {
        QTest::addColumn<qint64>("value");
        QTest::addColumn<int>("decimals");
        QTest::addColumn<QByteArray>("expected");
        QTest::addRow("zeros at the end go") << qint64{145'570} << 3 << QByteArray("145.57");
        QTest::addRow("one decimal stays") << qint64{470'000} << 3 << QByteArray("470.0");
        QTest::addRow("zero") << qint64{0} << 8 << QByteArray("0.0");
        QTest::addRow("zeros in front stay") << qint64{20} << 3 << QByteArray("0.02");
        QTest::addRow("eight decimals") << qint64{60'003'125} << 8 << QByteArray("0.60003125");
        QTest::addRow("long") << qint64{7'908'952'021'875} << 8 << QByteArray("79089.52021875");
    }

    void trimmed() {
        QFETCH(qint64, value);
        QFETCH(int, decimals);
        QTEST(QByteArray::fromStdString(
                  written([&](TextBuffer& out) { out.addTrimmed(value, static_cast<unsigned>(decimals)); })),
              "expected");
    }

    void time() {
        QCOMPARE(written([](TextBuffer& out) { out.addTime(TimeNs{1'736'408'883'688'177'930}); }),
                 std::string("1736408883688177.930"));
        QCOMPARE(written([](TextBuffer& out) { out.addTime(TimeNs{1'001}); }), std::string("1.001"));
    }

    void doubles_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QByteArray>("expected");
        QTest::addRow("whole") << 6.0 << QByteArray("6.0");
        QTest::addRow("tail of binary arithmetic") << 502 * 0.01 << QByteArray("5.0200000000000005");
        QTest::addRow("large without exponent") << 1'736'408'883'732'241.5 << QByteArray("1736408883732241.5");
        QTest::addRow("small without exponent") << 0.000004 << QByteArray("0.000004");
    }

    void doubles() {
        QFETCH(double, value);
        QTEST(QByteArray::fromStdString(written([value](TextBuffer& out) { out.addDouble(value); })), "expected");
    }

    void numbers() {
        QCOMPARE(written([](TextBuffer& out) { out.addNumber(std::uint64_t{18'446'744'073'709'551'615ULL}); }),
                 std::string("18446744073709551615"));
        QCOMPARE(written([](TextBuffer& out) { out.addNumber(std::int64_t{-1}); }), std::string("-1"));
        QCOMPARE(written([](TextBuffer& out) { out.addPadded(42, 9); }), std::string("000000042"));
    }

    void bytesThatNeedAnEscapeAreFoundWhereverTheyStand() {
        for (int byte = 0; byte < 256; ++byte) {
            const auto c = static_cast<char>(byte);
            const bool isPlain = byte >= 0x20 && c != '"' && c != '\\';
            for (std::size_t place = 0; place < 20; ++place) {
                std::string text(20, 'x');
                text[place] = c;
                QCOMPARE(plainJsonBytes(text), isPlain ? text.size() : place);
                text += '"';
                QCOMPARE(plainJsonBytes(text), isPlain ? text.size() - 1 : place);
            }
        }
    }

    void aPartOfALiteralIsEscapedAsTheWhole() {
        const std::string text = "a\"b\\c\n\r\t\b\f\x01\x1f\x7f/\xE6\x97\xB6";
        const std::string escaped = written([&](TextBuffer& out) { out.addEscaped(text); });
        QCOMPARE(escaped, std::string("a\\\"b\\\\c\\n\\r\\t\\b\\f\\u0001\\u001f\x7f/\xE6\x97\xB6"));
        QCOMPARE(written([&](TextBuffer& out) { out.addQuoted(text); }), '"' + escaped + '"');
        QCOMPARE(jsonQuoted(text), '"' + escaped + '"');
        QCOMPARE(written([](TextBuffer& out) { out.addQuoted("a\xff"); }), std::string("\"a\xEF\xBF\xBD\""));
    }

    void growsAndClears() {
        TextBuffer buffer;
        std::string expected;
        for (int i = 0; i < 10'000; ++i) {
            buffer.add("0123456789");
            buffer.add('x');
            expected += "0123456789x";
        }
        QCOMPARE(std::string(buffer.view()), expected);
        buffer.clear();
        buffer.add(std::string_view());
        QVERIFY(buffer.view().empty());
    }
};

ALTI_TEST(TestTextBuffer)
#include "tst_text_buffer.moc"
