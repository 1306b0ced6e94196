#include "core/store/columns/nesting.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <random>

using namespace altiscope;

namespace {

std::vector<SliceItem> sorted(std::vector<SliceItem> items) {
    for (std::size_t i = 0; i < items.size(); ++i) items[i].pos = SourcePos::make(0, i);
    std::sort(items.begin(), items.end(), outerFirst);
    return items;
}

bool contains(const SliceItem& outer, const SliceItem& inner) {
    return inner.begin >= outer.begin && inner.begin + inner.duration <= outer.begin + outer.duration;
}

/// The rules of nesting.h by comparing all with all.
void checkByBruteForce(const std::vector<SliceItem>& items) {
    const Nesting nesting = nestSlices(items, {});
    std::vector<std::uint32_t> counts;
    for (std::size_t i = 0; i < items.size(); ++i) {
        std::uint32_t parent = Nesting::kNoParent;
        for (std::size_t j = 0; j < i; ++j) {
            if (contains(items[j], items[i])) parent = static_cast<std::uint32_t>(j);  // the last in order begins last
        }
        QCOMPARE(nesting.parent[i], parent);

        std::uint32_t depth = parent == Nesting::kNoParent ? 0 : nesting.depth[parent] + 1;
        const auto isTaken = [&](std::uint32_t row) {
            for (std::size_t j = 0; j < i; ++j) {
                if (nesting.depth[j] == row && items[j].begin + items[j].duration > items[i].begin) return true;
            }
            return false;
        };
        while (isTaken(depth)) ++depth;
        QCOMPARE(nesting.depth[i], depth);
        if (depth >= counts.size()) counts.resize(depth + 1, 0);
        ++counts[depth];
    }
    QCOMPARE(nesting.countOfDepth, counts);
    for (std::size_t i = 0; i < items.size(); ++i) {
        std::int64_t covered = 0;
        for (std::int64_t t = items[i].begin; t < items[i].begin + items[i].duration; ++t) {
            for (std::size_t j = 0; j < items.size(); ++j) {
                if (nesting.parent[j] == i && items[j].begin <= t && t < items[j].begin + items[j].duration) {
                    ++covered;
                    break;
                }
            }
        }
        QCOMPARE(nesting.selfDuration[i], items[i].duration - covered);
    }
}

}  // namespace

class TestNesting : public QObject {
    Q_OBJECT
private slots:
    void rules_data() {
        QTest::addColumn<QVector<QPair<int, int>>>("slices");  // begin, end
        QTest::addColumn<QVector<int>>("depth");               // in sorted order
        QTest::addColumn<QVector<int>>("parent");
        QTest::addColumn<QVector<int>>("self");
        using S = QVector<QPair<int, int>>;
        using I = QVector<int>;
        QTest::addRow("nested") << S{{0, 100}, {10, 40}, {20, 30}, {50, 90}} << I{0, 1, 2, 1} << I{-1, 0, 1, 0}
                                << I{30, 20, 10, 40};
        QTest::addRow("touching slices are neighbours") << S{{0, 10}, {10, 20}} << I{0, 0} << I{-1, -1} << I{10, 10};
        QTest::addRow("partial overlap takes a further row")
            << S{{0, 10}, {5, 15}} << I{0, 1} << I{-1, -1} << I{10, 10};
        QTest::addRow("row above is free again")
            << S{{0, 10}, {5, 15}, {12, 20}} << I{0, 1, 0} << I{-1, -1, -1} << I{10, 10, 8};
        QTest::addRow("child below its overlapping parent")
            << S{{0, 10}, {5, 15}, {11, 12}} << I{0, 1, 2} << I{-1, -1, 1} << I{10, 9, 1};
        QTest::addRow("equal slices contain each other")
            << S{{0, 10}, {0, 10}, {0, 10}} << I{0, 1, 2} << I{-1, 0, 1} << I{0, 0, 10};
        QTest::addRow("zero length inside") << S{{0, 10}, {5, 5}} << I{0, 1} << I{-1, 0} << I{10, 0};
        QTest::addRow("zero length at the begin is inside") << S{{0, 10}, {0, 0}} << I{0, 1} << I{-1, 0} << I{10, 0};
        QTest::addRow("zero length at the end is inside") << S{{0, 10}, {10, 10}} << I{0, 1} << I{-1, 0} << I{10, 0};
        QTest::addRow("zero length between neighbours is in the later")
            << S{{0, 10}, {10, 20}, {10, 10}} << I{0, 0, 1} << I{-1, -1, 1} << I{10, 10, 0};
        QTest::addRow("overlapping children count once")
            << S{{0, 100}, {10, 30}, {20, 40}} << I{0, 1, 2} << I{-1, 0, 0} << I{70, 20, 20};
    }
    void rules() {
        using Slices = QVector<QPair<int, int>>;
        QFETCH(Slices, slices);
        QFETCH(QVector<int>, depth);
        QFETCH(QVector<int>, parent);
        QFETCH(QVector<int>, self);
        std::vector<SliceItem> items;
        for (const auto& [begin, end] : slices) items.push_back({{begin, end - begin, {}}, {}, {}});
        items = sorted(items);
        const Nesting nesting = nestSlices(items, {});
        for (qsizetype i = 0; i < depth.size(); ++i) {
            const auto k = static_cast<std::size_t>(i);
            QCOMPARE(static_cast<int>(nesting.depth[k]), depth[i]);
            QCOMPARE(static_cast<int>(nesting.parent[k]), parent[i]);
            QCOMPARE(static_cast<int>(nesting.selfDuration[k]), self[i]);
        }
        checkByBruteForce(items);
    }

    void equalsBruteForceOnRandomSlices() {
        std::mt19937 random(7);
        for (int round = 0; round < 400; ++round) {
            std::vector<SliceItem> items(random() % 60);
            for (SliceItem& item : items)
                item = {
                    {static_cast<std::int64_t>(random() % 40), static_cast<std::int64_t>(random() % 12), {}}, {}, {}};
            checkByBruteForce(sorted(items));
            if (QTest::currentTestFailed()) return;
        }
    }

    void manyOverlapsStayFast() {
        // A staircase of 200,000 slices that all overlap: rows by the thousand, no parent anywhere.
        std::vector<SliceItem> items;
        for (int i = 0; i < 200000; ++i) items.push_back({{i, 50000, {}}, {}, {}});
        const Nesting nesting = nestSlices(sorted(items), {});
        QCOMPARE(nesting.countOfDepth.size(), std::size_t{50000});
        QVERIFY(
            std::all_of(nesting.parent.begin(), nesting.parent.end(), [](auto p) { return p == Nesting::kNoParent; }));
    }

    void cancelEndsEarly() {
        CancelToken cancel;
        cancel.requestCancel();
        const Nesting nesting = nestSlices(std::vector<SliceItem>(1000), cancel);
        QVERIFY(nesting.countOfDepth.empty());
    }
};

ALTI_TEST(TestNesting)
#include "tst_nesting.moc"
