#include "views/common/plots/view_window.h"

#include "views/common/plots/time_axis.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

namespace {

__extension__ using Wide = __int128;

/// A window around `range` with a hundredth of its length on either side, at least 10 ns long.
TimeRange withMargin(TimeRange range) {
    const std::int64_t margin = std::max<std::int64_t>(range.length().value / 100, 5);
    return {{std::max(range.begin.value - margin, -kMaxTimeNs)}, {std::min(range.end.value + margin, kMaxTimeNs)}};
}

bool touches(TimeRange a, TimeRange b) { return a.begin < b.end && b.begin < a.end; }

}  // namespace

TimeNs PixelScale::timeAt(double x) const {
    return m_begin + DurationNs{static_cast<std::int64_t>(std::floor(x / m_pxPerNs))};
}

int PixelScale::exactColumn(std::int64_t offset) const { return static_cast<int>(Wide{offset} * m_width / m_length); }

int PixelScale::exactColumnAfter(std::int64_t offset) const {
    return static_cast<int>((Wide{offset} * m_width + m_length - 1) / m_length);
}

void ViewWindow::setExtent(TimeRange run, TimeRange all) {
    const bool follow = empty() || atHome();
    m_home = withMargin(run);
    const TimeRange outer = withMargin(all);
    m_limits = {std::min(outer.begin, m_home.begin), std::max(outer.end, m_home.end)};
    const auto gone = [this](TimeRange range) { return !touches(range, m_limits); };
    std::erase_if(m_past, gone);
    std::erase_if(m_future, gone);
    m_range = follow || gone(m_range) ? m_home : clamped(m_range);
}

void ViewWindow::shiftAxis(DurationNs by) {
    const auto move = [by](TimeRange& range) { range = shifted(range, by); };
    for (TimeRange* range : {&m_range, &m_home, &m_limits}) move(*range);
    for (auto* history : {&m_past, &m_future}) std::for_each(history->begin(), history->end(), move);
}

void ViewWindow::zoomAt(double fraction, double factor, HistoryMark mark) {
    if (empty() || !(factor > 0) || factor == 1) return;
    const std::int64_t length = m_range.length().value;
    const double wanted = std::round(static_cast<double>(length) * factor);
    // Compared as doubles first: the product may lie far beyond 64 bits.
    std::int64_t next = wanted >= static_cast<double>(m_limits.length().value)
                            ? m_limits.length().value
                            : std::max<std::int64_t>(static_cast<std::int64_t>(wanted), 1);
    if (next == length) next += factor < 1 ? -1 : 1;
    next = std::clamp<std::int64_t>(next, 1, m_limits.length().value);
    const auto left =
        static_cast<std::int64_t>(std::llround(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(length - next)));
    const TimeNs begin = m_range.begin + DurationNs{left};
    show({begin, begin + DurationNs{next}}, mark);
}

void ViewWindow::panBy(double fraction, HistoryMark mark) {
    if (empty()) return;
    const double length = static_cast<double>(m_range.length().value);
    // Half a life is enough at once, and keeps the sums below within 64 bits.
    const double bound = static_cast<double>(std::min(m_limits.length().value, kMaxTimeNs / 2));
    const DurationNs by{static_cast<std::int64_t>(std::llround(std::clamp(fraction * length, -bound, bound)))};
    show({m_range.begin + by, m_range.end + by}, mark);
}

void ViewWindow::show(TimeRange range, HistoryMark mark) {
    if (empty()) return;
    const TimeRange next = clamped(range);
    if (next == m_range) return;
    if (mark == HistoryMark::NewStep || m_past.empty()) {
        m_past.push_back(m_range);
        if (m_past.size() > kHistory) m_past.erase(m_past.begin());
    }
    m_future.clear();
    m_range = next;
}

void ViewWindow::undo() { walk(m_past, m_future); }

void ViewWindow::redo() { walk(m_future, m_past); }

void ViewWindow::walk(std::vector<TimeRange>& from, std::vector<TimeRange>& to) {
    while (!from.empty()) {
        // Limits may be narrower than when it was left.
        const TimeRange next = clamped(from.back());
        from.pop_back();
        if (next == m_range) continue;
        to.push_back(std::exchange(m_range, next));
        return;
    }
}

TimeRange ViewWindow::clamped(TimeRange range) const {
    const std::int64_t length = std::clamp<std::int64_t>(range.length().value, 1, m_limits.length().value);
    const std::int64_t begin = std::clamp(range.begin.value, m_limits.begin.value, m_limits.end.value - length);
    return {{begin}, {begin + length}};
}

}  // namespace altiscope
