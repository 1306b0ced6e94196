#pragma once

#include "core/base/values/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

struct ssl_ctx_st;
struct X509_crl_st;
struct x509_st;

namespace altiscope::capture {

/// Writes the password of a key into a buffer, as promptPassword(). @param prompt  Names the key.
using PasswordSource = std::function<Result<std::size_t>(const std::string& prompt, std::span<char> answer)>;

/// What a client of the daemon shows, and by what it knows the daemon: a folder as `dyno --certs-dir` takes it, with
/// ca.crt, client.crt, client.key and perhaps ca.crl, all PEM. Copies share what was read; any thread once it is there.
/// Source: msmonitor `dynolog_npu/cli/src/main.rs`. Left to the daemon, whose own checks are the stricter ones: which
/// usages a certificate names, and how long its key is.
class TlsIdentity {
public:
    /// Reads the folder and requests the password of the key if it is encrypted.
    /// @return Error "capture.tls.missing", "capture.tls.unreadable", "capture.tls.key_open" (others can read the key),
    ///         "capture.tls.no_password" (nobody gave one), "capture.tls.wrong_password", "capture.tls.key_mismatch",
    ///         "capture.tls.expired", "capture.tls.not_yet", "capture.tls.revoked", "capture.tls.list_expired"; each
    ///         with its file.
    static Result<TlsIdentity> load(const std::filesystem::path& folder, const PasswordSource& passwords);

    ssl_ctx_st* context() const { return m_context.get(); }
    /// Whether the list of revoked certificates has that one.
    bool hasRevoked(x509_st* certificate) const;

private:
    TlsIdentity() = default;

    std::shared_ptr<ssl_ctx_st> m_context;
    std::shared_ptr<X509_crl_st> m_revoked;  ///< Null: there is no list.
};

/// "2027-01-31 12:00:00 UTC".
std::string tlsTimeText(const void* asn1Time);

}  // namespace altiscope::capture
