#include "core/generate/generate_capture.h"
#include "tests/core/generate/capture_reading.h"
#include "tests/support/effort.h"
#include "tests/support/test_main.h"

#include <csignal>
#include <set>
#include <thread>

#include <sys/resource.h>

using namespace altiscope;
using namespace altiscope::generate;
using namespace altiscope::test;

namespace {

/// What one timeline says, counted event by event.
struct Counted {
    std::map<std::pair<std::string, std::string>, std::pair<std::uint64_t, std::int64_t>> tracks;
    std::uint64_t flows = 0;
    std::uint64_t counters = 0;
};

Counted counted(const Json& trace) {
    const TraceNames names(trace);
    Counted result;
    std::set<std::pair<std::string, std::string>> starts;
    for (const Json& event : trace) {
        if (event["ph"] == "s") starts.emplace(event["cat"], event["id"].dump());
    }
    for (const Json& event : trace) {
        if (event["ph"] == "X") {
            auto& sum = result.tracks[{names.process(event), names.thread(event)}];
            ++sum.first;
            sum.second += durationOf(event);
        }
        if (event["ph"] == "f" || event["ph"] == "t") result.flows += starts.count({event["cat"], event["id"].dump()});
        if (event["ph"] != "C") continue;
        for (const auto& [key, value] : event["args"].items()) {
            if (value.is_number() && !key.ends_with("_id") && key != "PA Link ID" && key != "PCIE ID")
                ++result.counters;
        }
    }
    return result;
}

/// Relative paths and contents of a folder.
std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file())
            files[std::filesystem::relative(entry.path(), folder).string()] = fileText(entry.path());
    }
    return files;
}

std::uint64_t bytesOf(const std::filesystem::path& folder) {
    std::uint64_t bytes = 0;
    for (const auto& [name, text] : contents(folder)) bytes += text.size();
    return bytes;
}

/// While it lives, no file of this process grows beyond a size.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        m_signal = std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_signal);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit m_before{};
    void (*m_signal)(int) = SIG_DFL;
};

}  // namespace

class TestGenerateCapture : public QObject {
    Q_OBJECT

private slots:
    void sameBytesWithAnyNumberOfThreads() {
        const std::vector<std::string> words{"--ranks", "4", "--steps", "3", "--layers", "2", "--seed", "11"};
        const GeneratedCapture one(words, 1);
        const GeneratedCapture two(words, 2);
        const GeneratedCapture five(words, 5);
        QVERIFY(one.summary.ok() && two.summary.ok() && five.summary.ok());
        const auto expected = contents(one.path());
        QCOMPARE(expected.size(), std::size_t{4 * 13 + 1});
        QVERIFY(contents(two.path()) == expected);
        QVERIFY(contents(five.path()) == expected);
        QCOMPARE(one.summary.value().bytes, bytesOf(one.path()));
    }

    void sameBytesWithinOneRank() {
        // A single rank's units are rendered several at a time.
        const std::vector<std::string> words{"--ranks", "1", "--steps", "9", "--layers", "1"};
        const GeneratedCapture one(words, 1);
        const GeneratedCapture five(words, 5);
        QVERIFY(one.summary.ok() && five.summary.ok());
        QVERIFY(contents(one.path()) == contents(five.path()));
    }

    void seedsDiffer() {
        const GeneratedCapture one({"--ranks", "1", "--steps", "1", "--layers", "1", "--seed", "1"});
        const GeneratedCapture two({"--ranks", "1", "--steps", "1", "--layers", "1", "--seed", "2"});
        QVERIFY(fileText(one.output(0) / "kernel_details.csv") != fileText(two.output(0) / "kernel_details.csv"));
    }

