#pragma once

#include "views/common/support/view_memory.h"

#include <QToolButton>

#include <vector>

class QAction;
class QLineEdit;
class QMenu;

namespace altiscope {

class FlowLayer;

/// Which categories of flows are drawn: a list with their counts, searchable where it is long, remembered. GUI thread.
class FlowButton : public QToolButton {
    Q_OBJECT
public:
    explicit FlowButton(FlowLayer& flows, QWidget* parent = nullptr);
    /// Chooses what was chosen last, and remembers from now on.
    void remember(const ViewMemory& memory);

protected:
    void changeEvent(QEvent* event) override;

private:
    void list();
    void filter(const QString& text);
    void refresh();

    FlowLayer& m_flows;
    QMenu* m_menu;
    QLineEdit* m_text;  ///< In the menu.
    QAction* m_field;
    QAction* m_all;
    QAction* m_onlyMarked = nullptr;
    QAction* m_none;
    QAction* m_wait;  ///< Says that flows are being counted, or that there are none.
    std::vector<QAction*> m_categories;
};

}  // namespace altiscope
