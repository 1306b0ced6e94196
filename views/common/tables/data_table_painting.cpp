#include "views/common/support/cell_text.h"
#include "views/common/tables/data_table.h"
#include "views/common/theme/theme.h"

#include <QHeaderView>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

namespace altiscope {

void DataTable::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    if (!m_loader->source()) return;
    const auto first = static_cast<std::size_t>(verticalScrollBar()->value());
    const std::size_t last = std::min(first + rowsInSight() + 1, m_loader->rows()->count);
    const int left = frozenWidth();
    for (std::size_t place = first; place < last; ++place) {
        const int top = static_cast<int>(place - first) * rowHeight();
        painter.setClipRect(left, 0, viewport()->width() - left, viewport()->height());
        paintRow(painter, place, top, false);
        if (m_frozen == 0) continue;
        painter.setClipRect(0, 0, left, viewport()->height());
        paintRow(painter, place, top, true);
    }
    if (m_frozen == 0) return;
    painter.setClipping(false);
    painter.setPen(themeOf(palette()).hairLine);
    painter.drawLine(left - 1, 0, left - 1, viewport()->height());
}

void DataTable::paintRow(QPainter& painter, std::size_t place, int top, bool frozen) const {
    const bool selected = m_selection.contains(place);
    const auto group = hasFocus() ? palette().currentColorGroup() : QPalette::Inactive;
    if (selected)
        painter.fillRect(QRect(0, top, viewport()->width(), rowHeight()), palette().color(group, QPalette::Highlight));
    painter.setPen(selected ? palette().color(group, QPalette::HighlightedText) : palette().color(QPalette::Text));
    const std::uint32_t row = m_loader->rows()->row(place);
    for (int visual = 0; visual < m_header->count(); ++visual) {
        const int column = m_header->logicalIndex(visual);
        if (m_header->isSectionHidden(column) || (visual < m_frozen) != frozen) continue;
        const QRect rect(columnLeft(column), top, m_header->sectionSize(column), rowHeight());
        if (rect.right() < 0 || rect.left() > viewport()->width()) continue;
        paintCell(painter, row, static_cast<std::size_t>(column), rect, selected && group == QPalette::Active);
        if (place != m_current || static_cast<std::size_t>(column) != m_currentColumn || !hasFocus()) continue;
        painter.save();
        painter.setPen(selected ? palette().color(QPalette::HighlightedText) : themeOf(palette()).accent);
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
        painter.restore();
    }
}

QString DataTable::shownText(std::uint32_t row, std::size_t column) const {
    const TableSource& source = *m_loader->source();
    const QString text = cellText(source, column, source.cell(column, row));
    const ColumnHeading& heading = m_headings->heading(column);
    const QString shown = text.isEmpty() ? heading.none : heading.word ? heading.word(text) : text;
    return withBeside(shown, source.beside(column, row));
}

void DataTable::paintCell(QPainter& painter, std::uint32_t row, std::size_t column, const QRect& rect,
                          bool onAccent) const {
    const TableSource& source = *m_loader->source();
    const int gap = fontMetrics().averageCharWidth() / 2 + 1;
    QRect inner = rect.adjusted(gap, 0, -gap, 0);
    if (m_cellIcon) {
        const QIcon icon = m_cellIcon(row, column);
        if (!icon.isNull()) {
            const int side = fontMetrics().height();
            icon.paint(&painter, QRect(inner.left(), rect.top() + (rect.height() - side) / 2, side, side),
                       Qt::AlignCenter, onAccent ? QIcon::Selected : QIcon::Normal);
            inner.setLeft(inner.left() + side + gap);
        }
    }
    const bool right = isRightAligned(source.columns()[column]);
    const QString text = onOneLine(shownText(row, column));
    const QString fitting = fontMetrics().elidedText(text, m_headings->heading(column).elide, inner.width());
    painter.drawText(inner,
                     static_cast<int>((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter) | Qt::TextSingleLine,
                     fitting);
}

}  // namespace altiscope
