#include "core/analysis/communication/collective_chart.h"

#include "core/analysis/communication/late_ranks.h"
#include "core/base/threads/parallel.h"
#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <random>

using namespace altiscope;

namespace {

struct Row {
    std::int64_t begin = 0, elapsed = 0, transit = 0, wait = 0, synchronization = 0;
    std::string name = "hcom_allReduce__1_0", group = "g", kind = "collective";
    std::int64_t step = 5;
};

CollectiveRows rowsOf(std::uint32_t rank, const std::vector<Row>& rows) {
    RowTablesBuilder builder;
    constexpr RowKind C = RowKind::Collective;
    RowBatch batch = builder.batch(C);
    for (const Row& row : rows) {
        batch.addRow();
        batch.setInteger(fixedColumn(C, "step"), row.step);
        batch.setText(fixedColumn(C, "group_name"), row.group);
        batch.setText(fixedColumn(C, "op_name"), row.name);
        batch.setText(fixedColumn(C, "kind"), row.kind);
        batch.setInteger(fixedColumn(C, "ts"), row.begin);
        batch.setInteger(fixedColumn(C, "elapsed"), row.elapsed);
        if (row.transit >= 0) batch.setInteger(fixedColumn(C, "transit"), row.transit);
        batch.setInteger(fixedColumn(C, "wait"), row.wait);
        batch.setInteger(fixedColumn(C, "synchronization"), row.synchronization);
    }
    builder.commit(batch);
    WorkerArena arena(2);
    std::shared_ptr<const RowTables> made;
    arena.run([&] { made = builder.seal({}).value(); });
    return {{rank}, made, false};
}

std::shared_ptr<const CollectiveSet> setOf(const std::vector<CollectiveRows>& rows, const CollectiveQuery& query = {}) {
    WorkerArena arena(2);
    std::shared_ptr<const CollectiveSet> set;
    arena.run([&] { set = collectiveSet(rows, query, {}); });
    return set;
}

std::shared_ptr<const CollectiveChart> chartOf(const std::vector<CollectiveRows>& rows,
                                               const std::vector<RankClock>& clocks = {}) {
    WorkerArena arena(2);
    std::shared_ptr<const CollectiveChart> chart;
    const auto set = setOf(rows);
    arena.run([&] { chart = CollectiveChart::make(set, clocks, {}); });
    return chart;
}

/// Begins of what a set holds of a rank.
std::vector<std::int64_t> beginsOf(const CollectiveSet& set, std::size_t rank) {
    std::vector<std::int64_t> begins;
    for (const CollectiveItem& item : set.ranks[rank].items) begins.push_back(item.begin->value);
    return begins;
}

/// "0:[2,5)1x3 ..." lane, columns, item and count.
QString dump(const CollectiveChart& chart, TimeRange window, int columns) {
    QStringList parts;
    for (std::size_t lane = 0; lane < chart.laneCount(0); ++lane) {
        for (const CollectiveChart::Bar& bar : chart.bars(0, lane, window, columns))
            parts << QStringLiteral("%1:[%2,%3)%4x%5")
                         .arg(lane)
                         .arg(bar.first)
                         .arg(bar.last)
                         .arg(bar.item)
                         .arg(bar.count);
    }
    return parts.join(QChar(u' '));
}

}  // namespace

class TestCollectiveChart : public QObject {
    Q_OBJECT
private slots:
    void groupsThatNothingTellsApartAreNotCompared();
    void sendsArePairedWithNone();
    void ratiosNeedEveryTransit();
    void barsOfAWindow_data();
    void barsOfAWindow();
    void overlapsLieInLanes();
    void clocksAreMoved();
    void ranksAreAlignedByOneCollective();
    void everyItemIsCountedOnce();
    void sumsAndRatios();
    void choices();
    void unknownTransitIsNoZero();
    void lastToComeIsFound_data();
    void lastToComeIsFound();
    void unequalNumbersAreCompared();
    void sendsAreLeftOut();
    void pairsByOrder();
    void aRangeHoldsWhatIsDrawnThere();
};

