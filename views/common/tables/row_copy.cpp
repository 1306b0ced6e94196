#include "views/common/tables/row_copy.h"

#include "views/common/support/cell_text.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTreeView>

#include <algorithm>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// Rows from the root to it: what stands above comes first.
std::vector<int> rowsTo(QModelIndex index) {
    std::vector<int> rows;
    for (; index.isValid(); index = index.parent()) rows.push_back(index.row());
    std::reverse(rows.begin(), rows.end());
    return rows;
}

/// Lives in the view.
class CopyKey : public QObject {
public:
    explicit CopyKey(QAbstractItemView& view) : QObject(&view), m_view(view) { view.installEventFilter(this); }

    bool eventFilter(QObject* watched, QEvent* event) override {
        const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
        if (!isKey || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
            return QObject::eventFilter(watched, event);
        event->accept();
        if (event->type() == QEvent::KeyPress) copySelectedRows(m_view);
        return true;
    }

private:
    QAbstractItemView& m_view;
};

}  // namespace

void copySelectedRows(const QAbstractItemView& view) {
    const QItemSelectionModel* selection = view.selectionModel();
    if (selection == nullptr || !selection->hasSelection()) return;
    std::vector<std::pair<std::vector<int>, QModelIndex>> rows;
    for (const QModelIndex& index : selection->selectedIndexes()) {
        const QModelIndex first = index.siblingAtColumn(0);
        rows.emplace_back(rowsTo(first), first);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    const auto* tree = qobject_cast<const QTreeView*>(&view);
    QStringList lines;
    for (const auto& [place, row] : rows) {
        QStringList cells;
        for (int column = 0; column < view.model()->columnCount(row.parent()); ++column) {
            if (tree == nullptr || !tree->isColumnHidden(column))
                cells << onOneLine(row.siblingAtColumn(column).data().toString());
        }
        lines << cells.join(u'\t');
    }
    QApplication::clipboard()->setText(lines.join(u'\n'));
}

void copyRowsByKey(QAbstractItemView& view) { new CopyKey(view); }

}  // namespace altiscope
