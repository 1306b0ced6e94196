#include "core/report/mcp/mcp_tools.h"

#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/compare/comparison.h"
#include "core/query/capture_summary.h"
#include "core/query/schema/schema.h"
#include "core/query/schema/table_functions.h"
#include "core/report/document/make_report.h"
#include "core/report/mcp/mcp_json.h"
#include "core/report/mcp/mcp_page.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

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
                           const CancelToken& cancel, std::span<const QueryParameter> parameters = {}) {
    const auto opened = captures.open(arguments.number("capture", 0));
    if (!opened.ok()) return opened.as<std::string>();
    return mcpRows(*opened.value()->database, {sql, parameters}, offsetOf(arguments), rowLimitOf(arguments), cancel);
}

Result<std::string> runCaptures(McpCaptures& captures, const McpArguments& arguments, const CancelToken&) {
    McpPage page(offsetOf(arguments), rowLimitOf(arguments));
    for (std::size_t i = 0; i < captures.paths().size(); ++i)
        if (!page.add("{\"capture\":" + std::to_string(i) + ",\"path\":" + jsonQuoted(captures.paths()[i]) + "}"))
            break;
    return page.text({});
}

/// Traps of sums over these tables.
constexpr std::string_view kTraps[] = {
    "Times are of each rank's own clock: compare ranks by ts + rank.clock_offset.",
    "Tables with a column origin hold recorded rows and rows that were computed beside them: choose one, or sums are "
    "twice as large.",
    "Kernels of several streams run at the same time, and slices nest: sum(dur) is no time that has passed. "
    "merge('kernel', 'rank_id') is.",
    "Rows outside of all steps have step NULL.",
    "An empty table was not recorded, or its file is missing: the diagnostics and rank.source say more; it is not 0.",
    "collective has a row of each rank: count(DISTINCT instance) counts collectives.",
    "A megabyte is 10^6 bytes of communication, and 2^20 bytes of memory.",
};

/// The first ones, with how many more there are.
McpObject diagnosticsJson(const CaptureStore& capture) {
    static constexpr std::size_t kMost = 40, kMessage = 400;
    McpObject list = McpObject::array();
    const auto entries = diagnosticsOf(capture);
    for (const Diagnostic& entry : std::span(entries).first(std::min(kMost, entries.size()))) {
        const std::string text = diagnosticText(entry);
        list.push_back({{"code", entry.code}, {"message", text.substr(0, utf8Prefix(text, kMessage))}});
    }
    return {{"entries", list}, {"omitted", entries.size() - list.size()}};
}

std::string columnsJson(std::string_view name, std::string_view meaning, std::span<const ColumnInfo> columns) {
    McpObject json{{"table", name}, {"meaning", meaning}, {"columns", McpObject::array()}};
    for (const ColumnInfo& column : columns)
        json["columns"].push_back({{"name", column.name}, {"unit", column.unit}, {"meaning", column.meaning}});
    return dumpJson(json);
}

