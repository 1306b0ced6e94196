#pragma once

#include "core/session/job_runner.h"
#include "views/timeline/overlay/flow_places.h"

#include <QImage>
#include <QObject>
#include <QPoint>
#include <QSize>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

class QPainter;

namespace altiscope {

struct Theme;

/// The flows of chosen categories above the picture: computed and painted by workers, at most one request at a time;
/// shown scaled while a request is under way. Indexes of traces are made when the first category is chosen, or the
/// categories are requested. GUI thread.
class FlowLayer : public QObject {
    Q_OBJECT
public:
    explicit FlowLayer(TimelineScene& scene, QObject* parent = nullptr);

    /// Size of the canvas in logical pixels and its scale.
    void setCanvas(QSize size, double devicePixelRatio, const Theme& theme);
    void setChosen(std::set<std::string> categories);
    const std::set<std::string>& chosen() const { return m_chosen; }
    /// The marked time, on the axis: only flows with an end in it are drawn while setOnlyMarked() is on; nullopt:
    /// nothing, and all are.
    void setMarked(std::optional<TimeRange> range);
    void setOnlyMarked(bool on);
    bool onlyMarked() const { return m_onlyMarked; }

    /// How many flows of a category can be drawn, and cannot because an end lies in no slice.
    struct Count {
        std::uint64_t flows = 0, loose = 0;
    };
    /// Counts over all traces that are shown; starts to count them if need be, and then emits countsChanged().
    std::map<std::string, Count> counts();

    /// The lines are those of the scene's window and rows.
    bool idle() const { return !m_indexSlot.busy() && !m_slot.busy() && !m_timer.isActive(); }
    void paint(QPainter& painter) const;
    /// Meaning of the lines at a point: a line of text for each category, empty if there are none. O(lines).
    QStringList textAt(QPoint point) const;

    /// One line on the canvas, as it was painted.
    struct Line {
        QPointF from, to;            ///< Logical pixels of the canvas.
        std::uint32_t category = 0;  ///< In Picture::categories.
        std::uint64_t count = 0;
    };
    struct Picture {
        QImage image;
        TimeRange window;
        std::int64_t scrollTop = 0, pinnedTop = 0;
        std::vector<std::string> categories;
        std::vector<Line> lines;
        int cellPx = 1;
        bool cancelled = false;
    };
    const Picture& picture() const { return m_picture; }

signals:
    void changed();  ///< The lines.
    void chosenChanged();
    void countsChanged();
    void becameIdle();

private:
    void schedule();
    void request();
    void makeIndexes();
    bool isFresh() const;

    TimelineScene& m_scene;
    JobSlot m_indexSlot, m_slot;
    QTimer m_timer;  // gathers changes of one turn of the event loop
    bool m_pending = false;
    bool m_wanted = false;  // indexes are wanted
    QSize m_size;
    double m_ratio = 1;
    const Theme* m_theme = nullptr;
    std::set<std::string> m_chosen;
    std::optional<TimeRange> m_marked;
    bool m_onlyMarked = false;
    FlowIndexes m_indexes;
    Picture m_picture;
};

}  // namespace altiscope
