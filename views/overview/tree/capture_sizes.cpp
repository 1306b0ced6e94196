#include "views/overview/tree/capture_sizes.h"

#include <algorithm>

namespace altiscope {

CaptureSizes::CaptureSizes(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    for (const OpenCapture& capture : session.captures()) follow(capture.id);
    connect(&session, &Session::captureOpened, this, &CaptureSizes::follow);
    connect(&session, &Session::captureChanged, this, &CaptureSizes::follow);
    // With its slot, which cancels.
    connect(&session, &Session::captureClosed, this, [this](CaptureId capture) { m_known.erase(capture); });
}

std::optional<DiskSize> CaptureSizes::of(CaptureId capture) const {
    const auto known = m_known.find(capture);
    return known == m_known.end() ? std::nullopt : known->second.size;
}

bool CaptureSizes::idle() const {
    return std::none_of(m_known.begin(), m_known.end(), [](const auto& known) { return known.second.slot.busy(); });
}

/// After the import, which would wait for the same disk.
void CaptureSizes::follow(CaptureId id) {
    const OpenCapture* capture = m_session.capture(id);
    if (capture == nullptr) return;
    Known& known = m_known.try_emplace(id, m_session.jobs()).first->second;
    const bool isRead = capture->job == 0;
    if (known.isMeasured == isRead) return;
    known.isMeasured = isRead;
    if (!isRead) return;
    known.slot.start([path = capture->path](const CancelToken& cancel) { return diskSizeOf(path, cancel); },
                     [&known](std::optional<DiskSize> size) {
                         if (size) known.size = std::move(size);
                     });
}

}  // namespace altiscope
