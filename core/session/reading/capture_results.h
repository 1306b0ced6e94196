#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/pack/pack_source.h"
#include "core/query/capture_summary.h"
#include "core/store/capture_store.h"
#include "core/tables/overview/overview_numbers.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope {

/// Findings, rows and numbers of all ranks of a capture together; a pack or the cache holds them, so that none has to
/// be read or looked through. Constant.
struct CaptureResults {
    CaptureSummary summary;    ///< Findings by FindingThresholds{}. Without capture and versions.
    OverviewNumbers overview;  ///< recordedOverview() of an empty context, and addComputed(). Without capture.
};

/// As section Results of a pack has them (core/pack/FORMAT.md section 6). nullopt where a text is no UTF-8.
std::optional<std::string> resultsJson(const CaptureResults& results);
/// nullopt if the text is none of a capture with so many ranks: a rank, time or word is none, or a table is not there.
std::optional<CaptureResults> resultsOf(std::string_view json, std::size_t ranks);

/// The results in a pack that was opened as a capture.
/// @param program  Version of this program: results of another one are not taken.
/// @param source   LoadOptions::packSource of the capture.
/// @return Null where it has none, or none that the capture's ranks would give; cancelled.
/// @note   Any thread, in a WorkerArena; no rank is read. O(ranks + findings + rows of step_breakdown).
std::shared_ptr<const CaptureResults> resultsOfPack(const CaptureStore& capture, std::string_view program,
                                                    const CancelToken& cancel,
                                                    const std::shared_ptr<const pack::PackSource>& source = {});

/// All of it beside a summary. @return Null if cancelled. Any thread, in a WorkerArena.
std::shared_ptr<const CaptureResults> resultsBeside(CaptureSummary summary, const CaptureAnalysis& analysis,
                                                    const CancelToken& cancel);

/// Adds to a pack what its ranks give together, unless it is said to have none (core/pack/FORMAT.md section 6).
/// @return False if it has none now. Cancelled, Error as loadCapture and pack::addResults.
/// @note   Must run inside a WorkerArena. Memory: all stores of the pack, of which it makes sure before.
Result<bool> addResultsToPack(const std::filesystem::path& path, ProgressSlot& progress, const CancelToken& cancel);

}  // namespace altiscope
