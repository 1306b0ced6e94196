#include "views/communication/canvas/matrix_canvas.h"

#include "views/common/plots/canvas_gestures.h"
#include "views/communication/data/link_texts.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

// Keys and mouse of MatrixCanvas.

void MatrixCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    const QRect plot = plotRect();
    const double notches = event->angleDelta().y() / kCanvasNotch;
    if (const auto share = panOfWheel(*event)) {
        m_window.panBy(*share * plot.width(), 0, false);
    } else if (notches != 0) {
        m_window.zoomAt(event->position().x() - plot.left(), event->position().y() - plot.top(),
                        std::pow(kCanvasWheelZoom, notches), false);
    }
    drop();
}

// Keys of Communication, Links:
// - `Ctrl+Left`, `Ctrl+Right`, `Ctrl+Up`, `Ctrl+Down`: Choose the next link; without Ctrl where all links are shown
// - `Up`, `Down`: Move up or down where only a part is in sight
// - `Enter`: Go to what the chosen link has sent
void MatrixCanvas::keyPressEvent(QKeyEvent* event) {
    const QRect plot = plotRect();
    const QPoint centre = pointerOrCentre() - plot.topLeft();
    const bool newStep = !event->isAutoRepeat();
    const auto pan = [&](double across, double down) {
        m_window.panBy(across * kCanvasPanShare * plot.width(), down * kCanvasPanShare * plot.height(), newStep);
        drop();
    };
    const auto zoom = [&](double factor) {
        m_window.zoomAt(centre.x(), centre.y(), factor, newStep);
        drop();
    };
    const bool control = (event->modifiers() & Qt::ControlModifier) != 0;
    const auto side = static_cast<double>(m_window.side());
    const bool isWhole = m_window.window().width >= side && m_window.window().height >= side;
    const bool chooses = control || isWhole;  // where there is nothing to move
    switch (event->key()) {
    case Qt::Key_Left: return chooses ? chooseBeside(0, -1) : pan(-1, 0);
    case Qt::Key_Right: return chooses ? chooseBeside(0, 1) : pan(1, 0);
    case Qt::Key_Up: return chooses ? chooseBeside(-1, 0) : pan(0, -1);
    case Qt::Key_Down: return chooses ? chooseBeside(1, 0) : pan(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_chosen) return emit linkOpened(*m_chosen);
        break;
    default: break;
    }
    switch (canvasCommand(*event)) {
    case CanvasCommand::ZoomIn: return zoom(kCanvasKeyZoom);
    case CanvasCommand::ZoomOut: return zoom(1 / kCanvasKeyZoom);
    case CanvasCommand::PanLeft: return pan(-1, 0);
    case CanvasCommand::PanRight: return pan(1, 0);
    case CanvasCommand::ShowAll: return showAll();
    case CanvasCommand::Undo: return showPrevious();
    case CanvasCommand::Redo:  // there is no way forward
    case CanvasCommand::None: break;
    }
    QWidget::keyPressEvent(event);
}

void MatrixCanvas::mousePressEvent(QMouseEvent* event) {
    m_pressedAt = event->pos();
    m_pannedTo = event->pos();
    m_panning = event->button() == Qt::MiddleButton ||
                (event->button() == Qt::LeftButton && event->modifiers() & Qt::ControlModifier);
    if (m_panning) setCursor(Qt::ClosedHandCursor);
    if (event->button() == Qt::RightButton) chooseAt(event->pos());
}

void MatrixCanvas::mouseMoveEvent(QMouseEvent* event) {
    followPointer(*event);
    const QPoint at = event->pos();
    if (m_panning) {
        const QPoint by = m_pannedTo - at;
        m_window.panBy(by.x(), by.y(), m_pannedTo == m_pressedAt);
        m_pannedTo = at;
        return drop();
    }
    QToolTip::showText(event->globalPosition().toPoint(), tipAt(at), this);
}

void MatrixCanvas::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    const auto pressed = std::exchange(m_pressedAt, std::nullopt);
    if (std::exchange(m_panning, false) || !pressed || event->button() != Qt::LeftButton) return;
    if ((event->pos() - *pressed).manhattanLength() < QApplication::startDragDistance()) chooseAt(event->pos());
}

void MatrixCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_pressedAt.reset();
    if (const auto link = linkAt(event->pos())) return emit linkOpened({link->source, link->target});
    showAll();
}

void MatrixCanvas::showAll() {
    m_window.home(true);
    drop();
}

void MatrixCanvas::showPrevious() {
    m_window.undo();
    drop();
}

void MatrixCanvas::chooseAt(const QPoint& at) {
    const auto link = linkAt(at);
    if (!link) return;
    m_chosen = Link{link->source, link->target};
    update();
    emit linkChosen(*m_chosen);
}

