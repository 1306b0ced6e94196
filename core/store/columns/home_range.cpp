#include "core/store/columns/home_range.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace altiscope {

namespace {

constexpr std::size_t kSamples = 10001;
constexpr std::int64_t kLeastWidth = 1'000'000;  // ns
constexpr std::size_t kFew = 20;
constexpr std::int64_t kLeastWidthOfFew = 1'000'000'000;  // ns
constexpr std::int64_t kReach = 10;

/// Times that may count.
struct Side {
    std::int64_t first = std::numeric_limits<std::int64_t>::min(), last = std::numeric_limits<std::int64_t>::max();

    bool holds(std::int64_t time) const { return time >= first && time <= last; }
};

/// The times of day or all others, whichever are more.
Side largerSide(const TraceColumns& columns, TimeRange all) {
    if (mayShareClock(all.begin, all.end)) return {};
    std::size_t before = 0, after = 0;
    for (const auto* times : {&columns.begin, &columns.instantTime, &columns.sampleTime}) {
        for (const std::int64_t time : *times) ++(time < kFirstTimeOfDay ? before : after);
    }
    if (before == 0 || after == 0) return {};
    return before > after ? Side{.last = kFirstTimeOfDay - 1} : Side{.first = kFirstTimeOfDay};
}

void sample(const Column<std::int64_t>& times, std::size_t events, Side side, std::vector<std::int64_t>& out) {
    const std::size_t step = std::max<std::size_t>(1, events / kSamples);
    for (std::size_t i = 0; i < times.size(); i += step) {
        if (side.holds(times[i])) out.push_back(times[i]);
    }
}

}  // namespace

TimeRange homeRange(const TraceColumns& columns, TimeRange all) {
    const std::size_t events = columns.begin.size() + columns.instantTime.size() + columns.sampleTime.size();
    const Side side = largerSide(columns, all);
    std::vector<std::int64_t> times;
    for (const auto* column : {&columns.begin, &columns.instantTime, &columns.sampleTime})
        sample(*column, events, side, times);
    if (times.empty()) return all;
    std::sort(times.begin(), times.end());
    const bool isFew = times.size() < kFew;
    const std::size_t left = isFew ? std::min<std::size_t>(1, times.size() / 4) : times.size() / 20;
    const std::int64_t low = times[left];
    const std::int64_t high = times[times.size() - 1 - left];
    // The difference of two times fits, ten times it may not.
    const std::int64_t width = std::max(isFew ? kLeastWidthOfFew : kLeastWidth, high - low);
    const std::int64_t reach = width > (kMaxTimeNs / kReach) ? kMaxTimeNs : width * kReach;
    const std::int64_t first = std::max(low - reach, side.first);
    const std::int64_t last = std::min(high + reach, side.last);
    if (all.begin.value >= first && all.end.value <= last) return all;

    std::int64_t begin = std::numeric_limits<std::int64_t>::max();
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    const auto include = [&](std::int64_t from, std::int64_t to) {
        if (from < first || from > last) return;
        begin = std::min(begin, from);
        end = std::max(end, std::min(to, last));
    };
    for (std::size_t i = 0; i < columns.begin.size(); ++i)
        include(columns.begin[i], columns.begin[i] + columns.duration[i]);
    for (const std::int64_t time : columns.instantTime) include(time, time);
    for (const std::int64_t time : columns.sampleTime) include(time, time);
    return {{begin}, {std::max(end, begin + 1)}};
}

void eachFarEvent(const TraceStore& store, const std::function<void(const FarEvent&)>& visit) {
    const TimeRange home = store.homeRange();
    if (home == store.range()) return;
    const TraceColumns& columns = store.columns();
    const auto isFar = [&home](std::int64_t time) { return time < home.begin.value || time > home.end.value; };
    for (std::size_t i = 0; i < columns.begin.size(); ++i) {
        const std::int64_t end = columns.begin[i] + columns.duration[i];
        if (isFar(columns.begin[i])) visit({{columns.begin[i]}, columns.pos[i]});
        else if (isFar(end)) visit({{end}, columns.pos[i]});
    }
    for (std::size_t i = 0; i < columns.instantTime.size(); ++i) {
        if (isFar(columns.instantTime[i])) visit({{columns.instantTime[i]}, columns.instantPos[i]});
    }
    for (const std::int64_t time : columns.sampleTime) {
        if (isFar(time)) visit({{time}, std::nullopt});
    }
}

}  // namespace altiscope
