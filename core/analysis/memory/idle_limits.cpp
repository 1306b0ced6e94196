#include "core/analysis/memory/idle_limits.h"

#include "core/store/rows/row_kinds.h"

#include <algorithm>
#include <string_view>

namespace altiscope {

namespace {

constexpr RowKind kUsedRows = RowKind::Allocation;

bool exceedsLimit(std::optional<double> pause, std::optional<double> life, const IdleLimit& limit) {
    if (!pause) return false;
    if (limit.above.value > 0 && *pause > static_cast<double>(limit.above.value)) return true;
    return limit.aboveShare > 0 && limit.aboveShare < 1 && life && *pause > limit.aboveShare * *life;
}

}  // namespace

std::optional<UseColumns> useColumns(const RowTable& allocations) {
    const auto& extras = allocations.extras();
    const auto place = [&](std::string_view name) -> std::optional<std::size_t> {
        const auto found = std::find(extras.begin(), extras.end(), name);
        if (found == extras.end()) return std::nullopt;
        return rowColumns(kUsedRows).size() + static_cast<std::size_t>(found - extras.begin());
    };
    const auto first = place("first_use"), idle = place("longest_idle"), end = place("unused_end");
    if (!first || !idle || !end) return std::nullopt;
    return UseColumns{*first, *idle, *end};
}

bool exceedsLimits(const RowTable& allocations, const UseColumns& columns, std::size_t row, const IdleLimits& limits) {
    const auto begin = allocations.integer(fixedColumn(kUsedRows, "alloc_ts"), row),
               end = allocations.integer(fixedColumn(kUsedRows, "release_ts"), row);
    const std::optional<double> life =
        begin && end && *end > *begin ? std::optional(static_cast<double>(*end - *begin)) : std::nullopt;
    return exceedsLimit(allocations.real(columns.firstUse, row), life, limits.early) ||
           exceedsLimit(allocations.real(columns.unusedEnd, row), life, limits.late) ||
           exceedsLimit(allocations.real(columns.longestIdle, row), life, limits.idle);
}

}  // namespace altiscope