void TestCollectiveChart::ranksAreAlignedByOneCollective() {
    const std::vector<CollectiveRows> rows{
        rowsOf(0, {{.begin = 100, .elapsed = 50}, {.begin = 400, .elapsed = 10}}),
        rowsOf(1, {{.begin = 120, .elapsed = 20}, {.begin = 1'000'500, .elapsed = 10}}),
        rowsOf(2, {{.begin = 7, .elapsed = 3}}), rowsOf(3, {{.begin = 9, .elapsed = 1}})};
    // Rank 1 drifts, rank 2 could not be aligned.
    std::vector<RankClock> clocks(4);
    clocks[0].state = RankClock::State::Reference;
    clocks[1].state = RankClock::State::Aligned;
    clocks[1].middle = TimeNs{1000};
    clocks[1].offset = 30;
    clocks[1].driftPpb = 1'000'000;
    const auto chart = chartOf(rows, clocks);
    const auto ends = [](const CollectiveChart& of) {
        return std::vector<std::int64_t>{of.aligned(0, 0).end.value, of.aligned(1, 0).end.value,
                                         of.aligned(2, 0).end.value, of.aligned(3, 0).end.value};
    };
    const auto byEnd = chartOf(rows, chart->clocksBy(CollectiveChart::Edge::End, {{0, 0}, {1, 0}, {2, 0}}, clocks));
    QCOMPARE(ends(*byEnd), (std::vector<std::int64_t>{150, 150, 150, 10}));
    // All of a rank moves along.
    QCOMPARE(byEnd->aligned(0, 1).begin.value, chart->aligned(0, 1).begin.value);
    QCOMPARE((byEnd->aligned(1, 1).begin - byEnd->aligned(1, 0).end).value,
             (chart->aligned(1, 1).begin - chart->aligned(1, 0).end).value);
    const auto byBegin = chartOf(rows, chart->clocksBy(CollectiveChart::Edge::Begin, {{1, 0}, {0, 0}}, clocks));
    QCOMPARE(byBegin->aligned(0, 0).begin.value, chart->aligned(1, 0).begin.value);
    QCOMPARE(byBegin->aligned(1, 0).begin.value, chart->aligned(1, 0).begin.value);
}

void TestCollectiveChart::barsOfAWindow_data() {
    QTest::addColumn<int>("begin");
    QTest::addColumn<int>("end");
    QTest::addColumn<int>("columns");
    QTest::addColumn<QString>("expected");
    // Items: 0 [0,10) 1 [20,24) 2 [25,26) 3 [26,29) 4 [60,100)
    QTest::newRow("each its own") << 0 << 100 << 100
                                  << QStringLiteral("0:[0,10)0x1 0:[20,24)1x1 0:[25,26)2x1 0:[26,29)3x1 0:[60,100)4x1");
    QTest::newRow("the longest stands for those in a pixel")
        << 0 << 100 << 10 << QStringLiteral("0:[0,1)0x1 0:[2,3)1x3 0:[6,10)4x1");
    QTest::newRow("cut at both ends") << 22 << 62 << 40
                                      << QStringLiteral("0:[0,2)1x1 0:[3,4)2x1 0:[4,7)3x1 0:[38,40)4x1");
    QTest::newRow("between") << 40 << 50 << 10 << QString();
    QTest::newRow("what ends at its begin is not in it") << 10 << 20 << 10 << QString();
}

void TestCollectiveChart::barsOfAWindow() {
    QFETCH(int, begin);
    QFETCH(int, end);
    QFETCH(int, columns);
    QFETCH(QString, expected);
    const auto chart = chartOf({rowsOf(0, {{0, 10}, {20, 4}, {25, 1}, {26, 3}, {60, 40}})});
    QCOMPARE(chart->range(), (TimeRange{{0}, {100}}));
    QCOMPARE(dump(*chart, {{begin}, {end}}, columns), expected);
}

void TestCollectiveChart::overlapsLieInLanes() {
    const auto chart = chartOf({rowsOf(0, {{0, 10}, {5, 10}, {10, 10}, {15, 0}})});
    QCOMPARE(chart->laneCount(0), std::size_t{2});
    QCOMPARE(dump(*chart, {{0}, {20}}, 20), QStringLiteral("0:[0,10)0x1 0:[10,20)2x1 1:[5,15)1x1 1:[15,16)3x1"));
}

void TestCollectiveChart::clocksAreMoved() {
    RankClock ahead;
    ahead.state = RankClock::State::Aligned;
    ahead.offset = -100;
    RankClock own;
    const auto chart = chartOf({rowsOf(0, {{100, 10}}), rowsOf(1, {{3, 10}})}, {ahead, own});
    QCOMPARE(chart->aligned(0, 0), (TimeRange{{0}, {10}}));
    QCOMPARE(chart->aligned(1, 0), (TimeRange{{3}, {13}}));
    QCOMPARE(chart->range(), (TimeRange{{0}, {13}}));
}

/// Whatever the zoom, counts add up to all items of the window.
void TestCollectiveChart::everyItemIsCountedOnce() {
    std::mt19937 random(3);
    std::vector<Row> rows;
    std::int64_t at = 0;
    for (int i = 0; i < 5000; ++i) {
        at += static_cast<std::int64_t>(random() % 50);
        rows.push_back({at, static_cast<std::int64_t>(random() % (i % 100 == 0 ? 2000 : 60))});
    }
    const auto chart = chartOf({rowsOf(0, rows)});
    for (const int columns : {1, 7, 100, 1000, 50000}) {
        std::uint64_t count = 0;
        for (std::size_t lane = 0; lane < chart->laneCount(0); ++lane) {
            for (const auto& bar :
                 chart->bars(0, lane, {chart->range().begin, chart->range().end + DurationNs{1}}, columns)) {
                QVERIFY(bar.first < bar.last && bar.last <= columns);
                count += bar.count;
            }
        }
        QCOMPARE(count, std::uint64_t{5000});
    }
}

