#include "views/timeline/marks_panel.h"

#include "views/common/formatters.h"
#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/timeline/canvas_overlay.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
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

} // namespace

MarksPanel::MarksPanel(Session& session, Marks& marks, QWidget* parent)
    : QTableWidget(0, ColumnCount, parent), m_session(session), m_marks(marks) {
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setTabKeyNavigation(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    verticalHeader()->hide();
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    connect(&marks, &Marks::changed, this, &MarksPanel::refresh);
    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed}) connect(&session, signal, this, &MarksPanel::refresh);
    connect(this, &QTableWidget::itemChanged, this, &MarksPanel::take);
    connect(this, &QTableWidget::cellDoubleClicked, this, [this](int row, int column) {
        if (column == Begin || column == Length) show(row);
    });
    retranslate();
}

void MarksPanel::refresh() {
    std::vector<Place> places;
    for (const OpenCapture& capture : m_session.captures()) {
        for (std::size_t i = 0; i < m_marks.of(capture.id).size(); ++i) places.emplace_back(capture.id, i);
    }
    const QSignalBlocker blocker(this);
    m_places = std::move(places);
    setRowCount(static_cast<int>(m_places.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const Mark& mark = markOf(row);
        const OpenCapture& capture = *m_session.capture(m_places[static_cast<std::size_t>(row)].first);
        const TimeNs origin = capture.times.origin().value_or(TimeNs{});
        const QString texts[ColumnCount] = {mark.name, formatRelativeTime(mark.range.begin, origin),
                                            mark.range.empty() ? QString() : formatDuration(mark.range.length()), mark.note};
        for (int column = 0; column < ColumnCount; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            const bool isText = column == Name || column == Note;
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | (isText ? Qt::ItemIsEditable : Qt::NoItemFlags));
            if (column == Begin) item->setToolTip(formatAbsoluteTime(mark.range.begin));
            if (column == Length && !mark.range.empty()) item->setToolTip(formatExactNs(mark.range.length()));
            if (column == Name) item->setIcon(swatch(markColour(static_cast<std::size_t>(mark.colour), themeOf(palette()))));
            setItem(row, column, item);
        }
    }
}

/// What was written into a cell.
void MarksPanel::take(QTableWidgetItem* item) {
    const auto [capture, place] = m_places[static_cast<std::size_t>(item->row())];
    Mark mark = markOf(item->row());
    (item->column() == Name ? mark.name : mark.note) = item->text().trimmed();
    // Not from within the editor, whose item goes with the rows.
    QMetaObject::invokeMethod(this, [this, id = capture, at = place, mark] { m_marks.change(id, at, mark); }, Qt::QueuedConnection);
}

void MarksPanel::show(int row) {
    if (row < 0 || row >= rowCount()) return;
    const std::uint32_t capture = m_places[static_cast<std::size_t>(row)].first;
    const TimeRange range = markOf(row).range;
    if (!range.empty()) return emit rangeRequested(capture, range);
    // A moment is shown in a window of a millisecond, or one microsecond of what is shorter.
    constexpr std::int64_t kAround = 500'000;
    emit rangeRequested(capture, {range.begin - DurationNs{kAround}, range.begin + DurationNs{kAround}});
}

void MarksPanel::remove(int row) {
    if (row < 0 || row >= rowCount()) return;
    m_marks.remove(m_places[static_cast<std::size_t>(row)].first, m_places[static_cast<std::size_t>(row)].second);
}

void MarksPanel::copyRows() const {
    QStringList lines;
    for (int row = 0; row < rowCount(); ++row) {
        const Mark& mark = markOf(row);
        lines << QStringList{mark.name, QString::number(mark.range.begin.value), QString::number(mark.range.length().value), mark.note}.join(u'\t');
    }
    QApplication::clipboard()->setText(lines.join(u'\n'));
}

void MarksPanel::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && state() != EditingState) return show(currentRow());
    if (event->key() == Qt::Key_Delete) return remove(currentRow());
    if (event->matches(QKeySequence::Copy)) return copyRows();
    QTableWidget::keyPressEvent(event);
}

void MarksPanel::contextMenuEvent(QContextMenuEvent* event) {
    const int row = currentRow();
    if (row < 0) return;
    const auto [capture, place] = m_places[static_cast<std::size_t>(row)];
    QMenu menu(this);
    menu.addAction(tr("Show in the &timeline"), this, [this, row] { show(row); });
    menu.addAction(tr("&Rename"), this, [this, row] { editItem(item(row, Name)); });
    QMenu* colours = menu.addMenu(tr("&Colour"));
    for (int hue = 0; hue < static_cast<int>(Theme::kHues); ++hue) {
        colours->addAction(swatch(markColour(static_cast<std::size_t>(hue), themeOf(palette()))), QString::number(hue + 1), this,
                           [this, id = capture, at = place, row, hue] {
                               Mark mark = markOf(row);
                               mark.colour = hue;
                               m_marks.change(id, at, mark);
                           });
    }
    menu.addSeparator();
    menu.addAction(tr("C&opy all as text"), this, [this] { copyRows(); });
    menu.addSeparator();
    menu.addAction(tr("R&emove"), this, [this, row] { remove(row); });
    menu.addAction(tr("Remove all of this capture"), this, [this, id = capture] { m_marks.clear(id); });
    menu.exec(event->globalPos());
}

void MarksPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
    QTableWidget::changeEvent(event);
}

void MarksPanel::retranslate() {
    setHorizontalHeaderLabels({tr("Mark"), tr("Time"), tr("Length"), tr("Note")});
    setAccessibleName(tr("Marks"));
    refresh();
}

} // namespace altiscope
