#include "core/query/statement_kinds.h"

#include "core/query/connection.h"
#include "core/query/lookup/capture_index.h"
#include "core/query/tables/statement_sources.h"

namespace altiscope {

std::optional<std::vector<RowKind>> summaryKindsRead(std::string_view sql) {
    const CaptureIndex nothing(std::make_shared<const CaptureStore>());
    const CancelToken never;
    Diagnostics problems;
    StatementLimits limits;
    StatementSources sources;
    const QueryContext context{nothing, never, problems, limits, sources};
    const auto connection = openConnection(context);
    if (!connection.ok()) return std::nullopt;
    sqlite3_stmt* raw = nullptr;
    const int rc =
        sqlite3_prepare_v2(connection.value().get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
    const Statement statement(raw);
    if (rc != SQLITE_OK || statement == nullptr) return std::nullopt;
    return sources.summaryKinds();
}

}  // namespace altiscope
