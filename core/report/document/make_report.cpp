#include "core/report/document/make_report.h"

#include "core/analysis/support/saturating.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/json_text.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/clock_time.h"
#include "core/findings/finding.h"
#include "core/query/results/row_function.h"
#include "core/report/document/comparison_tables.h"
#include "core/report/document/html_text.h"
#include "core/report/document/report_queries.h"
#include "core/report/document/report_summary.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <variant>

namespace altiscope {

namespace {

ReportValue ownedValue(const Value& value) {
    switch (value.type) {
    case ValueType::Null: return {};
    case ValueType::Integer: return value.integer;
    case ValueType::Real: return value.real;
    case ValueType::Text:
    case ValueType::Blob: return std::string(value.bytes);
    }
    return {};
}

/// Keeps the rows of a query, and the names of its columns.
class TableSink : public RowSink {
public:
    explicit TableSink(ReportTable& table) : m_table(table) {}
    bool begin(std::span<const std::string> columns) override {
        for (const std::string& name : columns) m_table.columns.push_back({name, {}});
        return true;
    }
    bool row(std::span<const Value> values) override {
        auto& row = m_table.rows.emplace_back();
        for (const Value& value : values) row.push_back(ownedValue(value));
        return true;
    }

private:
    ReportTable& m_table;
};

void setUnits(ReportTable& table, std::string_view units) {
    for (ReportColumn& column : table.columns) {
        const std::size_t comma = std::min(units.find(','), units.size());
        column.unit = units.substr(0, comma);
        units.remove_prefix(std::min(comma + 1, units.size()));
    }
}

/// A statement that counts the rows of a table without the limit that its own ends with; empty if that cuts nothing.
std::string countOf(const ReportTable& table) {
    static constexpr std::string_view kLimit = " LIMIT ";
    const std::size_t at = table.sql.rfind(kLimit);
    if (at == std::string::npos || table.sql.substr(at + kLimit.size()) != std::to_string(table.rows.size())) return {};
    return "SELECT count(*) FROM (" + table.sql.substr(0, at) + ")";
}

std::optional<std::size_t> columnOf(const ReportTable& table, std::string_view name) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].name == name) return i;
    return std::nullopt;
}

/// A finding as its row in SQL says it, to be worded in other languages.
Finding findingOf(const std::string& rule, const std::string& parameters, const std::string& detail,
                  const std::vector<std::string>& noteCodes) {
    Finding finding;
    finding.rule = rule;
    const nlohmann::json stated = parseJson(parameters);
    if (stated.is_object()) {
        for (const auto& [name, value] : stated.items())
            if (value.is_string()) finding.parameters.emplace_back(name, value.get<std::string>());
    }
    finding.isOfRecording = !detail.starts_with(findingDetail(finding, "en"));
    // Its notes are the sentences after its own.
    for (std::string text = findingDetail(finding, "en"); detail.size() > text.size() && detail.starts_with(text);) {
        const auto note = std::find_if(noteCodes.begin(), noteCodes.end(), [&](const std::string& code) {
            Finding longer = finding;
            longer.notes.push_back(code);
            return detail.starts_with(findingDetail(longer, "en"));
        });
        if (note == noteCodes.end()) break;
        finding.notes.push_back(*note);
        text = findingDetail(finding, "en");
    }
    return finding;
}

/// SQL has the texts of findings in English; a report has them in its language. Numbers are those of the statement.
Result<Done> translateFindings(ReportTable& table, const QueryDatabase& database, const std::string& language,
                               const CancelToken& cancel) {
    const auto title = columnOf(table, "title"), detail = columnOf(table, "detail");
    if (language == "en" || !title || !detail) return Done{};
    std::vector<std::string> codes = catalogueCodes();
    std::erase_if(codes, [](const std::string& code) { return !code.starts_with("finding.note."); });
    std::map<std::string, Finding> byText;
    RowFunction taken([&](std::span<const Value> row) {
        const std::string more(row[1].bytes);
        byText.emplace(std::string(row[0].bytes) + '\n' + more,
                       findingOf(std::string(row[2].bytes), std::string(row[3].bytes), more, codes));
        return true;
    });
    const auto done = database.run("SELECT title, detail, rule, parameters FROM finding", taken, cancel);
    if (!done.ok()) return done.as<Done>();
    for (std::vector<ReportValue>& row : table.rows) {
        const auto* stated = std::get_if<std::string>(&row[*title]);
        const auto* more = std::get_if<std::string>(&row[*detail]);
        if (stated == nullptr || more == nullptr) continue;
        const auto found = byText.find(*stated + '\n' + *more);
        // One whose sentences are not known stays as it is.
        if (found == byText.end() || findingDetail(found->second, "en") != *more) continue;
        row[*title] = findingTitle(found->second, language);
        row[*detail] = findingDetail(found->second, language);
    }
    return Done{};
}

