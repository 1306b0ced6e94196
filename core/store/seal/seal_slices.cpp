#include "core/store/seal/seal_slices.h"

#include "core/base/columns/raw_array.h"
#include "core/base/columns/run_merge.h"
#include "core/base/memory/discard.h"
#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"
#include "core/store/columns/nesting.h"
#include "core/store/seal/seal_window.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

/// Where the slices of one segment go: its tracks, how many slices each gets, and the place of the first among the
/// track's.
struct Share {
    std::uint32_t track;
    std::uint32_t count;
    std::uint32_t place;
};

/// By track. Each is there from the scattering of the segments until its track is written, so that the three of them
/// (segments, items, columns) are never in memory as a whole at the same time.
using Items = std::vector<RawArray<SliceItem>>;

std::vector<Share> countShares(const Segment::Slices& slices, const std::vector<std::uint32_t>& trackIndexOf,
                               std::size_t tracks) {
    std::vector<std::uint32_t> counts(tracks, 0);
    for (const ProvisionalTrack track : slices.track) ++counts[trackIndexOf[track]];
    std::vector<Share> shares;
    for (std::uint32_t t = 0; t < tracks; ++t) {
        if (counts[t] != 0) shares.push_back({t, counts[t], 0});
    }
    return shares;
}

void scatter(const Segment::Slices& slices, const std::vector<Share>& shares,
             const std::vector<std::uint32_t>& trackIndexOf, const std::vector<StringId>& finalId, Items& items) {
    std::vector<std::uint32_t> cursor(items.size(), 0);
    for (const Share& share : shares) cursor[share.track] = share.place;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const std::uint32_t track = trackIndexOf[slices.track[i]];
        items[track][cursor[track]++] = {
            {slices.begin[i], slices.duration[i], slices.pos[i]}, finalId[slices.name[i]], finalId[slices.category[i]]};
    }
}

/// Writable columns while they are filled.
struct Draft {
    RawArray<std::int64_t> begin, duration, selfDuration;
    RawArray<StringId> name, category;
    RawArray<std::uint32_t> parent;
    RawArray<SourcePos> pos;

    explicit Draft(std::size_t count)
        : begin(count), duration(count), selfDuration(count), name(count), category(count), parent(count), pos(count) {}
};

/// Contribution of one track to the lists over all tracks.
struct TrackPart {
    std::vector<std::uint32_t> countOfDepth;
    std::vector<NameStat> stats;
};

/// More than three centuries come from broken files only: such a sum stays at the border.
void addTo(std::int64_t& sum, std::int64_t duration) {
    if (__builtin_add_overflow(sum, duration, &sum)) sum = std::numeric_limits<std::int64_t>::max();
}

std::vector<NameStat> statsByName(std::uint32_t track, std::span<const SliceItem> items, const Nesting& nesting) {
    std::vector<NameStat> stats;
    std::unordered_map<std::uint32_t, std::size_t> place;
    std::uint32_t lastName = 0xffffffffU;
    std::size_t last = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const SliceItem& item = items[i];
        if (item.name.value != lastName) {
            const auto [it, isNew] = place.try_emplace(item.name.value, stats.size());
            if (isNew) stats.push_back({track, item.name, 0, 0, 0, item.duration, item.duration});
            lastName = item.name.value;
            last = it->second;
        }
        NameStat& stat = stats[last];
        ++stat.count;
        addTo(stat.total, item.duration);
        addTo(stat.selfTotal, nesting.selfDuration[i]);
        stat.minimum = std::min(stat.minimum, item.duration);
        stat.maximum = std::max(stat.maximum, item.duration);
    }
    std::sort(stats.begin(), stats.end(), [](const NameStat& a, const NameStat& b) { return a.name < b.name; });
    return stats;
}

