#include "core/store/columns/home_range.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr std::size_t kSamples = 10001;
constexpr std::size_t kFewest = 4;
constexpr std::int64_t kReach = 10;
/// No recording is silent for so long and goes on then.
constexpr std::int64_t kSilence = 86'400'000'000'000;  // ns

/// Less than a system runs before its devices are recorded.
constexpr std::int64_t kUnset = 60'000'000'000;  // ns

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

/// Whether what happens at 0 has no time: all else comes a minute later at least, and by ten times what it lasts.
bool startsUnset(const TraceColumns& columns, Side side) {
    std::int64_t next = std::numeric_limits<std::int64_t>::max(), last = 0, reached = 0;
    for (const auto* times : {&columns.begin, &columns.instantTime, &columns.sampleTime}) {
        for (const std::int64_t time : *times) {
            if (time <= 0 || !side.holds(time)) continue;
            next = std::min(next, time);
            last = std::max(last, time);
        }
    }
    for (std::size_t i = 0; i < columns.begin.size(); ++i) {
        if (columns.begin[i] == 0) reached = std::max(reached, columns.duration[i]);
    }
    return last > 0 && next - reached >= kUnset && (next - reached) / kReach >= last - next;
}

struct SampledTime {
    std::int64_t time;
    bool isSample;  ///< Whether it is of a counter, which is no event that happened.
    friend bool operator<(SampledTime a, SampledTime b) { return a.time < b.time; }
};

void sample(const Column<std::int64_t>& times, bool isSample, std::size_t events, Side side,
            std::vector<SampledTime>& out) {
    const std::size_t step = std::max<std::size_t>(1, events / kSamples);
    for (std::size_t i = 0; i < times.size(); i += step) {
        if (side.holds(times[i])) out.push_back({times[i], isSample});
    }
}

/// One recording among several in sorted times: where its times stand, and what counts.
struct Recording {
    std::size_t first = 0, end = 0;  ///< Indexes in the times.
    std::size_t happened = 0, samples = 0;
};

/// The one recording with most in it; all times, if there is no silence or no such one.
Recording largestRecording(const std::vector<SampledTime>& times) {
    Recording all{0, times.size()}, best, one;
    bool isAlone = true;
    const auto take = [&](std::size_t end) {
        one.end = end;
        const auto rank = [](const Recording& r) { return std::pair(r.happened, r.samples); };
        if (rank(best) < rank(one)) {
            best = one;
            isAlone = true;
        } else if (rank(best) == rank(one)) {
            isAlone = false;
        }
        one = {end};
    };
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::int64_t silence = i == 0 ? 0 : times[i].time - times[i - 1].time;
        const std::int64_t before = i == 0 ? 0 : times[i - 1].time - times[one.first].time;
        if (silence >= kSilence && silence / kReach >= before) take(i);
        ++(times[i].isSample ? one.samples : one.happened);
    }
    take(times.size());
    return isAlone ? best : all;
}

/// Whether slices last into a silence, as of a collective that hangs, so that less than one is left.
bool isFilled(const TraceColumns& columns, std::int64_t before, std::int64_t after) {
    std::int64_t reached = before;
    for (std::size_t i = 0; i < columns.begin.size(); ++i) {
        if (columns.begin[i] <= before) reached = std::max(reached, columns.begin[i] + columns.duration[i]);
    }
    return after - std::min(reached, after) < kSilence;
}

}  // namespace

TimeRange homeRange(const TraceColumns& columns, TimeRange all) {
    const std::size_t events = columns.begin.size() + columns.instantTime.size() + columns.sampleTime.size();
    Side side = largerSide(columns, all);
    if (all.begin.value == 0 && side.holds(0) && startsUnset(columns, side)) side.first = 1;
    std::vector<SampledTime> times;
    for (const auto* column : {&columns.begin, &columns.instantTime, &columns.sampleTime})
        sample(*column, column == &columns.sampleTime, events, side, times);
    if (times.empty()) return all;
    std::sort(times.begin(), times.end());
    std::int64_t first = side.first, last = side.last;
    if (times.size() >= kFewest) {
        Recording largest = largestRecording(times);
        const auto isFilledBefore = [&](std::size_t i) { return isFilled(columns, times[i - 1].time, times[i].time); };
        if ((largest.first > 0 && isFilledBefore(largest.first)) ||
            (largest.end < times.size() && isFilledBefore(largest.end)))
            largest = {0, times.size()};
        // Half of the silence belongs to each side.
        if (largest.first > 0)
            side.first = times[largest.first].time - (times[largest.first].time - times[largest.first - 1].time) / 2;
        if (largest.end < times.size())
            side.last = times[largest.end - 1].time + (times[largest.end].time - times[largest.end - 1].time) / 2;
        times = {times.begin() + static_cast<std::ptrdiff_t>(largest.first),
                 times.begin() + static_cast<std::ptrdiff_t>(largest.end)};
        // Only some of many events are looked at: a lone one that is further away than any silence was none of them.
        // The difference of two times fits, ten times it may not.
        const std::int64_t width = times.back().time - times.front().time;
        const std::int64_t reach = width > (kMaxTimeNs / kReach) ? kMaxTimeNs : std::max(kSilence, width * kReach);
        first = std::max(times.front().time - reach, side.first);
        last = std::min(times.back().time + reach, side.last);
    }
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
