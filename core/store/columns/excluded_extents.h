#pragma once

#include "core/base/values/time.h"
#include "core/store/columns/segment.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// Whether a slice is read with a window of time: it touches the window, its end included, as in a trace that is
/// exported with a range. Other events are read if the window contains them.
constexpr bool touchesWindow(TimeRange window, std::int64_t begin, std::int64_t duration) {
    return begin < window.end.value && begin + duration >= window.begin.value;
}

/// Remains of the events outside of the window with which a trace is read. Their rows are not kept, but what is
/// kept must not depend on the window: so depths, parents and self times need the extents of all slices, tracks need to
/// know what lies on them, and the lines of counters need the value with which they enter the window.
struct ExcludedExtents {
    /// Facts about a track by events that are not kept.
    struct Fact {
        ProvisionalTrack track;
        ProvisionalText category;  ///< Category of slices; the others have none.
        bool isSlice;
        std::int64_t latest;  ///< End of the last of them, ns.
    };

    // slices, in file order
    std::vector<ProvisionalTrack> track;
    std::vector<std::int64_t> begin, duration;  // ns
    std::vector<SourcePos> pos;
    /// One for each track and category.
    std::vector<Fact> facts;
    /// The last sample in front of the window, for each series.
    std::vector<Segment::Sample> edges;
    std::uint64_t samples = 0, instants = 0;

    std::size_t size() const { return begin.size(); }
    bool empty() const { return size() == 0 && facts.empty() && edges.empty(); }
};

/// Takes slices, samples and instants outside of the window out of a segment. Ends of B/E pairs and points of flows
/// stay:
/// their partners may lie in other segments.
ExcludedExtents cutToWindow(Segment& segment, TimeRange window);

/// Likewise for slices alone.
ExcludedExtents cutToWindow(Segment::Slices& slices, TimeRange window);

/// The last sample of each series, whichever part it comes from. Series are identified by track and text.
std::vector<Segment::Sample> lastSamples(const std::vector<Segment::Sample>& samples,
                                         const std::vector<StringId>& finalId);

}  // namespace altiscope
