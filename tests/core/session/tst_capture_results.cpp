#include "core/session/reading/capture_results.h"

#include "core/analysis/capture_analysis.h"
#include "core/base/text/json_text.h"
#include "core/base/threads/parallel.h"
#include "core/pack/pack_file.h"
#include "core/pack/pack_writer.h"
#include "core/query/schema/schema.h"
#include "core/session/findings_loader.h"
#include "core/session/reading/capture_loader.h"
#include "core/session/reading/kept_results.h"
#include "tests/support/test_main.h"
#include "tests/views/findings/planted_capture.h"

#include <nlohmann/json.hpp>

#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kNoLimit = StoreCache::kDefaultLimit;

std::shared_ptr<const CaptureStore> loaded(const std::string& path, const std::string& cache = {}) {
    ProgressSlot progress;
    LoadOptions options;
    options.cacheFolder = cache;
    const auto capture = loadCapture(path, options, progress, {});
    return capture.ok() ? capture.value() : nullptr;
}

QString firstTimeline(const QString& folder) {
    QDirIterator files(folder, {QStringLiteral("trace_view.json")}, QDir::Files, QDirIterator::Subdirectories);
    return files.hasNext() ? files.next() : QString();
}

/// A pack of a planted capture, with its results.
struct PlantedPack {
    PlantedPack() {
        WorkerArena arena(2);
        arena.run([this] {
            ProgressSlot progress;
            capture = loaded(planted.path().toStdString());
            made = capture != nullptr && pack::writePack(*capture, {}, path().toStdString(), progress, {}).ok();
            if (!made) return;
            const auto added = addResultsToPack(path().toStdString(), progress, {});
            made = added.ok() && added.value();
        });
    }
    QString path() const { return planted.folder.filePath(QStringLiteral("x.altipack")); }
    /// Makes its events unreadable, all of them.
    bool damageRanks() const {
        const auto file = pack::PackFile::open(path().toStdString());
        QFile out(path());
        if (!file.ok() || !out.open(QIODevice::ReadWrite)) return false;
        bool isWell = true;
        for (const pack::PackSection& section : file.value()->sections()) {
            if (section.header.rank == pack::kNoRankNumber) continue;
            const std::string zeros(section.header.bytes, '\0');
            isWell = isWell && out.seek(static_cast<qint64>(section.offset + sizeof section.header)) &&
                     out.write(zeros.data(), static_cast<qint64>(zeros.size())) == static_cast<qint64>(zeros.size());
        }
        return isWell;
    }

    test::PlantedCapture planted;
    std::shared_ptr<const CaptureStore> capture;
    bool made = false;
};

/// Two ranks, one finding and one of everything else.
CaptureResults someResults() {
    CaptureResults results;
    for (const TableInfo& table : tableSchema()) results.summary.rows.emplace_back(table.name, 3);
    results.summary.spans = {RankSpan{{{5}, {9}}, {{5}, {90}}}, std::nullopt};
    results.summary.absent = {{7, 8}, 10};
    Finding& finding = results.summary.findings.emplace_back();
    finding.rule = "slow_rank";
    finding.severity = FindingSeverity::Medium;
    finding.rank = RankIndex{1};
    finding.range = TimeRange{{1}, {2}};
    finding.parameters = {{"rank", "1"}};
    finding.notes = {"finding.slow_rank"};
    finding.thresholds = {{"high_share", 0.05}};
    finding.evidence.slices.push_back({RankIndex{0}, {SliceId{4}, "MatMul", {{1}, {3}}, 2}});
    finding.evidence.ranges.push_back({RankIndex{1}, {{1}, {3}}, true, SliceId{6}});
    finding.evidence.rows.push_back({"kernel", "dur > 5", RankIndex{0}, 1, 2, "f"});
    finding.evidence.levels = {{1, 2}};
    StepTime& step = results.overview.steps.emplace_back();
    step.rank = {1};
    step.use = StepUse::Differs;
    step.parts[0] = kMaxTimeNs;
    results.overview.phases.push_back({RankIndex{0}, 1, 2, {5}});
    results.overview.top.push_back({"MatMul", "AI_CORE", Origin::Computed, 1, 2, 3, 2});
    results.overview.peaks.push_back({RankIndex{1}, {}, "PTA", 5, 4, 3});
    results.overview.mostReserved = 5;
    return results;
}

