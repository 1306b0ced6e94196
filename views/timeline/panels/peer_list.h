#pragma once

#include "views/common/support/translated.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <cstdint>
#include <memory>

class QLabel;

namespace altiscope {

class PeerLoader;
struct PeerResult;
class Session;
class TablePanel;
class TimelineScene;
class TimelineSelection;

/// The selected collective on all ranks, as a table; a row selects it there, and the table stays. GUI thread.
class PeerList : public Translated<QWidget> {
    Q_OBJECT
public:
    PeerList(PeerLoader& loader, TimelineScene& scene, TimelineSelection& selection, Session& session,
             const ViewMemory& memory, QWidget* parent = nullptr);
    ~PeerList() override;

private:
    void refresh();
    void retranslate() override;
    void goTo(std::uint32_t row);

    PeerLoader& m_loader;
    TimelineScene& m_scene;
    TimelineSelection& m_selection;
    QLabel* m_title;
    TablePanel* m_table;
    std::unique_ptr<PeerResult> m_shown;  ///< Null: nothing.
};

}  // namespace altiscope
