#pragma once

#include "core/base/columns/string_pool.h"
#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/base/values/time.h"
#include "core/store/columns/call_stacks.h"
#include "core/store/columns/excluded_extents.h"
#include "core/store/columns/segment.h"
#include "core/store/columns/source_names.h"
#include "core/store/columns/track_facts.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

class TraceStore;

/// Everything that a builder collected.
struct SealInput {
    std::string identity;  ///< See TraceBuilder.
    SharedStringPool::Sealed texts;
    std::vector<ProvisionalTrackKey> tracks;  ///< By ProvisionalTrack.
    TrackFacts facts;
    std::vector<std::shared_ptr<const Segment>> segments;  ///< In file order; freed once their slices are taken over.
    std::optional<TimeRange> window;                       ///< See TraceBuilder.
    std::vector<std::shared_ptr<const ExcludedExtents>> excluded;  ///< With a window: in file order; freed likewise.
    std::vector<std::vector<Segment::StackedOperator>> stackedOperators;  ///< In file order.
    /// By ProvisionalStack, with texts in place of numbers of frames; empty if there were too many.
    std::vector<CallStackPool::Node> stackNodes;
    bool stacksAreFull = false, stacksAreCut = false;  ///< See CallStackPool.
    bool provisional = false;
};

/// Makes the constant store out of segments; the work behind TraceBuilder::seal, which says what it promises.
/// Stages: B/E pairs -> call stacks -> track order -> slices (sorted, nested) -> counters -> instants -> flows -> level
/// of detail.
Result<std::shared_ptr<const TraceStore>> sealSegments(SealInput input, const SourceNames& names,
                                                       Diagnostics& diagnostics, const CancelToken& cancel);

}  // namespace altiscope