/// The next link in a direction that has a value.
void MatrixCanvas::chooseBeside(int down, int across) {
    if (m_picture == nullptr || m_labels.empty()) return;
    const auto side = static_cast<std::int64_t>(m_labels.size());
    std::int64_t source = m_chosen ? m_chosen->source : 0, target = m_chosen ? m_chosen->target : 0;
    for (bool first = !m_chosen;; first = false) {
        if (!first) {
            source += down;
            target += across;
        }
        if (source < 0 || target < 0 || source >= side || target >= side) return;
        const auto link = m_picture->matrix().find(static_cast<std::size_t>(source), static_cast<std::size_t>(target));
        if (link && m_picture->value(*link)) break;
    }
    choose(Link{static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(target)});
    emit linkChosen(*m_chosen);
}

std::optional<LinkSum> MatrixCanvas::linkAt(const QPoint& at) const {
    const QRect plot = plotRect();
    const QSizeF extent = m_window.extent();
    const QPoint inside = at - plot.topLeft();
    if (m_picture == nullptr || m_labels.empty() || inside.x() < 0 || inside.y() < 0 || inside.x() >= extent.width() ||
        inside.y() >= extent.height())
        return std::nullopt;
    const LinkWindow& window = m_window.window();
    const double width = 1 / m_window.cellWidth(), height = 1 / m_window.cellHeight();
    // A cell that is larger than the pixel is the one in which its middle lies.
    if (width < 1 || height < 1) {
        const double column = window.left + (inside.x() + 0.5) * width, row = window.top + (inside.y() + 0.5) * height;
        const double w = std::max(1.0, width), h = std::max(1.0, height);
        return m_picture->standsFor(
            {w > 1 ? column - w / 2 : std::floor(column), h > 1 ? row - h / 2 : std::floor(row), w, h});
    }
    return m_picture->standsFor({window.left + inside.x() * width, window.top + inside.y() * height, width, height});
}

QString MatrixCanvas::tipAt(const QPoint& at) const {
    const QRect plot = plotRect();
    const QSizeF extent = m_window.extent();
    const QPointF inside = QPointF(at - plot.topLeft());
    if (m_picture == nullptr || m_labels.empty()) return {};
    const LinkMatrix& matrix = m_picture->matrix();
    const auto nodeAt = [&](double begin, double pixel, double cell) {
        return std::min(m_labels.size() - 1, static_cast<std::size_t>(std::max(0.0, begin + pixel / cell)));
    };
    const auto sumText = [&](const std::optional<double>& sum) {
        if (!sum) return tr("no data");
        return m_picture->isDifference() ? differenceText(m_picture->metric(), *sum)
                                         : metricText(m_picture->metric(), *sum, matrix);
    };
    const bool down = inside.y() >= 0 && inside.y() < extent.height(),
               across = inside.x() >= 0 && inside.x() < extent.width();
    if (down && !across && inside.x() > extent.width()) {
        const std::size_t source = nodeAt(m_window.window().top, inside.y(), m_window.cellHeight());
        return tr("From %1 to all: %2").arg(nodeTitle(matrix.nodes()[source]), sumText(m_picture->ofSources()[source]));
    }
    if (across && !down && inside.y() > extent.height()) {
        const std::size_t target = nodeAt(m_window.window().left, inside.x(), m_window.cellWidth());
        return tr("From all to %1: %2").arg(nodeTitle(matrix.nodes()[target]), sumText(m_picture->ofTargets()[target]));
    }
    if (!down || !across) return {};
    if (const auto link = linkAt(at)) {
        QStringList lines = linkLines(*link, matrix);
        if (m_picture->isDifference()) lines << differenceLines(*m_picture->comparison(), *link, m_picture->metric());
        if (m_window.cellWidth() < 1 || m_window.cellHeight() < 1)
            lines << tr("Several links share this pixel: this is the one that matters most.");
        return lines.join(u'\n');
    }
    const std::size_t source = nodeAt(m_window.window().top, inside.y(), m_window.cellHeight()),
                      target = nodeAt(m_window.window().left, inside.x(), m_window.cellWidth());
    return QStringList{tr("From: %1").arg(nodeTitle(matrix.nodes()[source])),
                       tr("To: %1").arg(nodeTitle(matrix.nodes()[target])), tr("No data: no file has such a link.")}
        .join(u'\n');
}

void MatrixCanvas::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    if (m_chosen) emit menuOpens(&menu);
    if (!menu.isEmpty()) menu.addSeparator();
    addPictureActions(menu);
    menu.exec(event->globalPos());
}

}  // namespace altiscope
