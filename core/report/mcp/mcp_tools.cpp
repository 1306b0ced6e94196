#include "core/report/mcp/mcp_tools.h"

#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/compare/comparison.h"
#include "core/query/capture_summary.h"
#include "core/query/schema/schema.h"
#include "core/report/document/make_report.h"
#include "core/report/mcp/mcp_json.h"
#include "core/report/mcp/mcp_page.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace altiscope {

namespace {

constexpr std::int64_t kUsualRows = 200;

constexpr McpParameter kCapture{"capture", true, false, "Number of the capture from the tool captures; 0 by default"};
constexpr McpParameter kOffset{"offset", true, false, "Rows to skip: next_offset of the previous answer"};
constexpr McpParameter kLimit{"limit", true, false, "Rows at most; 200 by default"};

std::uint64_t offsetOf(const McpArguments& arguments) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, arguments.number("offset", 0)));
}
std::uint64_t rowLimitOf(const McpArguments& arguments) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(1, arguments.number("limit", kUsualRows)));
}

Result<std::string> rowsOf(McpCaptures& captures, const McpArguments& arguments, const std::string& sql,
                           const CancelToken& cancel) {
    const auto opened = captures.open(arguments.number("capture", 0));
    if (!opened.ok()) return opened.as<std::string>();
    return mcpRows(*opened.value()->database, sql, offsetOf(arguments), rowLimitOf(arguments), cancel);
}

Result<std::string> runCaptures(McpCaptures& captures, const McpArguments& arguments, const CancelToken&) {
    McpPage page(offsetOf(arguments), rowLimitOf(arguments));
    for (std::size_t i = 0; i < captures.paths().size(); ++i)
        if (!page.add("{\"capture\":" + std::to_string(i) + ",\"path\":" + jsonQuoted(captures.paths()[i]) + "}"))
            break;
    return page.text({});
}

/// Of the capture, or of one of its tables.
Result<std::string> runDescribe(McpCaptures& captures, const McpArguments& arguments, const CancelToken& cancel) {
    if (arguments.has("table")) {
        const TableInfo* table = findTable(arguments.text("table"));
        if (table == nullptr) return Error{"export.no_table", {}, {}, {{"table", arguments.text("table")}}};
        McpObject json{{"table", table->name}, {"meaning", table->meaning}, {"columns", McpObject::array()}};
        for (const ColumnInfo& column : table->columns)
            json["columns"].push_back({{"name", column.name}, {"unit", column.unit}, {"meaning", column.meaning}});
        return dumpJson(json);
    }
    const auto opened = captures.open(arguments.number("capture", 0));
    if (!opened.ok()) return opened.as<std::string>();
    const auto summary = summariseCapture(opened.value()->capture, cancel);
    if (!summary) return Cancelled{};
    McpObject json{{"path", summary->capture->path},
                   {"state", captureStateName(*summary->capture)},
                   {"ranks", summary->capture->ranks.size()},
                   {"findings", summary->findings.size()},
                   {"tables", McpObject::array()},
                   {"how_to_go_on",
                    "The tool sql reads these tables; describe with a table explains its columns. Times are "
                    "ns, sizes bytes."}};
    for (const auto& [name, rows] : summary->rows) {
        std::string columns;
        for (const ColumnInfo& column : findTable(name)->columns)
            columns += (columns.empty() ? "" : ", ") + std::string(column.name);
        json["tables"].push_back({{"table", name}, {"rows", rows}, {"columns", columns}});
    }
    return dumpJson(json);
}

Result<std::string> runSql(McpCaptures& captures, const McpArguments& arguments, const CancelToken& cancel) {
    return rowsOf(captures, arguments, arguments.text("sql"), cancel);
}

Result<std::string> runFindings(McpCaptures& captures, const McpArguments& arguments, const CancelToken& cancel) {
    return rowsOf(captures, arguments,
                  "SELECT severity, rule, rank_id, step, recoverable, title, detail, ts, dur, evidence FROM finding",
                  cancel);
}

Result<std::string> runSlices(McpCaptures& captures, const McpArguments& arguments, const CancelToken& cancel) {
    // Numbers alone: nothing of a caller's text becomes a part of the statement.
    const std::string start = std::to_string(arguments.number("start_ts", 0));
    const std::string end = std::to_string(arguments.number("end_ts", 0));
    std::string sql =
        "SELECT s.slice_id, s.rank_id, t.process, t.name AS track, s.name, s.ts, s.dur, s.depth FROM slice "
        "s JOIN track t USING (track_id) WHERE s.ts < " +
        end + " AND s.ts + s.dur > " + start;
    for (const char* column : {"rank_id", "track_id"})
        if (arguments.has(column))
            sql += " AND s." + std::string(column) + " = " + std::to_string(arguments.number(column, 0));
    return rowsOf(captures, arguments, sql, cancel);
}

