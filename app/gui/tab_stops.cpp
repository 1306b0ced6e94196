#include "app/gui/tab_stops.h"

#include <QWidget>

namespace altiscope {

QWidget* nextTabStop(QWidget& window) {
    QWidget* const from = window.focusWidget() != nullptr ? window.focusWidget() : &window;
    for (QWidget* at = from->nextInFocusChain(); at != nullptr && at != from; at = at->nextInFocusChain()) {
        const QWidget* proxy = at->focusProxy();
        while (proxy != nullptr && proxy->focusProxy() != nullptr) proxy = proxy->focusProxy();
        // As the line of a spin box does, which is no stop of its own either.
        if (proxy != nullptr && (at->isAncestorOf(proxy) || proxy->isAncestorOf(at))) continue;
        const Qt::FocusPolicy policy = proxy != nullptr ? proxy->focusPolicy() : at->focusPolicy();
        if ((policy & Qt::TabFocus) != 0 && at->window() == &window && at->isEnabled() && at->isVisibleTo(&window))
            return at;
    }
    return nullptr;
}

}  // namespace altiscope
