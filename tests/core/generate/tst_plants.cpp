#include "core/generate/records/run_schedule.h"
#include "tests/core/generate/capture_reading.h"
#include "tests/support/effort.h"
#include "tests/support/python_script.h"
#include "tests/support/test_main.h"

#include <numeric>
#include <set>

using namespace altiscope;
using namespace altiscope::generate;
using namespace altiscope::test;

/// Planted faults change the run as their causes would; truth.json says what they cost.
class TestPlants : public QObject {
    Q_OBJECT

    static std::unique_ptr<GeneratedCapture> made(std::vector<std::string> words, const char* plant) {
        if (plant != nullptr) words.insert(words.end(), {"--plant", plant});
        return std::make_unique<GeneratedCapture>(words);
    }
    /// Sum of a column of step_trace_time.csv, in ns.
    static std::int64_t stepSum(const GeneratedCapture& capture, int rank, const char* column) {
        std::int64_t sum = 0;
        for (const auto& row : readCsv(capture.output(rank) / "step_trace_time.csv").rows) sum += nsOf(row.at(column));
        return sum;
    }
    static std::int64_t plantedSum(const GeneratedCapture& capture, int rank) {
        std::int64_t sum = 0;
        const Json truth = fileJson(capture.path() / "truth.json");
        for (const Json& plant : truth["plants"]) sum += plant["rank"] == rank ? plant["ns"].get<std::int64_t>() : 0;
        return sum;
    }
    static bool isNear(std::int64_t a, std::int64_t b) { return std::abs(a - b) * 100 < b; }
    /// Lengths of steps from last begin to last begin of all ranks, whose clocks are one.
    static std::vector<std::int64_t> jobSteps(const GeneratedCapture& capture) {
        std::vector<std::int64_t> borders;
        const Json truth = fileJson(capture.path() / "truth.json");
        for (const Json& rank : truth["ranks"]) {
            const std::size_t steps = rank["steps"].size();
            borders.resize(steps + 1);
            for (std::size_t i = 0; i <= steps; ++i) {
                const Json& step = rank["steps"][std::min(i, steps - 1)];
                borders[i] = std::max(borders[i], step[i < steps ? "start_ts" : "end_ts"].get<std::int64_t>());
            }
        }
        std::adjacent_difference(borders.begin(), borders.end(), borders.begin());
        return {borders.begin() + 1, borders.end()};
    }
    /// Durations of the kernels of a rank, sorted, without those of a type: a pause moves kernels past each other.
    static std::vector<std::string> kernelTimes(const GeneratedCapture& capture, const std::string& without) {
        std::vector<std::string> times;
        for (const auto& row : readCsv(capture.output(0) / "kernel_details.csv").rows) {
            const bool moves = row.at("Type").starts_with("hcom_") || row.at("Accelerator Core") == "HCCL";
            if (row.at("Type") != without && !moves) times.push_back(row.at("Duration(us)"));
        }
        std::sort(times.begin(), times.end());
        return times;
    }
    static double largest(const GeneratedCapture& capture, const char* column) {
        double most = 0;
        for (const auto& row : readCsv(capture.output(0) / "memory_record.csv").rows) {
            if (row.at("Component") == "PTA") most = std::max(most, std::stod(row.at(column)));
        }
        return most;
    }

private slots:
    void truthAgainstAnotherCount() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        constexpr int kSeeds = 2;
#else
        constexpr int kSeeds = 20;
#endif
        const char* const plants[] = {
            nullptr,          "slow-rank=1:35", "slow-link=0-1:3",   "leak=3M",    "host-bound=90", "ai-cpu=Swish",
            "ai-cpu=NonZero", "small-packets",  "frequency-drop=40", "gc-pause=3", "no-overlap"};
        constexpr int kPlants = sizeof plants / sizeof plants[0];
        std::vector<std::unique_ptr<GeneratedCapture>> captures;
        std::vector<std::filesystem::path> folders;
        for (int seed = 1; seed <= std::max(repetitions(kSeeds), kPlants); ++seed) {
            std::vector<std::string> words{
                "--seed",  std::to_string(seed),  "--layers", "1",    "--steps",  seed % 3 == 0 ? "2" : "1",
                "--ranks", seed == 2 ? "4" : "2", "--format", "text", "--format", "db"};
            if (seed % 4 == 1) words.insert(words.end(), {"--clock-offset-us", "300", "--clock-drift-ppm", "50"});
            captures.push_back(made(words, plants[seed % kPlants]));
            QVERIFY(captures.back()->summary.ok());
            folders.push_back(captures.back()->path());
        }
        // Two pipeline stages with experts; in the largest there are several ranks with the same experts.
        const std::pair<const char*, const char*> pipelines[] = {
            {"16", "slow-rank=3"}, {"16", "slow-link=1-9:6"}, {"16", "small-packets"}, {"24", "no-overlap"}};
        for (const auto& [ranks, plant] : pipelines) {
            captures.push_back(
                made({"--ranks", ranks, "--steps", "1", "--layers", "2", "--format", "text", "--format", "db"}, plant));
            QVERIFY(captures.back()->summary.ok());
            folders.push_back(captures.back()->path());
        }
        // Ranks on two hosts, databases alone, words with "=", and two links of one group of which the slower one
        // counts.
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"--ranks=12", "--layers=1", "--plant=slow-rank=9", "--plant=slow-rank=2:40"},
              {"--model=resnet", "--ranks=4", "--layers=4", "--format=text", "--format=db", "--plant=slow-link=0-3"},
              {"--ranks=2", "--layers=1", "--format=db", "--plant=gc-pause=2", "--plant=slow-rank=0"},
              {"--ranks=3", "--layers=1", "--plant=slow-link=1-0:3", "--plant=slow-link=1-2:5"}}) {
            captures.push_back(made(words, nullptr));
            QVERIFY(captures.back()->summary.ok());
            folders.push_back(captures.back()->path());
        }
        QVERIFY(runScript("check_truth.py", folders).has_value());
    }

    void costsDoNotDependOnTheOrderOfPlants() {
        std::vector<std::string> plants{"slow-rank=1:50", "frequency-drop=30", "ai-cpu=Swish"};
        std::vector<std::map<std::string, std::int64_t>> costs;
        std::string kernels;
        for (int turn = 0; turn < 3; ++turn) {
            std::vector<std::string> words{"--ranks", "2", "--steps", "1", "--layers", "1"};
            for (const std::string& plant : plants) words.insert(words.end(), {"--plant", plant});
            const GeneratedCapture capture(words);
            QVERIFY(capture.summary.ok());
            const std::string text = fileText(capture.output(1) / "kernel_details.csv");
            if (turn > 0) QVERIFY(text == kernels);
            kernels = text;
            auto& sums = costs.emplace_back();
            const Json truth = fileJson(capture.path() / "truth.json");
            for (const Json& plant : truth["plants"]) sums[plant["fault"]] += plant["ns"].get<std::int64_t>();
            std::rotate(plants.begin(), plants.begin() + 1, plants.end());
        }
        QVERIFY(costs[0].size() == 3 && costs[0] == costs[1] && costs[0] == costs[2]);
    }

    void ofTwoSlowLinksInOneGroupTheSlowerOneCosts() {
        const GeneratedCapture capture(
            {"--ranks=3", "--layers=1", "--steps=1", "--plant=slow-link=0-1:3", "--plant=slow-link=1-2:5"});
        QVERIFY(capture.summary.ok());
        std::vector<int> ranks;
        const Json truth = fileJson(capture.path() / "truth.json");
        for (const Json& plant : truth["plants"]) ranks.push_back(plant["rank"]);
        QCOMPARE(ranks, (std::vector<int>{1, 2}));
    }

    void smallPacketsBetweenHostsDoNotCountAsLarge() {
        RunConditions conditions;
        conditions.plants = {Plant{FaultKind::SmallPackets, 0, 0, 0, {}}};
        const RunPlan plan = planRun({16, 1, 1, 1}, 1, conditions);
        // Packets of RDMA above 500 kB are large ones.
        for (const std::uint64_t bytes : {std::uint64_t{1} << 20U, std::uint64_t{1} << 26U, std::uint64_t{1} << 27U})
            QVERIFY(bytes / packetsOf(plan, bytes) <= 500'000);
    }

    void slowRankIsWaitedFor() {
        const std::vector<std::string> words{"--ranks", "2", "--steps", "1", "--layers", "1"};
        const auto plain = made(words, nullptr);
        const auto slow = made(words, "slow-rank=1:50");
        const std::int64_t more = plantedSum(*slow, 1);
        QCOMPARE(plantedSum(*slow, 0), std::int64_t{0});
        // Kernels of one rank hardly run side by side, so its computing grows by what was planted.
        const std::int64_t grown = stepSum(*slow, 1, "Computing") - stepSum(*plain, 1, "Computing");
        QVERIFY(more > 0 && std::abs(grown - more) < more / 20);
        QVERIFY(stepSum(*slow, 0, "Communication(Not Overlapped)") >
                stepSum(*plain, 0, "Communication(Not Overlapped)") + more / 2);
        QVERIFY(isNear(stepSum(*slow, 0, "Computing"), stepSum(*plain, 0, "Computing")));
    }

    /// A slow stage keeps the other one waiting for what it sends.
    void slowRankIsWaitedForByTheOtherStage() {
        const std::vector<std::string> words{"--ranks", "16", "--steps", "1", "--layers", "2"};
        const auto plain = made(words, nullptr);
        const auto slow = made(words, "slow-rank=2:60");
        // Rank 10 receives from rank 2, what it made of the data it sends back at the same pace as before.
        const std::int64_t more = stepSum(*slow, 10, "Bubble") - stepSum(*plain, 10, "Bubble");
        QVERIFY(more > plantedSum(*slow, 2) / 5);
        QVERIFY(std::abs(stepSum(*slow, 2, "Bubble") - stepSum(*plain, 2, "Bubble")) < more / 4);
        QVERIFY(isNear(stepSum(*slow, 10, "Computing"), stepSum(*plain, 10, "Computing")));
    }

    void slowLinkBetweenStages() {
        const auto capture = made({"--ranks", "16", "--steps", "1", "--layers", "2"}, "slow-link=1-9:6");
        QVERIFY(capture->summary.ok());
        std::map<std::pair<int, int>, double> speeds;
        const Json truth = fileJson(capture->path() / "truth.json");
        for (const Json& link : truth["links"])
            speeds[{link["src"], link["dst"]}] = link["size"].get<double>() / link["transit"].get<double>();
        for (const auto& [from, to] : {std::pair(1, 9), std::pair(9, 1)})
            QVERIFY(speeds.at({from, to}) * 5 < speeds.at({from - 1, to - 1}));
    }

    void hostBoundLeavesTheDeviceFree() {
        const std::vector<std::string> words{"--ranks", "1", "--steps", "1", "--layers", "1"};
        const auto plain = made(words, nullptr);
        const auto bound = made(words, "host-bound=2000");
        QVERIFY(stepSum(*bound, 0, "Free") > stepSum(*plain, 0, "Free") + plantedSum(*bound, 0) / 2);
        QVERIFY(isNear(stepSum(*bound, 0, "Computing"), stepSum(*plain, 0, "Computing")));
    }

    void leakKeepsGrowing() {
        const std::vector<std::string> words{"--ranks", "1", "--steps", "4", "--layers", "1"};
        const auto plain = made(words, nullptr);
        const auto leaking = made(words, "leak=1073741824");
        // The last block is allocated behind the largest moment of its step.
        QCOMPARE(largest(*leaking, "Total Allocated(MB)") - largest(*plain, "Total Allocated(MB)"), 3.0 * 1024);
        QVERIFY(largest(*leaking, "Total Reserved(MB)") >= largest(*plain, "Total Reserved(MB)") + 3.0 * 1024 - 20);
        for (const auto& row : readCsv(leaking->output(0) / "memory_record.csv").rows) {
            if (row.at("Component") == "PTA")
                QVERIFY(std::stod(row.at("Total Reserved(MB)")) >= std::stod(row.at("Total Allocated(MB)")));
        }
    }

    void slowLinkIsTheOneWithTheLowestBandwidth() {
        const auto capture = made({"--ranks", "4", "--steps", "1", "--layers", "1"}, "slow-link=0-1:5");
        QVERIFY(capture->summary.ok());
        const Json links = fileJson(capture->path() / "truth.json")["links"];
        std::map<std::pair<int, int>, double> speeds;
        for (const Json& link : links) {
            if (link["src"] != link["dst"])
                speeds[{link["src"], link["dst"]}] = link["size"].get<double>() / link["transit"].get<double>();
        }
        QVERIFY(speeds.at({0, 1}) * 4 < speeds.at({2, 3}));
        QVERIFY(speeds.at({1, 0}) * 4 < speeds.at({2, 3}));
    }

    void smallPacketsAreSmall() {
        const auto capture = made({"--ranks", "2", "--steps", "1", "--layers", "1"}, "small-packets");
        const Json communication = fileJson(capture->output(0) / "communication.json");
        for (const auto& [name, call] : communication["step5"]["collective"].items()) {
            const Json& hccs = call["Communication Bandwidth Info"]["HCCS"];
            if (hccs.contains("Large Packet Ratio")) QCOMPARE(hccs["Large Packet Ratio"].get<double>(), 0.0);
            QVERIFY(hccs["Size Distribution"].begin().value()[0].get<int>() > 30);
        }
    }

    void frequencyDropsInTheSecondHalf() {
        const auto capture = made({"--ranks", "1", "--steps", "2", "--layers", "1"}, "frequency-drop=25");
        std::vector<int> points;
        for (const Json& event : fileJson(capture->output(0) / "trace_view.json")) {
            if (event["name"] == "AI Core Freq" && event["ph"] == "C") points.push_back(event["args"]["MHz"]);
        }
        QCOMPARE(points, (std::vector<int>{1800, 1350, 1350}));
        const Json truth = fileJson(capture->path() / "truth.json");
        for (const Json& plant : truth["plants"]) QCOMPARE(plant["step"].get<int>(), 6);
    }

    /// Only the rank and the steps that are named have it, and the rank's own counter shows a lower clock.
    void oneRankIsSlowInSomeSteps() {
        for (const char* part : {"clock:40", "neighbour:60", "host:3000", "link:6"}) {
            const auto capture = made({"--ranks", "2", "--steps", "4", "--layers", "1"},
                                      (std::string("fail-slow=1:6-7:") + part).c_str());
            QVERIFY(capture->summary.ok());
            std::vector<std::pair<int, int>> places;
            const Json truth = fileJson(capture->path() / "truth.json");
            for (const Json& plant : truth["plants"]) {
                places.emplace_back(plant["rank"].get<int>(), plant["step"].get<int>());
                QVERIFY(plant["ns"].get<std::int64_t>() > 0 && plant["gain"].get<std::int64_t>() > 0);
                QVERIFY(std::string(part).starts_with(plant["cause"].get<std::string>()));
            }
            QCOMPARE(places, (std::vector<std::pair<int, int>>{{1, 6}, {1, 7}}));
        }
        const auto capture = made({"--ranks", "2", "--steps", "4", "--layers", "1"}, "fail-slow=1:6-7:clock:40");
        for (int rank = 0; rank < 2; ++rank) {
            std::vector<int> points;
            for (const Json& event : fileJson(capture->output(rank) / "trace_view.json")) {
                if (event["name"] == "AI Core Freq" && event["ph"] == "C") points.push_back(event["args"]["MHz"]);
            }
            QCOMPARE(points, rank == 0 ? (std::vector<int>{1800, 1800}) : (std::vector<int>{1800, 1080, 1800, 1800}));
        }
    }

    void pausesAreOnATrackOfTheirOwn() {
        const auto capture = made({"--ranks", "2", "--steps", "2", "--layers", "1"}, "gc-pause=4");
        const Json trace = fileJson(capture->output(1) / "trace_view.json");
        const TraceNames names(trace);
        int pauses = 0;
        for (const Json& event : trace) {
            if (event["ph"] != "X" || names.process(event) != "Python GC") continue;
            ++pauses;
            QCOMPARE(durationOf(event), std::int64_t{4'000'000});
            QCOMPARE(event["cat"].get<std::string>(), std::string("GC"));
        }
        QCOMPARE(pauses, 2);
    }

    void withoutOverlapCommunicationIsBare() {
        const auto capture = made({"--ranks", "2", "--steps", "1", "--layers", "2"}, "no-overlap");
        const std::int64_t all = stepSum(*capture, 0, "Communication");
        QVERIFY(all > 0 && stepSum(*capture, 0, "Communication(Not Overlapped)") > all * 99 / 100);
    }

    /// By how much more is exposed than in the same run with overlap.
    void lackOfOverlapCostsWhatItExposes() {
        const std::vector<std::string> words{"--ranks", "4", "--steps", "2", "--layers", "2"};
        const auto bare = made(words, "no-overlap");
        const GeneratedCapture usual(words, 2);
        QVERIFY(bare->summary.ok() && usual.summary.ok());
        const Json truth = fileJson(bare->path() / "truth.json"), without = fileJson(usual.path() / "truth.json");
        QCOMPARE(truth["plants"].size(), std::size_t{8});
        for (const Json& plant : truth["plants"]) {
            const auto exposed = [&](const Json& of) {
                for (const Json& step : of["ranks"][plant["rank"].get<std::size_t>()]["steps"])
                    if (step["step"] == plant["step"]) return step["not_overlapped"].get<std::int64_t>();
                return std::int64_t{-1};
            };
            QVERIFY(exposed(without) > 0);
            QCOMPARE(plant["ns"].get<std::int64_t>(), exposed(truth) - exposed(without));
            QVERIFY(plant["ns"].get<std::int64_t>() > 1'000'000);
        }
    }

    void gainIsWhatTheSameRunWithoutTheFaultTakesLess_data() {
        QTest::addColumn<QStringList>("plants");
        for (const char* plant :
             {"slow-rank=1:50", "slow-link=0-1:4", "leak=3M", "host-bound=90", "ai-cpu=Swish", "ai-cpu=NonZero",
              "small-packets", "frequency-drop=40", "gc-pause=9", "no-overlap", "fail-slow=1:6-:clock:40",
              "fail-slow=2:5-5:link:8", "fail-slow=0:5-:neighbour:60", "fail-slow=1:6-6:host:2000"})
            QTest::addRow("%s", plant) << QStringList{QString::fromLatin1(plant)};
        QTest::addRow("two") << QStringList{QStringLiteral("slow-rank=1:30"), QStringLiteral("frequency-drop=40")};
        QTest::addRow("three") << QStringList{QStringLiteral("no-overlap"), QStringLiteral("gc-pause=5"),
                                              QStringLiteral("slow-link=0-2:3")};
    }

    /// By really making the run without it.
    void gainIsWhatTheSameRunWithoutTheFaultTakesLess() {
        QFETCH(QStringList, plants);
        const auto words = [&plants](qsizetype without) {
            std::vector<std::string> all{"--ranks", "3", "--steps", "2", "--layers", "1"};
            for (qsizetype i = 0; i < plants.size(); ++i)
                if (i != without) all.insert(all.end(), {"--plant", plants[i].toStdString()});
            return all;
        };
        const GeneratedCapture whole(words(-1));
        QVERIFY(whole.summary.ok());
        const std::vector<std::int64_t> with = jobSteps(whole);
        const Json truth = fileJson(whole.path() / "truth.json");
        for (qsizetype i = 0; i < plants.size(); ++i) {
            const GeneratedCapture healthy(words(i));
            const std::vector<std::int64_t> without = jobSteps(healthy);
            const std::string fault = plants[i].section(QLatin1Char('='), 0, 0).toStdString();
            int found = 0;
            for (const Json& plant : truth["plants"]) {
                if (plant["fault"] != fault) continue;
                const std::size_t step = plant["step"].get<std::size_t>() - 5;
                QCOMPARE(plant["gain"].get<std::int64_t>(), with[step] - without[step]);
                if (fault != "leak") QVERIFY(plant["gain"].get<std::int64_t>() > 0);
                ++found;
            }
            QVERIFY(found > 0);
        }
    }

    void allElseHappensAsWithoutTheFault_data() {
        QTest::addColumn<QString>("plant");
        QTest::addColumn<QString>("added");
        QTest::addRow("leak") << "leak=3M"
                              << "";
        QTest::addRow("no overlap") << "no-overlap"
                                    << "";
        QTest::addRow("new type") << "ai-cpu=NonZero"
                                  << "NonZero";
        QTest::addRow("pause") << "gc-pause=5"
                               << "";
    }

    /// Else a gain would be that of other random numbers.
    void allElseHappensAsWithoutTheFault() {
        QFETCH(QString, plant);
        QFETCH(QString, added);
        const std::vector<std::string> words{"--ranks", "2", "--steps", "2", "--layers", "1"};
        const auto plain = made(words, nullptr);
        const auto faulty = made(words, plant.toLatin1().constData());
        const std::vector<std::string> times = kernelTimes(*plain, added.toStdString());
        QVERIFY(times.size() > 50);
        QVERIFY(kernelTimes(*faulty, added.toStdString()) == times);
    }

    void aiCpuRunsTheType_data() {
        QTest::addColumn<QString>("type");
        QTest::addRow("of the model") << "Swish";
        QTest::addRow("unknown to the model") << "NonZero";
    }

    void aiCpuRunsTheType() {
        QFETCH(QString, type);
        const auto capture =
            made({"--ranks", "1", "--steps", "1", "--layers", "1"}, ("ai-cpu=" + type.toStdString()).c_str());
        int kernels = 0;
        for (const auto& row : readCsv(capture->output(0) / "kernel_details.csv").rows) {
            QCOMPARE(row.at("Type") == type.toStdString(), row.at("Accelerator Core") == "AI_CPU");
            kernels += row.at("Type") == type.toStdString() ? 1 : 0;
        }
        QVERIFY(kernels > 0);
    }

    void sameBytesWithAnyNumberOfThreads() {
        const std::vector<std::string> words{"--ranks",           "4",
                                             "--steps",           "2",
                                             "--layers",          "1",
                                             "--clock-offset-us", "700",
                                             "--clock-drift-ppm", "30",
                                             "--uneven-warmup",   "--late-metadata",
                                             "--distinct-names",  "900",
                                             "--plant",           "slow-rank=2",
                                             "--plant",           "slow-link=0-1",
                                             "--plant",           "leak=1M",
                                             "--plant",           "host-bound=5",
                                             "--plant",           "ai-cpu=NonZero",
                                             "--plant",           "small-packets",
                                             "--plant",           "frequency-drop=10",
                                             "--plant",           "gc-pause=1",
                                             "--plant",           "no-overlap"};
        const GeneratedCapture one(words, 1);
        const GeneratedCapture five(words, 5);
        QVERIFY(one.summary.ok() && five.summary.ok());
        for (const char* file : {"trace_view.json", "kernel_details.csv", "memory_record.csv", "communication.json"}) {
            for (const int rank : {0, 3})
                QVERIFY(fileText(one.output(rank) / file) == fileText(five.output(rank) / file));
        }
        QVERIFY(fileText(one.path() / "truth.json") == fileText(five.path() / "truth.json"));
    }
};

ALTI_TEST(TestPlants)
#include "tst_plants.moc"
