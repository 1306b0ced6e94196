#include "tests/support/test_main.h"
#include "tests/views/cluster/placed_ranks.h"
#include "views/cluster/data/rank_grid.h"

#include <cmath>
#include <limits>
#include <random>
#include <set>

using namespace altiscope;
using namespace altiscope::test;

/// Where ranks lie as cells, and what cells of several ranks show.
class TestRankGrid : public QObject {
    Q_OBJECT
private slots:
    void blocksHoldTensorAcrossAndStagesDown();
    void ranksWithoutDimensionsFollowEachOther();
    void eachRankHasACellOfItsOwn();
    void foldedDimensionsShareCells();
    void unknownValuesAreNotFolded();
    void arrowsJumpOverGaps();
};

namespace {

QPointF placeOf(const RankGrid& grid, std::size_t rank) {
    const RankGrid::Cell& cell = grid.cells()[grid.cellOf(rank)];
    return {cell.x, cell.y};
}

}  // namespace

void TestRankGrid::blocksHoldTensorAcrossAndStagesDown() {
    // Rank = tp + 4 * (dp + 2 * pp): two blocks of 4 by 2 beside each other.
    const RankGrid grid = RankGrid::make(placedRanks({{"tp", 4}, {"dp", 2}, {"pp", 2}}), {});
    QCOMPARE(grid.cells().size(), std::size_t{16});
    QCOMPARE(grid.blocks().size(), std::size_t{2});
    QCOMPARE(placeOf(grid, 0), QPointF(0, 0.7));
    QCOMPARE(placeOf(grid, 3), QPointF(3, 0.7));
    QCOMPARE(placeOf(grid, 8), QPointF(0, 1.7));    // tp 0, dp 0, pp 1
    QCOMPARE(placeOf(grid, 5), QPointF(5.3, 0.7));  // tp 1, dp 1, pp 0
    QCOMPARE(placeOf(grid, 13), QPointF(5.3, 1.7));
    QCOMPARE(grid.width(), 8.3);
    QCOMPARE(grid.height(), 2.7);
    QCOMPARE(grid.cellAt(5.8, 1.2).value(), grid.cellOf(5));
    QVERIFY(!grid.cellAt(4.1, 1.2));  // between the blocks
    QVERIFY(!grid.cellAt(1, 0.3));    // their names
    QVERIFY(!grid.cellAt(8.3, 1) && !grid.cellAt(1, 2.7) && !grid.cellAt(-0.1, 1));
    QCOMPARE(grid.rowKind(), std::string("pp"));
    QCOMPARE(grid.columnKinds(), std::vector<std::string>{"tp"});
    using At = std::vector<std::pair<std::string, std::uint32_t>>;
    QCOMPARE(grid.blocks()[1].at, (At{{"dp", 1}}));
    QCOMPARE(QPointF(grid.blocks()[1].x, grid.blocks()[1].y), QPointF(4.3, 0.7));
}

void TestRankGrid::ranksWithoutDimensionsFollowEachOther() {
    RankPlaces places;
    for (std::uint32_t r = 0; r < 16; ++r) places.ranks.push_back({r, rankIndex(r), {}});
    const RankGrid grid = RankGrid::make(places, {});
    QCOMPARE(placeOf(grid, 7), QPointF(7, 0));
    QCOMPARE(placeOf(grid, 8), QPointF(0, 1));
    QVERIFY(grid.blocks().empty());
    QVERIFY(RankGrid::make({}, {}).cells().empty());
    QVERIFY(!RankGrid::make({}, {}).cellAt(0, 0));
}

void TestRankGrid::eachRankHasACellOfItsOwn() {
    std::mt19937 random(1);
    for (int round = 0; round < 40; ++round) {
        const auto size = [&] { return 1 + static_cast<std::uint32_t>(random() % 6); };
        std::vector<std::pair<std::string, std::uint32_t>> sizes;
        for (const char* kind : {"tp", "cp", "dp", "pp"})
            if (const std::uint32_t one = size(); one > 1) sizes.emplace_back(kind, one);
        const RankPlaces places = placedRanks(sizes);
        const RankGrid grid = RankGrid::make(places, {});
        QCOMPARE(grid.cells().size(), places.ranks.size());
        std::set<std::pair<double, double>> seen;
        for (std::size_t i = 0; i < grid.cells().size(); ++i) {
            const RankGrid::Cell& cell = grid.cells()[i];
            QVERIFY(seen.emplace(cell.x, cell.y).second);
            QVERIFY(cell.x >= 0 && cell.y >= 0 && cell.x + 1 <= grid.width() + 1e-9 &&
                    cell.y + 1 <= grid.height() + 1e-9);
            for (const double off : {0.02, 0.5, 0.98}) QCOMPARE(grid.cellAt(cell.x + off, cell.y + off).value(), i);
        }
    }
}

void TestRankGrid::foldedDimensionsShareCells() {
    const RankPlaces places = placedRanks({{"tp", 4}, {"dp", 2}, {"pp", 2}});
    const RankGrid grid = RankGrid::make(places, {"tp"});
    QCOMPARE(grid.cells().size(), std::size_t{4});
    QCOMPARE(grid.cells()[grid.cellOf(5)].ranks, (std::vector<std::uint32_t>{4, 5, 6, 7}));
    std::vector<double> values(16, 1);
    values[5] = 9;
    QCOMPARE(cellValues(grid, values, RankFold::Mean)[grid.cellOf(4)], 3.0);
    QCOMPARE(cellValues(grid, values, RankFold::Max)[grid.cellOf(4)], 9.0);
    QCOMPARE(cellValues(grid, values, RankFold::Mean)[grid.cellOf(0)], 1.0);
    QCOMPARE(RankGrid::make(places, {"tp", "dp", "pp"}).cells().size(), std::size_t{1});
}

void TestRankGrid::unknownValuesAreNotFolded() {
    const RankGrid grid = RankGrid::make(placedRanks({{"tp", 2}, {"dp", 2}}), {"tp"});
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> folded = cellValues(grid, {4, unknown, unknown, unknown}, RankFold::Mean);
    QCOMPARE(folded[grid.cellOf(1)], 4.0);
    QVERIFY(std::isnan(folded[grid.cellOf(2)]));
}

void TestRankGrid::arrowsJumpOverGaps() {
    RankPlaces places = placedRanks({{"tp", 4}, {"dp", 2}, {"pp", 2}});
    const RankGrid grid = RankGrid::make(places, {});
    QCOMPARE(grid.cellBeside(grid.cellOf(3), 1, 0), grid.cellOf(4));
    QCOMPARE(grid.cellBeside(grid.cellOf(4), -1, 0), grid.cellOf(3));
    QCOMPARE(grid.cellBeside(grid.cellOf(4), 0, 1), grid.cellOf(12));
    QCOMPARE(grid.cellBeside(grid.cellOf(0), -1, 0), grid.cellOf(0));
    QCOMPARE(grid.cellBeside(grid.cellOf(15), 0, 1), grid.cellOf(15));
}

ALTI_TEST(TestRankGrid)
#include "tst_rank_grid.moc"
