#pragma once

#include "core/analysis/slices/slice_details.h"
#include "core/session/find/slice_finder.h"
#include "core/session/job_runner.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace altiscope {

class FindController;
class TimelineScene;

/// Where slices that were found lie on one lane.
struct HitMark {
    std::uint32_t source = 0;
    RankIndex rank{};
    TrackIndex track;
    std::uint32_t depth = 0;
    /// On the axis, by begin, disjoint; at least a pixel of the window they were made for.
    std::vector<TimeRange> ranges;
};

/// Which pixel columns of a window hits cover: [left, right), ascending, disjoint, neighbours joined; a hit covers
/// every column that it touches. O(columns * log hits).
/// @param hits    Slices of one depth of a track, ascending.
/// @param window  On the trace's clock.
std::vector<std::pair<int, int>> hitColumns(const TraceStore& trace, std::span<const std::uint32_t> hits,
                                            TimeRange window, int width);

/// The hits of the search in the rows and the time in sight, a mark for each pixel column that has any: what is drawn
/// does not grow with their number. Made on workers; until there is a result, the old marks stay at their times.
/// GUI thread.
class HitMarks : public QObject {
    Q_OBJECT
public:
    HitMarks(TimelineScene& scene, FindController& find, const QWidget& canvas);

    const std::vector<HitMark>& marks() const { return m_marks; }
    bool idle() const { return !m_slot.busy() && !m_timer.isActive(); }

signals:
    void changed();
    void becameIdle();

private:
    /// Hits by lane, made once for each result.
    struct Index;
    void request();

    TimelineScene& m_scene;
    FindController& m_find;
    const QWidget& m_canvas;
    JobSlot m_slot;
    QTimer m_timer;  // gathers changes of one turn of the event loop
    std::shared_ptr<const Index> m_index;
    std::vector<HitMark> m_marks;
};

}  // namespace altiscope
