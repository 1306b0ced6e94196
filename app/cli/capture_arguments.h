#pragma once

#include "app/cli/command_line.h"
#include "core/base/values/error.h"
#include "core/capture/methods/validation.h"
#include "core/capture/targets/target.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::cli {

/// The words after `capture WORD`, with the options that may be given several times apart.
struct CaptureArguments {
    CommandArguments words;
    std::vector<capture::Assignment> assignments;  ///< Values of --set FIELD=VALUE.
    std::vector<std::string> targets;              ///< Those of --target, then of --hosts-file, each once.
    std::optional<Error> error;                    ///< Why the file of hosts cannot be used.
};

CaptureArguments readCaptureArguments(std::span<const std::string> arguments,
                                      std::initializer_list<ValueOption> withValue = {},
                                      std::initializer_list<std::string_view> flags = {});

/// Takes the words of --target apart.
/// @return What is wrong; empty if nothing is.
std::string readTargets(const std::vector<std::string>& names, std::vector<capture::Target>& targets);

}  // namespace altiscope::cli
