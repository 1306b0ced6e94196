#include "views/timeline/picture/row_picture.h"

#include "core/base/threads/parallel.h"
#include "views/common/plots/time_axis.h"
#include "views/timeline/rows/key_lanes.h"

#include <algorithm>
#include <set>

namespace altiscope {

namespace {

/// Strips of a preview; more would be thinner than two pixels.
constexpr std::size_t kPreviewStrips = 6;
/// A preview is drawn in cells two pixels wide: half the work, and no one can see more in a strip that thin.
constexpr int kPreviewCell = 2;
/// Lines of a plot. Each has a point for every column, and no one can tell more of them apart.
constexpr std::uint32_t kMaxPlotLines = 64;

void addSlices(RowPicture& picture, const WindowQuery& query, int stretch, const CancelToken& cancel) {
    const Result<TrackWindow> window = queryTrackWindow(*picture.colours->trace(), query, cancel);
    if (!window.ok()) return;
    picture.tracks.push_back(query.track);
    picture.slices.push_back(layOutTrack(window.value(), query, *picture.colours, stretch));
}

void addMerged(RowPicture& picture, WindowQuery query, const CancelToken& cancel) {
    picture.tracks.push_back(query.track);
    picture.slices.push_back(layOutMerged(queryMergedWindow(*picture.merged, query, cancel), query, *picture.colours,
                                          picture.merged->depthCount()));
    std::set<int> instants;
    for (const TrackIndex track : picture.merged->tracks()) {
        query.track = track;
        const auto columns = instantColumns(*picture.colours->trace(), query);
        instants.insert(columns.begin(), columns.end());
    }
    picture.instants.assign(instants.begin(), instants.end());
}

void addLines(RowPicture& picture, WindowQuery query, const RowRequest& request, const CancelToken& cancel) {
    const TraceStore& trace = *picture.colours->trace();
    const bool isEachAlone = request.kind == PictureKind::Plots;
    const std::uint32_t count = trace.extent(query.track).seriesCount;
    query.firstDepth = isEachAlone ? std::min(request.firstLane, count) : 0;
    const std::uint32_t end =
        isEachAlone ? query.firstDepth + std::min(request.laneCount, count - query.firstDepth) : count;
    std::vector<CounterLine> lines;
    do {
        query.depthCount = std::min(end - query.firstDepth, kMaxPlotLines);
        const Result<CounterWindow> window = queryCounterWindow(trace, query, cancel);
        if (!window.ok()) return;
        picture.scale = counterScale(window.value());
        const auto hue = static_cast<ColourIndex>(Theme::hueIndex(trace.track(query.track).name));
        for (CounterLine& line : layOutCounter(window.value(), query, hue)) {
            if (isEachAlone || lines.size() < kMaxPlotLines) lines.push_back(std::move(line));
            else coverBoth(lines.back(), line);
        }
        query.firstDepth += query.depthCount;
    } while (query.firstDepth < end);
    picture.lines = std::move(lines);
    picture.tracks.push_back(query.track);
}

/// Rows are made anew whenever anything about them changes.
bool areSame(const std::shared_ptr<const std::vector<TrackIndex>>& a,
             const std::shared_ptr<const std::vector<TrackIndex>>& b) {
    return a == b || (a != nullptr && b != nullptr && *a == *b);
}

bool areSame(const std::shared_ptr<const MovedTracks>& a, const std::shared_ptr<const MovedTracks>& b) {
    return a == b || (a != nullptr && b != nullptr && *a == *b);
}

/// The window on the clock of a track.
TimeRange windowOf(const PictureRequest& request, const RowRequest& row, TrackIndex track) {
    const auto moved = row.moved == nullptr ? MovedTracks::const_iterator() : row.moved->find(track);
    const std::int64_t later = row.moved == nullptr || moved == row.moved->end() ? 0 : moved->second;
    return shifted(request.window, {-row.shift.value - later});
}

std::vector<TrackIndex> tracksOf(const RowRequest& row) {
    if (row.streams != nullptr) return *row.streams;
    std::vector<TrackIndex> tracks;
    for (std::uint32_t t = row.firstTrack; t < row.firstTrack + row.trackCount; ++t) tracks.push_back({t});
    return tracks;
}

std::shared_ptr<const RowPicture> queryRow(const PictureRequest& request, const RowRequest& row,
                                           const CancelToken& cancel) {
    auto picture = std::make_shared<RowPicture>();
    picture->kind = row.kind;
    picture->window = request.window;
    picture->widthPx = request.widthPx;
    picture->shift = row.shift;
    picture->moved = row.moved;
    picture->firstLane = row.firstLane;
    picture->laneCount = row.laneCount;
    picture->strips = row.strips;
    picture->colours = row.colours;
    picture->merged = row.merged;
    picture->streams = row.streams;
    WindowQuery query{
        .track = {row.firstTrack}, .window = shifted(request.window, {-row.shift.value}), .widthPx = request.widthPx};
    // Held at the end of representable time by its shift: nothing of this row can be in sight.
    if (query.window.length() != request.window.length()) return picture;
    switch (row.kind) {
    case PictureKind::Lanes:
    case PictureKind::Squeezed:
        query.firstDepth = row.firstLane;
        query.depthCount = row.laneCount;
        if (row.merged != nullptr) {
            addMerged(*picture, query, cancel);
            break;
        }
        addSlices(*picture, query, 1, cancel);
        picture->instants = instantColumns(*row.colours->trace(), query);
        break;
    case PictureKind::Preview:
        query.depthCount = 1;
        for (const KeyLane& lane : keyLanes(row.colours->weights(), tracksOf(row), row.laneCount)) {
            query.track = lane.track;
            query.window = windowOf(request, row, lane.track);
            query.firstDepth = lane.depth;
            addSlices(*picture, query, 1, cancel);
        }
        picture->named = static_cast<std::uint32_t>(picture->tracks.size());
        if (!row.strips && picture->named == row.laneCount) break;
        query.firstDepth = 0;
        query.widthPx = (request.widthPx + kPreviewCell - 1) / kPreviewCell;
        for (const TrackIndex track : previewTracks(*row.colours->trace(), tracksOf(row), kPreviewStrips)) {
            query.track = track;
            query.window = windowOf(request, row, track);
            addSlices(*picture, query, kPreviewCell, cancel);
        }
        if (!picture->tracks.empty()) break;
        if (const auto counter = previewCounter(*row.colours->trace(), tracksOf(row))) {
            query.track = *counter;
            query.window = windowOf(request, row, *counter);
            query.widthPx = request.widthPx;
            addLines(*picture, query, row, cancel);
        }
        break;
    case PictureKind::Plot:
    case PictureKind::Plots: addLines(*picture, query, row, cancel); break;
    case PictureKind::Nothing: break;
    }
    return picture;
}

}  // namespace

PictureKind pictureKindOf(const TimelineRow& row) {
    switch (row.kind) {
    case TimelineRowKind::Thread: return row.expandable && !row.expanded ? PictureKind::Squeezed : PictureKind::Lanes;
    case TimelineRowKind::Counter: return row.expanded ? PictureKind::Plots : PictureKind::Plot;
    case TimelineRowKind::Rank:
    case TimelineRowKind::Process:
    case TimelineRowKind::Model: return row.expanded ? PictureKind::Nothing : PictureKind::Preview;
    case TimelineRowKind::Capture:
    case TimelineRowKind::Host: break;
    }
    return PictureKind::Nothing;
}

bool RowPicture::results(const RowRequest& request, TimeRange wantedWindow, std::uint32_t wantedWidthPx) const {
    return kind == request.kind && window == wantedWindow && widthPx == wantedWidthPx && shift == request.shift &&
           colours == request.colours && merged == request.merged && areSame(streams, request.streams) &&
           strips == request.strips && areSame(moved, request.moved) &&
           (kind == PictureKind::Preview
                ? laneCount == request.laneCount
                : firstLane <= request.firstLane && firstLane + laneCount >= request.firstLane + request.laneCount);
}

bool hasStrips(int height, int lane, std::uint32_t lanes, const RowMetrics& metrics) {
    // Two pixels for each of three.
    constexpr int kMinStrips = 6;
    return height - metrics.gap - static_cast<int>(lanes) * lane >= kMinStrips;
}

PictureResult queryPicture(const PictureRequest& request, const CancelToken& cancel) {
    PictureResult result{request.window, request.widthPx, {}};
    result.rows.resize(request.rows.size());
    parallelFor(request.rows.size(), [&](std::size_t i) {
        if (cancel.cancelled()) return;
        result.rows[i] = {request.rows[i].key, queryRow(request, request.rows[i], cancel)};
    });
    return result;
}

std::optional<TrackIndex> previewCounter(const TraceStore& trace, const std::vector<TrackIndex>& tracks) {
    std::optional<TrackIndex> best;
    std::pair<bool, std::uint64_t> most{false, 0};
    for (const TrackIndex track : tracks) {
        const TrackExtent& extent = trace.extent(track);
        std::pair<bool, std::uint64_t> detail{false, 0};
        for (std::uint32_t s = extent.firstSeries; s < extent.firstSeries + extent.seriesCount; ++s) {
            detail.first = detail.first || trace.series()[s].minimum < trace.series()[s].maximum;
            detail.second += trace.series()[s].count;
        }
        if (detail <= most) continue;
        most = detail;
        best = track;
    }
    return best;
}

std::vector<TrackIndex> previewTracks(const TraceStore& trace, std::vector<TrackIndex> tracks, std::size_t limit) {
    const auto hasLessDetail = [&trace](TrackIndex track) {
        switch (trace.track(track).kind) {
        case TrackKind::Overlap: return 0;
        case TrackKind::Hardware: return 1;
        case TrackKind::Communication: return 2;
        case TrackKind::Python:
        case TrackKind::Stack:
        case TrackKind::Cann:
        case TrackKind::Counter:
        case TrackKind::Mstx:
        case TrackKind::Scope:
        case TrackKind::Gc:
        case TrackKind::Other: return 3;
        }
        return 3;
    };
    std::erase_if(tracks, [&trace](TrackIndex track) { return trace.extent(track).sliceCount == 0; });
    const auto slices = [&trace](TrackIndex track) { return trace.extent(track).sliceCount; };
    std::stable_sort(tracks.begin(), tracks.end(), [&](TrackIndex a, TrackIndex b) {
        return hasLessDetail(a) != hasLessDetail(b) ? hasLessDetail(a) < hasLessDetail(b) : slices(a) > slices(b);
    });
    // A kind that shows less than the best one would only make its strips thinner.
    const auto lesser = std::find_if(tracks.begin(), tracks.end(), [&](TrackIndex track) {
        return hasLessDetail(track) != hasLessDetail(tracks.front());
    });
    tracks.erase(lesser, tracks.end());
    if (tracks.size() > limit) tracks.resize(limit);
    std::sort(tracks.begin(), tracks.end());
    return tracks;
}

}  // namespace altiscope
