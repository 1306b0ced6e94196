#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace altiscope::reader {

/// Where a table or an index begins, as the schema states it.
struct DbRoot {
    std::string name;
    std::uint32_t page = 0;
    bool hasRows = true;   ///< It holds rows: a table.
    bool isIndex = false;  ///< Built as an index, as tables WITHOUT ROWID are.
};

/// Row ids [first, last] of a table.
struct DbRowRange {
    std::int64_t first = 0, last = -1;
    bool operator==(const DbRowRange&) const = default;
};

/// A page, or several, that are not what they should be.
struct DbDamage {
    std::string table;    ///< Or the index.
    bool hasRows = true;  ///< As DbRoot.
    bool isIndex = false;
    std::uint32_t page = 0;   ///< From 1, the first one; 0: none, the file lacks it.
    std::uint32_t pages = 1;  ///< Neighbours in the tree.
    DbRowRange rows;          ///< Rows on it or below it, as far as its neighbours state.
};

/// Result of a walk over the pages of a database.
struct DbPages {
    std::uint32_t pageBytes = 0;  ///< 0: nothing is known.
    std::uint64_t fileBytes = 0;
    std::uint32_t headerPages = 0;  ///< As the header says; 0: it does not.
    std::vector<DbDamage> damages;  ///< In the order of the tables, then of their rows.
    /// Rows of each table, on sound and unsound leaves that are reached.
    std::map<std::string, std::uint64_t, std::less<>> rows;
    std::map<std::string, DbRowRange, std::less<>> extents;  ///< Row ids of each table that are reached.
    /// Pages that belong to nothing, where all should belong to something.
    std::uint32_t strayPages = 0, firstStray = 0;

    bool isSizeRight() const {
        return pageBytes == 0 ||
               (fileBytes % pageBytes == 0 && (headerPages == 0 || fileBytes / pageBytes == headerPages));
    }
    bool isWhole() const { return damages.empty() && strayPages == 0 && isSizeRight(); }
};

/// Looks at every page of a database, without SQLite: a leaf of a tree that became zeros, or keys that lead elsewhere,
/// are no error to SQLite, which then finds fewer rows. Each page has to be reached once, from a table, an index or the
/// list of free pages.
/// @param roots  Of the schema, besides that of the schema itself.
/// @return Error of ReadOnlyFile. A file that is no database gives an empty object.
/// @note   On all workers of the current arena: reads the file once, some GB/s a worker. Memory: 40 bytes a page.
///         Source: sqlite.org/fileformat2.html.
Result<DbPages> walkPages(const std::filesystem::path& path, const std::vector<DbRoot>& roots,
                          const CancelToken& cancel);

}  // namespace altiscope::reader
