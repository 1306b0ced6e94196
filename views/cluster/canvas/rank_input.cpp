#include "views/cluster/canvas/rank_canvas.h"

#include <QKeyEvent>
#include <QMenu>

namespace altiscope {

// What RankCanvas does with keys and mouse.

void RankCanvas::zoomAt(const QPointF& at, double factor, HistoryMark mark) {
    m_window.zoomAt(at - QPointF(m_plot.topLeft()), factor, mark);
    drop();
}

void RankCanvas::panBy(double across, double down, HistoryMark mark) {
    m_window.panBy(across * m_plot.width(), down * m_plot.height(), mark);
    drop();
}

RankCanvas::PanTo RankCanvas::beginPan() {
    return [this, corner = m_window.window().topLeft()](const QPoint& moved, HistoryMark mark) {
        m_window.panFrom(corner, -moved.x(), -moved.y(), mark);
        drop();
    };
}

void RankCanvas::showAll() {
    m_window.home();
    drop();
}

void RankCanvas::showPrevious() {
    m_window.undo();
    drop();
}

void RankCanvas::showNext() {
    m_window.redo();
    drop();
}

// Keys of Cluster, Ranks:
// - `Left`, `Right`, `Up`, `Down`: Choose the next rank
// - `A`, `D`: Move to the left or the right where only a part is in sight
// - `Enter`: Go to the chosen rank in the timeline, or to its overview
bool RankCanvas::handleKey(const QKeyEvent& event) {
    switch (event.key()) {
    case Qt::Key_Left: chooseBeside(-1, 0); return true;
    case Qt::Key_Right: chooseBeside(1, 0); return true;
    case Qt::Key_Up: chooseBeside(0, -1); return true;
    case Qt::Key_Down: chooseBeside(0, 1); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_chosen) break;
        emit cellOpened(*m_chosen);
        return true;
    default: break;
    }
    return PlotCanvas::handleKey(event);
}

void RankCanvas::clickAt(const QPoint& at) {
    const auto cell = cellAt(at);
    if (!cell) return;
    m_chosen = cell;
    update();
    emit cellChosen(*cell);
}

void RankCanvas::openAt(const QPoint& at) {
    if (const auto cell = cellAt(at)) emit cellOpened(*cell);
    else showAll();
}

void RankCanvas::chooseBeside(int across, int down) {
    if (m_picture == nullptr || m_picture->cells.empty()) return;
    choose(m_chosen ? m_picture->grid.cellBeside(*m_chosen, across, down) : 0);
    emit cellChosen(*m_chosen);
}

void RankCanvas::fillMenu(QMenu& menu, std::optional<QPoint> at) {
    if (at) clickAt(*at);
    if (m_chosen) emit menuOpens(&menu);
}

}  // namespace altiscope
