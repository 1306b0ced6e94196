#pragma once

#include <string>

namespace altiscope {

// OpenSSH starts a program to ask the user for a password, a passphrase, or whether a host key is right: this one, in
// another role. It hands the question to the window over a socket and prints the answer, which is never an argument, a
// value of the environment, or in a file.

/// The variable of the environment with the socket's path.
inline constexpr const char* kAskpassVariable = "ALTISCOPE_ASKPASS";

/// Asks, writes the answer with an end of line, and wipes it. Ends with whoever waits for the answer, so that no
/// question stays in the window.
///
/// @param socket  Path of the window's socket (AskpassServer).
/// @param prompt  OpenSSH's own words.
/// @param kind    Of SSH_ASKPASS_PROMPT: "confirm" wants no text, "none" no answer; else empty.
/// @param output  File descriptor that OpenSSH reads: standard output.
/// @return Exit status: 0, or 1 if the user refuses, or nobody can ask or waits for the answer any more.
int runAskpass(const std::string& socket, const std::string& prompt, const std::string& kind, int output);

}  // namespace altiscope
