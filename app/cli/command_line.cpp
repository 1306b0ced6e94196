#include "app/cli/command_line.h"

#include "core/generate/options/generate_options.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>

namespace altiscope::cli {

namespace {

/// More would only cost memory for stacks.
constexpr unsigned kMaxJobs = 1024;

constexpr std::pair<std::string_view, bool CommonOptions::*> kFlags[] = {
    {"--json", &CommonOptions::json},
    {"--no-cache", &CommonOptions::noCache},
    {"--diagnostics", &CommonOptions::diagnostics},
    {"--strict", &CommonOptions::strict},
    {"--quiet", &CommonOptions::quiet},
    {"--yes", &CommonOptions::yes},
    {"--remote-files", &CommonOptions::remoteFiles},
};

/// Whether an option of some command takes the word after it, whatever that looks like.
bool takesValue(std::string_view option) { return isValueOption(option) || generate::isValueOption(option); }

/// @return What is wrong with the value; empty if nothing is.
std::string readJobs(const std::string& text, CommonOptions& options) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, options.jobs);
    if (error == std::errc() && stop == end && options.jobs > 0 && options.jobs <= kMaxJobs) return {};
    return "--jobs takes a number from 1 to " + std::to_string(kMaxJobs) + ", not \"" + text + "\".";
}

std::string readCacheDir(const std::string& text, CommonOptions& options) {
    if (text.empty()) return "--cache-dir takes a folder, not an empty text.";
    options.cacheDir = text;
    return {};
}

std::string readPrefer(const std::string& text, CommonOptions& options) {
    if (text != "text" && text != "db") return "--prefer takes text or db, not \"" + text + "\".";
    options.prefer = text;
    return {};
}

constexpr std::pair<std::string_view, std::string (*)(const std::string&, CommonOptions&)> kValues[] = {
    {"--jobs", readJobs},
    {"--cache-dir", readCacheDir},
    {"--prefer", readPrefer},
};

bool readFlag(std::string_view word, CommandLine& line) {
    if (word == "--help" || word == "-h") return line.help = true;
    if (word == "--version") return line.version = true;
    const auto* flag =
        std::find_if(std::begin(kFlags), std::end(kFlags), [word](const auto& f) { return f.first == word; });
    if (flag == std::end(kFlags)) return false;
    return line.options.*flag->second = true;
}

/// "--strict=1"
bool isFlagWithValue(std::string_view word) {
    const std::size_t equals = word.find('=');
    return equals != std::string_view::npos &&
           std::any_of(std::begin(kFlags), std::end(kFlags),
                       [word, equals](const auto& flag) { return flag.first == word.substr(0, equals); });
}

/// Reads the option with a value that stands at `words[i]`, and moves `i` to its last word.
bool readValue(const std::vector<std::string>& words, std::size_t& i, CommandLine& line) {
    const std::string_view word = words[i];
    for (const auto& [name, read] : kValues) {
        if (word == name) {
            if (i + 1 == words.size()) line.problem = std::string(name) + " needs a value.";
            else line.problem = read(words[++i], line.options);
            return true;
        }
        if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=') {
            line.problem = read(std::string(word.substr(name.size() + 1)), line.options);
            return true;
        }
    }
    return false;
}

}  // namespace

CommandLine parseCommandLine(const std::vector<std::string>& words) {
    CommandLine line;
    const auto keep = [&line](const std::string& word) {
        if (line.command.empty() && !word.starts_with('-')) line.command = word;
        else line.arguments.push_back(word);
    };
    for (std::size_t i = 0; i < words.size() && line.problem.empty(); ++i) {
        const std::string& word = words[i];
        if (word == "--") {
            line.arguments.insert(line.arguments.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
            break;
        }
        if (readFlag(word, line) || readValue(words, i, line)) continue;
        // Without a command nobody can know what an option means.
        if (isFlagWithValue(word)) line.problem = word.substr(0, word.find('=')) + " takes no value.";
        else if (line.command.empty() && word.starts_with('-')) line.problem = "Unknown option " + word + ".";
        keep(word);
        if (takesValue(word) && i + 1 < words.size()) keep(words[++i]);
    }
    return line;
}

std::optional<std::string> CommandArguments::value(std::string_view option) const {
    const auto found = options.find(option);
    return found == options.end() ? std::nullopt : std::optional(found->second);
}

std::string takeRepeated(std::vector<std::string>& words, ValueOption option, std::vector<std::string>& values) {
    const std::string name(option.name);
    std::vector<std::string> others;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--") {
            others.insert(others.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
            break;
        }
        if (words[i] == name) {
            if (i + 1 == words.size()) return name + " needs a value.";
            values.push_back(words[++i]);
        } else if (words[i].starts_with(name + "=")) {
            values.push_back(words[i].substr(name.size() + 1));
        } else {
            others.push_back(words[i]);
        }
    }
    words = std::move(others);
    return {};
}

CommandArguments readArguments(std::span<const std::string> arguments, std::initializer_list<ValueOption> withValue,
                               std::initializer_list<std::string_view> flags) {
    CommandArguments read;
    const auto isOneOf = [](const auto& list, std::string_view option) {
        return std::find(list.begin(), list.end(), option) != list.end();
    };
    bool optionsOver = false;
    for (std::size_t i = 0; i < arguments.size() && read.problem.empty(); ++i) {
        const std::string& word = arguments[i];
        if (!optionsOver && word == "--") {
            optionsOver = true;
            continue;
        }
        if (optionsOver || !word.starts_with('-')) {
            read.words.push_back(word);
            continue;
        }
        const std::size_t equals = word.find('=');
        const std::string option = word.substr(0, equals);
        if (isOneOf(flags, word)) read.options[word].clear();
        else if (isOneOf(flags, option)) read.problem = option + " takes no value.";
        else if (!isOneOf(withValue, option)) read.problem = "Unknown option " + word + ".";
        else if (equals != std::string::npos) read.options[option] = word.substr(equals + 1);
        else if (i + 1 == arguments.size()) read.problem = option + " needs a value.";
        else read.options[option] = arguments[++i];
    }
    return read;
}

}  // namespace altiscope::cli
