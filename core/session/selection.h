#pragma once

#include "core/analysis/slices/slice_details.h"
#include "core/base/values/time.h"
#include "core/tables/scope/context_filter.h"

#include <QObject>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// The part of the open captures that pages set beside what they show: a base that it is compared with. Where no
/// numbers are named those of the context hold.
struct BaseChoice {
    CaptureId capture;
    std::vector<std::int64_t> ranks;  ///< Numbers in the job, ascending; empty: as the context.
    std::vector<std::int64_t> steps;  ///< The same.
    bool operator==(const BaseChoice&) const = default;
};

/// Ranks and steps of a base, for its capture. Ranks of its own are on devices of their own, steps of its own lie at
/// times of their own: such parts of the context do not hold for them.
ContextFilter baseContext(const ContextFilter& context, const BaseChoice& base);

/// Rows of a statement of the user's as a track of the timeline: computed, no part of the capture.
struct ComputedTrack {
    std::uint32_t id = 0;                       ///< Given by Selection::addTrack().
    CaptureId capture;                          ///< Capture on whose clock its times are.
    std::string title;                          ///< "Query: ..."
    std::shared_ptr<const CaptureStore> store;  ///< Its ranks have traces with this track alone. Not null.
};

/// The user's selection, shared by all views: the only way in which views tell each other anything.
struct SelectionState {
    CaptureId capture;  ///< kNoCapture: nothing is selected.
    std::optional<SliceKey> slice;
    std::optional<TimeRange> range;    ///< Marked time range, on the trace's clock; see Selection::shiftsOf().
    ContextFilter context{};           ///< The part of the capture contextOf that all pages show.
    CaptureId contextOf{};             ///< See Selection::showCapture().
    std::string page{};                ///< Which page is shown, by the window's word for it; empty: whichever is.
    std::optional<BaseChoice> base{};  ///< Base that all pages compare with; nullopt: none.
    bool operator==(const SelectionState&) const = default;
};

/// Holds the current SelectionState and its history. GUI thread.
class Selection : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kHistory = 100;

    using QObject::QObject;

    const SelectionState& current() const { return m_current; }
    /// Makes a new step of the history; nothing happens if the state is the current one.
    void set(SelectionState state);
    /// Keeps the marked range if the capture stays the same: another capture has another clock.
    void selectSlice(CaptureId capture, SliceKey slice);
    /// Keeps the slice.
    void setRange(std::optional<TimeRange> range);
    /// Keeps slice and range. How its range is drawn is known here, see setShifts().
    /// It is that of the shown capture: another one has other ranks and steps, and a context of its own.
    void setContext(ContextFilter context);
    /// The same.
    void setBase(std::optional<BaseChoice> base);
    /// The base while a capture is shown: none if that is all of what is shown itself.
    std::optional<BaseChoice> baseOf(CaptureId shown) const;
    /// Makes no step of its own: a link leads to another page by selecting something and then showing it there, and one
    /// step back leads to where the link was.
    void setPage(std::string page) { m_current.page = std::move(page); }
    /// Clears slice and range; context, base and page stay.
    void clear();
    /// Forgets everything of a capture that was closed, also in the history.
    void forget(CaptureId capture);

    bool canUndo() const { return !m_past.empty(); }
    bool canRedo() const { return !m_future.empty(); }
    void undo();
    void redo();

    /// How much later than recorded ranks of a capture are drawn (not part of the state), as CaptureStore::ranks; null:
    /// as recorded. Marked ranges are times as drawn.
    /// @param origin  From where times as drawn are counted; nullopt: from the begin of the capture.
    void setShifts(CaptureId capture, std::shared_ptr<const std::vector<DurationNs>> shifts,
                   std::optional<TimeNs> origin = {});
    std::optional<TimeNs> originOf(CaptureId capture) const;
    std::shared_ptr<const std::vector<DurationNs>> shiftsOf(CaptureId capture) const;

    /// The capture that pages and panels are about, whatever is selected (not part of the state); 0: the newest one.
    CaptureId shownCapture() const { return m_shownCapture; }
    /// Its context comes with it: the one that it had when it was shown last, at first none. What was chosen while no
    /// capture was shown is that of the first one.
    void showCapture(CaptureId capture);

    /// Computed tracks that the timeline shows (not part of the state). At most kMaxTracks: the oldest one goes.
    static constexpr std::size_t kMaxTracks = 8;
    const std::vector<ComputedTrack>& tracks() const { return m_tracks; }
    /// @return Its id, never reused.
    std::uint32_t addTrack(ComputedTrack track);
    void removeTrack(std::uint32_t id);

    /// Has views bring a slice into sight (not part of the state).
    void reveal(CaptureId capture, SliceKey slice);

signals:
    void changed();  ///< The current state, or what undo and redo can do.
    void shiftsChanged();
    void tracksChanged();
    void shownCaptureChanged(CaptureId capture);
    void revealRequested(CaptureId capture, altiscope::SliceKey slice);

private:
    void drawRange(SelectionState& state) const;
    void keepContext();

    SelectionState m_current;
    CaptureId m_shownCapture;
    std::map<CaptureId, ContextFilter> m_contexts;  // of captures that were shown
    std::vector<SelectionState> m_past;
    std::vector<SelectionState> m_future;
    struct Drawn {
        std::shared_ptr<const std::vector<DurationNs>> shifts;
        std::optional<TimeNs> origin;
    };
    std::map<CaptureId, Drawn> m_shifts;  // by OpenCapture::id
    std::vector<ComputedTrack> m_tracks;
    std::uint32_t m_nextTrack = 1;
};

}  // namespace altiscope
