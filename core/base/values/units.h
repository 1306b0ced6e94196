#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

/// A unit in which people write an amount: in filters and in gates the same ones.
struct AmountUnit {
    enum class Kind : std::uint8_t { Time, Bytes };
    std::string_view name;
    Kind kind;
    std::int64_t size;  ///< In ns or bytes.
};

/// "ns", "us", "µs" (in both ways in which Unicode writes it), "ms", "s", "min", "h"; "B", "kB" and "KB", "MB", "GB",
/// "TB" (powers of ten), "KiB", "MiB", "GiB", "TiB". Upper and lower case differ.
/// @return Nullopt for any other text.
std::optional<AmountUnit> amountUnit(std::string_view name);

}  // namespace altiscope
