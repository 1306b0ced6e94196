#pragma once

#include "core/import/contracts/trace_reader.h"
#include "core/import/database_lookup/db_call_chains.h"
#include "core/import/database_lookup/db_id_index.h"
#include "core/import/database_lookup/db_kernels.h"
#include "core/import/database_lookup/db_row_texts.h"
#include "core/import/database_lookup/db_texts.h"
#include "core/import/database_lookup/db_tracks.h"
#include "core/import/sqlite/db_pages.h"
#include "core/import/sqlite/db_problems.h"
#include "core/import/sqlite/db_row.h"
#include "core/import/sqlite/db_schema.h"
#include "core/store/columns/segment.h"
#include "core/store/rows/row_builder.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::reader {

/// Facts of a database that are known before its events are read; constant while they are.
struct DbContext {
    const SourceFile& file;
    DbSchema schema;
    DbPages pages;
    DbNaming naming{};
    DbTexts texts{};
    std::map<std::int64_t, std::string> apiTypes{};  ///< ENUM_API_TYPE
    std::vector<DbKernelInfo> kernelInfos{};         ///< Rows of all parts of COMPUTE_TASK_INFO.
    std::vector<std::int64_t> kernelInfoRows{};      ///< The first row of each.
    IdGroups<std::uint32_t> kernels{};               ///< By globalTaskId: index in kernelInfos.
    IdGroups<std::int64_t> otherNames{};             ///< By globalTaskId: names of helper tasks of collectives.
    IdGroups<std::int64_t> connections{};            ///< CONNECTION_IDS by id.
    struct SmallTask {
        std::int64_t row, name, plane, group;
        std::int64_t collective;  ///< -1: several, or unknown.
    };
    IdGroups<SmallTask> smallTasks{};  ///< COMMUNICATION_TASK_INFO by globalTaskId.
    struct Run {
        std::int64_t row, begin, end;  ///< The row of COMMUNICATION_TASK_INFO, the time of its collective.
        std::uint64_t fingerprint;     ///< Equal where rows say the same.
        std::int64_t lastEnd;          ///< The latest end up to this one, by begin.
        bool hasTime() const { return begin != kNoTime; }
        static constexpr std::int64_t kNoTime = INT64_MIN;  ///< As begin: it may be the run of any time.
    };
    /// Runs of small tasks that differ from run to run of a graph, by SmallTask::row; those of one task by begin, then
    /// fingerprint, those without time first.
    IdGroups<Run> runs{};
    DbCallChains callChains{};
    std::map<std::int64_t, std::int64_t> groupNumbers{};  ///< Communication groups by text id, in order of appearance.
    std::map<std::int64_t, std::string> modules{};        ///< ENUM_MODULE
    std::map<std::int64_t, std::string> memoryWords{};    ///< ENUM_MEMORY, whose ids stand for texts in files of 2023.
    std::int64_t firstDevice = 0;                         ///< Device of rows that do not say theirs.
    bool computesOverlap = false;                         ///< No usable OVERLAP_ANALYSIS.
};

/// An end of a connection between two rows, before it is known whether there is another end.
struct DbFlowPoint {
    enum class Kind : std::uint8_t {
        Launch,    ///< CANN_API: host end of HostToDevice.
        Task,      ///< Device end of HostToDevice, async_npu and MsTx.
        Operator,  ///< Framework operator: async_npu or fwdbwd.
        Mark,      ///< MSTX_EVENTS: host end of MsTx.
        Enqueue,
        Dequeue,
    };
    Kind kind;
    std::int64_t id;
    std::int64_t time;
    ProvisionalTrack track;
    SourcePos pos;
};

/// A piece of time on a device in which it computed or communicated.
struct DbInterval {
    std::int64_t begin, end, device;
    bool isCommunication;
};

/// A collective, as a kernel.
struct DbCollective {
    DbKernel kernel;
    std::int64_t name, type;  ///< Texts by id.
};

/// A cell of TASK_PMU_INFO.
struct DbMetric {
    std::uint32_t kernel = 0, metric = 0;  ///< Row of the kernel; number of the metric's name.
    double value = 0;
};

/// One allocation or release of NPU_OP_MEM; texts by id, absent numbers kNoCell.
struct DbMemoryEvent {
    std::int64_t time, name, address, size, allocated, reserved, device;
    bool isRelease;
};

