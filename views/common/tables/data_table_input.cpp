#include "core/session/session.h"
#include "views/common/support/cell_text.h"
#include "views/common/support/formatters.h"
#include "views/common/support/save_dialog.h"
#include "views/common/tables/data_table.h"
#include "views/common/theme/icons.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPointer>
#include <QScrollBar>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

// Input of the user on rows and headings of a DataTable.

void DataTable::moveCurrent(std::size_t place, bool extend) {
    const std::size_t count = m_loader->rows()->count;
    if (count == 0) return;
    m_current = std::min(place, count - 1);
    if (!extend) m_anchor = m_current;
    m_selection.set(std::min(m_anchor, m_current), std::max(m_anchor, m_current) + 1);
    m_loader->follow(currentRow());
    ensureVisible();
    viewport()->update();
    setAccessibleDescription(shownText(m_loader->rows()->row(m_current), m_currentColumn));
    emit currentChanged();
}

void DataTable::moveColumn(int direction) {
    int visual = m_header->visualIndex(static_cast<int>(m_currentColumn)) + direction;
    while (visual >= 0 && visual < m_header->count() && m_header->isSectionHidden(m_header->logicalIndex(visual)))
        visual += direction;
    if (visual < 0 || visual >= m_header->count()) return;
    m_currentColumn = static_cast<std::size_t>(m_header->logicalIndex(visual));
    ensureVisible();
    viewport()->update();
}

// Keys of Tables:
// - `Up`, `Down`, `PgUp`, `PgDown`, `Home`, `End`: Choose a row; with Shift all up to it
// - `Left`, `Right`: Choose a column
// - `Ctrl+Space`: Add the row to the chosen ones, or remove it
// - `Ctrl+A`: Choose all rows
// - `Enter`: Go to what the row is about
// - `Ctrl+C`: Copy the chosen rows
void DataTable::keyPressEvent(QKeyEvent* event) {
    const std::size_t count = m_loader->rows()->count;
    const bool extend = (event->modifiers() & Qt::ShiftModifier) != 0;
    const auto up = [this](std::size_t by) { return m_current > by ? m_current - by : 0; };
    if (event->matches(QKeySequence::Copy)) return copy();
    if (event->matches(QKeySequence::SelectAll)) {
        m_selection.set(0, count);
        viewport()->update();
        return emit currentChanged();
    }
    switch (event->key()) {
    // Without a selection the first key shows where the cursor is.
    case Qt::Key_Up: return moveCurrent(m_selection.ranges().empty() ? m_current : up(1), extend);
    case Qt::Key_Down: return moveCurrent(m_selection.ranges().empty() ? m_current : m_current + 1, extend);
    case Qt::Key_PageUp: return moveCurrent(up(rowsInSight()), extend);
    case Qt::Key_PageDown: return moveCurrent(m_current + rowsInSight(), extend);
    case Qt::Key_Home: return moveCurrent(0, extend);
    case Qt::Key_End: return moveCurrent(count, extend);
    case Qt::Key_Left: return moveColumn(-1);
    case Qt::Key_Right: return moveColumn(1);
    case Qt::Key_Space:
        if ((event->modifiers() & Qt::ControlModifier) != 0 && m_current < count) {
            m_selection.toggle(m_current);
            viewport()->update();
            return emit currentChanged();
        }
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        // Without a selection the row with the outline is meant.
        if (!currentRow() && m_current < count) moveCurrent(m_current, false);
        if (const auto row = currentRow()) return emit activated(*row);
        break;
    default: break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void DataTable::mousePressEvent(QMouseEvent* event) {
    const Hit hit = hitAt(event->pos());
    if (!hit.place) return;
    if (hit.column) m_currentColumn = *hit.column;
    if (event->button() == Qt::RightButton && m_selection.contains(*hit.place)) {
        m_current = *hit.place;
        viewport()->update();
        return;
    }
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        m_current = m_anchor = *hit.place;
        m_selection.toggle(m_current);
        viewport()->update();
        return emit currentChanged();
    }
    moveCurrent(*hit.place, (event->modifiers() & Qt::ShiftModifier) != 0);
}

void DataTable::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) == 0) return;
    if (const Hit hit = hitAt(event->pos()); hit.place && *hit.place != m_current) moveCurrent(*hit.place, true);
}

void DataTable::mouseDoubleClickEvent(QMouseEvent* event) {
    if (hitAt(event->pos()).place && event->button() == Qt::LeftButton) {
        if (const auto row = currentRow()) emit activated(*row);
    }
}

void DataTable::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    showRowMenu(byKey ? viewport()->mapToGlobal(cellRect(m_current, m_currentColumn).bottomLeft())
                      : event->globalPos());
}