void TestCollectiveChart::sumsAndRatios() {
    const auto set = setOf({rowsOf(3, {{0, 100, 20, 60, 30}, {200, 50, 10, 30, 0}})});
    const CollectiveSpent& sum = set->ranks[0].sum;
    QCOMPARE(sum.elapsed, 150);
    QCOMPARE(*sum.transit, 30);
    QCOMPARE(sum.wait, 90);
    QCOMPARE(*sum.waitRatio(), 0.75);
    QCOMPARE(*sum.synchronizationRatio(), 0.5);
    QCOMPARE(set->ranks[0].rank.value, 3U);
}

void TestCollectiveChart::choices() {
    const std::vector<CollectiveRows> rows{rowsOf(0, {{0, 1, 0, 0, 0, "hcom_allReduce__1_0", "a"},
                                                      {10, 2, 0, 0, 0, "hcom_send__1_0", "b"},
                                                      {20, 4, 0, 0, 0, "hcom_allReduce__1_1", "b", "collective", 6}})};
    const auto elapsed = [&](const CollectiveQuery& query) {
        const auto set = setOf(rows, query);
        return set->ranks.empty() ? std::int64_t{0} : set->ranks[0].sum.elapsed;
    };
    QCOMPARE(elapsed({}), 7);
    QCOMPARE(elapsed({.steps = {5}}), 3);
    QCOMPARE(elapsed({.groups = {"b"}}), 6);
    QCOMPARE(elapsed({.type = "allreduce"}), 5);
    QCOMPARE(elapsed({.name = "hcom_send__1_0"}), 2);
    QCOMPARE(elapsed({.groups = {"nobody"}}), 0);
    QCOMPARE(setOf(rows)->types, (std::vector<std::string>{"allreduce", "send"}));
}

void TestCollectiveChart::unknownTransitIsNoZero() {
    const auto set = setOf({rowsOf(0, {{0, 100, -1, 60, 30}})});
    QVERIFY(!set->ranks[0].sum.transit);
    QVERIFY(!set->ranks[0].sum.waitRatio());
}

void TestCollectiveChart::lastToComeIsFound_data() {
    QTest::addColumn<QList<int>>("elapsed");  // of one collective by rank
    QTest::addColumn<int>("last");            // -1: nobody
    QTest::newRow("two ranks, one much shorter") << QList<int>{100, 50} << 1;
    QTest::newRow("two ranks alike") << QList<int>{100, 90} << -1;
    QTest::newRow("three ranks are judged, too") << QList<int>{100, 20, 101} << 1;
    QTest::newRow("ten ranks, one short") << QList<int>{100, 101, 99, 100, 102, 98, 40, 100, 101, 99} << 6;
    QTest::newRow("spread") << QList<int>{60, 70, 80, 90, 100, 110, 120, 130} << -1;
    QTest::newRow("all the same but one") << QList<int>{100, 100, 100, 100, 80} << 4;
}

void TestCollectiveChart::groupsThatNothingTellsApartAreNotCompared() {
    const auto named = [](const std::string& name, std::int64_t elapsed) {
        return Row{.elapsed = elapsed, .name = name, .group = ""};
    };
    // No name of a group, and none in the operators' names.
    std::vector<CollectiveRows> rows{rowsOf(0, {named("allreduce", 100)}), rowsOf(1, {named("allreduce", 10)})};
    for (const LateRank& late : lateRanks(*setOf(rows), {})) QCOMPARE(late.compared, std::uint64_t{0});
    QCOMPARE(pairedItems(*setOf(rows), {0, 0}).size(), std::size_t{1});
    // Two groups by their digits: the second one of rank 0 is the only one of rank 1.
    rows = {rowsOf(0, {named("hcom_allReduce__1_0", 100), named("hcom_allReduce__2_0", 100)}),
            rowsOf(1, {named("hcom_allReduce__2_0", 10)})};
    const auto set = setOf(rows);
    const auto late = lateRanks(*set, {});
    QCOMPARE(late[0].compared, std::uint64_t{1});
    QCOMPARE(late[1].last, std::uint64_t{1});
    QCOMPARE(late[1].waited, std::int64_t{90});
    const auto paired = pairedItems(*set, {0, 1});
    QCOMPARE(paired.size(), std::size_t{2});
    QCOMPARE(paired[1].item, std::uint32_t{0});
}

