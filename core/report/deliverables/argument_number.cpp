#include "core/report/deliverables/argument_number.h"

#include "core/base/text/json_escape.h"
#include "core/base/text/json_text.h"
#include "core/base/values/parse.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <system_error>

#include <string.h>

namespace altiscope {

namespace {

/// The bytes of a text up to its closing quote; the whole rest where there is none.
std::size_t textLength(std::string_view rest) {
    std::size_t at = 0;
    for (;;) {
        at += plainJsonBytes(rest.substr(at));
        if (at >= rest.size() || rest[at] == '"') return std::min(at, rest.size());
        at += rest[at] == '\\' ? 2 : 1;
        if (at > rest.size()) return rest.size();
    }
}

}  // namespace

bool ArgumentMembers::next() {
    // In front of each member is the bracket or a comma.
    if (m_rest.size() < 2 || (m_rest[0] != '{' && m_rest[0] != ',') || m_rest[1] != '"') return false;
    m_rest.remove_prefix(2);
    m_key = m_rest.substr(0, textLength(m_rest));
    m_rest.remove_prefix(m_key.size());
    if (!m_rest.starts_with("\":")) return false;
    m_rest.remove_prefix(2);
    m_isText = m_rest.starts_with('"');
    if (m_isText) m_rest.remove_prefix(1);
    m_value = m_rest.substr(0, m_isText ? textLength(m_rest) : m_rest.find_first_of(",}[{"));
    m_rest.remove_prefix(m_value.size());
    if (!m_isText) return !m_value.empty();
    if (m_rest.empty()) return false;
    m_rest.remove_prefix(1);
    return true;
}

std::optional<std::int64_t> ArgumentMembers::number() const {
    if (m_isText) return std::nullopt;
    if (const auto small = wholeNumber<std::int64_t>(m_value)) return small;
    const auto large = wholeNumber<std::uint64_t>(m_value);
    return large ? std::optional(static_cast<std::int64_t>(*large)) : std::nullopt;
}

std::string plainArgument(std::string_view value) {
    if (value.find('\\') == std::string_view::npos) return std::string(value);
    const auto text = parseJson('"' + std::string(value) + '"');
    return text.is_string() ? text.get<std::string>() : std::string();
}

std::optional<std::int64_t> numberInArguments(std::string_view json, std::string_view key) {
    // A quote within a text has a backslash before it, so that what stands in quotes before a colon is a key.
    while (!json.empty()) {
        const void* found = ::memmem(json.data(), json.size(), key.data(), key.size());
        if (found == nullptr) return std::nullopt;
        const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - json.data());
        const bool isAfterQuote = at > 0 && json[at - 1] == '"';
        json.remove_prefix(at + key.size());
        if (!isAfterQuote || !json.starts_with("\":")) continue;
        json.remove_prefix(2);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), value);
        return error == std::errc() ? std::optional(value) : std::nullopt;
    }
    return std::nullopt;
}

void addSpacedJson(TextBuffer& out, std::string_view json) {
    char between[64];  // texts: with the quotes around it
    std::size_t size = 0;
    while (!json.empty()) {
        const char c = json.front();
        json.remove_prefix(1);
        between[size++] = c;
        if (c == ',' || c == ':') between[size++] = ' ';
        if (c != '"' && size + 2 <= sizeof between) continue;
        out.add({between, size});
        size = 0;
        if (c != '"') continue;
        // Nearly all of a JSON is within its texts.
        const std::size_t text = std::min(json.size(), textLength(json) + 1);
        out.add(json.substr(0, text));
        json.remove_prefix(text);
    }
    out.add({between, size});
}

}  // namespace altiscope
