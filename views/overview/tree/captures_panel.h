#pragma once

#include "views/common/support/translated.h"

class QLabel;
class QLineEdit;

namespace altiscope {

class CaptureTree;
class Session;

/// The tree of open captures with a line above it that searches in it. GUI thread.
class CapturesPanel : public Translated<> {
    Q_OBJECT
public:
    explicit CapturesPanel(Session& session, QWidget* parent = nullptr);

    CaptureTree& tree() { return *m_tree; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate() override;
    void showState();

    CaptureTree* m_tree;
    QLineEdit* m_search;
    QLabel* m_nothing;
};

}  // namespace altiscope
