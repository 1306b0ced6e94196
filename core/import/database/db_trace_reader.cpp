#include "core/import/database/db_trace_reader.h"

#include "core/base/threads/parallel_sort.h"
#include "core/import/database/db_collectives.h"
#include "core/import/database/db_counter_scans.h"
#include "core/import/database/db_device_scans.h"
#include "core/import/database/db_facts.h"
#include "core/import/database/db_flows.h"
#include "core/import/database/db_host_scans.h"
#include "core/import/database/db_kernel_rows.h"
#include "core/import/database/db_memory_rows.h"
#include "core/import/database/db_overlap.h"
#include "core/import/database_lookup/db_position.h"
#include "core/import/database_lookup/db_record.h"
#include "core/import/sqlite/db_checked.h"

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

/// Runs small queries, and reports those without a result.
class DbQueries {
public:
    DbQueries(const CheckedDatabase& database, DbProblemLog& problems) : m_database(database), m_problems(problems) {}

    /// 0 if there is no result.
    std::int64_t number(const char* table, const std::string& what) const {
        std::int64_t found = 0;
        each(table, "SELECT " + what + " FROM " + quotedName(table) + " LIMIT 1",
             [&found](sqlite3_stmt* row) { found = sqlite3_column_int64(row, 0); });
        return found;
    }
    std::string text(const char* table, const std::string& sql) const {
        std::string found;
        each(table, sql, [&found](sqlite3_stmt* row) { found = columnText(row, 0).value_or(""); });
        return found;
    }
    /// A table ENUM_*, which has some dozens of rows; empty where a version lacks it.
    std::map<std::int64_t, std::string> enumeration(const char* table) const {
        std::map<std::int64_t, std::string> words;
        each(table, "SELECT id, name FROM " + quotedName(table) + " LIMIT 10000", [&words](sqlite3_stmt* row) {
            words.emplace(sqlite3_column_int64(row, 0), columnText(row, 1).value_or(""));
        });
        return words;
    }
    template <class Take>
    void each(const char* table, const std::string& sql, const Take& take) const {
        eachDbRow(m_database.connection.get(), m_database.schema, table, sql, false, m_problems, take);
    }
    const DbSchema& schema() const { return m_database.schema; }

private:
    const CheckedDatabase& m_database;
    DbProblemLog& m_problems;
};

std::map<std::int64_t, std::string> readApiTypes(const DbQueries& queries) {
    std::map<std::int64_t, std::string> types = queries.enumeration("ENUM_API_TYPE");
    // Meanings that they have in every version.
    for (const auto& [id, name] :
         {std::pair{5000, "runtime"}, {5500, "communication"}, {10000, "node"}, {15000, "model"}, {20000, "acl"}})
        types.emplace(id, name);
    return types;
}

/// The viewer of the vendor writes tables of its own into databases that it opens; what it did not finish is not used.
bool hasUsableOverlap(const DbQueries& queries) {
    const DbSchema& schema = queries.schema();
    if (!schema.filled("OVERLAP_ANALYSIS")) return false;
    const bool isOfProfiler = schema.table("OVERLAP_ANALYSIS")->firstRow == 0;
    if (isOfProfiler || schema.table("status_info") == nullptr) return true;
    const std::string status =
        queries.text("status_info", "SELECT value FROM status_info WHERE key = 'OVERLAP_ANALYSIS_STATUS' LIMIT 1");
    return status.empty() || status == "FINISH";
}

DbNaming readNaming(const DbQueries& queries, const DbContext& context) {
    DbNaming naming;
    naming.file = context.file.number;
    for (const char* table : {"PYTORCH_API", "CANN_API"}) {
        const std::int64_t thread = queries.number(table, "globalTid");
        if (naming.hostProcess == 0) naming.hostProcess = (thread >> 32) & 0x7fffffff;
    }
    if (naming.hostProcess == 0) naming.hostProcess = queries.number("TASK", "globalPid") & 0x7fffffff;
    const auto type = context.apiTypes.find(5500);
    naming.saysHccl = type != context.apiTypes.end() && type->second == "hccl";
    naming.saysBandWidth = naming.saysHccl;
    return naming;
}

