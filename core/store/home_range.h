#pragma once

#include "core/base/time.h"
#include "core/store/trace_store.h"

namespace altiscope {

/// The time range that a view opens on: from the first to the last event, without those that lie absurdly far away.
///
/// Rule: take 10,001 evenly spaced slice begins, instants and samples, sort them; W is the distance of their 5 % and 95 %
/// quantiles (at least 1 ms). Events that begin outside [q05 - 10 W, q95 + 10 W] do not count. An end that reaches beyond
/// the limits is cut at them.
/// @return `all` if nothing lies outside. O(events) only when outliers exist.
TimeRange homeRange(const TraceColumns& columns, TimeRange all);

} // namespace altiscope
