#include "app/gui/screen_fit.h"

#include <QEvent>
#include <QLayout>
#include <QScreen>
#include <QStyle>
#include <QTimer>
#include <QWidget>

namespace altiscope {

namespace {

/// Width of a window's frame, in pixels.
constexpr int kBorder = 4;

/// @param room  Of the screens. The frame is an estimate: it is there only after the window.
QSize fittingSize(const QWidget& window, const QSize& room) {
    const QSize frame(2 * kBorder, window.style()->pixelMetric(QStyle::PM_TitleBarHeight) + 2 * kBorder);
    return window.size().boundedTo(room - frame);
}

/// Takes back what a window grew by while its content needed more than there is: it does not shrink by itself.
void shrinkToScreens(QWidget& window) {
    const QSize fitting = fittingSize(window, window.screen()->availableVirtualSize());
    if (fitting == window.size() || window.layout() == nullptr) return;
    const QSize size = fitting.expandedTo(window.layout()->totalMinimumSize()).boundedTo(window.size());
    if (size != window.size()) window.resize(size);
}

}  // namespace

bool ScreenFit::eventFilter(QObject* watched, QEvent* event) {
    const bool isShown = event->type() == QEvent::Show && !event->spontaneous();
    if ((!isShown && event->type() != QEvent::LayoutRequest) || !watched->isWidgetType()) return false;
    auto& window = static_cast<QWidget&>(*watched);
    const bool hasFrame = window.windowType() == Qt::Window || window.windowType() == Qt::Dialog;
    if (!window.isWindow() || !hasFrame || window.isMaximized() || window.isFullScreen()) return false;
    if (!isShown) {
        // After the layout.
        QTimer::singleShot(0, &window, [&window] { shrinkToScreens(window); });
        return false;
    }
    // A window that was resized once does not follow its content any more when it is shown again.
    const QSize fitting = fittingSize(window, window.screen()->availableSize());
    if (fitting != window.size()) window.resize(fitting);
    return false;
}

}  // namespace altiscope
