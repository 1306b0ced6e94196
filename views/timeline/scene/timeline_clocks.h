#pragma once

#include "core/session/job_runner.h"
#include "core/session/session.h"
#include "views/common/support/page_state.h"
#include "views/timeline/scene/timeline_keys.h"
#include "views/timeline/scene/timeline_selection.h"
#include "views/timeline/times/rank_shifts.h"

#include <QJsonArray>
#include <QObject>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// Where the ranks of captures are drawn: as recorded, aligned by their collectives, by an operator, or as the user
/// says. What takes long is found out on a worker, one capture after the other, and known as long as the capture is
/// open. GUI thread.
class TimelineClocks : public QObject {
    Q_OBJECT
public:
    TimelineClocks(Session& session, TimelineScene& scene, TimelineSelection& selection, QObject* parent = nullptr);

    /// Executes an action on clocks.
    void perform(altiscope::ClockAction action);
    /// Draws ranks of a capture so much later than recorded; 0: as recorded. Those that are drawn so already keep what
    /// moved them.
    /// @param shifts  ns, as CaptureStore::ranks.
    void setByHand(CaptureId capture, const std::vector<std::int64_t>& shifts);
    /// Draws the tracks of a process of a rank so much later than the rank; 0: with it. Data, tables and findings stay
    /// as recorded, however it is drawn.
    /// @param process  Track::pid.
    void setTrackGroup(CaptureId capture, RankIndex rank, const std::string& process, std::int64_t later);
    std::int64_t trackGroup(CaptureId capture, RankIndex rank, const std::string& process) const;
    /// All ranks and tracks as recorded.
    void reset();
    /// By collectives, unless the user has already moved or aligned ranks.
    void align();
    bool isAligned() const { return m_aligned; }
    /// By what a rank is drawn later than recorded.
    DurationNs shiftOf(CaptureId capture, RankIndex rank) const;

    /// State for a workspace:
    /// {"aligned":true,"moved":[{"capture":0,"rank":PATH,"by":NS,"origin":N,"operator"}]}; with "process", the pid of
    /// tracks that are moved against their rank.
    QJsonObject state(const WorkspaceIds& captures) const;
    /// Ranks of captures that are not read yet are moved once they are.
    void restore(const QJsonObject& state, const WorkspaceIds& captures);

    /// Looks for captures that are read and whose clocks are not known yet. Call whenever captures change.
    void follow();
    /// Null: to be drawn as recorded, or not known yet.
    std::shared_ptr<const RankShifts> of(const OpenCapture& capture) const;
    /// The slice that others are aligned to.
    const std::optional<SelectedSlice>& base() const { return m_base; }
    bool idle() const { return !m_slot.busy() && !m_operatorSlot.busy() && !m_baseSlot.busy(); }

signals:
    void changed();
    void baseChanged();
    void becameIdle();
    void statusMessage(const QString& text);

private:
    struct Known {
        std::weak_ptr<const CaptureStore> store;
        std::shared_ptr<const ClockAlignment> clocks;
    };
    using OwnShifts = std::vector<std::optional<OwnShift>>;
    using ProcessShifts = std::map<std::pair<RankIndex, std::string>, std::int64_t>;  ///< By Track::pid.
    void addTracks(RankShifts& shifts, const OpenCapture& capture) const;
    void moveWantedOf(const OpenCapture& open, const QJsonArray& list);
    void toggle();
    void toggleBase();
    void alignToBase(SliceEdge edge);
    void alignAll(SliceEdge edge);
    void takeOperator(CaptureId capture, RankIndex rank, const OperatorAlignment& found);
    void followBase();
    void forgetClosed();
    void moveWanted();
    void report();

    Session& m_session;
    TimelineScene& m_scene;
    TimelineSelection& m_selection;
    JobSlot m_slot;
    JobSlot m_operatorSlot;
    JobSlot m_baseSlot;
    bool m_aligned = false;
    std::map<const CaptureStore*, Known> m_known;
    std::map<CaptureId, OwnShifts> m_own;
    std::map<CaptureId, ProcessShifts> m_tracks;
    std::map<CaptureId, QJsonArray> m_wanted;  // moved ranks of a workspace, until their capture is read
    std::optional<SelectedSlice> m_base;
};

}  // namespace altiscope
