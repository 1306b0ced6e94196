#pragma once

#include "core/session/job_runner.h"
#include "views/common/plots/view_window.h"
#include "views/timeline/rows/capture_extent.h"
#include "views/timeline/rows/slice_colours.h"
#include "views/timeline/rows/timeline_model.h"
#include "views/timeline/scene/shown_mark.h"
#include "views/timeline/scene/timeline_keys.h"

#include <QObject>

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

/// A capture to show, before it has a place on the axis.
struct SceneCapture {
    std::uint32_t capture = 0;
    std::shared_ptr<const CaptureStore> store;
    std::optional<TimeNs> origin{};                  ///< Begin of the whole run, as far as it is known; see extentOf.
    std::shared_ptr<const RankShifts> rankShifts{};  ///< To draw its ranks elsewhere than recorded.
};

/// What all parts of the timeline page look at together: rows, the window on the common axis, and how far the rows are
/// scrolled. Parts change it through these functions and repaint on its signals. GUI thread.
class TimelineScene : public QObject {
    Q_OBJECT
public:
    explicit TimelineScene(JobRunner& jobs, QObject* parent = nullptr);

    JobRunner& jobs() { return m_jobs; }

    /// Replaces what is shown. Colours of new traces are made on a worker first, so rows follow some milliseconds
    /// later; the newest call wins. State of rows and window survive.
    void setCaptures(std::vector<SceneCapture> captures);
    /// Shows only ranks that the context holds; looks at the times that it holds, if it names any that can be seen.
    void setContext(const ContextFilter& context);
    /// What is at the top stays there, as long as it is shown.
    void setFilter(const TrackFilter& filter);
    /// The times on the axis that the context holds, by begin, disjoint; nullopt: all. All else is to step back.
    const std::optional<std::vector<TimeRange>>& times() const { return m_times; }
    /// Marks of the user's on the axis, by begin.
    void setMarks(std::vector<ShownMark> marks);
    const std::vector<ShownMark>& marks() const { return m_marks; }
    /// Colours are made anew on a worker; until then the old ones stay.
    void setColourBy(ColourBy by);
    ColourBy colourBy() const { return m_colourBy; }
    /// Which keys do what; all parts ask here.
    void setKeys(std::vector<TimelineKey> keys);
    const std::vector<TimelineKey>& keys() const { return m_keys; }
    /// How much of a running import is read (0..1), for captures that are still being read.
    void setProgress(std::map<std::uint32_t, double> progress);
    const std::map<std::uint32_t, double>& progress() const { return m_progress; }
    bool idle() const {
        return !m_colourSlot.busy() && !m_recolourSlot.busy() && !m_mergeSlot.busy() && !m_modelSlot.busy() &&
               !m_sampleSlot.busy();
    }

    const TimelineModel& model() const { return m_model; }
    const ViewWindow& window() const { return m_window; }
    /// Where the axis counts from: the begin of the first event that is not absurdly far away, also if a part was read
    /// in which it does not lie.
    TimeNs origin() const { return m_origin; }
    std::shared_ptr<const SliceColours> coloursOf(const TimelineRow& row) const;
    /// Whether a trace is one of those that are shown now.
    bool holds(const TraceStore& trace) const { return m_colours.contains(&trace) || m_memoryColours.contains(&trace); }

    void setMetrics(const RowMetrics& metrics);
    void setExpanded(std::size_t row, bool expanded);
    void setAllExpanded(bool expanded);
    /// Expands what hides a track. O(tracks).
    void expandTo(std::uint32_t source, std::uint32_t rank, TrackIndex track);

    /// Pins, orders, merges and sizes rows; what is at the top stays there. Threads are merged on a worker: until then
    /// they are shown one by one. `Continue` goes on with the change before, as a drag does: they are undone together.
    void arrange(TrackArrangement arrangement, HistoryMark mark = HistoryMark::NewStep);
    /// Everything that a layout holds at once. With `Continue` there is no way back to what was before.
    void arrange(TrackArrangement arrangement, const TrackFilter& filter, TimelineModel::Expansion expansion,
                 HistoryMark mark = HistoryMark::NewStep);
    /// Back to how rows were arranged, hidden and (where a layout was applied) expanded before; and on again.
    bool canUndoArrangement() const { return !m_arrangedBefore.empty(); }
    bool canRedoArrangement() const { return !m_arrangedAfter.empty(); }
    void undoArrangement();
    void redoArrangement();

    /// Expands a rank and scrolls to it.
    void showRank(std::uint32_t source, std::uint32_t rank);

    /// Changes the window by one of ViewWindow's functions, e.g. change([](ViewWindow& w) { w.undo(); }), and tells
    /// all.
    template <class Change>
    void change(Change apply) {
        const TimeRange before = m_window.range();
        apply(m_window);
        if (m_window.range() != before) emit windowChanged();
    }

