#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace altiscope {

/// Eight bytes of text at once. In what the next two return the high bit of a byte is set where it matches; bytes
/// after the first match may be marked, too.
inline constexpr std::uint64_t kLowBitOfEach = 0x0101010101010101U, kHighBitOfEach = 0x8080808080808080U;

inline std::uint64_t bytesEqualTo(std::uint64_t eight, char c) {
    const std::uint64_t different = eight ^ (kLowBitOfEach * static_cast<unsigned char>(c));
    return (different - kLowBitOfEach) & ~different & kHighBitOfEach;
}
/// @param limit  At most 128.
inline std::uint64_t bytesBelow(std::uint64_t eight, unsigned char limit) {
    return (eight - kLowBitOfEach * limit) & ~eight & kHighBitOfEach;
}

/// How many bytes stand before the first one that matches; all of them if none does.
/// @param marks    Of eight bytes, by the functions above.
/// @param matches  Of one, the same.
template <class Marks, class Matches>
std::size_t bytesBefore(std::string_view text, const Marks& marks, const Matches& matches) {
    static constexpr std::size_t kAtOnce = sizeof(std::uint64_t);
    std::size_t at = 0;
    if constexpr (std::endian::native == std::endian::little) {
        const auto marksAt = [&](std::size_t place) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, text.data() + place, kAtOnce);
            return marks(eight);
        };
        const auto byteOf = [](std::uint64_t found) { return static_cast<std::size_t>(std::countr_zero(found)) / 8; };
        for (; at + kAtOnce <= text.size(); at += kAtOnce) {
            if (const std::uint64_t found = marksAt(at); found != 0) return at + byteOf(found);
        }
        // The last ones with some that were looked at before.
        if (at > 0 && at < text.size()) {
            const std::size_t last = text.size() - kAtOnce;
            const std::uint64_t found = marksAt(last);
            return found == 0 ? text.size() : last + byteOf(found);
        }
    }
    while (at < text.size() && !matches(text[at])) ++at;
    return at;
}

}  // namespace altiscope
