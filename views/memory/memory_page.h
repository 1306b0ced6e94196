#pragma once

#include "core/session/marks.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/pages/framed_page.h"
#include "views/common/support/view_memory.h"
#include "views/memory/canvas/curve_window.h"
#include "views/memory/data/memory_base.h"
#include "views/memory/data/rank_memory.h"
#include "views/memory/timeline_link.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

class QMenu;
class QTabWidget;

namespace altiscope {

class AllocationPanel;
class CurveCanvas;
class HolderPanel;
class MemoryBar;
class MemoryCurves;
class OwnerPanel;
class StaticPanel;
class TablePanel;

/// A place for which the page is opened.
struct MemoryPlace {
    CaptureId capture;
    RankIndex rank{};
    TimeRange range;  ///< Shown with some of what is around it.
    /// Growth between these levels, bytes: curves are drawn so that it is seen, and what was not released is listed.
    std::optional<std::pair<std::int64_t, std::int64_t>> levels = {};
};

/// Memory of a rank: curves over time, what holds it at the peak or at any moment, all allocations, peaks of
/// components, and static memory of graphs. Shows the capture that is chosen in the tree, within the context that all
/// pages share. GUI thread; samples are sorted and allocations counted on workers, and only while the page is in sight.
class MemoryPage : public FramedPage {
    Q_OBJECT
public:
    /// All must outlive the page.
    MemoryPage(Session& session, Selection& selection, Marks& marks, const ViewMemory& memory,
               QWidget* parent = nullptr);
    ~MemoryPage() override;

    bool idle() const override;

    /// Shows a place of the capture that is shown, as soon as the memory of its rank is read.
    void showPlace(const MemoryPlace& place);

    /// Takes the time that the timeline shows of the capture, on its traces' clock, or that it shows all: the curves
    /// follow if they are linked and it has moved since the last time.
    void followTimeline(TimeRange range, bool isWhole);
    /// Time that the timeline is to show for the curves to be linked with it; nullopt if they have not moved since the
    /// last time.
    std::optional<TimeRange> takeWindow();
    bool isLinked() const;
    /// The capture that is shown; 0: none.
    CaptureId shownCapture() const { return m_capture.id(); }

    const std::shared_ptr<const RankMemory>& shown() const { return m_shown; }
    const std::shared_ptr<const MemoryBase>& base() const { return m_base; }
    MemoryCurves& upper() { return *m_upper; }
    CurveCanvas& curves();
    CurveWindow& window() { return m_window; }
    AllocationPanel& allocations() { return *m_allocations; }
    HolderPanel& holders() { return *m_holders; }
    OwnerPanel& owners() { return *m_owners; }
    QTabWidget& tabs() { return *m_tabs; }
    TablePanel& peaks() { return *m_peaks; }

private:
    void setUp();
    void connectParts();
    void refresh(bool isInSight) override;
    PageTexts texts() const override;
    QStringList shownGaps() const override;
    std::optional<QStringList> missing() const override;
    bool isContentShown() const override;
    void retranslate() override;
    void read();
    void take(std::shared_ptr<const RankMemory> shown, std::shared_ptr<const MemoryBase> base = nullptr);
    void beginWindow();
    void showWanted();
    /// nullopt while there is no axis.
    std::optional<TimeRange> inSight() const;
    void showLines();
    void showTables();
    void showPart();
    void showOverlay();
    void chooseMoment(std::optional<TimeNs> moment);
    void mark(std::optional<TimeRange> range);
    void fillMenu(QMenu& menu, TimeNs at);
    void showPeakRow(std::uint32_t row, bool inTimeline);
    void showAllocation(std::uint32_t row);
    void showAround(TimeNs at);
    void showHolder(const QString& name);

    Selection& m_selection;
    Marks& m_marks;
    CaptureId m_rankCapture;  ///< The capture of the rank in the bar.
    std::shared_ptr<const RankMemory> m_shown;
    std::shared_ptr<const MemoryBase> m_base;  ///< Drawn over it; null: nothing is.
    std::optional<TimeNs> m_moment;            ///< Chosen by the user; else the peak.
    std::optional<MemoryPlace> m_wanted;       ///< By showPlace().
    CurveWindow m_window;
    TimelineLink m_link;
    bool m_wasApart = false;  ///< The rank that was shown before: of another recording than its timeline.
    JobSlot m_slot;
    JobSlot m_sliceSlot;
    MemoryBar* m_bar;
    QWidget* m_body;
    MemoryCurves* m_upper;
    QTabWidget* m_tabs;
    HolderPanel* m_holders;
    OwnerPanel* m_owners;
    AllocationPanel* m_allocations;
    TablePanel* m_peaks;
    StaticPanel* m_static;
};

}  // namespace altiscope
