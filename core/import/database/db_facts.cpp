#include "core/import/database/db_facts.h"

#include "core/base/values/parse.h"
#include "core/import/sqlite/db_checked.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

namespace altiscope::reader {

namespace {

/// The database whose description is read.
struct FactsSource {
    sqlite3* connection;
    const DbSchema& schema;
    DbProblemLog& problems;

    /// @param columns  Of a handful of rows, or thousands of steps.
    void each(const char* table, const char* columns, const std::function<void(sqlite3_stmt*)>& take,
              bool isNeeded = false) const {
        eachDbRow(connection, schema, table, std::string("SELECT ") + columns + " FROM " + table + " LIMIT 1000000",
                  isNeeded, problems, take);
    }
};

std::optional<std::int64_t> factNumber(sqlite3_stmt* row, int column) {
    static constexpr double kLimit = 9223372036854775808.0;
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER: return sqlite3_column_int64(row, column);
    case SQLITE_FLOAT: {
        const double value = sqlite3_column_double(row, column);
        return value >= -kLimit && value < kLimit ? std::optional<std::int64_t>(std::llround(value)) : std::nullopt;
    }
    case SQLITE_TEXT: return wholeNumber(columnText(row, column).value_or(""));
    default: return std::nullopt;
    }
}

std::optional<std::int64_t> onlyOne(const std::set<std::int64_t>& values) {
    return values.size() == 1 ? std::optional(*values.begin()) : std::nullopt;
}

void readIdentity(const FactsSource& source, DbFacts& facts) {
    std::set<std::int64_t> ranks, devices, chips;
    source.each("RANK_DEVICE_MAP", "rankId, deviceId", [&](sqlite3_stmt* row) {
        if (const std::int64_t rank = sqlite3_column_int64(row, 0);
            rank >= 0 && sqlite3_column_type(row, 0) != SQLITE_NULL)
            ranks.insert(rank);
        if (const std::int64_t device = sqlite3_column_int64(row, 1);
            device >= 0 && sqlite3_column_type(row, 1) != SQLITE_NULL)
            devices.insert(device);
    });
    source.each("NPU_INFO", "id", [&](sqlite3_stmt* row) {
        if (const std::int64_t chip = sqlite3_column_int64(row, 0); chip >= 0) chips.insert(chip);
    });
    facts.rankId = onlyOne(ranks);
    // NPU_INFO may list all chips of the host.
    facts.deviceId = devices.empty() ? onlyOne(chips) : onlyOne(devices);
    source.each("HOST_INFO", "hostName", [&](sqlite3_stmt* row) {
        if (facts.host.empty()) facts.host = columnText(row, 0).value_or("");
    });
}

std::vector<std::string> contentsOf(const DbSchema& schema) {
    struct Known {
        const char *table, *content;
    };
    static constexpr Known kKnown[] = {
        {"COMPUTE_TASK_INFO", "kernels"},
        {"PYTORCH_API", "operators"},
        {"STEP_TIME", "steps"},
        {"MEMORY_RECORD", "memory"},
        {"OP_MEMORY", "memory"},
        {"NPU_OP_MEM", "memory"},
        {"NPU_MODULE_MEM", "module_memory"},
        {"COMMUNICATION_OP", "communication"},
        {"NIC", "io"},
        {"ROCE", "io"},
        {"PCIE", "interconnection"},
        {"HCCS", "interconnection"},
    };
    std::vector<std::string> contents{"timeline"};
    for (const Known& known : kKnown) {
        if (schema.filled(known.table)) contents.emplace_back(known.content);
    }
    return contents;
}

}  // namespace

std::vector<Step> readDbSteps(sqlite3* connection, const DbSchema& schema, DbProblemLog& problems) {
    static constexpr const char* kTable = "STEP_TIME";
    std::vector<Step> steps;
    std::set<std::array<std::int64_t, 3>> seen;
    std::int64_t number = 0;
    const auto add = [&](sqlite3_stmt* row) {
        ++number;
        const auto id = factNumber(row, 0), begin = factNumber(row, 1), end = factNumber(row, 2);
        if (!id) return problems.add(DbProblem::MissingId, kTable, number, "id");
        for (const auto& [column, name] : {std::pair{0, "id"}, {1, "startNs"}, {2, "endNs"}}) {
            if (sqlite3_column_type(row, column) == SQLITE_FLOAT && hasLostDigits(sqlite3_column_double(row, column)))
                problems.add(DbProblem::InexactTime, kTable, number, name);
        }
        Step step{*id, std::nullopt};
        if (begin && end && *begin > 0 && *begin <= *end && *end <= kMaxTimeNs)
            step.range = TimeRange{{*begin}, {*end}};
        else if (sqlite3_column_type(row, 1) != SQLITE_NULL || sqlite3_column_type(row, 2) != SQLITE_NULL)
            problems.add(DbProblem::OddNumber, kTable, number, "startNs");
        if (!seen.insert({*id, begin.value_or(INT64_MIN), end.value_or(INT64_MIN)}).second)
            return problems.add(DbProblem::RepeatedRow, kTable, number);
        steps.push_back(step);
    };
    FactsSource{connection, schema, problems}.each(kTable, "id, startNs, endNs", add, true);
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.number < b.number; });
    return steps;
}

Result<DbFacts> readDbFacts(const std::filesystem::path& path, const std::string& name, const CancelToken& cancel) {
    const auto opened = openDatabase(path, name, &cancel);
    if (!opened.ok()) return opened.as<DbFacts>();
    sqlite3* connection = opened.value().get();
    DbFacts facts;
    const auto schema = DbSchema::read(connection, name);
    if (!schema.ok()) return schema.as<DbFacts>();
    facts.holdsTimeline = schema.value().holdsTimeline();
    facts.holdsCluster = schema.value().holdsCluster();
    if (!facts.holdsTimeline && !facts.holdsCluster) {
        if (const auto damage = damageInSchema(path, name, schema.value())) return *damage;
    }
    facts.contents = contentsOf(schema.value());
    const FactsSource source{connection, schema.value(), facts.problems};
    readIdentity(source, facts);
    facts.steps = readDbSteps(connection, schema.value(), facts.problems);
    source.each("META_DATA", "name, value", [&](sqlite3_stmt* row) {
        addMetadata(facts.metadata, columnText(row, 0).value_or(""), columnText(row, 1).value_or(""));
    });
    if (!facts.rankId) {
        for (const auto& [key, value] : facts.metadata) {
            const auto rank = key == "distributed_args.rank" ? wholeNumber(value) : std::nullopt;
            if (rank && *rank >= 0) facts.rankId = rank;
        }
    }
    return facts;
}

}  // namespace altiscope::reader
