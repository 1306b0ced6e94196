#pragma once

#include "core/analysis/steps/device_activity.h"
#include "core/analysis/support/saturating.h"
#include "core/trace/track.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// Where the time of one step of one rank went, in ns: a row of the SQL table `step_breakdown`. With C and M, the
/// unions of kernels and of collectives that start in the step's device range, and U the length of a union:
/// end to end time = computing + exposed + free.
/// Recorded values that a source does not state are nullopt; computed ones are all there but `preparing` without a host
/// step, or where the device begins before it.
struct StepBreakdown {
    std::optional<std::int64_t> step;          ///< nullopt: a recording without steps.
    std::optional<std::int64_t> deviceNumber;  ///< Where the timeline or the file states it.
    Origin origin = Origin::Computed;
    std::optional<std::int64_t> computing;           ///< U(C)
    std::optional<std::int64_t> communication;       ///< U(M)
    std::optional<std::int64_t> exposed;             ///< U(M without C), `not_overlapped` of SQL: with the bubble.
    std::optional<std::int64_t> overlapped;          ///< communication - exposed
    std::optional<std::int64_t> free;                ///< Gaps between C and M together, by their begin.
    std::optional<std::int64_t> stage;               ///< Last end - first begin of C and M, without `bubble`.
    std::optional<std::int64_t> bubble;              ///< Sum of operators hcom_receive*, also where they overlap.
    std::optional<std::int64_t> exposedExclReceive;  ///< exposed - bubble, at least 0.
    std::optional<std::int64_t> preparing;           ///< First begin of C and M - begin of the step on the host.
    TimeRange device;  ///< Computed rows: first begin to last end of C and M. Recorded: [0, 0).

    /// StepPart::Step; 0 where it is not known.
    std::int64_t endToEnd() const {
        return computing && exposed && free ? saturatedSum(saturatedSum(*computing, *exposed), *free) : 0;
    }
};

/// What the events give, by step and then device: several devices recorded into one capture work side by side, and the
/// union of all would hide what each one waits for. Source of the formulas: core/import/csv/FORMAT.md section 7; they
/// are the sums of the vendor's own lanes. Parallel on the arena. O(intervals).
std::vector<StepBreakdown> computeBreakdown(const DeviceActivity& activity);

/// Of rows of several devices those of the one that works the longest in all, for which the others wait: a rank has one
/// row a step.
std::vector<StepBreakdown> ofBusiestDevice(std::vector<StepBreakdown> rows);

/// One row of a table of kind StepBreakdown, but for its origin.
StepBreakdown stepBreakdownAt(const RowTable& table, std::size_t row);

/// What the profiler's own summary holds, in its order. O(rows).
std::vector<StepBreakdown> recordedBreakdown(const RankEntry& rank);

}  // namespace altiscope
