#include "views/compare/compared_side.h"

#include "core/analysis/kernels/layer_sums.h"
#include "core/analysis/slices/slice_selection.h"
#include "core/tables/scope/rank_windows.h"

#include <algorithm>

namespace altiscope {

namespace {

ComparisonSide sideOf(const ComparedSide& side) { return {side.store, side.database.get(), side.ranks, side.steps}; }

bool isOfDimension(const Track& track, Dimension dimension) {
    const auto layer = layerOf(track);
    switch (dimension) {
    case Dimension::Operator: return layer == Layer::Python;
    case Dimension::Kernel: return layer == Layer::Hardware;
    case Dimension::Api: return layer == Layer::Cann;
    case Dimension::Collective: return layer == Layer::Communication;
    case Dimension::Category:
    case Dimension::KernelType:
    case Dimension::Link:
    case Dimension::Memory:
    case Dimension::Finding:
    case Dimension::Role: return false;
    }
    return false;
}

bool touches(const std::optional<std::vector<TimeRange>>& times, TimeRange slice) {
    return !times || std::any_of(times->begin(), times->end(), [&slice](const TimeRange& time) {
        return slice.begin < time.end && slice.end > time.begin;
    });
}

/// A slice and its length, the longest so far.
struct Longest {
    std::optional<SliceRef> slice;
    DurationNs length{-1};

    void take(SliceRef candidate, DurationNs its) {
        if (its <= length) return;
        slice = candidate;
        length = its;
    }
};

}  // namespace

Result<Comparison> compareThem(const ComparedSide& base, const ComparedSide& current, const CancelToken& cancel) {
    return compareSides(sideOf(base), sideOf(current), cancel);
}

std::optional<SliceKey> longestSlice(const ComparedSide& side, Dimension dimension, std::string_view name,
                                     std::optional<std::int64_t> rankId, const CancelToken& cancel) {
    ContextFilter context;
    if (side.ranks) context.ranks = *side.ranks;
    if (side.steps) context.steps = *side.steps;
    if (rankId) context.ranks = {*rankId};
    const std::vector<RankWindow> windows = rankWindows(*side.store, context, std::nullopt);
    Longest inSteps, anywhere;
    const SliceSelection all = everySlice(side.store);
    for (const SliceSpan& span : spansOf(all)) {
        if (cancel.cancelled()) return std::nullopt;
        const RankIndex rank = all.ranks[span.selected].rank;
        const auto window =
            std::find_if(windows.begin(), windows.end(), [rank](const RankWindow& w) { return w.rank == rank; });
        const TraceStore& store = storeOf(all, span.selected);
        if (window == windows.end() || !isOfDimension(store.track(span.trackIndex), dimension)) continue;
        for (std::uint32_t i = span.first; i < span.last; ++i) {
            if (store.name(SliceIndex{i}) != name) continue;
            const TimeRange time{store.begin(SliceIndex{i}), store.end(SliceIndex{i})};
            anywhere.take({rank, SliceIndex{i}}, time.length());
            if (touches(window->times, time)) inSteps.take({rank, SliceIndex{i}}, time.length());
        }
    }
    const auto& found = inSteps.slice ? inSteps.slice : anywhere.slice;
    return found ? std::optional(keyOf(*side.store, *found)) : std::nullopt;
}

}  // namespace altiscope
