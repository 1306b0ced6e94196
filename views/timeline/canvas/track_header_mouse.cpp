#include "views/timeline/canvas/track_header.h"

#include "views/timeline/canvas/track_menu.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace altiscope {

namespace {

/// How far from its lower edge a row can be taken by it, and from the right edge by its pin (logical pixels).
constexpr int kEdgeReach = 3, kPinReach = 24;
/// Height after Alt+Plus or Alt+Minus.
constexpr int kHeightStep = 4;

}  // namespace

/// The row whose lower edge is here, if its height can be changed.
std::optional<std::size_t> TrackHeader::edgeAt(QPoint at) const {
    const TimelineModel& model = m_scene.model();
    for (const int y : {at.y(), at.y() - kEdgeReach}) {
        const auto row = rowAt(std::max(y, 0));
        if (!row || !isResizable(model.rows()[*row])) continue;
        const TimelineRow& found = model.rows()[*row];
        if (std::abs(m_scene.viewport().yOf(found, found.top + found.height) - at.y()) <= kEdgeReach) return row;
    }
    return std::nullopt;
}

bool TrackHeader::isOnPin(QPoint at, const TimelineRow& row) const {
    return row.kind >= TimelineRowKind::Process && at.x() >= width() - kPinReach && lineOf(row).contains(at);
}

void TrackHeader::choose(std::size_t row, Qt::KeyboardModifiers modifiers) {
    const TimelineModel& model = m_scene.model();
    const RowKey key = model.sources().keyOf(model.rows()[row]);
    const auto anchor = currentRow();
    if (modifiers & Qt::ShiftModifier && anchor) {
        for (std::size_t i = std::min(row, *anchor); i <= std::max(row, *anchor); ++i) {
            const RowKey between = model.sources().keyOf(model.rows()[i]);
            if (std::find(m_chosen.begin(), m_chosen.end(), between) == m_chosen.end()) m_chosen.push_back(between);
        }
    } else {
        // The former current row counts as chosen, as it does in lists.
        if (m_chosen.empty() && m_current && *m_current != key && anchor) m_chosen.push_back(*m_current);
        const auto known = std::find(m_chosen.begin(), m_chosen.end(), key);
        if (known == m_chosen.end()) m_chosen.push_back(key);
        else m_chosen.erase(known);
    }
    m_current = key;
    update();
}

void TrackHeader::mousePressEvent(QMouseEvent* event) {
    const TimelineModel& model = m_scene.model();
    m_pressedAt = event->pos();
    if (const auto edge = event->button() == Qt::LeftButton ? edgeAt(event->pos()) : std::nullopt) {
        m_drag = Drag::Size;
        m_sizeMark = HistoryMark::NewStep;
        m_dragged = model.sources().keyOf(model.rows()[*edge]);
        return;
    }
    const auto row = rowAt(event->pos().y());
    if (!row) return;
    const RowKey key = model.sources().keyOf(model.rows()[*row]);
    if (event->button() == Qt::LeftButton && event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier))
        return choose(*row, event->modifiers());
    if (event->button() != Qt::LeftButton) {
        // A menu that is opened on selected rows is about all of them.
        if (std::find(m_chosen.begin(), m_chosen.end(), key) == m_chosen.end()) m_chosen.clear();
    } else {
        m_chosen.clear();
        m_drag = Drag::Pressed;
        m_dragged = key;
    }
    m_current = key;
    update();
}

void TrackHeader::mouseMoveEvent(QMouseEvent* event) {
    const TimelineModel& model = m_scene.model();
    const QPoint at = event->pos();
    if (m_drag == Drag::Pressed && (at - m_pressedAt).manhattanLength() >= QApplication::startDragDistance())
        beginMove();
    if (m_drag == Drag::Move) return moveTo(at);
    if (m_drag == Drag::Size) {
        for (const TimelineRow& row : model.rows()) {
            if (model.sources().keyOf(row) != m_dragged) continue;
            const TimelineRow sized = row;
            resizeRow(m_scene, sized, static_cast<int>(at.y() - m_scene.viewport().yOf(sized, sized.top)), m_sizeMark);
            m_sizeMark = HistoryMark::Continue;
            return;
        }
        return;
    }
    const auto row = rowAt(std::max(at.y(), 0));
    const auto hovered = row ? std::optional(model.sources().keyOf(model.rows()[*row])) : std::nullopt;
    setCursor(edgeAt(at) ? Qt::SplitVCursor : Qt::ArrowCursor);
    if (hovered == m_hovered) return;
    m_hovered = hovered;
    update();
}