void DataTable::showRowMenu(const QPoint& globalAt) {
    QMenu menu(this);
    const auto row = currentRow();
    if (row && m_rowMenu) m_rowMenu(menu, *row);
    if (!menu.isEmpty()) menu.addSeparator();
    if (row) {
        const TableSource& source = *m_loader->source();
        const std::string literal = rowLiteral(source, m_currentColumn, *row);
        for (const QString& sign : {u"="_s, u"!="_s}) {
            const QString condition =
                toQString(source.columns()[m_currentColumn].name) + u' ' + sign + u' ' + toQString(literal);
            const QString shown =
                fontMetrics().elidedText(condition, Qt::ElideMiddle, fontMetrics().averageCharWidth() * 40);
            menu.addAction(tr("Only %1").arg(QString(shown).replace(u'&', u"&&"_s)), this,
                           [this, condition] { emit conditionChosen(condition); });
        }
        menu.addSeparator();
    }
    const std::size_t count = m_selection.ranges().empty() ? m_loader->rows()->count : m_selection.count();
    QAction* copying = menu.addAction(
        themedIcon(u"copy"_s),
        withCount(tr("Copy %n row(s)", nullptr, pluralCount(std::min(count, kMaxCopied))), std::min(count, kMaxCopied)),
        this, &DataTable::copy);
    copying->setShortcut(QKeySequence::Copy);
    copying->setEnabled(count > 0);
    menu.addAction(tr("Copy as JSON"), this, &DataTable::copyAsJson)->setEnabled(count > 0);
    menu.addAction(tr("Save as CSV or JSON…"), this, &DataTable::exportRows)
        ->setEnabled(count > 0 && m_loader->rows()->complete);
    menu.addSeparator();
    menu.addAction(tr("Columns…"), this,
                   [this, globalAt] { showHeadingMenu(m_header->mapFromGlobal(globalAt), m_header); });
    menu.exec(globalAt);
}

void DataTable::showHeadingMenu(const QPoint& at, QHeaderView* header) {
    QMenu menu(this);
    const int column = header->logicalIndexAt(at);
    if (column >= 0 && m_loader->source()) {
        const auto which = static_cast<std::size_t>(column);
        const auto sortBy = [this, which](bool descending) {
            m_loader->follow(currentRow());
            m_loader->setSort({{which, descending}});
        };
        menu.addAction(tr("Sort ascending"), this, [sortBy] { sortBy(false); });
        menu.addAction(tr("Sort descending"), this, [sortBy] { sortBy(true); });
        menu.addAction(tr("As recorded"), this, [this] { m_loader->setSort({}); })
            ->setEnabled(!m_loader->sort().empty());
        const int visual = m_header->visualIndex(column);
        QAction* freeze = menu.addAction(tr("Freeze columns up to here"), this,
                                         [this, visual] { setFrozenColumns(visual + 1 == m_frozen ? 0 : visual + 1); });
        freeze->setCheckable(true);
        freeze->setChecked(visual + 1 == m_frozen);
        menu.addSeparator();
    }
    for (int i = 0; i < m_header->count(); ++i) {
        const auto which = static_cast<std::size_t>(i);
        const bool hidden = m_header->isSectionHidden(i);
        QAction* shown = menu.addAction(QString(m_headings->heading(which).title).replace(u'&', u"&&"_s), this,
                                        [this, which, hidden] { setColumnHidden(which, !hidden); });
        shown->setCheckable(true);
        shown->setChecked(!hidden);
        // One column has to stay, or nobody finds the way back.
        shown->setEnabled(hidden || m_header->count() - m_header->hiddenSectionCount() > 1);
    }
    menu.exec(header->mapToGlobal(at));
}

void DataTable::copy() const {
    if (m_loader->source()) QApplication::clipboard()->setText(tableAsText(shownPart(), kMaxCopied));
}

void DataTable::copyAsJson() const {
    if (m_loader->source()) QApplication::clipboard()->setText(tableAsJson(shownPart(), kMaxCopied));
}

void DataTable::exportRows() {
    const QString file =
        chooseSaveFile(this, tr("Save what is shown"), accessibleName(), u"CSV (*.csv);;JSON (*.json)"_s);
    if (!file.isEmpty()) saveAs(file);
}

void DataTable::saveAs(const QString& file) {
    if (const auto refused = m_session.refusedToWrite(file)) return emit exportFailed(errorSentence(*refused));
    m_session.jobs().start(
        file,
        [part = shownPart(), file](ProgressSlot& progress, const CancelToken& cancel) -> std::shared_ptr<const void> {
            return std::make_shared<const QString>(writeTable(part, file, progress, cancel));
        },
        [table = QPointer<DataTable>(this)](const std::shared_ptr<const void>& result) {
            const auto* problem = static_cast<const QString*>(result.get());
            if (table && problem != nullptr && !problem->isEmpty()) emit table->exportFailed(*problem);
        });
}

}  // namespace altiscope
