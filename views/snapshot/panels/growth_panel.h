#pragma once

#include "core/analysis/snapshot/stack_growth.h"
#include "core/session/job_runner.h"
#include "views/common/support/view_memory.h"
#include "views/snapshot/data/loaded_snapshot.h"

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;

namespace altiscope {

class ProfileLink;
class Session;
class TablePanel;

/// Which call stacks hold more and more, by how much per step, and how sure that is. GUI thread; sums are made on
/// workers.
class GrowthPanel : public QWidget {
    Q_OBJECT
public:
    /// @param link  Knows the steps of the timeline of the same rank; outlives the panel.
    GrowthPanel(Session& session, const ProfileLink& link, const ViewMemory& memory, QWidget* parent = nullptr);

    void setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot);
    TablePanel& table() { return *m_table; }
    /// How the steps are known; translated.
    QString text() const;
    bool idle() const;

signals:
    void stackRequested(const QString& stack);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Growths;
    void requestGrowth();
    void take(std::shared_ptr<const Growths> growths);
    void retranslate();

    const ProfileLink& m_link;
    std::shared_ptr<const LoadedSnapshot> m_snapshot;
    std::shared_ptr<const Growths> m_growths;
    JobSlot m_slot;
    QLabel* m_sentence;
    TablePanel* m_table;
};

}  // namespace altiscope
