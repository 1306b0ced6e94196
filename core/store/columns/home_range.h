#pragma once

#include "core/base/values/time.h"
#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace altiscope {

/// 2000-01-01 in ns since 1970. The chips that are recorded are younger, and no system runs for thirty years: a time
/// before it is counted from the start of something, or was never set, and one after it is the time of day.
inline constexpr std::int64_t kFirstTimeOfDay = 946'684'800'000'000'000;

/// Whether two times may come from one clock: both are times of day, or neither is.
constexpr bool mayShareClock(TimeNs a, TimeNs b) { return (a.value < kFirstTimeOfDay) == (b.value < kFirstTimeOfDay); }

/// The time range that a view opens on: from the first to the last event, without those of another epoch. Whatever a
/// recording waits for, seconds or hours, is a part of it.
///
/// Rules. Where some events begin at times of day and others do not (kFirstTimeOfDay), only the side with more of them
/// counts; of equally many the times of day, as 0 stands for a time that was not set. So it does where all else comes
/// more than a minute after what is at 0, and ten times as late as it lasts. Of these, take 10,001 evenly spaced slice
/// begins, instants and samples, sort them. A silence of a day and of ten times what was before it, in
/// which no slice lasts either, divides recordings that were put into one file: of four times and more only the
/// recording with most slices and instants counts (of equally many that with most samples; of equally many they all
/// do). Where such times are four and more, events do not count either that begin before or after all of them by ten
/// times what lies between the first and the last, and by a day at least; an end that reaches beyond is cut there.
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