Result<ReportTable> runQuery(const QueryDatabase& database, const ReportQuery& query, const ReportRequest& request,
                             const CancelToken& cancel) {
    ReportTable table;
    table.title = catalogueText(query.title, request.language);
    table.sql = scopedStatement(statementOf(query), request.scope);
    TableSink sink(table);
    const auto done = database.run(table.sql, sink, cancel);
    if (!done.ok()) return done.as<ReportTable>();
    if (const std::string count = countOf(table); !count.empty()) {
        std::int64_t rows = 0;
        RowFunction counted([&rows](std::span<const Value> row) {
            rows = integerOf(row[0]).value_or(0);
            return true;
        });
        const auto isCounted = database.run(count, counted, cancel);
        if (!isCounted.ok()) return isCounted.as<ReportTable>();
        table.omitted =
            static_cast<std::size_t>(std::max<std::int64_t>(0, rows - static_cast<std::int64_t>(table.rows.size())));
    }
    setUnits(table, query.units);
    if (query.section == "findings") {
        const auto translated = translateFindings(table, database, request.language, cancel);
        if (!translated.ok()) return translated.as<ReportTable>();
    }
    for (const char part : query.parts) table.chart.parts.push_back(static_cast<std::size_t>(part - '0'));
    return table;
}

/// A value of the first row of a table, by name of the column; as people read it.
std::string firstValue(const ReportTable& table, std::string_view column) {
    for (std::size_t i = 0; i < table.columns.size() && !table.rows.empty(); ++i)
        if (table.columns[i].name == column) return valueText(table.rows.front()[i], table.columns[i].unit);
    return {};
}

/// A manager's view: how long a step takes and where its time goes.
std::string stepsText(const ReportSection& section, const std::string& language) {
    const ReportTable& mean = section.tables.front();
    if (mean.rows.empty()) {
        const ReportTable& whole = section.tables.back();
        if (const std::string kind = firstValue(whole, "kind"); !kind.empty())
            return catalogueText(kind == "host" ? "report.steps.host" : "report.steps.whole", language,
                                 {{"step", firstValue(whole, "mean")}});
        const bool areSeveral = section.tables.size() > 1 && !section.tables[1].rows.empty();
        return catalogueText(areSeveral ? "report.steps.recordings" : "report.steps.none", language);
    }
    const bool hasBubble = numberOf(valueOf(mean, 0, "bubble")) > 0;
    const bool hasSteps = numberOf(valueOf(mean, 0, "steps_of_ranks")) > 0;
    const std::string_view code = hasSteps    ? (hasBubble ? "report.steps.text_bubble" : "report.steps.text")
                                  : hasBubble ? "report.steps.text_recording_bubble"
                                              : "report.steps.text_recording";
    return catalogueText(code, language,
                         {{"step", firstValue(mean, "step")},
                          {"computing", firstValue(mean, "computing")},
                          {"exposed", firstValue(mean, "exposed_communication")},
                          {"bubble", firstValue(mean, "bubble")},
                          {"free", firstValue(mean, "free")}});
}

