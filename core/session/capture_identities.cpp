#include "core/session/capture_identities.h"

#include <algorithm>

namespace altiscope {

CaptureIdentities::CaptureIdentities(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    connect(&session, &Session::captureChanged, this, &CaptureIdentities::follow);
    connect(&session, &Session::captureClosed, this, [this](CaptureId capture) {
        m_slots.erase(capture);
        m_known.erase(capture);
    });
}

std::optional<std::string> CaptureIdentities::of(CaptureId capture) const {
    const auto known = m_known.find(capture);
    return known == m_known.end() ? std::nullopt : known->second.identity;
}

CaptureId CaptureIdentities::captureOf(const std::string& identity) const {
    const auto known = std::find_if(m_known.begin(), m_known.end(),
                                    [&identity](const auto& entry) { return entry.second.identity == identity; });
    return known == m_known.end() || identity.empty() ? kNoCapture : known->first;
}

/// Not while files are read: both would read the same disk.
void CaptureIdentities::follow(CaptureId id) {
    const OpenCapture* capture = m_session.capture(id);
    if (capture == nullptr || capture->job != 0 || capture->store == nullptr) return;
    Known& known = m_known[id];
    if (known.store == capture->store) return;
    known.store = capture->store;
    auto& slot = m_slots[id];
    slot = std::make_unique<JobSlot>(m_session.jobs());
    slot->start([path = std::filesystem::path(capture->path.toStdU16String())](
                    const CancelToken& cancel) { return identifyCapture(path, cancel); },
                [this, id](const Result<std::string>& identity) {
                    m_known[id].identity = identity.ok() ? identity.value() : std::string();
                    m_slots.erase(id);
                    emit found(id);
                });
}

}  // namespace altiscope
