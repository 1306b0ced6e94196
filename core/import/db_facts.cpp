#include "core/import/db_facts.h"

#include "core/base/parse.h"
#include "core/import/db_schema.h"

#include <algorithm>
#include <functional>
#include <set>

namespace altiscope::reader {

namespace {

/// Rows of a description that are looked at; there are a handful, or thousands of steps.
constexpr int kMaxRows = 1'000'000;

void forEachRow(sqlite3* connection, const char* sql, const std::function<void(sqlite3_stmt*)>& take) {
    // A table or column that a version lacks makes the statement fail: it then says nothing.
    const DatabaseQuery query = prepareQuery(connection, sql);
    for (int rows = 0; query && rows < kMaxRows && sqlite3_step(query.get()) == SQLITE_ROW; ++rows) take(query.get());
}

std::string factText(sqlite3_stmt* row, int column) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
    return text == nullptr ? std::string() : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(row, column)));
}

std::optional<std::int64_t> onlyOne(const std::set<std::int64_t>& values) {
    return values.size() == 1 ? std::optional(*values.begin()) : std::nullopt;
}

void readIdentity(sqlite3* connection, DbFacts& facts) {
    std::set<std::int64_t> ranks, devices, chips;
    forEachRow(connection, "SELECT rankId, deviceId FROM RANK_DEVICE_MAP", [&](sqlite3_stmt* row) {
        if (const std::int64_t rank = sqlite3_column_int64(row, 0); rank >= 0 && sqlite3_column_type(row, 0) != SQLITE_NULL) ranks.insert(rank);
        if (const std::int64_t device = sqlite3_column_int64(row, 1); device >= 0 && sqlite3_column_type(row, 1) != SQLITE_NULL) devices.insert(device);
    });
    forEachRow(connection, "SELECT id FROM NPU_INFO", [&](sqlite3_stmt* row) {
        if (const std::int64_t chip = sqlite3_column_int64(row, 0); chip >= 0) chips.insert(chip);
    });
    facts.rankId = onlyOne(ranks);
    // NPU_INFO may list all chips of the host.
    facts.deviceId = devices.empty() ? onlyOne(chips) : onlyOne(devices);
    forEachRow(connection, "SELECT hostName FROM HOST_INFO", [&](sqlite3_stmt* row) {
        if (facts.host.empty()) facts.host = factText(row, 0);
    });
}

std::vector<std::string> contentsOf(const DbSchema& schema) {
    struct Known {
        const char *table, *content;
    };
    static constexpr Known kKnown[] = {
        {"COMPUTE_TASK_INFO", "kernels"}, {"PYTORCH_API", "operators"},   {"STEP_TIME", "steps"},         {"MEMORY_RECORD", "memory"},
        {"OP_MEMORY", "memory"},          {"NPU_OP_MEM", "memory"},       {"NPU_MODULE_MEM", "module_memory"}, {"COMMUNICATION_OP", "communication"},
        {"NIC", "io"},                    {"ROCE", "io"},                 {"PCIE", "interconnection"},    {"HCCS", "interconnection"},
    };
    std::vector<std::string> contents{"timeline"};
    for (const Known& known : kKnown) {
        if (schema.filled(known.table)) contents.emplace_back(known.content);
    }
    return contents;
}

}  // namespace

std::vector<Step> readDbSteps(sqlite3* connection) {
    std::vector<Step> steps;
    forEachRow(connection, "SELECT CAST(id AS INTEGER), CAST(startNs AS INTEGER), CAST(endNs AS INTEGER) FROM STEP_TIME", [&](sqlite3_stmt* row) {
        const TimeRange range{{sqlite3_column_int64(row, 1)}, {sqlite3_column_int64(row, 2)}};
        Step step{sqlite3_column_int64(row, 0), std::nullopt};
        if (range.begin.value > 0 && range.begin <= range.end && range.end.value <= kMaxTimeNs) step.range = range;
        steps.push_back(step);
    });
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.number < b.number; });
    return steps;
}

Result<DbFacts> readDbFacts(const std::filesystem::path& path, const std::string& name) {
    const auto opened = openDatabase(path, name, nullptr);
    if (!opened.ok()) return opened.as<DbFacts>();
    sqlite3* connection = opened.value().get();
    DbFacts facts;
    const auto schema = DbSchema::read(connection, name);
    if (!schema.ok()) return schema.as<DbFacts>();
    facts.holdsTimeline = schema.value().holdsTimeline();
    facts.holdsCluster = schema.value().holdsCluster();
    facts.contents = contentsOf(schema.value());
    readIdentity(connection, facts);
    facts.steps = readDbSteps(connection);
    forEachRow(connection, "SELECT name, value FROM META_DATA", [&](sqlite3_stmt* row) { addMetadata(facts.metadata, factText(row, 0), factText(row, 1)); });
    if (!facts.rankId) {
        for (const auto& [key, value] : facts.metadata) {
            const auto rank = key == "distributed_args.rank" ? wholeNumber(value) : std::nullopt;
            if (rank && *rank >= 0) facts.rankId = rank;
        }
    }
    return facts;
}

}  // namespace altiscope::reader
