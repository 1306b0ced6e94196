#include "views/timeline/rows/merged_tracks.h"

#include "views/common/plots/view_window.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

/// Slices between two looks at the token: far below its 50 ms.
constexpr std::size_t kMergePoll = 65536;

/// Begin, then the longer first, then the order of the store.
using SliceOrder = std::tuple<std::int64_t, std::int64_t, std::uint32_t>;

SliceOrder orderOf(const TraceStore& trace, std::uint32_t slice) {
    return {trace.begin({slice}).value, -trace.duration({slice}).value, slice};
}

struct RunHead {
    SliceOrder order;
    std::uint32_t after = 0;  // of its run
    bool operator>(const RunHead& other) const { return order > other.order; }
};

}  // namespace

MergedTracks::MergedTracks(std::shared_ptr<const TraceStore> trace, std::vector<TrackIndex> tracks,
                           std::vector<Depth> depths)
    : m_trace(std::move(trace)), m_tracks(std::move(tracks)), m_depths(std::move(depths)) {
    for (Depth& depth : m_depths) {
        std::vector<std::uint32_t> below(depth.slices.size());
        std::iota(below.begin(), below.end(), 0U);
        while (below.size() > kFanOut) {
            std::vector<std::uint32_t> level;
            for (std::size_t first = 0; first < below.size(); first += kFanOut) {
                const std::size_t last = std::min(first + kFanOut, below.size());
                level.push_back(*std::max_element(
                    below.begin() + static_cast<std::ptrdiff_t>(first),
                    below.begin() + static_cast<std::ptrdiff_t>(last), [&](std::uint32_t a, std::uint32_t b) {
                        return m_trace->duration({depth.slices[a]}) < m_trace->duration({depth.slices[b]});
                    }));
            }
            depth.longest.push_back(level);
            below = std::move(level);
        }
    }
    noteDepths();
}

