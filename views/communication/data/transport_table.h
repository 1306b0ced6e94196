#pragma once

#include "core/analysis/communication/transport_bandwidths.h"
#include "core/tables/sources/table_source.h"
#include "views/common/support/heading_model.h"

#include <string>
#include <vector>

namespace altiscope {

/// How fast the links of each transport are, beside what is known of it: a row for each.
class TransportTable : public TableSource {
public:
    enum Column : std::size_t { Transport, Links, Min, Mean, Max, Reference, Share, From, Without };

    explicit TransportTable(std::vector<TransportBandwidth> rows);

    const TransportBandwidth& row(std::size_t row) const { return m_rows[row]; }
    std::size_t rowCount() const override { return m_rows.size(); }
    std::span<const TableColumn> columns() const override { return m_columns; }
    void read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const override;
    std::string_view text(std::size_t column, std::int64_t number) const override;
    std::size_t textCount(std::size_t column) const override;

private:
    std::int64_t cell(std::size_t column, std::size_t row) const;

    std::vector<TransportBandwidth> m_rows;
    std::vector<std::string> m_transports;  // in their order
    std::vector<TableColumn> m_columns;
};

std::vector<ColumnHeading> transportHeadings();

}  // namespace altiscope
