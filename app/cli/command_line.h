#pragma once

#include "app/cli/command_context.h"

#include <span>
#include <string>
#include <vector>

namespace altiscope::cli {

/// The words of the program's command line, taken apart.
struct CommandLine {
    CommonOptions options;
    bool help = false;
    bool version = false;
    std::string command;                 ///< The first word that is no option; empty if there is none.
    std::vector<std::string> arguments;  ///< What is left for the command, in order.
    std::string problem;                 ///< What is wrong with the common options; empty if nothing is.
};

/// Takes the common options out of the words, wherever they stand, as "--option VALUE" or "--option=VALUE". The value of a
/// command's own option (--sql, --file, ...) is passed on whatever it looks like, and so is everything behind "--".
CommandLine parseCommandLine(const std::vector<std::string>& words);

/// The words of a command that has no options of its own.
struct PlainWords {
    std::vector<std::string> words;
    std::string problem;  ///< Names an option that nobody knows; empty if there is none.
};
PlainWords plainWords(std::span<const std::string> arguments);

}  // namespace altiscope::cli
