#include "core/analysis/steps/step_use.h"

#include "core/analysis/steps/step_parts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace altiscope {

namespace {

using Number = std::optional<std::int64_t>;

/// Uses of rows of one origin, by device and step alone.
std::vector<StepUse> usesOf(std::span<const StepBreakdown> rows) {
    const auto busiest = ofBusiestDevice({rows.begin(), rows.end()});
    const Number device = busiest.empty() ? Number() : busiest.front().deviceNumber;
    const bool hasSteps =
        std::any_of(busiest.begin(), busiest.end(), [](const StepBreakdown& row) { return row.step.has_value(); });
    std::vector<StepUse> uses;
    for (const StepBreakdown& row : rows) {
        if (row.deviceNumber != device) uses.push_back(StepUse::OtherDevice);
        else uses.push_back(hasSteps && !row.step ? StepUse::NoStep : StepUse::Counts);
    }
    return uses;
}

}  // namespace

std::string_view stepUseName(StepUse use) {
    switch (use) {
    case StepUse::Counts: return {};
    case StepUse::OtherOrigin: return "origin";
    case StepUse::OtherDevice: return "device";
    case StepUse::NoStep: return "no_step";
    case StepUse::NoKernels: return "no_kernels";
    case StepUse::Differs: return "differs";
    }
    return {};
}

StepUse soundnessOf(const StepBreakdown& computed, const StepBreakdown* recorded, bool lacksKernels) {
    if (lacksKernels) return StepUse::NoKernels;
    return recorded != nullptr && areDifferent(computed, *recorded) ? StepUse::Differs : StepUse::Counts;
}

StepUses stepUses(std::span<const StepBreakdown> computed, std::span<const StepBreakdown> recorded,
                  std::span<const StepSpan> spans) {
    if (computed.empty()) return {{}, usesOf(recorded)};
    StepUses uses{usesOf(computed), std::vector<StepUse>(recorded.size(), StepUse::OtherOrigin)};
    std::set<Number> withoutKernels;
    for (const StepSpan& span : spans)
        if (span.lacksKernels) withoutKernels.insert(span.step);
    std::multimap<Number, const StepBreakdown*> stated;
    for (const StepBreakdown& row : recorded) stated.emplace(row.step, &row);
    for (std::size_t i = 0; i < computed.size(); ++i) {
        if (uses.computed[i] != StepUse::Counts) continue;
        const StepBreakdown& row = computed[i];
        const auto [first, last] = stated.equal_range(row.step);
        const auto same = std::find_if(first, last, [&](const auto& one) {
            return !row.deviceNumber || !one.second->deviceNumber || row.deviceNumber == one.second->deviceNumber;
        });
        uses.computed[i] = soundnessOf(row, same == last ? nullptr : same->second, withoutKernels.contains(row.step));
    }
    return uses;
}

}  // namespace altiscope
