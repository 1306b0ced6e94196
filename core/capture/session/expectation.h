#pragma once

#include "core/capture/methods/settings.h"
#include "core/capture/session/record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// What will come out of a job with these settings.
struct Expectation {
    ResultKind kind = ResultKind::Folders;
    std::vector<std::int64_t> ranks;  ///< Empty: the settings do not say it.
    bool areRanksStandard = false;    ///< As the tool comes with them; nobody has chosen them.
    Analysis analysis = Analysis::Unknown;
    /// More where a tool writes one for each stage, or for each time; 0: as many as come until the job ends.
    std::int64_t resultsPerRank = 1;
};
Expectation expectationOf(const Settings& settings);

/// What was started, as it was put in place; nullopt: the method is not known.
std::optional<Settings> settingsOf(const CaptureRecord& record, const TargetRecord& target);

/// Text that runs the user's command (`sh "$1/launch.sh"`, "$1" is the job's folder) as the plan says.
/// @param index  Of the target, for commands that need another rank on each host ($ALTISCOPE_TARGET_INDEX).
std::string frameOf(const Settings& settings, const struct Plan& plan, std::size_t index);

/// The user's command as it goes into launch.sh. Where options are to stand, "$@" stands; without it they come last.
std::string launchText(const Settings& settings, const struct Plan& plan, const std::string& launch);

}  // namespace altiscope::capture
