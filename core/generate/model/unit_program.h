#pragma once

#include "core/base/values/ids.h"
#include "core/generate/model/name_pool.h"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace altiscope::generate {

using TextId = Id<struct GeneratedTextTag, std::uint32_t>;  ///< A text of TextTable.

/// All names, shapes and call stacks of a run, each once. Texts are printable ASCII plus line breaks; a quote or a
/// backslash never occurs, so that writers only need to know how their format spells a line break.
class TextTable {
public:
    TextTable() { idOf(""); }

    TextId idOf(std::string_view text);
    const std::string& operator[](TextId id) const { return m_texts[id.value]; }
    std::size_t size() const { return m_texts.size(); }

private:
    std::deque<std::string> m_texts;
    std::unordered_map<std::string_view, std::uint32_t> m_ids;
};

inline constexpr TextId kNoText{0};

/// Duration as the device's clock gives it: 1/32 ns, printed in microseconds with up to eight decimals.
struct DeviceTime {
    std::int64_t ticks = 0;

    static constexpr std::int64_t kPerNs = 32;
    /// The ns that the printed text means: nearest, halves up.
    constexpr std::int64_t roundedNs() const { return (ticks + kPerNs / 2) / kPerNs; }
    /// Whole ns after which the device is free again.
    constexpr std::int64_t ceilNs() const { return (ticks + kPerNs - 1) / kPerNs; }
};

/// Host threads that run operators; the queue thread and the clean-up thread of the runtime follow from what these
/// enqueue.
enum class HostThread : std::uint8_t { Main, Autograd };

/// Device queues by role. A group slot's collectives run on a stream of their own.
enum class StreamRole : std::uint8_t { Compute, Random, Collective };

/// A rank takes part in at most this many groups that communicate.
inline constexpr std::size_t kMaxGroupSlots = 5;

/// Place of a stream among a rank's streams: compute, random numbers, then one per group slot.
constexpr std::size_t streamIndex(StreamRole role, std::uint32_t groupSlot) {
    return role == StreamRole::Collective ? 2 + groupSlot : static_cast<std::size_t>(role);
}

enum class SequenceUse : std::uint8_t { None, Forward, Backward };

/// A place in the program where an operator is recorded.
struct OpSite {
    TextId name;
    TextId dims;   ///< `Input Dims`; with `types` kNoText: the operator records no shapes.
    TextId types;  ///< `Input type`.
    TextId stack;  ///< `Call stack`, parts separated by ";\r\n"; kNoText: none recorded.
    SequenceUse sequence = SequenceUse::None;
    std::uint32_t sequenceIndex = 0;  ///< Number of the forward operator within its unit.
    HostThread thread = HostThread::Main;
};

enum class CoreKind : std::uint8_t { Cube, Vector, MixCube, MixVector, Random, AiCpu };

/// A kernel as the summary files describe it.
struct KernelSpec {
    TextId name;
    TextId type;
    CoreKind core = CoreKind::Vector;
    std::uint32_t blockDim = 40;
    TextId inputShapes, inputTypes, inputFormats;
    TextId outputShapes, outputTypes, outputFormats;
};

enum class TaskKind : std::uint8_t { Kernel, HostCopy, DeviceCopy, EventRecord, EventWait, Collective };

/// What a collective does. A rank's Send and its partner's Receive are one operation of a group of two.
enum class CollectiveOperation : std::uint8_t { AllReduce, AllToAllV, Send, Receive };

/// One task that a launch puts on a stream.
struct TaskSpec {
    TaskKind kind = TaskKind::Kernel;
    StreamRole stream = StreamRole::Compute;
    std::uint32_t index = 0;      ///< Kernel: its KernelSpec. Events: the event's number. Else 0.
    std::uint32_t groupSlot = 0;  ///< Of collectives and of the events on their streams.
    std::uint64_t bytes = 0;      ///< Moved by copies; payload of a collective.
    std::int64_t typicalNs = 0;   ///< Kernels and copies.
    std::int64_t normalNs = 0;    ///< Of a kernel that a planted fault slows down: without it.
    std::uint32_t slowedBy = 0;   ///< Number of that plant + 1; 0: none.
    CollectiveOperation operation = CollectiveOperation::AllReduce;  ///< Of collectives.
};

enum class ApiMode : std::uint8_t { Nn, Op, Rts, Collective };

