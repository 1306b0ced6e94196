#include "core/store/columns/segment.h"

#include <xxhash.h>

#include <string_view>

namespace altiscope {

FlowKey makeFlowKey(std::string_view idText) {
    // 2^126 has 38 digits; with at most 37 the number cannot pass it. A leading zero or sign makes another text, so
    // hash it.
    static constexpr std::size_t kMaxDigits = 37;
    const bool plain = !idText.empty() && idText.size() <= kMaxDigits &&
                       (idText.front() != '0' || idText.size() == 1) &&
                       idText.find_first_not_of("0123456789") == std::string_view::npos;
    if (plain) {
        if (idText.size() <= 19) {
            std::uint64_t low = 0;
            for (const char c : idText) low = low * 10 + static_cast<std::uint64_t>(c - '0');
            return {0, low};
        }
        __extension__ using Wide = unsigned __int128;
        Wide value = 0;
        for (const char c : idText) value = value * 10 + static_cast<unsigned>(c - '0');
        return {static_cast<std::uint64_t>(value >> 64), static_cast<std::uint64_t>(value)};
    }
    const XXH128_hash_t hash = XXH3_128bits(idText.data(), idText.size());
    return {hash.high64 | (std::uint64_t{1} << 63), hash.low64};
}

}  // namespace altiscope
