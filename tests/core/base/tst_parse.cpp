#include "core/base/parse.h"
#include "tests/support/test_main.h"

using namespace altiscope;

class TestParse : public QObject {
    Q_OBJECT

private slots:
    void wholeNumbers() {
        QCOMPARE(wholeNumber("-42"), std::optional<std::int64_t>(-42));
        QCOMPARE(wholeNumber("9223372036854775807"), std::optional<std::int64_t>(INT64_MAX));
        QCOMPARE(wholeNumber<std::uint64_t>("18446744073709551615"), std::optional<std::uint64_t>(UINT64_MAX));
        for (const char* text : {"", "9223372036854775808", "1 ", " 1", "+1", "1.0", "0x1", "-"})
            QVERIFY2(!wholeNumber(text), text);
        QVERIFY(!wholeNumber<std::uint64_t>("-1"));
    }
    void ranges() {
        QVERIFY(timeRangeOf("-5..7") == (TimeRange{{-5}, {7}}));
        for (const char* text :
             {"", "..", "5", "5..", "..7", "5..5", "7..5", "5...7", "5..7 ", "0..9223372036854775807"})
            QVERIFY2(!timeRangeOf(text), text);
    }
};

ALTI_TEST(TestParse)
#include "tst_parse.moc"
