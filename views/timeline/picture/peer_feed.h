#pragma once

#include "core/analysis/collectives/collective_peers.h"
#include "core/session/job_runner.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QObject>

#include <memory>
#include <optional>

namespace altiscope {

/// The peers of a collective, and of which store they are.
struct PeerAnswer {
    CaptureId capture;
    std::shared_ptr<const CaptureStore> store;
    SliceKey requested;
    CollectivePeers peers;
};

/// What the selected collective is on all ranks; found by a worker as soon as one is selected, of captures that are
/// read to their end. What is known of a capture's collectives is kept as long as it is open. GUI thread.
class PeerFeed : public QObject {
    Q_OBJECT
public:
    PeerFeed(TimelineScene& scene, TimelineSelection& selection, QObject* parent = nullptr);

    /// Of the selected slice; null if it is no collective, or not known yet.
    const PeerAnswer* answer() const { return m_answer ? &*m_answer : nullptr; }
    bool idle() const { return !m_slot.busy() && !m_directorySlot.busy(); }

signals:
    void changed();
    void becameIdle();

private:
    void follow();
    void forget();
    void makeDirectory();
    void ask();

    TimelineScene& m_scene;
    TimelineSelection& m_selection;
    JobSlot m_directorySlot, m_slot;
    struct Question {
        CaptureId capture;
        std::shared_ptr<const CaptureStore> store;
        SliceKey key;
        SliceIndex slice;

        bool operator==(const Question& other) const { return store == other.store && key == other.key; }
    };
    std::optional<Question> m_requested;
    std::shared_ptr<const CaptureStore> m_listed;  // whose directory is made now
    std::shared_ptr<const CollectiveDirectory> m_directory;
    std::optional<PeerAnswer> m_answer;
};

}  // namespace altiscope