/// Sorts and nests the slices of one track, and writes them by (depth, begin) to the places from `first` on.
TrackPart writeTrack(std::uint32_t track, std::uint32_t first, std::span<SliceItem> items, Draft& draft,
                     WindowSeal* window, const CancelToken& cancel) {
    // Nearly always some lists that were sorted each.
    if (!mergeRuns(items, outerFirst, cancel)) parallelSort(items, outerFirst, cancel);
    std::optional<NestingAmongAll> amongAll;
    if (window != nullptr) amongAll.emplace(window->extents.take(track), items, cancel);
    Nesting nesting = amongAll ? std::move(amongAll->kept()) : nestSlices(items, cancel);
    TrackPart part;
    if (cancel.cancelled()) return part;

    std::vector<std::uint32_t> next(nesting.countOfDepth.size());
    std::uint32_t place = first;
    for (std::size_t depth = 0; depth < next.size(); ++depth) {
        next[depth] = place;
        place += nesting.countOfDepth[depth];
    }
    part.stats = statsByName(track, items, nesting);
    // The final place replaces the depth: a parent comes before its children, so its place is known when they need it.
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::uint32_t to = next[nesting.depth[i]]++;
        nesting.depth[i] = to;
        draft.begin[to] = items[i].begin;
        draft.duration[to] = items[i].duration;
        draft.selfDuration[to] = nesting.selfDuration[i];
        draft.name[to] = items[i].name;
        draft.category[to] = items[i].category;
        draft.pos[to] = items[i].pos;
        draft.parent[to] = nesting.parent[i] == Nesting::kNoParent ? kNoSlice.value : nesting.depth[nesting.parent[i]];
    }
    if (amongAll) amongAll->attach(window->endsByTrack[track], window->flows, nesting.depth, window->sliceOf);
    part.countOfDepth = std::move(nesting.countOfDepth);
    return part;
}

void buildRuns(const std::vector<TrackPart>& parts, std::vector<TrackExtent>& extents, std::vector<DepthRun>& runs,
               const CancelToken& cancel) {
    std::uint64_t blocks = 0;
    for (std::uint32_t t = 0; t < parts.size() && !cancel.cancelled(); ++t) {
        TrackExtent& extent = extents[t];
        extent.firstRun = static_cast<std::uint32_t>(runs.size());
        std::uint32_t place = extent.firstSlice;
        for (std::uint32_t depth = 0; depth < parts[t].countOfDepth.size(); ++depth) {
            const std::uint32_t count = parts[t].countOfDepth[depth];
            runs.push_back({t, depth, place, count, blocks});
            place += count;
            blocks += allBlocks(count);
        }
        extent.runCount = static_cast<std::uint32_t>(runs.size()) - extent.firstRun;
    }
}

std::vector<SliceBlock> buildAllBlocks(const std::vector<DepthRun>& runs, const Draft& draft,
                                       const CancelToken& cancel) {
    std::uint64_t total = 0;
    for (const DepthRun& run : runs) total += allBlocks(run.count);
    std::vector<SliceBlock> blocks(total);
    parallelFor(runs.size(), [&](std::size_t r) {
        if (cancel.cancelled()) return;
        buildBlocks(runs[r].count, blocks.data() + runs[r].firstBlock, [&](std::uint32_t i) {
            const std::uint32_t slice = runs[r].first + i;
            const std::int64_t begin = draft.begin[slice], duration = draft.duration[slice];
            return SliceBlock{begin, begin + duration, duration, slice, draft.name[slice]};
        });
    });
    return blocks;
}

void buildPosBlocks(std::span<const SourcePos> pos, TraceColumns& columns) {
    const std::size_t blocks = (pos.size() + TraceStore::kPosBlock - 1) / TraceStore::kPosBlock;
    std::vector<SourcePos> min(blocks);
    std::vector<SourcePos> max(blocks);
    parallelFor(blocks, [&](std::size_t b) {
        const auto first = pos.begin() + static_cast<std::ptrdiff_t>(b * TraceStore::kPosBlock);
        const auto last =
            pos.begin() + static_cast<std::ptrdiff_t>(std::min(pos.size(), (b + 1) * TraceStore::kPosBlock));
        const auto [low, high] = std::minmax_element(first, last);
        min[b] = *low;
        max[b] = *high;
    });
    columns.blockPosMin = Column(std::move(min));
    columns.blockPosMax = Column(std::move(max));
}

}  // namespace

