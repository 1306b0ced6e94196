#pragma once

#include "views/common/support/view_memory.h"
#include "views/common/tables/data_table.h"
#include "views/common/tables/filter_bar.h"

#include <QJsonArray>
#include <QWidget>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

class QGridLayout;
class QLabel;

namespace altiscope {

/// A DataTable with its filter above and what is shown of how much below, in a low panel beside the filter; remembers
/// its columns. GUI thread.
class TablePanel : public QWidget {
    Q_OBJECT
public:
    /// @param name  Under which its columns are remembered.
    TablePanel(Session& session, const ViewMemory& memory, const QString& name, QWidget* parent = nullptr);

    void setSource(std::shared_ptr<const TableSource> source, std::vector<ColumnHeading> headings);
    /// Newer values of the same rows, see DataTable.
    void updateSource(std::shared_ptr<const TableSource> source, std::vector<ColumnHeading> headings);
    /// Columns that are hidden until the user wants them; before the first source.
    void hideAtFirst(std::vector<std::size_t> columns) { m_hiddenAtFirst = std::move(columns); }
    DataTable& table() { return *m_table; }
    const DataTable& table() const { return *m_table; }
    FilterBar& filterBar() { return *m_filter; }
    /// Order of the rows, by names of columns; for a workspace. [["total", true]]: descending.
    QJsonArray sortState() const;
    /// Takes columns that are there; those of a table that has no rows yet wait for them.
    void restoreSort(const QJsonArray& state);
    /// The part of a capture that the rows are of: "Rank 3, step 5"; empty: all of it.
    void setScope(const QString& scope);
    QString statusText() const;
    /// Height of the filter line and one row.
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void placeStatus();
    void applySort();

    ViewMemory m_memory;
    QString m_name, m_scope;
    QGridLayout* m_layout;
    FilterBar* m_filter;
    DataTable* m_table;
    QLabel* m_status;
    bool m_restored = false;
    std::optional<bool> m_isLow;  // as the status is placed
    std::optional<QJsonArray> m_wantedSort;
    std::vector<std::size_t> m_hiddenAtFirst;
};

}  // namespace altiscope
