#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"

#include <QString>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// How a program ended.
struct ProcessEnd {
    int status = 0;  ///< -1 if a signal ended it.
    std::string output, errors;
};

/// What ends with what.
struct ProcessTies {
    bool ownGroup = false;    ///< Its children with the program; not for programs that ask on the terminal.
    bool endsWithUs = false;  ///< The program with this process, in whatever way that ends.
};

/// A word of a command line, or the name of a program, as QProcess takes it.
QString processWord(const std::string& text);

/// Runs a program to its end.
/// @param input       Its whole standard input.
/// @param onOutput    Gets output as it comes, which is then not collected. May be null.
/// @return Cancelled within 100 ms of `cancelCheck`; Error "capture.program.missing", "capture.remote.too_much",
///         "capture.remote.timeout" with the program as host.
Result<ProcessEnd> runProcess(const std::vector<std::string>& words, std::string_view input, const ShellLimits& limits,
                              const CancelCheck& cancelCheck, const ProcessTies& ties,
                              const std::function<void(std::string_view)>& onOutput = {});

}  // namespace altiscope::capture