/// The first thing to do.
std::string findingsText(const ReportSection& section, const std::string& language) {
    const ReportTable& findings = section.tables.back();
    if (findings.rows.empty()) return catalogueText("report.findings.none", language);
    // The worst comes first; of low ones none is the story of the run.
    const ReportValue severity = valueOf(findings, 0, "severity");
    if (severity == ReportValue(std::string("low"))) return catalogueText("report.findings.low", language);
    const std::string recoverable = firstValue(findings, "recoverable");
    // Nobody knows whether any of a whole recording can be saved.
    const bool isOfRecording =
        firstValue(findings, "detail").find(catalogueText("finding.note.no_steps", language)) != std::string::npos;
    const std::string step = firstValue(findings, "step");
    return catalogueText(recoverable.empty() ? "report.findings.first"
                         : isOfRecording     ? "report.findings.text_recording"
                         : !step.empty()     ? "report.findings.text_step"
                                             : "report.findings.text",
                         language,
                         {{"title", firstValue(findings, "title")}, {"recoverable", recoverable}, {"step", step}});
}

std::string textOf(const ReportSection& section, const ReportSectionInfo& info, const ReportRequest& request) {
    if (section.id == "steps") return stepsText(section, request.language);
    if (section.id == "findings") return findingsText(section, request.language);
    if (section.id == "compare") return comparisonSentence(*request.compare, request.language);
    return catalogueText(info.text, request.language);
}

bool isWanted(const ReportSectionInfo& info, const ReportRequest& request) {
    const bool isChosen = request.sections.empty() || std::find(request.sections.begin(), request.sections.end(),
                                                                info.id) != request.sections.end();
    return isChosen && (info.id != "compare" || request.compare != nullptr);
}

Report emptyReport(const ReportRequest& request) {
    Report report;
    report.language = request.language;
    report.captures = {request.capture};
    if (request.compare != nullptr) report.captures.push_back(request.compare->base);
    report.generated = request.generated;
    report.program = request.program;
    report.scope = scopeText(request.scope, request.language);
    return report;
}

/// The last part of a path, which a reader knows it by.
std::string nameOf(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

}  // namespace

std::optional<std::string> unknownSection(const std::vector<std::string>& sections) {
    for (const std::string& section : sections) {
        const auto known = reportSections();
        if (std::none_of(known.begin(), known.end(), [&](const auto& info) { return info.id == section; }))
            return section;
    }
    return std::nullopt;
}

Result<Report> makeReport(const QueryDatabase& database, const ReportRequest& request, const CancelToken& cancel) {
    std::vector<const ReportQuery*> queries;
    for (const ReportSectionInfo& info : reportSections())
        for (const ReportQuery& query : reportQueries())
            if (query.section == info.id && isWanted(info, request)) queries.push_back(&query);
    std::vector<std::optional<Result<ReportTable>>> tables(queries.size());
    parallelFor(queries.size(), [&](std::size_t i) { tables[i] = runQuery(database, *queries[i], request, cancel); });
    for (const auto& table : tables)
        if (!table->ok()) return table->as<Report>();
    Report report = emptyReport(request);
    report.title = catalogueText("report.title", request.language, {{"name", nameOf(request.capture)}});
    for (const ReportSectionInfo& info : reportSections()) {
        if (!isWanted(info, request)) continue;
        ReportSection section{std::string(info.id), catalogueText(info.title, request.language), {}, {}};
        for (std::size_t i = 0; i < queries.size(); ++i) {
            if (queries[i]->section != info.id) continue;
            if (queries[i]->isLeftOutEmpty && tables[i]->value().rows.empty()) continue;
            section.tables.push_back(std::move(*tables[i]).value());
        }
        if (section.id == "compare") section.tables = comparisonTables(*request.compare, request.language);
        section.text = textOf(section, info, request);
        report.sections.push_back(std::move(section));
    }
    return report;
}

Report makeComparisonReport(const Comparison& comparison, const ReportRequest& request) {
    Report report = emptyReport(request);
    report.title = catalogueText("report.compare.title", request.language,
                                 {{"base", nameOf(comparison.base)}, {"current", nameOf(comparison.current)}});
    report.sections.push_back({"compare", catalogueText("report.compare", request.language),
                               comparisonSentence(comparison, request.language),
                               comparisonTables(comparison, request.language)});
    report.sections.push_back({"method",
                               catalogueText("report.method", request.language),
                               catalogueText("report.compare.method", request.language),
                               {}});
    return report;
}

std::string reportTime() { return utcText(std::chrono::system_clock::now()); }

}  // namespace altiscope
