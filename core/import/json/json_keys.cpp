#include "core/import/json/json_keys.h"

#include "core/import/json/json_tokens.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace altiscope::reader {

namespace {

struct KeyOfObject {
    std::size_t hash, offset;
};

/// Past the quote that closes a string.
std::size_t endOfString(std::string_view json, std::size_t quote) {
    std::size_t at = quote + 1;
    while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
    return std::min(json.size(), at + 1);
}

void closeObject(std::vector<KeyOfObject>& keys, std::size_t first, RepeatedKeys& repeated) {
    const auto begin = keys.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, keys.end(), [](const KeyOfObject& a, const KeyOfObject& b) {
        return std::tie(a.hash, a.offset) < std::tie(b.hash, b.offset);
    });
    for (auto key = begin; key != keys.end(); ++key) {
        if (key == begin || (key - 1)->hash != key->hash) continue;
        repeated.first = repeated.count++ == 0 ? key->offset : std::min(repeated.first, key->offset);
    }
    keys.erase(begin, keys.end());
}

}  // namespace

std::uint64_t NamesOnce::takeRepeated() {
    std::sort(m_hashes.begin(), m_hashes.end());
    const auto once = std::unique(m_hashes.begin(), m_hashes.end());
    const auto repeated = static_cast<std::uint64_t>(m_hashes.end() - once);
    m_hashes.clear();
    return repeated;
}

RepeatedKeys repeatedKeys(std::string_view json) {
    RepeatedKeys repeated;
    std::vector<KeyOfObject> keys;     // of the objects that are open
    std::vector<std::size_t> objects;  // of each of them, its first there
    for (std::size_t at = 0; at < json.size();) {
        const char c = json[at];
        if (c == '"') {
            const std::size_t end = endOfString(json, at);
            std::size_t next = end;
            while (next < json.size() && isJsonBlank(json[next])) ++next;
            if (next < json.size() && json[next] == ':')
                keys.push_back({std::hash<std::string_view>{}(json.substr(at, end - at)), at});
            at = end;
            continue;
        }
        if (c == '{') objects.push_back(keys.size());
        if (c == '}' && !objects.empty()) {
            closeObject(keys, objects.back(), repeated);
            objects.pop_back();
        }
        ++at;
    }
    return repeated;
}

void reportRepeatedKeys(std::string_view json, std::string_view file, Diagnostics& diagnostics) {
    const RepeatedKeys repeated = repeatedKeys(json);
    if (repeated.count > 0)
        diagnostics.add("json.repeated_key", Severity::Lost, file, {PlaceUnit::Byte, repeated.first}, {},
                        repeated.count);
}

}  // namespace altiscope::reader
