#include "core/capture/session/secrets.h"

#include <algorithm>
#include <cctype>

namespace altiscope::capture {

namespace {

constexpr std::string_view kHidden = "***";

bool isNameLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }
bool isBlankLetter(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// Whether the last word of a name says that a secret follows: "DB_PASSWORD", "--api-key", "hf_token".
bool namesSecret(std::string_view name) {
    std::string plain(name);
    std::transform(plain.begin(), plain.end(), plain.begin(),
                   [](unsigned char c) { return c == '-' ? '_' : static_cast<char>(std::tolower(c)); });
    constexpr std::string_view kEnds[] = {"password",   "passwd",     "passphrase", "secret",       "api_key",
                                          "apikey",     "access_key", "secret_key", "access_token", "api_token",
                                          "auth_token", "hf_token",   "hub_token"};
    const std::string_view last(plain);
    return last == "token" || last == "pwd" || last.ends_with("_pwd") ||
           std::any_of(std::begin(kEnds), std::end(kEnds),
                       [last](std::string_view end) { return last.ends_with(end); });
}

/// Behind the value that begins at `at`: a word of the shell, quotes and all.
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
            const std::size_t end = std::min(text.find_first_of("/ \t\n", at + 3), text.size());
            const std::size_t host = text.substr(0, end).rfind('@'), colon = text.find(':', at + 3);
            if (host != std::string_view::npos && host > at && colon < host) {
                clean += std::string(text.substr(at, colon + 1 - at)) + std::string(kHidden);
                at = host;
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

}  // namespace altiscope::capture
