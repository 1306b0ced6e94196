#include "views/common/support/formatters.h"

#include "tests/support/test_main.h"

using namespace altiscope;
using namespace Qt::StringLiterals;

class TestFormatters : public QObject {
    Q_OBJECT
private slots:
    void duration_data();
    void duration();
    void exactTexts();
    void relativeTime_data();
    void relativeTime();
    void absoluteTime_data();
    void absoluteTime();
    void axisTime_data();
    void axisTime();
    void bytes_data();
    void bytes();
    void rate_data();
    void rate();
    void counts();
    void numbers();
    void unitsStayWithTheirNumbers();
    void countsInSentencesAreGrouped();
    void places();
    void language();
};

void TestFormatters::duration_data() {
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, qint64 ns, const char16_t* text) {
        QTest::newRow(name) << ns << QString::fromUtf16(text);
    };
    row("nothing", 0, u"0 ns");
    row("below a unit: whole", 840, u"840 ns");
    row("three digits", 1'250, u"1.25 µs");
    row("three digits, tens", 18'449'000, u"18.4 ms");
    row("three digits, hundreds", 123'456'789, u"123 ms");
    row("rounding reaches the next unit", 999'600, u"1.00 ms");
    row("rounding stays in the unit", 999'400, u"999 µs");
    row("nines roll over", 9'996'000, u"10.0 ms");
    row("seconds up to ten minutes", 599'000'000'000, u"599 s");
    row("minutes", 750'000'000'000, u"12.5 min");
    row("hours", 11'520'000'000'000, u"3.20 h");
    row("negative", -1'250, u"-1.25 µs");
}

void TestFormatters::duration() {
    QFETCH(qint64, ns);
    QTEST(formatDuration({ns}), "text");
}

void TestFormatters::exactTexts() {
    QCOMPARE(formatExactNs({1'250'000}), QStringLiteral("1,250,000 ns"));
    QCOMPARE(formatExactNs({-1'250'000}), QStringLiteral("-1,250,000 ns"));
    QCOMPARE(formatExactNs({-125}), QStringLiteral("-125 ns"));
    QCOMPARE(formatPlainNs({1'250'000}), QStringLiteral("1250000"));
    QCOMPARE(formatExactBytes(12'345'678), QStringLiteral("12,345,678 B"));
}

void TestFormatters::relativeTime_data() {
    QTest::addColumn<qint64>("time");
    QTest::addColumn<QString>("text");
    QTest::newRow("the origin") << qint64{1'700'000'000'000'000'000} << QStringLiteral("0.000 000 000 s");
    QTest::newRow("every digit") << qint64{1'700'000'001'234'567'890} << QStringLiteral("1.234 567 890 s");
    QTest::newRow("before the origin") << qint64{1'699'999'999'999'999'999} << QStringLiteral("-0.000 000 001 s");
    QTest::newRow("groups of seconds") << qint64{1'701'234'000'000'000'001}
                                       << QStringLiteral("1,234,000.000 000 001 s");
}

void TestFormatters::relativeTime() {
    QFETCH(qint64, time);
    const QString shown = formatRelativeTime({time}, {1'700'000'000'000'000'000}).replace(QChar(0x202f), QChar(u' '));
    QTEST(shown, "text");
}

void TestFormatters::absoluteTime_data() {
    QTest::addColumn<qint64>("time");
    QTest::addColumn<QString>("text");
    // date -u -d @1715690096
    QTest::newRow("a date") << qint64{1'715'690'096'123'456'789} << QStringLiteral("2024-05-14 12:34:56.123456789 UTC");
    QTest::newRow("a clock since boot") << qint64{4'699'801'003'317'410} << QStringLiteral("4,699,801.003 317 410 s");
}

void TestFormatters::absoluteTime() {
    QFETCH(qint64, time);
    const QString shown = formatAbsoluteTime({time}).replace(QChar(0x202f), QChar(u' '));
    QTEST(shown, "text");
}

void TestFormatters::axisTime_data() {
    QTest::addColumn<qint64>("time");
    QTest::addColumn<qint64>("tick");
    QTest::addColumn<qint64>("extent");
    QTest::addColumn<QString>("text");
    QTest::newRow("whole milliseconds") << qint64{50'000'000} << qint64{50'000'000} << qint64{400'000'000}
                                        << QStringLiteral("50 ms");
    QTest::newRow("the start has the unit of the axis")
        << qint64{0} << qint64{50'000'000} << qint64{400'000'000} << QStringLiteral("0 ms");
    QTest::newRow("as many decimals as the tick")
        << qint64{1'250'000} << qint64{50'000} << qint64{9'000'000} << QStringLiteral("1.25 ms");
    QTest::newRow("neighbours differ deep in the trace")
        << qint64{1'234'567'001} << qint64{1} << qint64{1'234'567'100} << QStringLiteral("1.234567001 s");
    QTest::newRow("negative") << qint64{-1'500'000} << qint64{500'000} << qint64{9'000'000}
                              << QStringLiteral("-1.5 ms");
}

void TestFormatters::axisTime() {
    QFETCH(qint64, time);
    QFETCH(qint64, tick);
    QFETCH(qint64, extent);
    QTEST(formatAxisTime({time}, {tick}, {extent}), "text");
}

void TestFormatters::bytes_data() {
    QTest::addColumn<quint64>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("bytes are whole") << quint64{840} << QStringLiteral("840 B");
    QTest::newRow("powers of two") << quint64{1280} << QStringLiteral("1.25 KiB");
    QTest::newRow("large") << (quint64{59} << 30) << QStringLiteral("59.0 GiB");
}

void TestFormatters::bytes() {
    QFETCH(quint64, bytes);
    QTEST(formatBytes(bytes), "text");
}

void TestFormatters::rate_data() {
    QTest::addColumn<double>("rate");
    QTest::addColumn<QString>("text");
    QTest::newRow("powers of ten") << 18.4e9 << QStringLiteral("18.4 GB/s");
    QTest::newRow("nothing") << 0.0 << QStringLiteral("0 B/s");
}

void TestFormatters::rate() {
    QFETCH(double, rate);
    QTEST(formatRate(rate), "text");
}

void TestFormatters::counts() {
    QCOMPARE(formatCount(0), QStringLiteral("0"));
    QCOMPARE(formatCount(999), QStringLiteral("999"));
    QCOMPARE(formatCount(12'345'678), QStringLiteral("12,345,678"));
    QCOMPARE(formatCountShort(840), QStringLiteral("840"));
    QCOMPARE(formatCountShort(12'345), QStringLiteral("12.3 k"));
    QCOMPARE(formatCountShort(12'400'000), QStringLiteral("12.4 M"));
}

void TestFormatters::numbers() {
    QCOMPARE(formatNumber(0.5), QStringLiteral("0.5"));
    QCOMPARE(formatNumber(1234567.4), QStringLiteral("1,234,567"));
    QCOMPARE(formatNumber(-2500), QStringLiteral("-2,500"));
    QCOMPARE(formatNumber(3.14159), QStringLiteral("3.142"));
    QCOMPARE(formatNumber(2.5e18), QStringLiteral("2.5e+18"));
    QCOMPARE(formatPercent(0.41), QStringLiteral("41 %"));
    QCOMPARE(formatPercent(0.004), QStringLiteral("0.4 %"));
    QCOMPARE(formatPercent(0), QStringLiteral("0 %"));
}

void TestFormatters::unitsStayWithTheirNumbers() {
    QCOMPARE(withUnbrokenUnits(u"it is slower (20.2 %): 1.25 µs of 3 GB/s, 7 s."_s),
             u"it is slower (20.2\u00a0%): 1.25\u00a0µs of 3\u00a0GB/s, 7\u00a0s."_s);
    QCOMPARE(withUnbrokenUnits(u"14 MiB (± 6.7 MiB)"_s), u"14\u00a0MiB (±\u00a06.7\u00a0MiB)"_s);
    QCOMPARE(withUnbrokenUnits(u"以 800 MHz 而非 1800 MHz"_s), u"以 800\u00a0MHz 而非 1800\u00a0MHz"_s);
    QCOMPARE(withUnbrokenUnits(u"在 12 ms 内"_s), u"在 12\u00a0ms 内"_s);
    // What only begins like a unit may go on in the next line.
    QCOMPARE(withUnbrokenUnits(u"rank 3 holds 2 steps, 4 hours, a %"_s), u"rank 3 holds 2 steps, 4 hours, a %"_s);
}

/// "4536 kernels" stood above a table that said "1,224".
void TestFormatters::countsInSentencesAreGrouped() {
    QCOMPARE(withCount(u"4536 kernels, %1"_s, 4536), u"4,536 kernels, %1"_s);
    QCOMPARE(withCount(u"1 kernel, %1"_s, 1), u"1 kernel, %1"_s);
    // More than the plural form takes.
    QCOMPARE(withCount(u"共 1000000000 个"_s, 12'345'678'901), u"共 12,345,678,901 个"_s);
}

void TestFormatters::places() {
    QCOMPARE(formatPlace({PlaceUnit::Byte, 499'999'929}), QStringLiteral("byte 499999929"));
    QCOMPARE(formatPlace({PlaceUnit::Row, 3}), QStringLiteral("row 3"));
    QCOMPARE(formatPlace({}), QString());
}

void TestFormatters::language() { QCOMPARE(catalogueLanguage(), std::string_view("en")); }

ALTI_TEST(TestFormatters)
#include "tst_formatters.moc"
