#pragma once

#include "core/base/cancel.h"
#include "core/base/diagnostics.h"
#include "core/store/seal.h"
#include "core/store/trace_store.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope {

/// A start or finish of a flow with sealed names.
struct FlowEnd {
    FlowKey key;
    StringId category;
    FlowPoint point = FlowPoint::Start;
    std::uint32_t track = 0;   ///< Track index, or SealedTracks::kHidden.
    std::int64_t time = 0;     ///< ns
    SourcePos pos;
};

/// All flow points of all segments, so that segments can be freed before flows are made.
std::vector<FlowEnd> collectFlowEnds(const SealInput& input, const std::vector<std::uint32_t>& trackIndexOf);

/// Pairs flow points and attaches them to slices; needs the slice columns. One flow per finish with a start of equal category and
/// key: of several starts the last one at or before the finish, else the first. A point belongs to the slice of its track
/// that begins exactly at its time (the deepest), else to the innermost one around it (end included), else to none.
/// Points without a partner are counted as "unpaired_flow". Parallel over keys and tracks.
/// @note Source of the rules: formats/trace-json.md section 6.
void sealFlows(std::vector<FlowEnd> ends, TraceColumns& columns, std::string_view file, Diagnostics& diagnostics,
               const CancelToken& cancel);

} // namespace altiscope