/// Tables that say how the others are to be read.
std::vector<DbScan> dictionaryScans(const DbSchema& schema, bool hasRows) {
    const auto texts = [](const DbRow& row, SourcePos, DbWorker&, DbPart& part) {
        const auto id = row.neededId(0);
        // An id without a text is one that is not there.
        if (!id || row.isNull(1)) return;
        part.texts.add(*id, row.text(1));
    };
    const auto connections = [](const DbRow& row, SourcePos, DbWorker&, DbPart& part) {
        const auto id = row.neededId(0), connection = row.neededId(1);
        if (id && connection) part.connections.push_back({*id, *connection});
    };
    const auto helpers = [](const DbRow& row, SourcePos, DbWorker&, DbPart& part) {
        if (const auto task = row.neededId(0)) part.otherNames.push_back({*task, row.integerOr(1, -1)});
    };
    const auto smallTasks = [](const DbRow& row, SourcePos, DbWorker&, DbPart& part) {
        const auto op = row.integer(4);
        if (op && (part.collectiveIds.empty() || part.collectiveIds.back().id != *op))
            part.collectiveIds.push_back({*op, row.number()});
        if (const auto task = row.neededId(0))
            part.smallTasks.push_back(
                {*task,
                 {row.number(), row.integerOr(1, -1), row.integerOr(2, -1), row.integerOr(3, -1), op.value_or(-1)}});
    };
    const auto frames = [](const DbRow& row, SourcePos, DbWorker&, DbPart& part) {
        if (const auto chain = row.neededId(0))
            part.callChains.add(*chain, {row.integerOr(2, 0), row.nameId(1)}, row.number());
    };
    std::vector<DbScan> scans{
        {"STRING_IDS", 0, {"id", "value"}, 2, texts},
        {"CONNECTION_IDS", 0, {"id", "connectionId"}, 2, connections},
        kernelInfoScan(schema),
        {"COMMUNICATION_SCHEDULE_TASK_INFO", 0, {"globalTaskId", "name"}, 2, helpers},
        {"COMMUNICATION_TASK_INFO", 0, {"globalTaskId", "taskType", "planeId", "groupName", "opId"}, 2, smallTasks}};
    if (hasRows) scans.push_back({"PYTORCH_CALLCHAINS", 0, {"id", "stack", "stackDepth"}, 2, frames});
    return scans;
}

/// One list out of those of all parts, which are freed.
template <class Value>
std::vector<Value> gathered(std::vector<DbPart>& parts, std::vector<Value> DbPart::*member) {
    std::vector<Value> all;
    std::size_t size = 0;
    for (const DbPart& part : parts) size += (part.*member).size();
    all.reserve(size);
    for (DbPart& part : parts) {
        all.insert(all.end(), (part.*member).begin(), (part.*member).end());
        std::vector<Value>().swap(part.*member);
    }
    return all;
}

/// Takes out connections that stand twice: each would draw its flows once more. @return How many.
std::uint64_t dropRepeated(std::vector<IdGroups<std::int64_t>::Row>& connections) {
    const auto both = [](const auto& row) { return std::pair(row.id, row.value); };
    const auto inOrder = [&](const auto& a, const auto& b) { return both(a) < both(b); };
    if (!std::is_sorted(connections.begin(), connections.end(), inOrder))
        std::sort(connections.begin(), connections.end(), inOrder);
    const auto end = std::unique(connections.begin(), connections.end(),
                                 [&](const auto& a, const auto& b) { return both(a) == both(b); });
    const auto dropped = static_cast<std::uint64_t>(connections.end() - end);
    connections.erase(end, connections.end());
    return dropped;
}

/// Puts the infos of all parts one after the other.
void numberKernels(std::vector<DbPart>& parts, DbContext& context) {
    for (DbPart& part : parts) {
        const auto before = static_cast<std::uint32_t>(context.kernelInfos.size());
        context.kernelInfos.insert(context.kernelInfos.end(), part.kernelInfos.all().begin(),
                                   part.kernelInfos.all().end());
        context.kernelInfoRows.insert(context.kernelInfoRows.end(), part.kernelInfos.rows().begin(),
                                      part.kernelInfos.rows().end());
        for (auto& row : part.kernelIds) row.value += before;
        part.kernelInfos = {};
    }
    context.kernels = IdGroups<std::uint32_t>(gathered(parts, &DbPart::kernelIds));
}

