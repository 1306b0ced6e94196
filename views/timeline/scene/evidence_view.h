#pragma once

#include "core/base/values/cancel.h"
#include "core/session/job_runner.h"
#include "views/timeline/rows/row_key.h"
#include "views/timeline/scene/timeline_evidence.h"

#include <QObject>
#include <QString>

#include <cstdint>
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

/// Shows what a finding rests on: its time as the window, gaps as marks, a rank's busiest stream pinned beside the same
/// one of its peers, whose clocks are aligned for it unless the user has moved ranks. What it pins goes with it. GUI
/// thread.
class EvidenceView : public QObject {
    Q_OBJECT
public:
    /// More rows could not be compared at a glance; the note says how many of all ranks are shown.
    static constexpr std::size_t kMaxPeers = 15;

    EvidenceView(TimelineScene& scene, TimelineClocks& clocks, QObject* parent = nullptr);

    /// Nothing happens if the capture is not shown.
    void show(TimelineEvidence evidence);
    void clear();

    /// Gaps to mark; empty: none.
    const MarkedGaps& gaps() const { return m_gaps; }
    /// What is done to the picture for it, in the window's language; empty if nothing is.
    QString note() const;
    bool idle() const { return !m_slot.busy(); }

signals:
    void gapsChanged();
    void noteChanged();
    /// The window stands where the evidence is drawn. @param shift  By what its rank is drawn later than recorded.
    void placed(altiscope::DurationNs shift);
    void becameIdle();

private:
    /// What the job finds.
    struct Found {
        std::optional<DeviceGaps> gaps;
        std::string stream;           ///< Name of the busiest stream; empty if there is none.
        std::vector<RowKey> streams;  ///< The rank's first.
    };
    static Found find(const CaptureStore& capture, const TimelineEvidence& evidence, const CancelToken& cancel);
    void take(Found result);
    void place();
    void unpin();
    std::optional<DurationNs> shiftNow() const;

    TimelineScene& m_scene;
    TimelineClocks& m_clocks;
    JobSlot m_slot;
    std::optional<TimelineEvidence> m_evidence;
    std::optional<DurationNs> m_placedWith;
    bool m_waitsForClocks = false;
    MarkedGaps m_gaps;
    DeviceGaps m_found;
    std::string m_stream;
    std::vector<RowKey> m_pinned;  ///< Rows that were not pinned before.
    std::size_t m_shownRanks = 0;
};

}  // namespace altiscope
