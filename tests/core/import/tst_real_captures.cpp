#include "tests/support/capture_dump.h"
#include "tests/support/python_script.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <QByteArray>
#include <QFile>
#include <QTest>

#include <nlohmann/json.hpp>

#include <map>
#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// What tests/support/count_trace.py, which knows nothing of our code, counts in a trace.
nlohmann::json countedByScript(const std::filesystem::path& trace) {
    return nlohmann::json::parse(runScript("count_trace.py", {trace}).value_or(""), nullptr, false);
}

}  // namespace

/// Captures of real runs.
class TestRealCaptures : public QObject {
    Q_OBJECT

private slots:
    void exactCounts_data();
    void exactCounts();
    void identity();
    void nothingLost_data();
    void nothingLost();
    void sameForThreadsAndChunks();
};

void TestRealCaptures::exactCounts_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("trace");
    const QString inside = QStringLiteral("ASCEND_PROFILER_OUTPUT/trace_view.json");
    for (const char* folder :
         {"torch_text/level0/rank0_ascend_pt", "torch_text/level0/rank1_ascend_pt", "torch_text/level1/rank0_ascend_pt",
          "torch_text/level1/rank1_ascend_pt", "raw/torch/expected"})
        QTest::addRow("%s", folder) << QString::fromUtf8(folder) << inside;
}

void TestRealCaptures::exactCounts() {
    QFETCH(QString, folder);
    QFETCH(QString, trace);
    const auto path = sharedData(folder.toStdString());
    if (!path) QSKIP(kNoSharedData);
    const nlohmann::json counted = countedByScript(*path / trace.toStdString());
    QVERIFY(counted.is_object());

    const auto result = importForTest(*path);
    QVERIFY(result.ok());
    QCOMPARE(result.value()->ranks.size(), std::size_t{1});
    const TraceStore& store = *result.value()->ranks[0].trace;
    QCOMPARE(store.columns().sampleTime.size(), counted["counters"].get<std::size_t>());
    QCOMPARE(store.flowCount(), counted["flows"].get<std::size_t>());
    std::map<std::string, std::int64_t> sums;
    std::size_t slices = 0;
    for (const DepthRun& run : store.runs()) {
        // Call stacks are made of arguments.
        if (store.track({run.track}).origin == Origin::Computed) continue;
        slices += run.count;
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i)
            sums[store.track({run.track}).process] += store.duration({i}).value;
    }
    QCOMPARE(slices, counted["slices"].get<std::size_t>());
    QCOMPARE(sums, (counted["dur"].get<std::map<std::string, std::int64_t>>()));
}

void TestRealCaptures::identity() {
    const auto path = sharedData("torch_text/level1");
    if (!path) QSKIP(kNoSharedData);
    const auto result = importForTest(*path);
    QVERIFY(result.ok());
    QCOMPARE(result.value()->state, CaptureStore::State::Ok);
    QCOMPARE(result.value()->ranks.size(), std::size_t{2});
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        const RankInfo& info = result.value()->ranks[static_cast<std::size_t>(rank)].info;
        QCOMPARE(info.rankId, std::optional(rank));
        QCOMPARE(info.deviceId, std::optional(rank));
        QCOMPARE(info.framework, Framework::Torch);
        QCOMPARE(info.path, "rank" + std::to_string(rank) + "_ascend_pt");
    }
}

void TestRealCaptures::nothingLost_data() {
    QTest::addColumn<QString>("folder");
    for (const char* folder :
         {"torch_text", "torch_db", "mindspore_legacy", "raw/small/expected", "raw/flip_ffts/expected", "raw/torch"})
        QTest::addRow("%s", folder) << QString::fromUtf8(folder);
}

/// Nothing of a sound trace is repaired or lost.
void TestRealCaptures::nothingLost() {
    QFETCH(QString, folder);
    const auto path = sharedData(folder.toStdString());
    if (!path) QSKIP(kNoSharedData);
    const auto result = importForTest(*path);
    QVERIFY(result.ok());
    std::size_t slices = 0;
    for (const RankEntry& rank : result.value()->ranks) slices += rank.trace ? rank.trace->sliceCount() : 0;
    QVERIFY(slices > 0);
    for (const Diagnostic& one : result.value()->diagnostics.entries())
        QVERIFY2(one.severity == Severity::Info, (one.code + ' ' + one.file).c_str());
}

void TestRealCaptures::sameForThreadsAndChunks() {
    const auto path = sharedData("torch_text/level1/rank0_ascend_pt");
    if (!path) QSKIP(kNoSharedData);
    const auto first = importForTest(*path, {.threads = 1});
    const std::string expected = storeBytes(*first.value()->ranks[0].trace);
    for (const unsigned threads : {1U, 2U, 7U}) {
        for (const std::size_t chunk : {1000, 54321, 1000000}) {
            const auto again = importForTest(*path, {.threads = threads, .chunkBytes = chunk});
            QVERIFY(storeBytes(*again.value()->ranks[0].trace) == expected);
        }
    }
}

ALTI_TEST(TestRealCaptures)
#include "tst_real_captures.moc"
