#include "core/import/memscope/memscope_reader.h"

#include "core/base/files/file.h"
#include "core/import/csv/csv_problems.h"
#include "core/import/csv/csv_records.h"
#include "core/import/memscope/memscope_rows.h"
#include "core/import/sqlite/db_checked.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

/// The tool was called msLeaks before.
constexpr std::array<const char*, 2> kDumpTables{"memscope_dump", "leaks_dump"};

bool hasDumpName(std::string_view name) { return name.starts_with("memscope_dump") || name.starts_with("leaks_dump"); }

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
    return hasDumpName(name) && (name.ends_with(".db") || name.ends_with(".csv"));
}

bool beginsAsMemscopeCsv(const std::filesystem::path& path) {
    static constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    static constexpr std::string_view kHeading =
        "ID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id";
    const auto file = ReadOnlyFile::open(path);
    std::array<char, kByteOrderMark.size() + kHeading.size()> bytes{};
    const auto got = file.ok() ? file.value().read(0, bytes) : file.as<std::size_t>();
    std::string_view head(bytes.data(), got.ok() ? got.value() : 0);
    if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
    return head.starts_with(kHeading);
}

bool holdsMemscope(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    const auto connection = openDatabase(path, name, nullptr);
    if (!connection.ok()) return false;
    const auto schema = DbSchema::read(connection.value().get(), name);
    return schema.ok() && dumpTable(schema.value()) != nullptr;
}

namespace {

/// Events of a database.
Result<Done> readDatabase(const SourceFile& file, TableContext& context, MemscopeRows& rows) {
    const auto opened = CheckedDatabase::open(file, context.cancel);
    if (!opened.ok()) return opened.as<Done>();
    const CheckedDatabase& database = opened.value();
    database.reportDamage(file.name, context.diagnostics);
    context.progress.addDone(file.size);
    const DbTable* table = dumpTable(database.schema);
    if (table == nullptr) return Error{"memscope.no_table", file.name, {}, {}};

    DbProblemLog problems;
    const std::vector<const char*> names = memscopeColumns();
    std::vector<std::string> columns;
    for (const char* name : names) columns.emplace_back(table->has(name) ? name : "");
    for (std::size_t i = 0; i < kNeededMemscopeColumns; ++i) {
        if (!columns[i].empty()) continue;
        problems.add(DbProblem::MissingColumn, table->name, -1, names[i]);
        problems.addTo(context.diagnostics, file.name);
        return Done{};
    }
    readDbTable(database, *table, columns, names, problems, context.cancel,
                [&rows](const DbRow& row, std::int64_t) { rows.take(row); });
    problems.addTo(context.diagnostics, file.name);
    return Done{};
}

/// The columns of a CSV file by its heading.
class DumpHeading {
public:
    /// @return The first column that is missing; null: none.
    const char* take(std::vector<std::string> header) {
        m_columns = CsvColumns(std::move(header));
        m_process = m_columns.find("Process Id");
        for (std::size_t i = 0; i < kNames.size(); ++i) {
            m_places.push_back(m_columns.find(kNames[i]));
            if (i < kNeededMemscopeColumns && !m_places.back()) return kNames[i];
        }
        return nullptr;
    }
    std::size_t size() const { return m_columns.size(); }
    /// The cells in the order of memscopeColumns(); they hold as long as the record.
    std::vector<std::string_view> cells(const CsvRecord& record) const {
        std::vector<std::string_view> found;
        for (const auto& place : m_places) found.push_back(cell(record, place));
        return found;
    }
    std::string_view event(const CsvRecord& record) const { return cell(record, m_places.front()); }
    std::string_view process(const CsvRecord& record) const { return cell(record, m_process); }

    const std::vector<const char*> kNames = memscopeColumns();

private:
    static std::string_view cell(const CsvRecord& record, const std::optional<std::size_t>& place) {
        return place && *place < record.cells.size() ? std::string_view(record.cells[*place]) : std::string_view();
    }
    CsvColumns m_columns;
    std::vector<std::optional<std::size_t>> m_places;
    std::optional<std::size_t> m_process;
};

/// Calls take(heading, record) for each row. @return False if the heading lacks a column; that is reported.
template <class Take>
Result<bool> eachDumpRow(const SourceFile& file, TableContext& context, Diagnostics* problems, ProgressSlot& progress,
                         Take&& take) {
    DumpHeading heading;
    const char* missing = nullptr;
    const Result<Done> read = eachCsvRecord(file, problems, progress, context.cancel, [&](CsvRecord& record) {
        if (heading.size() == 0) missing = heading.take(std::move(record.cells));
        else if (missing == nullptr) take(heading, record);
    });
    if (!read.ok()) return read.as<bool>();
    if (missing != nullptr && problems != nullptr)
        problems->add("csv.no_column", Severity::Lost, file.name, {}, {{"column", missing}});
    return missing == nullptr;
}

/// Events of a CSV file.
Result<Done> readCsvDump(const SourceFile& file, TableContext& context, MemscopeRows& rows) {
    std::map<std::string, std::uint64_t, std::less<>> ofProcesses;
    ProgressSlot unused;
    const auto counted =
        eachDumpRow(file, context, nullptr, unused, [&](const DumpHeading& heading, CsvRecord& record) {
            const std::string_view event = heading.event(record);
            if (event != "MALLOC" && event != "FREE" && event != "ACCESS") return;
            constexpr std::size_t kMaxProcesses = 4096;
            const std::string process(heading.process(record));
            if (process.empty()) return;
            if (ofProcesses.size() < kMaxProcesses || ofProcesses.contains(process)) ++ofProcesses[process];
        });
    if (!counted.ok()) return counted.as<Done>();
    const auto most = std::max_element(ofProcesses.begin(), ofProcesses.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    CsvProblems problems;
    std::uint64_t others = 0;
    const auto read = eachDumpRow(
        file, context, &context.diagnostics, context.progress, [&](const DumpHeading& heading, CsvRecord& record) {
            const std::string_view process = heading.process(record);
            // A record that was cut names none.
            if (most != ofProcesses.end() && !process.empty() && process != most->first) {
                ++others;
                return;
            }
            if (record.cells.size() < heading.size())
                problems.add(record.isLast ? CsvProblem::Cut : CsvProblem::ShortRecord, record.row - 1);
            const std::vector<std::string_view> cells = heading.cells(record);
            rows.take(MemscopeTextRow(cells, heading.kNames, record.row, problems));
        });
    if (!read.ok()) return read.as<Done>();
    problems.addTo(context.diagnostics, file.name, 1);
    if (others > 0)
        context.diagnostics.add("memscope.other_processes", Severity::Lost, file.name, {},
                                {{"process", most->first}, {"count", std::to_string(ofProcesses.size())}}, others);
    return Done{};
}

}  // namespace

Result<Done> readMemscope(const SourceFile& file, TableContext& context) {
    MemscopeDump dump;
    RowBatch texts = context.builder.batch(RowKind::SnapshotEvent);
    MemscopeRows rows(texts, dump);
    const bool isCsv = file.format == SourceFormat::Other;
    const auto read = isCsv ? readCsvDump(file, context, rows) : readDatabase(file, context, rows);
    if (!read.ok()) return read;
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
