#include "core/import/database/db_collectives.h"

#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr const char* kTasks = "COMMUNICATION_TASK_INFO";
constexpr const char* kCollectives = "COMMUNICATION_OP";

using SmallTask = DbContext::SmallTask;
using SmallTaskRow = IdGroups<SmallTask>::Row;
using RunRow = IdGroups<DbContext::Run>::Row;

auto contentOf(const SmallTaskRow& row) { return std::tuple(row.id, row.value.name, row.value.plane, row.value.group); }

/// Numbers in which runs of a task may differ.
constexpr std::array kRunColumns{"notifyId", "srcRank",  "dstRank",  "transportType",
                                 "size",     "dataType", "linkType", "bandwidth"};

struct RowFingerprint {
    std::int64_t row;
    std::uint64_t numbers;
};

std::uint64_t mixed(std::uint64_t before, std::uint64_t value) {
    static constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15U;
    const std::uint64_t all = (before ^ value) * kPrime;
    return all ^ (all >> 32);
}

std::uint64_t fingerprintOf(sqlite3_stmt* row, int column) {
    const int type = sqlite3_column_type(row, column);
    const auto kind = static_cast<std::uint64_t>(type);
    if (type == SQLITE_NULL) return kind;
    if (type == SQLITE_INTEGER) return mixed(kind, static_cast<std::uint64_t>(sqlite3_column_int64(row, column)));
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(row, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(row, column));
    return mixed(kind,
                 std::hash<std::string_view>{}(bytes == nullptr ? std::string_view() : std::string_view(bytes, size)));
}

/// What each row of the tasks says in its numbers, by row.
std::vector<RowFingerprint> fingerprints(const CheckedDatabase& database, const DbTable& tasks,
                                         DbProblemLog& problems) {
    std::string columns = "_rowid_";
    int count = 0;
    for (const char* name : kRunColumns) {
        if (!tasks.has(name)) continue;
        columns += std::string(", ") + name;
        ++count;
    }
    std::vector<RowFingerprint> found;
    eachDbRow(database.connection.get(), database.schema, kTasks, "SELECT " + columns + " FROM " + tasks.source(), true,
              problems, [&](sqlite3_stmt* row) {
                  std::uint64_t numbers = 0;
                  for (int i = 1; i <= count; ++i) numbers = mixed(numbers, fingerprintOf(row, i));
                  found.push_back({sqlite3_column_int64(row, 0), numbers});
              });
    const auto byRow = [](const RowFingerprint& a, const RowFingerprint& b) { return a.row < b.row; };
    if (!std::is_sorted(found.begin(), found.end(), byRow)) std::sort(found.begin(), found.end(), byRow);
    return found;
}

struct CollectiveTime {
    std::int64_t id, begin, end;
};

/// Of collectives with both, by opId.
std::vector<CollectiveTime> collectiveTimes(const CheckedDatabase& database, DbProblemLog& problems) {
    std::vector<CollectiveTime> times;
    const DbTable* const table = database.schema.table(kCollectives);
    if (table == nullptr || !table->has("opId") || !table->has("startNs") || !table->has("endNs")) return times;
    eachDbRow(
        database.connection.get(), database.schema, kCollectives, "SELECT opId, startNs, endNs FROM " + table->source(),
        true, problems, [&times](sqlite3_stmt* row) {
            for (const int column : {0, 1, 2}) {
                if (sqlite3_column_type(row, column) != SQLITE_INTEGER) return;
            }
            times.push_back({sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 2)});
        });
    const auto byId = [](const CollectiveTime& a, const CollectiveTime& b) { return a.id < b.id; };
    if (!std::is_sorted(times.begin(), times.end(), byId)) std::stable_sort(times.begin(), times.end(), byId);
    return times;
}

/// The runs of tasks that do not say the same in all of them.
/// @param rows  By content, then row.
std::vector<RunRow> differingRuns(std::span<const SmallTaskRow> rows, const CheckedDatabase& database,
                                  const DbTable& tasks, DbProblemLog& problems) {
    const std::vector<RowFingerprint> known = fingerprints(database, tasks, problems);
    const auto numbersOf = [&known](std::int64_t row) {
        const auto at =
            std::lower_bound(known.begin(), known.end(), row,
                             [](const RowFingerprint& one, std::int64_t wanted) { return one.row < wanted; });
        return at == known.end() || at->row != row ? std::uint64_t{0} : at->numbers;
    };
    std::optional<std::vector<CollectiveTime>> times;
    std::vector<RunRow> runs;
    for (std::size_t from = 0, to = 0; from < rows.size(); from = to) {
        for (to = from + 1; to < rows.size() && contentOf(rows[to]) == contentOf(rows[from]);) ++to;
        if (to - from == 1) continue;
        const std::size_t before = runs.size();
        bool isDifferent = false;
        for (std::size_t i = from; i < to; ++i) {
            const std::uint64_t numbers = numbersOf(rows[i].value.row);
            isDifferent = isDifferent || numbers != (i == from ? numbers : runs[before].value.numbers);
            // Without times it is of any run.
            runs.push_back({rows[from].value.row, {rows[i].value.row, INT64_MIN, INT64_MAX, numbers, INT64_MAX}});
        }
        if (!isDifferent) {
            runs.resize(before);
            continue;
        }
        if (!times) times = collectiveTimes(database, problems);
        for (std::size_t i = from; i < to; ++i) {
            const std::int64_t id = rows[i].value.collective;
            const auto at =
                std::lower_bound(times->begin(), times->end(), id,
                                 [](const CollectiveTime& one, std::int64_t wanted) { return one.id < wanted; });
            if (at == times->end() || at->id != id) continue;
            DbContext::Run& run = runs[before + i - from].value;
            std::tie(run.begin, run.end) = std::pair(at->begin, at->end);
        }
    }
    return runs;
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
        const DbTable* const tasks = database.schema.table(kTasks);
        const bool isRepeated = std::adjacent_find(rows.begin(), rows.end(), isSame) != rows.end();
        if (isRepeated && tasks != nullptr && tasks->hasRowIds && !cancel.cancelled()) {
            std::vector<RunRow> runs = differingRuns(rows, database, *tasks, problems);
            const auto byBegin = [](const RunRow& a, const RunRow& b) {
                return std::tuple(a.id, a.value.begin, a.value.row) < std::tuple(b.id, b.value.begin, b.value.row);
            };
            parallelSort(std::span(runs), byBegin, cancel);
            for (std::size_t i = 0; i < runs.size(); ++i) {
                DbContext::Run& run = runs[i].value;
                const bool isFirst = i == 0 || runs[i - 1].id != runs[i].id;
                run.lastEnd = isFirst ? run.end : std::max(run.end, runs[i - 1].value.lastEnd);
            }
            context.runs = IdGroups<DbContext::Run>(std::move(runs));
        }
        // What runs several times is in several collectives.
        for (std::size_t i = 1; i < rows.size(); ++i) {
            if (isSame(rows[i - 1], rows[i])) rows[i - 1].value.collective = rows[i].value.collective = -1;
        }
        rows.erase(std::unique(rows.begin(), rows.end(), isSame), rows.end());
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
