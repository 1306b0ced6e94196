#include "views/memory/canvas/memory_overlay.h"

#include "core/session/marks.h"
#include "views/common/support/formatters.h"
#include "views/memory/data/rank_memory.h"

#include <QCoreApplication>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct OverlayTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::MemoryOverlay)
};

const std::optional<MemoryPeakPoint>& pointOf(const ComponentPeak& peak, MemoryQuantity quantity) {
    if (quantity == MemoryQuantity::Allocated) return peak.allocated;
    return quantity == MemoryQuantity::Reserved ? peak.reserved : peak.active;
}

}  // namespace

CurveOverlay memoryOverlay(const RankMemory& memory, const std::vector<Mark>& marks) {
    CurveOverlay overlay;
    for (const Step& step : memory.entry().steps) {
        if (step.range) overlay.sections.push_back({*step.range, OverlayTexts::tr("Step %1").arg(step.number)});
    }
    for (const Mark& mark : marks) {
        overlay.ranges.push_back({.range = mark.range,
                                  .hue = static_cast<std::size_t>(mark.colour),
                                  .name = mark.name,
                                  .tip = mark.note.isEmpty() ? mark.name : mark.name + u": "_s + mark.note});
    }
    overlay.context = memory.times;
    return overlay;
}

std::vector<CurvePoint> peakPoints(const RankMemory& memory, const std::vector<CurveLine>& lines, TimeNs origin) {
    std::vector<CurvePoint> points;
    for (const CurveLine& line : lines) {
        if (!line.shown || line.isBase) continue;
        const auto peak = std::find_if(memory.peaks.begin(), memory.peaks.end(), [&](const ComponentPeak& known) {
            return !known.isModule && known.owner == line.series->owner();
        });
        if (peak == memory.peaks.end()) continue;
        const auto& point = pointOf(*peak, line.quantity);
        if (!point) continue;
        const QString bytes = formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, point->value)));
        points.push_back({.at = point->at,
                          .value = point->value,
                          .hue = line.hue,
                          .tip = OverlayTexts::tr("Peak of %1: %2 at %3")
                                     .arg(line.name, bytes, formatRelativeTime(point->at, origin))});
    }
    return points;
}

}  // namespace altiscope