void sealSlices(SealInput& input, Segment::Slices extra, const std::vector<std::uint32_t>& trackIndexOf,
                TraceColumns& columns, WindowSeal* window, const CancelToken& cancel) {
    const std::size_t tracks = columns.tracks.size();
    const std::size_t segments = input.segments.size();
    const auto slicesOf = [&](std::size_t s) -> const Segment::Slices& {
        return s < segments ? input.segments[s]->slices : extra;
    };

    std::vector<std::vector<Share>> shares(segments + 1);
    parallelFor(segments + 1, [&](std::size_t s) {
        if (!cancel.cancelled()) shares[s] = countShares(slicesOf(s), trackIndexOf, tracks);
    });
    if (cancel.cancelled()) return;

    std::vector<TrackExtent> extents(tracks);
    std::vector<std::uint32_t> cursor(tracks, 0);
    std::vector<DepthRun> runs;
    const DiscardOnCancel tablesLater(cancel, shares, extents, cursor, runs);
    for (const auto& list : shares) {
        for (const Share& share : list) extents[share.track].sliceCount += share.count;
    }
    std::uint32_t total = 0;
    for (TrackExtent& extent : extents) {
        extent.firstSlice = total;
        total += extent.sliceCount;
    }
    for (auto& list : shares) {
        for (Share& share : list) share.place = std::exchange(cursor[share.track], cursor[share.track] + share.count);
    }

    Items items;
    const DiscardOnCancel itemsLater(cancel, items);
    items.reserve(tracks);
    for (const TrackExtent& extent : extents) {
        if (cancel.cancelled()) return;
        items.emplace_back(extent.sliceCount);
    }
    parallelFor(segments + 1, [&](std::size_t s) {
        if (cancel.cancelled()) return;
        scatter(slicesOf(s), shares[s], trackIndexOf, input.texts.finalId, items);
        if (s < segments) input.segments[s].reset();
    });
    if (cancel.cancelled()) return;

    Draft draft(total);
    std::vector<TrackPart> parts(tracks);
    const DiscardOnCancel partsLater(cancel, parts);
    parallelFor(tracks, [&](std::size_t t) {
        if (cancel.cancelled()) return;
        parts[t] =
            writeTrack(static_cast<std::uint32_t>(t), extents[t].firstSlice, items[t].span(), draft, window, cancel);
        items[t] = {};
    });
    if (cancel.cancelled()) return;

    buildRuns(parts, extents, runs, cancel);
    if (cancel.cancelled()) return;
    std::vector<NameStat> stats;
    for (const TrackPart& part : parts) {
        if (cancel.cancelled()) return;
        stats.insert(stats.end(), part.stats.begin(), part.stats.end());
    }

    columns.blocks = Column(buildAllBlocks(runs, draft, cancel));
    if (cancel.cancelled()) return;
    buildPosBlocks(std::as_const(draft.pos).span(), columns);
    columns.begin = std::move(draft.begin).toColumn();
    columns.duration = std::move(draft.duration).toColumn();
    columns.selfDuration = std::move(draft.selfDuration).toColumn();
    columns.name = std::move(draft.name).toColumn();
    columns.category = std::move(draft.category).toColumn();
    columns.parent = std::move(draft.parent).toColumn();
    columns.pos = std::move(draft.pos).toColumn();
    columns.runs = Column(std::move(runs));
    columns.extents = Column(std::move(extents));
    columns.nameStats = Column(std::move(stats));
}

}  // namespace altiscope
