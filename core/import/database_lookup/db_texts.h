#pragma once

#include "core/import/database_lookup/db_id_index.h"
#include "core/import/sqlite/db_problems.h"
#include "core/store/seal/trace_builder.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// Texts of STRING_IDS as one part of the table holds them.
struct DbTextPart {
    struct Entry {
        std::int64_t id;
        std::size_t begin;
        std::size_t size;
    };
    std::string bytes;
    std::vector<Entry> entries;

    void add(std::int64_t id, std::string_view text) {
        // Rows from before a column was added all have its default text, which the file holds once, however long it is.
        if (!entries.empty() && std::string_view(bytes).substr(entries.back().begin, entries.back().size) == text) {
            entries.push_back({id, entries.back().begin, text.size()});
            return;
        }
        entries.push_back({id, bytes.size(), text.size()});
        bytes += text;
    }
};

/// The row that a worker is looking at, for what is reported when a look-up fails.
struct DbRowAt {
    std::uint64_t order = UINT64_MAX;  ///< Position of its part among all that are read.
    std::string_view table = "STRING_IDS";
    std::int64_t row = -1;  ///< -1: none.
    bool isBefore(const DbRowAt& other) const { return std::pair(order, row) < std::pair(other.order, other.row); }
};
inline thread_local DbRowAt rowOfThisWorker;

/// STRING_IDS of a database: read once, then looked up by any worker. A text goes to the store when a row names it.
class DbTexts {
public:
    DbTexts() = default;
    /// @param parts  In the order of the table; of an id that occurs twice the first row holds.
    explicit DbTexts(std::vector<DbTextPart> parts);

    /// The text of an id; "N/A" where there is none, as the profilers' own exports write it.
    std::string_view text(std::int64_t id) const;
    bool contains(std::int64_t id) const { return m_index.contains(id); }
    /// Reports ids that rows name and the table does not hold, each with the first row that names it; not those that
    /// stand for no text.
    void reportMissing(DbProblemLog& problems) const;
    /// The same as a text of the store.
    ProvisionalText provisional(std::int64_t id, TraceBuilder::Names& names) const;

private:
    /// Ids that were looked for in vain, so many as samples need.
    struct Missing {
        std::mutex mutex;
        std::map<std::int64_t, DbRowAt> ids;  // and the first row that names each
    };
    std::string_view absent(std::int64_t id) const;

    std::vector<std::string> m_bytes;
    std::vector<std::string_view> m_texts;
    IdIndex m_index;
    mutable std::unique_ptr<std::atomic<std::uint32_t>[]> m_provisional;  // its number + 1; 0: not used yet
    mutable std::unique_ptr<Missing> m_missing = std::make_unique<Missing>();
};

}  // namespace altiscope::reader
