#pragma once

#include "core/analysis/memory/owner_tree.h"
#include "core/session/session.h"
#include "views/common/support/translated.h"
#include "views/memory/data/rank_memory.h"

#include <memory>
#include <optional>

class QHBoxLayout;
class QLabel;

namespace altiscope {

class OwnerMap;

/// Owners of the memory at a moment as a tree map, with the way from the whole to what is shown. GUI thread; counted on
/// workers, and only while it is in sight.
class OwnerPanel : public Translated<QWidget> {
    Q_OBJECT
public:
    explicit OwnerPanel(Session& session, QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setMemory(std::shared_ptr<const RankMemory> memory, TimeNs origin);
    /// nullopt: none is known.
    void setMoment(std::optional<TimeNs> moment);

    OwnerMap& map() { return *m_map; }
    bool idle() const { return !m_slot.busy(); }

signals:
    void holderRequested(const QString& name);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void request();
    void take(std::shared_ptr<const OwnerTree> tree);
    void showWay();
    void retranslate() override;

    std::shared_ptr<const RankMemory> m_memory;
    TimeNs m_origin;
    std::optional<TimeNs> m_moment;
    bool m_isOld = true;  ///< The map is of another moment or memory.
    JobSlot m_slot;
    QHBoxLayout* m_way;
    QLabel* m_sum;
    OwnerMap* m_map;
};

}  // namespace altiscope
