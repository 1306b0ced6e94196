#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"
#include "core/capture/targets/tls_identity.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// What the daemon of msMonitor has replied: the members of its JSON object, as text.
using DaemonReply = std::map<std::string, std::string, std::less<>>;

/// How a daemon is spoken to.
struct DaemonAccess {
    int port = 0;
    std::optional<TlsIdentity> identity;  ///< None: the daemon was started with NO_CERTS.
    /// In the daemon's certificate; empty: localhost, as ssh reaches it, or the target's host.
    std::string serverName;
};

/// Sends the daemon on a target one request and takes its reply. On this machine by TCP to the port on localhost, else
/// through the connection of ssh, so that the port need not be open to anybody.
///
/// Framing, both ways: the length as four bytes of the target's order (little endian on all machines that have NPUs),
/// then so many bytes of JSON; at most 8191 to the daemon. One request per connection; what the daemon does not
/// understand it closes without a reply. Source: msmonitor `dynolog/src/rpc/SimpleJsonServer.cpp`.
///
/// @return Error "capture.daemon.unreachable", "capture.daemon.no_reply", "capture.daemon.bad_reply",
///         "capture.daemon.too_long", "capture.daemon.certificates" (it takes TLS with a client's certificate only, and
///         there is none), "capture.tls.none" (the other way round), "capture.tls.*" as TlsConnection::handshake,
///         "capture.daemon.no_tunnel" (a container behind nothing that could reach it), "capture.ssh.*"; Cancelled
///         within 100 ms.
Result<DaemonReply> callDaemon(const RemoteShell& shell, const DaemonAccess& access, std::string_view request);

/// What a daemon says about its jobs.
struct DaemonStatus {
    std::string trace, monitor;     ///< "Uninitialized", "Idle", "Ready", "Running", ...; empty: an old daemon.
    std::string step, start, stop;  ///< Numbers as text; empty: not stated.
};
/// @return Error as callDaemon.
Result<DaemonStatus> daemonStatus(const RemoteShell& shell, const DaemonAccess& access);

/// What a daemon says of a request that it has accepted.
struct AcceptedRequest {
    bool isBusy = false;                  ///< A former request has not been picked up yet.
    std::vector<std::int64_t> processes;  ///< That it goes to, by their own numbers.
};

/// Sends a request that makes jobs record.
/// @return Error "capture.daemon.no_job" (nothing has registered),
///         "capture.daemon.other_runs", "capture.daemon.no_match", "capture.daemon.old_plugin",
///         "capture.daemon.refused", or as callDaemon.
Result<AcceptedRequest> requestRecording(const RemoteShell& shell, const DaemonAccess& access,
                                         std::string_view request);

}  // namespace altiscope::capture
