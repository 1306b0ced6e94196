#include "views/timeline/overlay/hit_marks.h"

#include "core/base/threads/parallel.h"
#include "views/common/plots/time_axis.h"
#include "views/common/plots/view_window.h"
#include "views/timeline/rows/merged_tracks.h"
#include "views/timeline/scene/find_controller.h"
#include "views/timeline/scene/timeline_scene.h"

#include <QWidget>

#include <algorithm>
#include <compare>
#include <numeric>

namespace altiscope {

namespace {

struct HitLane {
    RankIndex rank{};
    std::uint32_t track = 0, depth = 0;
    auto operator<=>(const HitLane&) const = default;
};

/// A lane that is in sight.
struct WantedLane {
    HitLane lane;
    DurationNs shift;
};

/// The lanes of the rows in sight; of a row that hides tracks, all that it hides.
std::vector<WantedLane> lanesInSight(const TimelineScene& scene, std::uint32_t source) {
    const TimelineModel& model = scene.model();
    std::vector<WantedLane> lanes;
    for (const std::size_t r : scene.viewport().rowsInSight(scene.viewport().height())) {
        const TimelineRow& row = model.rows()[r];
        const TraceStore* trace = model.sources().traceOf(row);
        if (row.source != source || trace == nullptr || row.memory || row.kind == TimelineRowKind::Counter ||
            (row.kind < TimelineRowKind::Thread && row.expanded))
            continue;
        const bool hasLanes =
            row.kind == TimelineRowKind::Thread && row.merged == nullptr && (row.expanded || !row.expandable);
        for (const TrackIndex track : tracksIn(row)) {
            std::uint32_t first = 0, last = trace->depthCount(track);
            if (hasLanes) {
                const auto [top, bottom] = scene.viewport().partOf(row);
                const std::int64_t begin = scene.viewport().yOf(row, row.top);
                const auto at = [&, depths = last](std::int64_t y) {
                    return static_cast<std::uint32_t>(
                        std::clamp<std::int64_t>((y - begin) / row.lane, 0, std::int64_t{depths}));
                };
                first = at(top - row.lane);
                last = std::min(last, at(bottom + row.lane) + 1);
            }
            const DurationNs shift = model.sources().shiftOf(row.source, row.rank, track);
            for (std::uint32_t depth = first; depth < last; ++depth)
                lanes.push_back({{row.rank, track.value, depth}, shift});
        }
    }
    return lanes;
}

}  // namespace

struct HitMarks::Index {
    std::shared_ptr<const SliceHits> hits;
    std::vector<std::pair<HitLane, std::size_t>> spans;  // sorted; places in SliceHits::spans()

    explicit Index(std::shared_ptr<const SliceHits> theHits) : hits(std::move(theHits)) {
        for (std::size_t s = 0; s < hits->spans().size(); ++s) {
            const SliceSpan& span = hits->spans()[s];
            if (!hits->slices()[s].empty())
                spans.push_back({{hits->selection().ranks[span.selected].rank, span.trackIndex.value, span.depth}, s});
        }
        std::sort(spans.begin(), spans.end());
    }

    HitMark markOf(const WantedLane& wanted, TimeRange window, int width) const {
        HitMark mark{.source = 0,
                     .rank = wanted.lane.rank,
                     .track = {wanted.lane.track},
                     .depth = wanted.lane.depth,
                     .ranges = {}};
        const auto found = std::lower_bound(spans.begin(), spans.end(), std::pair(wanted.lane, std::size_t{0}));
        if (found == spans.end() || found->first != wanted.lane) return mark;
        const TraceStore& trace = storeOf(hits->selection(), hits->spans()[found->second].selected);
        const TimeRange own = shifted(window, {-wanted.shift.value});
        const PixelScale scale(window, width);
        for (const auto& [left, right] : hitColumns(trace, hits->slices()[found->second], own, width))
            mark.ranges.push_back({scale.timeAt(left), scale.timeAt(right)});
        return mark;
    }
};

std::vector<std::pair<int, int>> hitColumns(const TraceStore& trace, std::span<const std::uint32_t> hits,
                                            TimeRange window, int width) {
    std::vector<std::pair<int, int>> columns;
    const PixelScale scale(window, width);
    const auto leftOf = [&](std::uint32_t slice) {
        return std::clamp(scale.column(std::max(trace.begin({slice}), window.begin)), 0, width - 1);
    };
    // A slice that ends where the window begins is not in sight, but one without length there is.
    auto at = std::partition_point(hits.begin(), hits.end(), [&](std::uint32_t slice) {
        return trace.end({slice}) <= window.begin && trace.begin({slice}) < window.begin;
    });
    const auto end =
        std::partition_point(at, hits.end(), [&](std::uint32_t slice) { return trace.begin({slice}) < window.end; });
    while (at != end) {
        const int left = leftOf(*at);
        const int right = std::clamp(scale.columnAfter(std::min(trace.end({*at}), window.end)), left + 1, width);
        if (!columns.empty() && columns.back().second >= left)
            columns.back().second = std::max(columns.back().second, right);
        else columns.emplace_back(left, right);
        // Ends ascend, so of those that begin within the columns covered so far only the last one reaches further.
        const auto after = std::partition_point(
            at + 1, end, [&](std::uint32_t slice) { return leftOf(slice) < columns.back().second; });
        at = after - at > 1 ? after - 1 : after;
    }
    return columns;
}

HitMarks::HitMarks(TimelineScene& scene, FindController& find, const QWidget& canvas)
    : m_scene(scene), m_find(find), m_canvas(canvas), m_slot(scene.jobs()) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &HitMarks::request);
    const auto later = [this] {
        if ((m_find.result().hits || !m_marks.empty()) && !m_timer.isActive()) m_timer.start(0);
    };
    connect(&find, &FindController::changed, this, later);
    for (const auto signal : {&TimelineScene::windowChanged, &TimelineScene::rowsChanged, &TimelineScene::scrolled})
        connect(&scene, signal, this, later);
}

void HitMarks::request() {
    const SearchResult& result = m_find.result();
    const auto source = result.hits ? m_scene.model().sources().sourceOf(result.capture) : std::nullopt;
    const TimeRange window = m_scene.window().range();
    if (!source || m_scene.model().rows().empty() || window.empty() || m_canvas.width() <= 0) {
        m_slot.cancel();
        m_index.reset();
        if (!m_marks.empty()) {
            m_marks.clear();
            emit changed();
        }
        return emit becameIdle();
    }
    struct IndexedHits {
        std::shared_ptr<const Index> index;
        std::vector<HitMark> marks;
    };
    m_slot.start(
        [hits = result.hits, known = m_index, lanes = lanesInSight(m_scene, *source), window, width = m_canvas.width(),
         of = *source](const CancelToken& cancel) {
            IndexedHits made{known && known->hits == hits ? known : std::make_shared<const Index>(hits), {}};
            std::vector<HitMark> marks(lanes.size());
            parallelFor(lanes.size(), [&](std::size_t i) {
                if (!cancel.cancelled()) marks[i] = made.index->markOf(lanes[i], window, width);
            });
            for (HitMark& mark : marks) {
                mark.source = of;
                if (!mark.ranges.empty()) made.marks.push_back(std::move(mark));
            }
            return made;
        },
        [this](IndexedHits made) {
            m_index = std::move(made.index);
            m_marks = std::move(made.marks);
            emit changed();
            emit becameIdle();
        });
}

}  // namespace altiscope
