#pragma once

#include "core/base/values/cancel.h"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace altiscope {

/// SQLite opens, creates and deletes files whose names stand in the files that it reads: a journal may name a second
/// one, which is deleted once the first was applied. So each connection of ours reaches the file system through one of
/// these guards (a "VFS" of SQLite), which knows what the connection is for; whatever else SQLite looks for is not
/// there, and what it wants to open or delete is refused. Source: sqlite.org/vfs.html, sqlite.org/fileformat2.html
/// section 3.

/// Bytes of all temporary files of SQLite in this process; a file is also refused more than half of what is free when
/// it is made. A statement that wants more fails with SQLITE_FULL.
inline constexpr std::int64_t kMaxTemporaryBytes = std::int64_t{16} << 30;

/// From now on no temporary file of SQLite is made in a folder or below it, whatever the environment says of such
/// files: it is a capture. Any thread.
void keepTemporaryFilesOut(const std::filesystem::path& folder);

/// Name of the guard for connections that change nothing: a database is opened for reading only, and no other file.
/// What a statement sorts goes to unnamed files in the system's folder for temporary files, as far as
/// kMaxTemporaryBytes allow. Any thread; lives for ever.
const char* readOnlySqliteFiles();

/// While it lives, statements that this thread runs fail at the next read or write of a temporary file once the token
/// asks to stop. Within one step of its virtual machine, between two looks of a progress handler, SQLite writes all
/// that it has sorted in memory, and merges what it wrote before: seconds where the disk is slow.
class CancelsTemporaryFiles {
public:
    explicit CancelsTemporaryFiles(const CancelToken& cancel);  ///< The token must live longer.
    ~CancelsTemporaryFiles();
    CancelsTemporaryFiles(const CancelsTemporaryFiles&) = delete;
    CancelsTemporaryFiles& operator=(const CancelsTemporaryFiles&) = delete;

private:
    const CancelToken* m_outer;
};

/// Guard for one database that SQLite may change, with the journal, log and index that it keeps beside it. Registered
/// under a name of its own for as long as the object lives, which must be longer than that of each connection through
/// it. Any thread.
class WritableSqliteFiles {
public:
    /// @param database  Absolute path of the database.
    /// @param cancel    Once it requests a stop, every read and write fails, so that a statement ends soon.
    WritableSqliteFiles(const std::filesystem::path& database, const CancelToken& cancel);
    ~WritableSqliteFiles();
    WritableSqliteFiles(const WritableSqliteFiles&) = delete;
    WritableSqliteFiles& operator=(const WritableSqliteFiles&) = delete;

    /// For sqlite3_open_v2.
    const char* name() const;

private:
    struct Registered;
    std::unique_ptr<Registered> m_registered;
};

}  // namespace altiscope
