#pragma once

#include "core/base/values/time.h"
#include "core/store/capture_store.h"
#include "core/store/rows/row_table.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::pack {

/// Version of sections kind Sums.
inline constexpr std::uint32_t kSumsVersion = 1;

/// Sums of a step: columns of the table step_breakdown that are times, in ns.
inline constexpr std::array<std::string_view, 9> kStepSums{
    "computing", "communication", "not_overlapped", "overlapped",
    "free",      "stage",         "bubble",         "not_overlapped_excl_receive",
    "preparing"};
struct PackedStep {
    std::optional<std::int64_t> number;
    bool isComputed = false;  ///< By us, from events; else by the profiler.
    std::array<std::optional<std::int64_t>, kStepSums.size()> sums{};
};

/// Facts about a rank's events that are known without them.
struct PackedRankSums {
    std::optional<TimeRange> range;             ///< From the first event to the last, on the rank's clock.
    std::map<std::string, std::uint64_t> rows;  ///< Recorded rows by table; those that have any.
    std::vector<PackedStep> steps;              ///< As in step_breakdown.
};

/// @param computed  Rows that Altiscope computes of the rank; may be null. O(rows of step_breakdown).
PackedRankSums sumsOf(const RankEntry& rank, const RowTables* computed);

/// Sums of all ranks of a pack, in the order of its list.
std::string sumsToJson(const std::vector<PackedRankSums>& sums);
/// nullopt if the text is no such list.
std::optional<std::vector<PackedRankSums>> sumsFromJson(std::string_view text);

}  // namespace altiscope::pack
