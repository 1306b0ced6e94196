#include "core/capture/targets/tls_identity.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <optional>

#include <sys/stat.h>

namespace altiscope::capture {

namespace {

using BioHandle = std::unique_ptr<BIO, decltype(&BIO_free)>;
using CertificateHandle = std::unique_ptr<X509, decltype(&X509_free)>;

Error tlsFileError(const char* code, const std::filesystem::path& file, MessageParameters parameters = {}) {
    return Error{code, file.string(), {}, std::move(parameters)};
}

BioHandle readerOf(const std::filesystem::path& file) { return BioHandle(BIO_new_file(file.c_str(), "r"), &BIO_free); }

/// Nothing but a key without a password is read where one that needs it would be requested on the terminal.
int noPassword(char*, int, int, void*) { return -1; }

/// Of a certificate that is not valid at this moment.
std::optional<Error> outOfTime(const X509* certificate, const std::filesystem::path& file) {
    if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0) {
        return tlsFileError("capture.tls.not_yet", file, {{"time", tlsTimeText(X509_get0_notBefore(certificate))}});
    }
    if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0)
        return tlsFileError("capture.tls.expired", file, {{"time", tlsTimeText(X509_get0_notAfter(certificate))}});
    return std::nullopt;
}

/// Whom the daemon's certificate must come from.
std::optional<Error> takeRoots(SSL_CTX* context, const std::filesystem::path& file) {
    const BioHandle reader = readerOf(file);
    int count = 0;
    while (true) {
        const CertificateHandle root(PEM_read_bio_X509(reader.get(), nullptr, &noPassword, nullptr), &X509_free);
        if (!root) break;
        if (auto problem = outOfTime(root.get(), file)) return problem;
        if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), root.get()) != 1) break;
        ++count;
    }
    ERR_clear_error();
    if (count == 0) return tlsFileError("capture.tls.unreadable", file);
    return std::nullopt;
}

struct PasswordRequest {
    const PasswordSource& source;
    std::string prompt;
    bool isMade = false, isMissing = false, isCancelled = false;
};

/// @return Length of the password; -1 if there is none. OpenSSL wipes the buffer.
int givePassword(char* buffer, int size, int, void* data) {
    auto& request = *static_cast<PasswordRequest*>(data);
    request.isMade = true;
    const auto given = request.source ? request.source(request.prompt, {buffer, static_cast<std::size_t>(size)})
                                      : Result<std::size_t>(std::size_t{0});
    request.isCancelled = given.cancelled();
    request.isMissing = !given.ok() || given.value() == 0;
    return request.isMissing ? -1 : static_cast<int>(given.value());
}

Result<Done> takeKey(SSL_CTX* context, const std::filesystem::path& file, const PasswordSource& passwords) {
    struct stat status {};
    if (::stat(file.c_str(), &status) == 0 && (status.st_mode & 077) != 0)
        return tlsFileError("capture.tls.key_open", file);
    PasswordRequest request{passwords, "Password of the key " + file.string() + ": "};
    const BioHandle reader = readerOf(file);
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
        PEM_read_bio_PrivateKey(reader.get(), nullptr, &givePassword, &request), &EVP_PKEY_free);
    ERR_clear_error();
    if (request.isCancelled) return Cancelled{};
    if (!key && request.isMissing) return tlsFileError("capture.tls.no_password", file);
    if (!key && request.isMade) return tlsFileError("capture.tls.wrong_password", file);
    if (!key) return tlsFileError("capture.tls.unreadable", file);
    const bool fits = SSL_CTX_use_PrivateKey(context, key.get()) == 1 && SSL_CTX_check_private_key(context) == 1;
    ERR_clear_error();
    if (!fits) return tlsFileError("capture.tls.key_mismatch", file);
    return Done{};
}

}  // namespace

std::string tlsTimeText(const void* asn1Time) {
    std::tm time{};
    std::array<char, 40> text{};
    if (ASN1_TIME_to_tm(static_cast<const ASN1_TIME*>(asn1Time), &time) != 1) return "?";
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &time);
    return {text.data(), size};
}

Result<TlsIdentity> TlsIdentity::load(const std::filesystem::path& folder, const PasswordSource& passwords) {
    const std::filesystem::path roots = folder / "ca.crt", own = folder / "client.crt", key = folder / "client.key",
                                revoked = folder / "ca.crl";
    for (const auto& file : {roots, own, key}) {
        if (!readerOf(file)) {
            ERR_clear_error();
            return tlsFileError("capture.tls.missing", file);
        }
    }
    TlsIdentity identity;
    identity.m_context.reset(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
    SSL_CTX* context = identity.context();
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_default_passwd_cb(context, &noPassword);
    if (auto problem = takeRoots(context, roots)) return *problem;
    if (SSL_CTX_use_certificate_chain_file(context, own.c_str()) != 1) {
        ERR_clear_error();
        return tlsFileError("capture.tls.unreadable", own);
    }
    X509* certificate = SSL_CTX_get0_certificate(context);
    if (auto problem = outOfTime(certificate, own)) return *problem;
    if (std::error_code error; std::filesystem::exists(revoked, error)) {
        const BioHandle reader = readerOf(revoked);
        identity.m_revoked.reset(reader ? PEM_read_bio_X509_CRL(reader.get(), nullptr, &noPassword, nullptr) : nullptr,
                                 &X509_CRL_free);
        ERR_clear_error();
        if (!identity.m_revoked) return tlsFileError("capture.tls.unreadable", revoked);
        const ASN1_TIME* next = X509_CRL_get0_nextUpdate(identity.m_revoked.get());
        if (next != nullptr && X509_cmp_current_time(next) < 0)
            return tlsFileError("capture.tls.list_expired", revoked, {{"time", tlsTimeText(next)}});
        if (identity.hasRevoked(certificate)) return tlsFileError("capture.tls.revoked", own);
    }
    if (auto done = takeKey(context, key, passwords); !done.ok()) return done.as<TlsIdentity>();
    return identity;
}

bool TlsIdentity::hasRevoked(x509_st* certificate) const {
    X509_REVOKED* entry = nullptr;
    // A list of another issuer says nothing about it.
    return m_revoked && X509_NAME_cmp(X509_CRL_get_issuer(m_revoked.get()), X509_get_issuer_name(certificate)) == 0 &&
           X509_CRL_get0_by_cert(m_revoked.get(), &entry, certificate) == 1;
}

}  // namespace altiscope::capture
