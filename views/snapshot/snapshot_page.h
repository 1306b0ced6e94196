#pragma once

#include "views/common/pages/framed_page.h"
#include "views/common/support/view_memory.h"
#include "views/snapshot/canvas/event_window.h"
#include "views/snapshot/data/loaded_snapshot.h"
#include "views/snapshot/data/snapshot_selection.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

class QLabel;
class QTabWidget;

namespace altiscope {

class BlockCanvas;
class BlockDetails;
class DifferencePanel;
class GrowthPanel;
class PoolCanvas;
class ProfileLink;
class ShortagePanel;
class SnapshotBar;
class StackPanel;
class TablePanel;

/// A place for which a snapshot is opened.
struct SnapshotPlace {
    CaptureId capture;
    RankIndex rank{};
    std::int64_t device = 0;                 ///< As SnapshotRows has it.
    std::optional<std::int64_t> event = {};  ///< To be selected; of a failed request with its reasons.
    QString stack = {};  ///< Whose growth is to be shown; else without an event: what the history lacks.
};

/// Memory snapshots: blocks over their lives with the totals, the pool at any event, tables, sums by call stack,
/// differences, and why there was no memory. Shows the capture that is chosen in the tree, a device at a time. GUI
/// thread; everything that costs more than what is in sight is made on workers.
class SnapshotPage : public FramedPage {
    Q_OBJECT
public:
    /// All must outlive the page.
    SnapshotPage(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent = nullptr);
    ~SnapshotPage() override;

    bool idle() const override;
    /// Those that are a place of a snapshot, as soon as that is read.
    bool showRows(CaptureId capture, const FindingEvidence::Rows& rows) override;
    /// Shows a place of the capture that is shown, as soon as its snapshot is read.
    void showPlace(const SnapshotPlace& place);

    const std::shared_ptr<const LoadedSnapshot>& shown() const { return m_shown; }
    SnapshotSelection& selection() { return m_selected; }
    EventWindow& window() { return m_window; }
    SnapshotBar& bar() { return *m_bar; }
    /// How the snapshot is joined with the timeline of its rank.
    ProfileLink& link() { return *m_link; }
    BlockCanvas& canvas() { return *m_canvas; }
    PoolCanvas& pool() { return *m_pool; }
    BlockDetails& details() { return *m_details; }
    TablePanel& blocks() { return *m_blocks; }
    TablePanel& events() { return *m_events; }
    TablePanel& segments() { return *m_segments; }
    StackPanel& stacks() { return *m_stacks; }
    GrowthPanel& growth() { return *m_growth; }
    DifferencePanel& difference() { return *m_difference; }
    ShortagePanel& shortage() { return *m_shortage; }
    QTabWidget& tabs() { return *m_tabs; }

signals:
    /// The timeline is to mark a moment of a rank, at which the selected event was; nullopt: none.
    void momentChanged(CaptureId capture, RankIndex rank, std::optional<altiscope::TimeNs> time, const QString& title);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setUp();
    void connectParts();
    void connectBlocks();
    void connectEvents();
    void connectSegments();
    void refresh(bool isInSight) override;
    PageTexts texts() const override;
    QStringList shownGaps() const override;
    std::optional<QStringList> missing() const override;
    bool isContentShown() const override;
    void retranslate() override;
    void load();
    void stopLoading();
    void take(std::shared_ptr<const LoadedSnapshot> loaded);
    void requestPool();
    void showPoolSums();
    void showBlock();
    void showWantedPlace();
    void showSelectedEvent();
    void zoomToBlock(BlockNumber number);
    void listStack(const QString& text);
    void listOnly(TablePanel& table, const QString& condition);
    std::vector<SnapshotChoice> allChoices() const;

    Session& m_session;
    std::shared_ptr<const LoadedSnapshot> m_shown;
    std::shared_ptr<const PoolState> m_poolState;
    SnapshotSelection m_selected;
    EventWindow m_window;
    JobSlot m_slot, m_poolSlot;
    std::uint64_t m_job = 0;      ///< Visible job that reads a large snapshot; 0: none.
    std::uint64_t m_loading = 0;  ///< Number of the newest reading.
    bool m_isLoading = false;
    std::optional<SnapshotChoice> m_wanted;
    std::optional<SnapshotPlace> m_wantedPlace;  ///< Until its snapshot is read.
    QString m_failure;           ///< Why that could not be read; empty: it could, or is still being read.
    bool m_isFollowing = false;  ///< A table follows what was selected elsewhere.
    ProfileLink* m_link;
    SnapshotBar* m_bar;
    QWidget* m_body;
    BlockCanvas* m_canvas;
    QTabWidget* m_tabs;
    QWidget* m_poolTab;
    QLabel* m_poolSums;
    PoolCanvas* m_pool;
    TablePanel *m_blocks, *m_events, *m_segments;
    StackPanel* m_stacks;
    GrowthPanel* m_growth;
    DifferencePanel* m_difference;
    ShortagePanel* m_shortage;
    BlockDetails* m_details;
};

}  // namespace altiscope
