#pragma once

#include "core/import/raw_files/raw_dictionary.h"
#include "core/store/raw/task_records.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

inline constexpr std::uint16_t kRawAcl = 20000, kRawModel = 15000, kRawNode = 10000, kRawCommunication = 5500,
                               kRawRuntime = 5000, kRawMark = 20500, kRawTorchNpu = 25000, kRawTorch = 30000;
inline constexpr std::uint32_t kRawNoContext = 0xffffffff, kRawNoModel = 0xffffffff, kRawNoCopy = 0xffffffff;

/// A call of an interface on the host, in counts of the host's counter.
struct RawCall {
    std::uint64_t begin = 0, end = 0, item = 0;
    std::uint32_t type = 0, thread = 0, request = 0;
    std::uint16_t level = 0;
    std::uint64_t number = 0;  ///< Number of its record.
};

/// An operator of a device, as the host describes it.
struct RawOp {
    std::uint64_t name = 0, type = 0;           ///< Hashes.
    std::uint32_t core = 0;                     ///< See rawCoreName.
    std::uint32_t blocks = 0, mixedBlocks = 0;  ///< Mixed: those of the other type of core.
    std::int64_t tensors = -1;                  ///< Index in RawHost::tensors; -1: none is known.
    std::uint64_t attributes = 0;               ///< Hash of a text; 0: none is known.
    bool hasDetails = false;                    ///< More than its name is known.
    bool hasCore = false;
    TaskRecord::State state = TaskRecord::State::Unknown;
    TaskRecord::Hf32 hf32 = TaskRecord::Hf32::Unknown;
};

/// A task that the host gave to a device.
struct RawHostTask {
    std::uint16_t device = 0, stream = 0, batch = 0, task = 0;
    std::uint32_t context = kRawNoContext;
    std::uint64_t type = 0;  ///< Type of level 5000.
    /// Number of the call that launched it; -1: nothing says it; below: it lies in no call of its thread, which is
    /// number -2 - connection of those with such tasks.
    std::int64_t connection = -1;
    std::int64_t op = -1;                    ///< Index in RawHost::ops; -1: it computes nothing.
    std::uint32_t firstPart = 0, parts = 0;  ///< Range in RawHost::collectiveParts.
    std::uint32_t model = kRawNoModel;       ///< The model that ran it.
    std::uint32_t copy = kRawNoCopy;         ///< Index in RawHost::copies.
    std::uint64_t kernelName = 0;            ///< Hash; 0: none.
    std::uint64_t time = 0;                  ///< Count of the host when it recorded the task ...
    std::uint32_t thread = 0;                ///< ... on this thread.
};

/// A copy by a task. Source: FORMAT.md.
struct RawCopy {
    std::uint64_t bytes = 0;
    std::uint16_t direction = 0xffff;  ///< See rawCopyDirection.
};

/// A part of a collective, as HCCL describes it.
struct RawHcclTask {
    std::uint64_t item = 0, group = 0;  ///< Hashes.
    std::uint64_t notify = 0, bytes = 0;
    double estimate = 0;  ///< us
    std::uint32_t localRank = 0, remoteRank = 0, rankSize = 0, plane = 0, context = 0;
    std::uint32_t dataType = 0, link = 0, transport = 0, rdma = 0;
};

/// A call of a collective.
struct RawCollective {
    std::int64_t call = 0;    ///< Number of its node call.
    std::uint64_t group = 0;  ///< Hash.
    std::uint64_t algorithm = 0, count = 0;
    std::uint64_t type = 0;  ///< Hash of the operator's type.
    std::uint32_t rankSize = 0;
    std::uint8_t flags = 0, dataType = 0;
    bool hasInfo = false, hasType = false, hasGroup = false;
};

/// A task of a collective, of which the device has a task of its own.
struct RawCollectivePart {
    std::uint32_t collective = 0;
    std::uint64_t time = 0;  ///< Count of the host at which the task was launched.
    std::int64_t info = -1;  ///< Index in RawHost::hcclTasks; -1: nothing is known.
    std::uint32_t thread = 0;
    bool isMaster = false;  ///< Part of the stream whose tasks state when the collective ran.
};

/// Content of the host's records.
struct RawHost {
    RawDictionary texts;
    std::vector<RawCall> calls;  ///< By begin, then outer levels first.
    std::vector<RawHostTask> tasks;
    std::vector<RawOp> ops;
    std::vector<std::string> tensors;  ///< Lists of tensors as they lie in the records.
    std::vector<RawHcclTask> hcclTasks;
    std::vector<RawCollective> collectives;
    std::vector<RawCollectivePart> collectiveParts;
    std::vector<RawCopy> copies;
    bool hasCopies = false;         ///< Copies were recorded, so that one of which nothing is known moved nothing.
    std::int64_t looseThreads = 0;  ///< Threads with tasks that lie in no call.

    /// How many numbers the connections of its tasks take.
    std::int64_t connectionCount() const { return static_cast<std::int64_t>(calls.size()) + looseThreads; }
    /// The connection of a task in files: tasks of a thread that lie in no call have one of their own, as with the
    /// vendor; nothing has it but them. -1: none.
    /// @param first  Of the calls.
    std::int64_t connectionOf(const RawHostTask& task, std::int64_t first) const {
        if (task.connection == -1) return -1;
        const std::int64_t loose = static_cast<std::int64_t>(calls.size()) - 2 - task.connection;
        return first + (task.connection >= 0 ? task.connection : loose);
    }
};

/// Reads what the host recorded, and finds for each task the call that launched it and the operator that it computes.
/// @param isLevelZero  The profiler's level 0: operators have names only.
/// Adds to `context.diagnostics`, beside what RawBlocks adds: "raw.unpaired" (lost) for an event without its other
/// half, "raw.nameless_type" (lost) for tasks whose type is in no list, and, all repaired: "raw.outside" for
/// descriptions of operators that lie in no call, "raw.unused" for calls that describe an operator
/// of which there is no task, "raw.overlapping" for calls that are in no tree.
/// Source: FORMAT.md. Memory: about a third of the records; tensors once for each different
/// list.
RawHost readRawHost(const RawFiles& files, bool isLevelZero, RawContext& context);

/// Whether devices store streams and tasks the wide way, see foldedTask.
bool rawHasExpandedStreams(const RawFiles& files, RawContext& context);

/// "AI_CORE" for 0 and so on, the words of the text export. 12 is ours: HCCL_AI_CPU.
std::string rawCoreName(std::uint32_t core);
/// "acl" for kRawAcl and so on, as the text export calls a level; empty for what has no word.
std::string_view rawLevelName(std::uint16_t level);
/// "host to device" for 1 and so on; "other" for what has no word.
std::string_view rawCopyDirection(std::uint16_t direction);
/// Cores whose tasks are no kernels.
bool isRawOtherCore(std::uint32_t core);
/// COMMUNICATION.
bool isRawCommunicationCore(std::uint32_t core);

}  // namespace altiscope::reader
