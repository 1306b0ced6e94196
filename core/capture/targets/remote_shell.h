#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/capture/targets/target.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

class ShellSession;

/// Whether the caller has cancelled: what a CancelToken of the window or of a signal says, and deadlines, as one
/// function. Polled every 50 ms, so it must be cheap.
using CancelCheck = std::function<bool()>;

/// The program that OpenSSH starts to ask the user for something, and where that program finds whoever shows the
/// question. Neither is a secret. Empty: the terminal, or what the environment says.
struct Askpass {
    std::string program;  ///< Absolute.
    std::string socket;   ///< In ALTISCOPE_ASKPASS of that program.
    /// Whether a question waits for the user right now; any thread, polled as CancelCheck. May be empty.
    std::function<bool()> isPrompting = {};
};

/// What bounds one script.
struct ShellLimits {
    std::size_t maxBytes = std::size_t{16} << 20;  ///< Of output.
    std::chrono::seconds timeout{60};
    /// While it says so the time stands still; polled as CancelCheck. May be empty.
    std::function<bool()> isPaused = {};
};

/// What a script said.
struct ShellReply {
    int status = 0;      ///< Of the script.
    std::string output;  ///< Byte for byte, without what a login shell said before.
    std::string errors;  ///< Its standard error, at most 64 KiB.
};

/// Runs fixed scripts of ours on a target, with values as arguments. No value becomes part of a command line or of a
/// script's text: /bin/sh reads both from its standard input, values as quoted words. This machine and a host behind
/// ssh differ only in the words that start that shell. One thread per object.
///
/// A target that is not this machine itself has one shell that stays: a process for each, which scripts are sent to in
/// order. While one that was broken off still runs there after half a second, or three times what the last one took, at
/// most five seconds, others go through the same connection beside it.
///
/// ssh is the user's own, with the user's configuration, agent and known hosts. Host keys are never checked less than
/// `StrictHostKeyChecking=ask` would; without a terminal, SSH_ASKPASS or `askpass` nothing prompts. One connection
/// serves all calls of an object and ends with it; few connections are begun at the same time.
class RemoteShell {
public:
    /// Contacts nobody yet.
    /// @return Error "capture.ssh.missing", or "capture.ssh.no_known_hosts" where the user's configuration keeps
    ///         no host keys (UserKnownHostsFile /dev/null).
    static Result<RemoteShell> open(const Target& target, CancelCheck cancelCheck, const Askpass& askpass = {});
    ~RemoteShell();
    RemoteShell(RemoteShell&& other) noexcept;
    RemoteShell& operator=(RemoteShell&&) = delete;
    RemoteShell(const RemoteShell&) = delete;
    RemoteShell& operator=(const RemoteShell&) = delete;

    /// @param script     Reads its arguments as "$1", ...; its own standard input is empty.
    /// @param arguments  Any text without zero bytes.
    /// @param limits     Of these the time stands still also while the user is asked something.
    /// @return The reply whatever the script's status; Error "capture.ssh.*" if the target could not be reached,
    ///         "capture.remote.too_much", "capture.remote.timeout", "capture.remote.no_reply" if it answered otherwise.
    Result<ShellReply> run(std::string_view script, std::span<const std::string> arguments,
                           const ShellLimits& limits = {}) const;

    /// Words that start another program of OpenSSH with the same connection, for rsync's -e; empty for this machine.
    /// They lead to the host, also of a target that is a container there.
    const std::vector<std::string>& sshWords() const { return m_sshWords; }
    const Target& target() const { return m_target; }
    const CancelCheck& cancelCheck() const { return m_cancelCheck; }
    /// Begins what the destructor waits for, so that several can end at the same time. No call may follow.
    void beginClose() const;
    /// From the next call on; the connection stays.
    void setCancelCheck(CancelCheck cancelCheck) { m_cancelCheck = std::move(cancelCheck); }

private:
    RemoteShell(Target target, CancelCheck cancelCheck);

    /// Words that start a shell on the target.
    std::vector<std::string> shellWords(bool isShared) const;
    Result<ShellReply> runInSession(const std::string& text, const std::string& mark, const ShellLimits& limits) const;
    /// Of what a shell wrote until it ended, or until the mark.
    Result<ShellReply> replyOf(const std::string& output, std::string errors, int status,
                               const std::string& mark) const;

    Target m_target;
    CancelCheck m_cancelCheck;
    std::vector<std::string> m_sshWords;
    std::function<bool()> m_isPrompting;
    std::string m_controlPath;  ///< Of the shared connection; empty: there is none.
    mutable std::unique_ptr<ShellSession> m_session;
    mutable std::chrono::milliseconds m_lastTook{0};  ///< The last script in the session.
};

/// NUL-terminated "key=value" records of a reply, the last of a repeated key. What is none is left out.
std::map<std::string, std::string, std::less<>> replyRecords(std::string_view output);

}  // namespace altiscope::capture
