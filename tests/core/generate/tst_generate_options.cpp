#include "core/base/text/catalogue.h"
#include "core/generate/options/generate_options.h"
#include "core/generate/options/plant_options.h"
#include "tests/support/test_main.h"

#include <QStringList>

using namespace altiscope;
using namespace altiscope::generate;

namespace {

Result<GenerateOptions> parsed(const QString& line) {
    std::vector<std::string> words;
    for (const QString& word : line.split(u' ', Qt::SkipEmptyParts)) words.push_back(word.toStdString());
    return parseGenerateOptions(words);
}

}  // namespace

class TestGenerateOptions : public QObject {
    Q_OBJECT

private slots:
    void defaults() {
        const auto options = parsed(u"out"_qs);
        QVERIFY(options.ok());
        QCOMPARE(options.value().output.string(), std::string("out"));
        QCOMPARE(options.value().ranks, 2U);
        QVERIFY(!options.value().steps && !options.value().layers && !options.value().size);
        QCOMPARE(options.value().seed, std::uint64_t{1});
        QVERIFY(options.value().words.empty());
    }

    void values_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<qulonglong>("ranks");
        QTest::addColumn<qulonglong>("steps");
        QTest::addColumn<qulonglong>("layers");
        QTest::addColumn<qulonglong>("size");
        QTest::addColumn<qulonglong>("seed");
        const auto row = [](const char* name, const char* line, qulonglong ranks, qulonglong steps, qulonglong layers,
                            qulonglong size, qulonglong seed) {
            QTest::newRow(name) << QString::fromLatin1(line) << ranks << steps << layers << size << seed;
        };
        row("value is the next word", "--ranks 4 --steps 3 --layers 5 --size 9 --seed 7 out", 4, 3, 5, 9, 7);
        row("value behind =", "--ranks=4 out --steps=3 --layers=5 --size=9 --seed=7", 4, 3, 5, 9, 7);
        row("the last one counts", "out --ranks 4 --ranks 5", 5, 0, 0, 0, 1);
        row("format text", "--format text out --format=text", 2, 0, 0, 0, 1);
        row("size in k", "out --size 3k", 2, 0, 0, 3'000, 1);
        row("size in M", "out --size 3M", 2, 0, 0, 3'000'000, 1);
        row("size in G", "out --size 3G", 2, 0, 0, 3'000'000'000, 1);
        row("largest seed", "out --seed 18446744073709551615", 2, 0, 0, 0, 18'446'744'073'709'551'615ULL);
        row("largest numbers", "out --ranks 4096 --steps 10000000 --layers 256", 4096, 10'000'000, 256, 0, 1);
        row("no option behind --", "--ranks 3 -- --ranks", 3, 0, 0, 0, 1);
    }

    void values() {
        QFETCH(QString, line);
        const auto options = parsed(line);
        QVERIFY(options.ok());
        QTEST(static_cast<qulonglong>(options.value().ranks), "ranks");
        QTEST(static_cast<qulonglong>(options.value().steps.value_or(0)), "steps");
        QTEST(static_cast<qulonglong>(options.value().layers.value_or(0)), "layers");
        QTEST(static_cast<qulonglong>(options.value().size.value_or(0)), "size");
        QTEST(static_cast<qulonglong>(options.value().seed), "seed");
    }

    void models() {
        QVERIFY(parsed(u"out"_qs).value().conditions.model == ModelKind::Transformer);
        QVERIFY(parsed(u"out --model transformer"_qs).value().conditions.model == ModelKind::Transformer);
        QVERIFY(parsed(u"out --model=resnet"_qs).value().conditions.model == ModelKind::Resnet);
        // Ranks of a transformer that are not linked are neighbours here.
        QVERIFY(parsed(u"out --ranks 4 --plant slow-link=0-3"_qs).failed());
        QVERIFY(parsed(u"out --ranks 4 --plant slow-link=0-3 --model resnet"_qs).ok());
    }

    void plants_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("rank");
        QTest::addColumn<qulonglong>("amount");
        const auto row = [](const char* words, FaultKind kind, int rank, qulonglong amount) {
            QTest::addRow("%s", words) << QString::fromLatin1(words) << static_cast<int>(kind) << rank << amount;
        };
        row("slow-rank=3", FaultKind::SlowRank, 3, 20);
        row("slow-rank=3:45", FaultKind::SlowRank, 3, 45);
        row("slow-link=2-3", FaultKind::SlowLink, 2, 4);
        row("slow-link=2-3:8", FaultKind::SlowLink, 2, 8);
        row("slow-link=3-2:8", FaultKind::SlowLink, 2, 8);
        row("leak=4096", FaultKind::Leak, 0, 4096);
        row("leak=64M", FaultKind::Leak, 0, 64'000'000);
        row("host-bound", FaultKind::HostBound, 0, 1'000);
        row("host-bound=70", FaultKind::HostBound, 0, 70);
        row("ai-cpu=NonZero", FaultKind::AiCpu, 0, 0);
        row("small-packets", FaultKind::SmallPackets, 0, 0);
        row("frequency-drop=30", FaultKind::FrequencyDrop, 0, 30);
        row("gc-pause=12", FaultKind::GcPause, 0, 12);
        row("no-overlap", FaultKind::NoOverlap, 0, 0);
        row("fail-slow=3:7-9:clock", FaultKind::FailSlow, 3, 30);
        row("fail-slow=2:5-:link", FaultKind::FailSlow, 2, 4);
        row("fail-slow=1:6-6:neighbour:45", FaultKind::FailSlow, 1, 45);
        row("fail-slow=0:8-20:host:700", FaultKind::FailSlow, 0, 700);
    }

    void plants() {
        QFETCH(QString, words);
        const auto options = parsed(u"out --ranks 4 --steps 20 --plant "_qs + words);
        QVERIFY(options.ok());
        QCOMPARE(options.value().conditions.plants.size(), std::size_t{1});
        const Plant& plant = options.value().conditions.plants.front();
        QTEST(static_cast<int>(plant.kind), "kind");
        QTEST(static_cast<int>(plant.rank), "rank");
        QTEST(static_cast<qulonglong>(plant.amount), "amount");
        QVERIFY(words.startsWith(QString::fromStdString(std::string(faultName(plant.kind)))));
    }

    void wrongPlants_data() {
        QTest::addColumn<QString>("line");
        for (const char* plant : {"unknown",
                                  "slow-rank",
                                  "slow-rank=",
                                  "slow-rank=x",
                                  "slow-rank=4",
                                  "slow-rank=1:",
                                  "slow-rank=1:0",
                                  "slow-rank=1:1001",
                                  "slow-link=1",
                                  "slow-link=1-1",
                                  "slow-link=0-9",
                                  "slow-link=0-3",
                                  "slow-link=0-1:1",
                                  "slow-link=0-1:101",
                                  "leak",
                                  "leak=0",
                                  "leak=2T",
                                  "host-bound=",
                                  "host-bound=0",
                                  "ai-cpu",
                                  "ai-cpu=",
                                  "ai-cpu=a\"b",
                                  "small-packets=1",
                                  "frequency-drop",
                                  "frequency-drop=91",
                                  "gc-pause=0",
                                  "no-overlap=yes",
                                  "fail-slow",
                                  "fail-slow=",
                                  "fail-slow=1",
                                  "fail-slow=1:7-9",
                                  "fail-slow=1:7:clock",
                                  "fail-slow=1:9-7:clock",
                                  "fail-slow=1:4-7:clock",
                                  "fail-slow=1:7-9:weather",
                                  "fail-slow=4:7-9:clock",
                                  "fail-slow=1:7-9:clock:91",
                                  "fail-slow=1:7-9:link:1",
                                  "fail-slow=1:7-9:host:10001",
                                  "fail-slow=1:7-9:clock:20:30",
                                  "fail-slow=1:-9:clock",
                                  "fail-slow=1:500-:clock --steps 20",
                                  "fail-slow=1:25-:clock --steps 20",
                                  "fail-slow=1:7-:clock",
                                  "fail-slow=1:7-9:clock:",
                                  "fail-slow=1:7-9:clock --plant fail-slow=1:9-12:clock:50",
                                  "leak=1 --plant leak=2",
                                  "slow-link=0-1 --plant slow-link=1-0",
                                  "host-bound=10001",
                                  "leak=10000000001"}) {
            QTest::addRow("%s", plant) << u"out --ranks 4 --plant "_qs + QString::fromLatin1(plant);
        }
        QTest::addRow("one rank alone") << u"out --ranks 1 --plant no-overlap"_qs;
    }

    void wrongPlants() {
        QFETCH(QString, line);
        const auto options = parsed(line);
        QVERIFY(options.failed());
        QCOMPARE(options.error().code, std::string("generate.bad_plant"));
        QVERIFY(isWrongUsage(options.error()));
        QVERIFY(errorText(options.error(), "en").find('{') == std::string::npos);
    }

    void specialRuns() {
        const auto clocks = parsed(u"out --clock-offset-us 500 --clock-drift-ppm=20 --uneven-warmup"_qs);
        QVERIFY(clocks.ok());
        QCOMPARE(clocks.value().conditions.clockOffsetUs, std::uint64_t{500});
        QCOMPARE(clocks.value().conditions.clockDriftPpm, std::uint64_t{20});
        QVERIFY(clocks.value().conditions.unevenWarmup && !clocks.value().lateMetadata);
        const auto options = parsed(u"--late-metadata out --distinct-names 20000"_qs);
        QVERIFY(options.ok());
        QVERIFY(options.value().lateMetadata);
        QCOMPARE(options.value().conditions.distinctNames, std::optional<std::uint32_t>(20'000));
        QVERIFY(!parsed(u"out"_qs).value().lateMetadata);
        QVERIFY(!parsed(u"out"_qs).value().conditions.distinctNames);
    }

    void formats_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("formats");
        QTest::addRow("none is text") << "out"
                                      << "text";
        QTest::addRow("one") << "out --format db"
                             << "db";
        QTest::addRow("several are twins") << "--format db out --format=text"
                                           << "text db";
        QTest::addRow("twice is once") << "--format db out --format db"
                                       << "db";
    }

    void formats() {
        QFETCH(QString, line);
        const auto options = parsed(line);
        QVERIFY(options.ok());
        QStringList wanted;
        for (const auto& [format, name] :
             {std::pair(CaptureFormat::Text, "text"), std::pair(CaptureFormat::Db, "db"),
              std::pair(CaptureFormat::Cluster, "cluster"), std::pair(CaptureFormat::MindSpore, "mindspore")}) {
            if (wants(options.value(), format)) wanted << QString::fromLatin1(name);
        }
        QTEST(wanted.join(u' '), "formats");
    }

    void wordsLeaveOutTheFolder() {
        const auto options = parsed(u"--ranks 4 some/where --late-metadata --seed=7"_qs);
        QVERIFY(options.ok());
        QCOMPARE(options.value().words, (std::vector<std::string>{"--ranks", "4", "--late-metadata", "--seed=7"}));
    }

    void errors_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("code");
        QTest::addRow("nothing") << ""
                                 << "generate.no_output";
        QTest::addRow("no folder") << "--ranks 2"
                                   << "generate.no_output";
        QTest::addRow("two folders") << "a b"
                                     << "generate.two_outputs";
        QTest::addRow("unknown option") << "out --rank 2"
                                        << "generate.unknown_option";
        QTest::addRow("value missing") << "out --ranks"
                                       << "generate.no_value";
        QTest::addRow("no number") << "out --ranks two"
                                   << "generate.bad_value";
        QTest::addRow("zero") << "out --steps 0"
                              << "generate.bad_value";
        QTest::addRow("negative") << "out --steps -1"
                                  << "generate.bad_value";
        QTest::addRow("too many ranks") << "out --ranks 4097"
                                        << "generate.bad_value";
        QTest::addRow("too many steps") << "out --steps 10000001"
                                        << "generate.bad_value";
        QTest::addRow("too many layers") << "out --layers 257"
                                         << "generate.bad_value";
        QTest::addRow("seed over 64 bits") << "out --seed 18446744073709551616"
                                           << "generate.bad_value";
        QTest::addRow("size with a foreign suffix") << "out --size 3x"
                                                    << "generate.bad_value";
        QTest::addRow("size overflows") << "out --size 99999999999999999999T"
                                        << "generate.bad_value";
        QTest::addRow("unknown format") << "out --format xml"
                                        << "generate.bad_value";
        QTest::addRow("unknown model") << "out --model alexnet"
                                       << "generate.bad_value";
        QTest::addRow("offset is no number") << "out --clock-offset-us -5"
                                             << "generate.bad_value";
        QTest::addRow("drift is too much") << "out --clock-drift-ppm 1001"
                                           << "generate.bad_value";
        QTest::addRow("no name at all") << "out --distinct-names 0"
                                        << "generate.bad_value";
        QTest::addRow("more names than memory takes") << "out --distinct-names 1000001"
                                                      << "generate.bad_value";
        QTest::addRow("a flag with a value") << "out --late-metadata=yes"
                                             << "generate.value_unexpected";
    }

    void errors() {
        QFETCH(QString, line);
        const auto options = parsed(line);
        QVERIFY(options.failed());
        QTEST(QString::fromStdString(options.error().code), "code");
        QVERIFY(isWrongUsage(options.error()));
        for (const char* language : {"en", "zh_CN"}) {
            const std::string sentence = errorText(options.error(), language);
            QVERIFY2(sentence.find('{') == std::string::npos, sentence.c_str());
            QVERIFY(sentence != options.error().code);
        }
    }

    void otherErrorsAreNoWrongUsage() {
        QVERIFY(!isWrongUsage(Error{.code = "generate.write_failed", .file = {}, .place = {}, .parameters = {}}));
    }
};

ALTI_TEST(TestGenerateOptions)
#include "tst_generate_options.moc"