/// Describes the capture, or one of its tables.
Result<std::string> runDescribe(McpCaptures& captures, const McpArguments& arguments, const CancelToken& cancel) {
    if (arguments.has("table")) {
        const std::string name = arguments.text("table");
        if (const TableInfo* table = findTable(name)) return columnsJson(table->name, table->meaning, table->columns);
        for (const ViewInfo& view : schemaViews())
            if (view.name == name) return columnsJson(view.name, view.meaning, view.columns);
        for (const TableFunctionInfo& function : tableFunctions())
            if (function.name == name) return columnsJson(function.call, function.meaning, function.columns);
        return Error{"export.no_table", {}, {}, {{"table", name}}};
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
    for (const std::string_view trap : kTraps) json["traps"].push_back(trap);
    json["diagnostics"] = diagnosticsJson(*summary->capture);
    for (const auto& [name, rows] : summary->rows) {
        std::string columns;
        for (const ColumnInfo& column : findTable(name)->columns)
            columns += (columns.empty() ? "" : ", ") + std::string(column.name);
        json["tables"].push_back({{"table", name}, {"rows", rows}, {"columns", columns}});
    }
    McpObject views = McpObject::array();
    for (const ViewInfo& view : schemaViews()) views.push_back({{"view", view.name}, {"meaning", view.meaning}});
    for (const TableFunctionInfo& function : tableFunctions())
        views.push_back({{"function", function.call}, {"meaning", function.meaning}});
    json["views"] = std::move(views);
    return dumpJson(json);
}

Result<std::string> runSql(McpCaptures& captures, const McpArguments& arguments, const CancelToken& cancel) {
    return rowsOf(captures, arguments, arguments.text("sql"), cancel);
}

Result<std::string> runFindings(McpCaptures& captures, const McpArguments& arguments, const CancelToken& cancel) {
    std::string sql =
        "SELECT severity, rule, rank_id, step, recoverable, title, detail, ts, dur, evidence FROM finding WHERE true";
    std::vector<QueryParameter> parameters;
    for (const std::string_view name : {"severity", "rule"}) {
        if (!arguments.has(name)) continue;
        sql += " AND " + std::string(name) + " = :" + std::string(name);
        parameters.push_back({":" + std::string(name), arguments.text(name)});
    }
    if (arguments.has("rank_id")) sql += " AND rank_id = " + std::to_string(arguments.number("rank_id", 0));
    return rowsOf(captures, arguments, sql, cancel, parameters);
}

Result<std::string> runSlices(McpCaptures& captures, const McpArguments& arguments, const CancelToken& cancel) {
    // Nothing of a caller's text becomes a part of the statement.
    std::string sql =
        "SELECT s.slice_id, s.rank_id, t.process, t.name AS track, s.name, s.ts, s.dur, s.depth FROM slice "
        "s JOIN track t USING (track_id) WHERE true";
    if (arguments.has("end_ts")) sql += " AND s.ts < " + std::to_string(arguments.number("end_ts", 0));
    if (arguments.has("start_ts")) sql += " AND s.ts + s.dur > " + std::to_string(arguments.number("start_ts", 0));
    std::vector<QueryParameter> parameters;
    if (const std::string name = arguments.text("name"); !name.empty()) {
        sql += name.find_first_of("*?[") == std::string::npos ? " AND s.name = :name" : " AND s.name GLOB :name";
        parameters.push_back({":name", name});
    }
    for (const char* column : {"rank_id", "track_id"})
        if (arguments.has(column))
            sql += " AND s." + std::string(column) + " = " + std::to_string(arguments.number(column, 0));
    return rowsOf(captures, arguments, sql, cancel, parameters);
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

/// A side of a comparison; `prefix` is that of its parameters.
Result<ComparisonSide> sideOf(const McpCaptures::Opened& opened, const McpArguments& arguments,
                              const std::string& prefix) {
    ComparisonSide side{opened.capture, opened.database.get(), {}, {}};
    for (const auto& [name, numbers] : {std::pair("ranks", &side.ranks), std::pair("steps", &side.steps)}) {
        const std::string full = prefix + name, text = arguments.text(full);
        if (!arguments.has(full)) continue;
        *numbers = numbersOf(text);
        if (!*numbers || (*numbers)->empty())
            return Error{"mcp.no_numbers", {}, {}, {{"name", full}, {"text", text.substr(0, utf8Prefix(text, 100))}}};
    }
    return side;
}

Result<std::string> runCompare(McpCaptures& captures, const McpArguments& arguments, const CancelToken& cancel) {
    const auto base = captures.open(arguments.number("base", 0));
    if (!base.ok()) return base.as<std::string>();
    const auto current = captures.open(arguments.number("current", 0));
    if (!current.ok()) return current.as<std::string>();
    const auto before = sideOf(*base.value(), arguments, "base_"), after = sideOf(*current.value(), arguments, {});
    if (!before.ok()) return before.as<std::string>();
    if (!after.ok()) return after.as<std::string>();
    const auto compared = compareSides(before.value(), after.value(), cancel);
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
constexpr McpParameter kFindings[] = {{"severity", false, false, "high, medium or low alone"},
                                      {"rule", false, false, "Of this rule alone, as slow_rank"},
                                      {"rank_id", true, false, "Of this rank alone"},
                                      kCapture,
                                      kOffset,
                                      kLimit};
constexpr McpParameter kSlices[] = {{"start_ts", true, false, "Start of the time, ns of the trace's clock"},
                                    {"end_ts", true, false, "End of the time"},
                                    {"name", false, false, "Of this name alone; * and ? stand for other letters"},
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
                                     {"current", true, true, "Number of the capture after; it may be the same"},
                                     {"base_ranks", false, false, "Ranks of the one before, as 0,2,4-7; all without"},
                                     {"ranks", false, false, "Ranks of the one after"},
                                     {"base_steps", false, false, "Steps of the one before, as 5-9"},
                                     {"steps", false, false, "Steps of the one after"},
                                     kOffset,
                                     kLimit};

constexpr std::string_view kObjects =
    R"({"type":"object","properties":{"rows":{"type":"array","items":{"type":"object"}},)"
    R"("next_offset":{"type":["integer","null"]}},"required":["rows","next_offset"]})";
constexpr std::string_view kRows =
    R"({"type":"object","properties":{"columns":{"type":"array","items":{"type":"string"}},)"
    R"("rows":{"type":"array","items":{"type":"array"}},"next_offset":{"type":["integer","null"]}},)"
    R"("required":["columns","rows","next_offset"]})";
constexpr std::string_view kAnyRows =
    R"({"type":"object","properties":{"title":{"type":"string"},"text":{"type":"string"},"rows":{"type":"array"},)"
    R"("next_offset":{"type":["integer","null"]}},"required":["rows","next_offset"]})";
constexpr std::string_view kDescription =
    R"({"type":"object","properties":{"path":{"type":"string"},"state":{"type":"string"},"ranks":{"type":"integer"},)"
    R"("findings":{"type":"integer"},"tables":{"type":"array","items":{"type":"object"}},)"
    R"("traps":{"type":"array","items":{"type":"string"}},"diagnostics":{"type":"object"},)"
    R"("table":{"type":"string"},"meaning":{"type":"string"},"columns":{"type":"array","items":{"type":"object"}}}})";

constexpr McpTool kTools[] = {
    {"captures", "Lists the captures by number", kCaptureParameters, kObjects, runCaptures},
    {"describe", "What a capture holds: ranks, tables with their columns and rows, diagnostics, and traps of sums",
     kDescribe, kDescription, runDescribe},
    {"sql", "Rows of a read-only SQL statement over a capture", kSql, kRows, runSql},
    {"findings", "What the rules found, the worst first, with the time that each step could save", kFindings, kRows,
     runFindings},
    {"slices", "What ran in some time or under some name, on host and device", kSlices, kRows, runSlices},
    {"report", "A section of the report: a table's title and statement, then its rows", kReport, kAnyRows, runReport},
    {"compare",
     "What changed between two captures, ranks or steps, the largest change first, and what is more than noise",
     kCompare, kRows, runCompare},
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
