#pragma once

#include "core/analysis/snapshot/snapshot_clock.h"
#include "core/session/job_runner.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/snapshot/data/loaded_snapshot.h"
#include "views/snapshot/data/snapshot_selection.h"

#include <QObject>
#include <QString>

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// The timeline of the rank that a snapshot is of.
struct RankProfile {
    CaptureId capture;
    RankIndex rank{};
    std::shared_ptr<const CaptureStore> store;
    QString title;  ///< "run1, rank 3"

    const RankEntry& entry() const { return store->ranks[rank.value]; }
    bool isSame(const RankProfile& other) const {
        return capture == other.capture && rank == other.rank && store == other.store;
    }
};
/// The rank's own if it has slices, else that of the same number in the capture that was opened last; for a snapshot
/// without a rank's number the only rank with slices that is open. nullopt: none.
std::optional<RankProfile> profileOf(const Session& session, const SnapshotChoice& choice);

/// Joins the snapshot that is shown with the timeline of its rank: which entry was when, what of the timeline lies
/// where in the history, and which operator allocated a block. GUI thread; the joining runs on a worker.
class ProfileLink : public QObject {
    Q_OBJECT
public:
    /// All must outlive the link.
    ProfileLink(Session& session, Selection& selection, SnapshotSelection& selected, QObject* parent = nullptr);

    /// Null: nothing is shown.
    void setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot);
    bool busy() const { return m_slot.busy() || m_sliceSlot.busy() || m_rangeSlot.busy(); }

    const std::optional<RankProfile>& profile() const { return m_profile; }
    /// By hand, if anything was set, else by allocations.
    const SnapshotClock& clock() const { return m_clock; }
    const SnapshotAgreement& agreement() const { return m_joined.agreement; }
    bool isByHand() const { return !byHand().empty(); }
    /// How the clocks are joined and how well, or why they are not; translated. Empty while that is not known.
    QString text() const;
    /// The selected event's time, as people read it; empty: not known.
    QString eventTime() const;

    /// The entries within what is marked or selected on the timeline; nullopt: nothing, or it lies outside.
    const std::optional<EventRange>& timelineEvents() const { return m_timelineEvents; }
    /// The begin of that, on the profile's clock, whether or not the clocks are joined.
    std::optional<TimeNs> timelineTime() const;

    /// The selected event was then, until it is forgotten.
    void setByHand(TimeNs time);
    void forgetByHand();
    /// To the slice of the operator that ran when the block was allocated; where that is not known exactly, to the time
    /// in which it was.
    void goToOperator(BlockNumber block);

signals:
    /// How the clocks are joined, or the selected event.
    void changed();
    /// How the clocks are joined, or that they are not any more.
    void clockChanged();
    void timelineEventsChanged();
    /// Mark for the timeline: the selected event; nullopt: nothing.
    void momentChanged(CaptureId capture, RankIndex rank, std::optional<altiscope::TimeNs> time, const QString& title);
    void timelineRequested();
    void statusMessage(const QString& text);

private:
    /// Identity of a snapshot.
    struct Key {
        CaptureId capture;
        RankIndex rank{};
        std::int64_t device = 0;
        std::string file;
        auto operator<=>(const Key&) const = default;
    };

    /// @pre there is a snapshot.
    Key key() const;
    const std::vector<SnapshotMoment>& byHand() const;
    void setProfile(std::optional<RankProfile> profile);
    void follow();
    void join();
    void applyClock();
    void followTimeline();
    void setTimelineRange(std::optional<TimeRange> range);
    /// How much later than recorded the profile's rank is drawn. @pre there is a profile.
    DurationNs shift() const;
    void announceMoment();
    void showSlice(const std::string& name, TimeNs at, TimeRange around);
    void showRange(TimeRange range);

    Session& m_session;
    Selection& m_selection;
    SnapshotSelection& m_selected;
    JobSlot m_slot, m_sliceSlot, m_rangeSlot;
    std::shared_ptr<const LoadedSnapshot> m_snapshot;
    std::optional<RankProfile> m_profile;
    JoinedClock m_joined;
    bool m_isJoined = false;
    SnapshotClock m_clock;
    std::map<Key, std::vector<SnapshotMoment>> m_byHand;
    std::optional<TimeRange> m_timelineRange;  // on the rank's own clock
    std::optional<EventRange> m_timelineEvents;
};

}  // namespace altiscope
