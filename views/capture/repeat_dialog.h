#pragma once

#include "core/capture/session/repeats.h"
#include "views/common/support/view_memory.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace altiscope {

/// How often a capture is started, and when; what was chosen last is remembered. GUI thread.
class RepeatDialog : public QDialog {
    Q_OBJECT
public:
    RepeatDialog(ViewMemory memory, QWidget* parent);

signals:
    void chosen(const altiscope::capture::RepeatPlan& plan);

private:
    void showParts();
    void take();

    ViewMemory m_memory;
    QSpinBox* m_times;
    QSpinBox* m_pause;
    QCheckBox* m_isSlow;
    QSpinBox* m_slower;
    QLineEdit* m_log;
    QPushButton* m_start;
};

}  // namespace altiscope
