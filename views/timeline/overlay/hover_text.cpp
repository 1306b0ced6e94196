#include "views/timeline/overlay/hover_text.h"

#include "core/analysis/collectives/collective_tasks.h"
#include "views/common/plots/time_axis.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

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

/// The collective that a task on one of its group's planes is a part of. O(tracks + log slices).
std::optional<SliceIndex> collectiveOf(const TraceStore& trace, SliceIndex task) {
    const std::uint32_t track = trace.runOf(task).track;
    if (trace.track({track}).kind != TrackKind::Communication) return std::nullopt;
    for (const GroupTracks& group : groupTracks(trace)) {
        if (std::find(group.planes.begin(), group.planes.end(), track) == group.planes.end()) continue;
        const auto runs = trace.runs({group.group});
        if (runs.empty()) return std::nullopt;
        const std::uint32_t first = trace.firstEndingAfter(runs.front(), trace.begin(task));
        const bool isAround = first < runs.front().first + runs.front().count &&
                              trace.begin({first}) <= trace.begin(task) && trace.end(task) <= trace.end({first});
        return isAround ? std::optional(SliceIndex{first}) : std::nullopt;
    }
    return std::nullopt;
}

HoverText sliceText(const CanvasHit& hit, TimeNs origin) {
    const TraceStore& trace = *hit.trace;
    const SliceIndex slice = hit.slice->slice;
    HoverText text{shortened(toQString(trace.name(slice))), {}};
    if (hit.count > 1) {
        text.lines << HoverTexts::tr("%1 slices share this pixel; this is the longest. Zoom in to see them.")
                          .arg(formatCount(hit.count));
    }
    if (const auto collective = collectiveOf(trace, slice))
        text.lines << HoverTexts::tr("task of %1").arg(shortened(toQString(trace.name(*collective))));
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
