#include "core/import/json/json_keys.h"

#include "core/import/json/json_tokens.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace altiscope::reader {

namespace {

/// Past the quote that closes a string.
std::size_t endOfString(std::string_view json, std::size_t quote) {
    std::size_t at = quote + 1;
    while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
    return std::min(json.size(), at + 1);
}

}  // namespace

void KeysOnce::close() {
    if (m_objects.empty()) return;
    const auto begin = m_keys.begin() + static_cast<std::ptrdiff_t>(m_objects.back());
    std::sort(begin, m_keys.end(),
              [](const Key& a, const Key& b) { return std::tie(a.hash, a.offset) < std::tie(b.hash, b.offset); });
    for (auto key = begin; key != m_keys.end(); ++key) {
        if (key == begin || (key - 1)->hash != key->hash) continue;
        m_repeated.first = m_repeated.count++ == 0 ? key->offset : std::min(m_repeated.first, key->offset);
    }
    m_keys.erase(begin, m_keys.end());
    m_objects.pop_back();
}

RepeatedKeys repeatedKeys(std::string_view json) {
    KeysOnce keys;
    for (std::size_t at = 0; at < json.size();) {
        const char c = json[at];
        if (c == '"') {
            const std::size_t end = endOfString(json, at);
            std::size_t next = end;
            while (next < json.size() && isJsonBlank(json[next])) ++next;
            if (next < json.size() && json[next] == ':') keys.see(json.substr(at, end - at), at);
            at = end;
            continue;
        }
        if (c == '{') keys.open();
        if (c == '}') keys.close();
        ++at;
    }
    return keys.repeated();
}

void reportRepeatedKeys(std::string_view json, std::string_view file, Diagnostics& diagnostics) {
    const RepeatedKeys repeated = repeatedKeys(json);
    if (repeated.count > 0)
        diagnostics.add("json.repeated_key", Severity::Lost, file, {PlaceUnit::Byte, repeated.first}, {},
                        repeated.count);
}

}  // namespace altiscope::reader
