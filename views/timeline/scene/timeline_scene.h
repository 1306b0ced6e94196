#pragma once

#include "core/session/job_runner.h"
#include "views/common/plots/view_window.h"
#include "views/timeline/rows/shown_steps.h"
#include "views/timeline/rows/timeline_model.h"
#include "views/timeline/scene/arrangement_history.h"
#include "views/timeline/scene/row_requests.h"
#include "views/timeline/scene/row_viewport.h"
#include "views/timeline/scene/shown_mark.h"
#include "views/timeline/scene/timeline_keys.h"
#include "views/timeline/scene/trace_colours.h"
#include "views/timeline/times/capture_extent.h"

#include <QObject>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace altiscope {

/// A capture to show, before it has a place on the axis.
struct SceneCapture {
    CaptureId capture;
    std::shared_ptr<const CaptureStore> store;
    std::optional<TimeNs> origin{};                  ///< Begin of the whole run, as far as it is known; see extentOf.
    std::shared_ptr<const RankShifts> rankShifts{};  ///< To draw its ranks elsewhere than recorded.
    /// Only of what stands beside another capture, which comes before it in the list.
    std::shared_ptr<const SourceCompanion> companion{};
    QString title{};  ///< See TimelineSource.
};

/// State that all parts of the timeline page share: rows, the window on the common axis, and how far the rows are
/// scrolled. Parts change it through these functions and repaint on its signals. GUI thread.
class TimelineScene : public QObject {
    Q_OBJECT
public:
    explicit TimelineScene(JobRunner& jobs, QObject* parent = nullptr);

    JobRunner& jobs() { return m_jobs; }

    /// Replaces what is shown; times count from the first capture. Colours of new traces are made on a worker first, so
    /// rows follow some milliseconds later; the newest call wins. State of rows and window survive, the window only
    /// where some of the captures stay.
    void setCaptures(std::vector<SceneCapture> captures);
    /// Shows only ranks that the context holds; looks at the times that it holds, if it names any that can be seen.
    void setContext(const ContextFilter& context);
    /// The next context leaves the window as it is: what it names was chosen in it.
    void keepWindowOnce() { m_keepsWindow = true; }
    /// The row at the top stays there, as long as it is shown.
    void setFilter(const TrackFilter& filter);
    /// The times on the axis that the context holds of any rank, by begin, disjoint; nullopt: all.
    const std::optional<std::vector<TimeRange>>& times() const { return m_times; }
    /// The same of one rank, whose own steps count. All else of it is to step back.
    const std::optional<std::vector<TimeRange>>& times(const StepRank& rank) const;
    /// Whose steps are drawn: those of the selected rank of a capture, else of the topmost one in sight that has some;
    /// nullopt: there are no steps. O(rows in sight + ranks).
    std::optional<StepRank> stepRank(CaptureId capture, std::optional<RankIndex> selected) const;
    /// Empty if it has none.
    const std::vector<ShownStep>& steps(const StepRank& rank) const;
    /// Number of ranks whose steps are known.
    std::size_t ranksWithSteps() const;
    /// Marks of the user's on the axis, by begin.
    void setMarks(std::vector<ShownMark> marks);
    const std::vector<ShownMark>& marks() const { return m_marks; }
    /// Colours are made anew on a worker; until then the old ones stay.
    void setColourBy(ColourBy by);
    ColourBy colourBy() const { return m_colours.by(); }
    /// Colours of the user's, which come before all others; made anew likewise.
    void setColourRules(std::vector<ColourRule> rules);
    const std::vector<ColourRule>& colourRules() const { return m_colours.rules(); }
    /// Which keys do what; all parts ask here.
    void setKeys(std::vector<TimelineKey> keys);
    const std::vector<TimelineKey>& keys() const { return m_keys; }
    /// How much of a running import is read (0..1), for captures that are still being read.
    void setProgress(std::map<CaptureId, double> progress);
    const std::map<CaptureId, double>& progress() const { return m_progress; }
    bool idle() const { return m_colours.idle() && m_requests.idle(); }

