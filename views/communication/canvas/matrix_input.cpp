#include "views/communication/canvas/matrix_canvas.h"

#include "views/communication/data/link_texts.h"

#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <cmath>

namespace altiscope {

using namespace Qt::StringLiterals;

// Keys and mouse of MatrixCanvas.

void MatrixCanvas::zoomAt(const QPointF& at, double factor, HistoryMark mark) {
    m_window.zoomAt(at.x() - m_plot.left(), at.y() - m_plot.top(), factor, mark);
    drop();
}

void MatrixCanvas::panBy(double across, double down, HistoryMark mark) {
    m_window.panBy(across * m_plot.width(), down * m_plot.height(), mark);
    drop();
}

MatrixCanvas::PanTo MatrixCanvas::beginPan() {
    return [this, corner = m_window.corner()](const QPoint& moved, HistoryMark mark) {
        m_window.panFrom(corner, -moved.x(), -moved.y(), mark);
        drop();
    };
}

void MatrixCanvas::showAll() {
    m_window.home();
    drop();
}

void MatrixCanvas::showPrevious() {
    m_window.undo();
    drop();
}

void MatrixCanvas::showNext() {
    m_window.redo();
    drop();
}

// Keys of Communication, Links:
// - `Ctrl+Left`, `Ctrl+Right`, `Ctrl+Up`, `Ctrl+Down`: Choose the next link; without Ctrl where all links are shown
// - `Up`, `Down`: Move up or down where only a part is in sight
// - `Enter`: Go to what the chosen link has sent
bool MatrixCanvas::handleKey(const QKeyEvent& event) {
    const auto side = static_cast<double>(m_window.side());
    const bool isWhole = m_window.window().width >= side && m_window.window().height >= side;
    const bool hasControl = (event.modifiers() & Qt::ControlModifier) != 0;
    const auto move = [&](int across, int down) {
        // Where all is in sight there is nothing to move.
        if (hasControl || isWhole) chooseBeside(down, across);
        else panOn(across * kCanvasPanShare, down * kCanvasPanShare);
        return true;
    };
    switch (event.key()) {
    case Qt::Key_Left: return move(-1, 0);
    case Qt::Key_Right: return move(1, 0);
    case Qt::Key_Up: return move(0, -1);
    case Qt::Key_Down: return move(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_chosen) break;
        emit linkOpened(*m_chosen);
        return true;
    default: break;
    }
    return PlotCanvas::handleKey(event);
}

void MatrixCanvas::clickAt(const QPoint& at) {
    const auto link = linkAt(at);
    if (!link) return;
    m_chosen = Link{link->source, link->target};
    update();
    emit linkChosen(*m_chosen);
}

void MatrixCanvas::openAt(const QPoint& at) {
    if (const auto link = linkAt(at)) emit linkOpened({link->source, link->target});
    else showAll();
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

QString MatrixCanvas::tipAt(const QPoint& at) {
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

void MatrixCanvas::fillMenu(QMenu& menu, std::optional<QPoint> at) {
    if (at) clickAt(*at);
    if (m_chosen) emit menuOpens(&menu);
}

}  // namespace altiscope
