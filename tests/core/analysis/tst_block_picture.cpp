#include "core/analysis/snapshot/block_picture.h"
#include "tests/core/analysis/snapshot_script.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Blocks that come and go in any order, some of them for long.
std::shared_ptr<const DeviceSnapshot> randomSnapshot(unsigned seed, int steps, std::int64_t largest) {
    std::mt19937 random(seed);
    const auto below = [&](std::int64_t end) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
    };
    SnapshotScript script;
    script.segment(1 << 20, std::int64_t{1} << 40);
    for (int i = 0; i < 5; ++i) script.older((1 << 20) + i * largest, 512 + below(largest - 512), "older");
    std::set<std::int64_t> waiting;
    for (int i = 0; i < steps; ++i) {
        const bool isFull = script.live().size() > 40;
        if (isFull || (random() % 2 == 0 && !script.live().empty())) {
            auto which = std::next(script.live().begin(), below(static_cast<std::int64_t>(script.live().size())));
            const std::int64_t address = which->first;
            if (waiting.erase(address) > 0) script.complete(address);
            else if (random() % 4 == 0) {
                script.request(address);
                waiting.insert(address);
            } else script.free(address);
        } else {
            std::int64_t address = 0;
            do address = (1 << 20) + (5 + below(1000)) * largest;
            while (script.live().contains(address));
            script.alloc(address, 1 + below(random() % 5 == 0 ? largest : 1000), "made");
        }
    }
    return script.snapshot();
}

std::shared_ptr<const BlockIndex> indexOf(std::shared_ptr<const DeviceSnapshot> snapshot) {
    return BlockIndex::make(SnapshotCurve::make(std::move(snapshot), {}), {});
}

/// Bytes below a block, by going through all.
std::int64_t heightByHand(const DeviceSnapshot& snapshot, BlockNumber block, EventNumber at) {
    std::int64_t height = 0;
    for (BlockNumber i = 0; i < block; ++i) height += snapshot.blocks[i].isThereAt(at) ? snapshot.blocks[i].bytes : 0;
    return height;
}

/// What is wrong with a picture; empty: nothing. Every cell is compared with the blocks themselves.
std::string faultOf(const BlockPicture& picture, const DeviceSnapshot& snapshot) {
    const BlockPictureQuery& query = picture.query;
    const double perRow = static_cast<double>(query.high - query.low) / query.rows;
    const double perColumn = std::max(1.0, static_cast<double>(query.end - query.begin) / query.columns);
    for (int column = 0; column < query.columns; ++column) {
        const EventNumber at = picture.moments[static_cast<std::size_t>(column)];
        if (at >= snapshot.events) continue;
        const std::string where = "column " + std::to_string(column) + ", state " + std::to_string(at);
        for (std::int64_t state = columnBegin(query.begin, query.end, query.columns, column);
             state < columnBegin(query.begin, query.end, query.columns, column + 1); ++state) {
            const bool isState = state >= kBeforeHistory && state < snapshot.events;
            if (isState && snapshot.activeAt(static_cast<EventNumber>(state)) > snapshot.activeAt(at))
                return where + " is not the peak";
        }
        for (int row = 0; row < query.rows; ++row) {
            const std::uint32_t cell = picture.at(column, row);
            const double low = static_cast<double>(query.low) + (query.rows - 1 - row) * perRow, high = low + perRow;
            const auto total = static_cast<double>(snapshot.activeAt(at));
            const std::string place = where + ", row " + std::to_string(row);
            if (cell == BlockPicture::kNothing) {
                if (high < total - perRow) return place + " is empty, below the total";
                continue;
            }
            if (cell == BlockPicture::kMany) {
                if (low > total + perRow) return place + " is above the total";
                continue;
            }
            if (!snapshot.blocks[cell].isThereAt(at)) return place + " has a block that is not there";
            const auto bottom = static_cast<double>(heightByHand(snapshot, cell, at));
            const double top = bottom + static_cast<double>(snapshot.blocks[cell].bytes);
            if (low > top + perRow * 2 || high < bottom - perRow * 2) return place + " is not where the block is";
        }
        // What can be seen is to be seen.
        for (BlockNumber block = 0; block < snapshot.blocks.size(); ++block) {
            const BlockLife& life = snapshot.blocks[block];
            const bool isSeen = life.isThereAt(at) && static_cast<double>(life.bytes) >= 3 * perRow &&
                                static_cast<double>(life.end - life.begin) >= perColumn;
            if (!isSeen) continue;
            const double middle =
                static_cast<double>(heightByHand(snapshot, block, at)) + static_cast<double>(life.bytes) / 2;
            if (middle < static_cast<double>(query.low) || middle >= static_cast<double>(query.high)) continue;
            const int row = query.rows - 1 - static_cast<int>((middle - static_cast<double>(query.low)) / perRow);
            if (picture.at(column, row) != block) return where + " does not show block " + std::to_string(block);
        }
    }
    return {};
}

}  // namespace

