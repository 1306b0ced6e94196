#pragma once

#include "views/timeline/picture/picture_loader.h"
#include "views/timeline/scene/timeline_scene.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QPointF>
#include <QRectF>

#include <optional>

namespace altiscope {

/// Item under a point of the canvas.
struct CanvasHit {
    std::size_t row = 0;  ///< In TimelineModel::rows().
    /// The trace of the picture, which may be older than the row's; slice, counter and series are numbered in it. Null
    /// without one.
    std::shared_ptr<const TraceStore> trace;
    std::optional<SlicePlace> slice;                 ///< The slice, or the longest one of a merged run.
    std::uint32_t count = 1;                         ///< Slices in the run.
    std::optional<TrackIndex> counter;               ///< Set on a counter.
    std::uint32_t firstSeries = 0, seriesCount = 0;  ///< Which of its series are drawn there; in TraceStore::series().
    TimeNs time;                                     ///< On the trace's clock.
    DurationNs shift;                                ///< Axis time = time + shift.
};

/// Relations between points of the canvas (logical pixels) and what is drawn there. Values only; GUI thread.
class CanvasLayout {
public:
    CanvasLayout(const TimelineScene& scene, const PictureLoader& loader) : m_scene(scene), m_loader(loader) {}

    void setSize(QSize size) { m_size = size; }
    QSize size() const { return m_size; }

    /// The present window over the width of the canvas. @pre the window is not empty, the width not 0.
    PixelScale scale() const { return PixelScale(m_scene.window().range(), m_size.width()); }
    bool ready() const { return m_size.width() > 0 && !m_scene.window().empty(); }

    /// nullopt below the last row. Slices up to two pixels away count, so that single pixels can be hit.
    /// O(log rows + log rects).
    std::optional<CanvasHit> hitAt(QPoint point) const;

    /// Where a slice is drawn; in the collapsed row that hides it, if one does. Its x may lie far outside the canvas,
    /// but is limited to some widths of it; its y may lie outside, its height is 0 where other rows are scrolled over
    /// it. nullopt if its track is not shown.
    std::optional<QRectF> rectOf(std::uint32_t source, RankIndex rank, const SlicePlace& place) const;
    /// x of a time on the axis, limited to some widths of the canvas.
    double xOf(TimeNs axisTime) const;

private:
    std::uint32_t imageColumn(int x) const;

    const TimelineScene& m_scene;
    const PictureLoader& m_loader;
    QSize m_size;
};

/// A curve from the selected slice to the other end of a flow.
struct FlowCurve {
    QPointF from, to;  ///< In the direction of the flow.
    std::string category;
};

/// Curves of the selected slice's flows; ends that lie in no slice have none. At most kMaxCurves.
std::vector<FlowCurve> flowCurves(const CanvasLayout& layout, const TimelineSources& sources, std::uint32_t source,
                                  const SelectedSlice& selected);
inline constexpr std::size_t kMaxCurves = 400;

}  // namespace altiscope
