#include "core/generate/support/byte_count.h"

#include "core/base/values/parse.h"

namespace altiscope::generate {

std::optional<std::uint64_t> byteCount(std::string_view text) {
    std::uint64_t unit = 1;
    if (!text.empty()) {
        constexpr std::string_view kSuffixes = "kMGT";
        if (const auto at = kSuffixes.find(text.back()); at != std::string_view::npos) {
            for (std::size_t i = 0; i <= at; ++i) unit *= 1000;
            text.remove_suffix(1);
        }
    }
    const auto count = wholeNumber<std::uint64_t>(text);
    constexpr std::uint64_t kMax = 1'000'000'000'000'000;
    if (!count || *count == 0 || *count > kMax / unit) return std::nullopt;
    return *count * unit;
}

}  // namespace altiscope::generate
