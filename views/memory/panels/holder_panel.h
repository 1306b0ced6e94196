#pragma once

#include "core/analysis/memory/memory_allocations.h"
#include "core/session/session.h"
#include "views/common/support/view_memory.h"
#include "views/memory/data/rank_memory.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLabel;
class QToolButton;

namespace altiscope {

class TablePanel;

/// Holders of the memory at a moment, by operator: at the peak, or whenever the user chooses. GUI thread; counted on
/// workers.
class HolderPanel : public QWidget {
    Q_OBJECT
public:
    HolderPanel(Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setMemory(std::shared_ptr<const RankMemory> memory, TimeNs origin);
    /// nullopt: the peak.
    void setMoment(std::optional<TimeNs> moment);
    /// The one that is shown; nullopt without data.
    std::optional<TimeNs> moment() const;
    const std::optional<AliveMemory>& alive() const { return m_alive; }
    QString sentence() const;

    TablePanel& table() { return *m_table; }
    bool idle() const;
    /// With all lines of the sentence.
    QSize minimumSizeHint() const override;

signals:
    void holderRequested(const QString& name);
    void peakRequested();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void requestHolders();
    void show();
    void retranslate();

    std::shared_ptr<const RankMemory> m_memory;
    TimeNs m_origin;
    std::optional<TimeNs> m_chosen;
    std::optional<AliveMemory> m_alive;
    JobSlot m_slot;
    QLabel* m_sentence;
    QToolButton* m_peak;
    TablePanel* m_table;
};

}  // namespace altiscope
