#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <string>

namespace altiscope::reader {

/// A database that was not closed by its writer: what it wrote last lies in a file beside it ("-wal", or "-journal" with what
/// is to be taken back), and only SQLite can put both together, by writing. So that happens in a copy.
class DbCopy {
public:
    /// The copy's folder vanishes with the object.
    ~DbCopy();
    DbCopy(const DbCopy&) = delete;
    DbCopy& operator=(const DbCopy&) = delete;

    const std::filesystem::path& path() const { return m_path; }

    /// Whether something that has to be put together lies beside a database.
    static bool isNeeded(const std::filesystem::path& database);

    /// Copies a database with what lies beside it, and lets SQLite complete it.
    /// @param folder  Where copies may lie: the user's cache folder; empty: the system's folder for temporary files.
    /// @return Error "db.no_space" with the bytes that are needed, or "db.not_copied" with the reason.
    static Result<std::shared_ptr<const DbCopy>> make(const std::filesystem::path& database, const std::filesystem::path& folder);

private:
    explicit DbCopy(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    std::filesystem::path m_folder, m_path;
};

}  // namespace altiscope::reader
