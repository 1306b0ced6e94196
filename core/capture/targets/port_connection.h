#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

class QProcess;

namespace altiscope::capture {

/// What came of waiting for the other end of a connection.
enum class PortEvent {
    Ready,
    Closed,  ///< By the other end, or it broke.
    Late,
    Cancelled,
};

/// A connection to a port of localhost on a target: by TCP on this machine, else through the connection of ssh, so that
/// the port need not be open to anybody. One thread.
class PortConnection {
public:
    /// @param timeout  Of all that happens on the connection together.
    /// @return Error "capture.daemon.unreachable", "capture.program.missing"; Cancelled within 100 ms. After ssh,
    ///         whether somebody listens turns out only when the connection is used.
    static Result<PortConnection> open(const RemoteShell& shell, int port, std::chrono::seconds timeout);
    ~PortConnection();
    PortConnection(PortConnection&& other) noexcept;
    PortConnection& operator=(PortConnection&&) = delete;
    PortConnection(const PortConnection&) = delete;
    PortConnection& operator=(const PortConnection&) = delete;

    /// Ready once all of it is on its way.
    PortEvent send(std::string_view bytes);
    /// Waits for some bytes and appends them.
    PortEvent receive(std::string& bytes);
    /// After it was closed: whether ssh could not connect to the port.
    bool isRefused() const;

private:
    PortConnection(int descriptor, const RemoteShell& shell, std::chrono::steady_clock::time_point deadline);
    PortEvent wait(short events) const;

    int m_descriptor;
    const RemoteShell* m_shell;
    std::chrono::steady_clock::time_point m_deadline;
    std::unique_ptr<QProcess> m_ssh;
};

}  // namespace altiscope::capture
