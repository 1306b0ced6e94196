#include "views/timeline/panels/marks_panel.h"

#include "core/session/selection.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"
#include "views/timeline/overlay/canvas_overlay.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QMessageBox>
#include <QSignalBlocker>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

QIcon swatch(const QColor& colour) {
    QPixmap picture(12, 12);
    picture.fill(colour);
    return picture;
}

}  // namespace

MarksPanel::MarksPanel(Session& session, const Selection& selection, Marks& marks, QWidget* parent)
    : QTableWidget(0, ColumnCount, parent), m_session(session), m_selection(selection), m_marks(marks) {
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setTabKeyNavigation(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    verticalHeader()->hide();
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    connect(&marks, &Marks::changed, this, &MarksPanel::refresh);
    connect(&selection, &Selection::shiftsChanged, this, &MarksPanel::refresh);
    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed})
        connect(&session, signal, this, &MarksPanel::refresh);
    connect(this, &QTableWidget::itemChanged, this, &MarksPanel::take);
    connect(this, &QTableWidget::cellDoubleClicked, this, [this](int row, int column) {
        if (column == Begin || column == Length) showRow(row);
    });
    retranslate();
}

/// A running import reports news ten times a second: rows are touched only where they differ, as somebody may be
/// writing.
void MarksPanel::refresh() {
    std::vector<Row> rows;
    for (const OpenCapture& capture : m_session.captures()) {
        // As the timeline's ruler counts.
        const TimeNs origin = m_selection.originOf(capture.id).value_or(capture.times.origin().value_or(TimeNs{}));
        for (const Mark& mark : m_marks.of(capture.id)) rows.push_back({capture.id, mark, origin});
    }
    if (rows == m_rows && rowCount() == static_cast<int>(rows.size())) return;
    const QSignalBlocker blocker(this);
    m_rows = std::move(rows);
    setRowCount(static_cast<int>(m_rows.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const Mark& mark = m_rows[static_cast<std::size_t>(row)].mark;
        showCell(row, Name);
        showCell(row, Begin);
        showCell(row, Length);
        showCell(row, Note);
        item(row, Begin)->setToolTip(formatAbsoluteTime(mark.range.begin));
        item(row, Length)->setToolTip(mark.range.empty() ? QString() : formatExactNs(mark.range.length()));
        item(row, Name)->setIcon(swatch(markColour(static_cast<std::size_t>(mark.colour), themeOf(palette()))));
    }
    // A time that is wrapped reads as another one.
    for (const int column : {Begin, Length})
        setColumnWidth(column, std::max(columnWidth(column), sizeHintForColumn(column)));
}

void MarksPanel::showCell(int row, int column) {
    const auto& [capture, mark, origin] = m_rows[static_cast<std::size_t>(row)];
    const QString text = column == Name       ? mark.name
                         : column == Begin    ? formatRelativeTime(mark.range.begin, origin)
                         : column == Note     ? mark.note
                         : mark.range.empty() ? QString()
                                              : formatDuration(mark.range.length());
    if (QTableWidgetItem* known = item(row, column)) {
        if (known->text() != text) known->setText(text);
        return;
    }
    auto* fresh = new QTableWidgetItem(text);
    const bool isText = column == Name || column == Note;
    fresh->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | (isText ? Qt::ItemIsEditable : Qt::NoItemFlags));
    setItem(row, column, fresh);
}

/// Text that was written into a cell.
void MarksPanel::take(QTableWidgetItem* item) {
    const Row row = m_rows[static_cast<std::size_t>(item->row())];
    Mark after = row.mark;
    (item->column() == Name ? after.name : after.note) = item->text().trimmed();
    // Not from within the editor, whose item may go with the rows.
    QMetaObject::invokeMethod(
        this,
        [this, row, after] {
            m_marks.change(row.capture, row.mark, after);
            m_rows.clear();  // also a text that only lost its blanks is shown as it is kept
            refresh();
        },
        Qt::QueuedConnection);
}

