#include "tests/core/generate/capture_reading.h"
#include "tests/support/test_main.h"

#include <set>

using namespace altiscope;
using namespace altiscope::test;

/// `--distinct-names` and `--late-metadata`, by what the files say.
class TestNamePool : public QObject {
    Q_OBJECT

private slots:
    void names_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("names");
        QTest::addRow("objects are enough") << QStringList{} << 400;
        QTest::addRow("functions are numbered too") << QStringList{} << 700;
        QTest::addRow("the training loop calls more") << QStringList{} << 20'000;
        QTest::addRow("one rank") << QStringList{u"--ranks"_qs, u"1"_qs} << 600;
        QTest::addRow("two hosts") << QStringList{u"--ranks"_qs, u"16"_qs} << 601;
        QTest::addRow("two stages") << QStringList{u"--ranks"_qs, u"16"_qs, u"--layers"_qs, u"2"_qs} << 900;
        QTest::addRow("two stages call more") << QStringList{u"--ranks"_qs, u"16"_qs, u"--layers"_qs, u"2"_qs} << 6'000;
        QTest::addRow("micro-batches") << QStringList{u"--size"_qs, u"9000000"_qs} << 2'003;
    }

    void names() {
        QFETCH(QStringList, words);
        QFETCH(int, names);
        std::vector<std::string> all{"--steps", "2", "--layers", "1", "--distinct-names", std::to_string(names)};
        for (const QString& word : words) all.push_back(word.toStdString());
        const GeneratedCapture capture(all);
        QVERIFY(capture.summary.ok());
        for (const int rank : {0, static_cast<int>(capture.summary.value().ranks) - 1}) {
            std::set<std::string> found;
            for (const Json& event : fileJson(capture.output(rank) / "trace_view.json")) {
                if (event["ph"] == "X") found.insert(event["name"]);
            }
            QCOMPARE(found.size(), static_cast<std::size_t>(names));
        }
    }

    void fewerThanTheModelHasIsWhatItHas() {
        const GeneratedCapture capture({"--ranks", "1", "--steps", "1", "--layers", "1", "--distinct-names", "1"});
        QVERIFY(capture.summary.ok());
    }

    void lateMetadata() {
        const std::vector<std::string> words{"--steps", "1", "--layers", "1"};
        std::vector<std::string> late = words;
        late.push_back("--late-metadata");
        const GeneratedCapture usual(words);
        const GeneratedCapture changed(late);
        QVERIFY(usual.summary.ok() && changed.summary.ok());
        const Json first = fileJson(usual.output(0) / "trace_view.json");
        const Json second = fileJson(changed.output(0) / "trace_view.json");
        // The same events, those of metadata behind all others.
        std::vector<Json> expected;
        std::copy_if(first.begin(), first.end(), std::back_inserter(expected),
                     [](const Json& event) { return event["ph"] != "M"; });
        std::copy_if(first.begin(), first.end(), std::back_inserter(expected),
                     [](const Json& event) { return event["ph"] == "M"; });
        QVERIFY(second == Json(expected));
        QVERIFY(fileText(usual.output(0) / "kernel_details.csv") == fileText(changed.output(0) / "kernel_details.csv"));
    }
};

ALTI_TEST(TestNamePool)
#include "tst_name_pool.moc"
