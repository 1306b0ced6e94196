#include "core/import/memscope/memscope_reader.h"

#include "core/import/memscope/memscope_rows.h"
#include "core/import/sqlite/db_checked.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace altiscope::reader {

namespace {

/// The tool was called msLeaks before.
constexpr std::array<const char*, 2> kDumpTables{"memscope_dump", "leaks_dump"};

const DbTable* dumpTable(const DbSchema& schema) {
    for (const char* name : kDumpTables) {
        if (const DbTable* table = schema.table(name)) return table;
    }
    return nullptr;
}

void reportKinds(std::string_view code, Severity severity, const MemscopeDump::Kinds& kinds, const std::string& file,
                 Diagnostics& diagnostics) {
    std::string text;
    std::uint64_t events = 0;
    for (const auto& [kind, count] : kinds) {
        text += (text.empty() ? "" : ", ") + kind + " (" + std::to_string(count) + ')';
        events += count;
    }
    if (events > 0) diagnostics.add(code, severity, file, {}, {{"kinds", text}}, events);
}

void reportDump(const MemscopeDump& dump, const MemscopeBlocks& blocks, const std::string& file,
                Diagnostics& diagnostics) {
    reportKinds("memscope.other_events", Severity::Info, dump.others, file, diagnostics);
    reportKinds("memscope.unknown_events", Severity::Lost, dump.unknown, file, diagnostics);
    if (blocks.older > 0) diagnostics.add("memscope.older", Severity::Info, file, {}, {}, blocks.older);
    if (blocks.replaced > 0) diagnostics.add("memscope.replaced", Severity::Repaired, file, {}, {}, blocks.replaced);
}

}  // namespace

bool isMemscopeName(std::string_view name) {
    return (name.starts_with("memscope_dump") || name.starts_with("leaks_dump")) && name.ends_with(".db");
}

bool holdsMemscope(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    const auto connection = openDatabase(path, name, nullptr);
    if (!connection.ok()) return false;
    const auto schema = DbSchema::read(connection.value().get(), name);
    return schema.ok() && dumpTable(schema.value()) != nullptr;
}

Result<Done> readMemscope(const SourceFile& file, TableContext& context) {
    const auto opened = CheckedDatabase::open(file, context.cancel);
    if (!opened.ok()) return opened.as<Done>();
    const CheckedDatabase& database = opened.value();
    database.reportDamage(file.name, context.diagnostics);
    context.progress.addDone(file.size);
    const DbTable* table = dumpTable(database.schema);
    if (table == nullptr) return Error{"memscope.no_table", file.name, {}, {}};

    DbProblemLog problems;
    const std::vector<const char*> names = memscopeColumns();
    constexpr std::size_t kNeeded = 6;  // stacks are optional
    std::vector<std::string> columns;
    for (const char* name : names) columns.emplace_back(table->has(name) ? name : "");
    for (std::size_t i = 0; i < kNeeded; ++i) {
        if (!columns[i].empty()) continue;
        problems.add(DbProblem::MissingColumn, table->name, -1, names[i]);
        problems.addTo(context.diagnostics, file.name);
        return Done{};
    }
    MemscopeDump dump;
    RowBatch texts = context.builder.batch(RowKind::SnapshotEvent);
    MemscopeRows rows(texts, dump);
    readDbTable(database, *table, columns, names, problems, context.cancel,
                [&rows](const DbRow& row, std::int64_t) { rows.take(row); });
    problems.addTo(context.diagnostics, file.name);
    if (context.cancel.cancelled()) return Cancelled{};
    // Threads write their events as they come to it.
    std::stable_sort(dump.events.begin(), dump.events.end(),
                     [](const MemscopeEvent& a, const MemscopeEvent& b) { return a.time < b.time; });
    MemscopeBlocks blocks;
    if (!replayMemscope(dump, blocks, context.cancel)) return Cancelled{};
    reportDump(dump, blocks, file.name, context.diagnostics);
    if (!addMemscopeRows(dump, blocks, context.builder, context.cancel)) return Cancelled{};
    return Done{};
}

}  // namespace altiscope::reader
