#include "core/base/values/parse.h"
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
    void listsOfNumbers() {
        using Numbers = std::vector<std::int64_t>;
        QVERIFY(numbersOf("0,2,4-7") == (Numbers{0, 2, 4, 5, 6, 7}));
        QVERIFY(numbersOf(" ") == Numbers());
        const std::pair<const char*, const char*> again[] = {{"0-3, 8", "0-3, 8"},
                                                             {"8,1 , 0- 1,2,8", "0-2, 8"},
                                                             {"4,5", "4, 5"},
                                                             {"7", "7"},
                                                             {"4294967295", "4294967295"}};
        for (const auto& [text, ranges] : again)
            QCOMPARE(QByteArray::fromStdString(numberRanges(numbersOf(text).value_or(Numbers()))), QByteArray(ranges));
        QCOMPARE(numbersOf("0-1048575").value_or(Numbers()).size(), std::size_t{1} << 20);
        for (const char* text :
             {"a", "3-1", "1,,2", "-1", "0-999999999", "1-2-3", "1,", "0-1048576", "0-1048575,1", "1 2"})
            QVERIFY2(!numbersOf(text), text);
    }
};

ALTI_TEST(TestParse)
#include "tst_parse.moc"
