#include "views/common/plots/time_axis.h"

#include <algorithm>

namespace altiscope {

DurationNs tickStep(DurationNs length, double widthPx, double minSpacingPx) {
    const double wanted = static_cast<double>(length.value) / widthPx * minSpacingPx;
    std::int64_t power = 1;
    while (true) {
        for (const std::int64_t digit : {1, 2, 5}) {
            // No window is longer than kMaxTimeNs twice over; a larger step would not fit either.
            if (static_cast<double>(digit * power) >= wanted || power > kMaxTimeNs / 10) return {digit * power};
        }
        power *= 10;
    }
}

int minorParts(DurationNs step) {
    std::int64_t digit = step.value;
    while (digit >= 10 && digit % 10 == 0) digit /= 10;
    const int parts = digit == 2 ? 4 : 5;
    return step.value % parts == 0 ? parts : 1;
}

std::vector<TimeNs> ticksWithin(TimeRange window, TimeNs origin, DurationNs step) {
    const std::int64_t offset = (window.begin - origin).value;
    std::int64_t first = offset / step.value;
    if (first * step.value < offset) ++first;
    std::vector<TimeNs> ticks;
    for (std::int64_t t = origin.value + first * step.value; t < window.end.value; t += step.value)
        ticks.push_back({t});
    return ticks;
}

double tickLabelLeft(double tick, double labelWidth, double canvasWidth) {
    constexpr double kRoom = 8;
    return std::max(std::min(tick - labelWidth / 2, canvasWidth - kRoom - labelWidth), kRoom);
}

std::vector<DurationNs> alignCaptures(const std::vector<std::optional<TimeRange>>& runs) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i]) order.push_back(i);
    }
    std::vector<DurationNs> shifts(runs.size());
    if (order.empty()) return shifts;
    const std::size_t anchor = order.front();
    std::sort(order.begin(), order.end(),
              [&runs](std::size_t a, std::size_t b) { return runs[a]->begin < runs[b]->begin; });

    // Groups in time order: `begins` of each, and which one the anchor is in.
    std::vector<std::size_t> groupOf(runs.size());
    std::vector<TimeNs> begins;
    TimeNs reach{};
    for (const std::size_t i : order) {
        if (begins.empty() || runs[i]->begin >= reach) {
            begins.push_back(runs[i]->begin);
            reach = runs[i]->end;
        }
        reach = std::max(reach, runs[i]->end);
        groupOf[i] = begins.size() - 1;
    }
    for (const std::size_t i : order) shifts[i] = begins[groupOf[anchor]] - begins[groupOf[i]];
    return shifts;
}

bool areOnOneAxis(std::size_t a, std::size_t b, const std::vector<std::optional<TimeRange>>& runs) {
    if (a == b) return true;
    if (!runs[a] || !runs[b]) return false;
    const std::vector<DurationNs> shifts = alignCaptures(runs);
    return shifts[a] == shifts[b];
}

TimeNs originOf(std::size_t capture, std::size_t shown, const std::vector<std::optional<TimeRange>>& runs) {
    const auto& run = runs[areOnOneAxis(capture, shown, runs) ? shown : capture];
    return run ? run->begin : TimeNs{};
}

TimeNs shifted(TimeNs time, DurationNs by) { return {std::clamp(time.value + by.value, -kMaxTimeNs, kMaxTimeNs)}; }

TimeRange shifted(TimeRange range, DurationNs by) { return {shifted(range.begin, by), shifted(range.end, by)}; }

}  // namespace altiscope
