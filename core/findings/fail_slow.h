#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope {

struct Finding;
struct RankFacts;
struct RuleContext;

/// Why steps of a run are slower than the others, as far as the recording proves it: the word `cause` among the
/// parameters of a finding `fail_slow`.
enum class SlowCause : std::uint8_t {
    Clock,      ///< The cores ran at a lower frequency.
    Neighbour,  ///< Kernels of all types are slower at the same frequency: something else uses the device.
    Kernels,    ///< Kernels of some types are slower.
    Link,       ///< Data moved more slowly.
    Host,       ///< The device waited for the host.
    Unknown,    ///< Not recorded.
};
std::string_view slowCauseName(SlowCause cause);  ///< "clock"

/// Steps that a finding fail_slow says to be slow, and how long they take on one rank of the job.
struct SlowSteps {
    std::int64_t first = 0, last = 0;
    double level = 0;  ///< Median, ns.
};

/// Whether a finding says again, by its own rule, what a finding fail_slow says with the steps: `frequency_drop`,
/// `slow_rank`, `slow_launches`, `free_time` and `slow_link` where what they lose is lost in those steps. It keeps its
/// time, has a note, and comes after that one.
bool isPartOfFailSlow(const Finding& finding);

/// Those of a rank's job. O(findings + its steps).
std::vector<SlowSteps> slowStepsOf(const RuleContext& context, const RankFacts& rank);

}  // namespace altiscope
