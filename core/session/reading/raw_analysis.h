#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/error.h"
#include "core/base/values/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Which raw data is analysed, and what is written where.
struct RawAnalysisOptions {
    std::filesystem::path raw;  ///< A PROF folder, the folder of a framework's rank, or a parent of many of them.
    /// Where a folder per capture is made; must not exist, or be empty. Empty path: the deliverables go into the
    /// captures themselves, where none may be yet.
    std::filesystem::path out;
    bool writesText = true, writesDatabases = false;  ///< One of them at least.
};

/// Outcome for one capture.
struct AnalysedCapture {
    enum class State : std::uint8_t {
        Done,
        Partial,    ///< Written, but records were lost, or the raw data holds what is not read: see `lost`.
        Failed,     ///< Nothing was written: see `error`.
        Cancelled,  ///< Nothing was written, since the analysis was cancelled before.
    };
    std::string path;  ///< Relative to RawAnalysisOptions::raw; "." for that itself.
    State state = State::Failed;
    std::optional<Error> error;
    std::vector<Diagnostic> lost;
    std::filesystem::path folder;    ///< Where the files are.
    std::vector<std::string> files;  ///< Relative to it.
    /// Folders that killed analyses had left in the capture; gone now. Only where files are written into it.
    std::vector<std::filesystem::path> swept;
};

/// Outcome for all captures that were found.
struct RawAnalysis {
    std::vector<AnalysedCapture> captures;  ///< By path.
    std::vector<Diagnostic> lost;           ///< Where captures were not searched for, so that some may be missing.
    /// Folders that killed analyses had left in the captures and in RawAnalysisOptions::out; gone now.
    std::vector<std::filesystem::path> swept;

    /// It was cancelled after something had been written.
    bool isCancelled() const;
};

/// "done", "partial", "failed", "cancelled".
std::string_view analysisStateName(AnalysedCapture::State state);

/// Analyses raw data as the vendors' programs do and writes what they write (core/report/deliverables as text,
/// core/report/databases as SQLite databases). The files of a
/// capture appear together once all of them are complete. Captures are analysed in parallel on the arena that this must
/// run in; one that fails does not stop the others. After a cancel nothing half-written is left; what was complete
/// before stays, and then the result says so: see RawAnalysis::isCancelled.
/// What an analysis has made of the data before is passed over.
/// @return Error "raw_analysis.nothing" if there is no raw data, or what ended the search before any was found;
///         "raw_analysis.not_empty", "export.inside_capture" or "raw_analysis.no_folder" {reason} if `out` cannot be
///         used.
Result<RawAnalysis> analyseRaw(const RawAnalysisOptions& options, ProgressSlot& progress, const CancelToken& cancel);

}  // namespace altiscope
