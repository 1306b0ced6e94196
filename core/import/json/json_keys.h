#pragma once

#include "core/base/text/diagnostics.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Keys that an object of a JSON text has a second time.
struct RepeatedKeys {
    std::uint64_t count = 0;
    std::uint64_t first = 0;  ///< Byte of its quote.
};

/// Finds them while somebody else reads the text, by hashes.
class KeysOnce {
public:
    void open() { m_objects.push_back(m_keys.size()); }
    /// A key of the innermost object that is open, without escapes. @param offset  For RepeatedKeys::first.
    void see(std::string_view key, std::uint64_t offset = 0) {
        m_keys.push_back({std::hash<std::string_view>{}(key), offset});
    }
    /// The innermost object ends; nothing if none is open.
    void close();
    const RepeatedKeys& repeated() const { return m_repeated; }

private:
    struct Key {
        std::size_t hash;
        std::uint64_t offset;
    };
    std::vector<Key> m_keys;             // of the objects that are open
    std::vector<std::size_t> m_objects;  // of each of them, its first there
    RepeatedKeys m_repeated;
};

/// @param json  A value that was found to be JSON; of others it says anything. Escapes in keys are not resolved.
/// Cost: some 300 MB/s: for small files.
RepeatedKeys repeatedKeys(std::string_view json);

/// Reports them: "json.repeated_key", lost, as one of the values alone is read.
void reportRepeatedKeys(std::string_view json, std::string_view file, Diagnostics& diagnostics);

}  // namespace altiscope::reader
