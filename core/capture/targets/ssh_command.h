#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"

#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// Words that start ssh for a target, up to and without "--" and the destination.
///
/// @param controlPath  Socket of the connection that a process with -M shares; empty: each call connects anew.
/// @param askpass      Gets to the programs of OpenSSH through `env`, so that jobs on this machine do not inherit it.
/// @return Error "capture.ssh.missing"; "capture.ssh.no_known_hosts" if the user's configuration keeps no host keys.
/// @note   Asks `ssh -G` what the user's configuration says. ALTISCOPE_SSH_CONFIG names another configuration.
Result<std::vector<std::string>> sshCommand(const Target& target, const std::string& controlPath,
                                            const CancelCheck& cancelCheck, const Askpass& askpass);

/// Where the sockets of this user's shared connections lie: a folder that nobody else can enter, made if need be: below
/// $XDG_RUNTIME_DIR, else (a runtime folder of another user, as after `su`, or none) below the temporary folder. Empty
/// if there is none.
std::string controlFolder();

/// Why ssh itself failed, by what it said.
Error sshError(const Target& target, std::string_view errors);

}  // namespace altiscope::capture
