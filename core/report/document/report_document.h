#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace altiscope {

/// A value of a table: NULL, a whole number, a real one, or a text as it stands in the capture (any bytes).
using ReportValue = std::variant<std::monostate, std::int64_t, double, std::string>;

/// A column of a table of the report.
struct ReportColumn {
    std::string name;
    /// "ns", "stamp" (a point in time in ns), "bytes" (2^20 a megabyte), "transfer" (bytes, 10^6), "GB/s",
    /// "share" (0 to 1), or empty.
    std::string unit;
};

/// How a table is drawn: a bar for each row, its parts one after the other.
struct ReportChart {
    std::size_t label = 0;           ///< Column whose value names a row.
    std::vector<std::size_t> parts;  ///< Columns; empty: no chart.
};

/// A table of the report: rows of values with their units. Titles are translated already.
struct ReportTable {
    std::string title;
    std::string sql;  ///< Gives exactly these rows; empty: they are no result of a query.
    std::vector<ReportColumn> columns;
    std::vector<std::vector<ReportValue>> rows;
    ReportChart chart = {};
    std::size_t omitted = 0;  ///< Further rows, beyond the most that a table has.
    std::string note = {};    ///< Sentences above the rows; plain text. With one, no rows need no further word.
};

/// A part of the report under one heading.
struct ReportSection {
    std::string id;  ///< "facts", "steps", ...
    std::string title;
    std::string text;  ///< Paragraphs, a line each; plain text.
    std::vector<ReportTable> tables;
};

/// A picture that the user put into the report.
struct ReportPicture {
    std::string title, note;  ///< Plain text.
    std::string png;          ///< The bytes of a PNG file.
};

/// A document on one capture or on two: texts are in one language, values as the queries gave them.
struct Report {
    std::string title;
    std::string language;               ///< "en", "zh_CN"
    std::vector<std::string> captures;  ///< Paths, as the user gave them; the base last.
    std::string generated;              ///< UTC, "2026-01-31T12:00:00Z"
    std::string program;                ///< Name and version of the program.
    std::vector<ReportSection> sections;
    std::string scope = {};  ///< Ranks and steps that it is about, in words; empty: all.
    std::string notes = {};  ///< The user's: paragraphs, a line each; plain text.
    std::vector<ReportPicture> pictures = {};
};

/// The object of core/report/README.md, one line. Bytes that are no UTF-8 are replaced.
std::string reportJson(const Report& report);

/// One page of HTML that is also well-formed XML: charts are inline SVG, pictures of the user stand in it as they are,
/// nothing is loaded from anywhere, there is no script, and a policy in its head forbids both. Light and dark as the
/// reader's system says, light on paper. Texts of the capture are text, whatever they hold: what turns the direction of
/// what follows or is invisible is shown as an escape.
std::string reportHtml(const Report& report);

/// The same content as Markdown (CommonMark with GitHub's tables), for issues and wikis: the summary first, no charts,
/// pictures of the user as data in the text. Texts of the capture are text, as in reportHtml().
std::string reportMarkdown(const Report& report);

}  // namespace altiscope
