#include "core/capture/targets/tls_connection.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>

namespace altiscope::capture {

namespace {

using PeerHandle = std::unique_ptr<X509, decltype(&X509_free)>;

/// Who a certificate is for, for people.
std::string certificateNames(X509* certificate) {
    std::string names;
    const auto add = [&names](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
    auto* alternatives =
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
    for (int i = 0; i < sk_GENERAL_NAME_num(alternatives); ++i) {
        const GENERAL_NAME* name = sk_GENERAL_NAME_value(alternatives, i);
        if (name->type == GEN_DNS)
            add({reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName)),
                 static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName))});
        if (name->type != GEN_IPADD) continue;
        if (char* address = i2s_ASN1_OCTET_STRING(nullptr, name->d.iPAddress); address != nullptr) {
            add("IP " + std::string(address));
            OPENSSL_free(address);
        }
    }
    GENERAL_NAMES_free(alternatives);
    std::array<char, 256> common{};
    if (names.empty() && X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, common.data(),
                                                   static_cast<int>(common.size())) > 0)
        add(common.data());
    return names;
}

bool isFor(X509* certificate, const std::string& name) {
    return X509_check_host(certificate, name.data(), name.size(), 0, nullptr) == 1 ||
           X509_check_ip_asc(certificate, name.c_str(), 0) == 1;
}

/// Alerts that speak of the client's certificate, RFC 8446, 6.2: bad_certificate to certificate_unknown, unknown_ca,
/// access_denied, certificate_required; and handshake_failure, which older servers send where they got none.
bool isClientAlert(int alert) {
    return (alert >= 42 && alert <= 46) || alert == 48 || alert == 49 || alert == 116 || alert == 40;
}

}  // namespace

TlsConnection::TlsConnection(const TlsIdentity& identity, PortConnection& connection)
    : m_identity(identity), m_connection(connection), m_ssl(SSL_new(identity.context()), &SSL_free) {
    SSL_set_bio(m_ssl.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(m_ssl.get());
}

template <class Step>
PortEvent TlsConnection::drive(const Step& step) {
    SSL* ssl = m_ssl.get();
    while (true) {
        ERR_clear_error();
        const int done = step();
        const int wanted = done > 0 ? SSL_ERROR_NONE : SSL_get_error(ssl, done);
        const unsigned long problem = ERR_peek_last_error();
        char* bytes = nullptr;
        if (const long size = BIO_get_mem_data(SSL_get_wbio(ssl), &bytes); size > 0) {
            const PortEvent sent = m_connection.send({bytes, static_cast<std::size_t>(size)});
            BIO_reset(SSL_get_wbio(ssl));
            // What it had to say before it closed is worth more.
            if (sent != PortEvent::Ready && sent != PortEvent::Closed) return sent;
        }
        if (wanted == SSL_ERROR_NONE) return PortEvent::Ready;
        if (wanted != SSL_ERROR_WANT_READ) {
            const int reason = ERR_GET_REASON(problem);
            const char* text = ERR_reason_error_string(problem);
            m_problem = text != nullptr ? text : "";
            if (ERR_GET_LIB(problem) == ERR_LIB_SSL) {
                if (reason > SSL_AD_REASON_OFFSET && isClientAlert(reason - SSL_AD_REASON_OFFSET))
                    m_refusal = m_problem;
                m_isForeign = reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_PACKET_LENGTH_TOO_LONG ||
                              reason == SSL_R_HTTP_REQUEST;
            }
            return PortEvent::Closed;
        }
        std::string received;
        const PortEvent event = m_connection.receive(received);
        if (event != PortEvent::Ready) return event;
        m_hasReceived = true;
        BIO_write(SSL_get_rbio(ssl), received.data(), static_cast<int>(received.size()));
    }
}

Error TlsConnection::handshakeError(PortEvent event) const {
    const auto problem = [](const char* code, MessageParameters parameters = {}) {
        return Error{code, {}, {}, std::move(parameters)};
    };
    if (event == PortEvent::Late) return problem("capture.daemon.no_reply");
    if (!m_hasReceived) return problem("capture.tls.closed");
    if (m_isForeign) return problem("capture.tls.none");
    if (!m_refusal.empty()) return problem("capture.tls.refused", {{"reason", m_refusal}});
    const long verified = SSL_get_verify_result(m_ssl.get());
    if (verified == X509_V_OK)
        return problem("capture.tls.failed", {{"reason", m_problem.empty() ? "closed" : m_problem}});
    const std::string reason = X509_verify_cert_error_string(verified);
    const bool isExpired = verified == X509_V_ERR_CERT_HAS_EXPIRED || verified == X509_V_ERR_CERT_NOT_YET_VALID;
    return problem(isExpired ? "capture.tls.daemon_expired" : "capture.tls.daemon_unknown", {{"reason", reason}});
}

Result<Done> TlsConnection::handshake(const std::vector<std::string>& names) {
    SSL* ssl = m_ssl.get();
    const PortEvent event = drive([ssl] { return SSL_do_handshake(ssl); });
    if (event == PortEvent::Cancelled) return Cancelled{};
    if (event != PortEvent::Ready) return handshakeError(event);
    const PeerHandle peer(SSL_get1_peer_certificate(ssl), &X509_free);
    if (!peer) return Error{"capture.tls.failed", {}, {}, {{"reason", "no certificate"}}};
    if (m_identity.hasRevoked(peer.get())) return Error{"capture.tls.daemon_revoked", {}, {}, {}};
    if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return isFor(peer.get(), name); })) {
        std::string wanted;
        for (const std::string& name : names) wanted += (wanted.empty() ? "" : ", ") + name;
        return Error{"capture.tls.daemon_name", {}, {}, {{"names", certificateNames(peer.get())}, {"wanted", wanted}}};
    }
    return Done{};
}

PortEvent TlsConnection::send(std::string_view bytes) {
    SSL* ssl = m_ssl.get();
    return drive([&] { return SSL_write(ssl, bytes.data(), static_cast<int>(bytes.size())); });
}

PortEvent TlsConnection::receive(std::string& bytes) {
    std::array<char, 4096> buffer;
    int got = 0;
    SSL* ssl = m_ssl.get();
    const PortEvent event = drive([&] { return got = SSL_read(ssl, buffer.data(), static_cast<int>(buffer.size())); });
    if (event == PortEvent::Ready) bytes.append(buffer.data(), static_cast<std::size_t>(got));
    return event;
}

}  // namespace altiscope::capture
