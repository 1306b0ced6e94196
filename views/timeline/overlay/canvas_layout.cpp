#include "views/timeline/overlay/canvas_layout.h"

#include "views/common/plots/time_axis.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

namespace {

/// Coordinates beyond this many widths of the canvas are cut: painters need no numbers of 10^15 pixels.
constexpr double kFarWidths = 4;
constexpr int kReachPx = 2;

}  // namespace

double CanvasLayout::xOf(TimeNs axisTime) const {
    return std::clamp(scale().x(axisTime), -kFarWidths * m_size.width(), (kFarWidths + 1) * m_size.width());
}

std::uint32_t CanvasLayout::imageColumn(int x) const {
    // The image may still show an earlier window; what is under the pointer is then found by time.
    const TimeRange shown = m_loader.imageWindow();
    const double ratio = static_cast<double>(m_size.width()) > 0 ? m_loader.devicePixelRatio() : 1;
    if (shown == m_scene.window().range() || shown.empty()) return static_cast<std::uint32_t>(std::lround(x * ratio));
    const double inImage = PixelScale(shown, m_size.width()).x(scale().timeAt(x)) * ratio;
    return static_cast<std::uint32_t>(std::clamp(inImage, 0.0, m_size.width() * ratio));
}

std::optional<CanvasHit> CanvasLayout::hitAt(QPoint point) const {
    const TimelineModel& model = m_scene.model();
    if (!ready() || model.rows().empty() || point.y() < 0) return std::nullopt;
    const std::int64_t y = m_scene.viewport().heightAt(point.y());
    if (y < 0 || y >= model.layout().height()) return std::nullopt;
    CanvasHit hit;
    hit.row = model.layout().rowAt(y);
    const TimelineRow& row = model.rows()[hit.row];
    hit.shift = model.sources().shiftOf(row);
    hit.time = shifted(scale().timeAt(point.x()), {-hit.shift.value});
    const RowPicture* picture = m_loader.picture(row);
    if (picture == nullptr || picture->colours == nullptr) return hit;
    hit.trace = picture->colours->trace();

    const int column = static_cast<int>(imageColumn(point.x()));
    const int line = m_loader.deviceY(row, y);
    const int reach = static_cast<int>(std::lround(kReachPx * m_loader.devicePixelRatio()));
    const auto within = [line](PictureLoader::Lane lane) { return lane.top <= line && line <= lane.top + lane.height; };
    const auto takeSlice = [&](std::span<const LaneRect> lane) {
        const LaneRect* rect = rectAt(lane, column, reach);
        if (rect == nullptr) return;
        hit.slice = placeOf(*hit.trace, rect->slice);
        hit.count = rect->count;
    };
    // The row counts tracks of the present store, the picture those of its own.
    const auto takeCounter = [&] {
        hit.counter = picture->tracks.front();
        const TrackExtent& extent = hit.trace->extent(*hit.counter);
        hit.firstSeries = extent.firstSeries;
        hit.seriesCount = extent.seriesCount;
    };
    const auto strips = static_cast<std::uint32_t>(picture->slices.size());
    switch (picture->kind) {
    case PictureKind::Preview:
        // Strips are too thin to aim at: the one nearest in height that has something there.
        for (std::uint32_t i = 0, nearest = ~0U; i < strips; ++i) {
            const auto lane = m_loader.previewLane(row, *picture, i);
            const auto far = static_cast<std::uint32_t>(std::max({0, lane.top - line, line - lane.top - lane.height}));
            if (far >= nearest || picture->slices[i].laneCount() == 0) continue;
            const std::optional<SlicePlace> before = std::exchange(hit.slice, std::nullopt);
            takeSlice(picture->slices[i].lane(0));
            if (hit.slice) nearest = far;
            else hit.slice = before;
        }
        if (!picture->lines.empty()) takeCounter();
        // A rank's preview has tracks that are moved against it, and others.
        if (const auto track = hit.slice ? std::optional(hit.slice->track) : hit.counter; track && picture->moved) {
            hit.shift = model.sources().shiftOf(row.source, row.rank, *track);
            hit.time = shifted(scale().timeAt(point.x()), {-hit.shift.value});
        }
        break;
    case PictureKind::Lanes:
    case PictureKind::Squeezed:
        if (strips == 0) break;
        for (std::uint32_t i = 0; i < picture->slices[0].laneCount(); ++i) {
            if (within(m_loader.laneOf(row, picture->kind, picture->slices[0].firstDepth + i, row.lanes))) {
                takeSlice(picture->slices[0].lane(i));
                if (hit.slice) break;
            }
        }
        break;
    case PictureKind::Plot:
    case PictureKind::Plots: {
        if (picture->tracks.empty()) break;
        takeCounter();
        if (picture->kind == PictureKind::Plot) break;
        const auto lane = static_cast<std::uint32_t>(
            std::clamp<std::int64_t>((y - row.top) / row.lane, 0, std::int64_t{hit.seriesCount} - 1));
        hit.firstSeries += lane;
        hit.seriesCount = 1;
        break;
    }
    case PictureKind::Nothing: break;
    }
    return hit;
}

