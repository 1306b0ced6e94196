#pragma once

#include "core/capture/methods/settings.h"
#include "core/capture/session/record.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace altiscope::capture {

/// How many steps settings make each rank record; nullopt where the amount of data follows no number of steps.
std::optional<std::int64_t> recordedStepCount(const Settings& settings);

/// What results are likely to need on one target.
struct SizeEstimate {
    std::uint64_t bytes = 0;
    std::string former;             ///< Id of the capture that this was taken from.
    std::uint64_t formerBytes = 0;  ///< Of its results on that target.
};

/// From the newest capture that recorded all of the same job, that is with the same method and working directory, and
/// with the same settings but for steps, ranks and folders: its bytes, times the ratio of the steps, times that of the
/// ranks where both name them. nullopt if there is none, or only one side names its ranks.
///
/// @param workdir  Absolute, on the target.
/// @param formers  Newest first.
std::optional<SizeEstimate> estimateSize(const Settings& settings, const std::string& target,
                                         const std::string& workdir, std::span<const CaptureRecord> formers);

}  // namespace altiscope::capture
