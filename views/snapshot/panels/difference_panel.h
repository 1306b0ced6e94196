#pragma once

#include "core/session/job_runner.h"
#include "views/common/support/view_memory.h"
#include "views/snapshot/data/loaded_snapshot.h"
#include "views/snapshot/data/snapshot_selection.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace altiscope {

class Session;
class TablePanel;

/// What call stacks have in two states: of the snapshot that is shown, or of another one that is open. GUI thread; sums
/// are made on workers.
class DifferencePanel : public QWidget {
    Q_OBJECT
public:
    DifferencePanel(Session& session, SnapshotSelection& selection, const ViewMemory& memory,
                    QWidget* parent = nullptr);

    void setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot);
    /// Snapshots of all open captures.
    void setChoices(std::vector<SnapshotChoice> choices);
    /// The other side, of the snapshot that is shown.
    void setBase(EventNumber at);
    TablePanel& table() { return *m_table; }
    bool idle() const;

signals:
    void stackRequested(const QString& stack);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Sides;
    void requestDifference();
    void take(std::shared_ptr<const Sides> sides);
    void retranslate();
    void fillChoices();
    const SnapshotChoice* other() const;

    SnapshotSelection& m_selection;
    std::shared_ptr<const LoadedSnapshot> m_snapshot;
    std::vector<SnapshotChoice> m_choices;
    std::optional<EventNumber> m_base;  ///< nullopt: the begin of the history, or the other snapshot's end.
    std::shared_ptr<const Sides> m_sides;
    JobSlot m_slot;
    QComboBox* m_other;
    QToolButton* m_take;
    QLabel* m_sentence;
    TablePanel* m_table;
};

}  // namespace altiscope