/// Tasks that compute and collectives, in the order of their tables. Infos of collectives stand after those of tasks.
DbKernelFacts kernelFacts(std::vector<DbPart>& parts, const DbContext& context, sqlite3* connection,
                          DbProblemLog& problems) {
    // Problems were reported when the capture was looked at, unless they are new.
    DbProblemLog noted;
    DbKernelFacts facts{
        gathered(parts, &DbPart::kernels), context.kernelInfos, {}, readDbSteps(connection, context.schema, noted)};
    if (mayPass(sqlite3_errcode(connection))) problems.append(noted);
    DbKernelInfos collectives;
    for (const DbCollective& one : gathered(parts, &DbPart::collectives)) {
        DbKernelInfo info;
        info.name = one.name;
        info.type = one.type;
        info.blocks = 0;
        info.isCommunication = true;
        facts.kernels.push_back(one.kernel);
        facts.kernels.back().info = static_cast<std::uint32_t>(context.kernelInfos.size()) + collectives.add(info);
    }
    facts.infos.insert(facts.infos.end(), collectives.all().begin(), collectives.all().end());
    if (facts.steps.empty()) return facts;
    for (const DbPart& part : parts) {
        for (const DbFlowPoint& point : part.flowPoints) {
            if (point.kind == DbFlowPoint::Kind::Launch) facts.launches.push_back({point.id, point.time});
        }
    }
    return facts;
}

/// Kernels that no row of TASK describes. A graph that is replayed has a row of the same task for each of its runs.
std::uint64_t kernelsWithoutTask(const std::vector<DbKernel>& kernels, const std::vector<DbPart>& parts,
                                 const DbContext& context) {
    std::vector<std::int64_t> tasks;
    for (const DbKernel& kernel : kernels) {
        if (kernel.task != kNoCell) tasks.push_back(kernel.task);
    }
    if (!std::is_sorted(tasks.begin(), tasks.end())) std::sort(tasks.begin(), tasks.end());
    auto noted = static_cast<std::uint64_t>(std::unique(tasks.begin(), tasks.end()) - tasks.begin());
    for (const DbPart& part : parts) noted += part.kernelsDropped;
    return context.kernels.size() - std::min<std::uint64_t>(noted, context.kernels.size());
}

/// Adds what reads tables that become rows.
void addTableScans(std::vector<DbScan>& scans, const DbContext& context) {
    for (DbScan& scan : scans) {
        if (std::string_view(scan.table) != "NPU_MEM") continue;
        scan = withProcessMemory(std::move(scan), context);
    }
    // After the counters: the text exports begin with the process, too.
    for (DbScan& scan : memoryScans(context)) scans.push_back(std::move(scan));
}

void numberGroups(const DbQueries& queries, DbContext& context,
                  const std::vector<IdGroups<DbContext::SmallTask>::Row>& smallTasks) {
    const auto add = [&](std::int64_t group) {
        context.groupNumbers.try_emplace(group, static_cast<std::int64_t>(context.groupNumbers.size()));
    };
    const DbTable* table = context.schema.table("COMMUNICATION_OP");
    if (table != nullptr && table->has("groupName")) {
        queries.each("COMMUNICATION_OP",
                     "SELECT groupName FROM " + table->source() + " GROUP BY groupName ORDER BY min(_rowid_)",
                     [&add](sqlite3_stmt* row) {
                         add(sqlite3_column_type(row, 0) == SQLITE_INTEGER ? sqlite3_column_int64(row, 0) : -1);
                     });
    }
    std::int64_t last = INT64_MIN;
    for (const auto& row : smallTasks) {
        if (row.value.group != std::exchange(last, row.value.group)) add(row.value.group);
    }
}

std::uint64_t rowsOf(const DbSchema& schema, const std::vector<DbScan>& scans) {
    std::uint64_t rows = 0;
    for (const DbScan& scan : scans) {
        const DbTable* table = schema.table(scan.table);
        if (table != nullptr && table->firstRow <= table->lastRow)
            rows += static_cast<std::uint64_t>(table->lastRow) - static_cast<std::uint64_t>(table->firstRow) + 1;
    }
    return rows;
}

/// Reports tables in whose place something else stands, and names that have no table.
void reportUnreadableForms(const std::vector<DbScan>& scans, const CheckedDatabase& database, DbProblemLog& problems) {
    for (const DbScan& scan : scans) {
        database.reportOthers({scan.table}, problems);
        const bool isTexts = std::string_view(scan.table) == "STRING_IDS";
        if (isTexts && database.schema.table(scan.table) == nullptr && database.schema.insteadOf(scan.table).empty())
            problems.add(DbProblem::NoTable, scan.table, -1);
    }
}

