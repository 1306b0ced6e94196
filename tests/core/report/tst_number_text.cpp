#include "core/report/deliverables/number_text.h"

#include "core/base/threads/parallel.h"
#include "core/report/deliverables/argument_number.h"
#include "core/report/deliverables/deliverable_file.h"
#include "core/report/deliverables/older_events.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace altiscope;

class TestNumberText : public QObject {
    Q_OBJECT
private slots:
    void timesAreMicrosecondsWithThreeDecimals_data() {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        QTest::addRow("nothing") << qint64(0) << "0.000";
        QTest::addRow("less than a microsecond") << qint64(7) << "0.007";
        QTest::addRow("a time of today") << qint64(1767225600000266740) << "1767225600000266.740";
        QTest::addRow("negative") << qint64(-1500) << "-1.500";
    }
    void timesAreMicrosecondsWithThreeDecimals() {
        QFETCH(qint64, ns);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(microsecondsText(ns)), text);
        QCOMPARE(QString::fromStdString(timeCell(ns)), text + u'\t');
    }

    void printedTimesAreGoodToAQuarter() {
        QCOMPARE(printedMicroseconds(1767225600000508920), 1767225600000509.0);
        QCOMPARE(printedMicroseconds(1767225600001743820), 1767225600001743.75);
        QCOMPARE(printedMicroseconds(86600), 86.6);
    }

    void reals_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("rounded");
        QTest::addColumn<QString>("trimmed");
        QTest::addColumn<QString>("exact");
        QTest::addRow("zero") << 0.0 << "0.0"
                              << "0"
                              << "0.0";
        QTest::addRow("whole") << 90.0 << "90.0"
                               << "90"
                               << "90.0";
        QTest::addRow("just below a half") << 3.3594999999999997 << "3.36"
                                           << "3.359"
                                           << "3.3594999999999997";
        QTest::addRow("small") << 0.00002 << "0.0"
                               << "0"
                               << "2e-05";
        QTest::addRow("sum of doubles") << 0.1 + 0.2 << "0.3"
                                        << "0.3"
                                        << "0.30000000000000004";
        QTest::addRow("large") << 1e16 << QString() << "10000000000000000"
                               << "1e+16";
        QTest::addRow("negative nothing") << -0.0001 << "0.0"
                                          << "0"
                                          << "-0.0001";
    }
    void reals() {
        QFETCH(double, value);
        QFETCH(QString, trimmed);
        QFETCH(QString, exact);
        QFETCH(QString, rounded);
        if (!rounded.isEmpty()) QCOMPARE(QString::fromStdString(roundedText(value)), rounded);
        QCOMPARE(QString::fromStdString(trimmedText(value)), trimmed);
        QCOMPARE(QString::fromStdString(exactText(value)), exact);
    }

    void numbersInArguments() {
        const std::string json =
            "{\"name\":\"a \\\"model id\\\":7\",\"model id\":4294967295,\"next\":-3,\"text\":\"5\"}";
        QCOMPARE(numberInArguments(json, "model id"), std::optional<std::int64_t>(4294967295));
        QCOMPARE(numberInArguments(json, "next"), std::optional<std::int64_t>(-3));
        QVERIFY(!numberInArguments(json, "text"));
        QVERIFY(!numberInArguments(json, "model"));
    }

    void spacesStandOutsideOfTexts() {
        const std::string dense = "{\"a\":[1,2],\"b,c\":\"d:\\\"e,f\\\\\",\"g\":{}}",
                          spaced = "{\"a\": [1, 2], \"b,c\": \"d:\\\"e,f\\\\\", \"g\": {}}";
        TextBuffer text;
        addSpacedJson(text, dense);
        QCOMPARE(QString::fromStdString(std::string(text.view())), QString::fromStdString(spaced));
    }

    void samplesOfOlderChipsAreShortestReals_data() {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<qint64>("printed");
        // int(Decimal(repr(float(ns)))) of Python.
        QTest::addRow("1767225600000200192") << qint64(1767225600000200192) << qint64(1767225600000200200);
        QTest::addRow("1767225600000400128") << qint64(1767225600000400128) << qint64(1767225600000400100);
        QTest::addRow("1767225600000600064") << qint64(1767225600000600064) << qint64(1767225600000600000);
        QTest::addRow("1767225600000999936") << qint64(1767225600000999936) << qint64(1767225600001000000);
        QTest::addRow("1767225600001200128") << qint64(1767225600001200128) << qint64(1767225600001200000);
        QTest::addRow("1767225600001800192") << qint64(1767225600001800192) << qint64(1767225600001800200);
        QTest::addRow("1000") << qint64(1000) << qint64(1000);
        QTest::addRow("12345678901234567") << qint64(12345678901234567) << qint64(12345678901234568);
        QTest::addRow("0") << qint64(0) << qint64(0);
        QTest::addRow("9007199254740993") << qint64(9007199254740993) << qint64(9007199254740992);
    }
    void samplesOfOlderChipsAreShortestReals() {
        QFETCH(qint64, ns);
        QFETCH(qint64, printed);
        QCOMPARE(olderSampleTime("HBM", {ns}).value, printed);
        QCOMPARE(olderSampleTime("LLC", {ns}).value, printed);
        QCOMPARE(olderSampleTime("AI Core Freq", {ns}).value, ns);
    }

    void cellsWithCommasAndQuotesAreQuoted_data() {
        QTest::addColumn<bool>("isTorch");
        QTest::addColumn<QByteArray>("content");
        QTest::addRow("msprof") << false << QByteArray("plain,\"a,b\",\"\"\"1,2\"\"\",\"say \"\"x\"\"\"\n");
        QTest::addRow("torch_npu") << true << QByteArray("plain,\"a,b\",\"\"\"1,2\"\"\",\"say \"\"x\"\"\"\r\n");
    }
    void cellsWithCommasAndQuotesAreQuoted() {
        QFETCH(bool, isTorch);
        QFETCH(QByteArray, content);
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("cells.csv")).toStdString();
        const CancelToken cancel;
        DeliverableFile file(path, isTorch ? Dialect::Torch : Dialect::Cann, cancel);
        file.line(std::vector<std::string>{"plain", "a,b", "\"1,2\"", "say \"x\""});
        QVERIFY(file.goesOn());
        QVERIFY(file.keep());
        QFile written(QString::fromStdString(path));
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.readAll(), content);
    }

    void cellsOfNumbersAreTheTextsOfNumbers() {
        const auto cell = [](const std::function<void(CellText&)>& write) {
            TextBuffer text;
            CellText cells(text, Dialect::Cann);
            write(cells);
            return std::string(text.view());
        };
        std::mt19937_64 random(5);
        std::vector<std::int64_t> numbers{0,
                                          -1,
                                          1,
                                          999,
                                          1000,
                                          999'999'999'999,
                                          1'000'000'000'000,
                                          999'999'999'999'999,
                                          1'000'000'000'000'000,
                                          1'767'225'600'000'266'740,
                                          -1500};
        for (int i = 0; i < 3000; ++i) numbers.push_back(static_cast<std::int64_t>(random() >> (random() % 62 + 1)));
        for (const std::int64_t ns : numbers) {
            QCOMPARE(cell([&](CellText& cells) { cells.exactMicroseconds(ns); }), exactText(microseconds(ns)));
            QCOMPARE(cell([&](CellText& cells) { cells.sixDecimals(ns); }), fixedText(microseconds(ns), 6));
            QCOMPARE(cell([&](CellText& cells) { cells.time(ns); }), timeCell(ns));
            for (const double value : {static_cast<double>(ns), static_cast<double>(ns) / 1000,
                                       static_cast<double>(ns) / 7, -static_cast<double>(ns) / 3e5}) {
                QCOMPARE(cell([&](CellText& cells) { cells.rounded(value); }), roundedText(value));
                QCOMPARE(cell([&](CellText& cells) { cells.whole(value); }), fixedText(value, 0));
                QCOMPARE(cell([&](CellText& cells) { cells.exact(value); }), exactText(value));
            }
        }
    }

    void blocksComeInTheirOrder() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("blocks.txt")).toStdString();
        const CancelToken cancel;
        QByteArray expected = "begin ";
        WorkerArena arena(4);
        arena.run([&] {
            DeliverableFile file(path, Dialect::Cann, cancel);
            file.text().add("begin ");
            for (const std::size_t blocks : {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{37}}) {
                const auto textOf = [](std::size_t block) {
                    return std::string(block * 5000, 'a') + std::to_string(block);
                };
                file.eachBlock(
                    blocks, [&](std::size_t block, TextBuffer& text) { text.add(textOf(block)); },
                    [&](std::string_view text) { file.append(text); });
                for (std::size_t block = 0; block < blocks; ++block) expected += textOf(block);
            }
            QVERIFY(file.keep());
        });
        QFile written(QString::fromStdString(path));
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.readAll() == expected);
    }

    void aCancelledFileIsNotThere() {
        const QTemporaryDir folder;
        const CancelToken cancel;
        {
            DeliverableFile file(folder.filePath(QStringLiteral("cells.csv")).toStdString(), Dialect::Cann, cancel);
            file.line(std::vector<std::string>{"a"});
            cancel.requestCancel();
            QVERIFY(!file.goesOn());
            QVERIFY(!file.keep());
        }
        QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("cells.csv"))));
    }
};

ALTI_TEST(TestNumberText)
#include "tst_number_text.moc"
