#pragma once

#include "core/analysis/communication/absent_ranks.h"
#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/base/values/error.h"
#include "core/base/values/time.h"
#include "core/findings/finding.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

class CaptureAnalysis;
struct CaptureStore;

/// When a rank runs, on its clock.
struct RankSpan {
    TimeRange home;  ///< TraceStore::homeRange()
    TimeRange all;   ///< TraceStore::range()
};

/// Summary of a capture, as `info` shows it.
struct CaptureSummary {
    std::shared_ptr<const CaptureStore> capture;
    std::vector<std::pair<std::string, std::uint64_t>> rows;  ///< Table and its rows, all tables in schema order.
    /// Software that recorded it, e.g. "torch_npu", "2.7.1"; where ranks differ, their values joined by ", ".
    std::vector<std::pair<std::string, std::string>> versions;
    std::vector<Finding> findings{};  ///< Findings of all rules, the worst first.
    /// As CaptureStore::ranks; nullopt: no events. Fewer than ranks: the others have none.
    std::vector<std::optional<RankSpan>> spans{};
    AbsentRanks absent{};
};

/// Counts the rows of all tables, as count(*) does: what is computed from events is computed for it, and all rules run.
/// @return nullopt if cancelled.
/// @note Any thread; parallel on the arena. O(slices of device and host).
std::optional<CaptureSummary> summariseCapture(std::shared_ptr<const CaptureStore> capture, const CancelToken& cancel);
/// The same of computations that the caller keeps.
std::optional<CaptureSummary> summariseCapture(std::shared_ptr<const CaptureStore> capture,
                                               const CaptureAnalysis& analysis, const CancelToken& cancel);

/// CaptureSummary::spans of a rank.
std::optional<RankSpan> spanOf(const CaptureSummary& summary, std::size_t rank);
/// CaptureSummary::versions, of what is said of ranks alone.
std::vector<std::pair<std::string, std::string>> versionsOf(const CaptureStore& capture);
/// CaptureSummary::spans of ranks that are read.
std::vector<std::optional<RankSpan>> spansOf(const CaptureStore& capture);

// Facts about a store for a front end that shows none.

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
