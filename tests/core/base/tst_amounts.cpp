#include "core/base/text/amount_text.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/percent_text.h"
#include "core/base/values/units.h"

#include "tests/support/test_main.h"

#include <limits>
#include <optional>
#include <string>

using namespace altiscope;

/// Amounts as sentences show them, and as people type them.
class TestAmounts : public QObject {
    Q_OBJECT
private slots:
    void bytes_data() {
        QTest::addColumn<qint64>("amount");
        QTest::addColumn<QString>("memory");
        QTest::addColumn<QString>("transfer");
        QTest::newRow("nothing") << qint64{0} << "0 B"
                                 << "0 B";
        QTest::newRow("whole bytes") << qint64{999} << "999 B"
                                     << "999 B";
        QTest::newRow("a thousand") << qint64{1000} << "1000 B"
                                    << "1.0 kB";
        QTest::newRow("1 KiB") << qint64{1024} << "1.0 KiB"
                               << "1.0 kB";
        QTest::newRow("8 MiB") << qint64{8} * 1048576 << "8.0 MiB"
                               << "8.4 MB";
        QTest::newRow("not 1024.0 MiB") << qint64{1024} * 1048576 - 1 << "1.0 GiB"
                                        << "1.1 GB";
        QTest::newRow("just below") << qint64{1023} * 1048576 << "1023.0 MiB"
                                    << "1.1 GB";
        QTest::newRow("8 GiB, not 8,192.0 MiB") << (qint64{8} << 30) << "8.0 GiB"
                                                << "8.6 GB";
        QTest::newRow("2 TiB") << (qint64{2} << 40) << "2.0 TiB"
                               << "2.2 TB";
        QTest::newRow("negative") << -qint64{3} * 1048576 << "-3.0 MiB"
                                  << "-3.1 MB";
        QTest::newRow("as large as it can be") << std::numeric_limits<qint64>::max() << "8192.0 PiB"
                                               << "9223.4 PB";
    }
    void bytes() {
        QFETCH(const qint64, amount);
        QFETCH(const QString, memory);
        QFETCH(const QString, transfer);
        QCOMPARE(QString::fromStdString(bytesText(amount)), memory);
        QCOMPARE(QString::fromStdString(transferText(amount)), transfer);
    }

    void times_data() {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << qint64{0} << QStringLiteral("0 ns");
        QTest::newRow("whole ns") << qint64{999} << QStringLiteral("999 ns");
        QTest::newRow("1 µs") << qint64{1'000} << QStringLiteral("1.0 µs");
        QTest::newRow("not 1000.0 µs") << qint64{999'960} << QStringLiteral("1.0 ms");
        QTest::newRow("just below") << qint64{999'940} << QStringLiteral("999.9 µs");
        QTest::newRow("12.3 ms") << qint64{12'345'678} << QStringLiteral("12.3 ms");
        QTest::newRow("seconds up to ten minutes") << qint64{599'000'000'000} << QStringLiteral("599.0 s");
        QTest::newRow("minutes") << qint64{750'000'000'000} << QStringLiteral("12.5 min");
        QTest::newRow("hours") << qint64{11'520'000'000'000} << QStringLiteral("3.2 h");
        QTest::newRow("negative") << qint64{-12'345'678} << QStringLiteral("-12.3 ms");
    }
    void times() {
        QFETCH(const qint64, ns);
        QFETCH(const QString, text);
        QCOMPARE(QString::fromStdString(timeText(ns)), text);
    }

    void sharesAndRates() {
        QCOMPARE(shareText(0.25), std::string("25.0 %"));
        QCOMPARE(bandwidthText(18), std::string("18.0 GB/s"));
        QCOMPARE(oneDecimal(std::numeric_limits<double>::max()).size(), std::size_t{311});
    }

    /// What a sentence shows can be typed.
    void unitsThatAreShownAreKnown_data() {
        QTest::addColumn<QString>("text");
        for (const std::int64_t ns :
             {1LL, 2'000LL, 3'000'000LL, 4'000'000'000LL, 900'000'000'000LL, 7'200'000'000'000LL})
            QTest::addRow("%lld ns", static_cast<long long>(ns)) << QString::fromStdString(timeText(ns));
        for (int shift = 0; shift <= 40; shift += 10)
            QTest::addRow("2^%d", shift) << QString::fromStdString(bytesText(std::int64_t{1} << shift));
        for (std::int64_t size = 1; size <= 1'000'000'000'000; size *= 1000)
            QTest::addRow("%lld B", static_cast<long long>(size)) << QString::fromStdString(transferText(size));
    }
    void unitsThatAreShownAreKnown() {
        QFETCH(const QString, text);
        const QString name = text.section(QLatin1Char(' '), 1);
        const auto unit = amountUnit(name.toStdString());
        QVERIFY2(unit, qPrintable(text));
        const bool isTime = unit->kind == AmountUnit::Kind::Time;
        const auto size = static_cast<std::int64_t>(static_cast<double>(unit->size) *
                                                    text.section(QLatin1Char(' '), 0, 0).toDouble());
        QCOMPARE(QString::fromStdString(isTime                            ? timeText(size)
                                        : name.contains(QLatin1Char('i')) ? bytesText(size)
                                                                          : transferText(size)),
                 text);
    }

    /// In Chinese a blank stood before some percent signs and not before others.
    void sharesAreWrittenAsTheLanguageWritesThem_data() {
        QTest::addColumn<QString>("amount");
        QTest::addColumn<QString>("chinese");
        QTest::addRow("share") << QString::fromStdString(shareText(0.62)) << "62.0%";
        QTest::addRow("several") << "+5 %, 1.25 % (-3 %)"
                                 << "+5%, 1.25% (-3%)";
        QTest::addRow("no number") << "a % b"
                                   << "a % b";
        QTest::addRow("a name") << "5 %ws"
                                << "5 %ws";
        QTest::addRow("begin") << " %"
                               << " %";
        QTest::addRow("other unit") << "3.0 ms"
                                    << "3.0 ms";
        QTest::addRow("nothing") << QString() << QString();
    }
    void sharesAreWrittenAsTheLanguageWritesThem() {
        QFETCH(const QString, amount);
        QFETCH(const QString, chinese);
        const std::string text = amount.toStdString();
        QCOMPARE(QString::fromStdString(inLanguage(text, "en")), amount);
        QCOMPARE(QString::fromStdString(inLanguage(text, "zh_CN")), chinese);
        QCOMPARE(QString::fromStdString(inLanguage(chinese.toStdString(), "zh_CN")), chinese);
    }
    void sentencesWriteSharesAsTheirLanguage() {
        const MessageParameters share{{"share", shareText(0.3)}};
        const auto has = [&](const char* language, const char* text) {
            return catalogueText("compare.faster", language, share).find(text) != std::string::npos;
        };
        QVERIFY(has("en", "30.0 %") && !has("en", "30.0%"));
        QVERIFY(has("zh_CN", "30.0%") && !has("zh_CN", "30.0 %"));
    }

    void otherUnitsAreNone() {
        for (const char* name : {"", "S", "mb", "Kib", "B/s", "ns ", "lightyears"}) QVERIFY2(!amountUnit(name), name);
        QCOMPARE(amountUnit("\u00b5s")->size, amountUnit("\u03bcs")->size);
    }
};

ALTI_TEST(TestAmounts)
#include "tst_amounts.moc"
