#include "views/timeline/overlay/edge_arrows.h"

#include "views/common/plots/time_axis.h"
#include "views/common/theme/theme.h"
#include "views/timeline/picture/picture_loader.h"

#include <QPainter>
#include <QPointF>

#include <algorithm>

namespace altiscope {

namespace {

constexpr double kArrowWidth = 16, kArrowInset = 4, kArrowHalf = 4;
/// Max tracks that are looked at of a collapsed rank; the first ones of a rank nearly always have slices.
constexpr std::size_t kMaxTried = 64;

bool showsNothing(const RowPicture& picture) {
    const bool hasSlices = std::any_of(picture.slices.begin(), picture.slices.end(),
                                       [](const TrackGeometry& geometry) { return !geometry.rects.empty(); });
    return !hasSlices && picture.lines.empty() && picture.instants.empty();
}

}  // namespace

std::vector<EdgeArrow> edgeArrows(const TimelineScene& scene, const PictureLoader& loader, int width) {
    std::vector<EdgeArrow> arrows;
    const TimelineModel& model = scene.model();
    const RowViewport& viewport = scene.viewport();
    const TimeRange window = scene.window().range();
    for (const std::size_t r : viewport.rowsInSight(viewport.height())) {
        const TimelineRow& row = model.rows()[r];
        const TraceStore* trace = model.sources().traceOf(row);
        const RowPicture* picture = loader.picture(row);
        // A merged row's tracks are not in one piece; it shows something nearly everywhere.
        if (trace == nullptr || picture == nullptr || picture->window != window || row.merged != nullptr ||
            picture->colours == nullptr || picture->colours->trace().get() != trace || !showsNothing(*picture))
            continue;
        bool before = false, after = false;
        std::size_t tried = 0;
        for (const TrackIndex track : tracksIn(row)) {
            if (++tried > kMaxTried || (before && after)) break;
            const auto runs = trace->runs(track);
            if (runs.empty()) continue;
            const TimeRange own = shifted(window, {-model.sources().shiftOf(row.source, row.rank, track).value});
            before = before || trace->end({runs.front().first}) <= own.begin;
            after = after || trace->begin({runs.front().first + runs.front().count - 1}) >= own.end;
        }
        const auto [first, limit] = viewport.partOf(row);
        const std::int64_t y = viewport.yOf(row, row.top);
        const double top = static_cast<double>(std::max<std::int64_t>(y, first)),
                     bottom = static_cast<double>(std::min<std::int64_t>(y + row.height, limit));
        if (bottom - top < 2 * kArrowHalf) continue;
        const double height = std::min<double>(bottom - top, model.metrics().lane + model.metrics().gap);
        if (before) arrows.push_back({r, false, QRectF(0, top, kArrowWidth, height)});
        if (after) arrows.push_back({r, true, QRectF(width - kArrowWidth, top, kArrowWidth, height)});
    }
    return arrows;
}

std::optional<EdgeArrow> arrowAt(const std::vector<EdgeArrow>& arrows, QPoint at) {
    const auto found = std::find_if(arrows.begin(), arrows.end(), [at](const EdgeArrow& arrow) {
        return arrow.area.contains(QPointF(at) + QPointF(0.5, 0.5));
    });
    return found == arrows.end() ? std::nullopt : std::optional(*found);
}

void paintArrows(QPainter& painter, const std::vector<EdgeArrow>& arrows, const Theme& theme) {
    if (arrows.empty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    for (const EdgeArrow& arrow : arrows) {
        const double y = arrow.area.center().y();
        const double tip = arrow.forward ? arrow.area.right() - kArrowInset : arrow.area.left() + kArrowInset;
        const double back = arrow.forward ? tip - kArrowHalf * 1.6 : tip + kArrowHalf * 1.6;
        painter.drawPolygon(QPolygonF{QPointF(tip, y), QPointF(back, y - kArrowHalf), QPointF(back, y + kArrowHalf)});
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace altiscope
