#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/port_connection.h"
#include "core/capture/targets/tls_identity.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct ssl_st;

namespace altiscope::capture {

/// TLS over a connection, with a certificate at both ends. One thread.
class TlsConnection {
public:
    /// @param connection  Outlives this.
    TlsConnection(const TlsIdentity& identity, PortConnection& connection);

    /// Nothing of the caller's is sent before this went well.
    /// @param names  The daemon's certificate is for one of these: host names or addresses.
    /// @return Error "capture.tls.daemon_expired", "capture.tls.daemon_unknown" (not from ca.crt),
    ///         "capture.tls.daemon_name", "capture.tls.daemon_revoked", "capture.tls.refused" (it does not take the
    ///         client's certificate), "capture.tls.failed"; "capture.tls.closed" if it closed the connection without a
    ///         byte, "capture.tls.none" if what it sent is no TLS, "capture.daemon.no_reply" if it came too late. All
    ///         without host and port.
    Result<Done> handshake(const std::vector<std::string>& names);
    PortEvent send(std::string_view bytes);
    /// Waits for some bytes and appends them. Closed also if the daemon refuses the certificate only now, as it may.
    PortEvent receive(std::string& bytes);
    /// Why the daemon has refused the certificate after the handshake; empty if it has not.
    const std::string& refusal() const { return m_refusal; }

private:
    template <class Step>
    PortEvent drive(const Step& step);
    Error handshakeError(PortEvent event) const;

    const TlsIdentity& m_identity;
    PortConnection& m_connection;
    std::unique_ptr<ssl_st, void (*)(ssl_st*)> m_ssl;
    bool m_hasReceived = false;
    std::string m_refusal, m_problem;
    bool m_isForeign = false;  ///< What was received is no TLS.
};

}  // namespace altiscope::capture
