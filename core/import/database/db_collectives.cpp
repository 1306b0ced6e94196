#include "core/import/database/db_collectives.h"

#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <array>
#include <compare>
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
    std::uint64_t fingerprint;
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

std::size_t endOfContent(std::span<const SmallTaskRow> rows, std::size_t from) {
    std::size_t to = from + 1;
    while (to < rows.size() && contentOf(rows[to]) == contentOf(rows[from])) ++to;
    return to;
}

/// Fingerprints of the numbers in each row of tasks that stand several times, by row.
/// @param rows  Sorted by content.
std::vector<RowFingerprint> fingerprints(std::span<const SmallTaskRow> rows, const CheckedDatabase& database,
                                         const DbTable& tasks, DbProblemLog& problems, const CancelToken& cancel) {
    std::vector<RowFingerprint> found;
    for (std::size_t from = 0, to = 0; from < rows.size() && !cancel.cancelled(); from = to) {
        to = endOfContent(rows, from);
        for (std::size_t i = from; to - from > 1 && i < to; ++i) found.push_back({rows[i].value.row, 0});
    }
    const auto byRow = [](const RowFingerprint& a, const RowFingerprint& b) { return a.row < b.row; };
    parallelSort(std::span(found), byRow, cancel);
    std::string columns = "_rowid_";
    int count = 0;
    for (const char* name : kRunColumns) {
        if (!tasks.has(name)) continue;
        columns += std::string(", ") + name;
        ++count;
    }
    if (cancel.cancelled()) return {};
    auto next = found.begin();  // rows mostly come in their order
    eachDbRow(database.connection.get(), database.schema, kTasks, "SELECT " + columns + " FROM " + tasks.source(), true,
              problems, [&](sqlite3_stmt* row) {
                  const RowFingerprint wanted{sqlite3_column_int64(row, 0), 0};
                  if (next == found.end() || next->row != wanted.row)
                      next = std::lower_bound(found.begin(), found.end(), wanted, byRow);
                  if (next == found.end() || next->row != wanted.row) return;
                  for (int i = 1; i <= count; ++i) next->fingerprint = mixed(next->fingerprint, fingerprintOf(row, i));
                  ++next;
              });
    return found;
}

struct CollectiveOpTime {
    std::int64_t id, begin, end;
    auto operator<=>(const CollectiveOpTime&) const = default;
};

/// Times of collectives with a start and an end, by opId; a number that stands again with other times has none.
std::vector<CollectiveOpTime> collectiveTimes(const CheckedDatabase& database, DbProblemLog& problems,
                                              const CancelToken& cancel) {
    std::vector<CollectiveOpTime> times;
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
    parallelSort(std::span(times), std::less<>(), cancel);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    std::vector<CollectiveOpTime> known;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const bool standsAgain =
            (i > 0 && times[i - 1].id == times[i].id) || (i + 1 < times.size() && times[i + 1].id == times[i].id);
        // A negative number is that of no collective.
        if (!standsAgain && times[i].id >= 0) known.push_back(times[i]);
    }
    return known;
}

/// The runs of tasks that do not say the same in all of them.
/// @param rows  By content, then row.
std::vector<RunRow> differingRuns(std::span<const SmallTaskRow> rows, const CheckedDatabase& database,
                                  const DbTable& tasks, DbProblemLog& problems, const CancelToken& cancel) {
    const std::vector<RowFingerprint> known = fingerprints(rows, database, tasks, problems, cancel);
    const auto fingerprintOfRow = [&known](std::int64_t row) {
        const auto at =
            std::lower_bound(known.begin(), known.end(), row,
                             [](const RowFingerprint& one, std::int64_t wanted) { return one.row < wanted; });
        return at == known.end() || at->row != row ? std::uint64_t{0} : at->fingerprint;
    };
    std::optional<std::vector<CollectiveOpTime>> times;
    std::vector<RunRow> runs;
    for (std::size_t from = 0, to = 0; from < rows.size(); from = to) {
        if (cancel.cancelled()) return {};
        to = endOfContent(rows, from);
        if (to - from == 1) continue;
        const std::size_t before = runs.size();
        bool isDifferent = false;
        for (std::size_t i = from; i < to; ++i) {
            const std::uint64_t fingerprint = fingerprintOfRow(rows[i].value.row);
            isDifferent = isDifferent || fingerprint != (i == from ? fingerprint : runs[before].value.fingerprint);
            runs.push_back(
                {rows[from].value.row, {rows[i].value.row, DbContext::Run::kNoTime, INT64_MAX, fingerprint, 0}});
        }
        if (!isDifferent) {
            runs.resize(before);
            continue;
        }
        if (!times) times = collectiveTimes(database, problems, cancel);
        for (std::size_t i = from; i < to; ++i) {
            const std::int64_t id = rows[i].value.collective;
            const auto at =
                std::lower_bound(times->begin(), times->end(), id,
                                 [](const CollectiveOpTime& one, std::int64_t wanted) { return one.id < wanted; });
            if (at == times->end() || at->id != id) continue;
            DbContext::Run& run = runs[before + i - from].value;
            std::tie(run.begin, run.end) = std::pair(at->begin, at->end);
        }
    }
    return runs;
}

/// Cuts ends that are wrong, and sets lastEnd.
/// @param runs  Of one task, by begin.
void setEnds(std::span<RunRow> runs) {
    const auto timed =
        std::partition_point(runs.begin(), runs.end(), [](const RunRow& run) { return !run.value.hasTime(); });
    for (auto run = timed; run != runs.end(); ++run) {
        if (runs.end() - run > kMaxWithinRun + 1 && run[kMaxWithinRun + 1].value.begin <= run->value.end)
            run->value.end = run[1].value.begin;
        run->value.lastEnd = run == timed ? run->value.end : std::max(run->value.end, run[-1].value.lastEnd);
    }
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
            std::vector<RunRow> runs = differingRuns(rows, database, *tasks, problems, cancel);
            const auto byBegin = [](const RunRow& a, const RunRow& b) {
                return std::tuple(a.id, a.value.begin, a.value.fingerprint, a.value.row) <
                       std::tuple(b.id, b.value.begin, b.value.fingerprint, b.value.row);
            };
            parallelSort(std::span(runs), byBegin, cancel);
            for (std::size_t from = 0, to = 0; from < runs.size() && !cancel.cancelled(); from = to) {
                while (to < runs.size() && runs[to].id == runs[from].id) ++to;
                setEnds(std::span(runs).subspan(from, to - from));
            }
            context.runs = IdGroups<DbContext::Run>(std::move(runs));
        }
        // A task that runs several times is in several collectives.
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

}  // namespace altiscope::reader
