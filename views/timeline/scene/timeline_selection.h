#pragma once

#include "core/analysis/slices/slice_details.h"
#include "core/session/job_runner.h"
#include "core/session/selection.h"
#include "views/timeline/rows/track_choice.h"
#include "views/timeline/scene/timeline_scene.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Where a slice lies: everything that is needed to draw it. Times on the trace's own clock.
struct SlicePlace {
    SliceIndex slice;
    TrackIndex track;
    std::uint32_t depth = 0;
    TimeRange range;
};

/// A flow that begins or ends at the selected slice.
struct LinkedFlow {
    std::string category;
    bool outgoing = true;
    TimeNs near, far;                 ///< Times of its ends at the selected slice and at the other.
    std::optional<SlicePlace> other;  ///< nullopt if that end lies in no slice.
};

/// The selected slice as found in the present stores.
struct SelectedSlice {
    CaptureId capture;
    SliceKey key;
    std::shared_ptr<const TraceStore> trace;
    SlicePlace place;
    std::vector<LinkedFlow> flows;  ///< At most kMaxFlows, in the order of the far end's time.
    static constexpr std::size_t kMaxFlows = 1000;
};

/// O(log slices).
SlicePlace placeOf(const TraceStore& trace, SliceIndex slice);
/// O(log flows) for each flow.
std::vector<LinkedFlow> flowsOf(const TraceStore& trace, SliceIndex slice);

/// The nearest slice of a track's first depth that lies wholly beyond a window (on the trace's clock); nullopt if there
/// is none. O(log slices).
std::optional<TimeRange> sliceBeyond(const TraceStore& trace, TrackIndex track, TimeRange window, bool forward);

/// The session's Selection as the timeline needs it: found in the stores (on a worker), on the axis of the scene, and
/// with what keys and mouse do to it. GUI thread.
class TimelineSelection : public QObject {
    Q_OBJECT
public:
    TimelineSelection(TimelineScene& scene, Selection& selection, QObject* parent = nullptr);

    const std::optional<SelectedSlice>& slice() const { return m_slice; }
    /// On the axis; nullopt if there is none or its capture is not shown.
    std::optional<TimeRange> sliceRange() const;
    std::optional<TimeRange> markedRange() const;
    bool idle() const { return !m_slot.busy() && !m_stepSlot.busy(); }
    /// OpenCapture::id of what is looked at; 0 if nothing is.
    CaptureId capture() const { return m_selection.current().capture; }

    /// @param capture  OpenCapture::id
    /// @param trace    In which the slice has its number, of rank `rank`: what is drawn may be older than the scene's
    /// stores.
    void select(CaptureId capture, RankIndex rank, std::shared_ptr<const TraceStore> trace, SliceIndex slice);
    /// Selects a slice by its key and brings it into sight.
    void selectAndReveal(CaptureId capture, SliceKey key);
    /// The next slice that is revealed leaves the window as it is if it lies within, however short it is there.
    void keepWindowOnce() { m_keepsWindow = true; }
    /// Marks a range of the axis; on the clock of the selected capture, or of `source` if none is selected.
    void markRange(TimeRange range, std::uint32_t source);
    /// All pages are to show the marked range only; all times if none is marked.
    void showMarkedRangeOnly();
    /// Marks a box over tracks and time, as a drag over the canvas does.
    void markBox(TimeRange range, std::uint32_t source, TrackChoice tracks);
    /// Limits of statistics and lists, whatever the range.
    void chooseTracks(TrackChoice tracks);
    /// The same for the marked range alone, as of a box: they go when it goes.
    void chooseTracksOfRange(TrackChoice tracks);
    void chooseAllTracks();
    /// Null: all.
    const TrackChoice* tracks() const { return m_tracks ? &*m_tracks : nullptr; }
    /// Whether only the depths within a box count, not the whole tracks that it touches.
    void setOnlyDepths(bool on);
    bool onlyDepths() const { return m_onlyDepths; }
    /// Removes the marked range (and its box), or if there is none the choice of tracks, or the selected slice.
    /// @return Whether there was any of them.
    bool clearOne();
    /// Nothing selected, no range, no tracks.
    void clear();
    /// Marks the selected slice's time, or removes the mark if it is that already.
    void toggleRangeOfSlice();
    /// Whose steps are drawn, see TimelineScene::stepRank().
    std::optional<StepRank> stepRank() const;
    /// Those steps; empty if there are none.
    const std::vector<ShownStep>& steps() const;
    /// That rank's name; empty where no other has steps.
    QString stepRankName() const;
    /// Whether all pages show that step alone.
    bool isChosen(const ShownStep& step) const;
    /// All pages are to show that step alone, of each rank its own; or all steps if they do so already.
    void toggleStep(const ShownStep& step);
    /// Window = the step, which is chosen.
    void zoomToStep(const ShownStep& step);
    /// Chooses the next or previous step and brings it into sight.
    void chooseNeighbourStep(bool forward);
    /// Moves the window to the nearest slice beyond its end or before its begin, of the rows in sight (of one row, if
    /// it is named), keeping its length; reports by statusMessage() if there is none. O(tracks in sight * log slices).
    void goBeyond(bool forward, std::optional<std::size_t> row = {});
    /// Window = marked range, else selected slice.
    void zoomToSelection();
    void zoomToSlice();

    enum class Step : unsigned char { Next, Previous, Outer, Inner, FlowForward, FlowBack };
    /// Goes from the selected slice to a neighbour on its lane, to the slice around it or the first one within it, or
    /// along a flow; reports by statusMessage() if there is none. Without a selection Next, Previous and Inner select
    /// the first slice in sight of the topmost row that has one.
    void step(Step step);

    /// Brings a slice into sight: expands what hides it, scrolls, and moves or zooms the window if it is out of sight
    /// or too short to be seen. Before its capture is loaded, as soon as it is.
    void reveal(CaptureId capture, SliceKey key);

signals:
    void changed();
    void becameIdle();
    void statusMessage(const QString& text);

private:
    void resolve();
    void dropBox();
    void lookAt(CaptureId capture);
    void show(const SelectedSlice& slice);
    void follow(SliceIndex slice);
    void followChain(bool forward);
    bool selectFirstInSight();
    bool isPresent(const SelectedSlice& slice) const;
    std::optional<std::uint32_t> selectedSource() const;

    TimelineScene& m_scene;
    Selection& m_selection;
    JobSlot m_slot;
    JobSlot m_stepSlot;
    std::optional<SelectedSlice> m_slice;
    std::optional<std::pair<CaptureId, SliceKey>> m_toReveal;
    bool m_keepsWindow = false;
    std::optional<TrackChoice> m_tracks;
    std::optional<TimeRange> m_boxRange;  // on the trace's clock; the tracks are those of a box and go with it
    bool m_onlyDepths = false;
};

}  // namespace altiscope
