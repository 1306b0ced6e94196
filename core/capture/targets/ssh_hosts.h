#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace altiscope::capture {

/// Hosts that a configuration of OpenSSH names: words of its Host lines, and of those in files that it includes, that
/// have no wildcards and are targets (parseTarget), in order, each once. Nothing else is read from it.
///
/// @param config    Read as ssh_config(5) says; one that is not there names none.
/// @param includes  Folder that relative names of Include lines count from.
/// @note  Any thread. Bounded: 200 files of 1 MiB, 16 deep, 2000 names.
std::vector<std::string> sshHosts(const std::filesystem::path& config, const std::filesystem::path& includes);

/// Those of the user's own configuration, or of that in ALTISCOPE_SSH_CONFIG.
std::vector<std::string> userSshHosts();

}  // namespace altiscope::capture
