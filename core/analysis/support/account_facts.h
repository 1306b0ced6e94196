#pragma once

#include "core/base/values/ids.h"
#include "core/base/values/time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

/// Why a part of a step passes: the words of the SQL tables `gap` and `blame`.
enum class Cause : std::uint8_t {
    Kernel,  ///< A kernel that takes longer than it does on the peers of its rank.
    Host,    ///< The host had not launched the next task yet: its calls, or nothing but Python.
    Wait,    ///< For another rank.
    Gc,      ///< Collection of garbage in Python.
    Gil,     ///< Python's lock.
    Lock,
    Preempted,
    Interrupt,
    Syscall,
    Compile,      ///< An operator was compiled.
    Synchronize,  ///< From the end of the task that the host waited for until it went on.
    DataLoading,
    Checkpoint,
    Copy,        ///< Between host and device.
    Frequency,   ///< The cores ran below their highest frequency.
    Transfer,    ///< Data of collectives.
    Turnaround,  ///< The device's own time between tasks that were queued.
    Bubble,      ///< Waits for the stage before that are left when every other cause is removed.
    Absent,      ///< A rank that is not in the capture.
    Unknown,     ///< Nothing recorded covers it.
};
inline constexpr std::size_t kCauseCount = static_cast<std::size_t>(Cause::Unknown) + 1;

/// "data_loading"
std::string_view causeName(Cause cause);

/// A cause is named where it covers this share of a gap or a wait; below it the cause is Unknown.
/// Source: core/analysis/FORMULAS.md section I.
inline constexpr double kNamedShare = 0.8;

/// A time in which a device did nothing: it computed nothing, no collective ran and nothing was copied.
struct GapFacts {
    TimeRange range;               ///< On the clock of its rank.
    Cause cause = Cause::Unknown;  ///< Covers kNamedShare of it at least.
    double coverage = 0;           ///< Share of the gap that its largest cause covers, 0 to 1.
    /// Slice of the host that covers the most of the cause's time, the innermost such; 0: none. Where the cause of one
    /// of the longest gaps is Unknown: a slice of another track that covers it.
    SliceId slice{};
    std::string name;    ///< Name of that slice, or of what else covers it; empty if there is none.
    std::string thread;  ///< The host's thread that was late, "Thread 3010732"; empty if no host is blamed.
    SliceId next{};      ///< The task that ends the gap; 0: none, the step ends.
    std::string nextName;
};

/// Where the time of one step of a rank went: each ns is in exactly one part.
struct StepAccount {
    std::optional<std::int64_t> step;  ///< nullopt: the recording has no steps, and this is all of it.
    /// From the begin of the step on the host to that of the next one, of the last to its end; without steps of the
    /// host from the first to the last task of the device.
    TimeRange range;
    std::int64_t computing = 0;  ///< ns in which kernels ran.
    // The others are ns without kernels. What several collectives do at once counts for the first of these parts.
    std::int64_t transfer = 0;  ///< Collectives from the arrival of their last rank to their end.
    std::int64_t absent = 0;    ///< Collectives that wait for a rank that is not in the capture.
    /// Collectives of which it is not recorded when they moved data: parts of a group are not in the capture, and no
    /// transit time is stated.
    std::int64_t unknownCommunication = 0;
    std::int64_t wait = 0;  ///< Collectives before their last rank came.
    std::int64_t copy = 0;  ///< Copies between host and device.
    /// Nothing ran, by cause; of no host without a host's data.
    std::array<std::int64_t, kCauseCount> gaps{};
    /// Those between the first work of the device and the last, at most kLongestGaps, the longest first.
    std::vector<GapFacts> longestGaps;
    static constexpr std::size_t kLongestGaps = 5;

    std::int64_t gapOf(Cause cause) const { return gaps[static_cast<std::size_t>(cause)]; }
    std::int64_t gap() const;            ///< Sum over all causes.
    std::int64_t communication() const;  ///< transfer + absent + unknownCommunication + wait
    std::int64_t sum() const;            ///< Of all parts: range.length() exactly.
};

