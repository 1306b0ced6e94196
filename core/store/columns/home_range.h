#pragma once

#include "core/base/time.h"
#include "core/store/columns/trace_store.h"

#include <functional>
#include <optional>

namespace altiscope {

/// The time range that a view opens on: from the first to the last event, without those that lie absurdly far away.
///
/// Rule: take 10,001 evenly spaced slice begins, instants and samples, sort them; W is the distance of their 5 % and 95
/// % quantiles (at least 1 ms). Events that begin outside [q05 - 10 W, q95 + 10 W] do not count. An end that reaches
/// beyond the limits is cut at them. Of 4 to 19 events the first and the last stand for these quantiles no longer, but
/// their neighbours, and W is 1 s at least; of fewer nobody can say which is the odd one.
/// @return `all` if nothing lies outside. O(events) only when outliers exist.
TimeRange homeRange(const TraceColumns& columns, TimeRange all);

/// An event that lies outside of the home range, or reaches out of it.
struct FarEvent {
    TimeNs time;                   ///< Its begin; its end, if only that lies outside.
    std::optional<SourcePos> pos;  ///< Samples of counters have none.
};
/// Calls visit for each such event: slices, instants, samples, each in the order of the store. O(events), nothing if
/// the home range is all.
void eachFarEvent(const TraceStore& store, const std::function<void(const FarEvent&)>& visit);

}  // namespace altiscope
