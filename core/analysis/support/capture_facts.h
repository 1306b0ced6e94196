#pragma once

#include "core/analysis/support/account_facts.h"
#include "core/analysis/support/saturating.h"
#include "core/analysis/support/step_source.h"
#include "core/base/values/ids.h"
#include "core/base/values/time.h"

#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// A slice that a fact rests on.
struct FactSlice {
    SliceId id;
    std::string name;
    TimeRange range;          ///< Of all of them if it stands for several in a row.
    std::int64_t amount = 0;  ///< ns that it counts with.
};

/// Something that happened again and again on one rank.
struct Occurrences {
    static constexpr std::size_t kMaxSlices = 5;

    std::uint64_t count = 0;
    std::int64_t total = 0;            ///< ns
    std::int64_t max = 0;              ///< Length of the longest, ns.
    std::vector<std::int64_t> byStep;  ///< ns, by index in RankFacts::steps; what lies in no step is in `total` alone.
    std::vector<FactSlice> longest;    ///< At most kMaxSlices, those that count most first; none without a timeline.

    std::size_t stepsWithAny() const;
    /// Sum over the steps, divided by the number of steps that have any; 0 if none has. ns.
    std::int64_t perAffectedStep() const;
};

/// One step of a rank.
struct StepFacts {
    std::optional<std::int64_t> step;
    TimeRange range;          ///< On the device; [0, 0) where no events state it.
    bool isComputed = false;  ///< From events, else from the profiler's summary.
    /// Its timeline was cut off, or its sums are not those that the profiler recorded: no times are known, so that it
    /// is in no mean and no comparison.
    bool isIncomplete = false;
    /// ns, by StepPart; 0 where nothing states them. All but `communication` add up to the step.
    std::int64_t computing = 0, communication = 0, exposed = 0, bubble = 0, free = 0;
    /// ns of `exposed` that are batched sends and receives between pipeline stages, at least; and what of them all is
    /// recorded as waiting.
    std::int64_t batched = 0, batchedWait = 0;
    std::int64_t notOverlapped() const { return saturatedSum(exposed, bubble); }
    std::int64_t endToEnd() const { return saturatedSum(saturatedSum(computing, notOverlapped()), free); }
};