Json someJson() { return parseJson(*resultsJson(someResults())); }

}  // namespace

class TestCaptureResults : public QObject {
    Q_OBJECT
private slots:
    void comeBackAsTheyWere();
    void forgedOnesAreRefused_data();
    void forgedOnesAreRefused();
    void anyChangedByteIsRefusedOrAValue();
    void textsThatAreNoUtf8AreLeftOut();
    void areThoseOfTheRanks();
    void areThoseOfThisProgramAndFile();
    void findingsAreShownWithoutARank();
    void correctedRanksAreReadFirst();
    void keptOnesAreOfTheseFilesAndThisProgram();
    void keptOnesAreShownBeforeRulesRun();
};

void TestCaptureResults::comeBackAsTheyWere() {
    const std::string json = resultsJson(someResults()).value();
    const auto back = resultsOf(json, 2);
    QVERIFY(back);
    QCOMPARE(resultsJson(*back).value(), json);
    QCOMPARE(back->summary.absent, (AbsentRanks{{7, 8}, 10}));
    QCOMPARE(back->summary.findings.front().notes.front(), std::string_view("finding.slow_rank"));
    QCOMPARE(back->summary.findings.front().evidence.rows.front().stack, std::string("f"));
    QCOMPARE(back->overview.steps.front().parts[0], std::optional(kMaxTimeNs));
    QCOMPARE(back->overview.peaks.front().allocated, std::optional(std::int64_t{4}));
    QVERIFY(!resultsOf(json, 1));  // it names a second rank
}

void TestCaptureResults::forgedOnesAreRefused_data() {
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("value");
    // summary: rows, findings, spans, absent. overview: steps, phases, top, peaks.
    QTest::newRow("a rank that is none") << "/0/1/0/2"
                                         << "2";
    QTest::newRow("a rank below 0") << "/0/1/0/2"
                                    << "-1";
    QTest::newRow("a rank of evidence") << "/0/1/0/10/0/0/0"
                                        << "77";
    QTest::newRow("a rank of a step") << "/1/0/0/0"
                                      << "2";
    QTest::newRow("a rank of a peak") << "/1/3/0/0"
                                      << "4294967295";
    QTest::newRow("a word that is none") << "/0/1/0/1"
                                         << "3";
    QTest::newRow("an origin that is none") << "/1/2/0/2"
                                            << "2";
    QTest::newRow("a use that is none") << "/1/0/0/5"
                                        << "-1";
    QTest::newRow("a code that is none") << "/0/1/0/8/0"
                                         << "\"no.code\"";
    QTest::newRow("a range that ends before it begins") << "/0/1/0/5"
                                                        << "[2,1]";
    QTest::newRow("a time that is none") << "/0/2/0/0/1"
                                         << "9223372036854775807";
    QTest::newRow("a number with a fraction") << "/0/0/0/1"
                                              << "1.5";
    QTest::newRow("a number of no type") << "/0/0/0/1"
                                         << "18446744073709551616";
    QTest::newRow("a table that is none") << "/0/0/0/0"
                                          << "\"nothing\"";
    QTest::newRow("no tables") << "/0/0"
                               << "[]";
    QTest::newRow("more spans than ranks") << "/0/2"
                                           << "[null,null,null]";
    QTest::newRow("too few members") << "/1/0/0"
                                     << "[0]";
    QTest::newRow("too few parts") << "/1/0/0/6"
                                   << "[null]";
    QTest::newRow("a text for a list") << "/0/1"
                                       << "\"x\"";
    QTest::newRow("an object") << ""
                               << "{}";
}

void TestCaptureResults::forgedOnesAreRefused() {
    QFETCH(QString, place);
    QFETCH(QString, value);
    Json json = someJson();
    const Json::json_pointer at(place.toStdString());
    QVERIFY2(json.contains(at) || place.isEmpty(), "the place is one of the layout");
    json[at] = parseJson(value.toStdString());
    QVERIFY(!resultsOf(dumpJson(json), 2));
}

