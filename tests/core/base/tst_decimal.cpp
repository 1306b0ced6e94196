#include "core/base/values/decimal.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

using namespace altiscope;

class TestDecimal : public QObject {
    Q_OBJECT
private slots:
    void scaled_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("factor");
        QTest::addColumn<bool>("valid");
        QTest::addColumn<qint64>("expected");
        const auto row = [](const char* what, const char* text, qint64 factor, qint64 expected) {
            QTest::newRow(what) << QByteArray(text) << factor << true << expected;
        };
        const auto bad = [](const char* what, const char* text, qint64 factor) {
            QTest::newRow(what) << QByteArray(text) << factor << false << qint64(0);
        };
        row("MB", "935.9951171875", 1 << 20, 981462016);
        row("KB", "10.5", 1024, 10752);
        row("half goes up", "0.5", 1, 1);
        row("half below zero goes up", "-0.5", 1, 0);
        row("more than half below zero", "-0.51", 1, -1);
        row("just below half", "0.4999999", 1, 0);
        row("exponent", "4e-06", 1000000, 4);
        row("large exponent", "1.69512E+15", 1000, 1695120000000000000);
        row("digits beyond the 18th", "0.1234567890123456789999", 1000, 123);
        row("zeros in front", "000000000000000000000000012", 1, 12);
        row("tiny", "1e-99999999999", 1000, 0);
        row("point without digits in front", ".5", 10, 5);
        row("point without digits behind", "5.", 10, 50);
        row("the limit", "4611686018427387904", 1, 4611686018427387904);
        bad("beyond the limit", "4611686018427387905e1", 1);
        bad("huge", "1e300", 1);
        bad("empty", "", 1);
        bad("sign alone", "-", 1);
        bad("text", "abc", 1);
        bad("nan", "nan", 1);
        bad("two points", "1.2.3", 1);
        bad("exponent without digits", "1e", 1);
        bad("blank", "1 ", 1);
    }
    void scaled() {
        QFETCH(QByteArray, text);
        QFETCH(qint64, factor);
        QFETCH(bool, valid);
        QFETCH(qint64, expected);
        const auto value = parseScaled({text.data(), static_cast<std::size_t>(text.size())}, factor);
        QCOMPARE(value.has_value(), valid);
        if (valid) QCOMPARE(*value, static_cast<std::int64_t>(expected));
    }

    /// By digits, with an integer that holds all of them.
    void scaledAsOnPaper() {
        __extension__ using Wide = __int128;
        std::mt19937_64 random(4);
        for (int i = 0; i < 20000; ++i) {
            std::string digits = std::to_string(random() >> (1 + random() % 60));
            const std::size_t fraction = random() % 10;
            if (digits.size() <= fraction) digits.insert(0, fraction + 1 - digits.size(), '0');
            std::string text = digits;
            if (fraction > 0) text.insert(text.size() - fraction, ".");
            Wide all = 0, power = 1;
            for (const char digit : digits) all = all * 10 + (digit - '0');
            for (std::size_t k = 0; k < fraction; ++k) power *= 10;
            for (const std::int64_t factor : {1LL, 1000LL, 1000000LL, 1024LL, 1048576LL}) {
                const Wide wanted = (all * factor * 2 + power) / (2 * power);
                const auto value = parseScaled(text, factor);
                QCOMPARE(value.has_value(), wanted <= Wide{1} << 62);
                if (value) QCOMPARE(*value, static_cast<std::int64_t>(wanted));
            }
        }
    }

    void plainNumbersEndWhereTheyEnd() {
        const auto found = [](std::string_view text) {
            const PlainDecimal number = plainDecimal(text.data(), text.data() + text.size());
            return number.end == nullptr ? std::string("none") : std::string(text.data(), number.end);
        };
        QCOMPARE(found("1.50,"), std::string("1.50"));
        QCOMPARE(found("17\t"), std::string("17"));
        QCOMPARE(found("1.2.3"), std::string("1.2"));
        for (const char* text : {"", "-1", "+1", ".5", "5.", "x", "12345678901234567890", "1.2345678901234567890"})
            QCOMPARE(found(text), std::string("none"));
    }

    /// Whatever follows: eight characters are looked at together.
    void plainNumbersAsOneCharacterAfterTheOther() {
        static constexpr std::string_view kAlphabet = "0123456789012345678901234567890123456789..,:/\n\t\x80\xfe";
        std::mt19937_64 random(5);
        for (int i = 0; i < 200'000; ++i) {
            std::string text(random() % 24, ' ');
            for (char& c : text) c = kAlphabet[random() % kAlphabet.size()];
            const std::size_t whole = std::min(text.find_first_not_of("0123456789"), text.size());
            std::size_t end = whole;
            if (end < text.size() && text[end] == '.')
                end = std::min(text.find_first_not_of("0123456789", end + 1), text.size());
            const std::size_t digits = end > whole ? end - 1 : end;
            const bool isNumber = whole > 0 && end != whole + 1 && digits <= 19;
            const PlainDecimal number = plainDecimal(text.data(), text.data() + text.size());
            QCOMPARE(number.end != nullptr, isNumber);
            if (!isNumber) continue;
            QCOMPARE(static_cast<std::size_t>(number.end - text.data()), end);
            QCOMPARE(static_cast<std::size_t>(number.fraction), digits - whole);
            std::string all = text.substr(0, end);
            if (end > whole) all.erase(whole, 1);
            QCOMPARE(number.digits, std::stoull(all));
        }
    }

    void realAsTheCLibrary() {
        std::mt19937_64 random(3);
        for (int i = 0; i < 20000; ++i) {
            std::string text = std::to_string(random() >> (random() % 60));
            if (random() % 2) text += "." + std::to_string(random() >> (random() % 64));
            const int own = static_cast<int>(random() % 20) - 10;
            if (random() % 3 == 0) text += "e" + std::to_string(own);
            QCOMPARE(parseReal(text), std::optional(std::strtod(text.c_str(), nullptr)));
            const auto e = text.find('e');
            const std::string shifted =
                text.substr(0, e) + "e" + std::to_string((e == std::string::npos ? 0 : own) + 3);
            QCOMPARE(parseReal(text, 3), std::optional(std::strtod(shifted.c_str(), nullptr)));
        }
    }

    void realWords() {
        QCOMPARE(parseReal("-1.5"), std::optional(-1.5));
        QCOMPARE(parseReal("+0.1"), std::optional(0.1));
        QCOMPARE(parseReal("1e-400"), std::optional(0.0));
        for (const char* text : {"", "nan", "inf", "-inf", "1e400", "0x10", "1,5", "1 ", "--1"})
            QVERIFY(!parseReal(text));
    }
};

ALTI_TEST(TestDecimal)
#include "tst_decimal.moc"
