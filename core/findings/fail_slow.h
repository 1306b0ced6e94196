#pragma once

#include <cstdint>
#include <string_view>

namespace altiscope {

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

/// Whether a finding fail_slow says that a step of a rank's recording is slow.
bool isInSlowStretch(const RuleContext& context, const RankFacts& rank, std::int64_t step);

}  // namespace altiscope