    void truth_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= repetitions(5); ++seed) {
            for (const int ranks : {1, 4}) QTest::addRow("%d ranks, seed %d", ranks, seed) << ranks << seed;
        }
    }

    /// truth.json against a plain count of what the timeline says.
    void truth() {
        QFETCH(int, ranks);
        QFETCH(int, seed);
        const GeneratedCapture capture(
            {"--ranks", std::to_string(ranks), "--steps", "2", "--layers", "2", "--seed", std::to_string(seed)});
        QVERIFY(capture.summary.ok());
        const Json truth = fileJson(capture.path() / "truth.json");
        QCOMPARE(truth["schema"].get<int>(), 1);
        QCOMPARE(truth["args"].size(), std::size_t{8});
        QVERIFY(truth["plants"].is_array() && truth["plants"].empty());
        QCOMPARE(truth["ranks"].size(), static_cast<std::size_t>(ranks));
        for (int rank = 0; rank < ranks; ++rank) {
            const Json& said = truth["ranks"][static_cast<std::size_t>(rank)];
            QCOMPARE(said["rank_id"].get<int>(), rank);
            QCOMPARE(said["clock_offset_ns"].get<int>(), 0);
            const Json trace = fileJson(capture.output(rank) / "trace_view.json");
            const Counted expected = counted(trace);
            decltype(expected.tracks) tracks;
            for (const Json& track : said["tracks"])
                tracks[{track["process"], track["thread"]}] = {track["slices"], track["dur"]};
            QCOMPARE(tracks.size(), said["tracks"].size());
            QVERIFY(tracks == expected.tracks);
            QCOMPARE(said["flows"].get<std::uint64_t>(), expected.flows);
            QCOMPARE(said["counters"].get<std::uint64_t>(), expected.counters);
            QVERIFY(expected.flows > 500 && expected.counters > 500);
            if (const QString problem = stepProblem(trace, said["steps"]); !problem.isEmpty())
                QFAIL(qPrintable(problem));
            std::int64_t peak = 0;
            for (const auto& row : readCsv(capture.output(rank) / "memory_record.csv").rows) {
                if (row.at("Component") == "PTA")
                    peak = std::max(peak, static_cast<std::int64_t>(std::stod(row.at("Total Reserved(MB)")) * 1048576));
            }
            QCOMPARE(said["peak_reserved"].get<std::int64_t>(), peak);
        }
    }

    void linksAreTheTotalsOfTheMatrix() {
        const GeneratedCapture capture({"--ranks", "4", "--steps", "3", "--layers", "2"});
        QVERIFY(capture.summary.ok());
        std::map<std::pair<int, int>, std::pair<std::int64_t, std::int64_t>> expected;
        for (int rank = 0; rank < 4; ++rank) {
            const Json info = fileJson(capture.rank(rank) / "profiler_metadata.json")["parallel_group_info"];
            const Json matrix = fileJson(capture.output(rank) / "communication_matrix.json");
            for (const Json& step : matrix) {
                for (const auto& [key, links] : step["collective"].items()) {
                    if (key.find("-total@") == std::string::npos) continue;
                    const std::string hash = key.substr(key.find('@') + 1);
                    for (const auto& [ends, link] : links.items()) {
                        const std::size_t dash = ends.find('-');
                        const auto globalRank = [&](const std::string& local) {
                            for (const auto& [name, group] : info.items()) {
                                if (std::to_string(hashOf(name)) == hash)
                                    return group["global_ranks"][std::stoul(local)].get<int>();
                            }
                            return -1;
                        };
                        auto& sum = expected[{globalRank(ends.substr(0, dash)), globalRank(ends.substr(dash + 1))}];
                        sum.first += static_cast<std::int64_t>(link["Transit Size(MB)"].get<double>() * 1e6 + 0.5);
                        sum.second += static_cast<std::int64_t>(link["Transit Time(ms)"].get<double>() * 1e6 + 0.5);
                    }
                }
            }
        }
        QVERIFY(expected.size() >= 4 * 3);
        decltype(expected) said;
        const Json truth = fileJson(capture.path() / "truth.json");
        for (const Json& link : truth["links"]) said[{link["src"], link["dst"]}] = {link["size"], link["transit"]};
        QVERIFY(said == expected);
    }

    void sizeIsMet_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<qulonglong>("size");
        QTest::addRow("steps follow") << QStringList{u"--layers"_qs, u"2"_qs} << 12'000'000ULL;
        QTest::addRow("both follow, small") << QStringList{} << 1'500'000ULL;
        QTest::addRow("both follow, between two steps") << QStringList{} << 4'600'000ULL;
        QTest::addRow("layers follow") << QStringList{u"--steps"_qs, u"1"_qs} << 8'000'000ULL;
        QTest::addRow("micro-batches follow")
            << QStringList{u"--steps"_qs, u"2"_qs, u"--layers"_qs, u"1"_qs} << 12'000'000ULL;
        QTest::addRow("four ranks") << QStringList{u"--ranks"_qs, u"4"_qs} << 9'000'000ULL;
    }

    void sizeIsMet() {
        QFETCH(QStringList, words);
        QFETCH(qulonglong, size);
        std::vector<std::string> all{"--size", std::to_string(size), "--ranks", "1"};
        for (const QString& word : words) all.push_back(word.toStdString());
        const GeneratedCapture capture(all);
        QVERIFY(capture.summary.ok());
        const double share = static_cast<double>(bytesOf(capture.rank(0))) / static_cast<double>(size);
        QVERIFY2(share > 0.75 && share < 1.25, qPrintable(QString::number(share)));
    }

    void tooSmallSizeIsRefused() {
        const GeneratedCapture capture({"--size", "50000"});
        QVERIFY(capture.summary.failed());
        QCOMPARE(capture.summary.error().code, std::string("generate.too_small"));
        QVERIFY(!std::filesystem::exists(capture.path()));
    }

    void microBatchesMakeOneStep() {
        const GeneratedCapture capture({"--ranks", "2", "--steps", "2", "--layers", "1", "--size", "9000000"});
        QVERIFY(capture.summary.ok());
        const Json trace = fileJson(capture.output(1) / "trace_view.json");
        const auto isStep = [](const Json& event) {
            return event["name"].get<std::string>().starts_with("ProfilerStep#");
        };
        QCOMPARE(std::count_if(trace.begin(), trace.end(), isStep), 2);
        const Json communication = fileJson(capture.output(1) / "communication.json");
        QCOMPARE(communication.size(), std::size_t{2});
        const Json truth = fileJson(capture.path() / "truth.json");
        if (const QString problem = stepProblem(trace, truth["ranks"][1]["steps"]); !problem.isEmpty())
            QFAIL(qPrintable(problem));
    }

    void nestingAndOverlapsOfADefaultRun() {
        const GeneratedCapture capture({});
        QVERIFY(capture.summary.ok());
        const Json trace = fileJson(capture.output(0) / "trace_view.json");
        std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::pair<std::int64_t, std::int64_t>>> tracks;
        std::size_t slices = 0;
        for (const Json& event : trace) {
            if (event["ph"] != "X") continue;
            const std::int64_t start = startOf(event);
            tracks[{event["pid"], event["tid"]}].emplace_back(start, -(start + durationOf(event)));
            ++slices;
        }
        std::size_t deepest = 0;
        std::size_t crossing = 0;
        for (auto& [track, list] : tracks) {
            std::sort(list.begin(), list.end());
            std::vector<std::int64_t> open;
            for (const auto& [start, negativeEnd] : list) {
                std::erase_if(open, [start = start](std::int64_t end) { return end <= start; });
                const std::int64_t end = -negativeEnd;
                crossing += std::any_of(open.begin(), open.end(), [end](std::int64_t outer) { return outer < end; });
                open.push_back(end);
                deepest = std::max(deepest, open.size());
            }
        }
        QVERIFY2(deepest >= 12, qPrintable(QString::number(deepest)));
        const double share = static_cast<double>(crossing) / static_cast<double>(slices);
        QVERIFY2(share > 0.005 && share < 0.02, qPrintable(QString::number(share)));
    }

    void collectivesStartApartAndEndTogether() {
        const GeneratedCapture capture({"--ranks", "4", "--steps", "1", "--layers", "1"});
        QVERIFY(capture.summary.ok());
        std::map<std::string, std::set<std::int64_t>> starts;
        std::map<std::string, std::set<std::int64_t>> ends;
        std::map<std::string, int> members;
        for (int rank = 0; rank < 4; ++rank) {
            for (const auto& row : readCsv(capture.output(rank) / "kernel_details.csv").rows) {
                if (row.at("Accelerator Core") != "HCCL") continue;
                const std::string& name = row.at("Name");
                const std::int64_t start = nsOf(row.at("Start Time(us)"));
                starts[name].insert(start);
                ends[name].insert(start + nsOf(row.at("Duration(us)")));
                ++members[name];
            }
        }
        QVERIFY(!members.empty());
        for (const auto& [name, count] : members) {
            QCOMPARE(count, 2);
            QCOMPARE(ends[name].size(), std::size_t{1});
            QCOMPARE(starts[name].size(), std::size_t{2});
        }
    }

    void folders_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("code");
        QTest::addRow("empty folder is taken") << "empty"
                                               << "";
        QTest::addRow("folder with a file") << "full"
                                            << "generate.output_not_empty";
        QTest::addRow("a file") << "file"
                                << "generate.output_not_folder";
        QTest::addRow("below a file") << "below"
                                      << "generate.write_failed";
    }

    void folders() {
        QFETCH(QString, kind);
        QFETCH(QString, code);
        const QTemporaryDir folder;
        std::filesystem::path target = std::filesystem::path(folder.path().toStdString()) / "out";
        if (kind == u"file"_qs || kind == u"below"_qs) std::ofstream(target) << "mine";
        else std::filesystem::create_directory(target);
        if (kind == u"full"_qs) std::ofstream(target / "note.txt") << "mine";
        const auto before = contents(folder.path().toStdString());
        GenerateOptions options;
        options.output = kind == u"below"_qs ? target / "out" : target;
        options.ranks = 1;
        options.steps = 1;
        options.layers = 1;
        ProgressSlot progress;
        const auto made = generateCapture(options, progress, CancelToken());
        if (code.isEmpty()) {
            QVERIFY(made.ok());
            QVERIFY(std::filesystem::exists(target / "truth.json"));
            QVERIFY(progress.sample().phase == ProgressPhase::Done);
        } else {
            QVERIFY(made.failed());
            QCOMPARE(QString::fromStdString(made.error().code), code);
            QVERIFY(contents(folder.path().toStdString()) == before);
        }
    }

    void aRankAloneHasNoCommunicationFiles() {
        const GeneratedCapture capture({"--ranks", "1", "--steps", "1", "--layers", "1"});
        QVERIFY(capture.summary.ok());
        QVERIFY(std::filesystem::exists(capture.output(0) / "step_trace_time.csv"));
        QVERIFY(!std::filesystem::exists(capture.output(0) / "communication.json"));
        QVERIFY(!std::filesystem::exists(capture.output(0) / "communication_matrix.json"));
    }

    void aCancelledRunLeavesNoParentFolders() {
        const QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        GenerateOptions options;
        options.output = root / "a" / "b" / "out";
        ProgressSlot progress;
        const CancelToken cancel;
        cancel.requestCancel();
        QVERIFY(generateCapture(options, progress, cancel).cancelled());
        QVERIFY(std::filesystem::is_empty(root));
    }

    void databasesShowProgress() {
        const QTemporaryDir folder;
        GenerateOptions options;
        options.output = std::filesystem::path(folder.path().toStdString()) / "out";
        options.layers = 1;
        options.formats = {CaptureFormat::Db};
        ProgressSlot progress;
        const auto made = generateCapture(options, progress, CancelToken());
        QVERIFY(made.ok());
        const std::uint64_t done = progress.sample().done;
        QVERIFY2(done > made.value().bytes * 9 / 10 && done <= made.value().bytes, qPrintable(QString::number(done)));
    }

    void aDiskThatRefusesLeavesNothing() {
        const QTemporaryDir folder;
        GenerateOptions options;
        options.output = std::filesystem::path(folder.path().toStdString()) / "out";
        options.ranks = 1;
        options.steps = 1;
        options.layers = 1;
        // A limit on the size of files refuses to write like a full disk does.
        const FileSizeLimit limit(100'000);
        ProgressSlot progress;
        const auto made = generateCapture(options, progress, CancelToken());
        QVERIFY(made.failed());
        QCOMPARE(made.error().code, std::string("generate.write_failed"));
        QVERIFY(!std::filesystem::exists(options.output));
    }

    void cancelLeavesNothing_data() {
        QTest::addColumn<bool>("existed");
        QTest::addColumn<int>("afterMs");
        QTest::addRow("before the start") << false << 0;
        QTest::addRow("while writing") << false << 80;
        QTest::addRow("while writing into an empty folder") << true << 80;
    }

    void cancelLeavesNothing() {
        QFETCH(bool, existed);
        QFETCH(int, afterMs);
        const QTemporaryDir folder;
        GenerateOptions options;
        options.output = std::filesystem::path(folder.path().toStdString()) / "out";
        options.ranks = 2;
        options.steps = 2000;
        if (existed) std::filesystem::create_directory(options.output);
        ProgressSlot progress;
        const CancelToken cancel;
        if (afterMs == 0) cancel.requestCancel();
        std::thread watcher([&] {
            // Wait until files are written, so that there is something to remove.
            while (afterMs > 0 && progress.sample().done < 100'000)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            std::this_thread::sleep_for(std::chrono::milliseconds(afterMs));
            cancel.requestCancel();
        });
        const auto made = generateCapture(options, progress, cancel);
        watcher.join();
        QVERIFY(made.cancelled());
        QCOMPARE(std::filesystem::exists(options.output), existed);
        if (existed) QVERIFY(std::filesystem::is_empty(options.output));
    }

private:
    /// The hash of core/import/communication/FORMAT.md, written down a second time.
    static std::uint64_t hashOf(const std::string& name) {
        std::uint64_t a = 0;
        std::uint64_t b = 0;
        for (const char c : name) {
            a = (a * 29 + static_cast<unsigned char>(c)) % 4'294'967'296ULL;
            b = (b * 131 + static_cast<unsigned char>(c)) % 4'294'967'296ULL;
        }
        return a * 4'294'967'296ULL + b;
    }

    /// Steps of truth.json against ProfilerStep slices and the lanes of the overlap analysis; what is wrong, or
    /// nothing.
    static QString stepProblem(const Json& trace, const Json& steps) {
        const TraceNames names(trace);
        std::map<int, std::pair<std::int64_t, std::int64_t>> hosts;
        std::vector<std::pair<std::int64_t, const Json*>> lanes;
        for (const Json& event : trace) {
            if (event["ph"] != "X") continue;
            const std::string name = event["name"];
            if (name.starts_with("ProfilerStep#"))
                hosts[std::stoi(name.substr(13))] = {startOf(event), startOf(event) + durationOf(event)};
            if (names.process(event) == "Overlap Analysis") lanes.emplace_back(startOf(event), &event);
        }
        if (hosts.size() != steps.size()) return u"wrong number of steps"_qs;
        std::sort(lanes.begin(), lanes.end());
        for (const Json& step : steps) {
            const auto [begin, end] = hosts.at(step["step"]);
            if (step["start_ts"] != begin || step["end_ts"] != end) return u"wrong range of a step"_qs;
            // From the first kernel launched in the step: none of another step runs while the step does.
            std::map<std::string, std::int64_t> sums;
            std::int64_t first = 0;
            for (const auto& [start, event] : lanes) {
                const std::string lane = (*event)["name"];
                if (start < begin || start >= end) continue;
                if (first == 0 && lane != "Free") first = start;
                if (first != 0) sums[lane] += durationOf(*event);
            }
            const std::pair<const char*, const char*> pairs[] = {{"computing", "Computing"},
                                                                 {"communication", "Communication"},
                                                                 {"not_overlapped", "Communication(Not Overlapped)"},
                                                                 {"free", "Free"}};
            for (const auto& [key, lane] : pairs) {
                if (step[key].get<std::int64_t>() != sums[lane]) return QString::fromLatin1(key) + u" is wrong"_qs;
            }
        }
        return {};
    }
};

ALTI_TEST(TestGenerateCapture)
#include "tst_generate_capture.moc"
