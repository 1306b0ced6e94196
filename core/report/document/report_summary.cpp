#include "core/report/document/report_summary.h"

#include "core/report/document/html_text.h"

#include <algorithm>

namespace altiscope {

namespace {

const ReportSection* sectionOf(const Report& report, std::string_view id) {
    const auto section = std::find_if(report.sections.begin(), report.sections.end(),
                                      [id](const ReportSection& candidate) { return candidate.id == id; });
    return section == report.sections.end() ? nullptr : &*section;
}

/// The table that gives a column, with a row at least.
const ReportTable* tableWith(const ReportSection* section, std::string_view column) {
    if (section == nullptr) return nullptr;
    for (const ReportTable& table : section->tables)
        if (!table.rows.empty() && std::any_of(table.columns.begin(), table.columns.end(),
                                               [column](const ReportColumn& c) { return c.name == column; }))
            return &table;
    return nullptr;
}

}  // namespace

ReportSummary summaryOf(const Report& report) {
    ReportSummary summary;
    summary.facts = tableWith(sectionOf(report, "facts"), "recorded_time");
    summary.steps = tableWith(sectionOf(report, "steps"), "exposed_communication");
    summary.findings = tableWith(sectionOf(report, "findings"), "title");
    for (const std::string_view id : {"compare", "steps", "findings"}) {
        if (const ReportSection* section = sectionOf(report, id)) summary.sections.push_back(section);
    }
    return summary;
}

ReportValue valueOf(const ReportTable& table, std::size_t row, std::string_view column) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].name == column) return table.rows[row][i];
    return {};
}

std::string savingText(const ReportTable& findings, std::size_t row) {
    const ReportValue saving = valueOf(findings, row, "recoverable");
    return numberOf(saving) > 0 ? valueText(saving, "ns") : std::string();
}

std::string_view severityCode(std::string_view severity) {
    return severity == "high"     ? "report.severity.high"
           : severity == "medium" ? "report.severity.medium"
                                  : "report.severity.low";
}

}  // namespace altiscope
