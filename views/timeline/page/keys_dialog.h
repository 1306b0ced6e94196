#pragma once

#include "views/timeline/page/timeline_bindings.h"

#include <QDialog>

namespace altiscope {

/// All keys and mouse gestures of the timeline, to be looked at and changed. GUI thread.
class KeysDialog : public QDialog {
    Q_OBJECT
public:
    explicit KeysDialog(TimelineScene& scene, QWidget* parent = nullptr);

private:
    TimelineBindings m_bindings;
};

}  // namespace altiscope
