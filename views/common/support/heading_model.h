#pragma once

#include "core/tables/order/table_order.h"
#include "core/tables/sources/table_source.h"

#include <QAbstractTableModel>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace altiscope {

/// How a column is introduced; translated.
struct ColumnHeading {
    QString title;
    QString formula;  ///< How the number is computed and from which file.
    /// How the texts of the column read for people, where they are words of the program; filters and files take them as
    /// they are.
    std::function<QString(const QString& text)> word = {};
    Qt::TextElideMode elide = Qt::ElideRight;  ///< Where a text that is too long loses a part.
    QString none = {};                         ///< Text in the place of an empty one.
};

/// Headings of a DataTable for its QHeaderView: titles with the sign of the order, formulas and units as tooltips. No
/// rows.
class HeadingModel : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// @param headings  One per column of the source.
    void set(std::shared_ptr<const TableSource> source, std::vector<ColumnHeading> headings);
    /// The same columns in other words.
    void setWords(std::vector<ColumnHeading> headings);
    void setSort(std::vector<SortKey> sort);

    int rowCount(const QModelIndex& = {}) const override { return 0; }
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex&, int) const override { return {}; }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    const ColumnHeading& heading(std::size_t column) const { return m_headings[column]; }

private:
    std::shared_ptr<const TableSource> m_source;
    std::vector<ColumnHeading> m_headings;
    std::vector<SortKey> m_sort;
};

}  // namespace altiscope
