#pragma once

#include "core/base/ids.h"
#include "core/store/columns/collective_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// A task of a device, with what a profiler's own summary files say of it beside its slice and its row of `kernel`.
struct TaskRecord {
    enum class State : std::uint8_t { Unknown, Static, Dynamic };
    enum class Hf32 : std::uint8_t { Unknown, No, Yes };
    static constexpr std::uint32_t kNone = 0xffffffff;

    std::optional<SourcePos> pos;  ///< Of its slice; nullopt: its sub-tasks have slices instead.
    std::int64_t device = 0;
    std::int64_t begin = 0, end = 0;  ///< Wall time, ns.
    std::uint32_t stream = 0, task = 0, batch = 0;
    std::uint32_t context = kNone;     ///< Of a sub-task.
    std::uint32_t model = kNone;       ///< That ran it.
    std::uint32_t type = kNone;        ///< What it is shown as. This and the next ones: places in TaskRecords::texts.
    std::uint32_t kernelName = kNone;  ///< Of the program that ran, as the runtime knows it.
    std::uint32_t opType = kNone;      ///< Of the operator that it computes; kNone: of none, or not known.
    std::uint32_t opCore = kNone;      ///< Likewise, e.g. "AI_CORE".
    bool hasOp = false;                ///< It computes an operator.
    State state = State::Unknown;      ///< Of the operator's graph.
    Hf32 hf32 = Hf32::Unknown;         ///< Whether the operator may compute in HF32.
    std::uint32_t mixedBlocks = 0;     ///< Blocks on the other type of core.
};

/// The tasks of all devices of a rank, by device and begin, and their collectives likewise.
struct TaskRecords {
    /// When the collection of a device began, ns: wall time, and of the host's monotonic clock.
    struct Collection {
        std::int64_t device = 0, wall = 0, monotonic = 0;
    };

    std::vector<TaskRecord> tasks;
    std::vector<std::string> texts;  ///< Each once.
    std::vector<CollectiveRecord> collectives;
    std::vector<Collection> collections;

    bool isLevelZero = false;  ///< The profiler's level 0: operators have names only.

    const std::string* text(std::uint32_t place) const { return place < texts.size() ? &texts[place] : nullptr; }
};

}  // namespace altiscope
