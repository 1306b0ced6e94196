#include "core/store/rows/real_cells.h"
#include "core/store/rows/row_table.h"
#include "tests/support/test_main.h"

#include <bit>
#include <vector>

using namespace altiscope;

class TestRealCells : public QObject {
    Q_OBJECT
private slots:
    /// A block is kept as small integers where decimals stand for its reals, of both signs.
    void decimalsBecomeIntegers() {
        struct Case {
            std::vector<double> reals;
            int scale;
            std::vector<std::int64_t> cells;
        };
        for (const Case& one : {Case{{1.5, 0.25, 3}, 2, {150, 25, 300}},
                                {{-1.5, 0.25, -3}, 2, {-150, 25, -300}},
                                {{-0.1, -0.7, -123.3}, 1, {-1, -7, -1233}},
                                {{-20, 10}, 0, {-20, 10}}}) {
            std::vector<std::int64_t> cells;
            for (const double real : one.reals) cells.push_back(std::bit_cast<std::int64_t>(real));
            std::vector<std::uint8_t> scales(cells.size(), RowBlock::kRawReal);
            QCOMPARE(static_cast<int>(scaleReals(cells, scales)), one.scale);
            QCOMPARE(cells, one.cells);
        }
    }

    void otherRealsKeepTheirBits() {
        std::vector<std::int64_t> cells{std::bit_cast<std::int64_t>(-1.0 / 3), std::bit_cast<std::int64_t>(-2.5)};
        const std::vector<std::int64_t> before = cells;
        std::vector<std::uint8_t> scales(cells.size(), RowBlock::kRawReal);
        QCOMPARE(scaleReals(cells, scales), RowBlock::kRawReal);
        QCOMPARE(cells, before);
    }
};

ALTI_TEST(TestRealCells)
#include "tst_real_cells.moc"
