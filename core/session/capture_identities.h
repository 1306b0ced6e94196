#pragma once

#include "core/session/session.h"
#include "core/session/workspace/capture_identity.h"

#include <QObject>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace altiscope {

/// The identities of the open captures, found on workers once a capture is read; an archive or a folder that is read
/// again has another, perhaps. GUI thread.
class CaptureIdentities : public QObject {
    Q_OBJECT
public:
    /// The session must outlive it.
    explicit CaptureIdentities(Session& session, QObject* parent = nullptr);

    /// nullopt while it is not known; empty if it cannot be.
    std::optional<std::string> of(CaptureId capture) const;
    /// The open capture of an identity; 0 if none is known to be it.
    CaptureId captureOf(const std::string& identity) const;
    bool idle() const { return m_slots.empty(); }

signals:
    /// of() is known, or another.
    void found(CaptureId capture);

private:
    struct Known {
        std::shared_ptr<const CaptureStore> store;  ///< Store that it identifies.
        std::optional<std::string> identity;
    };
    void follow(CaptureId capture);

    Session& m_session;
    std::map<CaptureId, Known> m_known;
    std::map<CaptureId, std::unique_ptr<JobSlot>> m_slots;
};

}  // namespace altiscope
