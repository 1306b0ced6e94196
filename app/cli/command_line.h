#pragma once

#include "app/cli/command_context.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::cli {

/// All options of commands that take a value, but those of generate (generate::isValueOption). Their values are passed
/// on to the command, also those that look like a common option.
inline constexpr std::string_view kValueOptions[] = {
    "--account",    "--analyse",       "--base",     "--base-ranks", "--base-steps",  "--constraint",
    "--engine",     "--export-type",   "--fetch",    "--file",       "--format",      "--gate",
    "--hosts-file", "--identity",      "--junit",    "--launch",     "--limit",       "--max-process-number",
    "--note",       "--offset",        "--out",      "--parallel",   "--partition",   "--pause",
    "--preset",     "--profiler-path", "--python",   "--range",      "--ranks",       "--ranks-per-task",
    "--repeat",     "--results",       "--sections", "--set",        "--slower-than", "--sql",
    "--step-log",   "--steps",         "--target",   "--time",       "--timeout",     "--tracks",
    "--what",       "--without",       "--workdir"};

constexpr bool isValueOption(std::string_view option) {
    return std::find(std::begin(kValueOptions), std::end(kValueOptions), option) != std::end(kValueOptions);
}

/// The name of an option with a value; one that kValueOptions lacks does not compile.
struct ValueOption {
    // NOLINTNEXTLINE(google-explicit-constructor): lists of options are written as their names.
    consteval ValueOption(const char* option) : name(option) {
        if (!isValueOption(name)) throw "kValueOptions lacks this option";
    }
    friend constexpr bool operator==(const ValueOption& one, std::string_view option) { return one.name == option; }
    std::string_view name;
};

/// The words of the program's command line, taken apart.
struct CommandLine {
    CommonOptions options;
    bool help = false;
    bool version = false;
    std::string command;                 ///< The first word that is no option; empty if there is none.
    std::vector<std::string> arguments;  ///< Words that are left for the command, in order.
    std::string problem;                 ///< Fault of the common options; empty if nothing is.
};

/// Takes the common options out of the words, wherever they stand, as "--option VALUE" or "--option=VALUE". The value
/// of a command's own option (kValueOptions) is passed on whatever it looks like, and so is everything after
/// "--".
CommandLine parseCommandLine(const std::vector<std::string>& words);

/// The words of one command, taken apart.
struct CommandArguments {
    std::vector<std::string> words;                           ///< That are no options.
    std::map<std::string, std::string, std::less<>> options;  ///< By name with its dashes; flags have an empty value.
    std::string problem;                                      ///< Fault of an option; empty if nothing is.

    bool has(std::string_view option) const { return options.contains(option); }
    std::optional<std::string> value(std::string_view option) const;
};

/// Takes each "--option VALUE" and "--option=VALUE" before "--" out of the words, in order: of options that may be
/// given several times. readArguments() reads what is left.
/// @return What is wrong; empty if nothing is.
std::string takeRepeated(std::vector<std::string>& words, ValueOption option, std::vector<std::string>& values);

/// Options with a value are "--option VALUE" or "--option=VALUE", the last one of several holds; everything after "--"
/// is no option.
CommandArguments readArguments(std::span<const std::string> arguments,
                               std::initializer_list<ValueOption> withValue = {},
                               std::initializer_list<std::string_view> flags = {});

}  // namespace altiscope::cli
