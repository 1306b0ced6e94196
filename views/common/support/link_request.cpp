#include "views/common/support/link_request.h"

#include <QCoreApplication>

namespace altiscope {

QEvent::Type LinkRequest::kind() {
    static const auto kKind = static_cast<QEvent::Type>(QEvent::registerEventType());
    return kKind;
}

void requestLink(const QWidget& from, const LinkPlace& place) {
    LinkRequest request(place);
    // A panel that floats is a window of its own, and a dialog belongs to one.
    QWidget* window = from.window();
    while (window->parentWidget() != nullptr) window = window->parentWidget()->window();
    QCoreApplication::sendEvent(window, &request);
}

}  // namespace altiscope
