#include "core/import/sqlite/db_copy.h"

#include "core/base/files/sqlite_guard.h"
#include "core/import/files/sparse_copy.h"
#include "core/import/sqlite/db_connection.h"
#include "core/import/sqlite/journal_tail.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <system_error>

namespace altiscope::reader {

namespace fs = std::filesystem;

namespace {

constexpr const char* kJournalEnding = "-journal";
constexpr const char* kBeside[] = {"-wal", kJournalEnding};
constexpr int kInstructionsPerStop = 20'000;  // some milliseconds at most

fs::path beside(const fs::path& database, const char* ending) {
    fs::path path = database;
    path += ending;
    return path;
}

/// Whether something lies there that SQLite would read. A link may lead anywhere, and what is no regular file has no
/// end.
/// @param error  Set if the system does not say.
bool hasContent(const fs::path& path, std::error_code& error) {
    const fs::file_status status = fs::symlink_status(path, error);
    // Without its folder, or under an impossible name, it is not there; without permission to look, it cannot be read.
    const bool isKnown = fs::exists(status) || status.type() == fs::file_type::not_found ||
                         error == std::errc::filename_too_long || error == std::errc::permission_denied;
    if (isKnown) error.clear();
    if (error || !fs::is_regular_file(status)) return false;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error == std::errc::no_such_file_or_directory) error.clear();
    return !error && size != static_cast<std::uintmax_t>(-1) && size > 0;
}

Error notCopied(const fs::path& database, const std::string& reason) {
    return {"db.not_copied", database.string(), {}, {{"reason", reason}}};
}

template <class T>
Error notCopied(const fs::path& database, const Result<T>& failed) {
    const auto& parameters = failed.error().parameters;
    return notCopied(database, parameters.empty() ? failed.error().code : parameters.front().second);
}

int stopsCompleting(void* token) { return static_cast<const CancelToken*>(token)->cancelled() ? 1 : 0; }

/// Merges what lies beside a copied database into it.
Result<Done> complete(const fs::path& database, const fs::path& original, const CancelToken& cancel) {
    const WritableSqliteFiles files(database, cancel);
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(database.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, files.name());
    const DatabaseHandle connection(raw);
    if (code == SQLITE_OK) {
        trustNothing(raw);
        // Where this takes back an unfinished change, the rows of the schema are not counted.
        if (const auto schema = readSchema(raw, original.string(), &cancel); !schema.ok()) return schema;
        sqlite3_progress_handler(raw, kInstructionsPerStop, stopsCompleting, const_cast<CancelToken*>(&cancel));
        // Leaving the log mode writes the log into the database; the first look takes an unfinished change back.
        static constexpr const char* kMerge = "SELECT count(*) FROM sqlite_master; PRAGMA journal_mode = DELETE";
        if (sqlite3_exec(raw, kMerge, nullptr, nullptr, nullptr) == SQLITE_OK) return Done{};
    }
    if (cancel.cancelled()) return Cancelled{};
    return notCopied(original, raw == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(raw));
}

}  // namespace

bool DbCopy::isNeeded(const fs::path& database) {
    return std::any_of(std::begin(kBeside), std::end(kBeside), [&](const char* ending) {
        std::error_code error;
        return hasContent(beside(database, ending), error) || error;
    });
}

Result<std::shared_ptr<const DbCopy>> DbCopy::make(const fs::path& database, const fs::path& folder,
                                                   const CancelToken& cancel) {
    using Made = std::shared_ptr<const DbCopy>;
    std::error_code error;
    const fs::path parent = folder.empty() ? fs::temp_directory_path(error) : folder;
    const auto scratch = error ? nullptr : ScratchFolder::make(parent, cancel, error);
    if (!scratch) return notCopied(database, error.message());
    std::uint64_t bytes = bytesOnDisk(database);
    for (const char* ending : kBeside) bytes += bytesOnDisk(beside(database, ending));
    // Merging may write every page once more.
    std::error_code unknown;
    const auto space = fs::space(parent, unknown);
    if (!unknown && space.available / 2 < bytes)
        return Error{"db.no_space", database.string(), {}, {{"bytes", std::to_string(2 * bytes)}}};

    const std::shared_ptr<DbCopy> copy(new DbCopy(scratch));
    auto copied = copySparse(database, copy->m_path, cancel);
    for (const char* ending : kBeside) {
        if (copied.ok() && !error && hasContent(beside(database, ending), error))
            copied = copySparse(beside(database, ending), beside(copy->m_path, ending), cancel);
    }
    if (copied.cancelled()) return Cancelled{};
    if (error) return notCopied(database, error.message());
    if (copied.failed()) return notCopied(database, copied);
    const fs::path journal = beside(copy->m_path, kJournalEnding);
    const bool hasJournal = hasContent(journal, error);
    if (error) return notCopied(database, error.message());
    if (hasJournal) {
        const auto cut = cutSuperJournalName(journal);
        if (!cut.ok()) return notCopied(database, cut);
        copy->m_namedAnotherJournal = cut.value();
    }
    const auto completed = complete(copy->m_path, database, cancel);
    if (!completed.ok()) return completed.as<Made>();
    return Made(copy);
}

}  // namespace altiscope::reader
