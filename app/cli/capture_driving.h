#pragma once

#include "app/cli/command_context.h"
#include "core/capture/session/driving.h"

#include <filesystem>
#include <functional>
#include <string>

namespace altiscope::cli {

using EventPrinter = std::function<void(const capture::Event&)>;

/// Who analyses what is raw: nobody, the tools of the targets before it is copied, or this program afterwards.
struct AnalysisChoice {
    std::string where;  ///< "", "there", "here".
    capture::AnalysisOptions options;
};

struct FetchOptions {
    CancelToken cancel;
    EventPrinter print;
    capture::FetchLimits limits;
    AnalysisChoice analysis;
};

/// Has what is raw of a capture that is over analysed by the tools of its targets, by the connections of its run.
/// @return The status of the program.
int analyseThere(const capture::RecordStore& store, capture::CaptureRun& run, const FetchOptions& options);

/// Copies the results of a capture that is over. @return The status of the program.
int fetchCapture(const capture::RecordStore& store, const std::string& id, const std::filesystem::path& folder,
                 const FetchOptions& options);
/// The same by the connections of its run, so that nobody is asked for a password again.
int fetchCapture(const capture::RecordStore& store, capture::CaptureRun& run, const std::filesystem::path& folder,
                 const FetchOptions& options);

/// Status for a capture that is over: also a failure where its ranks recorded different steps.
int statusOf(const capture::CaptureRecord& record);

/// One line for people: time, host, rank, state, message.
std::string eventLine(const capture::Event& event);

/// Starts the window with the results. @return False if there is no such program.
bool openInWindow(const std::filesystem::path& folder);

}  // namespace altiscope::cli
