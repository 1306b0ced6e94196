#pragma once

#include "core/capture/methods/service_calls.h"
#include "core/capture/methods/settings.h"

#include "core/base/values/result.h"

#include <string>
#include <vector>

namespace altiscope::capture {

/// What a method's settings come to, to the letter: what is previewed is what is done.
struct Plan {
    std::string file;                ///< Content of the configuration; of methods with a file only.
    std::string diff;                ///< Its change, as unifiedDiff(); empty without an earlier file.
    std::vector<std::string> words;  ///< Options after the job's command, or the command itself.
    std::string application;         ///< The job's own command after them, as the user wrote it for a shell.
    std::string variable;            ///< Name of a variable of the environment, else empty.
    std::string value;               ///< Its value.
    std::string snippet;             ///< Python lines.
    std::string request;             ///< What the daemon is sent, see dynoRequest().
    std::vector<ServiceCall> calls;  ///< Those to a service, from the first to the last.
    std::string callLines;           ///< The same as a shell takes it, with the time between them.

    /// For people: the diff or the file, the command as a shell takes it, the assignment or the snippet.
    std::string text() const;
};

/// @param fileText  The configuration as it is; null: there is none.
/// @param fileName  For the diff.
/// @return          Error as configText(). The settings must have passed validate().
Result<Plan> makePlan(const Settings& settings, const std::string* fileText, const std::string& fileName);

}  // namespace altiscope::capture
