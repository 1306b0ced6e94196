#pragma once

#include "app/cli/command_context.h"
#include "core/capture/session/capture_run.h"
#include "core/capture/session/store.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace altiscope::cli {

using EventPrinter = std::function<void(const capture::Event&)>;

/// Looks at a capture until it is over, or puts it back when somebody requests that.
/// @return Cancelled if this program is to end, which leaves the capture as it is.
Result<Done> driveCapture(const capture::CaptureStore& store, capture::CaptureRun& run, const CancelToken& cancel);

/// Follows a capture until it is over, and drives it whenever no other process does. A capture whose start was ended in
/// the middle is put back.
/// @return Its last record; Cancelled if this program is to end, which leaves the capture as it is.
Result<capture::CaptureRecord> followCapture(const capture::CaptureStore& store, const std::string& id,
                                             const CancelToken& cancel, const EventPrinter& print);

/// Takes the right to change a capture, for a few seconds.
/// @return Error "capture.session.busy" if another process keeps it.
Result<capture::CaptureLock> lockCapture(const capture::CaptureStore& store, const std::string& id,
                                         const CancelToken& cancel);

/// Copies the results of a capture that is over. @return The status of the program.
int fetchCapture(const capture::CaptureStore& store, const std::string& id, const std::filesystem::path& folder,
                 const CancelToken& cancel, const EventPrinter& print);

/// Status for a capture that is over.
int statusOf(capture::State state);

/// One line for people: time, host, rank, state, message.
std::string eventLine(const capture::Event& event);

/// Starts the window with the results. @return False if there is no such program.
bool openInWindow(const std::filesystem::path& folder);

}  // namespace altiscope::cli
