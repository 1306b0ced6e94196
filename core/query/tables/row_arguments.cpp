#include "core/query/tables/row_arguments.h"

#include "core/query/functions/sqlite_values.h"

namespace altiscope {

void resultArguments(sqlite3_context* result, const QueryContext& context, RankIndex rank, SourcePos pos) {
    const RankEntry& entry = context.index.rank(rank);
    if (entry.arguments == nullptr) return;
    entry.arguments->prepare(pos, context.cancel);
    if (context.cancel.cancelled()) return;
    const Result<std::string> text = entry.arguments->arguments(pos);
    if (text.ok()) {
        if (!text.value().empty()) resultCopy(result, text.value());
        return;
    }
    if (!text.failed()) return;
    const Error& error = text.error();
    const std::string& file = error.file.empty() ? entry.info.path : error.file;
    context.diagnostics.add(error.code, Severity::Lost, file, {PlaceUnit::Byte, pos.offset()}, error.parameters);
}

}  // namespace altiscope
