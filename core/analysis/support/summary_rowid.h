#pragma once

#include <cstddef>
#include <cstdint>

namespace altiscope {

/// Row ids of the summary tables in SQL name the rank, by its place in CaptureStore::ranks, and the row, so that they
/// do not depend on what else is loaded. Counted from 1 within rank 0.
inline constexpr int kSummaryRowBits = 40;
constexpr std::int64_t summaryRowid(std::uint32_t rank, std::size_t row) {
    return (std::int64_t{rank} << kSummaryRowBits) + static_cast<std::int64_t>(row) + 1;
}

}  // namespace altiscope
