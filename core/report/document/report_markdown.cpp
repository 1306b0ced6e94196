#include "core/base/text/catalogue.h"
#include "core/base/text/printable_text.h"
#include "core/base/values/digits.h"
#include "core/report/document/html_text.h"
#include "core/report/document/report_document.h"
#include "core/report/document/report_summary.h"

#include <algorithm>

namespace altiscope {

namespace {

/// A text of the capture as text of one line: what CommonMark and its tables read as markup has a backslash, and so has
/// what GitHub makes a link of (http://, www., name@host).
std::string markdownText(std::string_view text) {
    static constexpr std::string_view kMarkup = "\\`*_[]<>|~&$#@", kWeb = "www";
    const std::string line = printableText(text);
    std::string escaped;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool isScheme = line.compare(i, 2, ":/") == 0, isHost = line[i] == '.' && escaped.ends_with(kWeb);
        // Inside a word it is no markup, and most names have some.
        const bool isInWord = line[i] == '_' && i > 0 && isAlnum(line[i - 1]) && isAlnum(line[i + 1]);
        if (isScheme || isHost || (!isInWord && kMarkup.find(line[i]) != std::string_view::npos)) escaped += '\\';
        escaped += line[i];
    }
    return escaped;
}

/// Begins a paragraph, where a number, a dash or a plus would begin a list, and "=" would underline what is above.
/// Blanks around it go: four of them would begin code.
std::string paragraphText(std::string_view text) {
    static constexpr std::string_view kBlanks = " \t\r";
    const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
    std::string line = markdownText(text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin));
    const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    const bool isNumber = digits > 0 && digits < line.size() && (line[digits] == '.' || line[digits] == ')');
    if (isNumber) line.insert(digits, 1, '\\');
    else if (!line.empty() && std::string_view("-+=").find(line.front()) != std::string_view::npos)
        line.insert(0, 1, '\\');
    return line;
}

std::string markdownParagraphs(std::string_view text) {
    std::string markdown;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string line = paragraphText(text.substr(0, end));
        if (!line.empty()) markdown += line + "\n\n";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return markdown;
}

/// Code in a fence that is longer than any run of backticks in it.
std::string fenced(std::string_view code) {
    std::size_t longest = 2, run = 0;
    for (const char c : code) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    return fence + "sql\n" + std::string(code) + "\n" + fence + "\n\n";
}

std::string tableMarkdown(const ReportTable& table, const std::string& language) {
    std::string markdown = "### " + markdownText(table.title) + "\n\n" + markdownParagraphs(table.note);
    if (table.rows.empty()) {
        if (table.note.empty()) markdown += markdownText(catalogueText("report.no_rows", language)) + "\n\n";
    } else {
        std::string heads = "|", rules = "|";
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            heads += ' ' + markdownText(headingOf(table.columns[i], language)) + " |";
            rules += isNumeric(table, i) ? " ---: |" : " --- |";
        }
        markdown += heads + '\n' + rules + '\n';
        for (const auto& row : table.rows) {
            markdown += '|';
            for (std::size_t i = 0; i < row.size(); ++i)
                markdown += ' ' + markdownText(cellText(table, row, i, language)) + " |";
            markdown += '\n';
        }
        markdown += '\n';
        if (table.omitted > 0)
            markdown += markdownText(catalogueText("report.omitted", language,
                                                   {{"shown", std::to_string(table.rows.size())},
                                                    {"all", std::to_string(table.rows.size() + table.omitted)}})) +
                        "\n\n";
    }
    return table.sql.empty() ? markdown : markdown + fenced(table.sql);
}

std::string summaryMarkdown(const Report& report) {
    const ReportSummary summary = summaryOf(report);
    if (summary.facts == nullptr && summary.sections.empty()) return {};
    std::string markdown = "## " + markdownText(catalogueText("report.summary", report.language)) + "\n\n";
    if (summary.facts != nullptr) {
        for (std::size_t i = 0; i < summary.facts->columns.size(); ++i) {
            const ReportColumn& column = summary.facts->columns[i];
            const std::string value = valueText(summary.facts->rows[0][i], column.unit, report.language);
            markdown += "- " + markdownText(headingOf(column, report.language)) + ": **" +
                        (value.empty() ? "\xE2\x80\x93" : markdownText(value)) + "**\n";
        }
        markdown += '\n';
    }
    for (const ReportSection* section : summary.sections) markdown += markdownParagraphs(section->text);
    if (summary.findings == nullptr) return markdown;
    const std::size_t count = std::min(summary.findings->rows.size(), ReportSummary::kMaxFindings);
    for (std::size_t row = 0; row < count; ++row) {
        const std::string severity = exactText(valueOf(*summary.findings, row, "severity"));
        const std::string saving = savingText(*summary.findings, row);
        markdown += "- **" + markdownText(catalogueText(severityCode(severity), report.language)) + "** " +
                    markdownText(exactText(valueOf(*summary.findings, row, "title"))) +
                    (saving.empty() ? std::string() : " (" + markdownText(saving) + ")") + '\n';
    }
    return count == 0 ? markdown : markdown + '\n';
}

}  // namespace

std::string reportMarkdown(const Report& report) {
    std::string markdown = "# " + markdownText(report.title) + "\n\n";
    for (const std::string& capture : report.captures) markdown += paragraphText(capture) + "\n\n";
    markdown += paragraphText(report.program + ", " + report.generated) + "\n\n";
    markdown += markdownParagraphs(report.scope) + markdownParagraphs(report.notes) + summaryMarkdown(report);
    if (!report.pictures.empty()) {
        markdown += "## " + markdownText(catalogueText("report.pictures", report.language)) + "\n\n";
        for (const ReportPicture& picture : report.pictures)
            markdown += "![" + markdownText(picture.title) + "](data:image/png;base64," + base64Text(picture.png) +
                        ")\n\n" + markdownParagraphs(picture.note);
    }
    for (const ReportSection& section : report.sections) {
        markdown += "## " + markdownText(section.title) + "\n\n" + markdownParagraphs(section.text);
        for (const ReportTable& table : section.tables) markdown += tableMarkdown(table, report.language);
    }
    return markdown;
}

}  // namespace altiscope
