#include "core/analysis/memory/memory_series.h"
#include "core/analysis/memory/static_memory.h"
#include "tests/core/analysis/memory_rows.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <limits>
#include <random>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr std::array kQuantities{MemoryQuantity::Allocated, MemoryQuantity::Reserved, MemoryQuantity::Active,
                                 MemoryQuantity::Fragmentation};

Cell cellOf(const SampleRow& row, MemoryQuantity quantity) {
    if (quantity == MemoryQuantity::Allocated) return row.allocated;
    if (quantity == MemoryQuantity::Reserved) return row.reserved;
    if (quantity == MemoryQuantity::Active) return row.active;
    if (!row.allocated || !row.reserved || *row.reserved <= 0) return std::nullopt;
    return std::llround((1 - static_cast<double>(*row.allocated) / static_cast<double>(*row.reserved)) * 1e9);
}

/// Rows of one component (and stream) by time.
std::vector<SampleRow> rowsOf(std::vector<SampleRow> rows, const std::string& component, bool byStream, Cell stream) {
    std::erase_if(rows, [&](const SampleRow& row) {
        return row.component != component || !row.time || (byStream && row.stream != stream);
    });
    std::stable_sort(rows.begin(), rows.end(),
                     [](const SampleRow& a, const SampleRow& b) { return *a.time < *b.time; });
    return rows;
}

std::vector<SampleRow> randomRows(std::size_t count, bool shuffled, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<SampleRow> rows;
    std::int64_t time = 1'000;
    for (std::size_t i = 0; i < count; ++i) {
        time += static_cast<std::int64_t>(random() % 4);
        SampleRow row{.component = random() % 3 == 0 ? "GE" : "PTA", .time = time};
        row.reserved = static_cast<std::int64_t>(random() % 1000);
        if (random() % 4 != 0)
            row.allocated = static_cast<std::int64_t>(random() % (static_cast<std::size_t>(*row.reserved) + 1));
        if (random() % 50 == 0) row.active = static_cast<std::int64_t>(random() % 1'000'000);
        if (random() % 5 != 0) row.stream = static_cast<std::int64_t>(random() % 2);
        if (random() % 100 == 0) row.time.reset();
        rows.push_back(row);
    }
    if (shuffled) std::shuffle(rows.begin(), rows.end(), random);
    return rows;
}

}  // namespace

/// Curves of memory against what every sample says, one by one.
class TestMemorySeries : public QObject {
    Q_OBJECT
private slots:
    void seriesHoldTheirSamples_data();
    void seriesHoldTheirSamples();
    void noSpikeIsLost_data();
    void noSpikeIsLost();
    void valuesAndPeaks();
    void bordersOfHugeWindows();
    void streamsBeyondTheMost();
    void oneSample();
    void nothing();
    void staticGraphOnNodes();

private:
    static std::shared_ptr<const MemorySeries> find(const MemorySeriesSet& set, const std::string& component,
                                                    Cell stream = {}) {
        for (const auto& series : set.series) {
            if (series->component() == component && series->stream() == stream) return series;
        }
        return nullptr;
    }
};

void TestMemorySeries::seriesHoldTheirSamples_data() {
    QTest::addColumn<bool>("byStream");
    QTest::addColumn<bool>("shuffled");
    for (const bool byStream : {false, true}) {
        for (const bool shuffled : {false, true})
            QTest::addRow("%s, %s", byStream ? "by stream" : "by component", shuffled ? "out of order" : "by time")
                << byStream << shuffled;
    }
}

