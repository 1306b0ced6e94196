#pragma once

#include "core/base/values/parse.h"
#include "core/trace/rank.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

/// The first value of a key among the metadata of a rank; nullopt if it has none. O(metadata).
inline std::optional<std::string_view> metadataOf(const RankInfo& info, std::string_view key) {
    for (const auto& [known, value] : info.metadata) {
        if (known == key) return value;
    }
    return std::nullopt;
}

/// The same as a number; nullopt also where it is none.
inline std::optional<std::int64_t> metadataNumber(const RankInfo& info, std::string_view key) {
    const auto text = metadataOf(info, key);
    return text ? wholeNumber(*text) : std::nullopt;
}

}  // namespace altiscope
