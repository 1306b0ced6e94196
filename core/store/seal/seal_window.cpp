#include "core/store/seal/seal_window.h"

#include "core/base/threads/parallel_sort.h"
#include "core/base/values/assert.h"
#include "core/base/values/ids.h"

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

/// Adds the extents of a list of slices to their tracks.
template <class Slices>
void scatterExtents(const Slices& slices, const std::vector<std::uint32_t>& trackIndexOf,
                    std::vector<std::size_t>& cursor, std::vector<RawArray<SliceExtent>>& tracks) {
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const std::uint32_t track = trackIndexOf[slices.track[i]];
        tracks[track][cursor[track]++] = {slices.begin[i], slices.duration[i], slices.pos[i]};
    }
}

}  // namespace

WindowExtents::WindowExtents(SealInput& input, const Segment::Slices& extra,
                             const std::vector<std::uint32_t>& trackIndexOf, std::size_t tracks,
                             const CancelToken& cancel)
    : m_tracks(tracks) {
    std::vector<std::size_t> counts(tracks, 0), cursor(tracks, 0);
    const auto count = [&](const std::vector<ProvisionalTrack>& list) {
        for (const ProvisionalTrack track : list) ++counts[trackIndexOf[track]];
    };
    count(extra.track);
    for (const auto& segment : input.segments) count(segment->slices.track);
    for (const auto& excluded : input.excluded) count(excluded->track);
    for (std::size_t t = 0; t < tracks; ++t) m_tracks[t] = RawArray<SliceExtent>(counts[t]);

    scatterExtents(extra, trackIndexOf, cursor, m_tracks);
    for (const auto& segment : input.segments) scatterExtents(segment->slices, trackIndexOf, cursor, m_tracks);
    for (auto& excluded : input.excluded) {
        if (cancel.cancelled()) return;
        scatterExtents(*excluded, trackIndexOf, cursor, m_tracks);
        excluded.reset();
    }
}

NestingAmongAll::NestingAmongAll(RawArray<SliceExtent> everything, std::span<const SliceItem> kept,
                                 const CancelToken& cancel)
    : m_memory(std::move(everything)) {
    if (kept.empty()) return;
    std::span<SliceExtent> all = m_memory.span();
    // Slices that begin after the last end of those that are kept change nothing of them.
    std::int64_t latest = kept.front().begin;
    for (const SliceItem& slice : kept) latest = std::max(latest, slice.begin + slice.duration);
    const auto after =
        std::partition(all.begin(), all.end(), [latest](const SliceExtent& slice) { return slice.begin <= latest; });
    all = all.first(static_cast<std::size_t>(after - all.begin()));
    parallelSort(all, outerFirst, cancel);
    m_all = all;

    Nesting whole = nestSlices(m_all, cancel);
    if (cancel.cancelled()) return;
    const auto count = static_cast<std::uint32_t>(kept.size());
    m_kept.depth.resize(count);
    m_kept.parent.resize(count);
    m_kept.selfDuration.resize(count);
    m_keptOf.assign(m_all.size(), kNone);
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < m_all.size() && next < count; ++i) {
        if (m_all[i].pos != kept[next].pos) continue;
        m_keptOf[i] = next;
        const std::uint32_t depth = whole.depth[i];
        const std::uint32_t parent = whole.parent[i];
        m_kept.depth[next] = depth;
        // A slice that wholly contains one that touches the window touches it too.
        m_kept.parent[next] = parent == Nesting::kNoParent ? parent : m_keptOf[parent];
        m_kept.selfDuration[next] = whole.selfDuration[i];
        if (depth >= m_kept.countOfDepth.size()) m_kept.countOfDepth.resize(depth + 1, 0);
        ++m_kept.countOfDepth[depth];
        ++next;
    }
    ALTI_ASSERT(next == count);
    m_depths = whole.countOfDepth.size();
    m_depth = std::move(whole.depth);
}

void NestingAmongAll::attach(std::span<const std::uint32_t> ends, const FlowDraft& flows,
                             const std::vector<std::uint32_t>& place, std::vector<std::uint32_t>& sliceOf) const {
    std::vector<std::uint32_t> lastOfDepth(m_depths, kNone);
    std::uint32_t next = 0;
    for (const std::uint32_t end : ends) {
        const std::int64_t time = flows.ends[end].time;
        for (; next < m_all.size() && m_all[next].begin <= time; ++next) lastOfDepth[m_depth[next]] = next;
        // From the outermost inwards: a later match is a deeper one.
        std::uint32_t found = kNone;
        bool startsHere = false;
        for (const std::uint32_t slice : lastOfDepth) {
            if (slice == kNone) continue;
            const SliceExtent& extent = m_all[slice];
            if (extent.begin == time) startsHere = true;
            else if (startsHere || extent.begin + extent.duration < time) continue;
            found = slice;
        }
        if (found != kNone && m_keptOf[found] != kNone) sliceOf[end] = place[m_keptOf[found]];
    }
}

}  // namespace altiscope
