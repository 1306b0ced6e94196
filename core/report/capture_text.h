#pragma once

#include "core/base/error.h"
#include "core/query/capture_summary.h"

#include <string>
#include <string_view>

namespace altiscope {

/// The object of resources/help/reference/command-line.md, one line. Messages are English.
std::string captureJson(const CaptureSummary& summary);
/// The same object for a capture that could not be opened: state "failed", the error as a diagnostic.
std::string failedCaptureJson(std::string_view path, const Error& error);

/// The summary for people, in English; its last part are the diagnostics.
std::string captureText(const CaptureSummary& summary);

}  // namespace altiscope