/// What one entry of the task queue does once the queue thread takes it.
struct LaunchSpec {
    TextId dequeue;  ///< `Dequeue@...`
    TextId api;      ///< Name after `AscendCL@`.
    TextId tiling;   ///< A tiling call before the last kernel; kNoText: none.
    ApiMode mode = ApiMode::Nn;
    std::vector<TaskSpec> tasks;
    std::vector<std::uint32_t> workspaces;  ///< TensorSpecs that the graph engine allocates for the call.
};

enum class MemoryPool : std::uint8_t { Framework, GraphEngine };

/// A block of device memory that a unit allocates.
struct TensorSpec {
    TextId owner;              ///< Operator that the profiler names.
    std::uint32_t blocks = 0;  ///< Size in units of kBlockBytes.
    MemoryPool pool = MemoryPool::Framework;
    bool crossesStreams = false;  ///< Used on a second stream: it stays active after its release on the host.
    bool outlivesRun = false;     ///< Not released when the last unit of the run ends.
    bool leaks = false;           ///< Never released.
};
inline constexpr std::uint32_t kBlockBytes = 512;

enum class ActionKind : std::uint8_t {
    PythonEnter,  ///< name, detail = module number + 1 or 0
    PythonLeave,
    PythonLeaf,  ///< name, costNs
    OpEnter,     ///< detail = OpSite, costNs before its children
    OpLeave,
    ScopeOpen,  ///< detail = OpSite: a user range that ends with ScopeClose, not with the frame that it opened in
    ScopeClose,
    StepOpen,
    StepClose,     ///< detail = OpSite of ProfilerStep, which began at StepOpen
    Launch,        ///< detail = LaunchSpec
    HostApi,       ///< name = API of the runtime called on this thread, costNs
    Allocate,      ///< detail = TensorSpec
    Release,       ///< detail = TensorSpec
    UseThread,     ///< detail = HostThread
    Pause,         ///< costNs in which the thread records nothing
    WaitForDevice  ///< name = API that waits until all streams are drained
};

/// One thing that the host does. The meaning of the fields depends on `kind`, as said there.
struct HostAction {
    ActionKind kind;
    TextId name;
    std::uint32_t detail = 0;
    std::uint32_t costNs = 0;
    bool planted = false;  ///< Only a planted fault does it: its jitter is drawn apart from that of all others.
};

/// How many numbers of each kind a unit uses up, so that any unit can be made without the ones before it. Filled by
/// countUnits, except for the sequence numbers, which the builder counts.
struct UnitCounts {
    std::uint64_t pythonFrames = 0;
    std::uint64_t launches = 0;
    std::uint64_t sequences = 0;
    std::uint64_t connections = 0;
    std::array<std::uint64_t, kMaxGroupSlots> collectives{};  ///< By group slot.
    std::array<std::uint64_t, 2 + kMaxGroupSlots> tasks{};    ///< By streamIndex().
};

/// The host's work of one micro-batch, from loading data to the wait for the device.
struct UnitProgram {
    std::vector<HostAction> actions;
    UnitCounts counts;
};

/// What the ranks of one pipeline stage do.
struct StageProgram {
    /// By unitVariant(); those that the number of micro-batches does not need are empty.
    std::array<UnitProgram, 4> units;
    std::optional<NamePool> namePool;  ///< If the run shall show a certain number of slice names.
};

/// Everything that all ranks of a run have in common.
struct RunProgram {
    TextTable texts;
    std::vector<OpSite> sites;
    std::vector<KernelSpec> kernels;
    std::vector<LaunchSpec> launches;
    std::vector<TensorSpec> tensors;
    struct RuntimeNames {
        TextId compile, destroyAttribute, destroyDescriptor, flush;
    } names;                         ///< Calls that the runtime makes by itself.
    std::vector<TextId> baseFrames;  ///< Frames around the training loop, outermost first; they last for the whole run.
    std::uint32_t events = 0;        ///< Device events that are numbered.
    std::uint32_t microBatches = 1;  ///< Units of a step.
    std::vector<StageProgram> stages;  ///< Of the pipeline, at least one; tables above are shared.

    const UnitProgram& unit(std::uint32_t stage, std::uint32_t microBatch) const {
        return stages[stage].units[unitVariant(microBatch == 0, microBatch + 1 == microBatches)];
    }
    static constexpr std::size_t unitVariant(bool first, bool last) { return (first ? 2U : 0U) + (last ? 1U : 0U); }

    /// Numbers that a rank of the stage used up in the units before this one.
    UnitCounts countsBefore(std::uint32_t stage, std::uint64_t step, std::uint32_t microBatch) const;
};

}  // namespace altiscope::generate
