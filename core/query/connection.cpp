#include "core/query/connection.h"

#include "core/base/files/sqlite_guard.h"
#include "core/base/values/assert.h"
#include "core/query/database.h"
#include "core/query/functions/format_function.h"
#include "core/query/functions/regexp_function.h"
#include "core/query/functions/statistic_functions.h"
#include "core/query/functions/text_functions.h"
#include "core/query/tables/account_rows.h"
#include "core/query/tables/capture_rows.h"
#include "core/query/tables/counter_table.h"
#include "core/query/tables/flow_table.h"
#include "core/query/tables/instant_table.h"
#include "core/query/tables/kernel_metric_table.h"
#include "core/query/tables/list_table.h"
#include "core/query/tables/name_stat_table.h"
#include "core/query/tables/parallel_group_rows.h"
#include "core/query/tables/path_rows.h"
#include "core/query/tables/pipeline_block_rows.h"
#include "core/query/tables/slice_functions.h"
#include "core/query/tables/slice_table.h"
#include "core/query/tables/span_functions.h"
#include "core/query/tables/summary_table.h"
#include "core/query/tables/track_table.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace altiscope {

namespace {

using Register = int (*)(sqlite3*, const TableInfo&, const QueryContext&);

/// The tables that are read from stores; all others of the schema are summaries.
constexpr std::pair<std::string_view, Register> kStoreTables[] = {
    {"rank", VirtualTable<ListTable<RankRows>>::registerIn},
    {"track", VirtualTable<TrackTable>::registerIn},
    {"slice", VirtualTable<SliceTable>::registerIn},
    {"instant", VirtualTable<InstantTable>::registerIn},
    {"counter", VirtualTable<CounterTable>::registerIn},
    {"flow", VirtualTable<FlowTable>::registerIn},
    {"step", VirtualTable<ListTable<StepRows>>::registerIn},
    {"name_stat", VirtualTable<NameStatTable>::registerIn},
    {"kernel_metric", VirtualTable<KernelMetricTable>::registerIn},
    {"gap", VirtualTable<ListTable<GapRows>>::registerIn},
    {"blame", VirtualTable<ListTable<BlameRows>>::registerIn},
    {"critical_path", VirtualTable<ListTable<CriticalPathRows>>::registerIn},
    {"slack", VirtualTable<ListTable<SlackRows>>::registerIn},
    {"parallel_group", VirtualTable<ListTable<ParallelGroupRows>>::registerIn},
    {"pipeline_block", VirtualTable<ListTable<PipelineBlockRows>>::registerIn},
    {"finding", VirtualTable<ListTable<FindingRows>>::registerIn},
    {"metadata", VirtualTable<ListTable<MetadataRows>>::registerIn},
    {"diagnostic", VirtualTable<ListTable<DiagnosticRows>>::registerIn},
};

int createTable(sqlite3* connection, const TableInfo& info, const QueryContext& context) {
    const auto* known = std::find_if(std::begin(kStoreTables), std::end(kStoreTables),
                                     [&](const auto& t) { return t.first == info.name; });
    ALTI_ASSERT(known != std::end(kStoreTables) || summaryKind(info.name));
    const Register reg = known != std::end(kStoreTables) ? known->second : VirtualTable<SummaryTable>::registerIn;
    if (const int rc = reg(connection, info, context); rc != SQLITE_OK) return rc;
    const std::string name(info.name);
    return sqlite3_exec(connection, ("CREATE VIRTUAL TABLE \"" + name + "\" USING \"" + name + "\"").c_str(), nullptr,
                        nullptr, nullptr);
}

/// By name of function; the others take tables.
constexpr std::string_view kSliceFunctions[] = {"ancestors", "descendants", "flow_chain"};

int createFunction(sqlite3* connection, const TableFunctionInfo& info, const QueryContext& context) {
    const bool takesSlice =
        std::find(std::begin(kSliceFunctions), std::end(kSliceFunctions), info.name) != std::end(kSliceFunctions);
    return takesSlice ? TableFunction<SliceFunctionCursor>::registerIn(connection, info, context)
                      : TableFunction<SpanFunctionCursor>::registerIn(connection, info, context);
}

int createView(sqlite3* connection, const ViewInfo& info) {
    const std::string sql = "CREATE VIEW \"" + std::string(info.name) + "\" AS " + std::string(info.sql);
    return sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr);
}

/// Functions of SQLite that reach beyond the query.
constexpr std::string_view kRefusedFunctions[] = {"load_extension", "fts3_tokenizer", "sqlite_log"};
/// PRAGMAs that only describe tables.
constexpr std::string_view kAllowedPragmas[] = {"table_info", "table_xinfo", "table_list"};
/// Table-valued functions; their arguments are values, so they reach nothing else.
constexpr std::string_view kTableFunctions[] = {"json_each", "json_tree"};