void MergedTracks::noteDepths() {
    for (const TrackIndex track : m_tracks) {
        for (const DepthRun& run : m_trace->runs(track)) {
            if (run.count > 0) m_runs.push_back({run.first, run.count, 0});
        }
    }
    std::sort(m_runs.begin(), m_runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
    std::size_t all = 0;
    for (Run& run : m_runs) run.place = std::exchange(all, all + run.count);
    m_depthOf.resize(all);
    for (std::uint32_t d = 0; d < m_depths.size(); ++d) {
        for (const std::uint32_t slice : m_depths[d].slices) {
            if (const auto place = placeOf(slice)) m_depthOf[*place] = d;
        }
    }
}

std::optional<std::size_t> MergedTracks::placeOf(std::uint32_t slice) const {
    const auto after = std::upper_bound(m_runs.begin(), m_runs.end(), slice,
                                        [](std::uint32_t value, const Run& run) { return value < run.first; });
    if (after == m_runs.begin()) return std::nullopt;
    const Run& run = *std::prev(after);
    return slice - run.first < run.count ? std::optional(run.place + (slice - run.first)) : std::nullopt;
}

std::optional<std::uint32_t> MergedTracks::depthOf(SliceIndex slice) const {
    const auto place = placeOf(slice.value);
    return place ? std::optional(m_depthOf[*place]) : std::nullopt;
}

std::uint32_t MergedTracks::longestIn(std::uint32_t depth, std::uint32_t first, std::uint32_t last) const {
    const Depth& own = m_depths[depth];
    std::uint32_t best = first;
    const auto take = [&](std::uint32_t place) {
        const DurationNs candidate = m_trace->duration({own.slices[place]}),
                         soFar = m_trace->duration({own.slices[best]});
        if (soFar < candidate || (candidate == soFar && place < best)) best = place;
    };
    // Single places up to whole blocks, at either end, then blocks up to whole blocks of blocks, ...
    std::uint32_t from = first, to = last;
    for (std::size_t level = 0;; ++level) {
        const auto placeAt = [&](std::uint32_t i) { return level == 0 ? i : own.longest[level - 1][i]; };
        const std::uint32_t whole = (from + kFanOut - 1) / kFanOut, wholeEnd = to / kFanOut;
        if (level == own.longest.size() || whole >= wholeEnd) {
            for (std::uint32_t i = from; i < to; ++i) take(placeAt(i));
            return best;
        }
        for (std::uint32_t i = from; i < whole * kFanOut; ++i) take(placeAt(i));
        for (std::uint32_t i = wholeEnd * kFanOut; i < to; ++i) take(placeAt(i));
        from = whole;
        to = wholeEnd;
    }
}

std::shared_ptr<const MergedTracks> mergeTracks(std::shared_ptr<const TraceStore> trace, std::vector<TrackIndex> tracks,
                                                const CancelToken& cancel) {
    std::priority_queue<RunHead, std::vector<RunHead>, std::greater<>> heads;
    for (const TrackIndex track : tracks) {
        for (const DepthRun& run : trace->runs(track)) {
            if (run.count > 0) heads.push({orderOf(*trace, run.first), run.first + run.count});
        }
    }
    std::vector<MergedTracks::Depth> depths;
    std::vector<TimeNs> ends;
    for (std::size_t done = 0; !heads.empty(); ++done) {
        if (done % kMergePoll == 0 && cancel.cancelled()) return nullptr;
        RunHead head = heads.top();
        heads.pop();
        const std::uint32_t slice = std::get<2>(head.order);
        const TimeNs begin = trace->begin({slice});
        std::size_t depth = 0;
        while (depth < ends.size() && begin < ends[depth]) ++depth;
        if (depth == ends.size()) {
            ends.emplace_back();
            depths.emplace_back();
        }
        ends[depth] = trace->end({slice});
        depths[depth].slices.push_back(slice);
        if (slice + 1 < head.after) {
            head.order = orderOf(*trace, slice + 1);
            heads.push(head);
        }
    }
    return std::make_shared<const MergedTracks>(std::move(trace), std::move(tracks), std::move(depths));
}

TrackWindow queryMergedWindow(const MergedTracks& merged, const WindowQuery& query, const CancelToken& cancel) {
    TrackWindow window{query.track, query.window, {}};
    const TraceStore& trace = *merged.trace();
    const PixelScale scale(query.window, static_cast<int>(query.widthPx));
    const std::int64_t length = query.window.length().value, width = query.widthPx;
    const std::int64_t wide = length / width + (length % width > 0 ? 1 : 0);
    for (std::uint32_t d = query.firstDepth; d < merged.depthCount() && d - query.firstDepth < query.depthCount; ++d) {
        if (cancel.cancelled()) return window;
        const auto& slices = merged.depth(d).slices;
        // Slices of a depth end in the order in which they begin. Those without length at the left edge end there and
        // are in sight.
        const auto seen = std::partition_point(slices.begin(), slices.end(), [&](std::uint32_t s) {
            return trace.begin({s}) < query.window.begin && trace.end({s}) <= query.window.begin;
        });
        const auto isBefore = [&](std::uint32_t s) { return trace.begin({s}) < query.window.end; };
        const auto last =
            static_cast<std::uint32_t>(std::partition_point(seen, slices.end(), isBefore) - slices.begin());
        for (auto next = static_cast<std::uint32_t>(seen - slices.begin()); next < last;) {
            std::uint32_t end = next + 1;
            const int column = scale.column(trace.begin({slices[next]}));
            if (trace.duration({slices[next]}).value < wide) {
                const auto at = [&slices](std::uint32_t i) { return slices.begin() + static_cast<std::ptrdiff_t>(i); };
                end = static_cast<std::uint32_t>(
                    std::partition_point(at(end), at(last),
                                         [&](std::uint32_t s) { return scale.column(trace.begin({s})) <= column; }) -
                    slices.begin());
                // A last one that is wide enough stands for itself.
                if (end - next > 1 && trace.duration({slices[end - 1]}).value >= wide) --end;
            }
            const SliceIndex longest{slices[end - next == 1 ? next : merged.longestIn(d, next, end)]};
            const TimeNs after = trace.end({slices[end - 1]});
            const int left = std::max(column, 0);
            window.items.push_back({trace.begin({slices[next]}), after, longest, end - next, d, trace.nameId(longest),
                                    trace.duration(longest), left, std::max(scale.columnAfter(after), left + 1)});
            next = end;
        }
    }
    return window;
}

}  // namespace altiscope
