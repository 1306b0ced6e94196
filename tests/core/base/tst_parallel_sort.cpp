#include "core/base/threads/parallel_sort.h"

#include "core/base/columns/run_merge.h"

#include "tests/support/test_main.h"

#include <numeric>
#include <random>
#include <vector>

using namespace altiscope;

namespace {

/// Items in the order of their keys, equal keys in the order of their numbers: a strict order, so there is one right
/// result.
struct Item {
    int key;
    int number;
    friend bool operator==(const Item&, const Item&) = default;
};

bool before(const Item& a, const Item& b) { return a.key != b.key ? a.key < b.key : a.number < b.number; }

std::vector<Item> make(std::size_t count, const std::function<int(std::size_t)>& keyOf) {
    std::vector<Item> items;
    for (std::size_t i = 0; i < count; ++i) items.push_back({keyOf(i), static_cast<int>(i)});
    return items;
}

}  // namespace

class TestParallelSort : public QObject {
    Q_OBJECT

private slots:
    void equalsSort_data();
    void equalsSort();
    void itemsThatAreAllEqual();
    void cancelKeepsTheItems();
    void runsAreMerged_data();
    void runsAreMerged();
};

void TestParallelSort::equalsSort_data() {
    QTest::addColumn<int>("shape");
    QTest::addColumn<int>("count");
    int shape = 0;
    for (const char* name : {"random", "few keys", "one key", "ascending", "descending", "organ pipe", "two runs",
                             "some displaced", "some early", "displaced rows"}) {
        for (const int count : {0, 1, 65536, 65537, 400000}) QTest::addRow("%s, %d", name, count) << shape << count;
        ++shape;
    }
}

void TestParallelSort::equalsSort() {
    QFETCH(int, shape);
    QFETCH(int, count);
    std::mt19937 random(7);
    std::vector<Item> items = make(static_cast<std::size_t>(count), [&](std::size_t i) {
        const int n = static_cast<int>(i);
        switch (shape) {
        case 0: return static_cast<int>(random() >> 1);
        case 1: return static_cast<int>(random() % 5);
        case 2: return 3;
        case 3: return n;
        case 4: return -n;
        case 5: return std::min(n, count - n);
        case 6: return n < count / 2 ? n : n - count / 2;
        case 7: return random() % 100 == 0 ? static_cast<int>(random() >> 1) : 1000 * n;
        case 8: return random() % 50 == 0 ? 1000 * n + 500'000 : 1000 * n;
        default: return n % 3000 < 40 ? 1000 * (n % 3000) : 1000 * n;
        }
    });
    std::vector<Item> expected = items;
    std::sort(expected.begin(), expected.end(), before);
    WorkerArena arena(3);
    arena.run([&] { parallelSort(std::span(items), before, {}); });
    QVERIFY(items == expected);
}

/// Nothing tells them apart, so every cut would leave all of them on one side.
void TestParallelSort::itemsThatAreAllEqual() {
    std::vector<int> items(1'000'000, 4);
    items.front() = 5;
    WorkerArena arena(2);
    arena.run([&] { parallelSort(std::span(items), std::less<>(), {}); });
    QVERIFY(std::is_sorted(items.begin(), items.end()));
}

void TestParallelSort::cancelKeepsTheItems() {
    std::vector<int> items(1'000'000);
    std::iota(items.begin(), items.end(), 0);
    std::shuffle(items.begin(), items.end(), std::mt19937(3));
    const CancelToken cancel;
    int seen = 0;
    std::atomic<int> compared{0};
    WorkerArena arena(2);
    arena.run([&] {
        parallelSort(
            std::span(items),
            [&](int a, int b) {
                if (++compared == 3'000'000) cancel.requestCancel();
                return a < b;
            },
            cancel);
    });
    QVERIFY2(!std::is_sorted(items.begin(), items.end()), "it did not stop");
    std::sort(items.begin(), items.end());
    for (const int item : items) QCOMPARE(item, seen++);
}

void TestParallelSort::runsAreMerged_data() {
    QTest::addColumn<int>("runs");
    QTest::addColumn<bool>("isMerged");
    for (const int runs : {1, 2, 3, 7, 64}) QTest::addRow("%d", runs) << runs << true;
    QTest::addRow("too many") << 65 << false;
}

void TestParallelSort::runsAreMerged() {
    QFETCH(int, runs);
    QFETCH(bool, isMerged);
    std::mt19937 random(3);
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{130}, std::size_t{5000}}) {
        std::vector<int> keys(count);
        for (int& key : keys) key = static_cast<int>(random() % 1000);
        const std::size_t length = std::max<std::size_t>(count / static_cast<std::size_t>(runs), 1);
        std::vector<Item> items = make(count, [&](std::size_t i) { return keys[i]; });
        for (int run = 0; run < runs && count > 1; ++run) {
            const std::size_t first = length * static_cast<std::size_t>(run);
            const auto end =
                run + 1 == runs ? items.end() : items.begin() + static_cast<std::ptrdiff_t>(first + length);
            std::sort(items.begin() + static_cast<std::ptrdiff_t>(first), end, before);
            // So that each run ends above the begin of the next one.
            if (run + 1 < runs) (end - 1)->key = 2000;
        }
        std::vector<Item> expected = items;
        const bool isDone = mergeRuns(std::span(items), before, {});
        QCOMPARE(isDone, isMerged || count < 2);
        if (isDone) std::sort(expected.begin(), expected.end(), before);
        QVERIFY(items == expected);
    }
}

ALTI_TEST(TestParallelSort)
#include "tst_parallel_sort.moc"
