#pragma once

#include "core/generate/database/db_tables.h"
#include "core/generate/database/text_range.h"
#include "core/generate/records/rank_tracks.h"
#include "core/generate/records/unit_record.h"
#include "core/generate/support/capture_tally.h"

#include <cstdint>
#include <unordered_map>

namespace altiscope::generate {

/// What the parts of a rank's database have in common.
struct DbRank {
    const Run& run;
    const CommonTexts& texts;
    const RankTracks& tracks;
    std::uint32_t rank;
    SqliteFile& file;
    TraceTally& tally;  ///< Counts what the text export would show for the rows that are written.

    const RankIdentity& identity() const { return run.plan.identities[rank]; }
    /// Process and thread in one number.
    std::uint64_t globalTid(std::uint32_t track) const {
        return (std::uint64_t{identity().hostPid} << 32U) | tracks.tracks()[track].tid;
    }
};

/// PYTORCH_API, CONNECTION_IDS, PYTORCH_CALLCHAINS, CANN_API, GC_RECORD and STEP_TIME, unit after unit.
/// Source of the format: torch_npu's db export at level 1.
class DbHostRows {
public:
    explicit DbHostRows(DbRank& rank) : m_rank(rank), m_nextText(rank.texts.framework().end()) {}

    void unit(const UnitRecord& record);
    /// The frames around the training loop; they end with the run.
    void baseFrames();

private:
    void queue(const UnitRecord& record);
    void operators(const UnitRecord& record);
    void pythonFunctions(const UnitRecord& record);
    void calls(const UnitRecord& record);
    void garbageCollections(const UnitRecord& record);
    void connect(std::uint64_t connection) { m_rank.file.insert(DbTable::ConnectionIds, {m_nextId, connection}); }
    std::uint32_t newText(std::string_view text);
    std::uint32_t functionName(const PythonSlice& slice);
    void function(const TimeRange& range, std::uint32_t name);

    DbRank& m_rank;
    std::uint64_t m_nextId = 0;     ///< Of CONNECTION_IDS.
    std::uint64_t m_nextChain = 0;  ///< Of PYTORCH_CALLCHAINS.
    std::uint32_t m_nextText;
    /// Names with an object's address or a number, by text and number.
    std::unordered_map<std::uint64_t, std::uint32_t> m_functionNames;
};

/// TASK, COMPUTE_TASK_INFO, TASK_PMU_INFO, COMMUNICATION_OP and COMMUNICATION_TASK_INFO, unit after unit.
class DbDeviceRows {
public:
    explicit DbDeviceRows(DbRank& rank);

    void unit(const UnitRecord& record);

private:
    enum class Kind : std::uint8_t { Mark, Task, Collective, Plane };
    struct Item {
        TimeNs time;
        Kind kind;
        std::uint32_t index;
        std::uint32_t subIndex;
    };
    struct TaskRow {
        TimeRange range;
        std::uint64_t connection;
        std::uint32_t type;
        std::uint64_t context;
        std::uint32_t stream;
        std::uint32_t task;
    };

    std::uint64_t addTask(const TaskRow& row);
    void mark(const UnitRecord& record, std::uint32_t index);
    void task(const UnitRecord& record, std::uint32_t index);
    void kernel(const DeviceWork& work, DurationNs duration, std::uint64_t globalTask);
    void collective(const UnitRecord& record, std::uint32_t index);
    void plane(const UnitRecord& record, std::uint32_t index, const PlaneTask& task);
    /// Id of a collective's name. Names are numbered like the collectives, after all other texts of CANN.
    std::uint64_t opName(std::uint64_t op) const { return m_firstOpName + op - 1; }

    DbRank& m_rank;
    std::vector<std::uint32_t> m_pmuNames;
    std::uint32_t m_firstGroupName;
    std::uint32_t m_firstOpName;
    std::uint64_t m_nextTask = 0;        ///< globalTaskId
    std::uint64_t m_lastOp = 0;          ///< opId
    std::vector<std::uint64_t> m_opIds;  ///< By place among the unit's collectives.
};

/// Memory tables and counters, unit after unit.
class DbMemoryRows {
public:
    explicit DbMemoryRows(DbRank& rank) : m_rank(rank) {}

    void unit(const UnitRecord& record);

private:
    void allocators(const UnitRecord& record);
    void allocations(const UnitRecord& record);
    void graphEvents(const UnitRecord& record);
    void modules(const UnitRecord& record);
    void counters(const UnitRecord& record);

    DbRank& m_rank;
};

}  // namespace altiscope::generate
