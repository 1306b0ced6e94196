#include "core/base/columns/keyed_sort.h"

#include "tests/support/test_main.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <random>

using namespace altiscope;

namespace {

std::vector<KeyedNumber> numbered(std::size_t count, const std::function<std::uint64_t(std::size_t)>& keyOf) {
    std::vector<KeyedNumber> items;
    for (std::size_t i = 0; i < count; ++i) items.push_back({keyOf(i), static_cast<std::uint32_t>(i)});
    return items;
}

bool areEqual(const std::vector<KeyedNumber>& a, const std::vector<KeyedNumber>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const KeyedNumber& x, const KeyedNumber& y) {
        return x.key == y.key && x.number == y.number;
    });
}

}  // namespace

class TestKeyedSort : public QObject {
    Q_OBJECT

private slots:
    void equalsStableSort_data();
    void equalsStableSort();
    void signedValues();
    void cancelKeepsThem();
};

void TestKeyedSort::equalsStableSort_data() {
    QTest::addColumn<int>("shape");
    QTest::addColumn<int>("count");
    int shape = 0;
    for (const char* name : {"random", "few keys", "one key", "ascending", "descending", "far from 0", "high bits"}) {
        for (const int count : {0, 1, 2, 511, 512, 100'000}) QTest::addRow("%s, %d", name, count) << shape << count;
        ++shape;
    }
}

void TestKeyedSort::equalsStableSort() {
    QFETCH(int, shape);
    QFETCH(int, count);
    std::mt19937_64 random(7);
    std::vector<KeyedNumber> items = numbered(static_cast<std::size_t>(count), [&](std::size_t i) -> std::uint64_t {
        switch (shape) {
        case 0: return random();
        case 1: return random() % 5;
        case 2: return 3;
        case 3: return i;
        case 4: return 1'000'000 - i;
        case 5: return 1'767'225'600'000'000'000 + random() % 5'000'000'000;
        default: return random() << 50;
        }
    });
    std::vector<KeyedNumber> expected = items;
    std::stable_sort(expected.begin(), expected.end(),
                     [](const KeyedNumber& a, const KeyedNumber& b) { return a.key < b.key; });
    sortByKey(items, {});
    QVERIFY(areEqual(items, expected));
}

void TestKeyedSort::signedValues() {
    const std::int64_t values[] = {5, -1, std::numeric_limits<std::int64_t>::max(), 0,
                                   std::numeric_limits<std::int64_t>::min()};
    const auto sorted = sortedNumbers(std::size(values), [&](std::size_t i) { return sortKeyOf(values[i]); }, {});
    std::vector<std::uint32_t> numbers;
    for (const KeyedNumber& one : sorted) numbers.push_back(one.number);
    QCOMPARE(numbers, (std::vector<std::uint32_t>{4, 1, 3, 0, 2}));
}

void TestKeyedSort::cancelKeepsThem() {
    const CancelToken cancel;
    cancel.requestCancel();
    std::vector<KeyedNumber> items = numbered(1000, [](std::size_t i) { return (i * 7919) % 1000; });
    sortByKey(items, cancel);
    std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    for (std::size_t i = 0; i < items.size(); ++i) QVERIFY(items[i].key == i && items[i].number * 7919 % 1000 == i);
}

ALTI_TEST(TestKeyedSort)
#include "tst_keyed_sort.moc"