void TestMemorySeries::seriesHoldTheirSamples() {
    QFETCH(bool, byStream);
    QFETCH(bool, shuffled);
    const auto rows = randomRows(150'000, shuffled, 5);
    const auto set = memorySeries(sampleRows(rows), byStream, {});
    QVERIFY(set);
    QCOMPARE(set->excluded, std::size_t{0});
    QCOMPARE(set->series.size(), std::size_t{byStream ? 6U : 2U});
    for (const auto& series : set->series) {
        const auto expected = rowsOf(rows, series->component(), byStream, series->stream());
        QCOMPARE(series->size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(series->time(i).value, *expected[i].time);
            for (const MemoryQuantity quantity : kQuantities)
                QCOMPARE(series->value(quantity, i), cellOf(expected[i], quantity));
        }
    }
}

void TestMemorySeries::noSpikeIsLost_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("shuffled");
    for (const int count : {1, 5, 16, 17, 300, 5000, 20'000}) QTest::addRow("%d samples", count) << count << false;
    for (const int count : {40, 7000}) QTest::addRow("%d samples out of order", count) << count << true;
}

void TestMemorySeries::noSpikeIsLost() {
    QFETCH(int, count);
    QFETCH(bool, shuffled);
    const auto rows = randomRows(static_cast<std::size_t>(count), shuffled, static_cast<unsigned>(count));
    const auto set = memorySeries(sampleRows(rows), false, {});
    std::mt19937 random(11);
    for (const auto& series : set->series) {
        const auto expected = rowsOf(rows, series->component(), false, {});
        for (int attempt = 0; attempt < 60; ++attempt) {
            const std::int64_t begin =
                900 + static_cast<std::int64_t>(random() % static_cast<unsigned>(2 * count + 200));
            const std::int64_t length = 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(2 * count + 50));
            const int columns = 1 + static_cast<int>(random() % 40);
            const auto borders = series->borders({{begin}, {begin + length}}, columns);
            QCOMPARE(borders.size(), static_cast<std::size_t>(columns) + 1);
            for (const MemoryQuantity quantity : kQuantities) {
                const auto envelope = series->envelope(quantity, borders);
                for (int column = 0; column < columns; ++column) {
                    MemoryExtremes extremes;
                    Cell selected;
                    for (const SampleRow& row : expected) {
                        const std::int64_t offset = *row.time - begin;
                        const auto value = cellOf(row, quantity);
                        if (!value) continue;
                        // The column of a time t is floor(t * columns / length).
                        if (offset * columns < column * length) selected = value;
                        if (offset * columns >= column * length && offset * columns < (column + 1) * length)
                            extremes.add(*value);
                    }
                    if (selected) extremes.add(*selected);
                    QCOMPARE(envelope[static_cast<std::size_t>(column)], extremes);
                }
            }
        }
    }
}

void TestMemorySeries::valuesAndPeaks() {
    const auto rows = randomRows(3000, false, 3);
    const auto set = memorySeries(sampleRows(rows), false, {});
    std::mt19937 random(2);
    for (const auto& series : set->series) {
        const auto expected = rowsOf(rows, series->component(), false, {});
        for (const MemoryQuantity quantity : kQuantities) {
            for (int attempt = 0; attempt < 200; ++attempt) {
                const std::size_t from = random() % (expected.size() + 1),
                                  to = from + random() % (expected.size() + 1 - from);
                Cell max;
                std::optional<std::size_t> at;
                for (std::size_t i = from; i < to; ++i) {
                    const auto value = cellOf(expected[i], quantity);
                    if (value && (!max || *value > *max)) {
                        max = value;
                        at = i;
                    }
                }
                QCOMPARE(series->peak(quantity, from, to), at);
                const std::int64_t time = 900 + static_cast<std::int64_t>(random() % 6000);
                Cell selected;
                for (const SampleRow& row : expected) {
                    if (*row.time <= time && cellOf(row, quantity)) selected = cellOf(row, quantity);
                }
                QCOMPARE(series->valueAt(quantity, {time}), selected);
            }
        }
    }
}

void TestMemorySeries::bordersOfHugeWindows() {
    const auto set = memorySeries(
        sampleRows(
            {{"PTA", -kMaxTimeNs, 1, 2, {}, {}}, {"PTA", 0, 5, 6, {}, {}}, {"PTA", kMaxTimeNs - 1, 3, 4, {}, {}}}),
        false, {});
    const auto borders = set->series[0]->borders({{-kMaxTimeNs}, {kMaxTimeNs}}, 2000);
    QCOMPARE(borders.front(), std::size_t{0});
    QCOMPARE(borders[1], std::size_t{1});
    QCOMPARE(borders[1000], std::size_t{1});
    QCOMPARE(borders[1001], std::size_t{2});
    QCOMPARE(borders.back(), std::size_t{3});
}

void TestMemorySeries::streamsBeyondTheMost() {
    std::vector<SampleRow> rows;
    for (std::int64_t stream = 0; stream < 300; ++stream) {
        for (std::int64_t i = 0; i <= stream % 2; ++i) rows.push_back({"PTA", stream, 1, 1, {}, stream});
    }
    const auto set = memorySeries(sampleRows(rows), true, {});
    QCOMPARE(set->series.size(), MemorySeriesSet::kMax);
    QCOMPARE(set->excluded, std::size_t{300} - MemorySeriesSet::kMax);
    // Every stream with two samples is there.
    QCOMPARE(
        std::count_if(set->series.begin(), set->series.end(), [](const auto& series) { return series->size() == 2; }),
        std::ptrdiff_t{150});
}

void TestMemorySeries::oneSample() {
    const auto set = memorySeries(sampleRows({{"APP", 50, {}, 7, {}, {}}}), false, {});
    const MemorySeries& app = *find(*set, "APP");
    QVERIFY(!app.has(MemoryQuantity::Allocated));
    QVERIFY(!app.has(MemoryQuantity::Fragmentation));
    QCOMPARE(app.whole(MemoryQuantity::Reserved), (MemoryExtremes{7, 7}));
    QCOMPARE(app.valueAt(MemoryQuantity::Reserved, {49}), std::nullopt);
    QCOMPARE(app.valueAt(MemoryQuantity::Reserved, {1000}), Cell(7));
}

void TestMemorySeries::nothing() {
    QVERIFY(memorySeries(nullptr, false, {})->series.empty());
    QVERIFY(memorySeries(allocationTable({{"a", 1, 1, 1}}), false, {})->series.empty());
}

void TestMemorySeries::staticGraphOnNodes() {
    struct Block {
        const char* graph;
        const char* name;
        Cell first, last;
        std::int64_t size;
    };
    const std::vector<Block> blocks{
        {"1", "a", 0, 1, 10},
        {"1", "b", 1, 6, 100},
        {"1", "c", 3, 4294967295, 1000},
        {"1", "d", 9, 9, 5},
        {"1", "TOTAL", 1, 4294967295, 1115},
        {"2", "e", 2, 3, 7},
        {"1", "backwards", 5, 4, 50},
        {"1", "nowhere", std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max(), 0}};
    const auto rows = sealedRows(RowKind::StaticMemory, [&](RowBatch& batch) {
        for (const Block& block : blocks) {
            batch.addRow();
            batch.setText(fixedColumn(RowKind::StaticMemory, "graph"), block.graph);
            batch.setText(fixedColumn(RowKind::StaticMemory, "name"), block.name);
            setCell(batch, "node_start", block.first);
            setCell(batch, "node_end", block.last);
            setCell(batch, "size", block.size);
        }
    });
    const auto graphs = staticGraphs(*rows);
    QCOMPARE(graphs.size(), std::size_t{2});
    QCOMPARE(graphs[0].lastNode, std::int64_t{9});
    QCOMPARE(graphs[0].total, Cell(1115));
    QCOMPARE(graphs[0].rows.size(), std::size_t{6});
    const std::int64_t used[] = {10, 110, 100, 1100, 1100, 1100, 1100, 1000, 1000, 1005};
    for (std::int64_t node = 0; node < 10; ++node)
        QCOMPARE(graphs[0].curve->valueAt(MemoryQuantity::Allocated, {node}), Cell(used[node]));
    QCOMPARE(graphs[1].total, Cell());
    QCOMPARE(graphs[1].curve->valueAt(MemoryQuantity::Allocated, {1}), Cell(0));
    QCOMPARE(graphs[1].curve->valueAt(MemoryQuantity::Allocated, {3}), Cell(7));
}

ALTI_TEST(TestMemorySeries)
#include "tst_memory_series.moc"
