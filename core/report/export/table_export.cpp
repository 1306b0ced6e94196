#include "core/report/export/table_export.h"

#include "core/base/files/pending_file.h"
#include "core/query/database.h"
#include "core/query/schema/schema.h"

namespace altiscope {

Result<TableExportSummary> exportTable(std::shared_ptr<const CaptureStore> capture, std::string_view table,
                                       ResultFormat format, const std::filesystem::path& file,
                                       const CancelToken& cancel) {
    if (findTable(table) == nullptr) return Error{"export.no_table", {}, {}, {{"table", std::string(table)}}};
    PendingFile out(file, PendingFile::Access::Shared, &cancel);
    const auto notWritten = [&] { return Error{"export.not_written", file.string(), {}, {{"reason", out.problem()}}}; };
    if (cancel.cancelled()) return Cancelled{};
    if (!out.opened()) return notWritten();
    TableExportSummary summary;
    const auto writer = makeResultWriter(format, [&](std::string_view text) {
        summary.bytes += text.size();
        return !cancel.cancelled() && out.write(text);
    });
    const QueryDatabase database(std::move(capture));
    const auto done = database.run("SELECT * FROM \"" + std::string(table) + '"', *writer, cancel);
    if (!done.ok()) return done.as<TableExportSummary>();
    if (writer->problem()) return *writer->problem();
    const bool isWritten = writer->finish();
    if (cancel.cancelled()) return Cancelled{};
    if (!isWritten || !out.keep()) return notWritten();
    summary.rows = done.value().rows;
    summary.diagnostics = done.value().diagnostics;
    return summary;
}

}  // namespace altiscope
