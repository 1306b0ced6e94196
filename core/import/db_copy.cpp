#include "core/import/db_copy.h"

#include "core/import/db_connection.h"
#include "core/store/store_cache.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <system_error>

namespace altiscope::reader {

namespace fs = std::filesystem;

namespace {

constexpr const char* kBeside[] = {"-wal", "-journal"};

fs::path beside(const fs::path& database, const char* ending) {
    fs::path path = database;
    path += ending;
    return path;
}

/// 0 if there is none.
std::uint64_t sizeOf(const fs::path& path) {
    std::error_code error;
    const auto size = fs::file_size(path, error);
    return error ? 0 : size;
}

Error notCopied(const fs::path& database, const std::string& reason) { return {"db.not_copied", database.string(), {}, {{"reason", reason}}}; }

/// Merges what lies beside a copied database into it.
Result<Done> complete(const fs::path& database, const fs::path& original) {
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(database.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    const DatabaseHandle connection(raw);
    // Leaving the log mode writes the log into the database; the first look takes an unfinished change back.
    if (code == SQLITE_OK && sqlite3_exec(raw, "SELECT count(*) FROM sqlite_master; PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr) == SQLITE_OK)
        return Done{};
    return notCopied(original, raw == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(raw));
}

}  // namespace

DbCopy::~DbCopy() {
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
}

bool DbCopy::isNeeded(const fs::path& database) {
    for (const char* ending : kBeside) {
        if (sizeOf(beside(database, ending)) > 0) return true;
    }
    return false;
}

Result<std::shared_ptr<const DbCopy>> DbCopy::make(const fs::path& database, const fs::path& folder) {
    std::error_code error;
    const fs::path parent = folder.empty() ? fs::temp_directory_path(error) : folder;
    if (!error) fs::create_directories(parent, error);
    if (error) return notCopied(database, error.message());
    std::uint64_t bytes = sizeOf(database);
    for (const char* ending : kBeside) bytes += sizeOf(beside(database, ending));
    // Merging may write every page once more.
    const auto space = fs::space(parent, error);
    if (!error && space.available / 2 < bytes) return Error{"db.no_space", database.string(), {}, {{"bytes", std::to_string(2 * bytes)}}};

    std::string name = (parent / StoreCache::scratchPattern()).string();
    if (::mkdtemp(name.data()) == nullptr) return notCopied(database, std::error_code(errno, std::generic_category()).message());
    const std::shared_ptr<DbCopy> copy(new DbCopy(name));
    copy->m_path = copy->m_folder / "copy.db";
    fs::copy_file(database, copy->m_path, error);
    for (const char* ending : kBeside) {
        if (!error && sizeOf(beside(database, ending)) > 0) fs::copy_file(beside(database, ending), beside(copy->m_path, ending), error);
    }
    if (error) return notCopied(database, error.message());
    fs::permissions(copy->m_path, fs::perms::owner_read | fs::perms::owner_write, fs::perm_options::replace, error);
    const auto completed = complete(copy->m_path, database);
    if (!completed.ok()) return completed.as<std::shared_ptr<const DbCopy>>();
    return std::shared_ptr<const DbCopy>(copy);
}

}  // namespace altiscope::reader