    /// Logical pixels of rows that are not pinned above the upper edge of their part of the canvas; limited to what
    /// there is.
    std::int64_t scrollTop() const { return m_scrollTop; }
    void setScrollTop(std::int64_t top);
    /// Height of the part of the canvas in which the pinned rows stand: theirs, at most half of it. They are scrolled
    /// by themselves.
    int pinnedView() const;
    std::int64_t pinnedTop() const { return m_pinnedTop; }
    void setPinnedTop(std::int64_t top);
    /// Scrolls the part that this y of the canvas lies in.
    void scrollBy(std::int64_t pixels, int y);
    /// Height in the rows (see TimelineRow::top) that stands at this y of the canvas.
    std::int64_t heightAt(int y) const {
        return y < pinnedView() ? y + m_pinnedTop : y - pinnedView() + m_model.pinnedHeight() + m_scrollTop;
    }
    /// Where a height of a row, or one below it, stands on the canvas; perhaps outside of it or of the row's part.
    std::int64_t yOf(const TimelineRow& row, std::int64_t height) const {
        return row.pinned ? height - m_pinnedTop : height - m_model.pinnedHeight() + pinnedView() - m_scrollTop;
    }
    /// The part of the canvas, [top, bottom), in which a row can be seen.
    std::pair<int, int> partOf(const TimelineRow& row) const {
        return row.pinned ? std::pair(0, pinnedView()) : std::pair(pinnedView(), m_viewportHeight);
    }
    /// Places of the rows in sight on a canvas of this height: those that are pinned first.
    std::vector<std::size_t> rowsInSight(int height) const;
    /// Scrolls so that a part of a row is in sight; into the middle if it is not.
    void bringIntoSight(const TimelineRow& row, std::int64_t top, int height);
    void setViewportHeight(int height);
    int viewportHeight() const { return m_viewportHeight; }
    std::int64_t maxScrollTop() const;

signals:
    void windowChanged();
    void rowsChanged();  ///< Rows, their stores or heights; the window may have changed too.
    void scrolled();
    void progressChanged();
    void marksChanged();
    void timesChanged();  ///< Of times() alone.
    void keysChanged();
    void colourByChanged();
    void becameIdle();

private:
    using ColourMap = std::map<const TraceStore*, std::shared_ptr<const SliceColours>>;
    void recolour();
    std::vector<std::shared_ptr<const StreamModels>> modelsOf(const CaptureStore& store) const;
    void findModels();
    void apply(const std::vector<SceneCapture>& captures);
    void followShift(const std::vector<SceneCapture>& captures, const std::vector<CaptureExtent>& extents,
                     const std::vector<DurationNs>& shifts);
    struct TopRow {
        RowKey key;
        std::int64_t offset = 0;
    };
    std::optional<TopRow> topRow() const;
    void keepInPlace(const std::optional<TopRow>& row);
    void mergeMissing();
    void sampleMissing();
    struct Arranged {
        TrackArrangement arrangement;
        TrackFilter filter;
        std::optional<TimelineModel::Expansion> expansion;
    };
    Arranged arranged(bool withExpansion) const;
    void remember(Arranged before);
    void restore(std::vector<Arranged>& from, std::vector<Arranged>& to);
    void rowsHaveChanged(const std::optional<TopRow>& top);
    void updateTimes();

    JobRunner& m_jobs;
    JobSlot m_colourSlot;
    JobSlot m_recolourSlot;  ///< Of traces that have colours already.
    JobSlot m_mergeSlot;
    JobSlot m_modelSlot;
    JobSlot m_sampleSlot;
    TimelineModel m_model;
    ViewWindow m_window;
    TimeNs m_origin;
    std::optional<std::vector<TimeRange>> m_times;
    std::vector<ShownMark> m_marks;
    std::vector<TimelineKey> m_keys = defaultTimelineKeys();
    struct Placed {
        DurationNs shift;
        TimeRange all;
    };
    std::map<std::uint32_t, Placed> m_placed;  // captures with events; their extent on their own clock
    ColourMap m_colours;
    /// Weak: until a trace is no longer shown.
    struct KnownModels {
        std::weak_ptr<const TraceStore> trace;
        std::shared_ptr<const StreamModels> models;
    };
    std::unordered_map<const TraceStore*, KnownModels> m_models;
    ColourMap m_memoryColours;
    std::vector<TimelineModel::ToSample> m_sampled;  // what is read now
    ColourBy m_colourBy = ColourBy::Name;
    std::vector<SceneCapture> m_captures;  // as they were last requested
    std::map<std::uint32_t, double> m_progress;
    std::vector<Arranged> m_arrangedBefore, m_arrangedAfter;
    std::int64_t m_scrollTop = 0, m_pinnedTop = 0;
    int m_viewportHeight = 0;
};

}  // namespace altiscope
