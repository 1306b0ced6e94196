#include "core/analysis/support/duration_spread.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace altiscope;

class TestDurationSpread : public QObject {
    Q_OBJECT
private slots:
    void percentilesEqualSorting();
    void bucketsHoldWhatTheySay();
    void nothing();
};

void TestDurationSpread::percentilesEqualSorting() {
    for (const std::size_t count : {1U, 2U, 3U, 99U, 100U, 101U, 4096U, 4097U, 50'000U, 600'000U}) {
        for (const int shape : {0, 1, 2, 3}) {
            std::mt19937_64 random(count + static_cast<std::size_t>(shape));
            std::vector<std::int64_t> values(count);
            for (std::int64_t& value : values) {
                const std::uint64_t bits = shape == 0 ? random() % 61 : shape == 1 ? 20 : 6;
                value = shape == 3 ? 123'456'789 : static_cast<std::int64_t>(random() % (std::uint64_t{1} << bits));
            }
            const DurationParts parts{std::span(values).first(count / 3), {}, std::span(values).subspan(count / 3)};
            const auto found = percentilesOf(parts, {});
            std::vector<std::int64_t> sorted = values;
            std::sort(sorted.begin(), sorted.end());
            const auto at = [&](double share) {
                return sorted[static_cast<std::size_t>(std::ceil(share * static_cast<double>(count) - 1e-9)) - 1];
            };
            QCOMPARE(found->median, at(0.5));
            QCOMPARE(found->p95, at(0.95));
            QCOMPARE(found->p99, at(0.99));
        }
    }
}

void TestDurationSpread::bucketsHoldWhatTheySay() {
    std::vector<std::int64_t> values;
    for (std::int64_t v = 0; v < 200; ++v) values.push_back(v);
    values.push_back(std::int64_t{1} << 60);
    const auto buckets = histogramOf({values}, {});
    for (std::size_t b = 0; b < buckets.size(); ++b) {
        if (b > 0) QCOMPARE(buckets[b].from, buckets[b - 1].to);
        const auto count = std::count_if(values.begin(), values.end(),
                                         [&](std::int64_t v) { return buckets[b].from <= v && v < buckets[b].to; });
        QCOMPARE(buckets[b].count, static_cast<std::uint64_t>(count));
    }
    // 0, 1, 2, 3 and then four in each power of two.
    QCOMPARE(buckets[3], (DurationBucket{3, 4, 1}));
    QCOMPARE(buckets[8], (DurationBucket{8, 10, 2}));
    QCOMPARE(buckets.back(), (DurationBucket{std::int64_t{1} << 60, std::int64_t{5} << 58, 1}));
}

void TestDurationSpread::nothing() {
    QVERIFY(!percentilesOf({}, {}));
    QVERIFY(histogramOf({}, {}).empty());
    CancelToken token;
    token.requestCancel();
    const std::vector<std::int64_t> values(5000, 1000);
    QVERIFY(!percentilesOf({values}, token));
}

ALTI_TEST(TestDurationSpread)
#include "tst_duration_spread.moc"
