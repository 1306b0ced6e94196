#pragma once

#include "views/timeline/scene/timeline_scene.h"

#include <QDialog>

class QKeySequenceEdit;
class QLabel;
class QPushButton;
class QTableWidget;

namespace altiscope {

/// All keys and mouse gestures of the timeline. A key is changed by choosing an action and pressing the new one; the
/// scene takes it at once. Which action loses a key to another is shown. GUI thread.
class KeysDialog : public QDialog {
    Q_OBJECT
public:
    explicit KeysDialog(TimelineScene& scene, QWidget* parent = nullptr);

private:
    void refresh();
    void chooseRow();
    void take(const QKeySequence& pressed);
    std::optional<TimelineAction> chosen() const;

    TimelineScene& m_scene;
    QTableWidget* m_table;
    QLabel* m_prompt;
    QKeySequenceEdit* m_edit;
    QPushButton* m_reset;
    QLabel* m_message;
};

}  // namespace altiscope
