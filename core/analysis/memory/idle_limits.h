#pragma once

#include "core/base/values/time.h"
#include "core/store/rows/row_table.h"

#include <cstddef>
#include <optional>

namespace altiscope {

/// Limit of a pause of an allocation: an absolute one, and one as a share of its life. 0 switches either off, as 1 does
/// with the share, above which no pause can be.
struct IdleLimit {
    DurationNs above;
    double aboveShare = 0;

    bool isOff() const { return above.value <= 0 && (aboveShare <= 0 || aboveShare >= 1); }
    bool operator==(const IdleLimit&) const = default;
};

/// Limits above which memory is allocated too early, released too late, or idle in between; one that is exceeded is
/// enough. Source: core/analysis/FORMULAS.md section D.
struct IdleLimits {
    IdleLimit early;  ///< first_use: from the allocation to the first use.
    IdleLimit late;   ///< unused_end: from the last use to the release.
    IdleLimit idle;   ///< longest_idle: between two uses.

    bool isOff() const { return early.isOff() && late.isOff() && idle.isOff(); }
    bool operator==(const IdleLimits&) const = default;
};

/// The columns of `allocation` that only files with recorded uses have.
struct UseColumns {
    std::size_t firstUse = 0, longestIdle = 0, unusedEnd = 0;
};
/// nullopt: the table has none.
std::optional<UseColumns> useColumns(const RowTable& allocations);

/// Whether an allocation exceeds a limit. One without a release has no life that a share could be of.
bool exceedsLimits(const RowTable& allocations, const UseColumns& columns, std::size_t row, const IdleLimits& limits);

}  // namespace altiscope
