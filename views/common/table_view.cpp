#include "views/common/table_view.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QSortFilterProxyModel>

#include <algorithm>

namespace altiscope {

QString onOneLine(QString text) {
    for (QChar& c : text) {
        if (c == u'\t' || c == u'\n' || c == u'\r') c = u' ';
    }
    return text;
}

TableView::TableView(QWidget* parent)
    : QTableView(parent), m_proxy(new QSortFilterProxyModel(this)), m_copy(new QAction(this)) {
    m_proxy->setSortRole(kSortRole);
    m_proxy->setSortLocaleAware(true);
    setModel(m_proxy);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);

    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetShortcut);
    connect(m_copy, &QAction::triggered, this, &TableView::copy);
    addAction(m_copy);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    retranslate();
}

void TableView::setSource(QAbstractItemModel* source) { m_proxy->setSourceModel(source); }

int TableView::currentSourceRow() const { return m_proxy->mapToSource(currentIndex()).row(); }

void TableView::showSourceRow(int row) {
    const QModelIndex index = m_proxy->mapFromSource(m_proxy->sourceModel()->index(row, 0));
    setCurrentIndex(index);
    scrollTo(index);
}

QString TableView::selectedText() const {
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows()) rows.push_back(index.row());
    if (rows.empty()) {
        for (int row = 0; row < m_proxy->rowCount(); ++row) rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    std::vector<int> columns;
    for (int visual = 0; visual < m_proxy->columnCount(); ++visual) {
        const int column = horizontalHeader()->logicalIndex(visual);
        if (!isColumnHidden(column)) columns.push_back(column);
    }
    QStringList lines;
    QStringList cells;
    for (const int column : columns) cells << onOneLine(m_proxy->headerData(column, Qt::Horizontal).toString());
    lines << cells.join(u'\t');
    for (const int row : rows) {
        cells.clear();
        for (const int column : columns) {
            const QModelIndex index = m_proxy->index(row, column);
            const QVariant exact = index.data(kCopyRole);
            cells << onOneLine(exact.isValid() ? exact.toString() : index.data().toString());
        }
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n') + u'\n';
}

void TableView::copy() { QGuiApplication::clipboard()->setText(selectedText()); }

void TableView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    emit currentSourceRowChanged(m_proxy->mapToSource(current).row());
}

void TableView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::FontChange) {
        // Rows of 1.6 em.
        verticalHeader()->setDefaultSectionSize(static_cast<int>(fontMetrics().height() * 1.35));
    }
    QTableView::changeEvent(event);
}

void TableView::retranslate() { m_copy->setText(tr("Copy")); }

}  // namespace altiscope
