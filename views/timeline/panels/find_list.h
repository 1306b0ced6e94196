#pragma once

#include "views/common/support/view_memory.h"

#include <QWidget>

namespace altiscope {

class FindFeed;
class Session;
class TablePanel;

/// The slices that were found, as a table; a row selects its slice. GUI thread.
class FindList : public QWidget {
    Q_OBJECT
public:
    FindList(FindFeed& feed, Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    FindFeed& m_feed;
    TablePanel* m_table;
};

}  // namespace altiscope
