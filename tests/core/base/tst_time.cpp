#include "core/base/values/time.h"
#include "tests/support/test_main.h"

using namespace altiscope;

class TestTime : public QObject {
    Q_OBJECT
private slots:
    void microsecondsToNs_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("expected");
        const auto row = [](const char* text, qint64 ns) { QTest::addRow("%s", text) << QByteArray(text) << ns; };
        row("1736408883688177.930", 1736408883688177930);
        row("1736408883973810", 1736408883973810000);
        row("0", 0);
        row("0.001", 1);
        row("25.2205", 25221);  // exact half goes up
        row("25.2204999999", 25220);
        row("828.33653125", 828337);
        row("0.60003125", 600);
        row("11134.8825", 11134883);
        row("6042138.9999985695", 6042139000);
        row("-0.0005", 0);  // halves go up, towards positive
        row("-0.0015", -1);
        row("-0.00151", -2);
        row("-12.5", -12500);
        row("1e3", 1000000);
        row("1.5E-3", 2);
        row("1.7364088836881779e15", 1736408883688177900);
        row(" 12 ", 12000);
        row(".5", 500);
        row("5.", 5000);
        row("2305843009213693.952", 2305843009213693952);  // 2^61, in the year 2043
        row("4611686018427387.903", 4611686018427387903);  // 2^62 - 1
        row("0000000000000000000012.5", 12500);
        row("0e999999999999", 0);
        row("1e-999999999999", 0);
    }
    void microsecondsToNs() {
        QFETCH(QByteArray, text);
        QFETCH(qint64, expected);
        const auto ns = parseMicrosecondsAsNs(text.toStdString());
        QVERIFY(ns.has_value());
        QCOMPARE(*ns, std::int64_t{expected});
    }

    void notATime_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {"", " ", "-", ".", "abc", "12a", "1.2.3", "1e", "--1", "0x10", "nan", "inf", "4611686018427387.904",
              "4611686018427387.9035", "-4611686018427387.904", "99999999999999999999", "1e300", "-1e300"}) {
            QTest::addRow("'%s'", text) << QByteArray(text);
        }
    }
    void notATime() {
        QFETCH(QByteArray, text);
        QVERIFY(!parseMicrosecondsAsNs(text.toStdString()).has_value());
    }
};

ALTI_TEST(TestTime)
#include "tst_time.moc"
