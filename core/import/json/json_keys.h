#pragma once

#include "core/base/text/diagnostics.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Names of which none should come twice.
class NamesOnce {
public:
    void see(std::string_view name) { m_hashes.push_back(std::hash<std::string_view>{}(name)); }
    /// How many came before, and begins anew.
    std::uint64_t takeRepeated();

private:
    std::vector<std::size_t> m_hashes;
};

/// Keys that an object of a JSON text has a second time.
struct RepeatedKeys {
    std::uint64_t count = 0;
    std::size_t first = 0;  ///< Byte of its quote.
};
/// @param json  A value that was found to be JSON; of others it says anything. Escapes in keys are not resolved.
/// Cost: some 300 MB/s: for small files.
RepeatedKeys repeatedKeys(std::string_view json);

/// Reports them: "json.repeated_key", lost, as one of the values alone is read.
void reportRepeatedKeys(std::string_view json, std::string_view file, Diagnostics& diagnostics);

}  // namespace altiscope::reader
