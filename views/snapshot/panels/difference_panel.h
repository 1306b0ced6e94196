#pragma once

#include "core/session/job_runner.h"
#include "views/common/support/view_memory.h"
#include "views/snapshot/data/loaded_snapshot.h"
#include "views/snapshot/data/snapshot_selection.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace altiscope {

class Session;
class TablePanel;

/// Two states, of the snapshot that is shown or of another one that is open or lies beside it: what call stacks have in
/// them, blocks that are there in one of them, and what the pool's memory is. GUI thread; sums are made on workers.
class DifferencePanel : public QWidget {
    Q_OBJECT
public:
    DifferencePanel(Session& session, SnapshotSelection& selection, const ViewMemory& memory,
                    QWidget* parent = nullptr);
    ~DifferencePanel() override;

    void setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot);
    /// Snapshots of all open captures.
    void setChoices(std::vector<SnapshotChoice> choices);
    /// The other side, of the snapshot that is shown.
    void setBase(EventNumber at);
    enum class What : int { Stacks, Blocks, Totals };
    void setWhat(What what);
    TablePanel& table() { return *m_table; }
    TablePanel& blocks() { return *m_blocks; }
    TablePanel& totals() { return *m_totals; }
    /// Both states in one line.
    QString sentence() const;
    bool idle() const;

signals:
    void stackRequested(const QString& stack);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Sides;
    void connectParts();
    void requestDifference();
    void loadOther(const SnapshotChoice& choice);
    void stopLoading();
    void take(std::shared_ptr<const Sides> sides);
    void showTable();
    void retranslate();
    void fillChoices();
    What what() const;
    const SnapshotChoice* other() const;

    Session& m_session;
    SnapshotSelection& m_selection;
    std::shared_ptr<const LoadedSnapshot> m_snapshot;
    std::vector<SnapshotChoice> m_choices;
    std::optional<EventNumber> m_base;  ///< nullopt: the begin of the history, or the other snapshot's end.
    std::shared_ptr<const LoadedSnapshot> m_otherSnapshot;  ///< The last one that was wanted; it may have failed.
    std::optional<SnapshotChoice> m_loading;
    std::uint64_t m_job = 0;  ///< Reads it; 0: none.
    std::shared_ptr<const Sides> m_sides;
    JobSlot m_slot;
    QComboBox *m_other, *m_what;
    QToolButton* m_take;
    QLabel* m_sentence;
    QStackedWidget* m_tables;
    TablePanel *m_table, *m_blocks, *m_totals;
};

}  // namespace altiscope
