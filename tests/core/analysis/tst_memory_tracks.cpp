#include "core/analysis/memory/memory_series.h"
#include "core/analysis/memory/memory_tracks.h"
#include "core/analysis/slices/track_window.h"
#include "tests/core/analysis/memory_rows.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <random>

using namespace altiscope;
using namespace altiscope::test;

/// Counters made of memory samples, against what the samples say.
class TestMemoryTracks : public QObject {
    Q_OBJECT
private slots:
    void countersHoldWhatSamplesSay();
    void nothingOfNothing();
};

void TestMemoryTracks::countersHoldWhatSamplesSay() {
    std::mt19937 random(7);
    std::vector<SampleRow> samples;
    std::int64_t time = 1'000;
    for (int i = 0; i < 5'000; ++i) {
        time += static_cast<std::int64_t>(random() % 3);
        SampleRow row{.component = random() % 3 == 0 ? "GE" : "PTA", .time = time};
        row.reserved = static_cast<std::int64_t>(random() % 3) << 20;
        if (random() % 4 != 0) row.allocated = static_cast<std::int64_t>(random() % 1000) << 19;
        if (row.component == "GE") row.active = static_cast<std::int64_t>(random() % 10);
        samples.push_back(row);
    }
    const auto trace = memoryTracks(sampleRows(samples), {});
    QVERIFY(trace != nullptr);
    QCOMPARE(trace->tracks().size(), std::size_t{2});
    std::size_t seriesCount = 0, sampleCount = 0;
    for (std::uint32_t t = 0; t < 2; ++t) {
        const Track& track = trace->track({t});
        QCOMPARE(track.process, std::string("Memory"));
        QCOMPARE(track.kind, TrackKind::Counter);
        const TrackExtent& extent = trace->extent({t});
        for (std::uint32_t s = extent.firstSeries; s < extent.firstSeries + extent.seriesCount; ++s, ++seriesCount) {
            const CounterSeries& series = trace->series()[s];
            const std::string name(trace->text(series.name));
            sampleCount += series.count;
            for (std::int64_t at = 990; at < time + 10; at += 7) {
                std::optional<double> expected;
                for (const SampleRow& row : samples) {
                    if (row.component != track.name || *row.time > at) continue;
                    const Cell value = name == "Allocated(MiB)"  ? row.allocated
                                       : name == "Reserved(MiB)" ? row.reserved
                                                                 : row.active;
                    if (value) expected = static_cast<double>(*value) / 1048576;
                }
                QCOMPARE(counterValueAt(*trace, series, {at}), expected);
            }
        }
    }
    QCOMPARE(seriesCount, std::size_t{5});  // "PTA" has no active memory
    QVERIFY2(sampleCount < 2 * samples.size(), "a third of the reserved values repeat the one before");
}

void TestMemoryTracks::nothingOfNothing() {
    QVERIFY(!hasMemorySamples(nullptr));
    QVERIFY(memoryTracks(nullptr, {}) == nullptr);
    const auto empty = sampleRows({SampleRow{.component = "PTA", .time = 5}});
    QVERIFY(hasMemorySamples(empty.get()));
    QVERIFY(memoryTracks(empty, {}) == nullptr);
    CancelToken cancelled;
    cancelled.requestCancel();
    SampleRow row{.component = "PTA", .time = 5};
    row.allocated = 1;
    QVERIFY(memoryTracks(sampleRows({row}), cancelled) == nullptr);
}

ALTI_TEST(TestMemoryTracks)
#include "tst_memory_tracks.moc"
