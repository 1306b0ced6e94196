#pragma once

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/result.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

/// What `info` tells of a capture.
struct CaptureSummary {
    std::shared_ptr<const CaptureStore> capture;
    std::vector<std::pair<std::string, std::uint64_t>> rows;       ///< Table and its rows, all tables in schema order.
    std::vector<std::pair<std::string, std::string>> versions;     ///< e.g. "torch_npu", "7.0"; several values joined by ", ".
};

/// Counts the rows of every table (by SQL, so that the numbers are those of queries). Error as QueryDatabase::run.
Result<CaptureSummary> summariseCapture(std::shared_ptr<const CaptureStore> capture, const CancelToken& cancel);

/// The object of product.md section 3, one line.
std::string captureJson(const CaptureSummary& summary);
/// The same object for a capture that could not be opened: state "failed", the error as a diagnostic.
std::string failedCaptureJson(std::string_view path, const Error& error);

/// The summary for people, in English.
std::string captureText(const CaptureSummary& summary);

}  // namespace altiscope
