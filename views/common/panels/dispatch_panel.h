#pragma once

#include "views/common/support/panel_scope.h"
#include "views/common/tables/dispatch_list.h"

#include <QWidget>

class QCheckBox;

namespace altiscope {

/// The tasks of a capture from Python to the device, within the ranks, steps and times of the context, and the marked
/// range. GUI thread.
class DispatchPanel : public QWidget {
    Q_OBJECT
public:
    /// All must outlive the panel.
    DispatchPanel(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent = nullptr);

    bool idle() const;
    DispatchList& list() { return *m_list; }

signals:
    /// A row was opened: what it stands for is selected and wants to be seen.
    void sliceOpened();

protected:
    void changeEvent(QEvent* event) override;

private:
    void request();
    void retranslate();

    QCheckBox* m_onlyMarked;
    DispatchList* m_list;
    PanelScope* m_scope;  // a child
};

}  // namespace altiscope
