#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/capture/session/capture_run.h"
#include "core/capture/session/record_store.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace altiscope::capture {

// A capture from its start to its end by whichever program is there: the command line and the window do the same with
// the same files. Each function blocks its thread for as long as that takes.

/// Who drives a capture.
struct Driver {
    CancelToken cancel;                          ///< Ends the call within 100 ms and leaves the capture as it is.
    std::function<void(const Event&)> listener;  ///< Called in the thread of the caller. May be empty.
    Askpass askpass;                             ///< As RemoteShell::open.
    CancelCheck abandoned = {};                  ///< As CaptureRun::setAbandoned.
    std::int64_t timeout = 0;                    ///< As CaptureRun::setTimeout; 0: as the capture has it.

    CancelCheck cancelCheck() const {
        return [token = cancel] { return token.cancelled(); };
    }
};

/// Looks at a capture until it is over, or puts it back when somebody requests that, also if the driver is to end.
/// @return Cancelled if the driver is to end.
Result<Done> driveCapture(const RecordStore& store, CaptureRun& run, const CancelToken& cancel);

/// Follows a capture until it is over, and drives it whenever no other process does. A capture whose start was ended in
/// the middle is put back.
/// @return Its last record; Cancelled if the driver is to end.
Result<CaptureRecord> followCapture(const RecordStore& store, const std::string& id, const Driver& driver);

/// Copies the results of a capture that is over by the connections of its run, see CaptureRun::fetch.
/// @param folder  Absolute.
/// @return As fetchCapture.
Result<CaptureRecord> fetchResults(CaptureRun& run, const std::filesystem::path& folder,
                                   const FetchLimits& limits = {});

/// Copies the results of a capture that is over, see CaptureRun::fetch.
/// @return Its record; Error "capture.fetch.incomplete" if something that was recorded could not be copied,
///         "capture.session.busy" if another process keeps the right to change it, as of the next two.
Result<CaptureRecord> fetchCapture(const RecordStore& store, const std::string& id, const std::filesystem::path& folder,
                                   const Driver& driver, const FetchLimits& limits = {});

/// Has the tools of the targets analyse what is raw, see CaptureRun::analyse, and follows that to its end.
/// @return Its record; nothing was done if there was nothing to analyse. Cancelled if the driver is to end: the
///         analysis goes on there.
Result<CaptureRecord> analyseThere(const RecordStore& store, const std::string& id, const AnalysisOptions& options,
                                   const Driver& driver);

/// The same by the connections of its run.
Result<CaptureRecord> analyseResults(const RecordStore& store, CaptureRun& run, const AnalysisOptions& options,
                                     const CancelToken& cancel);

/// Goes on with what is there, see CaptureRun::finish: in the process that drives the capture, or in this one.
/// @return Its record; of one that is over as it is.
Result<CaptureRecord> finishCapture(const RecordStore& store, const std::string& id, const Driver& driver);

/// Ends whoever drives a capture, then its jobs, and puts every changed file back. Where that is abandoned the request
/// stays for whoever drives it next.
Result<Done> cancelCapture(const RecordStore& store, const std::string& id, const Driver& driver);

}  // namespace altiscope::capture
