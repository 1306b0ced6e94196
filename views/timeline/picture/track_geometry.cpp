#include "views/timeline/picture/track_geometry.h"

#include "views/common/plots/view_window.h"

#include <algorithm>

namespace altiscope {

namespace {

TrackGeometry layOut(const TrackWindow& window, const WindowQuery& query, const SliceColours& colours,
                     std::uint32_t depths, bool overlap, int stretch) {
    const std::uint32_t lanes = query.firstDepth >= depths ? 0 : std::min(query.depthCount, depths - query.firstDepth);

    TrackGeometry geometry;
    geometry.firstDepth = query.firstDepth;
    geometry.laneBegins.reserve(lanes + 1);
    geometry.rects.reserve(window.items.size());
    for (const WindowItem& item : window.items) {
        while (geometry.laneBegins.size() <= item.depth - query.firstDepth) {
            geometry.laneBegins.push_back(static_cast<std::uint32_t>(geometry.rects.size()));
        }
        geometry.rects.push_back(
            {item.left * stretch, item.right * stretch, item.slice, item.count, colours.of(item, overlap)});
    }
    geometry.laneBegins.resize(lanes + 1, static_cast<std::uint32_t>(geometry.rects.size()));
    return geometry;
}

}  // namespace

TrackGeometry layOutTrack(const TrackWindow& window, const WindowQuery& query, const SliceColours& colours,
                          int stretch) {
    const TraceStore& trace = *colours.trace();
    return layOut(window, query, colours, trace.depthCount(query.track),
                  trace.track(query.track).kind == TrackKind::Overlap, stretch);
}

TrackGeometry layOutMerged(const TrackWindow& window, const WindowQuery& query, const SliceColours& colours,
                           std::uint32_t depths) {
    return layOut(window, query, colours, depths, colours.trace()->track(query.track).kind == TrackKind::Overlap, 1);
}

const LaneRect* rectAt(std::span<const LaneRect> lane, int x, int reach) {
    // The last one that begins at or left of x is the one on top there.
    const auto after = std::upper_bound(lane.begin(), lane.end(), x,
                                        [](int value, const LaneRect& rect) { return value < rect.left; });
    const LaneRect* best = nullptr;
    int distance = reach + 1;
    if (after != lane.begin()) {
        const LaneRect& before = *(after - 1);
        const int d = std::max(0, x - before.right + 1);
        if (d < distance) {
            best = &before;
            distance = d;
        }
    }
    if (after != lane.end() && after->left - x < distance) best = &*after;
    return best;
}

MinMax counterScale(const CounterWindow& window) {
    return {std::min(window.minimum, 0.0), std::max(window.maximum, 0.0)};
}

std::vector<CounterLine> layOutCounter(const CounterWindow& window, const WindowQuery& query, ColourIndex hue) {
    const MinMax scale = counterScale(window);
    // Halves, because the difference of two values at the ends of double's range would be infinite.
    const double half = scale.maximum / 2 - scale.minimum / 2;
    const auto part = [&scale, half](double value) {
        return half > 0 ? static_cast<float>((value / 2 - scale.minimum / 2) / half) : 0.0F;
    };
    std::vector<CounterLine> lines;
    for (const SeriesWindow& series : window.series) {
        CounterLine line;
        line.series = series.series;
        line.colour = static_cast<ColourIndex>((hue + query.firstDepth + lines.size()) % Theme::kHues);
        if (!series.columns.empty()) line.firstColumn = static_cast<int>(series.columns.front().px);
        line.points.reserve(series.columns.empty() ? 0 : query.widthPx - series.columns.front().px);
        const auto holdUntil = [&line](std::size_t column) {
            if (line.points.empty()) return;
            const float level = line.points.back().level;
            line.points.resize(column - static_cast<std::size_t>(line.firstColumn), {level, level, level});
        };
        for (const CounterColumn& column : series.columns) {
            holdUntil(column.px);
            CounterPoint point{part(column.minimum), part(column.maximum), part(column.last)};
            if (!line.points.empty()) {
                const float before = line.points.back().level;
                point.low = std::min(point.low, before);
                point.high = std::max(point.high, before);
            }
            line.points.push_back(point);
        }
        holdUntil(query.widthPx);
        lines.push_back(std::move(line));
    }
    return lines;
}

void coverBoth(CounterLine& band, const CounterLine& other) {
    if (other.points.empty()) return;
    if (band.points.empty()) {
        band.firstColumn = other.firstColumn;
        band.points = other.points;
        return;
    }
    // All lines end at the right edge.
    if (other.firstColumn < band.firstColumn) {
        const auto before = other.points.begin() + (band.firstColumn - other.firstColumn);
        band.points.insert(band.points.begin(), other.points.begin(), before);
        band.firstColumn = other.firstColumn;
    }
    std::size_t at = static_cast<std::size_t>(other.firstColumn - band.firstColumn);
    for (const CounterPoint& point : other.points) {
        CounterPoint& both = band.points[at++];
        both = {std::min(both.low, point.low), std::max(both.high, point.high), std::max(both.level, point.level)};
    }
}

std::vector<int> instantColumns(const TraceStore& trace, const WindowQuery& query) {
    const TrackExtent& extent = trace.extent(query.track);
    const auto times = trace.columns().instantTime.span().subspan(extent.firstInstant, extent.instantCount);
    const PixelScale scale(query.window, static_cast<int>(query.widthPx));
    std::vector<int> columns;
    auto next = std::lower_bound(times.begin(), times.end(), query.window.begin.value);
    while (next != times.end() && *next < query.window.end.value) {
        const int column = scale.column({*next});
        columns.push_back(column);
        next =
            std::partition_point(next, times.end(), [&](std::int64_t time) { return scale.column({time}) <= column; });
    }
    return columns;
}

}  // namespace altiscope
