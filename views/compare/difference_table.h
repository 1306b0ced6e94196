#pragma once

#include "core/compare/comparison.h"
#include "core/tables/sources/column_table.h"
#include "views/common/support/heading_model.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// The columns of a table of differences, in order.
enum class DifferenceColumn : std::size_t {
    Significant,
    Name,
    Dimension,  ///< Where several stand beside each other.
    Rank,
    Base,
    Current,
    Change,
    Share,
    Low,
    High,
    OnlyIn,
    Cause,      ///< Cause that explains it: a name, with its rank where it has one.
    BaseCount,  ///< Only rows of counted findings have it; their other cells are empty.
    CurrentCount,
    ChangeCount,
    Type,    ///< Kernels only.
    Shapes,  ///< Kernels only.
};
inline constexpr std::size_t kDifferenceColumns = static_cast<std::size_t>(DifferenceColumn::Shapes) + 1;

/// Which differences stand in a table; nullopt: all times, whatever they are of.
using DifferenceGroup = std::optional<Dimension>;

/// Differences as rows, the largest change first, what follows from one of them right below it.
struct DifferenceTable {
    std::shared_ptr<const Comparison> comparison;
    DifferenceGroup group;
    std::shared_ptr<const ColumnTable> table;
    std::vector<std::uint32_t> rows;          ///< Indexes in Comparison::differences.
    std::vector<DifferenceColumn> emptyOnes;  ///< Columns that no row fills.
    std::size_t omitted = 0;                  ///< Smaller changes that the comparison only counts.

    const Difference& difference(std::uint32_t row) const { return comparison->differences[rows[row]]; }
};

/// @note  Any thread. O(differences).
std::shared_ptr<const DifferenceTable> differenceTable(std::shared_ptr<const Comparison> comparison,
                                                       DifferenceGroup group, bool onlySignificant);

/// The parts of a key: of kernels name, type and shapes; else the key alone.
struct DifferenceName {
    std::string_view name, type, shapes;
};
DifferenceName nameOf(const Difference& difference);

/// A picture of resources/icons for what is more than noise: of all that is compared less is better. Empty for the
/// rest.
QString differenceIcon(const Change& change);

// Words, translated; GUI thread.

/// @param unit  Of the group: memory is bytes.
std::vector<ColumnHeading> differenceHeadings();
QString groupTitle(DifferenceGroup group);
/// "computing" and other names of the program's own, rules of findings too; others stay.
QString differenceWord(const QString& name);

}  // namespace altiscope