/// Everything that was read from one part of one table.
struct DbPart {
    Segment segment;
    DbProblemLog problems;
    std::uint64_t rows = 0;      ///< Rows of tables that came out of it.
    std::uint64_t rowsRead = 0;  ///< That SQLite gave.
    DbTextPart texts;
    std::vector<IdGroups<std::int64_t>::Row> otherNames, connections;
    DbKernelInfos kernelInfos;
    std::vector<IdGroups<std::uint32_t>::Row> kernelIds;  ///< With numbers of this part's infos.
    DbChainPart callChains;
    std::vector<IdGroups<DbContext::SmallTask>::Row> smallTasks;
    /// Collectives that rows of COMMUNICATION_TASK_INFO name, with the first row of each run of them.
    std::vector<IdGroups<std::int64_t>::Row> collectiveIds;
    std::uint64_t smallTasksSeen = 0;  ///< Rows of COMMUNICATION_TASK_INFO whose task was met.
    std::vector<DbFlowPoint> flowPoints;
    std::vector<DbInterval> intervals;
    std::vector<std::int64_t> dequeueThreads;  ///< globalTid, now and then repeated.
    std::vector<DbKernel> kernels;             ///< Tasks that compute.
    std::uint64_t kernelsDropped = 0;          ///< Such tasks whose rows were dropped, and reported.
    std::vector<DbCollective> collectives;
    std::vector<DbMetric> metrics;
    std::vector<std::int64_t> metricNames;  ///< Text ids, by DbMetric::metric.
    std::size_t lastMetric = 0;
    std::vector<DbMemoryEvent> memoryEvents;
    std::vector<RowTablesBuilder::Packed> tableRows;  ///< Rows that are complete as they were read.
};

/// State of one worker; handed from part to part.
struct DbWorker {
    DbWorker(DatabaseHandle handle, ImportContext& importing, const DbContext& context)
        : connection(std::move(handle)), names(importing.builder), tracks(importing.builder, names, context.naming),
          rows(importing.rows), rowTexts(context.texts) {}

    /// The rows of a table that the part at hand has so far.
    RowBatch& batch(RowKind kind) {
        auto& found = batches[static_cast<std::size_t>(kind)];
        if (!found) found.emplace(rows->batch(kind));
        return *found;
    }

    DatabaseHandle connection;
    TraceBuilder::Names names;
    DbTracks tracks;
    /// Made of two columns, e.g. "Node@launch".
    std::map<std::pair<std::int64_t, std::int64_t>, ProvisionalText> madeNames;
    /// Names of threads as texts of rows, by globalTid.
    std::unordered_map<std::int64_t, std::int64_t> operatorThreads;
    std::unordered_map<std::uint32_t, std::int64_t> callStacks;  ///< Texts of rows, by number of the run of frames.
    std::unordered_map<std::uint32_t, ProvisionalStack> stacks;  ///< Stacks of the store, likewise.
    /// Both of chains of several runs, by the place of their numbers: a chain of many frames may be that of many rows.
    std::unordered_map<const std::uint32_t*, std::int64_t> joinedCallStacks;
    std::unordered_map<const std::uint32_t*, ProvisionalStack> joinedStacks;
    struct CounterLine {
        ProvisionalTrack track;
        ProvisionalText series;
    };
    /// By counter table and column, device, number and text of a row.
    std::map<std::tuple<std::size_t, std::int64_t, std::int64_t, std::int64_t>, CounterLine> counterLines;
    RowTablesBuilder* rows;
    DbRowTexts rowTexts;
    std::array<std::optional<RowBatch>, kRowKinds> batches;
};

/// How the rows of one table are read.
struct DbScan {
    const char* table;
    std::uint8_t code;                 ///< DbTableCode of its positions.
    std::vector<const char*> columns;  ///< Those that a version lacks are NULL.
    std::size_t needed;                ///< So many of the first ones must be there.
    /// Called for each row by any worker, with its position.
    std::function<void(const DbRow&, SourcePos, DbWorker&, DbPart&)> take;
};

/// Reads tables on all workers of the current arena: each worker has a connection, each part is a range of row ids.
class DbPass {
public:
    DbPass(const DbContext& context, ImportContext& importing, std::uint64_t rowsToRead)
        : m_context(context), m_import(importing), m_rowsToRead(rowsToRead) {}

    /// Reads tables that have rows; commits the segments and the table rows of their parts.
    /// @return Their other content, in the order of the scans and their rows. Error if no connection can be opened.
    Result<std::vector<DbPart>> read(const std::vector<DbScan>& scans);
    /// Rows of tables that came out of everything so far.
    std::uint64_t rows() const { return m_rows; }
    DbProblemLog& problems() { return m_problems; }

private:
    struct Unit {
        const DbScan* scan;
        const DbTable* table;
        DbRowRange rows;
        bool isDamaged;
    };
    std::vector<Unit> cut(const std::vector<DbScan>& scans);
    void cutTable(const DbScan& scan, const DbTable& table, std::vector<Unit>& units);
    void reportMissing(const std::vector<Unit>& units, const std::vector<DbPart>& parts);
    Result<std::unique_ptr<DbWorker>> borrowWorker();
    /// @param order  Of the unit among those of all passes.
    void readUnit(const Unit& unit, std::uint64_t order, DbWorker& worker, DbPart& part);
    void reportProgress(const Unit& unit);

    const DbContext& m_context;
    ImportContext& m_import;
    const std::uint64_t m_rowsToRead;
    std::uint64_t m_rows = 0;
    std::uint64_t m_unitsBefore = 0;  // of the passes that were
    DbProblemLog m_problems;
    std::mutex m_mutex;  // guards the next three
    std::vector<std::unique_ptr<DbWorker>> m_idle;
    std::optional<Error> m_error;
    std::uint64_t m_rowsDone = 0, m_bytesReported = 0;
    std::mutex m_pictureMutex;  // held while somebody looks at what was read so far
};

}  // namespace altiscope::reader
