#pragma once

#include "core/analysis/collectives/collective_peers.h"
#include "core/session/job_runner.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QObject>

#include <memory>
#include <optional>

namespace altiscope {

/// The peers of a collective, and of which store they are.
struct PeerResult {
    CaptureId capture;
    std::shared_ptr<const CaptureStore> store;
    SliceKey requested;
    CollectivePeers peers;
};

/// The selected collective on all ranks; found by a worker as soon as one is selected, of captures that are
/// read to their end. What is known of a capture's collectives is kept as long as it is open. GUI thread.
class PeerLoader : public QObject {
    Q_OBJECT
public:
    PeerLoader(TimelineScene& scene, TimelineSelection& selection, QObject* parent = nullptr);

    /// The collective of the selected slice on all ranks; null if it is none, or not known yet.
    const PeerResult* result() const { return m_result ? &*m_result : nullptr; }
    bool idle() const { return !m_slot.busy() && !m_directorySlot.busy(); }

signals:
    void changed();
    void becameIdle();

private:
    void follow();
    void forget();
    void makeDirectory();
    void request();

    TimelineScene& m_scene;
    TimelineSelection& m_selection;
    JobSlot m_directorySlot, m_slot;
    struct PeerQuery {
        CaptureId capture;
        std::shared_ptr<const CaptureStore> store;
        SliceKey key;
        SliceIndex slice;

        bool operator==(const PeerQuery& other) const { return store == other.store && key == other.key; }
    };
    std::optional<PeerQuery> m_requested;
    std::shared_ptr<const CaptureStore> m_listed;  // whose directory is made now
    std::shared_ptr<const CollectiveDirectory> m_directory;
    std::optional<PeerResult> m_result;
};

}  // namespace altiscope
