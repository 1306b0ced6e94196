#pragma once

#include "core/session/session.h"
#include "views/common/support/view_memory.h"
#include "views/memory/canvas/curve_window.h"
#include "views/memory/data/rank_memory.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;

namespace altiscope {

class CurveCanvas;
class TablePanel;

/// Memory that graphs set aside before they run, along their nodes: curve and rows of the chosen graph. GUI thread.
class StaticPanel : public QWidget {
    Q_OBJECT
public:
    StaticPanel(Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

    void setMemory(std::shared_ptr<const RankMemory> memory);
    TablePanel& table() { return *m_table; }
    CurveCanvas& canvas() { return *m_canvas; }
    QString facts() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    const StaticGraph* graph() const;
    void show();
    void markRow();
    void retranslate();

    std::shared_ptr<const RankMemory> m_memory;
    CurveWindow m_window;
    QComboBox* m_graphs;
    QLabel* m_facts;
    CurveCanvas* m_canvas;
    TablePanel* m_table;
};

}  // namespace altiscope
