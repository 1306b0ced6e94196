#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::generate {

/// Causes of slowness that can be planted (resources/help/reference/command-line.md).
enum class FaultKind : std::uint8_t {
    SlowRank,       ///< Kernels of one rank take longer.
    SlowLink,       ///< Data between two ranks takes longer in both directions.
    Leak,           ///< A block of every step is never released.
    HostBound,      ///< The host needs more time for every launch.
    AiCpu,          ///< An operator type runs on the AI CPU.
    SmallPackets,   ///< Collectives move their data in small pieces.
    FrequencyDrop,  ///< The cores clock down in the second half of the run.
    GcPause,        ///< Python collects garbage once a step.
    NoOverlap,      ///< The backward pass waits for every reduction of gradients.
    Fragmentation,  ///< The framework reserves memory in which nothing fits, from before the run on.
    Oom,            ///< At the end of the run a request for memory fails; memory snapshots show it.
    FailSlow        ///< One rank is slower in some steps of the run, by a SlowPart.
};

/// The part that is slower in a FailSlow.
enum class SlowPart : std::uint8_t {
    Clock,      ///< The cores run at a lower frequency, which the rank's counter shows.
    Link,       ///< Data from and to the rank takes longer.
    Neighbour,  ///< Somebody else uses what its kernels need: all of them take longer, at the same frequency.
    Host        ///< The host needs more time for every launch.
};

/// What is trained.
enum class ModelKind : std::uint8_t { Transformer, Resnet };

struct Plant {
    FaultKind kind = FaultKind::SlowRank;
    std::uint32_t rank = 0;                     ///< SlowRank, FailSlow; the lower end of SlowLink.
    std::uint32_t peer = 0;                     ///< The higher end of SlowLink.
    std::uint64_t amount = 0;                   ///< Percent, factor, bytes, us or ms, by kind.
    std::string name;                           ///< Operator type of AiCpu.
    SlowPart part = SlowPart::Clock;            ///< FailSlow: in the steps from firstStep to lastStep.
    std::uint64_t firstStep = 0, lastStep = 0;  ///< As they are recorded, both included.
};

/// What makes a run special beside its sizes and its seed.
struct RunConditions {
    std::optional<std::uint32_t> distinctNames;  ///< Slice names of a rank's timeline; 1 .. kMaxDistinctNames.
    std::uint64_t clockOffsetUs = 0;             ///< Clocks of ranks are off by up to this.
    std::uint64_t clockDriftPpm = 0;             ///< And go wrong by up to this.
    std::uint32_t microBatches = 1;              ///< Between two waits of the host; 1 .. kMaxMicroBatches.
    bool unevenWarmup = false;                   ///< Ranks began to count collectives at different steps.
    std::vector<Plant> plants;
    ModelKind model = ModelKind::Transformer;
};

inline constexpr std::uint32_t kMaxDistinctNames = 1'000'000;       ///< All are in memory at once.
inline constexpr std::uint32_t kMaxMicroBatches = 64;               ///< The program holds each of them.
inline constexpr std::uint64_t kMaxClockOffsetUs = 86'400'000'000;  ///< A day.
inline constexpr std::uint64_t kMaxClockDriftPpm = 1'000;

}  // namespace altiscope::generate
