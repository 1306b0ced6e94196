#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/store/cache/scratch_folder.h"

#include <filesystem>
#include <memory>
#include <string>

namespace altiscope::reader {

/// A database that was not closed by its writer: what it wrote last lies in a file beside it ("-wal", or "-journal"
/// with what is to be taken back), and only SQLite can put both together, by writing. So that happens in a copy.
class DbCopy {
public:
    DbCopy(const DbCopy&) = delete;
    DbCopy& operator=(const DbCopy&) = delete;

    const std::filesystem::path& path() const { return m_path; }

    /// Whether the journal named another one, of a change over several databases. That name was cut off before SQLite
    /// read the journal, so the change was taken back here whatever became of it elsewhere.
    bool namedAnotherJournal() const { return m_namedAnotherJournal; }

    /// Whether something that has to be put together lies beside a database: a regular file with content, not a link.
    static bool isNeeded(const std::filesystem::path& database);

    /// Copies a database with what lies beside it, holes as holes, and lets SQLite complete it. SQLite touches the copy
    /// and what it keeps beside it, and no other file, whatever is in them.
    /// @param folder  Where copies may lie: the user's cache folder; empty: the system's folder for temporary files.
    /// @param cancel  Looked at for each MiB that is copied, and for each page that SQLite reads or writes.
    /// @return Error "db.no_space" with the bytes that are needed, or "db.not_copied" with the reason. Nothing is left
    ///         behind by an Error or when cancelled.
    static Result<std::shared_ptr<const DbCopy>> make(const std::filesystem::path& database,
                                                      const std::filesystem::path& folder, const CancelToken& cancel);

private:
    explicit DbCopy(std::shared_ptr<const ScratchFolder> folder)
        : m_folder(std::move(folder)), m_path(m_folder->path() / "copy.db") {}

    std::shared_ptr<const ScratchFolder> m_folder;
    std::filesystem::path m_path;
    bool m_namedAnotherJournal = false;
};

}  // namespace altiscope::reader
