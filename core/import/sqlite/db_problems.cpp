#include "core/import/sqlite/db_problems.h"

#include <algorithm>
#include <utility>

namespace altiscope::reader {

namespace {

std::pair<std::string_view, Severity> diagnosticOf(DbProblem problem) {
    switch (problem) {
    case DbProblem::MissingTime: return {"db.missing_time", Severity::Lost};
    case DbProblem::WrongType: return {"db.wrong_type", Severity::Lost};
    case DbProblem::OutOfRange: return {"db.out_of_range", Severity::Lost};
    case DbProblem::OddType: return {"db.odd_type", Severity::Repaired};
    case DbProblem::MissingEnd: return {"db.missing_end", Severity::Repaired};
    case DbProblem::NegativeDuration: return {"db.negative_duration", Severity::Repaired};
    case DbProblem::MissingTask: return {"db.missing_task", Severity::Lost};
    case DbProblem::MissingColumn: return {"db.missing_column", Severity::Lost};
    case DbProblem::RowNumber: return {"db.row_number", Severity::Lost};
    case DbProblem::TableCut: return {"db.table_cut", Severity::Lost};
    case DbProblem::KernelWithoutTask: return {"db.kernel_without_task", Severity::Lost};
    case DbProblem::NoKernel: return {"db.no_kernel", Severity::Info};
    case DbProblem::TooManyNames: return {"db.too_many_names", Severity::Lost};
    case DbProblem::RowOrder: return {"db.row_order", Severity::Lost};
    case DbProblem::MissingRows: return {"db.missing_rows", Severity::Lost};
    case DbProblem::MissingId: return {"db.missing_id", Severity::Lost};
    case DbProblem::MissingText: return {"db.missing_text", Severity::Lost};
    case DbProblem::NotATable: return {"db.not_a_table", Severity::Lost};
    case DbProblem::NoTable: return {"db.no_table", Severity::Lost};
    case DbProblem::NoRowIds: return {"db.no_row_ids", Severity::Info};
    case DbProblem::MissingName: return {"db.missing_name", Severity::Lost};
    case DbProblem::NoEntry: return {"db.no_entry", Severity::Lost};
    case DbProblem::OddNumber: return {"db.odd_number", Severity::Repaired};
    case DbProblem::InexactTime: return {"db.inexact_time", Severity::Info};
    case DbProblem::RepeatedRow: return {"db.repeated_row", Severity::Lost};
    case DbProblem::BrokenChain: return {"db.broken_chain", Severity::Lost};
    case DbProblem::NoCollective: return {"db.no_collective", Severity::Info};
    case DbProblem::UnknownRun: return {"db.unknown_run", Severity::Repaired};
    }
    return {};
}

}  // namespace

void DbProblemLog::add(DbProblem problem, std::string_view table, std::int64_t row, std::string_view detail) {
    auto& byTable = m_entries[static_cast<std::size_t>(problem)];
    auto known = byTable.find(table);
    if (known == byTable.end()) known = byTable.emplace(std::string(table), Entry{}).first;
    Entry& entry = known->second;
    if (entry.count++ == 0) entry.detail = detail;
    if (entry.rows.size() < Diagnostic::kSamples) entry.rows.push_back(row);
}

void DbProblemLog::addCount(DbProblem problem, std::string_view table, std::uint64_t count) {
    add(problem, table, -1);
    m_entries[static_cast<std::size_t>(problem)].find(table)->second.count += count - 1;
}

void DbProblemLog::append(const DbProblemLog& later) {
    for (std::size_t i = 0; i < kDbProblemCount; ++i) {
        for (const auto& [table, theirs] : later.m_entries[i]) {
            const auto [known, isNew] = m_entries[i].try_emplace(table, theirs);
            if (isNew) continue;
            Entry& ours = known->second;
            ours.count += theirs.count;
            for (const std::int64_t row : theirs.rows) {
                if (ours.rows.size() < Diagnostic::kSamples) ours.rows.push_back(row);
            }
        }
    }
}

void DbProblemLog::addTo(Diagnostics& diagnostics, std::string_view file) const {
    for (std::size_t i = 0; i < kDbProblemCount; ++i) {
        if (m_entries[i].empty()) continue;
        const auto [code, severity] = diagnosticOf(static_cast<DbProblem>(i));
        std::string tables;
        for (const auto& [table, entry] : m_entries[i]) tables += (tables.empty() ? "" : ", ") + table;
        for (const auto& [table, entry] : m_entries[i]) {
            const MessageParameters parameters{{"table", tables}, {"detail", entry.detail}};
            for (std::size_t k = 0; k < entry.rows.size(); ++k) {
                // The last place that is kept stands for all that follow.
                const std::uint64_t count = k + 1 < entry.rows.size() ? 1 : entry.count - k;
                const bool hasRow = entry.rows[k] >= 0;
                const Place place = hasRow ? Place{PlaceUnit::Row, static_cast<std::uint64_t>(entry.rows[k])} : Place{};
                diagnostics.add(code, severity, file, place, parameters, count);
            }
        }
    }
}

}  // namespace altiscope::reader
