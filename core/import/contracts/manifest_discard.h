#pragma once

#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"

namespace altiscope::reader {

/// Put after a manifest in a function that can be cancelled: if it was when the function returns, or the manifest is so
/// large that a cancel may come while it is destroyed, that happens on a thread of its own
/// (core/base/memory/discard.h):
/// names of 10^5 files take 100 ms to free. Not where copies of files go with it: those vanish before the caller goes
/// on.
class ManifestDiscard {
public:
    /// @param manifest  Declared before, so that it lives longer. Moved from at the end.
    ManifestDiscard(const CancelToken& cancel, CaptureManifest& manifest) : m_cancel(cancel), m_manifest(manifest) {}
    ManifestDiscard(const ManifestDiscard&) = delete;
    ManifestDiscard& operator=(const ManifestDiscard&) = delete;
    ~ManifestDiscard();

private:
    const CancelToken& m_cancel;
    CaptureManifest& m_manifest;
};

}  // namespace altiscope::reader
