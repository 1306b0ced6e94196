#pragma once

#include "core/base/values/result.h"
#include "core/generate/options/generate_options.h"
#include "core/generate/records/step_truth.h"
#include "core/generate/support/capture_tally.h"
#include "core/generate/support/output_target.h"
#include "core/generate/text/communication_json.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope::generate {

/// What was written for one rank.
struct RankTruth {
    std::uint32_t rank = 0;
    TraceTally trace;
    std::vector<StepTruth> steps;
    std::uint64_t peakReserved = 0;  ///< Bytes; of the framework's allocator (component PTA or MindSpore).
    /// Source and target as global ranks -> bytes and ns, over all steps: the sums of the `total` links as printed.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint64_t, std::int64_t>> links;
};

/// Collects the truth of a rank from its units in order, but for the tally of its timeline.
class TruthCollector {
public:
    /// @param truth  Must outlive the collector.
    TruthCollector(const Run& run, std::uint32_t rank, RankTruth& truth);
    /// @param record         With its overlap lanes.
    /// @param communication  Its collectives; none where they shall not count.
    /// @return Collectives of the whole step, if the unit ends one.
    std::optional<StepCommunication> add(const UnitRecord& record, StepCommunication&& communication);
    /// No unit may follow.
    void finish() { m_truth.steps = m_steps.take(); }

private:
    void addLinks();

    const Run& m_run;
    RankTruth& m_truth;
    StepCollector m_steps;
    StepCommunication m_step;  ///< Of the step that is not finished yet.
};

/// Writes truth.json of resources/help/reference/json.md, a rank, a link and a plant a line. Tracks of one process that
/// share a name (planes of several groups) are one entry; tracks without slices are left out. `clock_offset_ns` is what
/// is added to a rank's times, in the middle of the run, to get those of rank 0. Plants are listed by fault, rank and
/// step, with the ns and the gain that core/generate/README.md explains.
/// @return Error generate.write_failed. Memory: one rank.
Result<Done> writeTruth(const GenerateOptions& options, const Run& run, const std::vector<RankTruth>& ranks,
                        OutputTarget& target);

}  // namespace altiscope::generate
