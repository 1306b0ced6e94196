#include "core/analysis/steps/step_parts.h"
#include "core/base/text/catalogue.h"
#include "core/report/document/html_text.h"
#include "core/report/document/report_document.h"
#include "core/report/document/report_summary.h"
#include "core/report/document/svg_chart.h"

#include <algorithm>

namespace altiscope {

namespace {

/// Nothing in it may be cut by "]]>" or hold "<" or "&": the page is read as HTML and as XML.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --back: #ffffff; --text: #1d2329; --quiet: #5b6670; --line: #d5dbe1; --fill: #f3f5f7;
  --c1: #2f74b5; --c2: #d9822b; --c3: #9aa7b3; --c4: #5a9367; --high: #b3261e; --medium: #8a5a00; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14181c; --text: #e4e8ec; --quiet: #9aa6b2; --line: #343c45; --fill: #1d2329;
    --c1: #5a9fdc; --c2: #e59b4c; --c3: #6d7a87; --c4: #7fb98c; --high: #ff8a80; --medium: #f0b64a; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 1.5rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .4rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
nav a { margin-right: 1rem; }
a { color: var(--c1); }
.quiet { color: var(--quiet); font-size: .87rem; }
.wide { overflow-x: auto; }
figure { margin: 1rem 0; }
figure img { max-width: 100%; height: auto; border: 1px solid var(--line); }
figcaption { overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: .87rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.t { overflow-wrap: anywhere; min-width: 5rem; }
.long { max-height: 7.5rem; min-width: 14rem; overflow: auto; }
.high { color: var(--high); font-weight: 600; }
.medium { color: var(--medium); font-weight: 600; }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 2.5rem; margin: .8rem 0; }
.facts span { color: var(--quiet); font-size: .87rem; }
.facts strong { display: block; color: var(--text); font-size: 1.25rem; font-weight: 600; }
.lead td:first-child { width: 6rem; }
pre { background: var(--fill); padding: .5rem; margin: .3rem 0; white-space: pre-wrap; overflow-wrap: anywhere;
  font: .8rem/1.4 ui-monospace, "Noto Sans Mono", monospace; }
summary { color: var(--quiet); font-size: .8rem; cursor: pointer; }
svg { display: block; width: 100%; max-width: 52rem; height: auto; margin: .6rem 0; }
svg text { font: 12px system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; fill: var(--text); }
.c1 { fill: var(--c1); } .c2 { fill: var(--c2); } .c3 { fill: var(--c3); } .c4 { fill: var(--c4); }
@media print {
  :root { color-scheme: light; --back: #ffffff; --text: #000000; --quiet: #444444; --line: #bbbbbb; --fill: #f3f5f7;
    --c1: #2f74b5; --c2: #d9822b; --c3: #9aa7b3; --c4: #5a9367; --high: #b3261e; --medium: #8a5a00; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav { display: none; }
  .wide, .long { overflow: visible; max-height: none; }
  h2, h3 { break-after: avoid; }
  tr, svg, figure { break-inside: avoid; }
  thead { display: table-header-group; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)";

/// Longer texts get a frame of a few lines on the screen; paper shows them whole.
constexpr std::size_t kLongText = 240;

std::string cell(const ReportTable& table, const std::vector<ReportValue>& row, std::size_t at, bool numeric,
                 const std::string& language) {
    const ReportValue& value = row[at];
    const ReportColumn& column = table.columns[at];
    const std::string text = cellText(table, row, at, language);
    if (numeric) {
        // The exact value stands behind one that is rounded for people.
        const std::string title = column.unit.empty() ? std::string() : " title=\"" + htmlText(exactText(value)) + "\"";
        return "<td class=\"n\"" + title + ">" + htmlText(text) + "</td>";
    }
    std::string content = htmlText(text);
    // For programs; people open it.
    if (column.name == "evidence") content = "<details><summary>JSON</summary>" + content + "</details>";
    else if (text.size() > kLongText) content = "<div class=\"long\">" + content + "</div>";
    const std::string own = exactText(value);
    if (column.name == "severity" && (own == "high" || own == "medium"))
        content = "<span class=\"" + own + "\">" + content + "</span>";
    return "<td class=\"t\">" + content + "</td>";
}

std::string paragraphs(std::string_view text) {
    std::string html;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (end > 0) html += "<p>" + htmlText(text.substr(0, end)) + "</p>\n";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return html;
}

std::string tableHtml(const ReportTable& table, const std::string& language) {
    std::string html = "<h3>" + htmlText(table.title) + "</h3>\n" + paragraphs(table.note);
    if (table.rows.empty()) {
        if (table.note.empty())
            html += "<p class=\"quiet\">" + htmlText(catalogueText("report.no_rows", language)) + "</p>\n";
    } else {
        html += svgChart(table, language) + "<div class=\"wide\"><table>\n<thead><tr>";
        std::vector<bool> numeric;
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            numeric.push_back(isNumeric(table, i));
            html += std::string(numeric[i] ? "<th class=\"n\">" : "<th>") +
                    htmlText(headingOf(table.columns[i], language)) + "</th>";
        }
        html += "</tr></thead>\n<tbody>\n";
        for (const auto& row : table.rows) {
            html += "<tr>";
            for (std::size_t i = 0; i < row.size(); ++i) html += cell(table, row, i, numeric[i], language);
            html += "</tr>\n";
        }
        html += "</tbody>\n</table></div>\n";
        if (table.omitted > 0)
            html += "<p class=\"quiet\">" +
                    htmlText(catalogueText("report.omitted", language,
                                           {{"shown", std::to_string(table.rows.size())},
                                            {"all", std::to_string(table.rows.size() + table.omitted)}})) +
                    "</p>\n";
    }
    if (!table.sql.empty()) html += "<details><summary>SQL</summary><pre>" + htmlText(table.sql) + "</pre></details>\n";
    return html;
}

/// Figures with their names.
std::string factsHtml(const ReportTable& facts, const std::string& language) {
    std::string html = "<p class=\"facts\">\n";
    for (std::size_t i = 0; i < facts.columns.size(); ++i) {
        const std::string value = valueText(facts.rows[0][i], facts.columns[i].unit, language);
        html += "<span><strong>" + (value.empty() ? "\xE2\x80\x93" : htmlText(value)) + "</strong> " +
                htmlText(headingOf(facts.columns[i], language)) + "</span>\n";
    }
    return html + "</p>\n";
}

/// The parts of the mean step as one bar.
std::string stepBar(const ReportTable& steps, const std::string& language) {
    ReportTable bar;
    bar.title = catalogueText("report.steps", language);
    bar.columns.push_back({});
    bar.rows.push_back({std::string()});
    for (const StepPart whole : kWholeStep) {
        const std::string_view part = infoOf(whole).name;
        bar.chart.parts.push_back(bar.columns.size());
        bar.columns.push_back({std::string(part), "ns"});
        bar.rows[0].push_back(valueOf(steps, 0, part));
    }
    return svgChart(bar, language);
}

std::string leadingFindings(const ReportTable& findings, const std::string& language) {
    std::string html = "<table class=\"lead\">\n<tbody>\n";
    for (std::size_t row = 0; row < std::min(findings.rows.size(), ReportSummary::kMaxFindings); ++row) {
        const std::string severity = exactText(valueOf(findings, row, "severity"));
        html += "<tr><td><span class=\"" + htmlText(severity) + "\">" +
                htmlText(catalogueText(severityCode(severity), language)) + "</span></td><td class=\"t\">" +
                htmlText(exactText(valueOf(findings, row, "title"))) + "</td><td class=\"n\">" +
                htmlText(savingText(findings, row)) + "</td></tr>\n";
    }
    return html + "</tbody>\n</table>\n";
}

std::string summaryHtml(const Report& report) {
    const ReportSummary summary = summaryOf(report);
    if (summary.facts == nullptr && summary.sections.empty()) return {};
    std::string html =
        "<section id=\"summary\">\n<h2>" + htmlText(catalogueText("report.summary", report.language)) + "</h2>\n";
    if (summary.facts != nullptr) html += factsHtml(*summary.facts, report.language);
    for (const ReportSection* section : summary.sections) {
        html += paragraphs(section->text);
        if (section->id == "steps" && summary.steps != nullptr) html += stepBar(*summary.steps, report.language);
        if (section->id == "findings" && summary.findings != nullptr)
            html += leadingFindings(*summary.findings, report.language);
    }
    return html + "</section>\n";
}

std::string picturesHtml(const Report& report) {
    if (report.pictures.empty()) return {};
    std::string html =
        "<section id=\"pictures\">\n<h2>" + htmlText(catalogueText("report.pictures", report.language)) + "</h2>\n";
    for (const ReportPicture& picture : report.pictures)
        html += "<figure><img alt=\"" + htmlText(picture.title) + "\" src=\"data:image/png;base64," +
                base64Text(picture.png) + "\"/>\n<figcaption><strong>" + htmlText(picture.title) + "</strong>\n" +
                paragraphs(picture.note) + "</figcaption></figure>\n";
    return html + "</section>\n";
}

std::string head(const Report& report) {
    const std::string pictures = report.pictures.empty() ? "" : "; img-src data:";
    return "<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, "
           "initial-scale=1\"/>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'" +
           pictures + "\"/>\n<title>" + htmlText(report.title) + "</title>\n<style>" + std::string(kStyle) +
           "</style>\n</head>\n";
}

}  // namespace

std::string reportHtml(const Report& report) {
    const std::string language = report.language == "zh_CN" ? "zh-CN" : "en";
    std::string html = "<!DOCTYPE html>\n<html lang=\"" + language + "\">\n" + head(report) + "<body>\n<header>\n<h1>" +
                       htmlText(report.title) + "</h1>\n";
    for (const std::string& capture : report.captures) html += "<p class=\"quiet\">" + htmlText(capture) + "</p>\n";
    html += "<p class=\"quiet\">" + htmlText(report.program + ", " + report.generated) + "</p>\n";
    html += paragraphs(report.scope) + paragraphs(report.notes) + "<nav>";
    if (!report.pictures.empty())
        html += "<a href=\"#pictures\">" + htmlText(catalogueText("report.pictures", report.language)) + "</a> ";
    for (const ReportSection& section : report.sections)
        html += "<a href=\"#" + htmlText(section.id) + "\">" + htmlText(section.title) + "</a> ";
    html += "</nav>\n</header>\n<main>\n" + summaryHtml(report) + picturesHtml(report);
    for (const ReportSection& section : report.sections) {
        html += "<section id=\"" + htmlText(section.id) + "\">\n<h2>" + htmlText(section.title) + "</h2>\n" +
                paragraphs(section.text);
        for (const ReportTable& table : section.tables) html += tableHtml(table, report.language);
        html += "</section>\n";
    }
    return html + "</main>\n</body>\n</html>\n";
}

}  // namespace altiscope
