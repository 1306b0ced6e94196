#pragma once

#include "core/base/values/ids.h"
#include "core/base/values/time.h"

#include "views/common/pages/data_page.h"
#include "views/common/support/page_state.h"
#include "views/common/support/view_memory.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QAction;

namespace altiscope {

class KeyBindings;
class Marks;
class Selection;
class Session;
struct ShownAt;
struct TimelineEvidence;

/// The timeline of all open captures: overview strip, ruler, track tree, canvas and scroll bars. Colours follow the
/// palette (see themeOf), texts the language; both may change at any time. GUI thread; everything that reads events
/// runs as jobs of the session.
class TimelinePage : public DataPage, public PageState {
    Q_OBJECT
public:
    /// Session, selection and marks must outlive the page.
    TimelinePage(Session& session, Selection& selection, Marks& marks, QWidget* parent = nullptr,
                 const ViewMemory& memory = {});
    ~TimelinePage() override;

    /// Shows this window, given on the clock of the selected capture's traces (of the first capture if none is
    /// selected). Before anything is loaded it is kept and shown as soon as the first trace arrives. Can be undone with
    /// Backspace.
    void showRange(TimeRange range);

    /// Whether a capture has rows.
    bool shows(CaptureId capture) const;

    /// Marks a time range of a rank, on its trace's clock, and brings both into sight; the range of a capture that is
    /// not shown as soon as it is.
    void showPlace(CaptureId capture, RankIndex rank, TimeRange range);

    /// Shows a window of a capture, on its traces' clock, as soon as that is shown. Can be undone with Backspace.
    void showCaptureRange(CaptureId capture, TimeRange range);

    /// Shows what a finding rests on, instead of what was shown so before, as soon as its capture is shown.
    void showEvidence(const TimelineEvidence& evidence);
    /// Marks and pinned rows of it go.
    void clearEvidence();
    /// Note on what is done to the picture for it, see EvidenceView.
    QString evidenceNote() const;

    /// Expands a rank and scrolls to it; nothing happens if it is not shown.
    void showRank(CaptureId capture, RankIndex rank);
    /// Expands what hides a track, scrolls to it and makes it the row that keys concern; nothing happens if its rank is
    /// not shown. One that is hidden is said to be.
    void showTrack(CaptureId capture, RankIndex rank, TrackId track);
    /// Marks a moment that another page shows, on the clock of a rank; nullopt: none any more.
    void showMoment(CaptureId capture, RankIndex rank, std::optional<TimeNs> time, const QString& title);

    /// The line in which slices are looked for, with the focus.
    void openFind();
    /// Looks for slices by their name and selects the first, from what is in sight on.
    void find(const QString& name);
    /// Back to the window before, or on again.
    void undoView(bool again);
    /// Details of the selected slice go to the clipboard; reports by statusMessage() if there is none.
    void copySelection();

    /// See TimelineState.
    QJsonObject state(const WorkspaceIds& captures) const override;
    void restore(const QJsonObject& state, const WorkspaceIds& captures) override;

    /// The visible window on the clock of a capture's traces; nullopt while nothing is loaded, or if the capture is not
    /// shown.
    std::optional<TimeRange> captureRange(CaptureId capture) const;
    /// Whether it is the one that shows the whole run.
    bool showsAll() const;

    /// Where slices of a rank are drawn while that is not where they were recorded; else nullopt.
    std::optional<ShownAt> shownAt(CaptureId capture, RankIndex rank, TrackId track = {}) const;

    /// Nothing that the picture needs is under way: what is painted is exact.
    bool idle() const override;

    /// Commands of the keys here, for a list of commands; their texts are in the present language. Empty while
    /// nothing is loaded.
    std::vector<QAction*> commands() const;

    /// Actions that save a part of the page. Empty while nothing is loaded.
    std::vector<QAction*> exportActions() const;

    /// Sums of the selection: a widget for the window to put where it likes. It goes with the page.
    QWidget* selectionPanel() const;
    /// The slices that were found, likewise.
    QWidget* findList() const;
    /// The selected collective on all ranks, likewise.
    QWidget* peerList() const;
    /// All slices of a track, likewise.
    QWidget* trackList() const;

    /// The keys, to be changed, and rules for colours of slices: parts of the settings of the window. They must not
    /// outlive the page.
    KeyBindings* makeKeyBindings(QObject* parent);
    QWidget* makeColourRules(QWidget* parent);

    /// A dialog with all keys and mouse gestures (also on `?`).
    void showKeys();

signals:
    void becameIdle();
    void evidenceNoteChanged();
    /// The result of shownAt() may be another.
    void shiftsChanged();
    /// The name of a mark is to be edited, or its menu shown; `place` is that in Marks::of(capture).
    void markEditWanted(CaptureId capture, std::size_t place);
    void markMenuWanted(CaptureId capture, std::size_t place, QPoint globalPos);
    /// The moment that showMoment() marks was opened.
    void momentOpened();
    /// The user has done something of which that widget shows more; `insists` if nothing else was wanted.
    void selectionPanelWanted(bool insists);
    void findListWanted();
    void peerListWanted();
    void trackListWanted();
    /// The user has clicked a slice.
    void detailsWanted();
    /// A link was written where one goes to a time.
    void linkFollowed(const QString& text);
    /// The page Communication is to show this collective. @param begin  On its rank's clock.
    void collectiveRequested(CaptureId capture, RankIndex rank, const QString& name, altiscope::TimeNs begin);
    /// Wants to see why a capture shows nothing here.
    void reportRequested(CaptureId capture);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace altiscope
