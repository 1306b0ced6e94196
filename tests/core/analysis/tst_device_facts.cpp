#include "core/analysis/capture_analysis.h"
#include "core/analysis/memory/memory_allocations.h"
#include "core/analysis/memory/memory_peaks.h"
#include "core/analysis/memory/memory_tracks.h"
#include "core/base/threads/parallel.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace altiscope;
using altiscope::test::addKernelRows;
using altiscope::test::addRow;
using altiscope::test::rankTrace;
using altiscope::test::rowsOf;
using altiscope::test::RowText;

namespace {

using Device = std::optional<std::int64_t>;

/// Samples of memory; a device below 0 is not named.
struct Sample {
    std::string component;
    std::int64_t device = 0, time = 0, allocated = 0;
};

RowText textOf(const Sample& sample) {
    RowText text{{"component", sample.component},
                 {"ts", std::to_string(sample.time)},
                 {"allocated", std::to_string(sample.allocated)},
                 {"reserved", std::to_string(2 * sample.allocated)}};
    if (sample.device >= 0) text.emplace_back("device_id", std::to_string(sample.device));
    return text;
}

std::shared_ptr<const RowTables> samplesOf(RowKind kind, const std::vector<Sample>& samples) {
    std::vector<RowText> rows;
    for (const Sample& sample : samples) {
        rows.push_back(textOf(sample));
        if (kind == RowKind::ModuleMemory)
            std::erase_if(rows.back(), [](const auto& cell) { return cell.first == "allocated"; });
    }
    return rowsOf(kind, rows);
}

std::vector<Sample> randomSamples(std::int64_t devices) {
    std::mt19937 random(static_cast<unsigned>(devices));
    std::vector<Sample> samples;
    for (std::int64_t time = 0; time < 3'000; ++time)
        samples.push_back({random() % 3 == 0 ? "GE" : "PTA", static_cast<std::int64_t>(random()) % devices, time,
                           static_cast<std::int64_t>(random() % 100'000)});
    return samples;
}

std::shared_ptr<const CaptureStore> captureOf(RankEntry rank) {
    auto capture = std::make_shared<CaptureStore>();
    capture->ranks.push_back(std::move(rank));
    return capture;
}

}  // namespace

/// What is computed of a rank that recorded several NPUs: of each by itself, never of their sum.
class TestDeviceFacts : public QObject {
    Q_OBJECT
private slots:
    void memoryIsThatOfEachDevice_data();
    void memoryIsThatOfEachDevice();
    void memoryIsOnOneDevice();
    void aLeakOfOneDeviceIsNotHiddenByAnother();
    void operatorsAreSummedUpByDevice();
    void kernelsAreThoseOfTheBusiestDevice();
    void devicesAreDistinguishedWithoutATimeline();
};

void TestDeviceFacts::memoryIsThatOfEachDevice_data() {
    QTest::addColumn<int>("devices");
    for (const int devices : {1, 3}) QTest::addRow("%d", devices) << devices;
}

void TestDeviceFacts::memoryIsThatOfEachDevice() {
    QFETCH(int, devices);
    const std::vector<Sample> samples = randomSamples(devices);
    std::map<std::pair<std::string, Device>, std::pair<std::uint64_t, std::int64_t>> expected;
    for (const Sample& sample : samples) {
        auto& [count, most] = expected[{sample.component, devices > 1 ? Device(sample.device) : std::nullopt}];
        ++count;
        most = std::max(most, 2 * sample.allocated);
    }
    WorkerArena arena(2);
    arena.run([&] {
        const auto rows = samplesOf(RowKind::MemorySample, samples);
        const auto set = memorySeries(rows, false, {});
        QVERIFY(set.has_value());
        auto peaks = componentPeaks(*set, std::nullopt);
        QCOMPARE(peaks.size(), expected.size());
        const auto modules = modulePeaks(*samplesOf(RowKind::ModuleMemory, samples), std::nullopt, {});
        QCOMPARE(modules.size(), expected.size());
        peaks.insert(peaks.end(), modules.begin(), modules.end());
        std::int64_t fullest = 0;
        for (const ComponentPeak& peak : peaks) {
            const auto& [count, most] = expected[{peak.owner.component, peak.owner.device}];
            QCOMPARE(peak.samples, count);
            QCOMPARE(peak.reserved->value, most);
            if (peak.owner.component == "PTA") fullest = std::max(fullest, most);
        }
        QCOMPARE(leadingPeak(*leadingSeries(*set), std::nullopt)->value, fullest / 2);
        QCOMPARE(memoryTracks(rows, {})->tracks().size(), expected.size());
    });
}

void TestDeviceFacts::memoryIsOnOneDevice() {
    const auto table =
        rowsOf(RowKind::Allocation, {{{"name", "a"}, {"size", "1"}, {"alloc_ts", "1"}, {"device_id", "0"}},
                                     {{"name", "a"}, {"size", "2"}, {"alloc_ts", "1"}, {"device_id", "1"}},
                                     {{"name", "a"}, {"size", "4"}, {"alloc_ts", "1"}}});
    QCOMPARE(aliveAt(*table, {5}, std::nullopt, {})->bytes, 7);
    QCOMPARE(aliveAt(*table, {5}, 1, {})->bytes, 2);
    AllocationQuery query{.touched = {}, .aliveAt = TimeNs{5}};
    query.device = 0;
    QVERIFY(*allocationRows(*table->find(RowKind::Allocation), query, {}) == std::vector<std::uint32_t>{0});
    // Rows of one device need not name it: they are all of it.
    const auto one = rowsOf(RowKind::Allocation, {{{"name", "a"}, {"size", "8"}, {"alloc_ts", "1"}}});
    QCOMPARE(aliveAt(*one, {5}, 1, {})->bytes, 8);
}

void TestDeviceFacts::aLeakOfOneDeviceIsNotHiddenByAnother() {
    RankEntry rank;
    rank.trace = rankTrace("Ascend Hardware/Stream 1: MatMul[10,20)\n");
    rank.steps = {{1, TimeRange{{0}, {100}}}, {2, TimeRange{{100}, {200}}}, {3, TimeRange{{200}, {300}}}};
    RowTablesBuilder builder;
    // One grows by 8 a step, the other shrinks by as much.
    for (int step = 0; step < 4; ++step) {
        for (const int device : {0, 1})
            addRow(
                builder, RowKind::MemorySample,
                textOf({"PTA", device, 95 + 100 * (step - 1) + device, device == 1 ? 100 + 8 * step : 100 - 8 * step}));
    }
    for (const int device : {0, 1})
        addRow(builder, RowKind::Allocation,
               {{"size", std::to_string(1 + device)}, {"alloc_ts", "10"}, {"device_id", std::to_string(device)}});
    rank.rows = builder.seal({}).value();
    const auto facts = CaptureAnalysis(captureOf(rank)).facts({});
    const std::vector<PoolFacts>& pools = facts->ranks[0].pools;
    QCOMPARE(pools.size(), std::size_t{2});
    QCOMPARE(pools[1].device, Device(1));
    QVERIFY((pools[0].allocatedAtBorders == std::vector<std::int64_t>{100, 92, 84, 76}));
    QVERIFY((pools[1].allocatedAtBorders == std::vector<std::int64_t>{100, 108, 116, 124}));
    QVERIFY((pools[1].lowestInSteps == std::vector<std::int64_t>{108, 116, 124}));
    QVERIFY((pools[1].lowestFromBegins == std::vector<std::int64_t>{100, 108, 116}));
    QVERIFY((pools[0].keptAllocations == std::vector<std::int64_t>{1, 0}));
    QVERIFY((pools[1].keptAllocations == std::vector<std::int64_t>{2, 0}));
}

void TestDeviceFacts::operatorsAreSummedUpByDevice() {
    // Of a row that names no device the track of its slice tells it.
    for (const bool named : {false, true}) {
        RankEntry rank;
        rank.info.deviceId = 4;
        rank.trace = rankTrace("Ascend Hardware:NPU 4/Stream 1: Add[0,10) Add[20,40)\n"
                               "Ascend Hardware:NPU 5/Stream 1: Add[10,90)\n");
        RowTablesBuilder builder;
        if (!named) addKernelRows(builder, *rank.trace, 1);
        for (const auto& [device, duration] : {std::pair("4", "10"), {"4", "20"}, {"5", "80"}}) {
            if (!named) break;
            addRow(builder, RowKind::Kernel,
                   {{"kind", "compute"},
                    {"name", "Add"},
                    {"type", "Add"},
                    {"accelerator_core", "AI_CORE"},
                    {"ts", "0"},
                    {"dur", duration},
                    {"device_id", device}});
        }
        rank.rows = builder.seal({}).value();
        const CaptureAnalysis analysis(captureOf(rank));
        const auto computed = analysis.rank({0}, {});
        const RowTable& table = *computed->rows->find(RowKind::OpStat);
        const auto cell = [&](const char* column, std::size_t row) {
            return table.integer(rowColumn(RowKind::OpStat, column), row);
        };
        QCOMPARE(table.size(), std::size_t{2});
        QCOMPARE(*cell("device_id", 0), 5);  // the most time first
        QCOMPARE(*cell("total", 0), 80);
        QCOMPARE(*cell("device_id", 1), 4);
        QCOMPARE(*cell("count", 1), 2);
        QCOMPARE(*cell("total", 1), 30);
    }
}

void TestDeviceFacts::kernelsAreThoseOfTheBusiestDevice() {
    RankEntry rank;
    rank.trace = rankTrace("Ascend Hardware:NPU 4/Stream 1: Add[0,10)\n"
                           "Ascend Hardware:NPU 5/Stream 1: MatMul[0,50) MatMul[50,90)\n"
                           "Communication:NPU 4/Group 0 Communication: hcom_allReduce__1_0_1[10,20)\n"
                           "Communication:NPU 5/Group 0 Communication: hcom_allReduce__1_0_1[90,95)\n");
    RowTablesBuilder builder;
    addKernelRows(builder, *rank.trace, 1);
    rank.rows = builder.seal({}).value();
    const auto facts = CaptureAnalysis(captureOf(rank)).facts({});
    const RankFacts& found = facts->ranks.at(0);
    QCOMPARE(found.device, Device(5));
    QCOMPARE(found.steps.at(0).computing, 90);
    QCOMPARE(found.kernelCount, std::uint64_t{2});
    QVERIFY(found.kernels.contains("MatMul") && !found.kernels.contains("Add"));
    QCOMPARE(found.collectives.at(0).all.total, 5);
}

void TestDeviceFacts::devicesAreDistinguishedWithoutATimeline() {
    RankEntry rank;
    RowTablesBuilder builder;
    for (const auto& [device, begin] : {std::pair(0, 1'000), {1, 1'000}, {1, 1'200}})
        addRow(builder, RowKind::Kernel,
               {{"step", "1"},
                {"kind", "compute"},
                {"name", "Add"},
                {"type", "Add"},
                {"ts", std::to_string(begin)},
                {"dur", "100"},
                {"device_id", std::to_string(device)}});
    rank.rows = builder.seal({}).value();
    const auto facts = CaptureAnalysis(captureOf(rank)).facts({});
    const RankFacts& found = facts->ranks.at(0);
    QCOMPARE(found.device, Device(1));
    QCOMPARE(found.steps.at(0).computing, 200);
    QCOMPARE(found.kernelCount, std::uint64_t{2});
}

ALTI_TEST(TestDeviceFacts)
#include "tst_device_facts.moc"
