#include "core/compare/change.h"

#include "core/analysis/support/saturating.h"

namespace altiscope {

std::string_view significanceWord(const Change& change, bool follows) {
    if (change.significant) return "yes";
    if (follows) return "follows";
    if (!change.low) return {};
    return change.isBeyondNoise() ? "perhaps" : "no";
}

Change changeBetween(double base, double current) {
    Change change;
    change.base = saturatedRound(base);
    change.current = saturatedRound(current);
    change.change = saturatedDifference(change.current, change.base);
    return change;
}

std::int64_t sizeOf(const Change& change) {
    return change.change < 0 ? saturatedDifference(0, change.change) : change.change;
}

std::optional<double> shareOf(const Change& change) {
    if (change.base <= 0) return std::nullopt;
    return static_cast<double>(change.change) / static_cast<double>(change.base);
}

}  // namespace altiscope
