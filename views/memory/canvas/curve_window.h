#pragma once

#include "core/base/values/time.h"
#include "views/common/plots/view_window.h"

#include <QObject>

namespace altiscope {

/// The part of the axis that plots above each other show together. GUI thread.
class CurveWindow : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const ViewWindow& window() const { return m_window; }
    TimeNs origin() const { return m_origin; }  ///< Time that labels count from.
    TimeRange data() const { return m_data; }   ///< From the first to the last value: curves end there.

    /// @param home  What is shown at first. @param all  Where it can be moved to.
    void setExtent(TimeRange data, TimeRange home, TimeRange all, TimeNs origin) {
        m_data = data;
        m_origin = origin;
        m_window.setExtent(home, all);
        emit changed();
    }
    void reset() {
        m_window.reset();
        m_data = {};
        emit changed();
    }
    /// A user's doing: what it does to the window.
    template <class Change>
    void change(Change what) {
        const TimeRange before = m_window.range();
        what(m_window);
        if (m_window.range() == before) return;
        emit changed();
        emit moved();
    }
    /// The same by something else, which need not be reported.
    void follow(TimeRange range) {
        m_window.show(range, HistoryMark::NewStep);
        emit changed();
    }

signals:
    void changed();
    void moved();  ///< By the user.

private:
    ViewWindow m_window;
    TimeNs m_origin;
    TimeRange m_data;
};

}  // namespace altiscope
