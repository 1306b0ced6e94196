#pragma once

#include "core/analysis/communication/link_picture.h"
#include "core/tables/sources/table_source.h"
#include "views/common/support/heading_model.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// The links of a matrix as a table, read in place.
class LinkTable : public TableSource {
public:
    enum Column : std::size_t {
        Source,
        Target,
        Transport,
        Bandwidth,
        Size,
        Time,
        Calls,
        Origin,
        SmallRate
    };  ///< SmallRate: only if there are such links.
    /// Beside a base, after Bandwidth, which they are compared with: those after it stand so many columns later then.
    /// Bandwidths are those of links that have one; times are per step.
    enum class BaseColumn : std::size_t {
        BaseBandwidth,
        BandwidthDifference,
        BandwidthChange,
        TimePerStep,
        BaseTime,
        TimeDifference,
        TimeChange,
    };
    static constexpr std::size_t kBaseColumns = static_cast<std::size_t>(BaseColumn::TimeChange) + 1;
    static constexpr std::size_t kFirstOfBase = Column::Bandwidth + 1;

    /// Any thread. O(links).
    LinkTable(std::shared_ptr<const LinkMatrix> matrix, LinkPicture::Inner inner,
              std::shared_ptr<const LinkComparison> comparison = nullptr);

    const std::shared_ptr<const LinkComparison>& comparison() const { return m_comparison; }
    /// Number of a column of the base.
    std::size_t column(BaseColumn column) const { return kFirstOfBase + static_cast<std::size_t>(column); }

    LinkPicture::Inner inner() const { return m_inner; }
    const std::shared_ptr<const LinkMatrix>& matrix() const { return m_matrix; }

    /// Whether some links are too small to have a bandwidth: theirs stands in a column of its own, so that they come
    /// last by bandwidth.

    LinkSum link(std::size_t row) const;
    /// O(log links).
    std::optional<std::uint32_t> rowOf(std::uint32_t source, std::uint32_t target) const;

    std::size_t rowCount() const override { return m_places.size(); }
    std::span<const TableColumn> columns() const override { return m_columns; }
    void read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const override;
    std::string_view text(std::size_t column, std::int64_t number) const override;
    std::size_t textCount(std::size_t column) const override;

    std::vector<ColumnHeading> headings() const;

private:
    struct Place {
        std::uint32_t source = 0, link = 0;
    };
    std::int64_t baseCell(BaseColumn column, const Place& place) const;
    bool isOfBase(std::size_t column) const {
        return m_comparison != nullptr && column >= kFirstOfBase && column < kFirstOfBase + kBaseColumns;
    }
    /// That of a column that is not of the base.
    Column ownColumn(std::size_t column) const {
        return static_cast<Column>(m_comparison == nullptr || column < kFirstOfBase ? column : column - kBaseColumns);
    }

    std::shared_ptr<const LinkMatrix> m_matrix;
    std::shared_ptr<const LinkComparison> m_comparison;
    LinkPicture::Inner m_inner;
    bool m_hasSmall = false;
    std::vector<Place> m_places;
    std::vector<std::string> m_labels, m_transports;  // texts in their order
    std::vector<std::uint16_t> m_bits;                // of these transports
    std::vector<TableColumn> m_columns;
};

}  // namespace altiscope
