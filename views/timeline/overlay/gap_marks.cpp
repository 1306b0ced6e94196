#include "views/timeline/overlay/gap_marks.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace altiscope {

namespace {

bool isOfDevice(const TrackNode& row, const TimelineSources& sources) {
    const TraceStore* trace = sources.traceOf(row);
    if (trace == nullptr || row.trackCount == 0 || row.memory) return false;
    const TrackKind kind = trace->track({row.firstTrack}).kind;
    return kind == TrackKind::Hardware || kind == TrackKind::Communication || kind == TrackKind::Overlap;
}

/// Whether a row shows slices that no row below it shows.
bool hasBars(const TimelineRow& row) {
    return row.kind == TimelineRowKind::Thread ||
           (row.kind >= TimelineRowKind::Rank && !row.expanded && row.kind != TimelineRowKind::Counter && !row.memory);
}

}  // namespace

std::vector<GapMark> gapMarks(const CanvasLayout& layout, const TimelineScene& scene, const MarkedGaps& gaps) {
    std::vector<GapMark> marks;
    const TimelineModel& model = scene.model();
    const auto source = model.sources().sourceOf(gaps.capture);
    if (!source || gaps.gaps.empty()) return marks;
    const double width = layout.size().width();
    bool isFirst = true;
    for (const std::size_t number : scene.viewport().rowsInSight(layout.size().height())) {
        const TimelineRow& row = model.rows()[number];
        if (row.source != *source || row.rank != gaps.rank || !hasBars(row)) continue;
        if (gaps.isOfDevice && row.kind != TimelineRowKind::Rank && !isOfDevice(row, model.sources())) continue;
        const DurationNs shift = model.sources().shiftOf(row);
        const auto [top, bottom] = scene.viewport().partOf(row);
        const double y = static_cast<double>(scene.viewport().yOf(row, row.top));
        const double from = std::max(y, static_cast<double>(top)),
                     to = std::min(y + row.height, static_cast<double>(bottom));
        if (from >= to) continue;
        for (const TimeRange& gap : gaps.gaps) {
            const double left = std::max(layout.xOf(gap.begin + shift), -2.0),
                         right = std::min(layout.xOf(gap.end + shift), width + 2.0);
            if (right < 0 || left > width) continue;
            marks.push_back({QRectF(left, from, std::max(right - left, 1.0), to - from),
                             isFirst ? formatDuration(gap.length()) : QString()});
        }
        isFirst = false;
    }
    return marks;
}

void paintGaps(QPainter& painter, const std::vector<GapMark>& gaps, const Theme& theme) {
    constexpr double kHatchedFrom = 3;
    QColor hatch = theme.error, wash = theme.error;
    hatch.setAlpha(150);
    wash.setAlpha(theme.dark ? 40 : 26);
    const QFontMetricsF metrics(painter.font());
    for (const GapMark& gap : gaps) {
        painter.fillRect(gap.area, gap.area.width() < kHatchedFrom ? hatch : wash);
        if (gap.area.width() < kHatchedFrom) continue;
        painter.fillRect(gap.area, QBrush(hatch, Qt::BDiagPattern));
        for (const double x : {gap.area.left(), gap.area.right() - 1})
            painter.fillRect(QRectF(x, gap.area.top(), 1, gap.area.height()), theme.error);
        const double text = metrics.horizontalAdvance(gap.text) + 8;
        if (gap.text.isEmpty() || text > gap.area.width() || metrics.height() > gap.area.height()) continue;
        const QRectF box(gap.area.center().x() - text / 2, gap.area.center().y() - metrics.height() / 2, text,
                         metrics.height());
        painter.fillRect(box, theme.background);
        painter.setPen(theme.error);
        painter.drawText(box, Qt::AlignCenter, gap.text);
    }
}

}  // namespace altiscope
