#include "core/tables/rows/allocation_rows.h"

#include "core/store/rows/row_devices.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace altiscope {

namespace {

constexpr RowKind kAllocationKind = RowKind::Allocation;

/// Columns of the store by those of the table; of the two that are differences, where they begin and end.
struct StoredColumn {
    std::size_t from = 0;
    std::optional<std::size_t> minus = {};
};

constexpr std::size_t columnNamed(std::string_view name) { return rowColumn(kAllocationKind, name); }

constexpr std::array<StoredColumn, AllocationRows::kAlwaysThere> kStored{
    {{columnNamed("name")},
     {columnNamed("size")},
     {columnNamed("alloc_ts")},
     {columnNamed("release_ts")},
     {columnNamed("active_release_ts")},
     {columnNamed("release_ts"), columnNamed("alloc_ts")},
     {columnNamed("active_release_ts"), columnNamed("alloc_ts")},
     {columnNamed("alloc_allocated")},
     {columnNamed("alloc_reserved")},
     {columnNamed("alloc_active")},
     {columnNamed("release_allocated")},
     {columnNamed("release_reserved")},
     {columnNamed("release_active")},
     {columnNamed("stream")}}};

/// Further columns of files that record how memory is used. Source: core/import/memscope/FORMAT.md section 5.
constexpr std::array<std::string_view, 3> kUseColumns{"first_use", "longest_idle", "unused_end"};

}  // namespace

AllocationRows::AllocationRows(std::shared_ptr<const RowTables> rows, TimeNs origin,
                               std::shared_ptr<const std::vector<std::uint32_t>> chosen)
    : m_rows(std::move(rows)), m_table(m_rows == nullptr ? nullptr : m_rows->find(kAllocationKind)),
      m_chosen(std::move(chosen)) {
    const auto add = [this](std::string name, CellUnit unit, std::int64_t from = 0) {
        m_columns.push_back({.name = std::move(name), .type = CellType::Integer, .unit = unit, .origin = from});
    };
    m_columns.push_back({.name = "name", .type = CellType::Text});
    add("size", CellUnit::Bytes);
    for (const char* name : {"alloc_ts", "release_ts", "active_release_ts"}) add(name, CellUnit::Time, origin.value);
    for (const char* name : {"held", "active_held"}) add(name, CellUnit::Duration);
    for (std::size_t column = AllocAllocated; column < Stream; ++column)
        add(std::string(rowColumns(kAllocationKind)[kStored[column].from].name), CellUnit::Bytes);
    add("stream", CellUnit::None);
    if (m_table == nullptr) return;
    m_hasDevices = hasSeveralDevices(*m_table);
    if (m_hasDevices) {
        add("device_id", CellUnit::None);
        m_further.push_back(columnNamed("device_id"));
    }
    const auto& extras = m_table->extras();
    const std::size_t fixed = rowColumns(kAllocationKind).size();
    // Files that could have them may lack all uses.
    for (std::size_t i = 0; i < extras.size() && !m_hasUses; ++i)
        m_hasUses = extras[i] == kUseColumns.front() && m_table->presentCount(fixed + i) > 0;
    for (const std::string_view name : kUseColumns) {
        const auto found = std::find(extras.begin(), extras.end(), name);
        if (!m_hasUses || found == extras.end()) return;
        add(std::string(name), CellUnit::Duration);
        m_further.push_back(fixed + static_cast<std::size_t>(found - extras.begin()));
    }
}

std::size_t AllocationRows::rowCount() const {
    if (m_table == nullptr) return 0;
    return m_chosen == nullptr ? m_table->size() : m_chosen->size();
}

void AllocationRows::read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const {
    if (column >= kAlwaysThere) {
        const std::size_t further = m_further[column - kAlwaysThere];
        const bool isReal = further >= rowColumns(kAllocationKind).size();
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::size_t row = stored(first + i);
            if (!isReal) out[i] = m_table->integer(further, row).value_or(kAbsentCell);
            // Times lie within kMaxTimeNs, and so do their differences.
            else if (const auto value = m_table->real(further, row)) out[i] = static_cast<std::int64_t>(*value);
            else out[i] = kAbsentCell;
        }
        return;
    }
    const StoredColumn& source = kStored[column];
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t row = stored(first + i);
        const auto value = m_table->integer(source.from, row);
        out[i] = value.value_or(kAbsentCell);
        if (!source.minus || !value) continue;
        const auto begin = m_table->integer(*source.minus, row);
        // Times lie within kMaxTimeNs: the difference of two fits.
        out[i] = begin ? *value - *begin : kAbsentCell;
    }
}

std::string_view AllocationRows::text(std::size_t, std::int64_t number) const {
    return m_rows->text(StringId{static_cast<std::uint32_t>(number)});
}

std::size_t AllocationRows::textCount(std::size_t) const { return m_rows == nullptr ? 0 : m_rows->texts().size(); }

}  // namespace altiscope
