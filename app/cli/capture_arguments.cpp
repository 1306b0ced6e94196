#include "app/cli/capture_arguments.h"

#include "core/capture/targets/hosts_file.h"

#include <algorithm>

namespace altiscope::cli {

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
