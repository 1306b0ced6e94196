#pragma once

#include <initializer_list>
#include <optional>
#include <string>

namespace altiscope::cli {

/// State of a file that is to be written.
struct OutPlace {
    bool isStdout = false;  ///< The same file, pipe or device as standard output.
    bool isStream = false;  ///< A pipe or device, or standard output.
};
OutPlace outPlaceOf(const std::string& file);

/// The first file that a command reads and writes twice, whatever it is called; nullopt if
/// none is. Devices, as /dev/null, may be.
std::optional<std::string> fileNamedTwice(std::initializer_list<std::optional<std::string>> files);

}  // namespace altiscope::cli
