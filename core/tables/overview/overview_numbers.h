#pragma once

#include "core/analysis/capture_analysis.h"
#include "core/analysis/steps/step_parts.h"
#include "core/analysis/steps/step_use.h"
#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"
#include "core/tables/scope/context_filter.h"
#include "core/trace/track.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// A step of a rank: a row of `step_breakdown`; of a rank without any, how long its steps are.
struct StepTime {
    RankIndex rank{};
    /// Of a rank with rows of several devices; else absent: RankInfo states it.
    std::optional<std::int64_t> device;
    std::optional<std::int64_t> step;
    Origin origin = Origin::Recorded;
    bool isOfHost = false;          ///< The total alone is known: the time between the host's marks of the step.
    StepUse use = StepUse::Counts;  ///< Known once addComputed() was called.
    std::array<std::optional<std::int64_t>, kStepParts> parts{};  ///< By StepPart, ns; nullopt: not stated.

    std::optional<std::int64_t> part(StepPart which) const { return parts[static_cast<std::size_t>(which)]; }
    std::optional<std::int64_t> total() const { return part(StepPart::Step); }
};

/// Phases of a step that its device marks, in the order of bars. Reduces run beside the others: no part of the step.
enum class StepPhase : std::uint8_t { Interval, Passes, Tail, Reduce };
inline constexpr std::size_t kStepPhases = 4;

/// Rows of `step_phase` of one step of a rank and device; of several models their sum.
struct StepPhases {
    RankIndex rank{};
    std::optional<std::int64_t> device;  ///< As StepTime::device.
    std::optional<std::int64_t> step;
    /// By StepPhase, ns; nullopt: not stated. Of reduces the time in which at least one runs.
    std::array<std::optional<std::int64_t>, kStepPhases> durations{};

    std::optional<std::int64_t> duration(StepPhase phase) const { return durations[static_cast<std::size_t>(phase)]; }
};

/// Operators of one type and core over all ranks: rows of `op_stat`.
struct TopConsumer {
    std::string name, core;
    Origin origin = Origin::Recorded;
    std::int64_t count = 0, total = 0, max = 0;  ///< ns
    std::uint32_t ranks = 0;                     ///< That have it.
};

/// The highest point of a rank's `memory_sample`, by component, and by device where the rank recorded several.
struct MemoryPeak {
    RankIndex rank{};
    std::optional<std::int64_t> device = {};  ///< As StepTime::device.
    std::string component;
    std::int64_t reserved = 0;              ///< bytes
    std::optional<std::int64_t> allocated;  ///< At the same moment.
    std::int64_t at = 0;                    ///< ns on the trace's clock.
};

/// What the overview shows of a capture. Constant.
struct OverviewNumbers {
    std::shared_ptr<const CaptureStore> capture;
    std::vector<StepTime> steps;               ///< By rank, then as the source has them.
    std::vector<StepPhases> phases;            ///< By rank, device and step.
    std::vector<TopConsumer> top;              ///< The most time first.
    std::vector<MemoryPeak> peaks;             ///< By rank, component and device, within the context's steps and times.
    std::optional<std::int64_t> mostReserved;  ///< bytes; of all ranks, at any time.
};

/// The numbers of the steps of all ranks, ascending and each once. O(steps of the ranks), less where ranks have the
/// same ones.
std::vector<std::int64_t> stepNumbers(const CaptureStore& capture);

/// Reads what the profiler recorded itself. Any thread; parallel over ranks on the arena; some ms for thousands of
/// ranks.
/// @param context  Of steps and time, within which the peaks are looked for; of this capture (see
/// ContextFilter::forCapture).
/// @return nullopt if cancelled.
std::optional<OverviewNumbers> recordedOverview(std::shared_ptr<const CaptureStore> capture,
                                                const ContextFilter& context, const CancelToken& cancel);

/// Adds what we compute ourselves: steps and operators of the origin Computed, which steps count, and whole steps where
/// their parts are not known. Any thread; as long as CaptureAnalysis takes for what it has not computed yet.
/// @return False if cancelled.
bool addComputed(OverviewNumbers& numbers, const CaptureAnalysis& analysis, const CancelToken& cancel);

/// The rows of one rank and kind as they stand in a set of tables; for those that we compute ourselves as well.
std::vector<StepTime> stepTimesOf(const RowTables& rows, RankIndex rank);

/// By device and step. O(rows · log).
std::vector<StepPhases> stepPhasesOf(const RowTables& rows, RankIndex rank);

/// Adds rows of `op_stat` of one rank to sums over ranks.
void addConsumers(const RowTables& rows, std::vector<TopConsumer>& sums);

/// Puts the most time first.
void sortConsumers(std::vector<TopConsumer>& sums);

}  // namespace altiscope