void TestCollectiveChart::sendsArePairedWithNone() {
    const Row send{.elapsed = 5, .name = "hcom_send__1_0", .kind = "p2p"};
    QCOMPARE(pairedItems(*setOf({rowsOf(0, {send}), rowsOf(1, {send})}), {1, 0}).size(), std::size_t{1});
}

void TestCollectiveChart::ratiosNeedEveryTransit() {
    const Row reported{.elapsed = 40, .transit = 30, .wait = 10, .synchronization = 10},
        unknown{.begin = 50, .elapsed = 100, .transit = -1, .wait = 100, .synchronization = 100};
    const auto sumOf = [](const std::vector<Row>& rows) { return setOf({rowsOf(0, rows)})->ranks[0].sum; };
    QCOMPARE(*sumOf({reported, reported}).waitRatio(), 0.25);
    QCOMPARE(*sumOf({reported}).synchronizationRatio(), 0.25);
    const CollectiveSpent mixed = sumOf({reported, unknown});
    QCOMPARE(*mixed.transit, std::int64_t{30});
    QVERIFY(!mixed.waitRatio() && !mixed.synchronizationRatio());
}

void TestCollectiveChart::lastToComeIsFound() {
    QFETCH(QList<int>, elapsed);
    QFETCH(int, last);
    std::vector<CollectiveRows> rows;
    for (const int time : elapsed) rows.push_back(rowsOf(static_cast<std::uint32_t>(rows.size()), {{0, time}}));
    const std::vector<LateRank> late = lateRanks(*setOf(rows), {});
    for (int rank = 0; rank < static_cast<int>(late.size()); ++rank) {
        const LateRank& one = late[static_cast<std::size_t>(rank)];
        QCOMPARE(one.compared, std::uint64_t{1});
        QCOMPARE(one.last, std::uint64_t(rank == last ? 1 : 0));
        std::int64_t waited = 0;
        for (const int time : elapsed) waited += time - elapsed[std::max(0, last)];
        QCOMPARE(one.waited, rank == last ? waited : 0);
    }
}

void TestCollectiveChart::unequalNumbersAreCompared() {
    // Rank 2 recorded one more: the others are held against each other nevertheless.
    const auto set = setOf({rowsOf(0, {{0, 100}, {200, 100}}), rowsOf(1, {{0, 10}, {200, 100}}),
                            rowsOf(2, {{0, 100}, {200, 100}, {400, 100}})});
    const std::vector<LateRank> late = lateRanks(*set, {});
    QCOMPARE(late[1].last, std::uint64_t{1});
    QCOMPARE(late[0].compared, std::uint64_t{2});
    QCOMPARE(late[2].compared, std::uint64_t{0});
}

void TestCollectiveChart::sendsAreLeftOut() {
    const auto send = [](std::int64_t elapsed) { return Row{0, elapsed, 0, 0, 0, "hcom_send__1_0", "g", "p2p"}; };
    for (const LateRank& late : lateRanks(*setOf({rowsOf(0, {send(100)}), rowsOf(1, {send(10)})}), {}))
        QCOMPARE(late.compared, std::uint64_t{0});
}

void TestCollectiveChart::pairsByOrder() {
    // Not in the order of their begins, and with numbers in names that differ.
    const auto set =
        setOf({rowsOf(0, {{500, 1, 0, 0, 0, "hcom_allReduce__1_9"}, {100, 1, 0, 0, 0, "hcom_allReduce__1_8"}}),
               rowsOf(1, {{90, 1, 0, 0, 0, "hcom_allReduce__1_0"},
                          {300, 1, 0, 0, 0, "hcom_broadcast__1_1"},
                          {510, 1, 0, 0, 0, "hcom_allReduce__1_2"}}),
               rowsOf(2, {{90, 1, 0, 0, 0, "hcom_allReduce__1_0"}})});
    const auto paired = pairedItems(*set, {0, 0});
    QCOMPARE(paired.size(), std::size_t{2});
    QCOMPARE(paired[0].item, 0U);
    QCOMPARE(paired[1].row, std::size_t{1});
    QCOMPARE(paired[1].item, 2U);
}

/// Rank 1 is drawn 100 ns later than it was recorded.
void TestCollectiveChart::aRangeHoldsWhatIsDrawnThere() {
    std::vector<CollectiveRows> rows{rowsOf(0, {{0, 10}, {100, 10}, {200, 10}}),
                                     rowsOf(1, {{0, 10}, {100, 10}, {200, 10}})};
    rows[1].drawnLater = DurationNs{100};
    const auto set = setOf(rows, {.range = TimeRange{{105}, {150}}});
    QCOMPARE(beginsOf(*set, 0), std::vector<std::int64_t>{100});
    QCOMPARE(beginsOf(*set, 1), std::vector<std::int64_t>{0});
}

ALTI_TEST(TestCollectiveChart)
#include "tst_collective_chart.moc"
