#pragma once

#include "views/common/support/heading_model.h"
#include "views/common/tables/row_selection.h"
#include "views/common/tables/table_loader.h"
#include "views/common/tables/table_writing.h"

#include <QAbstractScrollArea>
#include <QByteArray>
#include <QIcon>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

class QHeaderView;
class QMenu;

namespace altiscope {

class Session;

/// The table of all views, for any number of rows: paints what is in sight and has workers make everything else
/// (TableLoader).
///
/// A click on a heading sorts by it, with Shift in addition to what it is sorted by; columns are moved, resized, hidden
/// and frozen with the mouse and the heading's menu. Rows: arrows, page keys, Home, End, with Shift to extend the
/// selection, Ctrl+A, Ctrl+C, Ctrl+Space, Enter to activate, the menu key for what can be done with a row. GUI thread.
class DataTable : public QAbstractScrollArea {
    Q_OBJECT
public:
    /// Rows that the clipboard takes; more are for a file.
    static constexpr std::size_t kMaxCopied = 100'000;

    /// The session runs its work and knows where nothing may be written; it must outlive the table.
    explicit DataTable(Session& session, QWidget* parent = nullptr);
    ~DataTable() override;

    /// Null source: no table. Columns keep their places while their number stays, and the widths that the user has
    /// chosen; the others follow the texts.
    void setSource(std::shared_ptr<const TableSource> source, std::vector<ColumnHeading> headings);
    /// Newer values of the same rows: what is selected and in sight stays. Another number of rows or columns is as good
    /// as setSource().
    void updateSource(std::shared_ptr<const TableSource> source, std::vector<ColumnHeading> headings);
    /// The same columns in other words.
    void setHeadings(std::vector<ColumnHeading> headings);
    /// This column takes the room that others leave as far as its texts need it, and is never too narrow to read a
    /// sentence.
    void setWideColumn(std::size_t column);
    TableLoader& loader() { return *m_loader; }
    const TableLoader& loader() const { return *m_loader; }

    /// Actions on a row, for its menu; called when it opens.
    using FillMenu = std::function<void(QMenu&, std::uint32_t row)>;
    void setRowMenu(FillMenu fill) { m_rowMenu = std::move(fill); }
    /// A picture in front of a cell; called for cells in sight.
    using CellIcon = std::function<QIcon(std::uint32_t row, std::size_t column)>;
    void setCellIcon(CellIcon icon) { m_cellIcon = std::move(icon); }
    /// More about a cell than its exact value; empty text: the exact value alone.
    using CellTip = std::function<QString(std::uint32_t row, std::size_t column)>;
    void setCellTip(CellTip tip) { m_cellTip = std::move(tip); }

    std::optional<std::uint32_t> currentRow() const;  ///< A row of the source.
    std::size_t currentPlace() const { return m_current; }
    void setCurrent(std::size_t place, std::size_t column);
    const RowSelection& selection() const { return m_selection; }
    /// Rows to be written: the selected ones, or all if none is selected.
    TablePart shownPart() const;

    void setFrozenColumns(int count);
    void setColumnHidden(std::size_t column, bool hidden);
    bool isColumnHidden(std::size_t column) const;
    /// Order, widths that the user has chosen, hidden and frozen columns and the sort keys.
    QByteArray saveColumns() const;
    void restoreColumns(const QByteArray& saved);

    void copy() const;
    void copyAsJson() const;
    /// Asks for a file and writes what is shown to it.
    void exportRows();
    /// Writes what is shown as a job, unless the file is part of an open capture.
    void saveAs(const QString& file);

    /// Where a cell is painted, in the viewport; empty if it is out of sight.
    QRect cellRect(std::size_t place, std::size_t column) const;

signals:
    void activated(std::uint32_t row);
    void currentChanged();
    /// "dur = 5": the user wants to see such rows only; `add` to what the filter says.
    void conditionChosen(const QString& condition);
    void columnsChanged();
    void exportFailed(const QString& reason);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    QSize viewportSizeHint() const override { return {600, rowHeight() * 8}; }

private:
    struct Hit {
        std::optional<std::size_t> place, column;
    };

    void setUpHeaders();
    void takeRows();
    void layoutHeaders();
    void updateScrollBars();
    void chooseHeading(int column);
    void showHeadingMenu(const QPoint& at, QHeaderView* header);
    void showRowMenu(const QPoint& globalAt);
    void moveCurrent(std::size_t place, bool extend);
    void moveColumn(int direction);
    void ensureVisible();
    void leaveHiddenColumn();
    void sizeColumns();
    void sizeColumn(int column);
    void resizeColumn(int column, int width);
    int contentWidth(std::size_t column) const;
    void fitWideColumn();
    int rowHeight() const;
    int frozenWidth() const;
    int columnLeft(int column) const;
    Hit hitAt(const QPoint& at) const;
    void paintRow(QPainter& painter, std::size_t place, int top, bool frozen) const;
    QString shownText(std::uint32_t row, std::size_t column) const;
    void paintCell(QPainter& painter, std::uint32_t row, std::size_t column, const QRect& rect, bool onAccent) const;
    std::size_t rowsInSight() const;

    Session& m_session;
    TableLoader* m_loader;
    HeadingModel* m_headings;
    QHeaderView* m_header;
    QHeaderView* m_frozenHeader;
    int m_frozen = 0;
    FillMenu m_rowMenu;
    CellIcon m_cellIcon;
    CellTip m_cellTip;
    RowSelection m_selection;
    std::size_t m_current = 0, m_anchor = 0, m_currentColumn = 0;
    std::shared_ptr<const TableRows> m_known;  ///< As the selection's places mean them.
    std::optional<std::size_t> m_wide;
    bool m_sized = false;      ///< By rows of this source.
    bool m_hasWidths = false;  ///< Columns have widths of theirs, of headings alone or of an earlier source.
    std::set<int> m_chosen;    ///< Columns whose width is the user's and stays.
    bool m_isSizing = false;
};

}  // namespace altiscope
