#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/ids.h"
#include "core/base/values/result.h"
#include "core/base/values/time.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Which part of a capture an exported trace holds. The default is everything that was recorded.
struct TraceExportOptions {
    /// Slices that touch the range (whole, not cut), other events within it. On the clock of the capture, see `clocks`.
    std::optional<TimeRange> range;
    /// Rank ids; nullopt: all.
    std::optional<std::vector<std::int64_t>> ranks;
    /// A track is taken if one of these matches: a number its track_id, a text its name, or with a '/' "process/name".
    /// '*', '?' and [...] are wildcards. Empty: all tracks.
    std::vector<std::string> tracks;
    /// Also tracks that were computed from recorded ones.
    bool computed = false;
    struct ChosenTrack {
        RankIndex rank{};
        TrackId track;
        auto operator<=>(const ChosenTrack&) const = default;
    };
    /// Exactly these tracks, ascending, and only ranks that have any; nullopt: as `ranks` and `tracks` say.
    std::optional<std::vector<ChosenTrack>> chosen{};
    /// How far a rank's own times lie before those of the capture, by its index in CaptureStore::ranks; further ranks:
    /// not at all. Exported times are the rank's own.
    std::vector<DurationNs> clocks{};
};

/// Counts of an exported trace.
struct TraceExportSummary {
    std::uint64_t slices = 0, samples = 0, instants = 0, flows = 0;
    std::uint64_t bytes = 0;
    Diagnostics diagnostics;  ///< Arguments that could not be read any more.
};

/// Writes the tracks of a capture as Chrome JSON, see the room's README. An existing file is replaced once the new one
/// is complete.
/// @param progress  Gets events, not bytes.
/// @return Error "export.no_rank" {rank}, "export.no_track" {track}, "export.no_timeline", or "export.not_written"
/// {reason}.
/// @note   Uses the workers of the current arena; some megabytes per worker.
Result<TraceExportSummary> exportTrace(const CaptureStore& capture, const TraceExportOptions& options,
                                       const std::filesystem::path& file, ProgressSlot& progress,
                                       const CancelToken& cancel);

}  // namespace altiscope
