#pragma once

#include "core/analysis/support/saturating.h"
#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// A slice that a fact rests on.
struct FactSlice {
    SliceId id;
    std::string name;
    TimeRange range;
};

/// Something that happened again and again on one rank.
struct Occurrences {
    static constexpr std::size_t kMostSlices = 5;

    std::uint64_t count = 0;
    std::int64_t total = 0;            ///< ns
    std::int64_t greatest = 0;         ///< Length of the longest, ns.
    std::vector<std::int64_t> byStep;  ///< ns, by place in RankFacts::steps; what lies in no step is in `total` alone.
    std::vector<FactSlice> longest;    ///< At most kMostSlices, the longest first; none where there is no timeline.

    std::size_t stepsWithAny() const;
    /// Sum over the steps, divided by the number of steps that have any; 0 if none has. ns.
    std::int64_t perAffectedStep() const;
};

/// One step of a rank.
struct StepFacts {
    std::optional<std::int64_t> step;
    TimeRange range;          ///< On the device; [0, 0) where no events tell it.
    bool isComputed = false;  ///< From events, else from the profiler's summary.
    std::int64_t computing = 0, communication = 0, notOverlapped = 0, free = 0;  ///< ns, as StepBreakdown
    std::int64_t bubble = 0;  ///< ns of notOverlapped in which it waits to receive something.
    std::int64_t endToEnd() const { return saturatedSum(saturatedSum(computing, notOverlapped), free); }
};

/// Kernels of the same name.
struct KernelFacts {
    std::uint64_t count = 0;
    std::int64_t total = 0;  ///< ns
};

/// Transfers of one step, transport and packet size; of one link.
struct PacketFacts {
    std::optional<std::int64_t> step;
    std::string transport;
    std::int64_t packetSize = 0;         ///< bytes
    std::int64_t count = 0, time = 0;    ///< packets, ns; of all planes together
    double mainTime = 0, mainBytes = 0;  ///< What of them passes on the main planes, one after the other; ns, bytes.
    std::int64_t operators = 0;          ///< Collectives that sent them.
    std::string receivedIn;  ///< Of what is sent to one rank: the group in which that one receives it; else empty.
};
struct LinkFacts {
    std::optional<std::int64_t> step;
    std::int64_t source = 0, target = 0;  ///< Ranks.
    std::string transport;
    std::int64_t size = 0, time = 0;  ///< bytes, ns
    std::string operation = {};       ///< Type of the collectives, "allreduce"; empty if unknown.
    /// What their group is for, "dp"; where nothing tells that, how many ranks it has: "8"; else empty.
    std::string groupKind = {};
};

/// Collectives of groups of one parallel type. Time in which several collectives of a rank run counts once, for the
/// first to begin: over all types the sums are those of their union.
struct CollectiveFacts {
    std::string parallelType;  ///< "dp", "tp"; empty if unknown.
    bool isPeerToPeer = false;
    Occurrences all;      ///< Their time.
    Occurrences exposed;  ///< The part of it in which nothing was computed.
    /// ns of `exposed`: of the last of each step, between which nothing was computed either.
    std::int64_t lastExposed = 0;
};

/// Collectives of one group on one rank, without sends and receives, as far as it is known how long they moved data.
struct WaitFacts {
    std::string group;  ///< Name; empty if nothing tells it.
    std::uint64_t count = 0;
    std::int64_t elapsed = 0, transit = 0;  ///< ns
    std::vector<std::int64_t> byStep;  ///< elapsed - transit, by place in RankFacts::steps; empty if there are none.
};

/// What rules look at of one rank: sums and some examples, no events. Constant.
struct RankFacts {
    std::optional<std::int64_t> rankId;
    std::string path;  ///< RankInfo::path; of a capture that is the rank's folder itself, that folder's name.
    /// How many ranks of this number come before: one folder may hold several recordings of a run, and those of a rank
    /// are not ranks that can be held against each other. Ranks without a number are taken for different ones.
    std::uint32_t recording = 0;
    bool hasEvents = false;
    std::int64_t stage = 0, stages = 1;                       ///< Of its pipeline (RankRole).
    std::string role;                                         ///< Ranks of different ones do different work.
    std::string host;                                         ///< Empty if unknown.
    TimeRange range;                                          ///< Of the trace.
    std::vector<StepFacts> steps;                             ///< By begin, or number.
    std::map<std::string, KernelFacts, std::less<>> kernels;  ///< By name, without collectives.
    std::uint64_t kernelCount = 0;
    std::map<std::string, Occurrences, std::less<>> aiCpu;  ///< Kernels on the AI CPU, by type.
    Occurrences tinyKernels;                                ///< Shorter than kTinyKernelNs.
    Occurrences launchGaps;  ///< What the host spent before each Enqueue within its operator.
    /// Time of the host's calls; what several threads spend at once counts once, and so does a collection within
    /// another call.
    Occurrences garbageCollections, synchronizations, dataLoading, optimizers;
    Occurrences
        /// Gaps of the device in which a synchronisation ends: it waits for what the host launches next.
        freeAfterSynchronization;
    Occurrences memoryCalls;  ///< The host's calls that get memory of the device from its driver, or give it back.
    Occurrences
        compilations;  ///< Calls that compiled an operator: of aclopCompileAndExecute those of kCompilationNs at least.
    std::uint64_t syncBatchNorms = 0;                              ///< Calls.
    std::vector<std::pair<std::string, std::string>> environment;  ///< Variables that are set, by name.
    std::vector<std::string> optimizerNames;                       ///< "AdamW", of slices Optimizer.step#AdamW.step
    std::vector<CollectiveFacts> collectives;
    std::vector<WaitFacts> waits;
    double receivesPerStep = 0;                  ///< Operators hcom_receive*.
    std::int64_t highestMhz = 0, lowestMhz = 0;  ///< Of the AI Core; 0 if not recorded.
    Occurrences frequencyLoss;                   ///< Computing time * (1 - frequency / highest frequency).
    /// Bytes of the framework's pool at the first step's begin, then at each end.
    std::vector<std::int64_t> allocatedAtBorders;
    /// Bytes allocated in each step but the last that its next step did not free.
    std::vector<std::int64_t> keptAllocations;
    std::vector<PacketFacts> packets;
    std::vector<LinkFacts> links;
    std::vector<std::string> receivesIn;  ///< Groups in which it receives what one other rank sends, by name.
    /// What is not recorded, and the switch that records it.
    std::vector<std::pair<std::string, std::string>> missing;
};

/// A kernel below this is tiny: about what launching one costs.
inline constexpr std::int64_t kTinyKernelNs = 5'000;

/// A call that looks an operator up takes some microseconds, one that compiles it many milliseconds.
inline constexpr std::int64_t kCompilationNs = 1'000'000;

struct CaptureFacts {
    std::vector<RankFacts> ranks;  ///< As in CaptureStore::ranks
};

}  // namespace altiscope
