#include "views/timeline/overlay/hover_text.h"

#include "views/common/plots/time_axis.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <algorithm>

namespace altiscope {

namespace {

struct HoverTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::HoverText)
};

/// More lines than this would cover what one looks at.
constexpr std::uint32_t kMaxSeries = 12;
constexpr qsizetype kMaxName = 120;

QString shortened(const QString& text) {
    return text.size() <= kMaxName ? text : text.first(kMaxName - 1) + QChar(0x2026);
}

HoverText sliceText(const CanvasHit& hit, TimeNs origin) {
    const TraceStore& trace = *hit.trace;
    const SliceIndex slice = hit.slice->slice;
    HoverText text{shortened(toQString(trace.name(slice))), {}};
    if (hit.count > 1) {
        text.lines << HoverTexts::tr("%1 slices share this pixel; this is the longest. Zoom in to see them.")
                          .arg(formatCount(hit.count));
    }
    text.lines << HoverTexts::tr("%1 long (%2)")
                      .arg(formatDuration(trace.duration(slice)), formatExactNs(trace.duration(slice)));
    text.lines
        << HoverTexts::tr("starts at %1").arg(formatRelativeTime(shifted(trace.begin(slice), hit.shift), origin));
    if (trace.selfDuration(slice) != trace.duration(slice)) {
        text.lines << HoverTexts::tr("%1 of its own").arg(formatDuration(trace.selfDuration(slice)));
    }
    return text;
}

HoverText counterText(const CanvasHit& hit) {
    const TraceStore& trace = *hit.trace;
    HoverText text{shortened(toQString(trace.track(*hit.counter).name)), {}};
    for (std::uint32_t i = 0; i < std::min(hit.seriesCount, kMaxSeries); ++i) {
        const CounterSeries& series = trace.series()[hit.firstSeries + i];
        const auto value = counterValueAt(trace, series, hit.time);
        const QString name = toQString(trace.text(series.name));
        text.lines << (value ? HoverTexts::tr("%1: %2").arg(name, formatNumber(*value))
                             : HoverTexts::tr("%1: not measured yet").arg(name));
    }
    if (hit.seriesCount > kMaxSeries)
        text.lines << HoverTexts::tr("and %1 more").arg(formatCount(hit.seriesCount - kMaxSeries));
    return text;
}

}  // namespace

HoverText hoverText(const CanvasHit& hit, TimeNs origin) {
    if (hit.slice) return sliceText(hit, origin);
    if (hit.counter) return counterText(hit);
    return {};
}

}  // namespace altiscope
