#include "core/import/raw_files/raw_clock.h"

#include "tests/support/test_main.h"

#include <cstdint>
#include <limits>
#include <optional>

using namespace altiscope;

namespace {

__extension__ using Wide = __int128;

/// The largest that readRawSettings lets through.
constexpr std::int64_t kLargest = (std::int64_t{1} << 61) - 1;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;

Wide floorOf(Wide value, Wide divisor) { return value / divisor - (value % divisor < 0 ? 1 : 0); }

/// Of clocks whose counts are ns, and of a late counter likewise, in numbers that cannot overflow.
std::optional<std::int64_t> expected(Wide start) {
    return start > 0 && start < Wide{reader::kMaxRawWallNs} ? std::optional(static_cast<std::int64_t>(start))
                                                            : std::nullopt;
}

}  // namespace

/// Clocks of raw data, with the numbers that damaged files may state.
class TestRawClock : public QObject {
    Q_OBJECT
private slots:
    /// Sums were made in 64 bits; sanitizers and a wide sum say whether one goes beyond.
    void numbersAtTheirLimitsAreAddedUp() {
        const std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                           least = std::numeric_limits<std::int64_t>::min();
        for (const std::int64_t wall : {std::int64_t{0}, kLargest}) {
            for (const std::int64_t begin : {-kLargest, std::int64_t{0}, kLargest}) {
                for (const std::int64_t host : {-kLargest, std::int64_t{0}, kLargest}) {
                    for (const std::int64_t late : {least, -kLargest, std::int64_t{0}, kLargest, most}) {
                        for (const std::uint64_t hertz :
                             {std::uint64_t{1}, std::uint64_t{100'000'000}, std::uint64_t{1'000'000'000'000}})
                            check(wall, begin, host, late, hertz);
                    }
                }
            }
        }
    }

private:
    static void check(std::int64_t wall, std::int64_t begin, std::int64_t host, std::int64_t late,
                      std::uint64_t hertz) {
        reader::RawSettings settings;
        settings.wallBegin = wall;
        settings.monotonicBegin = begin;
        settings.hostMonotonic = host;
        settings.hostDifference = late;
        settings.hostHertz = hertz;
        settings.deviceHertz = static_cast<std::uint64_t>(kNsPerSecond);
        settings.deviceCount = 0;
        const Wide lateNs = floorOf(Wide{late} * kNsPerSecond, static_cast<Wide>(hertz));
        // A counter that was late by decades was not.
        const Wide counted = lateNs > -(Wide{1} << 61) && lateNs < Wide{1} << 61 ? lateNs : Wide{0};
        const Wide start = Wide{wall} - begin + host + counted;
        QVERIFY(settings.deviceClock().wall(0) == expected(start));
        const auto hostWall = settings.hostClock().wall(0);
        QVERIFY(!hostWall || *hostWall == static_cast<std::int64_t>(start));
        for (const std::uint64_t count : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
            const auto time = settings.hostClock().wall(count);
            QVERIFY(!time || (*time > 0 && *time < reader::kMaxRawWallNs));
            (void)settings.deviceReal(count);
        }
        QVERIFY(settings.deviceStart() >= -reader::kMaxRawWallNs && settings.deviceStart() <= reader::kMaxRawWallNs);
    }
};

ALTI_TEST(TestRawClock)
#include "tst_raw_clock.moc"
