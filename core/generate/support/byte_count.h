#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope::generate {

/// A number of bytes, at least 1, or with the suffix k, M, G or T in powers of 1000; nullopt for anything else, and
/// above 10^15 bytes.
std::optional<std::uint64_t> byteCount(std::string_view text);

}  // namespace altiscope::generate
