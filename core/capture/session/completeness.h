#pragma once

#include "core/capture/session/progress.h"

#include <cstdint>
#include <map>
#include <vector>

namespace altiscope::capture {

// Ranks and results that a capture still waits for. Pure functions.

/// Ranks whose results are waited for; empty: the settings do not say.
/// @param areOver  As areJobsOver(): the tool's own list of ranks counts as far as results go then.
std::vector<std::int64_t> awaitedRanks(const Progress& progress, bool areOver);

/// How many results there are of each rank; those that are expected are among them.
std::map<std::int64_t, std::int64_t> resultsOfRanks(const Progress& progress, bool areOver);

/// Results that each rank is to have, at least one.
std::int64_t resultsOfEach(const CaptureRecord& record);

/// Whether each rank has all of its results.
bool haveAllResults(const Progress& progress, bool areOver);

/// Whether nothing more comes from any target.
bool areJobsOver(const Progress& progress);

/// Whether all that is waited for is there, and over.
bool isComplete(const Progress& progress, bool areOver);

/// An event for each rank that lacks results, at the host that has some of it.
void noteMissing(Progress& progress, bool areOver);

/// Looks without any change before missing ranks are given up, once the jobs are over.
inline constexpr int kOverLooks = 3;

}  // namespace altiscope::capture
