#include "views/common/plots/plot_canvas.h"

#include "views/common/plots/picture_file.h"
#include "views/common/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

#include <utility>

namespace altiscope {

PlotCanvas::PlotCanvas(Session& session, QWidget* parent) : QWidget(parent), m_session(session) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

QString PlotCanvas::savePicture(const QString& file) {
    const bool isOver = std::exchange(m_isPointerOverPlot, false);
    QString error = writePicture(m_session, file, size(), [this](QPainter& painter) {
        paintPicture(painter);
        paintOverlay(painter);
    });
    m_isPointerOverPlot = isOver;
    return error;
}

void PlotCanvas::drop() {
    m_picture = QPixmap();
    update();
}

void PlotCanvas::followPointer(const QMouseEvent& event) {
    m_pointer = event.pos();
    m_isPointerOverPlot = plotRect().contains(m_pointer);
}

void PlotCanvas::addPictureActions(QMenu& menu) {
    menu.addAction(tr("Show all"), this, &PlotCanvas::showAll)->setShortcut(Qt::CTRL | Qt::Key_0);
    menu.addAction(tr("Back to the previous view"), this, &PlotCanvas::showPrevious)->setShortcut(Qt::Key_Backspace);
    menu.addAction(tr("Copy the picture"), this, [this] { QApplication::clipboard()->setPixmap(grab()); });
    menu.addAction(tr("Save the picture…"), this,
                   [this] { savePictureAs(this, [this](const QString& file) { return savePicture(file); }); });
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
    if (!hasFocus()) return;
    painter.setPen(themeOf(palette()).accent);
    painter.drawRect(focusRect().adjusted(-1, -1, 0, 0));
}

void PlotCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

void PlotCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::LanguageChange)
        layOut();
}

void PlotCanvas::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_isPointerOverPlot = false;
    update();
}

void PlotCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void PlotCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace altiscope
