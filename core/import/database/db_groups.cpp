#include "core/import/database/db_groups.h"

#include "core/base/text/text.h"
#include "core/base/threads/parallel.h"
#include "core/import/sqlite/db_connection.h"

#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

Result<std::vector<std::string>> groupIds(const SourceFile& file, const CancelToken& cancel) {
    // A rank is in some dozens of groups; a damaged table must not fill the directory.
    static constexpr const char* kStatement =
        "SELECT value FROM STRING_IDS WHERE id IN (SELECT DISTINCT groupName FROM "
        "COMMUNICATION_OP) ORDER BY id LIMIT 10000";
    // A database that cannot be read is reported by the reader of the timeline, to which both tables belong.
    std::vector<std::string> ids;
    const auto connection = openDatabase(file.path, file.name, &cancel);
    if (connection.cancelled()) return ids;
    if (!connection.ok()) return mayPass(connection.error()) ? connection.as<std::vector<std::string>>() : ids;
    const DatabaseQuery query = prepareQuery(connection.value().get(), kStatement);
    int code = query ? SQLITE_OK : sqlite3_errcode(connection.value().get());
    while (query && (code = sqlite3_step(query.get())) == SQLITE_ROW) {
        const auto text = columnText(query.get(), 0);
        if (!text) continue;
        std::string id = repairedUtf8(*text);
        // Digits alone are a hash already.
        if (id != "N/A" && id.find_first_not_of("0123456789") != std::string::npos) ids.push_back(std::move(id));
    }
    if (mayPass(code) && !cancel.cancelled())
        return databaseError(code, sqlite3_errmsg(connection.value().get()), file.name);
    return ids;
}

}  // namespace

void addDatabaseGroups(const std::vector<RankManifest>& ranks, GroupDirectory& groups, Diagnostics& diagnostics,
                       const CancelToken& cancel) {
    std::vector<const SourceFile*> files;
    for (const RankManifest& rank : ranks) {
        for (const SourceFile& file : rank.traces) {
            if (file.format == SourceFormat::Database) files.push_back(&file);
        }
    }
    std::vector<Result<std::vector<std::string>>> ids(files.size(), std::vector<std::string>());
    parallelFor(files.size(), [&](std::size_t i) {
        if (!cancel.cancelled()) ids[i] = groupIds(*files[i], cancel);
    });
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i].failed())
            diagnostics.add(ids[i].error().code, Severity::Lost, files[i]->name, {}, ids[i].error().parameters);
        if (!ids[i].ok()) continue;
        for (std::string& id : ids[i].value()) {
            std::string hash = groupHash(id);
            groups.add(KnownGroup{std::move(id), std::move(hash), {}, {}});
        }
    }
}

}  // namespace altiscope::reader
