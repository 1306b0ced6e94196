#include "core/import/database/db_collectives.h"

#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

namespace altiscope::reader {

namespace {

constexpr const char* kTasks = "COMMUNICATION_TASK_INFO";
constexpr const char* kCollectives = "COMMUNICATION_OP";

using SmallTask = DbContext::SmallTask;
using SmallTaskRow = IdGroups<SmallTask>::Row;
using RunRow = IdGroups<DbContext::Run>::Row;

auto contentOf(const SmallTaskRow& row) { return std::tuple(row.id, row.value.name, row.value.plane, row.value.group); }

/// The rows of tasks that do not say the same in all of them.
std::string runsStatement(const DbSchema& schema, const DbTable& tasks) {
    const auto column = [&tasks](const char* name) {
        return tasks.has(name) ? std::string(name) : std::string("NULL");
    };
    std::string differs;
    for (const char* one :
         {"notifyId", "srcRank", "dstRank", "transportType", "size", "dataType", "linkType", "bandwidth"}) {
        if (!tasks.has(one)) continue;
        const std::string name = one;
        differs += (differs.empty() ? "" : " OR ") + ("min(" + name + ") IS NOT max(" + name + ") OR count(" + name) +
                   ") NOT IN (0, count(*))";
    }
    const std::string content = "globalTaskId, taskType, " + column("planeId") + ", " + column("groupName");
    const DbTable* const collectives = schema.table(kCollectives);
    const bool isTimed = collectives != nullptr && tasks.has("opId") && collectives->has("opId") &&
                         collectives->has("startNs") && collectives->has("endNs");
    // Of a name that both tables have the one of the tasks is meant.
    return "SELECT tasks._rowid_, tasks.globalTaskId, tasks.taskType, " +
           (tasks.has("planeId") ? "tasks.planeId" : std::string("NULL")) + ", " +
           (tasks.has("groupName") ? "tasks.groupName" : std::string("NULL")) +
           (isTimed ? ", ops.startNs, ops.endNs FROM " : ", NULL, NULL FROM ") + tasks.source() + " AS tasks" +
           (isTimed ? " LEFT JOIN " + collectives->source() + " AS ops ON ops.opId = tasks.opId" : std::string()) +
           " WHERE tasks.globalTaskId IN (SELECT globalTaskId FROM " + tasks.source() + " GROUP BY " + content +
           " HAVING count(*) > 1 AND (" + (differs.empty() ? "0" : differs) + ")) ORDER BY tasks._rowid_";
}

}  // namespace

void addSmallTasks(std::vector<SmallTaskRow> rows, const CheckedDatabase& database, DbContext& context,
                   DbProblemLog& problems, const CancelToken& cancel) {
    const bool isPlain = std::adjacent_find(rows.begin(), rows.end(), [](const SmallTaskRow& a, const SmallTaskRow& b) {
                             return a.id >= b.id;
                         }) == rows.end();
    if (!isPlain) {
        const auto before = [](const SmallTaskRow& a, const SmallTaskRow& b) {
            return std::tuple(contentOf(a), a.value.row) < std::tuple(contentOf(b), b.value.row);
        };
        const auto isSame = [](const SmallTaskRow& a, const SmallTaskRow& b) { return contentOf(a) == contentOf(b); };
        const auto byId = [](const SmallTaskRow& a, const SmallTaskRow& b) {
            return std::tuple(a.id, a.value.row) < std::tuple(b.id, b.value.row);
        };
        parallelSort(std::span(rows), before, cancel);
        // What runs several times is in several collectives.
        for (std::size_t i = 1; i < rows.size(); ++i) {
            if (isSame(rows[i - 1], rows[i])) rows[i - 1].value.collective = rows[i].value.collective = -1;
        }
        const std::size_t all = rows.size();
        rows.erase(std::unique(rows.begin(), rows.end(), isSame), rows.end());
        const DbTable* const tasks = database.schema.table(kTasks);
        if (rows.size() < all && tasks != nullptr && tasks->hasRowIds) {
            const auto number = [](sqlite3_stmt* row, int column, std::int64_t otherwise) {
                return sqlite3_column_type(row, column) == SQLITE_INTEGER ? sqlite3_column_int64(row, column)
                                                                          : otherwise;
            };
            std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>, std::int64_t> first;
            std::vector<RunRow> runs;
            eachDbRow(database.connection.get(), database.schema, kTasks, runsStatement(database.schema, *tasks), true,
                      problems, [&](sqlite3_stmt* row) {
                          const std::int64_t own = sqlite3_column_int64(row, 0);
                          const std::tuple content(number(row, 1, -1), number(row, 2, -1), number(row, 3, -1),
                                                   number(row, 4, -1));
                          // Without times it is of any run.
                          runs.push_back({first.try_emplace(content, own).first->second,
                                          {own, number(row, 5, INT64_MIN), number(row, 6, INT64_MAX)}});
                      });
            const auto byBegin = [](const RunRow& a, const RunRow& b) {
                return std::tuple(a.id, a.value.begin, a.value.row) < std::tuple(b.id, b.value.begin, b.value.row);
            };
            parallelSort(std::span(runs), byBegin, cancel);
            context.runs = IdGroups<DbContext::Run>(std::move(runs));
        }
        parallelSort(std::span(rows), byId, cancel);
    }
    context.smallTasks = IdGroups<SmallTask>(std::move(rows));
}

void reportMissingCollectives(const CheckedDatabase& database, const std::vector<IdGroups<std::int64_t>::Row>& named,
                              DbProblemLog& problems) {
    const DbTable* const table = database.schema.table(kCollectives);
    // Where there is none at all, collectives were not recorded.
    if (table == nullptr || table->empty() || !table->has("opId")) return;
    std::vector<std::int64_t> known;
    eachDbRow(database.connection.get(), database.schema, kCollectives, "SELECT opId FROM " + table->source(), false,
              problems, [&known](sqlite3_stmt* row) { known.push_back(sqlite3_column_int64(row, 0)); });
    if (!std::is_sorted(known.begin(), known.end())) std::sort(known.begin(), known.end());
    for (const auto& one : named) {
        if (!std::binary_search(known.begin(), known.end(), one.id))
            problems.add(DbProblem::NoCollective, kTasks, one.value, "opId");
    }
}

void reportMissingParts(const CheckedDatabase& database, std::vector<IdGroups<TimeRange>::Row> parts,
                        DbProblemLog& problems) {
    const DbTable* const table = database.schema.table(kCollectives);
    if (parts.empty() || table == nullptr || !table->has("opId") || !table->hasRowIds) return;
    const IdGroups<TimeRange> known(std::move(parts));
    eachDbRow(database.connection.get(), database.schema, kCollectives,
              "SELECT _rowid_, opId, startNs, endNs FROM " + table->source(), false, problems, [&](sqlite3_stmt* row) {
                  // Times of tasks and collectives are rounded by themselves.
                  static constexpr std::int64_t kTolerance = 1000;
                  const auto own = known.of(sqlite3_column_int64(row, 1));
                  if (own.empty() || sqlite3_column_type(row, 2) != SQLITE_INTEGER ||
                      sqlite3_column_type(row, 3) != SQLITE_INTEGER)
                      return;
                  TimeRange all = own.front();
                  for (const TimeRange& one : own) all = {std::min(all.begin, one.begin), std::max(all.end, one.end)};
                  if (sqlite3_column_int64(row, 2) + kTolerance < all.begin.value ||
                      all.end.value < sqlite3_column_int64(row, 3) - kTolerance)
                      problems.add(DbProblem::NoParts, kCollectives, sqlite3_column_int64(row, 0));
              });
}

}  // namespace altiscope::reader