/// Kernels of the same name.
struct KernelFacts {
    std::uint64_t count = 0;
    std::int64_t total = 0;  ///< ns
    std::string type = {};   ///< Of the first of them; empty if not recorded.
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
/// Transfers of one step from a rank to another over one transport.
struct LinkFacts {
    std::optional<std::int64_t> step;
    std::int64_t source = 0, target = 0;  ///< Ranks.
    std::string transport;
    std::int64_t size = 0, time = 0;  ///< bytes, ns
    std::string operation = {};       ///< Type of the collectives, "allreduce"; empty if unknown.
    /// What their group is for, "dp"; where nothing states that, how many ranks it has: "8"; else empty.
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
    /// ns of `exposed` that could run beside the computing that follows in its step, one collective after the other;
    /// nullopt: not known.
    std::optional<std::int64_t> couldHide = {};
    /// Of groups of unknown type: they reduce something before there are gradients, so that one waits for it.
    bool isOfActivations = false;
};

/// Collectives of one group on one rank, without sends and receives, as far as it is known how long they moved data: a
/// transit of 0 beside a wait of 0 is not known, whatever was moved.
struct WaitFacts {
    std::string group;  ///< Name; empty if nothing states it.
    std::uint64_t count = 0;
    std::int64_t elapsed = 0, transit = 0;  ///< ns
    std::vector<std::int64_t> byStep;  ///< elapsed - transit, by index in RankFacts::steps; empty if there are none.
    std::size_t members = 0;           ///< Ranks of the group, where files state them all.
    std::vector<std::int64_t> absent = {};  ///< Those of them that the capture has nothing of.
};

/// Receives of a rank of which nothing states what its steps consist of: in the steps whose length is known.
struct ReceiveWaits {
    std::size_t steps = 0;
    std::int64_t time = 0, wait = 0;  ///< ns: of the steps, and what receives are recorded to wait in them.
};

/// A collective that took kLongCollectiveNs at least.
struct LongCollective {
    std::optional<std::int64_t> step;
    std::string group, name;                         ///< Empty if nothing states them.
    std::int64_t elapsed = 0;                        ///< ns
    std::int64_t networkTime = 0, networkBytes = 0;  ///< ns and bytes by RDMA, as the profiler's files state them.
};

/// Collectives of one type that moved enough within the host to have a bandwidth: those during which the device
/// multiplied matrices, and those that were alone.
struct ContentionFacts {
    struct InStep {
        std::int64_t bytes = 0, time = 0;  ///< Of those beside a multiplication; bytes, ns.
        std::int64_t exposed = 0;          ///< ns of these in which nothing was computed.
    };
    std::string operation;  ///< "allreduce"
    std::uint64_t beside = 0, alone = 0;
    std::int64_t besideBytes = 0, besideTime = 0, aloneBytes = 0, aloneTime = 0;
    std::vector<InStep> byStep;  ///< By index in RankFacts::steps; empty if none is in any.
    std::string group = {};      ///< Empty if nothing states it.
};

/// Kernels of kLongKernelNs at least that leave a part of the cores without work.
struct CoreUse {
    Occurrences saved;                                        ///< What they would save with the cores busy.
    std::int64_t time = 0;                                    ///< ns that they take.
    std::map<std::string, std::int64_t, std::less<>> byType;  ///< ns that kernels of a type would save.
};

/// The same kernels of vector cores one after the other, again and again. No kernel is in two of them.
struct SequenceFacts {
    std::vector<std::string> types;
    Occurrences saved;      ///< Their time without that of the longest of each; at the first of each.
    std::int64_t time = 0;  ///< ns that all take.
};

/// "Mul, Add"
std::string typesText(const SequenceFacts& sequence);

/// By how much a kernel would be shorter in a what-if.
struct KernelSaving {
    WhatIf whatIf = WhatIf::IdleCores;
    SliceIndex slice{};
    std::int64_t ns = 0;
};

/// Kernels of one step whose shapes are recorded.
struct ShapeFacts {
    std::uint64_t kernels = 0;
    std::uint64_t newShapes = 0;  ///< Of a type that had these shapes in no step before.
};

/// How long kernels of one type took in each step, beside what the same kernels (name and shapes) take in the median of
/// the steps: a step that does more has more of both. ns, by index in RankFacts::steps.
struct KernelPace {
    std::string type;  ///< Empty: several that take less than all others.
    std::vector<double> time, usual;
    double total() const { return std::accumulate(time.begin(), time.end(), 0.0); }
};

/// The framework's pool of memory on a device.
struct PoolFacts {
    std::optional<std::int64_t> device;  ///< Where the rank recorded several.
    /// Bytes at the first step's begin, if a sample comes before it, then at each end.
    std::vector<std::int64_t> allocatedAtBorders;
    std::vector<std::int64_t> lowestInSteps = {};  ///< The fewest bytes in each step; empty where a step has no sample.
    /// The same, each step's begin included, where a sample comes before it: a recording may end before its last step
    /// falls back.
    std::vector<std::int64_t> lowestFromBegins = {};
    /// Bytes allocated in each step but the last that its next step did not free.
    std::vector<std::int64_t> keptAllocations;
};

/// A call stack that holds more and more along the history of a memory snapshot: StackGrowth. Bytes as requested.
struct KeptStack {
    std::int64_t device = 0;
    std::string stack;            ///< A line for each frame, the innermost first.
    std::uint64_t blocks = 0;     ///< Allocated within the history, and still held where it ends.
    std::int64_t bytes = 0;       ///< What it keeps.
    std::int64_t blockBytes = 0;  ///< Of one, the median.
    double fit = 0;               ///< R^2 of the line through what it holds.
    double growth = 0;            ///< Slope of that line, bytes per step; without steps per 1000 entries.
    double margin = 0;            ///< Half of its 95 % interval.
    std::uint64_t steps = 0;      ///< Of the history.
    StepSource source = StepSource::None;
    std::uint64_t released = 0;  ///< Blocks that it allocated and released within the history.
};

/// The last request for memory that failed in the history of a snapshot, and the pool then. All in bytes.
struct OutOfMemory {
    std::int64_t device = 0, event = 0;        ///< The entry `oom`.
    std::int64_t requested = 0;                ///< What could not be had.
    std::int64_t allocated = 0, reserved = 0;  ///< Then.
    std::uint64_t holes = 0;                   ///< Parts of segments that nothing uses.
    std::int64_t holeBytes = 0, largestHole = 0;
    std::string stack;            ///< The one that has most of what is allocated; empty if stacks are not recorded.
    std::int64_t stackBytes = 0;  ///< What it has.
    /// Holes of segments that cannot grow would together have been enough, and no hole alone was: what the page
    /// Snapshot says too (ShortageRemedy::Kind::ExpandableSegments).
    bool isFragmented = false;
    std::optional<std::int64_t> deviceFree = std::nullopt;  ///< What the driver had left; nullopt: not recorded.
};

/// Tables of a rank in which rows are missing that its files had.
struct LostParts {
    bool steps = false;  ///< Steps, or the kernels that they are computed from.
    bool collectives = false;
    bool links = false;
};

/// What rules look at of one rank: sums and some examples, no events. Constant.
struct RankFacts {
    std::optional<std::int64_t> rankId;
    std::string path;   ///< RankInfo::path; of a capture that is the rank's folder itself, that folder's name.
    std::string place;  ///< RankInfo::place: what distinguishes it from others of its number.
    /// Which ranks are its peers (peersOf()): one folder may hold several recordings, or ranks of several jobs, which
    /// cannot be compared with each other.
    std::uint32_t recording = 0;
    bool hasEvents = false;
    bool hasHostEvents = false;  ///< Its timeline shows what the host did.
    bool isNpu = true;           ///< False of a trace of other devices: advice for NPUs does not apply.
    bool isPartial = false;      ///< Some of its data was lost when it was read (RankState::Partial).
    bool isCut = false;          ///< Its timeline ends in the middle (hasCutTimeline).
    LostParts lost;
    std::int64_t stage = 0, stages = 1;  ///< Of its pipeline (RankRole).
    std::string role;                    ///< Ranks of different ones do different work.
    std::string host;                    ///< Empty if unknown.
    /// Where the rank recorded several: the busiest one, for which the others wait. Steps and kernels are its alone.
    std::optional<std::int64_t> device;
    TimeRange range;                                          ///< Of the trace.
    std::vector<StepFacts> steps;                             ///< By begin, or number.
    std::map<std::string, KernelFacts, std::less<>> kernels;  ///< By name, without collectives.
    std::uint64_t kernelCount = 0;
    std::map<std::string, Occurrences, std::less<>> aiCpu;  ///< Kernels on the AI CPU, by type.
    Occurrences tinyKernels;                                ///< Shorter than kTinyKernelNs.
    Occurrences launchGaps;                    ///< What the host spent before each Enqueue within its operator.
    std::vector<TimeRange> longestLaunchGaps;  ///< When, before each of the longest.
    /// Time of the host's calls; what several threads spend at once counts once, and so does a collection within
    /// another call.
    Occurrences garbageCollections, synchronizations, dataLoading, optimizers;
    /// Gaps of the device in which a synchronisation ends: it waits for what the host launches next.
    Occurrences freeAfterSynchronization;
    Occurrences memoryCalls;  ///< The host's calls that get memory of the device from its driver, or give it back.
    /// Calls that compiled an operator: of aclopCompileAndExecute those of kCompilationNs at least.
    Occurrences compilations;
    std::uint64_t syncBatchNorms = 0;                              ///< Calls.
    std::vector<std::pair<std::string, std::string>> environment;  ///< Variables that are set, by name.
    std::vector<std::string> optimizerNames;                       ///< "AdamW", of slices Optimizer.step#AdamW.step
    bool hasForeachOptimizer = false;                              ///< They update many tensors by one operator.
    std::vector<CollectiveFacts> collectives;
    /// Tracks of groups of unknown type that reduce something before there are gradients, ascending.
    std::vector<std::uint32_t> activationTracks;
    std::vector<WaitFacts> waits;
    /// Collectives and transfers are those that we computed from the events, else those that the profiler summed up.
    bool areCollectivesComputed = false;
    double receivesPerStep = 0;  ///< Operators that receive from one rank.
    ReceiveWaits receiveWaits;
    std::int64_t highestMhz = 0, lowestMhz = 0;  ///< Of the AI Core; 0 if not recorded.
    Occurrences frequencyLoss;                   ///< Computing time * (1 - frequency / highest frequency).
    std::vector<PoolFacts> pools;                ///< By device.
    std::optional<OutOfMemory> outOfMemory;      ///< Of the first device with one.
    std::vector<KeptStack> keptStacks;           ///< That keep more and more, by bytes, the most first; at most 20.
    std::vector<PacketFacts> packets;
    std::vector<LinkFacts> links;
    std::vector<LongCollective> longCollectives;
    std::vector<ContentionFacts> contention;  ///< By operation, group and size.
    /// Cores of the device, by what its kernels use; 0: not known.
    std::int64_t cubeCores = 0, vectorCores = 0;
    CoreUse idleCores;                     ///< Of kernels that use half of the cores or less.
    CoreUse idleCube, idleVector;          ///< Of others, whose pipes are busy for less than kBusyCube or kBusyVector.
    std::vector<SequenceFacts> sequences;  ///< At most 20, by what they save, the most first.
    std::vector<KernelSaving> savings;     ///< Of single kernels; gone once the account is made.
    std::string savedSequence;             ///< The types of the sequence of which `savings` has the kernels.
    std::vector<ShapeFacts> shapes;        ///< By index in `steps`; empty if shapes are not recorded.
    std::vector<KernelPace> paces;         ///< By what they take, the most first; empty without kernels in steps.
    std::vector<double> mhzBySteps;  ///< MHz of the cores while kernels ran, 0 in a step without; empty if unknown.
    /// Calls of operators that one of torch_npu does at once, by its name; time of the host.
    std::map<std::string, Occurrences, std::less<>> fusibleCalls;
    std::vector<std::string> receivesIn;  ///< Groups in which it receives what one other rank sends, by name.
    /// What is not recorded, and the switch that records it.
    std::vector<std::pair<std::string, std::string>> missing;
};

/// A kernel below this is tiny: about what launching one costs.
inline constexpr std::int64_t kTinyKernelNs = 5'000;

/// A call that looks an operator up takes some microseconds, one that compiles it many milliseconds.
inline constexpr std::int64_t kCompilationNs = 1'000'000;

/// A kernel from here on is worth a look for what it does with its cores: four times what launching one costs.
inline constexpr std::int64_t kLongKernelNs = 4 * kTinyKernelNs;

/// A kernel is as fast as its busiest pipe. One that is busy for this share of the time limits it, for the rest it
/// starts up and waits for its first data: kernels of matrices, and of vectors, which have less to do at once.
inline constexpr double kBusyCube = 0.8, kBusyVector = 0.7;
/// Pipes of vectors that are busy one after the other and for this share together leave no time unused.
inline constexpr double kBusyVectorPipes = 0.9;

/// What a layer does comes as often in a step as there are layers; what comes less often is not worth a fused kernel.
inline constexpr double kFusibleRepeats = 5;

/// Collectives of less than this are ordinary.
inline constexpr std::int64_t kLongCollectiveNs = 1'000'000'000;

/// What is moved in less is made up of what each transfer costs by itself: as LinkSum::kSmallTransfer.
inline constexpr std::int64_t kContendedBytes = 1'048'576;

/// What rules look at of a capture. Constant.
struct CaptureFacts {
    std::vector<RankFacts> ranks;  ///< As in CaptureStore::ranks
    /// Where the time of each step went, and what its causes cost; null: it was not worked out.
    std::shared_ptr<const AccountFacts> account;
};

}  // namespace altiscope
