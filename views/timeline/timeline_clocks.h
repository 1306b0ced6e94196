#pragma once

#include "core/analysis/clock_alignment.h"
#include "core/session/job_runner.h"
#include "core/session/session.h"

#include <QObject>

#include <map>
#include <memory>

namespace altiscope {

/// Where the clocks of ranks lie, while they are to be drawn aligned. Found out on a worker, one capture after the other, and
/// known as long as the capture is open. GUI thread.
class TimelineClocks : public QObject {
    Q_OBJECT
public:
    explicit TimelineClocks(Session& session, QObject* parent = nullptr);

    /// Aligns by collectives, or leaves the clocks as they were recorded.
    void toggle();
    /// Looks for captures that are read and whose clocks are not known yet. Call whenever captures change.
    void follow();
    /// Null: to be drawn as recorded, or not known yet.
    std::shared_ptr<const ClockAlignment> of(const CaptureStore& store) const;
    bool idle() const { return !m_slot.busy(); }

signals:
    void changed();
    void becameIdle();
    void statusMessage(const QString& text);

private:
    struct Known {
        std::weak_ptr<const CaptureStore> store;
        std::shared_ptr<const ClockAlignment> clocks;
    };
    void tell();

    Session& m_session;
    JobSlot m_slot;
    bool m_aligned = false;
    std::map<const CaptureStore*, Known> m_known;
};

} // namespace altiscope
