#pragma once

#include "core/analysis/collectives/collective_peers.h"
#include "core/base/values/cancel.h"
#include "core/session/job_runner.h"
#include "views/timeline/rows/row_key.h"
#include "views/timeline/rows/track_choice.h"
#include "views/timeline/scene/timeline_evidence.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

class TimelineClocks;
class TimelineScene;
struct CaptureStore;
struct RankEntry;
class TraceStore;

/// The stream of the device whose kernels take the most time, as far as names tell kernels from tasks: words of task
/// types are all capitals, and collectives begin with "hcom_". nullopt if none has any. O(names of its tracks).
std::optional<std::uint32_t> busiestStream(const TraceStore& trace);

/// The longest gaps of a rank's device within a window, and how many there are.
struct DeviceGaps {
    static constexpr std::size_t kMaxGaps = 200;
    std::vector<TimeRange> longest;  ///< By begin, at most kMaxGaps.
    std::size_t count = 0;
    DurationNs total;  ///< Total time of all gaps, not only the longest.
};
/// Time within the window in which neither a kernel nor a collective runs, as the free time of a step is; of several
/// devices that of the busiest. Cost: readDeviceActivity. Any thread; means nothing if cancelled.
DeviceGaps deviceGaps(const RankEntry& rank, TimeRange window, const CancelToken& cancel);

/// Shows what a finding rests on: its time as the window, gaps as marks in rows that are brought into sight, a rank's
/// busiest stream pinned beside the same one of its peers, its counter or the host's thread, or a collective beside
/// those of its group, whose clocks are aligned for it unless the user has moved ranks. What it pins goes with it. GUI
/// thread.
class EvidenceView : public QObject {
    Q_OBJECT
public:
    /// More rows could not be compared at a glance; the note says how many of all ranks are shown.
    static constexpr std::size_t kMaxPeers = 15;
    /// So many of the longest collectives of a window are looked at for the longest wait.
    static constexpr std::size_t kMaxCollectives = 50;

    EvidenceView(TimelineScene& scene, TimelineClocks& clocks, QObject* parent = nullptr);

    /// Shows evidence; in a capture that is not shown, as soon as it is.
    void show(TimelineEvidence evidence);
    void clear();

    /// Gaps to mark; empty: none.
    const MarkedGaps& gaps() const { return m_gaps; }
    /// The tracks that it is about, once found: those that are pinned, else the device's, else all of its rank.
    const TrackChoice& tracks() const { return m_tracks; }
    /// Note on what is done to the picture for it, in the window's language; empty if nothing is.
    QString note() const;
    bool idle() const { return !m_slot.busy(); }

signals:
    void gapsChanged();
    void noteChanged();
    void tracksFound();
    /// The window stands where the evidence is drawn. @param shift  By what its rank is drawn later than recorded.
    void placed(altiscope::DurationNs shift);
    void becameIdle();

private:
    /// Result of the job.
    struct Found {
        std::optional<DeviceGaps> gaps;
        std::string pinned;  ///< Names of what is pinned: the busiest stream, a group, curves; empty: nothing is.
        std::string beside;  ///< Name of this rank alone, where streams of several are pinned.
        std::vector<RowKey> streams;            ///< The rank's first.
        std::size_t shownRanks = 0, ranks = 0;  ///< On which it is pinned, and on which it could be.
        bool isInSight = false;                 ///< The first of the tracks is to be brought into sight.
        bool isCollective = false;
        std::vector<TrackChoice::Part> tracks;  ///< Tracks that it is about.
        std::shared_ptr<const CollectiveDirectory> directory{};
    };
    static Found find(const std::shared_ptr<const CaptureStore>& store, const TimelineEvidence& evidence,
                      std::shared_ptr<const CollectiveDirectory> directory, const CancelToken& cancel);
    /// Peers in the longest collectives of the rank within the window; nullopt if it waits in none.
    static std::optional<CollectivePeers> longestWait(const CollectiveDirectory& directory,
                                                      const TimelineEvidence& evidence, const CancelToken& cancel);
    static void findCollective(Found& result, const std::shared_ptr<const CaptureStore>& store,
                               const TimelineEvidence& evidence, const CancelToken& cancel);
    static void findStreams(Found& result, const CaptureStore& capture, const TimelineEvidence& evidence,
                            const CancelToken& cancel);
    static void findOwnCollectives(Found& result, const TraceStore& own, const TimelineEvidence& evidence);
    static void addBeside(Found& result, const TraceStore& own, const TimelineEvidence& evidence);
    void bringIntoSight(const TrackChoice::Part& part);
    void take(Found result);
    void place();
    void unpin();
    std::optional<DurationNs> shiftNow() const;

    TimelineScene& m_scene;
    TimelineClocks& m_clocks;
    JobSlot m_slot;
    std::optional<TimelineEvidence> m_evidence;
    std::optional<TimelineEvidence> m_pending;  ///< Until its capture is shown.
    std::optional<DurationNs> m_placedWith;
    bool m_waitsForClocks = false;
    MarkedGaps m_gaps;
    DeviceGaps m_found;
    std::string m_pinnedText, m_besideText;
    std::vector<RowKey> m_pinned;  ///< Rows that were not pinned before.
    std::size_t m_shownRanks = 0, m_allRanks = 0;
    TrackChoice m_tracks;
    std::shared_ptr<const CollectiveDirectory> m_directory;  ///< Directory of the capture that was looked at last.
};

}  // namespace altiscope
