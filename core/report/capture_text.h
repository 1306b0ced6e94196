#pragma once

#include "core/base/error.h"
#include "core/query/capture_summary.h"

#include <string>
#include <string_view>

namespace altiscope {

/// The object of product.md section 3, one line. Messages are English.
std::string captureJson(const CaptureSummary& summary);
/// The same object for a capture that could not be opened: state "failed", the error as a diagnostic.
std::string failedCaptureJson(std::string_view path, const Error& error);

/// The summary for people, in English; its last part are the diagnostics.
std::string captureText(const CaptureSummary& summary);

// What a front end that shows no stores needs to know of one.

/// "ok", "partial", "failed"; a capture that still loads is partial.
std::string_view captureStateName(const CaptureStore& capture);
/// True if nothing at all could be read.
bool isUnreadable(const CaptureStore& capture);
/// True if data was lost on the way into the store, so that results may be incomplete.
bool holdsPartialData(const CaptureStore& capture);
std::vector<Diagnostic> diagnosticsOf(const CaptureStore& capture);

/// One line for people: severity, code, how often, where, sentence. Safe on a terminal.
std::string diagnosticText(const Diagnostic& diagnostic);

}  // namespace altiscope
