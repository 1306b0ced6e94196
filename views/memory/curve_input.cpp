#include "views/memory/curve_canvas.h"

#include "views/common/plots/picture_file.h"
#include "views/common/support/formatters.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

// What CurveCanvas does with keys and mouse.

namespace {

constexpr double kNotchDegrees = 120;
constexpr double kWheelZoom = 0.8, kKeyZoom = 0.7, kPanShare = 0.2;
constexpr qsizetype kMostTipLines = 16;

}  // namespace

void CurveCanvas::zoomAt(int x, double factor, HistoryMark mark) {
    const QRect plot = plotRect();
    if (plot.width() <= 0) return;
    m_window.change(
        [&](ViewWindow& window) { window.zoomAt(static_cast<double>(x - plot.left()) / plot.width(), factor, mark); });
}

void CurveCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    const QPoint delta = event->angleDelta();
    const double notches = delta.y() / kNotchDegrees, sideways = -delta.x() / kNotchDegrees * kPanShare;
    if (event->modifiers() & Qt::ShiftModifier || delta.x() != 0) {
        const double share = delta.x() != 0 ? sideways : -notches * kPanShare;
        return m_window.change([&](ViewWindow& window) { window.panBy(share, HistoryMark::Continue); });
    }
    if (notches != 0)
        zoomAt(static_cast<int>(event->position().x()), std::pow(kWheelZoom, notches), HistoryMark::Continue);
}

void CurveCanvas::keyPressEvent(QKeyEvent* event) {
    const int centre = m_pointerX.value_or(plotRect().center().x());
    const HistoryMark mark = event->isAutoRepeat() ? HistoryMark::Continue : HistoryMark::NewStep;
    const auto pan = [&](double share) { m_window.change([&](ViewWindow& window) { window.panBy(share, mark); }); };
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus: return zoomAt(centre, kKeyZoom, mark);
    case Qt::Key_S:
    case Qt::Key_Minus: return zoomAt(centre, 1 / kKeyZoom, mark);
    case Qt::Key_A:
    case Qt::Key_Left: return pan(-kPanShare);
    case Qt::Key_D:
    case Qt::Key_Right: return pan(kPanShare);
    case Qt::Key_Backspace:
        return m_window.change(
            [&](ViewWindow& window) { (event->modifiers() & Qt::ShiftModifier) != 0 ? window.redo() : window.undo(); });
    case Qt::Key_0:
        if ((event->modifiers() & Qt::ControlModifier) != 0)
            return m_window.change([](ViewWindow& window) { window.show(window.home(), HistoryMark::NewStep); });
        break;
    case Qt::Key_Escape:
        if (std::exchange(m_drag, Drag::None) != Drag::None) {
            m_dragged.reset();
            return update();
        }
        if (m_overlay.marked) return emit markedCleared();
        break;
    default: break;
    }
    QWidget::keyPressEvent(event);
}

void CurveCanvas::mousePressEvent(QMouseEvent* event) {
    m_pressedAt = event->pos();
    m_pressedWindow = m_window.window().range();
    if (m_window.window().empty()) return;
    if (event->button() == Qt::MiddleButton ||
        (event->button() == Qt::LeftButton && event->modifiers() & Qt::ControlModifier)) {
        m_drag = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        m_drag = Drag::Pressed;
    }
}

void CurveCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->pos();
    m_pointerX = plotRect().contains(at) ? std::optional(at.x()) : std::nullopt;
    if (m_drag == Drag::Pressed && (at - m_pressedAt).manhattanLength() >= QApplication::startDragDistance())
        m_drag = event->modifiers() & (Qt::AltModifier | Qt::ShiftModifier) ? Drag::Zoom : Drag::Mark;
    if (m_drag == Drag::Pan) {
        // From where the drag began, so that nothing adds up.
        const double ns = static_cast<double>(m_pressedWindow.length().value) / std::max(1, plotRect().width()) *
                          (m_pressedAt.x() - at.x());
        const DurationNs by{static_cast<std::int64_t>(std::llround(ns))};
        m_window.change([&](ViewWindow& window) {
            window.show({m_pressedWindow.begin + by, m_pressedWindow.end + by}, HistoryMark::Continue);
        });
    } else if (m_drag == Drag::Mark || m_drag == Drag::Zoom) {
        const QRect plot = plotRect();
        const int from = std::clamp(m_pressedAt.x(), plot.left(), plot.right()),
                  to = std::clamp(at.x(), plot.left(), plot.right());
        const auto begin = timeAt(std::min(from, to)), end = timeAt(std::max(from, to) + 1);
        if (begin && end) m_dragged = TimeRange{*begin, std::max(*end, *begin + DurationNs{1})};
    } else {
        QToolTip::showText(event->globalPosition().toPoint(), tipAt(at), this);
    }
    update();
}

void CurveCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(m_drag, Drag::None);
    const auto dragged = std::exchange(m_dragged, std::nullopt);
    unsetCursor();
    if (drag == Drag::Mark && dragged) emit rangeMarked(*dragged);
    if (drag == Drag::Zoom && dragged)
        m_window.change([&](ViewWindow& window) { window.show(*dragged, HistoryMark::NewStep); });
    const auto at = timeAt(event->pos().x());
    if (drag == Drag::Pressed && at && plotRect().contains(event->pos())) emit momentChosen(*at);
    update();
}

void CurveCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_drag = Drag::None;
    m_window.change([](ViewWindow& window) { window.show(window.home(), HistoryMark::NewStep); });
}

void CurveCanvas::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_pointerX.reset();
    update();
}

void CurveCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void CurveCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

/// The value of each line at the place; where its pixel has several, their range as well.
QString CurveCanvas::tipAt(const QPoint& at) {
    const auto time = timeAt(at.x());
    const QRect plot = plotRect();
    if (!time || !plot.contains(at)) return {};
    updateFrame();
    QStringList lines{placeText(*time)};
    const auto column = static_cast<std::size_t>(std::lround((at.x() - plot.left()) * devicePixelRatioF()));
    for (std::size_t i = 0; i < m_frame->lines.size() && i < m_lines.size(); ++i) {
        const auto& columns = m_frame->lines[i];
        if (column >= columns.size() || !columns[column].any()) continue;
        const MemoryExtremes& range = columns[column];
        QString text = m_lines[i].name + u": "_s;
        if (range.least == range.greatest) {
            text += valueText(range.least);
            if (m_values == Values::Bytes && range.least >= 0)
                text += u" ("_s + formatExactBytes(static_cast<std::uint64_t>(range.least)) + u')';
        } else {
            text += tr("%1 to %2 within this pixel").arg(valueText(range.least), valueText(range.greatest));
        }
        if (lines.size() <= kMostTipLines) lines << text;
    }
    const auto near = [&](TimeNs moment) {
        const auto x = xOf(moment);
        return x && std::abs(*x - at.x()) <= 4;
    };
    for (const CurvePoint& point : m_overlay.points) {
        if (near(point.at) && lines.size() <= kMostTipLines) lines << point.tip;
    }
    for (const CurveRange& mark : m_overlay.ranges) {
        const bool inside = mark.range.contains(*time) || near(mark.range.begin);
        if (inside && lines.size() <= kMostTipLines) lines << mark.tip;
    }
    return lines.join(u'\n');
}

QString CurveCanvas::savePicture(const QString& file) {
    return writePicture(m_session, file, size(), [this](QPainter& painter) { paintAll(painter); });
}

void CurveCanvas::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    const int x = event->reason() == QContextMenuEvent::Mouse ? event->pos().x() : plotRect().center().x();
    if (const auto at = timeAt(x)) emit menuOpens(&menu, *at);
    if (!menu.isEmpty()) menu.addSeparator();
    menu.addAction(
            tr("Show all"), this,
            [this] { m_window.change([](ViewWindow& window) { window.show(window.home(), HistoryMark::NewStep); }); })
        ->setShortcut(Qt::CTRL | Qt::Key_0);
    menu.addAction(tr("Back to the previous view"), this,
                   [this] { m_window.change([](ViewWindow& window) { window.undo(); }); })
        ->setShortcut(Qt::Key_Backspace);
    menu.addAction(tr("Copy the picture"), this, [this] { QApplication::clipboard()->setPixmap(grab()); });
    menu.addAction(tr("Save the picture…"), this,
                   [this] { askAndWritePicture(this, [this](const QString& file) { return savePicture(file); }); });
    menu.exec(event->globalPos());
}

}  // namespace altiscope
