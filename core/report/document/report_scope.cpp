#include "core/report/document/report_scope.h"

#include "core/base/text/catalogue.h"
#include "core/base/values/parse.h"

#include <cctype>

namespace altiscope {

namespace {

/// A table, and the statement that gives its rows by rank and by step; {ranks} and {steps} are lists of numbers. An
/// empty one: the table does not know of them.
struct ScopedTable {
    std::string_view name, byRank, byStep;
    /// Where steps are chosen in place of the table; empty: the table itself.
    std::string_view ofSteps = {};
};

constexpr ScopedTable kTables[] = {
    {"rank", "rank_id IN ({ranks})", ""},
    {"metadata", "rank_id IN ({ranks})", ""},
    {"step_breakdown", "rank_id IN ({ranks})", "step IN ({steps})"},
    {"finding", "(rank_id IS NULL OR rank_id IN ({ranks}))", "(step IS NULL OR step IN ({steps}))"},
    {"op_stat", "rank_id IN ({ranks})", "",
     "SELECT rank_id, recording, 'computed' AS origin, type AS name, accelerator_core AS core_type, count(*) AS count, "
     "sum(dur) AS total, max(dur) AS max FROM main.kernel WHERE kind = 'compute' AND step IN ({steps}) GROUP BY "
     "rank_id, recording, type, accelerator_core"},
    {"api_stat", "rank_id IN ({ranks})", ""},
    {"collective", "rank_id IN ({ranks})", "step IN ({steps})"},
    {"link", "rank_id IN ({ranks})", "step IN ({steps})"},
    {"bandwidth", "rank_id IN ({ranks})", "step IN ({steps})"},
    {"memory_sample", "rank_id IN ({ranks})", "",
     "SELECT m.* FROM main.memory_sample m JOIN main.step s ON s.rank_id IS m.rank_id AND s.recording IS m.recording "
     "AND m.ts >= s.start_ts AND m.ts < s.end_ts WHERE s.step IN ({steps})"},
    {"allocation", "rank_id IN ({ranks})", ""},
};

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether the statement names the table as one that it reads.
bool reads(std::string_view sql, std::string_view table) {
    for (const std::string_view before : {"FROM ", "JOIN "}) {
        const std::string wanted = std::string(before) + std::string(table);
        for (std::size_t at = sql.find(wanted); at != std::string_view::npos; at = sql.find(wanted, at + 1)) {
            const std::size_t end = at + wanted.size();
            if (end == sql.size() || !isWordCharacter(sql[end])) return true;
        }
    }
    return false;
}

std::string listOf(const std::vector<std::int64_t>& numbers) {
    std::string list;
    for (const std::int64_t number : numbers) list += (list.empty() ? "" : ",") + std::to_string(number);
    return list;
}

std::string filled(std::string_view text, const ReportScope& scope) {
    std::string sql(text);
    for (const auto& [name, numbers] :
         {std::pair(std::string_view("{ranks}"), &scope.ranks), std::pair(std::string_view("{steps}"), &scope.steps)})
        for (std::size_t at = sql.find(name); at != std::string::npos; at = sql.find(name, at))
            sql.replace(at, name.size(), listOf(*numbers));
    return sql;
}

/// The rows of a table that are in the scope; empty where these are all.
std::string definitionOf(const ScopedTable& table, const ReportScope& scope) {
    const bool bySteps = !scope.steps.empty() && !(table.byStep.empty() && table.ofSteps.empty());
    if (scope.ranks.empty() && !bySteps) return {};
    std::string sql = "SELECT * FROM main." + std::string(table.name);
    if (bySteps && !table.ofSteps.empty()) sql = "SELECT * FROM (" + std::string(table.ofSteps) + ")";
    std::string conditions;
    if (!scope.ranks.empty()) conditions = table.byRank;
    if (bySteps && table.ofSteps.empty()) conditions += (conditions.empty() ? "" : " AND ") + std::string(table.byStep);
    if (!conditions.empty()) sql += " WHERE " + conditions;
    return std::string(table.name) + " AS (" + filled(sql, scope) + ")";
}

}  // namespace

std::string scopedStatement(std::string_view sql, const ReportScope& scope) {
    static constexpr std::string_view kWith = "WITH ";
    std::string views;
    for (const ScopedTable& table : kTables) {
        if (scope.empty() || !reads(sql, table.name)) continue;
        const std::string view = definitionOf(table, scope);
        if (!view.empty()) views += (views.empty() ? "" : ", ") + view;
    }
    if (views.empty()) return std::string(sql);
    if (!sql.starts_with(kWith)) return std::string(kWith) + views + " " + std::string(sql);
    return std::string(kWith) + views + ", " + std::string(sql.substr(kWith.size()));
}

std::string scopeText(const ReportScope& scope, std::string_view language) {
    std::string text;
    if (!scope.ranks.empty())
        text = catalogueText("report.scope.ranks", language, {{"ranks", numberRanges(scope.ranks)}});
    if (!scope.steps.empty())
        text += (text.empty() ? "" : " ") +
                catalogueText("report.scope.steps", language, {{"steps", numberRanges(scope.steps)}});
    return text;
}

}  // namespace altiscope
