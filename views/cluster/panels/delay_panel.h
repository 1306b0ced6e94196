#pragma once

#include "views/cluster/data/delay_tables.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;

namespace altiscope {

class PlotView;
class Session;
class TablePanel;

/// The groups of a job with their pace, and for the chosen one who comes how late to whom. GUI thread.
class DelayPanel : public QWidget {
    Q_OBJECT
public:
    DelayPanel(Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

    /// Null: nothing.
    void setSource(std::shared_ptr<const ClusterSource> source);
    /// The texts again, in the present language.
    void retranslate();
    TablePanel& groups() { return *m_groups; }
    QComboBox& matrices() { return *m_which; }
    PlotView& plot() { return *m_plot; }
    /// A sentence on what stands out in the matrices of the chosen group.
    QString text() const;

private:
    void fill();
    void showMatrix();
    const GroupDelays* chosen() const;

    std::shared_ptr<const ClusterSource> m_source;
    std::vector<DelayRow> m_rows;
    TablePanel* m_groups;
    QComboBox* m_which;
    QLabel* m_text;
    PlotView* m_plot;
};

}  // namespace altiscope
