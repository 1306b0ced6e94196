#pragma once

#include <QString>
#include <QtGlobal>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::test {

/// What a script of tests/support, which knows nothing of our code, prints about files; nullopt, and a message, if it
/// fails.
inline std::optional<std::string> runScript(const std::string& script,
                                            const std::vector<std::filesystem::path>& files) {
    // popen and not QProcess: what that does between fork and exec leaves the thread sanitizer blind.
    std::string command =
        "python3 '" + qEnvironmentVariable("ALTI_SOURCE_DIR").toStdString() + "/tests/support/" + script + "'";
    for (const std::filesystem::path& file : files) command += " '" + file.string() + "'";
    std::FILE* output = popen((command + " 2>&1").c_str(), "r");
    if (output == nullptr) return std::nullopt;
    std::string text;
    char part[4096];
    for (std::size_t size; (size = std::fread(part, 1, sizeof part, output)) > 0;) text.append(part, size);
    if (pclose(output) == 0) return text;
    qWarning("%s: %s", script.c_str(), text.c_str());
    return std::nullopt;
}

}  // namespace altiscope::test
