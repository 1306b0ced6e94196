#pragma once

#include "core/store/capture_store.h"
#include "core/tables/sources/table_source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// Rows of `allocation` of one rank as a table, read from the store in place, with how long each was in use.
class AllocationRows : public TableSource {
public:
    enum Column : std::size_t {
        Name,
        Size,
        Allocated,
        Released,
        ActiveReleased,
        Lifetime,
        ActiveLifetime,
        AllocAllocated,
        AllocReserved,
        AllocActive,
        ReleaseAllocated,
        ReleaseReserved,
        ReleaseActive,
        Stream,
        kAlwaysThere,
        Device = kAlwaysThere,  ///< Only where the rows name several.
    };
    // After all: "first_use", "longest_idle" and "unused_end" of rows whose use is recorded.

    /// @param origin  Where times in filters count from.
    /// @param chosen  Rows of the table that are shown; null: all.
    AllocationRows(std::shared_ptr<const RowTables> rows, TimeNs origin,
                   std::shared_ptr<const std::vector<std::uint32_t>> chosen = nullptr);

    /// The row of the store's table. @pre row < rowCount()
    std::size_t stored(std::size_t row) const { return m_chosen == nullptr ? row : (*m_chosen)[row]; }

    bool hasDevices() const { return m_hasDevices; }
    bool hasUses() const { return m_hasUses; }

    std::size_t rowCount() const override;
    std::span<const TableColumn> columns() const override { return m_columns; }
    void read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const override;
    std::string_view text(std::size_t column, std::int64_t number) const override;
    std::size_t textCount(std::size_t column) const override;

private:
    std::shared_ptr<const RowTables> m_rows;
    const RowTable* m_table;  // null: no rows
    std::shared_ptr<const std::vector<std::uint32_t>> m_chosen;
    std::vector<TableColumn> m_columns;
    std::vector<std::size_t> m_further;  // columns of the store after kAlwaysThere
    bool m_hasUses = false, m_hasDevices = false;
};

}  // namespace altiscope
