#pragma once

#include "core/base/values/ids.h"
#include "core/base/values/time.h"

#include <QCoreApplication>
#include <QEvent>
#include <QWidget>

#include <cstdint>
#include <optional>

namespace altiscope {

/// A place that somebody wants a link to. Without slice and range it is the capture itself.
struct LinkPlace {
    CaptureId capture;  ///< kNoCapture: the one that pages show.
    std::optional<RankIndex> rank;
    std::optional<SliceId> slice;
    std::optional<TimeRange> range;  ///< On the clock of the rank's trace.
};

/// Asks the window for a link, which puts it into the clipboard and says so. Views need not know how links are made.
/// GUI thread.
class LinkRequest : public QEvent {
public:
    explicit LinkRequest(LinkPlace place) : QEvent(kind()), m_place(place) {}

    static QEvent::Type kind() {
        static const auto kKind = static_cast<QEvent::Type>(QEvent::registerEventType());
        return kKind;
    }
    const LinkPlace& place() const { return m_place; }

private:
    LinkPlace m_place;
};

/// Sends it to the window of a widget, which takes it before this returns.
inline void requestLink(const QWidget& from, const LinkPlace& place) {
    LinkRequest request(place);
    // A panel that floats is a window of its own, and a dialog belongs to one.
    QWidget* window = from.window();
    while (window->parentWidget() != nullptr) window = window->parentWidget()->window();
    QCoreApplication::sendEvent(window, &request);
}

}  // namespace altiscope