/// The account of a rank. Of several devices in one recording that of the busiest.
struct RankAccount {
    /// Launches by the host are recorded for at least half of the tasks; without them gaps are Unknown.
    bool hasLaunches = false;
    std::vector<StepAccount> steps;  ///< By time; empty without events.
    /// Tasks of the device, and those of them whose launch is known.
    std::uint64_t tasks = 0, launched = 0;
    std::uint64_t gaps = 0;                ///< Of all steps.
    std::uint64_t waitsWithoutRecord = 0;  ///< EVENT_WAIT for which no EVENT_RECORD was found.
};

/// A slice that changes where a cause is removed.
struct CauseSlice {
    RankIndex rank{};  ///< Position in CaptureStore::ranks.
    SliceId slice{};
    std::string name;
    TimeRange range;          ///< On the clock of its rank.
    std::int64_t amount = 0;  ///< ns by which it would be shorter.
};

/// Which of the causes of one word it is.
enum class CauseKind : std::uint8_t {
    Any,           ///< The word says it.
    AiCpu,         ///< Kernel: operators on the AI CPU.
    MemoryCalls,   ///< Host: calls that get memory of the device from its driver, or give it back.
    Link,          ///< Transfer: a group is slower than its like, by a link where that is recorded.
    SmallPackets,  ///< Transfer: data is cut into small packets.
    NotHidden,     ///< Transfer: computing waits for a reduction of gradients while more of them are to come.
};

/// One cause of slowness, with what a run without it would win.
struct CauseFacts {
    Cause cause = Cause::Unknown;
    CauseKind kind = CauseKind::Any;
    /// The ranks that have it, by position. One of most ranks (garbage collection, launches) is one
    /// cause with all of them, since removing it from one of them alone wins nothing.
    std::vector<RankIndex> ranks;
    std::string name;   ///< Kernel type, group, operator or call that has it; empty if several do.
    std::string group;  ///< Transfer: name of the group.
    /// Transfer: the slowest link, positions in CaptureStore::ranks; nullopt: not recorded.
    std::optional<std::pair<RankIndex, RankIndex>> link;
    /// ns that the steps of the job would win, by index in JobAccount::steps: removal after all causes before it in the
    /// list, so that each ns counts once and all add up; alone with all other causes removed already.
    std::vector<std::int64_t> removal, alone;
    /// The same of it removed alone, with all others as recorded: less where one of them hides it. Empty: not known.
    std::vector<std::int64_t> first;
    /// Fewer than half of the steps have it: these are single events, each with its step, and no rate per step.
    bool isEvent = false;
    /// removal, alone and first differ by more than a fifth, or the ideal is uncertain: a range rather than a number.
    bool isRange = false;
    std::vector<CauseSlice> slices;  ///< At most 5, the largest amount first.

    std::int64_t total() const;        ///< Sum of removal, ns.
    std::size_t stepsWithAny() const;  ///< Steps of at least a fifth of the largest gain.
    /// Mean of removal over the steps that have it; ns.
    std::int64_t perAffectedStep() const;
    /// The same of alone.
    std::int64_t alonePerAffectedStep() const;
};

/// What a replay changes beside the causes. None of it is slower than something else; it is what advice could win at
/// most, and shares its time with causes and with the others: these times add up to nothing.
enum class WhatIf : std::uint8_t {
    IdleCores,         ///< Kernels that use few cores use all of them.
    CubeEfficiency,    ///< Pipes of the cores of kernels of matrices are busy,
    VectorEfficiency,  ///< of others.
    FusedSequence,     ///< Kernels that come one after the other again and again are one.
    TinyKernels,       ///< The host takes no time to launch kernels below kTinyKernelNs.
    Synchronizations,  ///< The host waits for the device once in each step.
    BalancedStages,    ///< Kernels of all stages of the pipeline take equally long.
    NoPipelineWaits,   ///< No stage waits for the data of another one.
    UnalignedPackets,  ///< Packets of collectives are multiples of 512 bytes.
    LostPackets,       ///< No collective waits for a timeout of the network.
    Contention,        ///< Data moves beside multiplications of matrices as fast as alone.
};

