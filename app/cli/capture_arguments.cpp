#include "app/cli/capture_arguments.h"

#include "core/capture/targets/hosts_file.h"

#include <algorithm>

namespace altiscope::cli {

namespace {

/// Takes each "NAME VALUE" and "NAME=VALUE" out of the words. @return What is wrong; empty if nothing is.
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

}  // namespace

CaptureArguments readCaptureArguments(std::span<const std::string> arguments,
                                      std::initializer_list<ValueOption> withValue,
                                      std::initializer_list<std::string_view> flags) {
    CaptureArguments read;
    std::vector<std::string> words(arguments.begin(), arguments.end()), sets, files;
    std::string problem = takeRepeated(words, "--set", sets);
    if (problem.empty()) problem = takeRepeated(words, "--target", read.targets);
    if (problem.empty()) problem = takeRepeated(words, "--hosts-file", files);
    for (const std::string& text : sets) {
        const auto equals = text.find('=');
        if (equals == 0 || equals == std::string::npos) problem = "--set takes FIELD=VALUE, not \"" + text + "\".";
        else read.assignments.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    read.words = readArguments(words, withValue, flags);
    if (!problem.empty()) read.words.problem = problem;
    for (const std::string& file : files) {
        const auto hosts = capture::hostsOfFile(file);
        if (hosts.failed()) read.error = hosts.error();
        if (!hosts.ok()) break;
        for (const std::string& host : hosts.value()) {
            if (std::find(read.targets.begin(), read.targets.end(), host) == read.targets.end())
                read.targets.push_back(host);
        }
    }
    return read;
}

std::string readTargets(const std::vector<std::string>& names, std::vector<capture::Target>& targets) {
    for (const std::string& name : names) {
        const auto target = capture::parseTarget(name);
        if (!target)
            return "\"" + name +
                   "\" is not a target: local, an alias of your ssh configuration, or [user@]host[:port].";
        const auto same = [&name](const capture::Target& other) { return other.name == name; };
        if (std::any_of(targets.begin(), targets.end(), same)) return "The target " + name + " is given twice.";
        targets.push_back(*target);
    }
    return {};
}

}  // namespace altiscope::cli
