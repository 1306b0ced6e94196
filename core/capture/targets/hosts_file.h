#pragma once

#include "core/base/values/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// Hosts of a file as DeepSpeed and Open MPI read it: one host a line, behind it maybe words with a number
/// ("slots=8", "max_slots=8", "8"), which say nothing about a capture; "#" begins a comment. A host is whatever
/// parseTarget() takes, so the number in "host:2222" is a port, where MPICH has a number of processes. Hosts are in
/// order, each once.
///
/// @param file  Named in errors.
/// @return Error "capture.hosts.line" for the first line that is neither, "capture.hosts.too_many" beyond 1024 hosts,
///         "capture.hosts.none" if there is none.
Result<std::vector<std::string>> hostsOfText(std::string_view text, const std::filesystem::path& file);

/// The same of a file of at most 1 MiB; else the error of readSmallText().
Result<std::vector<std::string>> hostsOfFile(const std::filesystem::path& file);

}  // namespace altiscope::capture
