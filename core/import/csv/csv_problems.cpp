#include "core/import/csv/csv_problems.h"

#include "core/base/text/text.h"

namespace altiscope::reader {

namespace {

struct CsvProblemInfo {
    std::string_view code;
    Severity severity;
};

constexpr CsvProblemInfo kCsvProblemInfos[kCsvProblems] = {
    {"csv.bad_number", Severity::Repaired},   {"csv.out_of_range", Severity::Repaired},
    {"csv.low_precision", Severity::Info},    {"csv.missing_value", Severity::Lost},
    {"csv.short_record", Severity::Repaired}, {"csv.long_record", Severity::Lost},
    {"csv.invalid_utf8", Severity::Repaired}, {"csv.gbk", Severity::Info},
    {"csv.repeated_row", Severity::Lost},     {"csv.cut", Severity::Lost},
};

constexpr std::size_t kMaxShownBytes = 60;

}  // namespace

void CsvProblems::add(CsvProblem problem, std::uint64_t row, std::string_view column, std::string_view value) {
    Entry& entry = m_entries[static_cast<std::size_t>(problem)];
    if (entry.count++ == 0) {
        entry.column = column;
        const std::string shown = repairedUtf8(value.substr(0, kMaxShownBytes * 4));
        entry.value = shown.substr(0, utf8Prefix(shown, kMaxShownBytes));
    }
    if (entry.rows.size() < Diagnostic::kSamples) entry.rows.push_back(row);
}

void CsvProblems::addTo(Diagnostics& diagnostics, std::string_view file, std::uint64_t firstRow) const {
    for (std::size_t i = 0; i < kCsvProblems; ++i) {
        const Entry& entry = m_entries[i];
        std::uint64_t count = entry.count - entry.rows.size();
        MessageParameters parameters;
        if (!entry.column.empty()) parameters = {{"column", entry.column}, {"value", entry.value}};
        for (const std::uint64_t row : entry.rows) {
            diagnostics.add(kCsvProblemInfos[i].code, kCsvProblemInfos[i].severity, file,
                            {PlaceUnit::Row, firstRow + row}, parameters, count + 1);
            count = 0;
        }
    }
}

}  // namespace altiscope::reader
