#include "views/memory/timeline_link.h"

#include <utility>

namespace altiscope {

TimelineLink::TimelineLink(CurveWindow& window, QObject* parent) : QObject(parent), m_window(window) {
    connect(&m_window, &CurveWindow::moved, this, [this] { m_hasMoved = true; });
}

void TimelineLink::follow(TimeRange range, bool isWhole, bool isLinked) {
    const bool isNews = std::exchange(m_timeline, range) != range;
    if (!isLinked || !isNews) return;
    // It has gone where the curves are, as far as its limits let it.
    if (std::exchange(m_movesTimeline, false)) return;
    if (m_window.window().empty()) {
        m_follows = !isWhole;
        return;
    }
    m_window.follow(isWhole ? m_window.window().home() : range);
    m_hasMoved = false;
}

std::optional<TimeRange> TimelineLink::take(bool isLinked) {
    if (!isLinked || !std::exchange(m_hasMoved, false) || m_window.window().empty()) return std::nullopt;
    m_movesTimeline = true;
    return m_window.window().range();
}

void TimelineLink::begin() {
    if (std::exchange(m_follows, false) && m_timeline) m_window.follow(*m_timeline);
}

}  // namespace altiscope
