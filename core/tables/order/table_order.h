#pragma once

#include "core/base/values/cancel.h"
#include "core/tables/sources/table_source.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace altiscope {

class RowFilter;

/// A column that rows are sorted by.
struct SortKey {
    std::size_t column = 0;
    bool descending = false;
    bool operator==(const SortKey&) const = default;
};

/// Which rows a table shows, in which order.
struct TableQuery {
    std::shared_ptr<const RowFilter> filter;  ///< Null: all rows.
    std::vector<SortKey> sort;                ///< The first one counts most; empty: the order of the source.
    /// So many rows are wanted before all are known.
    std::size_t firstRows = 512;
    /// A row of the source whose position is wanted.
    std::optional<std::uint32_t> follow;
};

/// The result: a constant value.
struct TableRows {
    std::size_t total = 0;             ///< Rows of the source.
    std::size_t count = 0;             ///< Rows that are shown.
    std::vector<std::uint32_t> rows;   ///< Rows of the source by place; empty if all stand in the source's order.
    bool complete = true;              ///< False: the first rows only, more are to come; `count` is how many these are.
    bool tooCostly = false;            ///< A pattern of the filter had too many ways to try; such texts do not match.
    std::optional<std::size_t> place;  ///< Index of TableQuery::follow.

    std::uint32_t row(std::size_t at) const { return rows.empty() ? static_cast<std::uint32_t>(at) : rows[at]; }
};

/// Filters and sorts. Rows that are equal by all keys keep the order of the source; absent cells come last either way.
///
/// @param publish  Called at most once, with the first rows, if these are known well before all are.
/// @return nullopt if it was cancelled.
/// @note  Uses all workers of the arena; polls the token every few ms. O(rows) but for the width of the keys: keys are
///        sorted by their digits. Memory: 20 bytes a row (36 where keys spread over more than 2^32 values) while it
///        runs, 4 after.
std::optional<TableRows> orderRows(const TableSource& source, const TableQuery& query,
                                   const std::function<void(TableRows)>& publish, const CancelToken& cancel);

}  // namespace altiscope