template <std::size_t N>
bool isListed(const std::string_view (&list)[N], const char* word) {
    return word != nullptr && std::find(std::begin(list), std::end(list), std::string_view(word)) != std::end(list);
}

int authorize(void* user, int action, const char* first, const char* second, const char*, const char*) {
    const QueryContext& context = *static_cast<const QueryContext*>(user);
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_READ:
        if (isListed(kTableFunctions, first)) context.limits.addTable(first);
        context.sources.addColumn(first == nullptr ? "" : first, second == nullptr ? "" : second);
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        if (isListed(kRefusedFunctions, second)) return SQLITE_DENY;
        context.limits.addFunction(second);
        return SQLITE_OK;
    case SQLITE_PRAGMA: return isListed(kAllowedPragmas, first) ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY;
    }
}

/// Takes a step for each item till one fails. @return The code of the last step.
template <class Items, class Step>
int forAll(const Items& items, Step step) {
    for (const auto& item : items)
        if (const int rc = step(item); rc != SQLITE_OK) return rc;
    return SQLITE_OK;
}

int createSchema(sqlite3* connection, const QueryContext& context) {
    int rc = forAll(tableSchema(), [&](const TableInfo& info) { return createTable(connection, info, context); });
    if (rc == SQLITE_OK)
        rc = forAll(tableFunctions(),
                    [&](const TableFunctionInfo& info) { return createFunction(connection, info, context); });
    if (rc == SQLITE_OK) rc = forAll(schemaViews(), [&](const ViewInfo& info) { return createView(connection, info); });
    return rc;
}

int declareTable(sqlite3* connection, const std::string& name) {
    return sqlite3_exec(connection, ("SELECT 1 FROM " + name + " LIMIT 0").c_str(), nullptr, nullptr, nullptr);
}

/// SQLite declares these tables when they are first named, which the authorizer would refuse.
int declareTables(sqlite3* connection) {
    int rc = forAll(kAllowedPragmas, [connection](std::string_view pragma) {
        return declareTable(connection, "pragma_" + std::string(pragma));
    });
    if (rc == SQLITE_OK)
        rc = forAll(kTableFunctions,
                    [connection](std::string_view name) { return declareTable(connection, std::string(name)); });
    if (rc == SQLITE_OK)
        rc = forAll(tableFunctions(), [connection](const TableFunctionInfo& info) {
            return declareTable(connection, '"' + std::string(info.name) + '"');
        });
    return rc;
}

int pollCancel(void* context) { return static_cast<const QueryContext*>(context)->cancel.cancelled() ? 1 : 0; }

int setLimits(sqlite3* connection, const QueryContext& context) {
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, static_cast<int>(StatementLimits::kMaxBytes));
    sqlite3_limit(connection, SQLITE_LIMIT_SQL_LENGTH, static_cast<int>(QueryDatabase::kMaxSqlBytes));
    // Depth of expressions (1000), terms of a compound (500), joined tables (64): SQLite's own limits are good.
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(connection, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
    const std::string cache = "PRAGMA cache_size = -" + std::to_string(context.sortBytes >> 10U);
    return sqlite3_exec(connection, cache.c_str(), nullptr, nullptr, nullptr);
}

}  // namespace

void applyLimits(sqlite3* connection, const QueryContext& context) {
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, static_cast<int>(context.limits.valueBytes()));
    sqlite3_progress_handler(connection, context.limits.stepsPerLook(), pollCancel,
                             const_cast<QueryContext*>(&context));
}

Result<Connection> openConnection(const QueryContext& context) {
    sqlite3* raw = nullptr;
    constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_MEMORY;
    int rc = sqlite3_open_v2(":memory:", &raw, kFlags, readOnlySqliteFiles());
    Connection connection(raw);
    if (rc == SQLITE_OK) rc = setLimits(raw, context);
    if (rc == SQLITE_OK) rc = createSchema(raw, context);
    if (rc == SQLITE_OK) rc = addRegexpFunction(raw, context.cancel);
    if (rc == SQLITE_OK) rc = addTextFunctions(raw, context.cancel);
    if (rc == SQLITE_OK) rc = addFormatFunctions(raw);
    if (rc == SQLITE_OK) rc = addStatisticFunctions(raw, context.cancel);
    if (rc == SQLITE_OK) rc = declareTables(raw);
    context.sources = {};  // what was declared is not read
    if (rc != SQLITE_OK)
        return Error{"sql.failed", {}, {}, {{"message", raw == nullptr ? sqlite3_errstr(rc) : sqlite3_errmsg(raw)}}};
    sqlite3_set_authorizer(raw, authorize, const_cast<QueryContext*>(&context));
    sqlite3_progress_handler(raw, StatementLimits::kSteps, pollCancel, const_cast<QueryContext*>(&context));
    return connection;
}

}  // namespace altiscope
