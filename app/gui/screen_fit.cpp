#include "app/gui/screen_fit.h"

#include <QEvent>
#include <QScreen>
#include <QStyle>
#include <QWidget>

namespace altiscope {

namespace {

/// Of a window's frame, in pixels.
constexpr int kBorder = 4;

}  // namespace

bool ScreenFit::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Show || event->spontaneous() || !watched->isWidgetType()) return false;
    auto& window = static_cast<QWidget&>(*watched);
    const bool hasFrame = window.windowType() == Qt::Window || window.windowType() == Qt::Dialog;
    if (!window.isWindow() || !hasFrame || window.isMaximized() || window.isFullScreen()) return false;
    // Known only once a window has one.
    const QSize frame(2 * kBorder, window.style()->pixelMetric(QStyle::PM_TitleBarHeight) + 2 * kBorder);
    window.resize(window.size().boundedTo(window.screen()->availableSize() - frame));
    return false;
}

}  // namespace altiscope
