#include "views/snapshot/canvas/event_window.h"

#include <algorithm>

namespace altiscope {

namespace {

constexpr std::int64_t kMinBytes = 256;

}  // namespace

void EventWindow::setExtent(EventNumber events, std::int64_t most) {
    const TimeRange all{TimeNs{kBeforeHistory}, TimeNs{std::max<std::int64_t>(1, events)}};
    m_events.reset();
    m_events.setExtent(all, all);
    // Room above, so that the highest line is no border.
    m_most = std::max<std::int64_t>(kMinBytes, most + most / 20);
    m_low = 0;
    m_high = m_most;
    emit changed();
}

void EventWindow::reset() {
    m_events.reset();
    emit changed();
}

void EventWindow::showBytes(std::int64_t low, std::int64_t high) {
    const std::int64_t length = std::clamp(high - low, kMinBytes, m_most);
    const std::int64_t begin = std::clamp<std::int64_t>(low, 0, m_most - length);
    if (begin == m_low && begin + length == m_high) return;
    m_low = begin;
    m_high = begin + length;
    emit changed();
}

void EventWindow::zoomBytes(std::int64_t at, double factor) {
    const double length = static_cast<double>(m_high - m_low) * factor;
    const double share = static_cast<double>(at - m_low) / static_cast<double>(m_high - m_low);
    const double low = static_cast<double>(at) - share * length;
    const auto begin = static_cast<std::int64_t>(std::max(0.0, low));
    showBytes(begin, begin + static_cast<std::int64_t>(std::min(length, 9e18)));
}

void EventWindow::panBytes(double share) {
    const auto by = static_cast<std::int64_t>(static_cast<double>(m_high - m_low) * share);
    showBytes(m_low + by, m_high + by);
}

void EventWindow::showAll() {
    m_low = 0;
    m_high = m_most;
    m_events.show(m_events.home(), HistoryMark::NewStep);
    emit changed();
}

}  // namespace altiscope
