#pragma once

#include "core/capture/targets/remote_shell.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace altiscope::capture {

/// How an exchange with a shell ended.
struct Exchange {
    enum class End {
        Replied,
        Broken,     ///< The program ended, or closed its output.
        Cancelled,  ///< What was sent runs on; the session drops its output.
        Late,
        TooMuch,
    } end = End::Broken;
    std::string output, errors;  ///< All that was written since the exchange began; errors at most 64 KiB.
    int status = 0;              ///< Of the program, once it is broken; -1 if a signal ended it.
};

/// A program that starts a /bin/sh somewhere and stays: what it is sent is run in order, and what it writes is read up
/// to a mark. So one process per host serves all looks at it. One thread at a time, not always the same.
///
/// Ctrl+C on the terminal does not end the program: what was changed is put back through it.
class ShellSession {
public:
    /// @return Null if there is no such program.
    static std::unique_ptr<ShellSession> start(const std::vector<std::string>& words);
    /// Closes its input, and ends it if it is still there after a second.
    ~ShellSession();
    ShellSession(const ShellSession&) = delete;
    ShellSession& operator=(const ShellSession&) = delete;

    /// Sends a text and reads up to the mark and the end of its line.
    /// @param limits  As RemoteShell::run.
    Exchange exchange(std::string_view text, const std::string& mark, const ShellLimits& limits,
                      const CancelCheck& cancelCheck);

    /// Closes its input, so that it ends soon.
    void beginClose();
    /// Ends it at once.
    /// @return The status that it ended with; -1 if a signal ended it.
    int kill();

    enum class Condition { Idle, Busy, Broken };
    /// Whether it can take the next text: not while one that was broken off still runs.
    Condition condition();

private:
    ShellSession(pid_t process, int input, int output, int errors)
        : m_process(process), m_input(input), m_output(output), m_errors(errors) {}
    /// Reads what there is. @return False at the end of the output.
    bool take(std::string& output, std::string& errors);
    /// For at most a second.
    void waitForEnd();

    pid_t m_process;
    int m_input, m_output, m_errors;
    std::string m_awaited;    ///< Mark of a text that was broken off; empty: none.
    std::string m_dropped;    ///< End of what was dropped since.
    bool m_hasErrors = true;  ///< Its standard error is open.
    bool m_isReaped = false;
    int m_status = 0;
};

}  // namespace altiscope::capture
