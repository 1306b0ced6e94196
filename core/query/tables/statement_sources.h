#pragma once

#include "core/store/rows/row_kinds.h"

#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

/// Parts of a capture that a statement reads, as SQLite reports it. Filled while a statement is prepared: by the
/// authorizer, and when an index is sought for a table.
class StatementSources {
public:
    /// A column of a table, by the names of the schema; an empty column if only rows are counted.
    void addColumn(std::string_view table, std::string_view column);
    /// Rows that are computed from the timelines.
    void addComputedRows() { m_needsTimelines = true; }

    /// The kinds of summary rows that are read; nullopt if none is, or anything else: timelines, and what depends
    /// on all that is read of a capture.
    std::optional<std::vector<RowKind>> summaryKinds() const;

private:
    void addKind(RowKind kind);

    std::vector<RowKind> m_kinds;
    bool m_needsTimelines = false;
};

}  // namespace altiscope
