#pragma once

#include "core/capture/methods/settings.h"
#include "core/capture/session/record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace altiscope::capture {

/// How many steps settings make each rank record; nullopt where the amount of data follows no number of steps.
std::optional<std::int64_t> recordedStepCount(const Settings& settings);
/// Whether it follows one with any settings of a method.
bool countsSteps(const Method& method);

/// What results are likely to need on one target.
struct SizeEstimate {
    std::uint64_t bytes = 0;
    std::string former;             ///< Id of the capture that this was taken from.
    std::uint64_t formerBytes = 0;  ///< Of its results on that target.
};

/// What distinguishes a job on one target from others.
struct SizeQuery {
    std::string target;
    std::string workdir, config;  ///< Absolute, on the target; config: empty if no file is changed.
    std::string launch;           ///< Without passwords, as records have it; empty: none.
    std::size_t targets = 1;      ///< Of the capture.
};

/// From the newest capture that recorded all of the same job, that is with the same method, number of targets, working
/// directory, configuration file and command, and with the same settings but for steps, ranks and folders: its bytes,
/// times the ratio of the steps, times that of the ranks where both name them and there is one target. nullopt if there
/// is none.
///
/// @param formers  Newest first.
std::optional<SizeEstimate> estimateSize(const Settings& settings, const SizeQuery& query,
                                         std::span<const CaptureRecord> formers);

}  // namespace altiscope::capture
