#pragma once

#include "core/session/disk_size.h"
#include "core/session/session.h"

#include <QObject>

#include <map>
#include <optional>

namespace altiscope {

/// Sizes of the open captures on disk: found on a worker once a capture is read, and given up when it is closed. GUI
/// thread.
class CaptureSizes : public QObject {
    Q_OBJECT
public:
    explicit CaptureSizes(Session& session, QObject* parent = nullptr);

    /// nullopt: not known (yet).
    std::optional<DiskSize> of(CaptureId capture) const;
    bool idle() const;

private:
    void follow(CaptureId capture);

    struct Known {
        explicit Known(JobRunner& jobs) : slot(jobs) {}
        JobSlot slot;
        bool isMeasured = false;  ///< Since it was read.
        std::optional<DiskSize> size;
    };
    Session& m_session;
    std::map<CaptureId, Known> m_known;
};

}  // namespace altiscope
