#pragma once

#include "core/analysis/snapshot/device_snapshot.h"
#include "views/common/plots/view_window.h"

#include <QObject>

#include <cstdint>

namespace altiscope {

/// The part of a history, and of the bytes, that is in sight. Entries stand for nanoseconds of a ViewWindow, so that
/// zooming, panning and undo are those of the timeline. GUI thread.
class EventWindow : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const ViewWindow& events() const { return m_events; }
    bool empty() const { return m_events.empty(); }
    std::int64_t begin() const { return m_events.range().begin.value; }
    std::int64_t end() const { return m_events.range().end.value; }
    std::int64_t low() const { return m_low; }
    std::int64_t high() const { return m_high; }

    /// @param events  Entries of the history. @param most  The most bytes that are to be seen.
    void setExtent(EventNumber events, std::int64_t most);
    void reset();
    template <class Change>
    void change(Change what) {
        const TimeRange before = m_events.range();
        what(m_events);
        if (m_events.range() != before) emit changed();
    }
    /// Zooms the bytes around one of them; 1 shows the same.
    void zoomBytes(std::int64_t at, double factor);
    /// Moves by a part of the bytes in sight; positive shows higher ones.
    void panBytes(double share);
    void showBytes(std::int64_t low, std::int64_t high);
    void showAll();

signals:
    void changed();

private:
    ViewWindow m_events;
    std::int64_t m_low = 0, m_high = 1, m_most = 1;
};

}  // namespace altiscope
