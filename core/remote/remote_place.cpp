#include "core/remote/remote_place.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace altiscope::remote {

namespace {

constexpr std::string_view kScheme = "ssh://";

std::optional<int> hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

/// RFC 3986, section 2.1. nullopt: a '%' that no two digits follow.
std::optional<std::string> percentDecoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        const auto high = i + 2 < text.size() ? hexDigit(text[i + 1]) : std::nullopt;
        const auto low = i + 2 < text.size() ? hexDigit(text[i + 2]) : std::nullopt;
        if (!high || !low) return std::nullopt;
        decoded += static_cast<char>(*high * 16 + *low);
        i += 2;
    }
    return decoded;
}

Error badAddress(std::string_view text) { return Error{"remote.bad_address", std::string(text), {}, {}}; }

/// A place, if the words can be one.
std::optional<RemotePlace> placeOf(std::string_view text, std::string_view host, std::string path) {
    auto target = capture::parseTarget(host);
    if (!target || target->isLocal || !target->runtime.empty()) return std::nullopt;
    return RemotePlace{std::string(text), std::move(*target), std::move(path)};
}

Result<std::optional<RemotePlace>> parseUrl(std::string_view text) {
    const std::string_view rest = text.substr(kScheme.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    auto path = percentDecoded(rest.substr(slash));
    if (!path || path->size() < 2 || path->find('\0') != std::string::npos) return badAddress(text);
    if (path->starts_with("/~/")) path->erase(0, 1);
    auto place = placeOf(text, rest.substr(0, slash), std::move(*path));
    if (!place) return badAddress(text);
    return place;
}

}  // namespace

Result<std::optional<RemotePlace>> parseRemotePlace(std::string_view text) {
    if (text.starts_with(kScheme)) return parseUrl(text);
    const std::size_t slash = std::min(text.find('/'), text.size());
    // A colon in brackets belongs to an address.
    const std::size_t open = text.find('['), close = text.find(']');
    const bool hasAddress = open < slash && close != text.npos && close < slash;
    const std::size_t colon = text.find(':', hasAddress ? close : 0);
    if (colon == text.npos || colon > slash || colon == 0) return std::optional<RemotePlace>();
    auto place = placeOf(text, text.substr(0, colon), std::string(text.substr(colon + 1)));
    if (!place) return std::optional<RemotePlace>();
    if (place->path.empty() || place->path.find('\0') != std::string::npos) return badAddress(text);
    return place;
}

Result<std::optional<RemotePlace>> remotePlaceOf(const std::string& text) {
    std::error_code error;
    const auto status = std::filesystem::symlink_status(text, error);
    if (status.type() != std::filesystem::file_type::not_found && status.type() != std::filesystem::file_type::none)
        return std::optional<RemotePlace>();
    return parseRemotePlace(text);
}

}  // namespace altiscope::remote