void TestCaptureResults::anyChangedByteIsRefusedOrAValue() {
    const std::string whole = resultsJson(someResults()).value();
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const char other : {'9', '-', '"', '[', ',', 'n'}) {
            std::string changed = whole;
            changed[at] = other;
            const auto read = resultsOf(changed, 2);
            if (!read) continue;
            for (const Finding& finding : read->summary.findings) QVERIFY(!finding.rank || finding.rank->value < 2);
            for (const StepTime& step : read->overview.steps) QVERIFY(step.rank.value < 2);
            for (const MemoryPeak& peak : read->overview.peaks) QVERIFY(peak.rank.value < 2);
        }
    }
    for (const char* text : {"", "null", "[]", "[[],[]]", "[[[],[],[],[[],0]],[[],[],[],[],null]]"})
        QVERIFY(!resultsOf(text, 2));
}

void TestCaptureResults::textsThatAreNoUtf8AreLeftOut() {
    CaptureResults results = someResults();
    results.overview.top.front().name = "Mat\xffMul";
    QVERIFY(!resultsJson(results));
}

void TestCaptureResults::areThoseOfTheRanks() {
    const PlantedPack planted;
    QVERIFY(planted.made);
    WorkerArena arena(2);
    arena.run([&] {
        const auto opened = loaded(planted.path().toStdString());
        QVERIFY(opened != nullptr);
        const auto known = resultsOfPack(*opened, "", {});
        QVERIFY(known != nullptr);
        // The summary of the capture, not of its pack.
        const CaptureAnalysis analysis(planted.capture);
        const auto summary = summariseCapture(planted.capture, analysis, {});
        auto numbers = recordedOverview(planted.capture, {}, {});
        QVERIFY(summary && numbers && addComputed(*numbers, analysis, {}));
        QVERIFY(!summary->findings.empty() && !numbers->steps.empty() && !numbers->top.empty());
        QCOMPARE(resultsJson(*known).value(), resultsJson({*summary, *numbers}).value());
    });
}

void TestCaptureResults::areThoseOfThisProgramAndFile() {
    const PlantedPack planted;
    QVERIFY(planted.made);
    WorkerArena arena(2);
    arena.run([&] {
        const auto opened = loaded(planted.path().toStdString());
        QVERIFY(resultsOfPack(*opened, "", {}) != nullptr);
        QVERIFY2(resultsOfPack(*opened, "9.9", {}) == nullptr, "another version has other rules");
        QVERIFY(resultsOfPack(*planted.capture, "", {}) == nullptr);
        ProgressSlot progress;
        CaptureStore other = *planted.capture;
        other.ranks.front().steps.clear();
        QVERIFY(pack::writePack(other, {}, planted.path().toStdString(), progress, {}).ok());
        QVERIFY(addResultsToPack(planted.path().toStdString(), progress, {}).ok());
        QVERIFY2(resultsOfPack(*opened, "", {}) == nullptr, "another pack lies there by now");
    });
}

