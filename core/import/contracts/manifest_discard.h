#pragma once

#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"

namespace altiscope::reader {

/// Put after a manifest in a function that can be cancelled: if it was when the function returns, the manifest is
/// destroyed on a thread of its own (core/base/files/discard.h): names of 10^5 files take 100 ms to free. Not where
/// copies of files go with it: those vanish before the caller goes on.
class DiscardManifestOnCancel {
public:
    /// @param manifest  Declared before, so that it lives longer. Moved from at the end.
    DiscardManifestOnCancel(const CancelToken& cancel, CaptureManifest& manifest)
        : m_cancel(cancel), m_manifest(manifest) {}
    DiscardManifestOnCancel(const DiscardManifestOnCancel&) = delete;
    DiscardManifestOnCancel& operator=(const DiscardManifestOnCancel&) = delete;
    ~DiscardManifestOnCancel();

private:
    const CancelToken& m_cancel;
    CaptureManifest& m_manifest;
};

}  // namespace altiscope::reader
