#pragma once

#include "core/generate/capture_tally.h"
#include "core/generate/communication_json.h"
#include "core/generate/generate_options.h"
#include "core/generate/rank_tracks.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::generate {

/// A step of one rank as truth.json and step_trace_time.csv give it. The times on the device are sums over the lanes of the
/// overlap analysis whose slices start between the step's first kernel and its end on the host.
struct StepTruth {
    std::uint64_t step = 0;
    TimeRange host;  ///< ProfilerStep
    DurationNs computing, communication, notOverlapped, free;
    TimeRange device;                   ///< First to last kernel or collective.
    std::vector<DeviceTime> planted{};  ///< What each planted fault cost, by number of the plant.
    DurationNs receiving{};             ///< Sum of the operators that receive from another pipeline stage.
};

/// Columns of step_trace_time from Computing to Preparing, ns: Bubble is the time in receiving operators, Stage is from the
/// first to the last kernel or collective without it.
using StepTimes = std::array<std::int64_t, 9>;
StepTimes stepTimesOf(const StepTruth& step);

/// What was written for one rank.
struct RankTruth {
    std::uint32_t rank = 0;
    TraceTally trace;
    std::vector<StepTruth> steps;
    std::uint64_t peakReserved = 0;  ///< Bytes; of the framework's allocator (component PTA).
    /// Source and target as global ranks -> bytes and ns, over all steps: the sums of the `total` links as printed.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint64_t, std::int64_t>> links;
};

/// truth.json of product.md section 6. Tracks of one process that share a name (planes of several groups) are one entry;
/// tracks without slices are left out. `clock_offset_ns` is what is added to a rank's times, in the middle of the run, to get
/// those of rank 0. Plants are listed by fault, rank and step, with the ns that README.md explains.
std::string truthJson(const GenerateOptions& options, const Run& run, const std::vector<RankTruth>& ranks);

std::string_view stepTraceHeader();
/// A row of step_trace_time.csv, CRLF.
void addStepTrace(const StepTruth& step, TextBuffer& out);

/// Collects the steps of a rank from its units in order.
class StepCollector {
public:
    StepCollector(const Run& run, std::uint32_t rank) : m_run(run), m_rank(rank) {}
    /// @param record  With its overlap lanes.
    void add(const UnitRecord& record);
    std::vector<StepTruth> take() { return std::move(m_steps); }

private:
    const Run& m_run;
    std::uint32_t m_rank;
    std::vector<StepTruth> m_steps;
};

/// Adds a step's links to the truth, rounded as they are printed.
void addLinks(const Run& run, const StepCommunication& communication, RankTruth& truth);

}  // namespace altiscope::generate