void TestCaptureResults::findingsAreShownWithoutARank() {
    const PlantedPack planted;
    QVERIFY(planted.made);
    std::vector<std::string> expected;
    WorkerArena arena(2);
    arena.run([&] {
        const auto summary = summariseCapture(planted.capture, {});
        for (const Finding& finding : summary->findings) expected.push_back(findingTitle(finding, "en"));
    });
    QVERIFY(!expected.empty());
    QVERIFY(planted.damageRanks());
    JobRunner jobs;
    Session session(jobs);
    FindingsLoader loader(session);
    const CaptureId id = session.open(planted.path());
    QTRY_VERIFY_WITH_TIMEOUT(session.capture(id)->job == 0 && loader.results() != nullptr, 20'000);
    QTRY_VERIFY(!loader.busy());
    std::vector<std::string> shown;
    for (const Finding& finding : loader.found()->findings) shown.push_back(findingTitle(finding, "en"));
    QCOMPARE(shown, expected);
    QCOMPARE(loader.results()->overview.steps.empty(), false);
    // Other thresholds need the ranks.
    FindingThresholds lax;
    lax.rankKernelShare = lax.rankGapShare = 1;
    loader.setThresholds(lax);
    QTRY_VERIFY(!loader.busy());
    QVERIFY(loader.found()->findings.size() < expected.size());
}

void TestCaptureResults::correctedRanksAreReadFirst() {
    const PlantedPack planted;
    QVERIFY(planted.made);
    JobRunner jobs;
    Session session(jobs, {}, planted.planted.folder.filePath(QStringLiteral("corrections.json")));
    FindingsLoader loader(session);
    const CaptureId id = session.open(planted.path());
    QTRY_VERIFY_WITH_TIMEOUT(session.capture(id)->job == 0 && !loader.busy(), 20'000);
    QVERIFY(session.correct(id, session.capture(id)->store->ranks.front().info.path, {9, {}}));
    QTRY_VERIFY_WITH_TIMEOUT(session.capture(id)->job == 0 && !loader.busy(), 20'000);
    QVERIFY2(loader.results() == nullptr, "what the pack says goes by the numbers that it knows");
    session.close(id);
    session.open(planted.path());
    QTRY_VERIFY_WITH_TIMEOUT(session.captures().front().job == 0 && !loader.busy(), 20'000);
    QVERIFY(loader.results() == nullptr);
}

void TestCaptureResults::keptOnesAreOfTheseFilesAndThisProgram() {
    const test::PlantedCapture planted;
    QTemporaryDir cache;
    const std::string path = planted.path().toStdString();
    WorkerArena arena(2);
    arena.run([&] {
        const auto read = [&] { return loaded(path, cache.path().toStdString()); };
        const auto first = read(), second = read();
        QVERIFY(first != nullptr && !first->contentKey.empty());
        QCOMPARE(second->contentKey, first->contentKey);
        QVERIFY2(loaded(path)->contentKey.empty(), "without a cache nothing says what was read");

        const KeptResults kept(cache.path().toStdString(), kNoLimit, "1");
        QVERIFY(kept.find(*first, {}) == nullptr);
        const CaptureAnalysis analysis(first);
        const auto results = resultsBeside(*summariseCapture(first, analysis, {}), analysis, {});
        kept.keep(*first, *results, {});
        const auto found = kept.find(*second, {});
        QVERIFY(found != nullptr);
        QCOMPARE(resultsJson(*found).value(), resultsJson(*results).value());
        QVERIFY(KeptResults(cache.path().toStdString(), kNoLimit, "2").find(*second, {}) == nullptr);

        // One byte of one file, and nobody's time of change says so.
        const QString file = firstTimeline(planted.path());
        const auto time = std::filesystem::last_write_time(file.toStdString());
        QFile trace(file);
        QVERIFY(trace.open(QIODevice::ReadWrite));
        QByteArray bytes = trace.readAll();
        auto at = bytes.indexOf("\"dur\":");
        QVERIFY(at > 0);
        while (bytes[at] < '1' || bytes[at] > '8') ++at;
        ++bytes[at];
        QVERIFY(trace.seek(0) && trace.write(bytes) == bytes.size());
        trace.close();
        std::filesystem::last_write_time(file.toStdString(), time);
        const auto changed = read();
        QVERIFY(changed != nullptr && changed->contentKey != first->contentKey);
        QVERIFY(kept.find(*changed, {}) == nullptr);
    });
}

void TestCaptureResults::keptOnesAreShownBeforeRulesRun() {
    const test::PlantedCapture planted;
    QTemporaryDir cache;
    WorkerArena arena(2);
    arena.run([&] {
        const auto read = loaded(planted.path().toStdString(), cache.path().toStdString());
        const CaptureAnalysis analysis(read);
        auto results = *resultsBeside(*summariseCapture(read, analysis, {}), analysis, {});
        QVERIFY(results.summary.findings.size() > 1);
        // Rules would find more.
        results.summary.findings.resize(1);
        KeptResults(cache.path().toStdString(), kNoLimit, "").keep(*read, results, {});
    });
    JobRunner jobs;
    Session session(jobs, cache.path().toStdString());
    FindingsLoader loader(session);
    const CaptureId id = session.open(planted.path());
    QTRY_VERIFY_WITH_TIMEOUT(session.capture(id)->job == 0 && loader.results() != nullptr, 20'000);
    QCOMPARE(loader.found()->findings.size(), std::size_t{1});
    FindingThresholds strict;
    strict.rankKernelShare /= 2;
    loader.setThresholds(strict);
    QTRY_VERIFY(!loader.busy());
    QVERIFY2(loader.found()->findings.size() > 1, "other thresholds need the ranks");
    loader.setThresholds({});
    session.reload(id);
    QTRY_VERIFY_WITH_TIMEOUT(session.capture(id)->job == 0 && !loader.busy(), 20'000);
    QCOMPARE(loader.found()->findings.size(), std::size_t{1});
}

ALTI_TEST(TestCaptureResults)
#include "tst_capture_results.moc"
