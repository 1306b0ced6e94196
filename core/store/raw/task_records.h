#pragma once

#include "core/base/values/ids.h"
#include "core/store/columns/collective_record.h"
#include "core/store/raw/sample_records.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// A task of a device, with what a profiler's own summary files say of it beside its slice and its row of `kernel`.
struct TaskRecord {
    enum class State : std::uint8_t { Unknown, Static, Dynamic };
    enum class Hf32 : std::uint8_t { Unknown, No, Yes };
    static constexpr std::uint32_t kNone = 0xffffffff;

    std::optional<SourcePos> pos;  ///< Position of its slice; nullopt: its sub-tasks have slices instead.
    std::int64_t device = 0;
    std::uint32_t collection = 0;     ///< Index in TaskRecords::collections.
    std::int64_t begin = 0, end = 0;  ///< Wall time, ns.
    double duration = 0;              ///< ns, with the fraction that a count of the device's counter may have.
    std::uint32_t place = 0;          ///< In the vendor's list of the tasks of its device; used among equal begins.
    std::uint32_t stream = 0, task = 0, batch = 0;
    std::uint32_t context = kNone;     ///< Context of a sub-task.
    std::uint32_t model = kNone;       ///< That ran it.
    std::uint32_t type = kNone;        ///< Type as it is shown. This and the next ones: indexes in TaskRecords::texts.
    std::uint32_t kernelName = kNone;  ///< Name of the program that ran, as the runtime knows it.
    std::uint32_t opType = kNone;      ///< Type of the operator that it computes; kNone: of none, or not known.
    std::uint32_t opCore = kNone;      ///< Likewise, e.g. "AI_CORE".
    bool hasOp = false;                ///< It computes an operator.
    State state = State::Unknown;      ///< State of the operator's graph.
    Hf32 hf32 = Hf32::Unknown;         ///< Whether the operator may compute in HF32.
    std::uint32_t mixedBlocks = 0;     ///< Blocks on the other type of core.
    std::int64_t launched = 0;         ///< When the host recorded its launch, wall time, ns; 0: not known.
    std::uint32_t launchThread = 0;    ///< Thread of the host that did.

    // With TaskDetail::Everything.
    std::uint32_t id = 0;               ///< Its number in the rank, the same for all runs of what was launched once.
    std::int64_t connection = -1;       ///< Connection of the call that launched it, as in arguments; -1: none.
    std::uint32_t runtimeType = kNone;  ///< In the words of the runtime; of the device where it has none. See `type`.
    std::uint32_t opName = kNone;
    std::uint32_t blocks = 0;
    std::uint32_t tensors = kNone;     ///< Index in TaskRecords::tensors; kNone: nothing is known of them.
    std::uint32_t attributes = kNone;  ///< Attributes of the operator. Index in TaskRecords::texts.
};

/// Copy of a task.
struct CopyRecord {
    static constexpr std::uint16_t kOther = 0xffff;
    std::uint32_t task = 0;  ///< TaskRecord::id.
    std::uint64_t bytes = 0;
    std::uint16_t direction = kOther;  ///< 0 host to host to 7 device to host ex; kOther: nothing says it.
};

/// A call of an interface of CANN on the host.
struct CallRecord {
    std::int64_t begin = 0, end = 0;  ///< Wall time, ns.
    std::int64_t process = 0, thread = 0, connection = 0;
    std::uint32_t level = 0;  ///< 20000 acl, 15000 model, 10000 node, 5500 communication, 5000 runtime, others.
    std::uint32_t name = TaskRecord::kNone;
};

/// Facts about a collective beyond CollectiveRecord.
struct CollectiveDetail {
    SourcePos pos;  ///< Position of its slice.
    std::int64_t end = 0, connection = 0;
    std::uint32_t group = TaskRecord::kNone;  ///< The group's id text. This and the next ones: places in texts.
    std::uint32_t type = TaskRecord::kNone, algorithm = TaskRecord::kNone;  ///< kNone: not known.
    std::uint64_t count = 0;
    std::uint32_t dataType = 0, rankSize = 0;
    bool isRelayed = false, isRetried = false, hasInfo = false;
};

/// A task of a collective.
struct CollectivePart {
    std::uint32_t task = 0;                        ///< TaskRecord::id.
    std::uint32_t collective = TaskRecord::kNone;  ///< Index in TaskRecords::collectives; kNone: none is drawn.
    std::uint32_t name = TaskRecord::kNone;        ///< Name of the collective.
    std::uint32_t type = TaskRecord::kNone;        ///< "Memcpy". Places in texts.
    std::uint32_t group = TaskRecord::kNone;
    std::uint32_t plane = 0, source = 0, target = 0;                ///< kNone: none.
    std::uint32_t rdma = 0, transport = 0, dataType = 0, link = 0;  ///< Numbers of HCCL; kNone: does not apply.
    std::uint64_t notify = 0, bytes = 0;
    double rate = 0;  ///< GB/s; of payloads over RDMA that of their run.
    bool isMaster = false;
    bool isDescribed = true;  ///< Else nothing but its collective, its task and `rate` (of -1 byte) is known.
};

