#pragma once

#include "core/analysis/communication/late_ranks.h"
#include "core/analysis/support/capture_facts.h"
#include "core/base/values/cancel.h"
#include "core/tables/overview/counted_steps.h"
#include "core/tables/scope/context_filter.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// What ranks are compared by. Times are ns per step.
enum class RankMetric : std::uint8_t {
    StepTime,  ///< Parts of a step: StepPart. Mean of the counted steps.
    Computing,
    Exposed,
    Bubble,
    Free,
    WaitCaused,    ///< LateRank::waited: what others waited for it where it clearly came last.
    WaitSuffered,  ///< CollectiveSpent::wait
    Recoverable,  ///< What a step of the job would win without what slows this rank: rows of `blame` whose cause it has.
    Frequency,    ///< Of its AI Core, mean over time; MHz.
};
inline constexpr std::size_t kRankMetrics = 9;

/// Whether a metric is a time, ns; else a frequency, MHz.
bool isTime(RankMetric metric);
/// The word of a metric in tables and in what is remembered: "exposed_communication".
const char* metricName(RankMetric metric);

/// The numbers of one rank.
struct RankNumbers {
    bool isInContext = false;
    std::size_t steps = 0;                        ///< Counted ones.
    std::array<double, kRankMetrics> byMetric{};  ///< NaN: not known.
    std::uint64_t compared = 0, last = 0;         ///< LateRank

    double operator[](RankMetric metric) const { return byMetric[static_cast<std::size_t>(metric)]; }
};

/// What the numbers are made of.
struct RankNumberSources {
    const CaptureStore& capture;
    const ContextFilter& context;  ///< Of this capture, see ContextFilter::forCapture.
    const CountedSteps& counted;
    /// Rows of collectives that count for a rank, by its index; null: none.
    const std::vector<std::shared_ptr<const RowTables>>& collectives;
    const JobAccount* job;  ///< Null: there is no replay.
};

/// @return As CaptureStore::ranks; empty if cancelled. Any thread; parallel on the arena. O(collectives * log).
std::vector<RankNumbers> rankNumbers(const RankNumberSources& sources, const CancelToken& cancel);

/// Indexes of the steps of a job, JobAccount::steps, that the context holds. O(steps * ranks).
std::vector<std::size_t> stepsOfJob(const JobAccount& job, const CaptureStore& capture, const ContextFilter& context);

}  // namespace altiscope
