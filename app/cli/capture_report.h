#pragma once

#include "core/capture/methods/method.h"
#include "core/capture/methods/plan.h"
#include "core/capture/methods/validation.h"
#include "core/capture/session/capture_run.h"

#include <span>
#include <string>

namespace altiscope::cli {

/// All methods with a line for each field.
std::string methodsText(std::span<const capture::Method> methods);
/// [{"name":M,"medium":..,"trigger":..,"fields":[{"name":..,"type":..,"unit":..,"range":..,"default":..,"applies":..,
/// "versions":..}]}]
std::string methodsJson(std::span<const capture::Method> methods);

/// One line about a problem, safe on a terminal.
std::string problemLine(const capture::SettingProblem& problem);
/// {"method":M,"ok":true,"problems":[{"field":F,"severity":"error|warning","code":C,"message":..}],"file":..,"diff":..,
/// "command":[..],"application":..,"environment":{..},"snippet":..,"request":..}; what a method does not have is null.
std::string validationJson(const capture::Method& method, const capture::Plan& plan,
                           const capture::SettingProblems& problems);

/// A line for each check: target, name, state, what was found or what to do.
std::string checksText(const std::vector<capture::TargetChecks>& targets);
/// {"method":M,"ok":true,"problems":[..],"checks":[{"target":T,"name":N,"state":"good|warning|failed","detail":..,
/// "message":..}]}
std::string checksJson(const capture::Method& method, const std::vector<capture::TargetChecks>& targets,
                       const capture::SettingProblems& problems);
/// Whether nothing failed.
bool areGood(const std::vector<capture::TargetChecks>& targets);

}  // namespace altiscope::cli
