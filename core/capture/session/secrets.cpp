#include "core/capture/session/secrets.h"

#include "core/base/text/ascii.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace altiscope::capture {

namespace {

constexpr std::string_view kHidden = "***";

bool isNameLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }
bool isBlankLetter(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// Whether the last word of a name says that a secret follows: "DB_PASSWORD", "--api-key", "hf_token". Most names
/// that end in "token" do not ("--pad-token").
bool namesSecret(std::string_view name) {
    name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
    std::string plain = asciiLower(name);
    std::replace(plain.begin(), plain.end(), '-', '_');
    constexpr std::string_view kEnds[] = {"password",   "passwd",     "passphrase", "secret",       "api_key",
                                          "apikey",     "access_key", "secret_key", "access_token", "api_token",
                                          "auth_token", "hf_token",   "hub_token"};
    return plain == "token" || plain == "pwd" || plain.ends_with("_pwd") ||
           std::any_of(std::begin(kEnds), std::end(kEnds),
                       [&plain](std::string_view end) { return plain.ends_with(end); });
}

/// After the value that begins at `at`: a word of the shell, quotes and all.
std::size_t afterWord(std::string_view text, std::size_t at) {
    while (at < text.size() && !isBlankLetter(text[at]) &&
           std::string_view(";&|").find(text[at]) == std::string_view::npos) {
        const char c = text[at];
        if (c == '\\') ++at;
        if (c == '"' || c == '\'') at = std::min(text.find(c, at + 1), text.size());
        ++at;
    }
    return std::min(at, text.size());
}

}  // namespace

std::string withoutSecrets(std::string_view text) {
    std::string clean;
    for (std::size_t at = 0; at < text.size();) {
        if (text.substr(at).starts_with("://")) {
            const std::size_t begin = at + 3, end = std::min(text.find_first_of("/ \t\n", begin), text.size());
            const std::string_view authority = text.substr(begin, end - begin);
            const std::size_t host = authority.rfind('@'), colon = authority.find(':');
            if (host != std::string_view::npos && colon < host) {
                clean += std::string(text.substr(at, begin + colon + 1 - at)) + std::string(kHidden);
                at = begin + host;
                continue;
            }
        }
        if (!isNameLetter(text[at])) {
            clean += text[at++];
            continue;
        }
        const std::size_t begin = at;
        while (at < text.size() && isNameLetter(text[at])) ++at;
        const std::string_view name = text.substr(begin, at - begin);
        clean += name;
        if (!namesSecret(name)) continue;
        std::size_t value = at;
        const bool isAssigned = value < text.size() && (text[value] == '=' || text[value] == ':');
        if (isAssigned) ++value;
        // "--password VALUE", "password: VALUE"; another option is no value.
        const bool mayFollow = name.starts_with("--") || (isAssigned && text[value - 1] == ':');
        while (mayFollow && value < text.size() && isBlankLetter(text[value])) ++value;
        const std::size_t end = afterWord(text, value);
        const bool hasValue = end > value && (isAssigned || (mayFollow && value > at && text[value] != '-'));
        if (!hasValue) continue;
        clean += std::string(text.substr(at, value - at)) + std::string(kHidden);
        at = end;
    }
    return clean;
}

bool lacksSecret(std::string_view text) {
    if (text.find(kHidden) == std::string_view::npos) return false;
    // Elsewhere the stars are the user's own: a pattern of the shell.
    std::string filled(text);
    for (std::size_t at = 0; (at = filled.find(kHidden, at)) != std::string::npos;)
        filled.replace(at, kHidden.size(), "x");
    return withoutSecrets(filled) != filled;
}

}  // namespace altiscope::capture
