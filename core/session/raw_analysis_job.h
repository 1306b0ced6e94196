#pragma once

#include "core/base/values/error.h"
#include "core/session/reading/raw_analysis.h"
#include "core/store/capture_store.h"

#include <functional>
#include <optional>

namespace altiscope {

class Session;

/// Outcome of an analysis. Neither a problem nor cancelled: see `analysis`.
struct RawAnalysisOutcome {
    std::optional<Error> problem;
    bool cancelled = false;
    RawAnalysis analysis;
};

/// Whether any rank of a capture was read from raw data, so that deliverables of it can be written.
bool holdsRawData(const CaptureStore& capture);

/// analyseRaw as a visible job; `done` runs on the GUI thread, at once if the folder may not be written to
/// (Session::refusedToWrite). GUI thread.
void startRawAnalysis(Session& session, const RawAnalysisOptions& options,
                      std::function<void(const RawAnalysisOutcome&)> done);

}  // namespace altiscope