/// Blocks over their lives as pixels, against what every cell must be.
class TestBlockPicture : public QObject {
    Q_OBJECT
private slots:
    void heightsAreThoseOfTheBlocksBelow() {
        for (const unsigned seed : {1u, 2u, 3u}) {
            const auto snapshot = randomSnapshot(seed, 3000, 100'000);
            const auto heights = BlockHeights::make(*snapshot, {});
            std::mt19937 random(seed);
            for (int i = 0; i < 2000; ++i) {
                const auto at = static_cast<EventNumber>(random() % static_cast<unsigned>(snapshot->events));
                const auto block = static_cast<BlockNumber>(random() % snapshot->blocks.size());
                if (!snapshot->blocks[block].isThereAt(at)) continue;
                QCOMPARE(heights->heightOf(block, heights->releasedAt(at)), heightByHand(*snapshot, block, at));
            }
        }
    }

    void everyCellIsRight_data() {
        QTest::addColumn<int>("steps");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("rows");
        QTest::addRow("a column is many states") << 3000 << 100 << 80;
        QTest::addRow("a column is a few states") << 400 << 150 << 200;
        QTest::addRow("a state is many columns") << 20 << 200 << 50;
    }
    void everyCellIsRight() {
        QFETCH(const int, steps);
        QFETCH(const int, columns);
        QFETCH(const int, rows);
        for (const unsigned seed : {1u, 2u, 3u, 4u}) {
            const auto index = indexOf(randomSnapshot(seed, steps, 100'000));
            const DeviceSnapshot& snapshot = index->snapshot();
            const std::int64_t peak = index->curve().extremes(SnapshotTotal::Active, index->curve().all()).max;
            const std::int64_t end = snapshot.events, part = end / 3;
            const BlockPictureQuery queries[] = {{-1, end, 0, peak, columns, rows},
                                                 {-1 - part, end + part, 0, peak * 2, columns, rows},
                                                 {part, 2 * part + 1, peak / 4, peak / 2, columns, rows},
                                                 {end / 2, end / 2 + 3, 0, peak, columns, rows}};
            for (const BlockPictureQuery& query : queries) {
                const auto picture = blockPicture(*index, query, {});
                QVERIFY(!picture->isSimplified);
                const std::string fault = faultOf(*picture, snapshot);
                QVERIFY2(fault.empty(), ("seed " + std::to_string(seed) + ": " + fault).c_str());
            }
        }
    }

    void emptyQueriesGiveEmptyPictures() {
        const auto index = indexOf(randomSnapshot(1, 50, 1000));
        QVERIFY(blockPicture(*index, {0, 10, 0, 100, 0, 10}, {})->cells.empty());
        QVERIFY(blockPicture(*index, {10, 10, 0, 100, 5, 5}, {})->cells.empty());
        const auto outside = blockPicture(*index, {1'000'000, 1'000'010, 0, 100, 5, 5}, {});
        QCOMPARE(std::count(outside->cells.begin(), outside->cells.end(), BlockPicture::kNothing), 25);
    }

    void aCancelledPictureIsNone() {
        const auto index = indexOf(randomSnapshot(1, 50, 1000));
        const CancelToken cancel;
        cancel.requestCancel();
        QVERIFY(blockPicture(*index, {0, 50, 0, 1000, 5, 5}, cancel) == nullptr);
        QVERIFY(SnapshotCurve::make(randomSnapshot(1, 50, 1000), cancel) == nullptr);
    }

    void extremesAreThoseOfAllStates() {
        const auto snapshot = randomSnapshot(5, 20'000, 5000);
        const auto curve = SnapshotCurve::make(snapshot, {});
        std::mt19937 random(5);
        for (int i = 0; i < 300; ++i) {
            auto begin = static_cast<EventNumber>(random() % static_cast<unsigned>(snapshot->events)) - 1;
            auto end = static_cast<EventNumber>(random() % static_cast<unsigned>(snapshot->events));
            if (begin >= end) std::swap(begin, end);
            if (begin == end) continue;
            TotalExtremes by;
            EventNumber first = begin;
            for (EventNumber at = begin; at < end; ++at) {
                const std::int64_t value = snapshot->activeAt(at);
                if (value > by.max) first = at;
                by.take({value, value});
            }
            const TotalExtremes found = curve->extremes(SnapshotTotal::Active, {begin, end});
            QCOMPARE(found.min, by.min);
            QCOMPARE(found.max, by.max);
            QCOMPARE(curve->maxAt(SnapshotTotal::Active, {begin, end}), first);
        }
    }
};

ALTI_TEST(TestBlockPicture)
#include "tst_block_picture.moc"
