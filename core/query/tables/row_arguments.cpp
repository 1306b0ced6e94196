#include "core/query/tables/row_arguments.h"

#include "core/base/text/json_text.h"
#include "core/query/functions/sqlite_values.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace altiscope {

namespace {

/// Empty if it has none, or they cannot be read any more, or the query is cancelled.
std::string argumentsAt(const QueryContext& context, RankIndex rank, SourcePos pos) {
    const RankEntry& entry = context.index.rank(rank);
    if (entry.arguments == nullptr) return {};
    entry.arguments->prepare(pos, context.cancel);
    if (context.cancel.cancelled()) return {};
    Result<std::string> text = entry.arguments->arguments(pos);
    if (text.ok()) return std::move(text).value();
    if (!text.failed()) return {};
    const Error& error = text.error();
    const std::string& file = error.file.empty() ? entry.info.path : error.file;
    context.diagnostics.add(error.code, Severity::Lost, file, {PlaceUnit::Byte, pos.offset()}, error.parameters);
    return {};
}

}  // namespace

void resultArguments(sqlite3_context* result, const QueryContext& context, RankIndex rank, SourcePos pos) {
    if (const std::string text = argumentsAt(context, rank, pos); !text.empty()) resultCopy(result, text);
}

void resultArgument(sqlite3_context* result, const QueryContext& context, RankIndex rank, SourcePos pos,
                    std::string_view key) {
    const std::string text = argumentsAt(context, rank, pos);
    // Most have none, and JSON takes longer than to look.
    if (text.find(key) == std::string::npos) return;
    const nlohmann::json arguments = parseJson(text);
    if (!arguments.is_object()) return;
    const auto found = arguments.find(key);
    if (found != arguments.end() && found->is_string()) resultCopy(result, found->get_ref<const std::string&>());
}

}  // namespace altiscope
