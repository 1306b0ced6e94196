#include "views/cluster/canvas/rank_canvas.h"

#include "views/common/plots/canvas_gestures.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>
#include <utility>

namespace altiscope {

// What RankCanvas does with keys and mouse.

void RankCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    const double notches = event->angleDelta().y() / kCanvasNotch;
    if (const auto share = panOfWheel(*event)) m_window.panBy(*share * m_plot.width(), 0, false);
    else if (notches != 0)
        m_window.zoomAt(event->position() - QPointF(m_plot.topLeft()), std::pow(kCanvasWheelZoom, notches), false);
    drop();
}

// Keys of Cluster, Ranks:
// - `Left`, `Right`, `Up`, `Down`: Choose the next rank
// - `A`, `D`: Move to the left or the right where only a part is in sight
// - `Enter`: Go to the chosen rank in the timeline, or to its overview
void RankCanvas::keyPressEvent(QKeyEvent* event) {
    const bool newStep = !event->isAutoRepeat();
    switch (event->key()) {
    case Qt::Key_Left: return chooseBeside(-1, 0);
    case Qt::Key_Right: return chooseBeside(1, 0);
    case Qt::Key_Up: return chooseBeside(0, -1);
    case Qt::Key_Down: return chooseBeside(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_chosen) return emit cellOpened(*m_chosen);
        break;
    default: break;
    }
    const auto pan = [&](double across) {
        m_window.panBy(across * kCanvasPanShare * m_plot.width(), 0, newStep);
        drop();
    };
    const auto zoom = [&](double factor) {
        m_window.zoomAt(pointerOrCentre() - m_plot.topLeft(), factor, newStep);
        drop();
    };
    switch (canvasCommand(*event)) {
    case CanvasCommand::ZoomIn: return zoom(kCanvasKeyZoom);
    case CanvasCommand::ZoomOut: return zoom(1 / kCanvasKeyZoom);
    case CanvasCommand::PanLeft: return pan(-1);
    case CanvasCommand::PanRight: return pan(1);
    case CanvasCommand::ShowAll: return showAll();
    case CanvasCommand::Undo: return showPrevious();
    case CanvasCommand::Redo:  // there is no way forward
    case CanvasCommand::None: break;
    }
    QWidget::keyPressEvent(event);
}

void RankCanvas::mousePressEvent(QMouseEvent* event) {
    m_pressedAt = event->pos();
    m_pannedTo = event->pos();
    m_isPanning = event->button() == Qt::MiddleButton ||
                  (event->button() == Qt::LeftButton && event->modifiers() & Qt::ControlModifier);
    if (m_isPanning) setCursor(Qt::ClosedHandCursor);
    if (event->button() == Qt::RightButton) chooseAt(event->pos());
}

void RankCanvas::mouseMoveEvent(QMouseEvent* event) {
    followPointer(*event);
    const QPoint at = event->pos();
    if (m_isPanning) {
        const QPoint by = m_pannedTo - at;
        m_window.panBy(by.x(), by.y(), m_pannedTo == m_pressedAt);
        m_pannedTo = at;
        return drop();
    }
    QToolTip::showText(event->globalPosition().toPoint(), tipAt(at), this);
}

void RankCanvas::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    const auto pressed = std::exchange(m_pressedAt, std::nullopt);
    if (std::exchange(m_isPanning, false) || !pressed || event->button() != Qt::LeftButton) return;
    if ((event->pos() - *pressed).manhattanLength() < QApplication::startDragDistance()) chooseAt(event->pos());
}

void RankCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_pressedAt.reset();
    if (const auto cell = cellAt(event->pos())) return emit cellOpened(*cell);
    showAll();
}

void RankCanvas::showAll() {
    m_window.home(true);
    drop();
}

void RankCanvas::showPrevious() {
    m_window.undo();
    drop();
}

void RankCanvas::chooseAt(const QPoint& at) {
    const auto cell = cellAt(at);
    if (!cell) return;
    m_chosen = cell;
    update();
    emit cellChosen(*cell);
}

void RankCanvas::chooseBeside(int across, int down) {
    if (m_picture == nullptr || m_picture->cells.empty()) return;
    choose(m_chosen ? m_picture->grid.cellBeside(*m_chosen, across, down) : 0);
    emit cellChosen(*m_chosen);
}

void RankCanvas::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    if (m_chosen) emit menuOpens(&menu);
    if (!menu.isEmpty()) menu.addSeparator();
    addPictureActions(menu);
    menu.exec(event->globalPos());
}

}  // namespace altiscope
