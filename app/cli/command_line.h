#pragma once

#include "app/cli/command_context.h"

#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// Takes the common options out of the words, wherever they stand, as "--option VALUE" or "--option=VALUE". The value
/// of a command's own option (--sql, --file, ...) is passed on whatever it looks like, and so is everything after
/// "--".
CommandLine parseCommandLine(const std::vector<std::string>& words);

/// The words of one command, taken apart.
struct CommandArguments {
    std::vector<std::string> words;                           ///< That are no options.
    std::map<std::string, std::string, std::less<>> options;  ///< By name with its dashes; flags have an empty value.
    std::string problem;                                      ///< What is wrong with an option; empty if nothing is.

    bool has(std::string_view option) const { return options.contains(option); }
    std::optional<std::string> value(std::string_view option) const;
};

/// Options with a value are "--option VALUE" or "--option=VALUE", the last one of several holds; everything after "--"
/// is no option.
CommandArguments readArguments(std::span<const std::string> arguments,
                               std::initializer_list<std::string_view> withValue = {},
                               std::initializer_list<std::string_view> flags = {});

}  // namespace altiscope::cli
