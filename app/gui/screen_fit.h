#pragma once

#include <QObject>

namespace altiscope {

/// An event filter of the application: a window that is about to be shown becomes no larger than its screen has room
/// for, with its frame, and one that its content has pushed beyond the screens comes back when it can. Not every window
/// manager sees to that, and what is beyond the screen nobody reaches. GUI thread.
class ScreenFit : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace altiscope
