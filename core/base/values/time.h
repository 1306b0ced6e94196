#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

/// Length of time in nanoseconds.
struct DurationNs {
    std::int64_t value = 0;
    auto operator<=>(const DurationNs&) const = default;
};

/// Point on the trace's own clock in nanoseconds (usually since 1970, sometimes since boot; never shifted).
struct TimeNs {
    std::int64_t value = 0;
    auto operator<=>(const TimeNs&) const = default;
};

constexpr TimeNs operator+(TimeNs t, DurationNs d) { return {t.value + d.value}; }
constexpr TimeNs operator-(TimeNs t, DurationNs d) { return {t.value - d.value}; }
constexpr DurationNs operator-(TimeNs a, TimeNs b) { return {a.value - b.value}; }

/// Half-open interval [begin, end). Empty when begin == end; never negative.
struct TimeRange {
    TimeNs begin;
    TimeNs end;
    constexpr DurationNs length() const { return end - begin; }
    constexpr bool empty() const { return begin == end; }
    constexpr bool contains(TimeNs t) const { return begin <= t && t < end; }
    bool operator==(const TimeRange&) const = default;
};

/// Whether something that lasts from its begin to its end lies in a range at least in part; an instant at the range's
/// begin does.
constexpr bool overlaps(TimeRange own, TimeRange range) {
    return own.begin < range.end && (range.begin < own.end || range.begin == own.begin);
}

/// Times (begins, ends) and durations of a trace lie within +-kMaxTimeNs (146 years, the year 2116), so that sums and
/// differences of two never overflow.
inline constexpr std::int64_t kMaxTimeNs = (std::int64_t{1} << 62) - 1;
constexpr bool isTraceTime(std::int64_t ns) { return ns >= -kMaxTimeNs && ns <= kMaxTimeNs; }

/// Decimal text (optional sign, digits, optional fraction, optional exponent; surrounding blanks allowed) times 1000,
/// rounded to the nearest integer, exact halves up. Used for microseconds of trace files -> ns.
/// @return nullopt if the text is no such number or the result lies outside +-kMaxTimeNs. Never goes through a double.
/// @note   Source of the rule: profiler files print up to 14 decimals; sums agree only with half-up rounding of the
/// text.
std::optional<std::int64_t> parseMicrosecondsAsNs(std::string_view text);

}  // namespace altiscope