/// The gain of one of them, over all ranks.
struct WhatIfFacts {
    WhatIf whatIf = WhatIf::IdleCores;
    std::vector<RankIndex> ranks;  ///< Where it changes something.
    std::string name;              ///< FusedSequence: the types, ", " between them.
    /// ns that the steps of the job would win once all causes are gone, by index in JobAccount::steps.
    std::vector<std::int64_t> gains;
};

/// A wait of a rank in a collective, and why its last rank came late; or, with slice 0, what a cause wins beside waits.
struct WaitCause {
    std::optional<std::int64_t> step;
    RankIndex rank{};  ///< Who waits: position in CaptureStore::ranks.
    std::string group, operatorName;
    SliceId slice{};                ///< The collective on the waiting rank.
    TimeRange range;                ///< The wait, on the clock of the rank.
    RankIndex late = kNoRank;       ///< Who came last; kNoRank: a rank that is not in the capture.
    std::int64_t wait = 0;          ///< ns
    Cause cause = Cause::Unknown;   ///< Covers kNamedShare of the wait at least.
    RankIndex causeRank = kNoRank;  ///< Who has the cause.
    SliceId causeSlice{};           ///< On that rank; 0: none.
    std::string causeName;
    std::int64_t recoverable = 0, alone = 0;  ///< ns of this wait: as CauseFacts.
    double coverage = 0;                      ///< Share of the wait that the cause covers, 0 to 1.
    std::vector<CauseSlice> path;  ///< From the last arrival back to causeSlice over the ranks between; a hop each.
};

/// Why there is no what-if, or only a part of one.
enum class ReplayRefusal : std::uint8_t {
    None,
    NoTimeline,         ///< No rank has a timeline of tasks.
    Cut,                ///< The timeline is incomplete: a window, or a rank that is cut.
    NoSynchronization,  ///< A step has no call that waits for the device: its length would not follow the device.
    Cycle,              ///< Tasks depend on each other in a circle.
    Contradiction,      ///< More than 1 % of the tasks begin before what they depend on ends.
    Error,              ///< The replay differs from the recording by more than 2 %.
    TooLarge,           ///< More tasks than memory is granted for.
};
/// Code of the catalogue for the sentence that says why, with the parameters rank and error (percent); empty for None.
std::string_view refusalCode(ReplayRefusal refusal);

/// Numbers of a cause that differ by less than this share of the largest are one. Source: core/analysis/FORMULAS.md
/// section I.
inline constexpr double kRangeShare = 0.2;
/// Whether a step has a cause: it gains a fifth of the largest gain of a step at least.
bool isAffected(std::int64_t gain, std::int64_t largest);

/// A replay is believed up to this error. Source: core/analysis/FORMULAS.md section I.
inline constexpr double kLargestReplayError = 0.02;

/// The account of a job over all of its ranks that are here: what its steps would be without what slows them.
struct JobAccount {
    ReplayRefusal refusal = ReplayRefusal::NoTimeline;
    /// The rank that is the reason, where it is one. Without a refusal one whose clock does not relate to that of the
    /// others: the replay does not let them wait for each other, and its causes hold for each rank alone.
    RankIndex refusedBy = kNoRank;
    std::optional<double> replayError;  ///< Largest error of a rank's step, 0.004 is 0.4 %; nullopt: no replay.
    std::vector<std::optional<std::int64_t>> steps;  ///< Numbers, ascending; nullopt: the recording has no steps.
    /// ns by step, from the last rank's begin to the last one's end: as recorded, replayed with typical delays, without
    /// the host, and with all causes removed.
    std::vector<std::int64_t> recorded, replayed, withoutLaunches, ideal;
    std::vector<CauseFacts> causes;    ///< In the order of removal, the largest first; empty if refused.
    std::vector<WhatIfFacts> whatIfs;  ///< By WhatIf; those that change nothing are not there.
    std::vector<WaitCause> waits;      ///< By rank and time: those of 0.2 ms at least.
    static constexpr std::int64_t kShortestWait = 200'000;

    std::int64_t recordedTotal() const;  ///< Sum over the steps, ns.
};

/// What accountOf makes of a capture. Constant.
struct AccountFacts {
    std::vector<RankAccount> ranks;  ///< As in CaptureStore::ranks.
    JobAccount job;
};

}  // namespace altiscope
