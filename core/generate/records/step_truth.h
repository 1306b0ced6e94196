#pragma once

#include "core/base/text/text_buffer.h"
#include "core/generate/records/unit_record.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::generate {

/// A step of one rank as truth.json and step_trace_time.csv give it. The times on the device are sums over the lanes of
/// the overlap analysis whose slices start between the step's first kernel and its end on the host.
struct StepTruth {
    std::uint64_t step = 0;
    TimeRange host;  ///< ProfilerStep
    DurationNs computing, communication, notOverlapped, free;
    TimeRange device;                   ///< First to last kernel or collective.
    std::vector<DeviceTime> planted{};  ///< What each planted fault cost, by number of the plant.
    std::vector<DurationNs> gains{};  ///< What a step of the job takes less without that fault, by number of the plant.
    DurationNs receiving{};           ///< Sum of the operators that receive from another pipeline stage.
    DurationNs bubble{};              ///< Sends and receives between stages, until both ranks are there.
};

/// Columns of step_trace_time from Computing to Preparing, ns: Bubble is the time in receiving operators, Stage is from
/// the first to the last kernel or collective without it.
using StepTimes = std::array<std::int64_t, 9>;
StepTimes stepTimesOf(const StepTruth& step);
inline constexpr std::size_t kBubbleTime = 6;  ///< Place of Bubble among them.

std::string_view stepTraceHeader();
/// A row of step_trace_time.csv, CRLF.
void addStepTrace(const StepTruth& step, TextBuffer& out);

/// Collects the steps of a rank from its units in order.
class StepCollector {
public:
    explicit StepCollector(std::uint32_t rank) : m_rank(rank) {}
    /// @param record  With its overlap lanes.
    void add(const Run& run, const UnitRecord& record);
    std::vector<StepTruth> take() { return std::move(m_steps); }

private:
    std::uint32_t m_rank;
    std::vector<StepTruth> m_steps;
};

}  // namespace altiscope::generate