/// Threads that take launches from a queue stand after the others, as in the text export.
void sortDequeueThreads(const std::vector<std::int64_t>& threads, TraceBuilder& builder, const DbContext& context) {
    std::int64_t max = 0;
    for (const std::int64_t thread : threads) max = std::max(max, thread & 0xffffffff);
    for (const std::int64_t thread : threads)
        builder.setThreadSort(std::to_string((thread >> 32) & 0x7fffffff), std::to_string(thread & 0xffffffff),
                              max + (std::int64_t{1} << 32), dbPosition(context.file.number, 0, 1));
}

/// One reading of a database: first the tables that say how the others are to be read, then those whose rows become
/// the timeline.
class DbReading {
public:
    /// All must outlive it.
    DbReading(const SourceFile& file, const CheckedDatabase& database, ImportContext& importing)
        : m_file(file), m_database(database), m_import(importing), m_context{file, database.schema, database.pages},
          m_queries(database, m_unanswered) {}

    Result<ReadSummary> read();

private:
    void readFacts();
    std::vector<DbScan> timelineScans() const;
    Result<Done> readDictionaries(const std::vector<DbScan>& scans, DbPass& pass);
    void takeCallChains(std::vector<DbPart>& parts, DbProblemLog& problems);
    void takeConnections(std::vector<DbPart>& parts, DbProblemLog& problems);
    Result<Done> addRows(std::vector<DbPart>& parts, DbPass& pass);
    void addFlows(std::vector<DbPart>& parts, TraceBuilder::Names& names);
    void addComputedOverlap(std::vector<DbPart>& parts, TraceBuilder::Names& names);
    void reportMissingTasks(const std::vector<DbPart>& parts, DbProblemLog& problems) const;

    const SourceFile& m_file;
    const CheckedDatabase& m_database;
    ImportContext& m_import;
    DbContext m_context;
    DbProblemLog m_unanswered;
    const DbQueries m_queries;
    std::uint64_t m_smallTasks = 0;  // rows of COMMUNICATION_TASK_INFO
};

Result<ReadSummary> DbReading::read() {
    readFacts();
    const std::vector<DbScan> dictionaries = dictionaryScans(m_context.schema, m_import.rows != nullptr);
    const std::vector<DbScan> scans = timelineScans();
    reportUnreadableForms(dictionaries, m_database, m_unanswered);
    reportUnreadableForms(scans, m_database, m_unanswered);

    DbPass pass(m_context, m_import, rowsOf(m_context.schema, dictionaries) + rowsOf(m_context.schema, scans));
    if (const auto taken = readDictionaries(dictionaries, pass); !taken.ok()) return taken.as<ReadSummary>();
    auto read = pass.read(scans);
    if (!read.ok()) return read.as<ReadSummary>();
    std::vector<DbPart>& parts = read.value();
    if (m_import.rows != nullptr) {
        if (const auto added = addRows(parts, pass); !added.ok()) return added.as<ReadSummary>();
    }
    TraceBuilder::Names names(m_import.builder);
    addFlows(parts, names);
    if (m_context.computesOverlap) addComputedOverlap(parts, names);
    sortDequeueThreads(gathered(parts, &DbPart::dequeueThreads), m_import.builder, m_context);
    reportMissingTasks(parts, pass.problems());
    m_context.texts.reportMissing(pass.problems());
    pass.problems().append(m_unanswered);
    pass.problems().addTo(m_import.diagnostics, m_file.name);
    return ReadSummary{m_file.size, pass.rows(), false};
}

/// Reads the facts of the whole file, by small queries.
void DbReading::readFacts() {
    m_context.apiTypes = readApiTypes(m_queries);
    m_context.naming = readNaming(m_queries, m_context);
    m_context.modules = m_queries.enumeration("ENUM_MODULE");
    m_context.memoryWords = m_queries.enumeration("ENUM_MEMORY");
    m_context.firstDevice = m_queries.number("TASK", "deviceId");
    m_context.computesOverlap = !hasUsableOverlap(m_queries);
}

std::vector<DbScan> DbReading::timelineScans() const {
    std::vector<DbScan> scans = deviceScans(m_context);
    for (auto& more : {hostScans(m_context), counterScans(m_context)})
        scans.insert(scans.end(), more.begin(), more.end());
    if (m_import.rows != nullptr) addTableScans(scans, m_context);
    return scans;
}

