#pragma once

#include <span>
#include <string>
#include <string_view>

namespace altiscope::capture {

/// A command or line of a log without what is handed over as a password: "***" stands for the value after --password,
/// --api-key, TOKEN= and the like, and for the one in "scheme://user:password@host". A pure function, O(text).
/// @note By names: a secret under a name that says nothing is not found.
std::string withoutSecrets(std::string_view text);

/// The same of the words of a command, as a shell would read them back. Surer than withoutSecrets() of that text:
/// where a word ends is known.
std::string commandWithoutSecrets(std::span<const std::string> words);

/// Whether withoutSecrets() has made a text of one with a secret: run like that, the password would be "***".
bool lacksSecret(std::string_view text);

}  // namespace altiscope::capture
