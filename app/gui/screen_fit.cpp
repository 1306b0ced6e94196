#include "app/gui/screen_fit.h"

#include <QEvent>
#include <QScreen>
#include <QStyle>
#include <QWidget>

namespace altiscope {

namespace {

/// Width of a window's frame, in pixels.
constexpr int kBorder = 4;

}  // namespace

bool ScreenFit::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Show || event->spontaneous() || !watched->isWidgetType()) return false;
    auto& window = static_cast<QWidget&>(*watched);
    const bool hasFrame = window.windowType() == Qt::Window || window.windowType() == Qt::Dialog;
    if (!window.isWindow() || !hasFrame || window.isMaximized() || window.isFullScreen()) return false;
    // An estimate: the frame itself is there only after the window.
    const QSize frame(2 * kBorder, window.style()->pixelMetric(QStyle::PM_TitleBarHeight) + 2 * kBorder);
    const QSize fitting = window.size().boundedTo(window.screen()->availableSize() - frame);
    // A window that was resized once does not follow its content any more when it is shown again.
    if (fitting != window.size()) window.resize(fitting);
    return false;
}

}  // namespace altiscope