Result<Done> DbReading::readDictionaries(const std::vector<DbScan>& scans, DbPass& pass) {
    auto read = pass.read(scans);
    if (!read.ok()) return read.as<Done>();
    std::vector<DbPart>& parts = read.value();
    std::vector<DbTextPart> texts;
    for (DbPart& part : parts) texts.push_back(std::move(part.texts));
    m_context.texts = DbTexts(std::move(texts));
    takeCallChains(parts, pass.problems());
    takeConnections(parts, pass.problems());
    numberKernels(parts, m_context);
    m_context.otherNames = IdGroups<std::int64_t>(gathered(parts, &DbPart::otherNames));
    auto small = gathered(parts, &DbPart::smallTasks);
    m_smallTasks = small.size();
    reportMissingCollectives(m_database, gathered(parts, &DbPart::collectiveIds), pass.problems());
    numberGroups(m_queries, m_context, small);
    addSmallTasks(std::move(small), m_database, m_context, m_unanswered, m_import.cancel);
    return Done{};
}

void DbReading::takeCallChains(std::vector<DbPart>& parts, DbProblemLog& problems) {
    std::vector<DbChainPart> chains;
    for (DbPart& part : parts) chains.push_back(std::move(part.callChains));
    m_context.callChains = DbCallChains(std::move(chains));
    // A version without depths has frames in their order.
    const DbTable* frames = m_context.schema.table("PYTORCH_CALLCHAINS");
    if (frames == nullptr || !frames->has("stackDepth")) return;
    for (const std::int64_t row : m_context.callChains.brokenRows())
        problems.add(DbProblem::BrokenChain, "PYTORCH_CALLCHAINS", row, "stackDepth");
}

void DbReading::takeConnections(std::vector<DbPart>& parts, DbProblemLog& problems) {
    auto connections = gathered(parts, &DbPart::connections);
    if (const std::uint64_t repeated = dropRepeated(connections); repeated > 0)
        problems.addCount(DbProblem::RepeatedRow, "CONNECTION_IDS", repeated);
    m_context.connections = IdGroups<std::int64_t>(std::move(connections));
}

/// Rows of kernels, and of memory that was requested.
Result<Done> DbReading::addRows(std::vector<DbPart>& parts, DbPass& pass) {
    DbKernelFacts kernels = kernelFacts(parts, m_context, m_database.connection.get(), m_unanswered);
    if (const std::uint64_t lost = kernelsWithoutTask(kernels.kernels, parts, m_context); lost > 0)
        pass.problems().addCount(DbProblem::KernelWithoutTask, "COMPUTE_TASK_INFO", lost);
    addMemoryEvents(gathered(parts, &DbPart::memoryEvents), m_context, *m_import.rows);
    return addKernelRows(std::move(kernels), m_context, pass, m_import, *m_import.rows);
}

void DbReading::addFlows(std::vector<DbPart>& parts, TraceBuilder::Names& names) {
    m_import.builder.commit(dbPosition(m_file.number, 0, 0), connectRows(gathered(parts, &DbPart::flowPoints), names));
}

void DbReading::addComputedOverlap(std::vector<DbPart>& parts, TraceBuilder::Names& names) {
    Segment overlap;
    DbTracks tracks(m_import.builder, names, m_context.naming);
    const auto position = [this](std::int64_t number) {
        return dbPosition(m_file.number, static_cast<std::uint8_t>(DbTableCode::OverlapAnalysis), number);
    };
    addOverlap(gathered(parts, &DbPart::intervals), position, tracks, names, overlap);
    m_import.builder.commit(position(0), std::move(overlap));
}

/// Small tasks of collectives that no row of TASK had.
void DbReading::reportMissingTasks(const std::vector<DbPart>& parts, DbProblemLog& problems) const {
    std::uint64_t seen = 0;
    for (const DbPart& part : parts) seen += part.smallTasksSeen;
    if (seen < m_smallTasks) problems.addCount(DbProblem::MissingTask, "COMMUNICATION_TASK_INFO", m_smallTasks - seen);
}

class DbTraceReader final : public TraceReader {
public:
    Result<ReadSummary> read(const SourceFile& file, ImportContext& importing) override;
};

Result<ReadSummary> DbTraceReader::read(const SourceFile& file, ImportContext& importing) {
    auto opened = CheckedDatabase::open(file, importing.cancel);
    if (!opened.ok()) return opened.as<ReadSummary>();
    const CheckedDatabase& database = opened.value();
    database.reportDamage(file.name, importing.diagnostics);
    if (!database.schema.holdsTimeline()) return Error{"db.not_a_timeline", file.name, {}, {}};
    return DbReading(file, database, importing).read();
}

}  // namespace

std::unique_ptr<TraceReader> makeDbTraceReader() { return std::make_unique<DbTraceReader>(); }

}  // namespace altiscope::reader
