#include "views/common/plots/plot_canvas.h"

#include "views/common/plots/picture_file.h"
#include "views/common/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>

#include <utility>

namespace altiscope {

PlotCanvas::PlotCanvas(Session& session, QWidget* parent) : GestureCanvas(parent), m_session(session) {
    setAttribute(Qt::WA_OpaquePaintEvent);
}

QString PlotCanvas::savePicture(const QString& file) {
    const bool isOver = isPointerOverPlot();
    setPointerOverPlot(false);
    QString error = writePicture(m_session, file, size(), [this](QPainter& painter) {
        paintPicture(painter);
        paintOverlay(painter);
    });
    setPointerOverPlot(isOver);
    return error;
}

void PlotCanvas::drop() {
    m_picture = QPixmap();
    update();
}

void PlotCanvas::hoverAt(const QPoint& at, const QPoint& global) { QToolTip::showText(global, tipAt(at), this); }

void PlotCanvas::contextMenuEvent(QContextMenuEvent* event) {
    const bool isByMouse = event->reason() == QContextMenuEvent::Mouse;
    QMenu menu(this);
    fillMenu(menu, isByMouse ? std::optional(event->pos()) : std::nullopt);
    if (!menu.isEmpty()) menu.addSeparator();
    menu.addAction(tr("Show all"), this, &PlotCanvas::showAll)->setShortcut(Qt::CTRL | Qt::Key_0);
    menu.addAction(tr("Back to the previous view"), this, &PlotCanvas::showPrevious)->setShortcut(Qt::Key_Backspace);
    menu.addAction(tr("Copy the picture"), this, [this] { QApplication::clipboard()->setPixmap(grab()); });
    menu.addAction(tr("Save the picture…"), this,
                   [this] { savePictureAs(this, [this](const QString& file) { return savePicture(file); }); });
    menu.exec(event->globalPos());
}

void PlotCanvas::paintEvent(QPaintEvent*) {
    const double ratio = devicePixelRatioF();
    if (m_picture.isNull() || m_picture.size() != size() * ratio) {
        m_picture = QPixmap(size() * ratio);
        m_picture.setDevicePixelRatio(ratio);
        QPainter painter(&m_picture);
        paintPicture(painter);
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    painter.save();
    paintOverlay(painter);
    painter.restore();
    paintDragBox(painter);
    if (!hasFocus()) return;
    painter.setPen(themeOf(palette()).accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(focusRect().adjusted(-1, -1, 0, 0));
}

void PlotCanvas::resizeEvent(QResizeEvent* event) {
    GestureCanvas::resizeEvent(event);
    layOut();
}

void PlotCanvas::changeEvent(QEvent* event) {
    GestureCanvas::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::LanguageChange)
        layOut();
}

void PlotCanvas::leaveEvent(QEvent* event) {
    GestureCanvas::leaveEvent(event);
    update();
}

}  // namespace altiscope
