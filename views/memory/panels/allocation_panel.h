#pragma once

#include "core/analysis/memory/memory_allocations.h"
#include "core/session/session.h"
#include "core/tables/rows/allocation_rows.h"
#include "views/common/support/view_memory.h"
#include "views/memory/data/rank_memory.h"

#include <QWidget>

#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QTimer;

namespace altiscope {

class IdleBar;
class TablePanel;

/// All allocations of a rank as a table: those of a time, those that are alive at a moment, those that are never
/// released. GUI thread; rows are chosen on workers.
class AllocationPanel : public QWidget {
    Q_OBJECT
public:
    /// Which rows are shown.
    enum class When : int { Always, Touched, Alive };

    AllocationPanel(Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setMemory(std::shared_ptr<const RankMemory> memory, TimeNs origin);
    /// The times of When::Touched. @param isMarked  The user has marked them, they are not just in sight.
    void setRange(std::optional<TimeRange> range, bool isMarked);
    void setMoment(std::optional<TimeNs> moment);
    void setWhen(When when);
    void showUnreleased(bool alone);
    /// Those of one operator that are alive at the moment.
    void showHolder(const QString& name);

    TablePanel& table() { return *m_table; }
    IdleBar& limits() { return *m_limits; }
    bool idle() const;

    struct Ends {
        std::string name;
        std::optional<TimeNs> allocated, released;
    };
    /// The allocation of the current row; nullopt: none is chosen.
    std::optional<Ends> ends(std::optional<std::uint32_t> row) const;
    std::optional<Ends> current() const;

signals:
    void currentChanged();
    void timelineRequested(std::uint32_t row);
    void zoomRequested(altiscope::TimeRange range);

protected:
    void changeEvent(QEvent* event) override;

private:
    When when() const;
    void request();
    void take(std::shared_ptr<const std::vector<std::uint32_t>> rows);
    void retranslate();

    std::shared_ptr<const RankMemory> m_memory;
    TimeNs m_origin;
    std::optional<TimeRange> m_range;
    bool m_isMarked = false;
    std::optional<TimeNs> m_moment;
    std::shared_ptr<const AllocationRows> m_rows;
    JobSlot m_slot;
    QTimer* m_pause;  ///< Rows follow a window that moves once it rests.
    QComboBox* m_when;
    QCheckBox* m_unreleased;
    IdleBar* m_limits;
    TablePanel* m_table;
};

}  // namespace altiscope
