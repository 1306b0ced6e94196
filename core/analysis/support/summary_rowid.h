#pragma once

#include "core/base/values/ids.h"

#include <cstdint>

namespace altiscope {

/// Row ids of the summary tables in SQL name the rank, by its index in CaptureStore::ranks: those of a rank begin here,
/// and end before the first of the next one. The rest of their form: core/query/tables/summary_table.h.
constexpr std::int64_t firstSummaryRowid(RankIndex rank) { return (std::int64_t{rank.value} << 40) + 1; }

}  // namespace altiscope