void MarksPanel::show(CaptureId capture, const Mark& mark) {
    if (!mark.range.empty()) return emit rangeRequested(capture, mark.range);
    // A moment is shown in the middle of a millisecond.
    constexpr DurationNs kAround{500'000};
    emit rangeRequested(capture, {mark.range.begin - kAround, mark.range.begin + kAround});
}

void MarksPanel::showRow(int row) {
    if (row >= 0 && row < rowCount())
        show(m_rows[static_cast<std::size_t>(row)].capture, m_rows[static_cast<std::size_t>(row)].mark);
}

void MarksPanel::confirmClear(CaptureId capture) {
    const int count = static_cast<int>(m_marks.of(capture).size());
    if (QMessageBox::question(this, tr("Marks"), tr("Remove %n mark(s) of this capture?", nullptr, count)) ==
        QMessageBox::Yes)
        m_marks.clear(capture);
}

void MarksPanel::copyRows() const {
    QStringList lines;
    for (const Row& row : m_rows)
        lines << QStringList{row.mark.name, QString::number(row.mark.range.begin.value),
                             QString::number(row.mark.range.length().value), row.mark.note}
                     .join(u'\t');
    QApplication::clipboard()->setText(lines.join(u'\n'));
}

// Keys of Timeline, marks:
// - `Enter`: Show the mark
// - `Del`: Remove the mark
// - `Ctrl+C`: Copy all marks
void MarksPanel::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const int row = currentRow();
    if (isEnter && state() != EditingState) return showRow(row);
    if (event->key() == Qt::Key_Delete && row >= 0)
        return m_marks.remove(m_rows[static_cast<std::size_t>(row)].capture,
                              m_rows[static_cast<std::size_t>(row)].mark);
    if (event->matches(QKeySequence::Copy)) return copyRows();
    QTableWidget::keyPressEvent(event);
}

std::optional<MarksPanel::Row> MarksPanel::rowOf(CaptureId capture, std::size_t place) const {
    const auto first =
        std::find_if(m_rows.begin(), m_rows.end(), [capture](const Row& row) { return row.capture == capture; });
    if (static_cast<std::size_t>(m_rows.end() - first) <= place ||
        (first + static_cast<std::ptrdiff_t>(place))->capture != capture)
        return std::nullopt;
    return *(first + static_cast<std::ptrdiff_t>(place));
}

void MarksPanel::editName(CaptureId capture, std::size_t place) {
    if (const auto row = rowOf(capture, place)) editRow(*row);
}

void MarksPanel::openMenu(CaptureId capture, std::size_t place, QPoint globalPos) {
    if (const auto row = rowOf(capture, place)) openMenu(*row, globalPos);
}

void MarksPanel::editRow(const Row& row) {
    const auto found = std::find(m_rows.begin(), m_rows.end(), row);
    if (found == m_rows.end()) return;
    emit wanted();
    const int at = static_cast<int>(found - m_rows.begin());
    setCurrentCell(at, Name);
    editItem(item(at, Name));
}

void MarksPanel::contextMenuEvent(QContextMenuEvent* event) {
    if (currentRow() >= 0) openMenu(Row(m_rows[static_cast<std::size_t>(currentRow())]), event->globalPos());
}

/// By value: while the menu is open, rows may change.
void MarksPanel::openMenu(const Row& row, QPoint globalPos) {
    QMenu menu(this);
    menu.addAction(tr("Show in the &timeline"), this, [this, row] { show(row.capture, row.mark); });
    menu.addAction(tr("&Rename"), this, [this, row] { editRow(row); });
    QMenu* colours = menu.addMenu(tr("&Colour"));
    for (int hue = 0; hue < static_cast<int>(Theme::kHues); ++hue) {
        colours->addAction(swatch(markColour(static_cast<std::size_t>(hue), themeOf(palette()))),
                           QString::number(hue + 1), this, [this, row, hue] {
                               Mark after = row.mark;
                               after.colour = hue;
                               m_marks.change(row.capture, row.mark, after);
                           });
    }
    menu.addSeparator();
    menu.addAction(tr("C&opy all as text"), this, [this] { copyRows(); });
    menu.addSeparator();
    menu.addAction(tr("R&emove"), this, [this, row] { m_marks.remove(row.capture, row.mark); });
    menu.addAction(tr("Remove all of this capture"), this, [this, row] { confirmClear(row.capture); });
    menu.exec(globalPos);
}

void MarksPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
    QTableWidget::changeEvent(event);
}

void MarksPanel::retranslate() {
    setHorizontalHeaderLabels({tr("Mark"), tr("Time"), tr("Duration"), tr("Note")});
    setAccessibleName(tr("Marks"));
    m_rows.clear();
    refresh();
}

}  // namespace altiscope
