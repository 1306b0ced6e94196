#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

/// An absent cell, as plain integers hold it.
inline constexpr std::int64_t kAbsentCell = std::numeric_limits<std::int64_t>::min();

/// How the cells of a column are kept.
enum class CellType : std::uint8_t {
    Integer,
    Real,  ///< Plain integers are the bits of doubles.
    Text,  ///< Plain integers are numbers of texts; their order is the order of the texts.
};

/// Quantity that they measure; decides how they read and which units a filter may give them.
enum class CellUnit : std::uint8_t {
    None,  ///< Names, numbers without unit.
    Count,
    Duration,  ///< ns
    Time,      ///< ns on the trace's own clock.
    Bytes,
    Rate,   ///< Bytes per second.
    Share,  ///< 1 is all.
    Address,
};

/// A column of a table: its name, how its cells are kept, and what they measure.
struct TableColumn {
    std::string name;  ///< The word for it in filters and exported files; that of the SQL table where it is one's.
    CellType type = CellType::Integer;
    CellUnit unit = CellUnit::None;
    std::int64_t origin = 0;  ///< For a Time: what "1.5 s" in a filter counts from.
    /// For a Text with few values that have an order of their own, the lowest first: tables sort by it. Others come
    /// after them.
    std::vector<std::string> order = {};
    bool hasBeside = false;  ///< For an Integer: whether TableSource::beside() distinguishes cells of it.
};

inline TableColumn textColumn(std::string name) { return {.name = std::move(name), .type = CellType::Text}; }
/// @param origin  See TableColumn.
inline TableColumn integerColumn(std::string name, CellUnit unit = CellUnit::None, std::int64_t origin = 0) {
    return {.name = std::move(name), .type = CellType::Integer, .unit = unit, .origin = origin};
}
inline TableColumn realColumn(std::string name, CellUnit unit) {
    return {.name = std::move(name), .type = CellType::Real, .unit = unit};
}

/// Rows and typed columns that a table shows: a constant value, read by any thread without locks.
class TableSource {
public:
    virtual ~TableSource() = default;

    virtual std::size_t rowCount() const = 0;  ///< Below 2^32.
    virtual std::span<const TableColumn> columns() const = 0;
    /// Cells [first, first + out.size()) of a column as plain integers (see CellType), kAbsentCell where there is none.
    virtual void read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const = 0;
    /// A text by its number, which is one that read() gave. UTF-8, valid as long as the source.
    virtual std::string_view text(std::size_t column, std::int64_t number) const = 0;
    /// Numbers of a column's texts are below it.
    virtual std::size_t textCount(std::size_t column) const = 0;
    /// Text that distinguishes the number in a cell from the same number of other rows, to be shown beside it: of a
    /// rank the folder, where several have its number or none is known. Empty: nothing. Valid as long as the source.
    virtual std::string_view beside(std::size_t /*column*/, std::size_t /*row*/) const { return {}; }

    /// "1 · run_2", "run_2" without a number: a cell beside which something stands, as tables show it. Else empty.
    std::string label(std::size_t column, std::size_t row) const;

    std::int64_t cell(std::size_t column, std::size_t row) const {
        std::int64_t value = kAbsentCell;
        read(column, row, {&value, 1});
        return value;
    }
};

}  // namespace altiscope
