#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"
#include "core/store/seal/seal.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

/// A start or finish of a flow with sealed names.
struct FlowEnd {
    FlowKey key;
    StringId category;
    FlowPoint point = FlowPoint::Start;
    std::uint32_t track = 0;  ///< Track index, or SealedTracks::kHidden.
    std::int64_t time = 0;    ///< ns
    SourcePos pos;
};

/// All flow points of all segments, so that segments can be freed before flows are made.
std::vector<FlowEnd> collectFlowEnds(const SealInput& input, const std::vector<std::uint32_t>& trackIndexOf,
                                     const CancelToken& cancel);

/// A flow on its way: numbers of its ends in the list of ends.
struct FlowPair {
    std::uint32_t start;
    std::uint32_t finish;
};

/// All flows before they are attached to slices.
struct FlowDraft {
    std::vector<FlowEnd> ends;
    std::vector<FlowPair> pairs;  ///< By position of the finish.
};

/// One flow per finish with a start of equal category and key: of several starts the last one at or before the finish,
/// else the first. Points without a partner are counted as "unpaired_flow". Parallel over keys.
/// @note Source of the rules: core/import/trace/FORMAT.md section 6.
FlowDraft pairFlowEnds(std::vector<FlowEnd> ends, std::string_view file, Diagnostics& diagnostics,
                       const CancelToken& cancel);

/// Ends of flows on each track, by time; ends without a partner are left out.
std::vector<std::vector<std::uint32_t>> flowEndsByTrack(const FlowDraft& flows, std::size_t tracks,
                                                        const CancelToken& cancel);

/// Attaches flows to slices; needs the slice columns. A point belongs to the slice of its track that begins exactly at
/// its time (the deepest), else to the innermost one around it (end included), else to none. Parallel over tracks.
void sealFlows(const FlowDraft& flows, TraceColumns& columns, const CancelToken& cancel);

/// Flows whose ends are attached already.
/// @param sliceOf  By number of the end: its slice, or kNoSlice.
/// @param window   Of a partial load: flows without a slice and without a time in it are left out.
void writeFlows(const FlowDraft& flows, const std::vector<std::uint32_t>& sliceOf,
                const std::optional<TimeRange>& window, TraceColumns& columns, const CancelToken& cancel);

}  // namespace altiscope
