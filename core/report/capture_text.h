#pragma once

#include "core/base/values/error.h"
#include "core/query/capture_summary.h"
#include "core/query/results/row_part.h"

#include <optional>
#include <string>
#include <string_view>

namespace altiscope {

/// The object of resources/help/reference/command-line.md, one line. Messages are English.
/// @param part  Of its lists of ranks and of diagnostics; unless it is all, "lists" says how long each is:
///              {"ranks":{"total":N,"offset":N,"next_offset":N|null},"diagnostics":{...}}.
/// @param window  The time that was read; nullopt: all of it.
std::string captureJson(const CaptureSummary& summary, ListPart part = {},
                        const std::optional<TimeRange>& window = std::nullopt);
/// The same object for a capture that could not be opened: state "failed", the error as a diagnostic.
std::string failedCaptureJson(std::string_view path, const Error& error);

/// The summary for people, in English; its last part are the diagnostics.
std::string captureText(const CaptureSummary& summary, ListPart part = {});

}  // namespace altiscope
