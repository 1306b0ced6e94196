#pragma once

#include "core/analysis/snapshot/device_snapshot.h"
#include "core/analysis/snapshot/snapshot_clock.h"
#include "core/analysis/support/step_source.h"
#include "core/trace/rank.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

/// The training steps of a history.
struct HistorySteps {
    /// Of fewer nobody knows what is usual.
    static constexpr std::size_t kFewest = 3;

    StepSource source = StepSource::None;
    /// Entries before which each step begins, and before which the last one ends; ascending. Empty, or one more than
    /// there are steps.
    std::vector<EventNumber> borders;

    std::size_t count() const { return borders.empty() ? 0 : borders.size() - 1; }
};

/// Steps whose begin and end the clock knows, and that follow each other.
HistorySteps stepsByProfile(const SnapshotClock& clock, std::span<const Step> steps);

/// Steps that annotations with the word step, iter or batch and a number count up: "step 12", "ProfilerStep#12". A step
/// begins with the first entry of its number. O(entries).
HistorySteps stepsByAnnotations(const DeviceSnapshot& snapshot, const CancelToken& cancel);

/// The same of ranges that the program named (record_function), by the times of entries. A step ends where the next one
/// begins, the last one where its range does. O(entries).
HistorySteps stepsByRanges(const DeviceSnapshot& snapshot, const CancelToken& cancel);

/// A step begins where call stacks allocate that do so again and again in the same distance (within a quarter of the
/// median, but for the first two), over half of the history at least; of several distances that of the most stacks,
/// which are two at least. And only where each of these periods gives back what it used (PeriodReleases): the layers of
/// one pass are no steps. O(blocks log blocks).
HistorySteps stepsByRepetition(const DeviceSnapshot& snapshot, const CancelToken& cancel);

/// The first of these that finds kFewest steps. @param clock  May be empty.
HistorySteps historySteps(const DeviceSnapshot& snapshot, const SnapshotClock& clock, std::span<const Step> steps,
                          const CancelToken& cancel);

}  // namespace altiscope
