#include "core/store/seal/seal.h"

#include "core/base/memory/discard.h"
#include "core/base/threads/parallel.h"
#include "core/store/columns/home_range.h"
#include "core/store/columns/trace_store.h"
#include "core/store/seal/seal_colours.h"
#include "core/store/seal/seal_counters.h"
#include "core/store/seal/seal_flows.h"
#include "core/store/seal/seal_holders.h"
#include "core/store/seal/seal_slices.h"
#include "core/store/seal/seal_stacks.h"
#include "core/store/seal/seal_tracks.h"
#include "core/store/seal/seal_window.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
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

/// Events on each provisional track.
std::vector<TrackUse> useOfTracks(const SealInput& input, const Segment::Slices& pairs, const CancelToken& cancel) {
    const std::vector<bool> isPython =
        textsAmong(input, {"cpu_op", "python_function", "enqueue", "dequeue", "user_annotation"});
    const std::vector<bool> isMark = textsAmong(input, {"MsTx"});
    std::vector<TrackUse> use(input.tracks.size());
    const auto useSlices = [&](const Segment::Slices& slices) {
        for (std::size_t i = 0; i < slices.size(); ++i) {
            // Mostly another one of the same kind.
            if (i > 0 && slices.track[i] == slices.track[i - 1] && slices.category[i] == slices.category[i - 1])
                continue;
            TrackUse& track = use[slices.track[i]];
            track.isShown = true;
            track.hasPython = track.hasPython || isPython[slices.category[i]];
        }
    };
    useSlices(pairs);
    for (const auto& segment : input.segments) {
        if (cancel.cancelled()) break;
        useSlices(segment->slices);
        for (const auto& instant : segment->instants) use[instant.track].isShown = true;
        for (const auto& sample : segment->samples) use[sample.track].isShown = true;
        for (const auto& flow : segment->flows) {
            if (flow.point == FlowPoint::Start && isMark[flow.category]) use[flow.track].hasMarks = true;
        }
    }
    for (const auto& excluded : input.excluded) {
        for (const ExcludedExtents::Fact& fact : excluded->facts) {
            use[fact.track].isShown = true;
            if (fact.isSlice && isPython[fact.category]) use[fact.track].hasPython = true;
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

/// The time of what a window leaves out, without slices whose time was never set.
std::optional<TimeRange> timeOfExcluded(const SealInput& input) {
    std::optional<TimeRange> time;
    for (const auto& excluded : input.excluded) {
        for (std::size_t i = 0; i < excluded->size(); ++i) {
            const TimeNs begin{excluded->begin[i]}, end{excluded->begin[i] + excluded->duration[i]};
            if (!mayShareClock(begin, input.window->begin)) continue;
            time = time ? TimeRange{std::min(time->begin, begin), std::max(time->end, end)} : TimeRange{begin, end};
        }
    }
    return time;
}

/// Numbers of events that a window leaves out; slices of B/E pairs come to it when they are made.
struct ExcludedCounts {
    std::uint64_t slices = 0, samples = 0, instants = 0, flows = 0;
    std::optional<TimeRange> sliceTime;
};

/// Brings together what the segments left out: of each series one sample in front of the window remains, and the pairs
/// outside of it join the other slices.
ExcludedCounts cutInput(SealInput& input, Segment::Slices& pairs) {
    auto pairsExcluded = std::make_shared<ExcludedExtents>(cutToWindow(pairs, *input.window));
    input.excluded.push_back(std::move(pairsExcluded));
    ExcludedCounts counts{.sliceTime = timeOfExcluded(input)};
    std::vector<Segment::Sample> edges;
    for (const auto& excluded : input.excluded) {
        counts.slices += excluded->size();
        counts.samples += excluded->samples;
        counts.instants += excluded->instants;
        edges.insert(edges.end(), excluded->edges.begin(), excluded->edges.end());
    }
    auto segment = std::make_shared<Segment>();
    segment->samples = lastSamples(edges, input.texts.finalId);
    counts.samples -= segment->samples.size();
    input.segments.push_back(std::move(segment));
    return counts;
}

void addExcluded(const ExcludedCounts& counts, TimeRange window, std::string_view file, Diagnostics& diagnostics) {
    diagnostics.add("window.left_out", Severity::Info, file, {},
                    {{"start", std::to_string(window.begin.value)},
                     {"end", std::to_string(window.end.value)},
                     {"slices", std::to_string(counts.slices)},
                     {"samples", std::to_string(counts.samples)},
                     {"instants", std::to_string(counts.instants)},
                     {"flows", std::to_string(counts.flows)}});
}

/// Slices and flows where only a window is kept: flows are attached while the slices outside of it are still known.
void sealWindow(SealInput& input, Segment::Slices pairs, const std::vector<std::uint32_t>& trackIndexOf,
                const FlowDraft& flows, TraceColumns& columns, const CancelToken& cancel) {
    const std::size_t tracks = columns.tracks.size();
    WindowSeal window{.extents = WindowExtents(input, pairs, trackIndexOf, tracks, cancel),
                      .flows = flows,
                      .endsByTrack = flowEndsByTrack(flows, tracks, cancel)};
    window.sliceOf.assign(flows.ends.size(), kNoSlice.value);
    sealSlices(input, std::move(pairs), trackIndexOf, columns, &window, cancel);
    if (!cancel.cancelled()) writeFlows(flows, window.sliceOf, input.window, columns, cancel);
}

}  // namespace

Result<std::shared_ptr<const TraceStore>> sealSegments(SealInput input, const SourceNames& names,
                                                       Diagnostics& diagnostics, const CancelToken& cancel) {
    const DiscardOnCancel inputLater(cancel, input);
    if (cancel.cancelled()) return Cancelled{};
    splitReusedPids(input, cancel);
    Segment::Slices pairs = pairOpenEnds(input, names, diagnostics, cancel);
    const DiscardOnCancel pairsLater(cancel, pairs);
    if (cancel.cancelled()) return Cancelled{};
    addStackSlices(input, pairs, names, diagnostics, cancel);
    if (cancel.cancelled()) return Cancelled{};
    SealedTracks tracks = sealTracks(input, useOfTracks(input, pairs, cancel), names.whole(), diagnostics, cancel);
    const DiscardOnCancel tracksLater(cancel, tracks);
    if (cancel.cancelled()) return Cancelled{};
    const std::vector<RequestedColour> colours = requestedColours(input, cancel);
    ExcludedCounts excluded;
    if (input.window) excluded = cutInput(input, pairs);

    TraceColumns columns;
    const DiscardOnCancel columnsLater(cancel, columns);
    columns.excludedSlices = excluded.sliceTime;
    columns.tracks = std::move(tracks.tracks);
    sealCounters(input, tracks.indexOf, columns, cancel);
    if (cancel.cancelled()) return Cancelled{};
    sealInstants(input, tracks.indexOf, columns, cancel);
    std::vector<FlowEnd> ends = collectFlowEnds(input, tracks.indexOf, cancel);
    if (cancel.cancelled()) return Cancelled{};
    FlowDraft flows;
    const auto pairFlows = [&] { flows = pairFlowEnds(std::move(ends), names.whole(), diagnostics, cancel); };
    if (input.window) {
        pairFlows();
        if (cancel.cancelled()) return Cancelled{};
        sealWindow(input, std::move(pairs), tracks.indexOf, flows, columns, cancel);
        excluded.flows = columns.allFlows - columns.flowPos.size();
        addExcluded(excluded, *input.window, names.whole(), diagnostics);
    } else {
        parallelTogether(2, [&](std::size_t i) {
            if (i == 0) sealSlices(input, std::move(pairs), tracks.indexOf, columns, nullptr, cancel);
            else pairFlows();
        });
        if (!cancel.cancelled()) sealFlows(flows, columns, cancel);
    }
    if (cancel.cancelled()) return Cancelled{};
    sealColours(colours, columns, cancel);
    if (cancel.cancelled()) return Cancelled{};
    linkTracks(columns);
    columns.texts = std::move(input.texts.pool);
    auto store = std::make_shared<const TraceStore>(std::move(columns), input.provisional);
    if (!cancel.cancelled()) return store;
    discardAside(std::move(store));
    return Cancelled{};
}

}  // namespace altiscope
