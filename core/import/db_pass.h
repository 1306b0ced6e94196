#pragma once

#include "core/import/db_id_index.h"
#include "core/import/db_problems.h"
#include "core/import/db_row.h"
#include "core/import/db_schema.h"
#include "core/import/db_texts.h"
#include "core/import/db_tracks.h"
#include "core/import/trace_reader.h"
#include "core/store/segment.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::reader {

/// What is known of a database before its events are read; constant while they are.
struct DbContext {
    const SourceFile& file;
    DbSchema schema;
    DbNaming naming{};
    DbTexts texts{};
    std::map<std::int64_t, std::string> apiTypes{};              ///< ENUM_API_TYPE
    IdGroups<std::int64_t> kernelNames{};                        ///< By globalTaskId: text id.
    IdGroups<std::int64_t> otherNames{};                         ///< Of helper tasks of collectives, likewise.
    IdGroups<std::int64_t> connections{};                        ///< CONNECTION_IDS by id.
    struct SmallTask { std::int64_t row, name, plane, group; };
    IdGroups<SmallTask> smallTasks{};                            ///< COMMUNICATION_TASK_INFO by globalTaskId.
    std::map<std::int64_t, std::int64_t> groupNumbers{};         ///< Communication groups by text id, in order of appearance.
    std::int64_t firstDevice = 0;                                ///< Device of rows that do not say theirs.
    bool computesOverlap = false;                                ///< No usable OVERLAP_ANALYSIS.
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

/// Everything that was read from one part of one table.
struct DbPart {
    Segment segment;
    DbProblemLog problems;
    std::uint64_t rows = 0;  ///< Rows of tables that came out of it.
    DbTextPart texts;
    std::vector<IdGroups<std::int64_t>::Row> kernelNames, otherNames, connections;
    std::vector<IdGroups<DbContext::SmallTask>::Row> smallTasks;
    std::uint64_t smallTasksSeen = 0;          ///< Rows of COMMUNICATION_TASK_INFO whose task was met.
    std::vector<DbFlowPoint> flowPoints;
    std::vector<DbInterval> intervals;
    std::vector<std::int64_t> dequeueThreads;  ///< globalTid, now and then repeated.
};

/// What one worker needs; handed from part to part.
struct DbWorker {
    DbWorker(DatabaseHandle handle, TraceBuilder& builder, const DbContext& context)
        : connection(std::move(handle)), names(builder), tracks(builder, names, context.naming) {}

    DatabaseHandle connection;
    TraceBuilder::Names names;
    DbTracks tracks;
    std::map<std::pair<std::int64_t, std::int64_t>, ProvisionalText> madeNames;  ///< Made of two columns, e.g. "Node@launch".
    struct CounterLine { ProvisionalTrack track; ProvisionalText series; };
    /// By counter table and column, device, number and text of a row.
    std::map<std::tuple<std::size_t, std::int64_t, std::int64_t, std::int64_t>, CounterLine> counterLines;
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
    DbPass(const DbContext& context, ImportContext& import, std::uint64_t rowsToRead)
        : m_context(context), m_import(import), m_rowsToRead(rowsToRead) {}

    /// Reads tables that have rows; commits the segments of their parts.
    /// @return What else they hold, in the order of the scans and their rows. Error if no connection can be opened.
    Result<std::vector<DbPart>> read(const std::vector<DbScan>& scans);
    /// Rows of tables that came out of everything so far.
    std::uint64_t rows() const { return m_rows; }
    DbProblemLog& problems() { return m_problems; }

private:
    struct Unit {
        const DbScan* scan;
        const DbTable* table;
        std::int64_t first, last;
    };
    std::vector<Unit> cut(const std::vector<DbScan>& scans);
    Result<std::unique_ptr<DbWorker>> borrowWorker();
    void readUnit(const Unit& unit, DbWorker& worker, DbPart& part);
    void tellProgress(const Unit& unit);

    const DbContext& m_context;
    ImportContext& m_import;
    const std::uint64_t m_rowsToRead;
    std::uint64_t m_rows = 0;
    DbProblemLog m_problems;
    std::mutex m_mutex;  // guards the next three
    std::vector<std::unique_ptr<DbWorker>> m_idle;
    std::optional<Error> m_error;
    std::uint64_t m_rowsDone = 0, m_bytesTold = 0;
    std::mutex m_pictureMutex;  // held while somebody looks at what was read so far
};

}  // namespace altiscope::reader