std::optional<QRectF> CanvasLayout::rectOf(std::uint32_t source, RankIndex rank, const SlicePlace& place) const {
    const TimelineModel& model = m_scene.model();
    const auto at = model.placeOf(source, rank, place.track);
    if (!at || !ready()) return std::nullopt;
    const TimelineRow& row = model.rows()[at->row];
    const TimeRange range = shifted(place.range, model.sources().shiftOf(source, rank, place.track));
    const double left = xOf(range.begin), right = std::max(xOf(range.end), left + 1);
    const double ratio = m_loader.devicePixelRatio();
    const std::uint32_t depth = laneOf(row, place.slice, place.depth);
    PictureLoader::Lane lane;
    if (at->hidden) {
        // Among the strips of the preview if it is one of them, else the whole row.
        const RowPicture* picture = m_loader.picture(row);
        lane = {m_loader.deviceY(row, row.top),
                m_loader.deviceY(row, row.top + row.height) - m_loader.deviceY(row, row.top)};
        for (std::uint32_t i = 0; picture != nullptr && i < picture->slices.size(); ++i) {
            if (picture->tracks[i] != place.track || picture->slices[i].firstDepth != place.depth) continue;
            lane = m_loader.previewLane(row, *picture, i);
            break;
        }
    } else if (row.expandable && !row.expanded) {
        lane = m_loader.laneOf(row, PictureKind::Squeezed, std::min(depth, row.lanes - 1), row.lanes);
    } else {
        lane = m_loader.laneOf(row, PictureKind::Lanes, depth, row.lanes);
    }
    const auto [first, after] = m_scene.viewport().partOf(row);
    QRectF rect(left, lane.top / ratio, right - left, lane.height / ratio);
    // A row that is scrolled below the pinned rows, or out of their part, ends at the border.
    if (row.pinned || first > 0) {
        if (first > 0) rect.setTop(std::max<double>(rect.top(), first));
        if (row.pinned) rect.setBottom(std::min<double>(rect.bottom(), after));
        if (rect.top() > rect.bottom()) rect = QRectF(left, row.pinned ? rect.bottom() : rect.top(), rect.width(), 0);
    }
    return rect;
}

std::vector<FlowCurve> flowCurves(const CanvasLayout& layout, const TimelineSources& sources, std::uint32_t source,
                                  const SelectedSlice& selected) {
    std::vector<FlowCurve> curves;
    const auto own = layout.rectOf(source, selected.key.rank, selected.place);
    if (!own) return curves;
    for (const LinkedFlow& flow : selected.flows) {
        if (curves.size() >= kMaxCurves) break;
        const auto other = flow.other ? layout.rectOf(source, selected.key.rank, *flow.other) : std::nullopt;
        if (!other) continue;
        const DurationNs shift = sources.shiftOf(source, selected.key.rank, selected.place.track);
        const DurationNs farShift = sources.shiftOf(source, selected.key.rank, flow.other->track);
        const QPointF far(layout.xOf(shifted(flow.far, farShift)), other->center().y());
        // At the edge that faces the other end, so that the curve does not strike through the slice's name.
        const double y = far.y() > own->bottom() ? own->bottom()
                         : far.y() < own->top()  ? own->top()
                                                 : own->center().y();
        const QPointF near(layout.xOf(shifted(flow.near, shift)), y);
        curves.push_back({flow.outgoing ? near : far, flow.outgoing ? far : near, flow.category});
    }
    return curves;
}

}  // namespace altiscope
