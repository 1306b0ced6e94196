#pragma once

#include "views/common/support/view_memory.h"

#include <QWidget>

namespace altiscope {

class FindController;
class Session;
class TablePanel;

/// The slices that were found, as a table; a row selects its slice. GUI thread.
class FindList : public QWidget {
    Q_OBJECT
public:
    FindList(FindController& search, Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    FindController& m_search;
    TablePanel* m_table;
};

}  // namespace altiscope
