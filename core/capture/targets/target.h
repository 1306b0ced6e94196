#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// Where a job runs: this machine, or a host that the user's OpenSSH knows, or a container on one of these.
struct Target {
    std::string name;  ///< As the user named it.
    bool isLocal = false;
    std::string destination;  ///< "[user@]host" for ssh; empty for this machine.
    std::string port;         ///< Empty: as the user's ssh configuration says.
    std::string runtime;      ///< "docker", "podman", "nerdctl", "ctr", "kubectl"; empty: no container.
    std::string container;    ///< Its name: letters, digits, "_", "." and "-".
};

/// "local", an alias of the user's ssh configuration, or "[user@]host[:port]" with an IPv6 address in brackets; behind
/// each may stand a container, "/docker:NAME". nullopt for anything that ssh could take for an option or a shell for
/// more than a word.
std::optional<Target> parseTarget(std::string_view text);

/// Words that start a shell in the container of a target, for the machine that has it; empty: there is no container.
/// Each is one word of letters that no shell knows.
std::vector<std::string> containerWords(const Target& target);

/// A name of a folder for each target, in order: letters, digits and . _ -, different from each other.
std::vector<std::string> targetLabels(const std::vector<std::string>& names);

}  // namespace altiscope::capture