/// Counters of the cores of a device, with nothing rounded; times are ns.
struct MetricRecords {
    struct Row {
        std::uint32_t task = 0;      ///< TaskRecord::id.
        std::vector<double> values;  ///< By names; NaN: not known.
    };
    std::vector<std::string> names;  ///< "aic_total_time", also those that the text export leaves out.
    std::vector<Row> rows;
};

/// An operator of a model into which the graph engine fused several.
struct FusionRecord {
    std::uint64_t model = 0;
    std::string modelName;  ///< Empty: not known.
    std::string name;
    std::string ops;                       ///< Operators that were fused, with semicolons between.
    std::array<std::uint64_t, 5> bytes{};  ///< Bytes of inputs, outputs, weights, workspace, and in all.
};

/// Memory that the graph engine allocated or released for an operator.
struct GraphMemoryRecord {
    std::int64_t time = 0;                                   ///< Wall time, ns.
    std::uint64_t address = 0, allocated = 0, reserved = 0;  ///< Bytes, in all then.
    std::int64_t bytes = 0;                                  ///< Negative: released.
    std::int64_t process = 0;
    std::uint32_t thread = 0, device = 0;
    std::string op;  ///< Its hash where no dictionary has it.
    bool isNamed = false;
};
/// Memory that the graph engine plans for an operator.
struct StaticMemoryRecord {
    std::int64_t bytes = 0;
    std::string op, root;                      ///< "TOTAL": of the graph. Root: "0" of a static graph.
    std::uint64_t lifeBegin = 0, lifeEnd = 0;  ///< Numbers of nodes; 2^32 - 1: until the graph's end.
    std::uint32_t graph = 0;
};

/// Results made from the records of tasks.
enum class TaskDetail : std::uint8_t {
    Summary,
    Everything,  ///< Also what only databases hold. Memory: some hundred bytes more per task, and 64 per call.
};

/// The tasks of all devices of a rank, by device and begin, and their collectives likewise.
struct TaskRecords {
    /// When the collection of a device began and ended, ns: wall time, and of the host's monotonic clock.
    struct Collection {
        std::int64_t device = 0, wall = 0, monotonic = 0;
        std::int64_t wallEnd = 0;   ///< 0: nothing says it.
        std::int64_t platform = 5;  ///< Number of the chip's generation.
        /// Whether the chip is of those whose tables the vendor's newer program writes.
        bool isNewer() const { return platform >= 5; }
    };
    using Tensors = std::array<std::string, 6>;  ///< Shapes, types, formats of inputs, then of outputs.

    std::vector<TaskRecord> tasks;
    std::vector<std::string> texts;  ///< Each once.
    std::vector<CollectiveRecord> collectives;
    std::vector<Collection> collections;
    std::vector<MarkRecord> marks;
    std::vector<DeviceSamples> samples;
    std::vector<FusionRecord> fusions;
    std::vector<GraphMemoryRecord> graphMemory;  ///< This and the next ones in the order of the records.
    std::vector<StaticMemoryRecord> staticMemory;
    Collection host;                  ///< Collection of the host; without a device.
    std::string processName;          ///< Name of the program; empty if nothing says it.
    std::filesystem::path framework;  ///< Folder of the framework's own files; empty: there is none.
    /// What MindSpore's events say of themselves, "key:value;key:value", by the position of their slice.
    std::vector<std::pair<SourcePos, std::string>> rangeInfos;

    bool isLevelZero = false;  ///< The profiler's level 0: operators have names only.
    bool hasRepeats = false;   ///< Something that was launched once ran several times.
    /// Parts of collectives whose device counts no whole ns: the position of their slice, and ns.
    std::vector<std::pair<SourcePos, double>> partLengths;

    // With TaskDetail::Everything.
    std::vector<Tensors> tensors;
    std::vector<CallRecord> calls;
    std::vector<CollectiveDetail> collectiveDetails;  ///< One for each of `collectives`.
    std::vector<CollectivePart> collectiveParts;
    std::vector<MetricRecords> metrics;  ///< By device.
    std::vector<CopyRecord> copies;      ///< Records of all tasks of copies, if any says how much it copied.
    std::vector<TaskRecord> notRun;  ///< Tasks that the host launched and no device ran, to compute or copy; no times.
    std::string hostId, hostName;    ///< Empty if nothing says it.
    std::int64_t process = 0;        ///< On the host; 0 if nothing says it.

    /// Whether its chips are of those whose files the vendor's older program writes.
    bool isOlder() const { return !collections.empty() && !collections.front().isNewer(); }
    const std::string* text(std::uint32_t place) const { return place < texts.size() ? &texts[place] : nullptr; }
};

}  // namespace altiscope
