#include "core/store/seal.h"

#include "core/store/seal_counters.h"
#include "core/store/seal_flows.h"
#include "core/store/seal_slices.h"
#include "core/store/seal_tracks.h"
#include "core/store/trace_store.h"

#include <utility>

namespace altiscope {

namespace {

/// Which tracks hold anything to show, and which of them are a framework's thread.
struct TrackUse {
    std::vector<bool> shown;
    std::vector<bool> python;
};

TrackUse useOfTracks(const SealInput& input, const Segment::Slices& pairs) {
    std::vector<bool> isPython(input.texts.finalId.size(), false);
    for (const std::string_view category : {"cpu_op", "python_function", "enqueue", "dequeue", "user_annotation"}) {
        const auto known = input.texts.pool.find(category);
        if (!known) continue;
        for (std::size_t p = 0; p < isPython.size(); ++p) {
            if (input.texts.finalId[p] == *known) isPython[p] = true;
        }
    }
    TrackUse use{std::vector<bool>(input.tracks.size(), false), std::vector<bool>(input.tracks.size(), false)};
    const auto useSlices = [&](const Segment::Slices& slices) {
        for (std::size_t i = 0; i < slices.size(); ++i) {
            use.shown[slices.track[i]] = true;
            if (isPython[slices.category[i]]) use.python[slices.track[i]] = true;
        }
    };
    useSlices(pairs);
    for (const auto& segment : input.segments) {
        useSlices(segment->slices);
        for (const auto& instant : segment->instants) use.shown[instant.track] = true;
        for (const auto& sample : segment->samples) use.shown[sample.track] = true;
    }
    return use;
}

/// Completes the extents of tracks by their series and instants.
void linkTracks(TraceColumns& columns) {
    std::vector<TrackExtent> extents(columns.extents.begin(), columns.extents.end());
    for (std::uint32_t s = 0; s < columns.series.size(); ++s) {
        TrackExtent& extent = extents[columns.series[s].track];
        if (extent.seriesCount++ == 0) extent.firstSeries = s;
    }
    for (std::uint64_t i = 0; i < columns.instantTrack.size(); ++i) {
        TrackExtent& extent = extents[columns.instantTrack[i]];
        if (extent.instantCount++ == 0) extent.firstInstant = i;
    }
    columns.extents = Column(std::move(extents));
}

} // namespace

Result<std::shared_ptr<const TraceStore>> sealSegments(SealInput input, std::string_view file, Diagnostics& diagnostics,
                                                       const CancelToken& cancel) {
    Segment::Slices pairs = pairOpenEnds(input, file, diagnostics);
    const TrackUse use = useOfTracks(input, pairs);
    SealedTracks tracks = sealTracks(input, use.shown, use.python, file, diagnostics);

    TraceColumns columns;
    columns.tracks = std::move(tracks.tracks);
    sealCounters(input, tracks.indexOf, columns, cancel);
    sealInstants(input, tracks.indexOf, columns);
    std::vector<FlowEnd> ends = collectFlowEnds(input, tracks.indexOf);
    if (cancel.cancelled()) return Cancelled{};
    sealSlices(input, std::move(pairs), tracks.indexOf, columns, cancel);
    if (cancel.cancelled()) return Cancelled{};
    sealFlows(std::move(ends), columns, file, diagnostics, cancel);
    if (cancel.cancelled()) return Cancelled{};
    linkTracks(columns);
    columns.texts = std::move(input.texts.pool);
    return std::shared_ptr<const TraceStore>(std::make_shared<TraceStore>(std::move(columns), input.provisional));
}

} // namespace altiscope
