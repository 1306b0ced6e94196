#include "core/analysis/slices/slice_selection.h"

#include <algorithm>

namespace altiscope {

SliceSelection everySlice(std::shared_ptr<const CaptureStore> capture, std::optional<TimeRange> range) {
    SliceSelection selection{.capture = std::move(capture), .range = range, .ranks = {}};
    for (RankIndex r; r.value < selection.capture->ranks.size(); ++r.value) {
        const auto& trace = selection.capture->ranks[r.value].trace;
        if (trace == nullptr) continue;
        SelectedRank rank{.rank = r, .shift = {}, .tracks = {}};
        for (std::uint32_t t = 0; t < trace->tracks().size(); ++t) {
            if (trace->extent({t}).sliceCount > 0) rank.tracks.push_back({.track = {t}});
        }
        selection.ranks.push_back(std::move(rank));
    }
    return selection;
}

TimeRange ownRange(const SliceSelection& selection, DurationNs shift) {
    if (!selection.range) return {{-2 * kMaxTimeNs}, {2 * kMaxTimeNs - 1}};
    return {selection.range->begin - shift, selection.range->end - shift};
}

std::vector<SliceSpan> spansOf(const SliceSelection& selection) {
    std::vector<SliceSpan> spans;
    std::uint32_t track = 0;
    for (std::uint32_t r = 0; r < selection.ranks.size(); ++r) {
        const TraceStore& store = storeOf(selection, r);
        for (const SelectedTrack& selected : selection.ranks[r].tracks) {
            const DurationNs shift{selection.ranks[r].shift.value + selected.later.value};
            const TimeRange range = ownRange(selection, shift);
            std::optional<std::uint32_t> top;
            for (const DepthRun& run : store.runs(selected.track)) {
                if (run.depth < selected.firstDepth || run.depth - selected.firstDepth >= selected.depthCount) continue;
                // Ends are after or at begins, so what ends after the range's begin or begins within it is one
                // stretch.
                const std::uint32_t first =
                    std::min(store.firstEndingAfter(run, range.begin), store.firstBeginningAt(run, range.begin));
                const std::uint32_t last = store.firstBeginningAt(run, range.end);
                if (first >= last) continue;
                if (!top) top = run.first;
                spans.push_back({r, track, selected.track, run.depth, first, last, *top, shift});
            }
            ++track;
        }
    }
    return spans;
}

}  // namespace altiscope