void TrackHeader::beginMove() {
    m_drag = Drag::None;
    unsetCursor();
    m_siblings.clear();
    const TimelineModel& model = m_scene.model();
    const auto& rows = model.rows();
    const auto dragged = std::find_if(rows.begin(), rows.end(),
                                      [&](const TimelineRow& row) { return model.sources().keyOf(row) == m_dragged; });
    if (dragged == rows.end()) return;
    const std::vector<RowKey> siblings = model.siblingsOf(*dragged);
    // In display order, so that one pass finds them all. Rows of a deeper level belong to the sibling above them.
    std::size_t next = 0;
    for (const TimelineRow& row : rows) {
        if (next < siblings.size() && row.level == dragged->level && row.pinned == dragged->pinned &&
            model.sources().keyOf(row) == siblings[next]) {
            if (siblings[next] == m_dragged) m_from = next;
            m_siblings.push_back({row.top, row.top + row.height});
            ++next;
        } else if (!m_siblings.empty() && row.pinned == dragged->pinned && row.level > dragged->level &&
                   m_siblings.back().bottom == row.top) {
            m_siblings.back().bottom = row.top + row.height;
        }
    }
    if (m_siblings.size() != siblings.size() || siblings.size() < 2) return;
    m_to = m_from;
    m_drag = Drag::Move;
    setCursor(Qt::ClosedHandCursor);
}

void TrackHeader::moveTo(QPoint at) {
    const TimelineModel& model = m_scene.model();
    const TimelineRow& dragged = model.rows()[model.layout().rowAt(m_siblings[m_from].top)];
    const auto [first, after] = m_scene.viewport().scrolledPart(dragged);
    // Beyond the edge the rows scroll below the pointer.
    const int lane = model.metrics().lane;
    if (at.y() < first) m_scene.viewport().scrollBy(-lane, first);
    if (at.y() >= after) m_scene.viewport().scrollBy(lane, first);
    const std::int64_t height = m_scene.viewport().heightAt(std::clamp(at.y(), first, std::max(after - 1, first)));
    const auto below = std::upper_bound(m_siblings.begin(), m_siblings.end(), height,
                                        [](std::int64_t value, const Span& span) { return value < span.top; });
    m_to = below == m_siblings.begin() ? 0 : static_cast<std::size_t>(below - m_siblings.begin()) - 1;
    update();
}

void TrackHeader::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const TimelineModel& model = m_scene.model();
    const Drag drag = std::exchange(m_drag, Drag::None);
    unsetCursor();
    update();
    if (drag != Drag::Pressed && drag != Drag::Move) return;
    const auto& rows = model.rows();
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const TimelineRow& row) { return model.sources().keyOf(row) == m_dragged; });
    if (found == rows.end()) return;
    const TimelineRow row = *found;
    if (drag == Drag::Move) moveRow(m_scene, row, m_to);
    else if (isOnPin(event->pos(), row)) togglePin(m_scene, row);
    else toggle(static_cast<std::size_t>(found - rows.begin()));
}

void TrackHeader::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto edge = event->button() == Qt::LeftButton ? edgeAt(event->pos()) : std::nullopt;
    if (!edge) return mousePressEvent(event);
    const TimelineRow row = m_scene.model().rows()[*edge];
    resetHeight(m_scene, row);
}

void TrackHeader::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_hovered.reset();
    update();
}

// Keys of Timeline, names of tracks:
// - `P`: Keep the row at the top, or no longer
// - `Alt+Up`, `Alt+Down`: Move the row among its siblings
// - `Alt++`, `Alt+-`: Change the height of the row
// - `Shift+Up`, `Shift+Down`: Choose several rows
// - `Ctrl+Space`: Add the row to the chosen ones, or remove it
// - `U`: Undo what was pinned, moved, merged or hidden
// - `Shift+U`: Redo it
// - `Esc`: End a drag
/// Keys that pin, move, size, choose and undo.
bool TrackHeader::takeArranging(const QKeyEvent& event) {
    const auto modifiers = event.modifiers() & ~Qt::KeypadModifier;
    const bool alt = modifiers == Qt::AltModifier, shift = modifiers == Qt::ShiftModifier;
    const int key = event.key();
    if (m_drag != Drag::None && key == Qt::Key_Escape) {
        m_drag = Drag::None;
        unsetCursor();
        update();
        return true;
    }
    if (key == Qt::Key_U && (shift || !modifiers)) {
        if (shift) m_scene.redoArrangement();
        else m_scene.undoArrangement();
        return true;
    }
    const auto current = currentRow();
    if (!current) return false;
    const TimelineRow row = m_scene.model().rows()[*current];
    if (key == Qt::Key_P && !modifiers) {
        togglePin(m_scene, row);
    } else if (alt && (key == Qt::Key_Up || key == Qt::Key_Down)) {
        moveRowBy(m_scene, row, key == Qt::Key_Up ? -1 : 1);
    } else if (alt && (key == Qt::Key_Plus || key == Qt::Key_Equal || key == Qt::Key_Minus)) {
        resizeRow(m_scene, row,
                  row.height +
                      (key == Qt::Key_Minus ? -1 : 1) * kHeightStep * static_cast<int>(std::max(row.lanes, 1U)),
                  HistoryMark::NewStep);
    } else if (shift && (key == Qt::Key_Up || key == Qt::Key_Down)) {
        const std::size_t last = m_scene.model().rows().size() - 1;
        const std::size_t next = key == Qt::Key_Up ? (*current > 0 ? *current - 1 : 0) : std::min(*current + 1, last);
        choose(next, Qt::ShiftModifier);
        walk(0);
    } else if (modifiers == Qt::ControlModifier && key == Qt::Key_Space) {
        choose(*current, Qt::ControlModifier);
    } else {
        return false;
    }
    return true;
}

}  // namespace altiscope
