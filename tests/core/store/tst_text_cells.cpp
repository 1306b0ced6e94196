#include "core/store/rows/row_pack.h"
#include "core/store/rows/text_cells.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <random>

using namespace altiscope;

/// Numbers of texts by block against one cell after the other.
class TestTextCells : public QObject {
    Q_OBJECT
private slots:
    void everyWidth_data();
    void everyWidth();
};

void TestTextCells::everyWidth_data() {
    QTest::addColumn<quint32>("greatest");
    QTest::addColumn<int>("absentOfTen");
    for (const quint32 greatest : {0U, 1U, 254U, 255U, 256U, 65534U, 65535U, 65536U, 0xfffffffeU - 7}) {
        for (const int absent : {0, 3, 10})
            QTest::addRow("up to %u, %d of ten absent", greatest, absent) << greatest << absent;
    }
}

void TestTextCells::everyWidth() {
    QFETCH(quint32, greatest);
    QFETCH(int, absentOfTen);
    // Not from 0 on, and a last block that is not full.
    constexpr std::int64_t kMin = 7;
    std::mt19937 random(greatest);
    std::vector<std::int64_t> cells;
    for (int i = 0; i < 2500; ++i)
        cells.push_back(static_cast<int>(random() % 10) < absentOfTen
                            ? kNoCell
                            : kMin + static_cast<std::int64_t>(random() % (std::uint64_t{greatest} + 1)));
    if (absentOfTen < 10) {
        cells[1] = kMin;
        cells[2] = kMin + std::int64_t{greatest};
    }
    ColumnPacker packer(RowCell::Text);
    packer.append(cells);
    const PackedColumn column = packer.finish();
    for (std::size_t block = 0; block < column.blocks.size(); ++block) {
        const std::size_t first = block * RowBlock::kBlock;
        std::vector<std::uint32_t> read(std::min(RowBlock::kBlock, cells.size() - first));
        unpackTexts(column, block, read);
        for (std::size_t i = 0; i < read.size(); ++i)
            QCOMPARE(read[i], cells[first + i] == kNoCell ? kNoTextCell : static_cast<std::uint32_t>(cells[first + i]));
    }
}

ALTI_TEST(TestTextCells)
#include "tst_text_cells.moc"
