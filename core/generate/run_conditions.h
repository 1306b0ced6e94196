#pragma once

#include <cstdint>
#include <optional>

namespace altiscope::generate {

/// What makes a run special beside its sizes and its seed.
struct RunConditions {
    std::optional<std::uint32_t> distinctNames;  ///< Slice names of a rank's timeline; 1 .. kMaxDistinctNames.
};

inline constexpr std::uint32_t kMaxDistinctNames = 10'000'000;

}  // namespace altiscope::generate