    const TimelineModel& model() const { return m_model; }
    const ViewWindow& window() const { return m_window; }
    /// Whether the window is the one that nobody chose: the whole run, or the part that it was opened on.
    bool isAsOpened() const { return m_window.atHome() || (m_openedOn && m_window.range() == *m_openedOn); }
    RowViewport& viewport() { return m_viewport; }
    const RowViewport& viewport() const { return m_viewport; }
    /// Where the axis counts from: the begin of the capture that is shown (the first of setCaptures()), as recorded: of
    /// its first event that is not absurdly far away, also if a part was read in which it does not lie.
    TimeNs origin() const { return m_origin; }
    std::shared_ptr<const SliceColours> coloursOf(const TrackNode& row) const;
    /// Whether a trace is one of those that are shown now.
    bool holds(const TraceStore& trace) const;

    void setMetrics(const RowMetrics& metrics);
    /// Rows that the user has not changed use this height, see TimelineModel::setRoom().
    /// @param isLookedAt  Something is selected: rows stay where they are while a panel takes some of the height.
    void useHeight(int height, bool isLookedAt);
    void setExpanded(std::size_t row, bool expanded);
    void setAllExpanded(bool expanded);
    /// Expands what hides a track. O(tracks).
    void expandTo(std::uint32_t source, RankIndex rank, TrackIndex track);

    /// Pins, orders, merges and sizes rows; what is at the top stays there. Threads are merged on a worker: until then
    /// they are shown one by one. `Continue` goes on with the change before, as a drag does: they are undone together.
    void arrange(TrackArrangement arrangement, HistoryMark mark = HistoryMark::NewStep);
    /// Everything that a layout holds at once. With `Continue` there is no way back to what was before.
    void arrange(TrackArrangement arrangement, const TrackFilter& filter, RowExpansion expansion,
                 HistoryMark mark = HistoryMark::NewStep);
    /// Back to how rows were arranged, hidden and (where a layout was applied) expanded before; and on again.
    bool canUndoArrangement() const { return m_history.canUndo(); }
    bool canRedoArrangement() const { return m_history.canRedo(); }
    void undoArrangement();
    void redoArrangement();

    /// Expands a rank and scrolls to it.
    void showRank(std::uint32_t source, RankIndex rank);

    /// Changes the window by one of ViewWindow's functions, e.g. change([](ViewWindow& w) { w.undo(); }), and tells
    /// all.
    template <class Change>
    void change(Change apply) {
        const TimeRange before = m_window.range();
        apply(m_window);
        if (m_window.range() != before) emit windowChanged();
    }

signals:
    void windowChanged();
    void rowsChanged();  ///< Rows, their stores or heights; the window may have changed too.
    void scrolled();     ///< See viewport().
    void progressChanged();
    void marksChanged();
    void timesChanged();  ///< Only times() has changed.
    void keysChanged();
    void colourByChanged();
    void colourRulesChanged();
    /// The user wants no more of a computed track. @param track  ComputedTrack::id
    void removalRequested(std::uint32_t track);
    void becameIdle();

private:
    void apply(const std::vector<SceneCapture>& captures);
    void followShift(const std::vector<SceneCapture>& captures, const std::vector<CaptureExtent>& extents,
                     const std::vector<DurationNs>& shifts);
    void restore(std::optional<ArrangementHistory::Step> step);
    void rowsHaveChanged(const std::optional<RowViewport::TopRow>& top);
    void updateTimes();
    void updateSteps();
    void openWhereSomethingIs();

    JobRunner& m_jobs;
    TimelineModel m_model;
    ViewWindow m_window;
    RowViewport m_viewport;
    ArrangementHistory m_history;
    RowRequests m_requests;
    TraceColours m_colours;
    std::map<const TraceStore*, std::shared_ptr<const SliceColours>> m_memoryColours;
    TimeNs m_origin;
    std::optional<std::vector<TimeRange>> m_times;
    std::vector<std::vector<std::optional<std::vector<TimeRange>>>> m_rankTimes;  // by source, rank
    std::vector<std::vector<std::vector<ShownStep>>> m_steps;                     // by source, rank
    bool m_keepsWindow = false;
    std::set<CaptureId> m_opened;         // captures that were read to their end, and shown
    std::optional<TimeRange> m_openedOn;  // a part, which nobody chose
    std::vector<ShownMark> m_marks;
    std::vector<TimelineKey> m_keys = defaultTimelineKeys();
    struct Placed {
        DurationNs shift;
        TimeRange all;
    };
    std::map<CaptureId, Placed> m_placed;  // captures with events; their extent on their own clock
    std::vector<SceneCapture> m_captures;  // as they were last requested
    std::map<CaptureId, double> m_progress;
};

}  // namespace altiscope
