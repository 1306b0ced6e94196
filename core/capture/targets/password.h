#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"

#include <cstddef>
#include <span>
#include <string>

namespace altiscope::capture {

/// Whether there is a way to prompt the user: on the terminal, or through the user's own helper (SSH_ASKPASS).
bool canPromptUser();

/// Asks the user for a secret, as ssh does: through `askpass`, else the program that SSH_ASKPASS names where there is
/// no terminal (or SSH_ASKPASS_REQUIRE wants it), else on the terminal, which does not show it. Blocks until somebody
/// has answered.
///
/// @param prompt  What the secret is for; not secret itself.
/// @param answer  Where the secret is written, and nowhere else; what is longer is no answer.
/// @return Its length; 0 if there is no way to prompt, or no answer. Cancelled once `cancelCheck` says so.
Result<std::size_t> promptPassword(const std::string& prompt, const Askpass& askpass, std::span<char> answer,
                                   const CancelCheck& cancelCheck);

}  // namespace altiscope::capture
