#pragma once

#include <QTableView>

class QSortFilterProxyModel;

namespace altiscope {

/// The role by which columns sort; models give the bare value here, text for display in Qt::DisplayRole.
inline constexpr int kSortRole = Qt::UserRole;
/// The exact text that goes to the clipboard; Qt::DisplayRole where a model has none.
inline constexpr int kCopyRole = Qt::UserRole + 1;

/// A text as one cell takes it: tabs and line ends become blanks.
QString onOneLine(QString text);

/// The table of all views: sortable columns, whole rows selected, quiet lines, copying as tab-separated text with the
/// header (Ctrl+C and the context menu). Wraps any model in a sort proxy.
class TableView : public QTableView {
    Q_OBJECT
public:
    explicit TableView(QWidget* parent = nullptr);

    /// Not owned. The table shows it through a proxy that sorts by kSortRole.
    void setSource(QAbstractItemModel* source);
    /// Row of the source model that is current, -1 if none.
    int currentSourceRow() const;
    /// Makes a row of the source model current and brings it into sight.
    void showSourceRow(int row);

    /// Tab-separated text of the selected rows (of all rows if none is selected), header first.
    QString selectedText() const;

public slots:
    void copy();

signals:
    void currentSourceRowChanged(int row);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QSortFilterProxyModel* m_proxy;
    QAction* m_copy;
};

}  // namespace altiscope
