#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Which ranks and steps a report is about, by number, ascending. Empty: all.
struct ReportScope {
    std::vector<std::int64_t> ranks, steps;

    bool empty() const { return ranks.empty() && steps.empty(); }
    bool operator==(const ReportScope&) const = default;
};

/// The statement of a table over this part of the capture: each table with ranks or steps that it reads is replaced by
/// a view of its rows that are in the scope, so that it gives the same rows wherever it runs. Sums of operators
/// are made from the kernels where steps are chosen, memory is that within the steps on the host. Tables without
/// steps (calls, allocations, diagnostics) keep all of theirs; findings about no rank or step stay.
std::string scopedStatement(std::string_view sql, const ReportScope& scope);

/// "Ranks: 0-3, 8. Steps: 5." and what has no step; empty for an empty scope.
std::string scopeText(const ReportScope& scope, std::string_view language);

}  // namespace altiscope
