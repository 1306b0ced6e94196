#pragma once

#include "core/base/values/error.h"
#include "core/capture/targets/remote_shell.h"

#include <optional>
#include <string>

namespace altiscope {

/// A configuration as it is on a target.
struct ConfigResult {
    std::optional<std::string> text;  ///< nullopt: there is no such file yet, or an error.
    std::string path;                 ///< Absolute.
    std::string owner;                ///< Whose capture has changed it; empty: none.
    std::optional<Error> error;
};

/// Finds the file as `capture start` does, relative to the working directory, and reads it. Changes nothing.
/// @note  Blocks for two round trips; any thread but the GUI's.
ConfigResult readTargetConfig(const std::string& target, const std::string& workdir, const std::string& file,
                              const capture::Askpass& askpass, const capture::CancelCheck& cancelCheck);

}  // namespace altiscope