/// All rows of a section's tables, one after the other.
Result<std::string> runReport(McpCaptures& captures, const McpArguments& arguments, const CancelToken& cancel) {
    const std::string section = arguments.text("section");
    const auto unknown = unknownSection({section});
    if (unknown || section == "compare") return Error{"mcp.no_section", {}, {}, {{"section", section}}};
    const auto opened = captures.open(arguments.number("capture", 0));
    if (!opened.ok()) return opened.as<std::string>();
    ReportRequest request;
    request.capture = opened.value()->capture->path;
    request.sections = {section};
    const auto report = makeReport(*opened.value()->database, request, cancel);
    if (!report.ok()) return report.as<std::string>();
    const McpObject json = parseOrderedJson(reportJson(report.value()));
    McpPage page(offsetOf(arguments), rowLimitOf(arguments));
    std::string head;
    for (const auto& part : json["sections"]) {
        head = "\"title\":" + dumpJson(part["title"]) + ",\"text\":" + dumpJson(part["text"]) + ",";
        for (const auto& table : part["tables"]) {
            std::string names;
            for (const auto& column : table["columns"])
                names += (names.empty() ? "" : ", ") + column["name"].get<std::string>();
            bool goesOn = page.add(dumpJson(McpObject{
                {"table", table["title"]}, {"sql", table["sql"]}, {"columns", names}, {"omitted", table["omitted"]}}));
            for (auto row = table["rows"].begin(); goesOn && row != table["rows"].end(); ++row)
                goesOn = page.add(dumpJson(*row));
            if (!goesOn) break;
        }
    }
    return page.text(head);
}

Result<std::string> runCompare(McpCaptures& captures, const McpArguments& arguments, const CancelToken& cancel) {
    const auto base = captures.open(arguments.number("base", 0));
    if (!base.ok()) return base.as<std::string>();
    const auto current = captures.open(arguments.number("current", 0));
    if (!current.ok()) return current.as<std::string>();
    const auto compared = compareSides({base.value()->capture, base.value()->database.get()},
                                       {current.value()->capture, current.value()->database.get()}, cancel);
    if (!compared.ok()) return compared.as<std::string>();
    McpPage page(offsetOf(arguments), rowLimitOf(arguments));
    for (const Difference& difference : compared.value().differences) {
        const Change& change = difference.change;
        const auto orNull = [](const std::optional<std::int64_t>& value) {
            return value ? McpObject(*value) : McpObject(nullptr);
        };
        if (!page.add(dumpJson(McpObject{dimensionName(difference.dimension), difference.key.substr(0, kMaxMcpValue),
                                         orNull(difference.rankId), differenceUnitName(difference.unit), change.base,
                                         change.current, change.change, orNull(change.low), orNull(change.high),
                                         change.significant})))
            break;
    }
    const auto& omitted = compared.value().omitted;
    return page.text("\"sentence\":" + jsonQuoted(comparisonSentence(compared.value(), "en")) +
                     ",\"omitted\":" + std::to_string(std::accumulate(omitted.begin(), omitted.end(), std::size_t{0})) +
                     ",\"columns\":[\"dimension\",\"key\",\"rank_id\",\"unit\",\"base\",\"current\",\"change\",\"low\","
                     "\"high\",\"significant\"],");
}

constexpr McpParameter kCaptureParameters[] = {kOffset, kLimit};
constexpr McpParameter kDescribe[] = {kCapture, {"table", false, false, "Explains the columns of this table instead"}};
constexpr McpParameter kSql[] = {
    {"sql", false, true, "One read-only SELECT in SQLite's dialect"}, kCapture, kOffset, kLimit};
constexpr McpParameter kFindings[] = {kCapture, kOffset, kLimit};
constexpr McpParameter kSlices[] = {{"start_ts", true, true, "Start of the time, ns of the trace's clock"},
                                    {"end_ts", true, true, "End of the time"},
                                    {"rank_id", true, false, "Of this rank alone"},
                                    {"track_id", true, false, "Of this track alone"},
                                    kCapture,
                                    kOffset,
                                    kLimit};
constexpr McpParameter kReport[] = {
    {"section", false, true, "facts, steps, findings, operators, communication, memory, diagnostics or method"},
    kCapture,
    kOffset,
    kLimit};
constexpr McpParameter kCompare[] = {{"base", true, true, "Number of the capture before"},
                                     {"current", true, true, "Number of the capture after"},
                                     kOffset,
                                     kLimit};

constexpr McpTool kTools[] = {
    {"captures", "Lists the captures by number", kCaptureParameters, runCaptures},
    {"describe", "What a capture holds: ranks, tables with their columns and rows", kDescribe, runDescribe},
    {"sql", "Rows of a read-only SQL statement over a capture", kSql, runSql},
    {"findings", "What the rules found, the worst first, with the time that each step could save", kFindings,
     runFindings},
    {"slices", "What ran in some time on host and device", kSlices, runSlices},
    {"report", "A section of the report: a table's title and statement, then its rows", kReport, runReport},
    {"compare", "What changed between two captures, the largest change first, and what is more than noise", kCompare,
     runCompare},
};

}  // namespace

std::string McpArguments::text(std::string_view name) const {
    const auto found = texts.find(name);
    return found == texts.end() ? std::string() : found->second;
}

std::int64_t McpArguments::number(std::string_view name, std::int64_t otherwise) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? otherwise : found->second;
}

Result<const McpCaptures::Opened*> McpCaptures::open(std::int64_t number) {
    const auto known = m_opened.find(number);
    if (known != m_opened.end()) return static_cast<const Opened*>(&known->second);
    if (number < 0 || static_cast<std::size_t>(number) >= m_paths.size())
        return Error{"mcp.no_capture", {}, {}, {{"number", std::to_string(number)}}};
    auto capture = m_open(m_paths[static_cast<std::size_t>(number)]);
    if (!capture.ok()) return capture.as<const Opened*>();
    Opened opened{capture.value(), std::make_unique<QueryDatabase>(capture.value())};
    return static_cast<const Opened*>(&m_opened.emplace(number, std::move(opened)).first->second);
}

std::span<const McpTool> mcpTools() { return kTools; }

}  // namespace altiscope
