#include "core/store/seal.h"

#include "core/store/seal_counters.h"
#include "core/store/seal_flows.h"
#include "core/store/seal_slices.h"
#include "core/store/seal_tracks.h"
#include "core/store/trace_store.h"

#include <initializer_list>
#include <utility>

namespace altiscope {

namespace {

/// By provisional text: whether it is one of these.
std::vector<bool> textsAmong(const SealInput& input, std::initializer_list<std::string_view> wanted) {
    std::vector<bool> among(input.texts.finalId.size(), false);
    for (const std::string_view text : wanted) {
        const auto known = input.texts.pool.find(text);
        if (!known) continue;
        for (std::size_t p = 0; p < among.size(); ++p) {
            if (input.texts.finalId[p] == *known) among[p] = true;
        }
    }
    return among;
}

/// What lies on each provisional track.
std::vector<TrackUse> useOfTracks(const SealInput& input, const Segment::Slices& pairs) {
    const std::vector<bool> isPython = textsAmong(input, {"cpu_op", "python_function", "enqueue", "dequeue", "user_annotation"});
    const std::vector<bool> isMark = textsAmong(input, {"MsTx"});
    std::vector<TrackUse> use(input.tracks.size());
    const auto useSlices = [&](const Segment::Slices& slices) {
        for (std::size_t i = 0; i < slices.size(); ++i) {
            TrackUse& track = use[slices.track[i]];
            track.isShown = true;
            track.hasPython = track.hasPython || isPython[slices.category[i]];
        }
    };
    useSlices(pairs);
    for (const auto& segment : input.segments) {
        useSlices(segment->slices);
        for (const auto& instant : segment->instants) use[instant.track].isShown = true;
        for (const auto& sample : segment->samples) use[sample.track].isShown = true;
        for (const auto& flow : segment->flows) {
            if (flow.point == FlowPoint::Start && isMark[flow.category]) use[flow.track].hasMarks = true;
        }
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

Result<std::shared_ptr<const TraceStore>> sealSegments(SealInput input, const SourceNames& names, Diagnostics& diagnostics,
                                                       const CancelToken& cancel) {
    Segment::Slices pairs = pairOpenEnds(input, names, diagnostics);
    SealedTracks tracks = sealTracks(input, useOfTracks(input, pairs), names.whole(), diagnostics);

    TraceColumns columns;
    columns.tracks = std::move(tracks.tracks);
    sealCounters(input, tracks.indexOf, columns, cancel);
    if (cancel.cancelled()) return Cancelled{};
    sealInstants(input, tracks.indexOf, columns, cancel);
    std::vector<FlowEnd> ends = collectFlowEnds(input, tracks.indexOf);
    if (cancel.cancelled()) return Cancelled{};
    sealSlices(input, std::move(pairs), tracks.indexOf, columns, cancel);
    if (cancel.cancelled()) return Cancelled{};
    sealFlows(std::move(ends), columns, names.whole(), diagnostics, cancel);
    if (cancel.cancelled()) return Cancelled{};
    linkTracks(columns);
    columns.texts = std::move(input.texts.pool);
    return std::shared_ptr<const TraceStore>(std::make_shared<TraceStore>(std::move(columns), input.provisional));
}

} // namespace altiscope
