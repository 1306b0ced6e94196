#include "core/analysis/steps/step_parts.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <iterator>

namespace altiscope {

namespace {

using Time = std::optional<std::int64_t>;

// A recorded sum of receives may be longer than what is not overlapped, since receives may run beside kernels and each
// other: the bubble is at most what is not overlapped.
#define ALTI_STATED "min(not_overlapped, coalesce(not_overlapped_excl_receive, not_overlapped - bubble))"

constexpr StepPartInfo kStepPartInfos[] = {
    {StepPart::Step, "step", "computing + not_overlapped + free"},
    {StepPart::Computing, "computing", "computing"},
    {StepPart::ComputingAlone, "computing_only",
     "max(0, computing - coalesce(overlapped, communication - not_overlapped, 0))"},
    {StepPart::Overlapped, "overlapped", "coalesce(overlapped, communication - not_overlapped)"},
    {StepPart::Communication, "communication", "communication"},
    {StepPart::Exposed, "exposed_communication",
     "max(0, coalesce(" ALTI_STATED ", not_overlapped_excl_receive, not_overlapped))"},
    {StepPart::Bubble, "bubble", "not_overlapped - max(0, " ALTI_STATED ")"},
    {StepPart::Free, "free", "free"},
    {StepPart::Preparing, "preparing", "CASE WHEN preparing >= 0 THEN preparing END"},
};
#undef ALTI_STATED
static_assert(std::size(kStepPartInfos) == kStepParts);

Time plus(Time a, Time b) { return a && b ? Time(saturatedSum(*a, *b)) : std::nullopt; }
Time minus(Time a, Time b) { return a && b ? Time(saturatedDifference(*a, *b)) : std::nullopt; }

Time notNegative(Time time) { return time ? Time(std::max<std::int64_t>(0, *time)) : std::nullopt; }

/// What of the exposed time is not the bubble; nullopt where nothing states that.
Time withoutBubble(const StepBreakdown& row) {
    const Time stated = row.exposedExclReceive ? row.exposedExclReceive : minus(row.exposed, row.bubble);
    if (!row.exposed || !stated) return std::nullopt;
    return notNegative(std::min(*row.exposed, *stated));
}

Time overlappedOf(const StepBreakdown& row) {
    return row.overlapped ? row.overlapped : minus(row.communication, row.exposed);
}

}  // namespace

std::span<const StepPartInfo> stepParts() { return kStepPartInfos; }

const StepPartInfo& infoOf(StepPart part) { return kStepPartInfos[static_cast<std::size_t>(part)]; }

std::optional<StepPart> stepPartOf(std::string_view name) {
    const auto* found = std::find_if(std::begin(kStepPartInfos), std::end(kStepPartInfos),
                                     [name](const StepPartInfo& info) { return info.name == name; });
    return found == std::end(kStepPartInfos) ? std::nullopt : std::optional(found->part);
}

std::optional<std::int64_t> valueOf(const StepBreakdown& row, StepPart part) {
    switch (part) {
    case StepPart::Step: return plus(plus(row.computing, row.exposed), row.free);
    case StepPart::Computing: return row.computing;
    case StepPart::ComputingAlone:
        if (!row.computing) return std::nullopt;
        return std::max<std::int64_t>(0, saturatedDifference(*row.computing, overlappedOf(row).value_or(0)));
    case StepPart::Overlapped: return overlappedOf(row);
    case StepPart::Communication: return row.communication;
    case StepPart::Exposed:
        if (const Time rest = withoutBubble(row)) return rest;
        return notNegative(row.exposedExclReceive ? row.exposedExclReceive : row.exposed);
    case StepPart::Bubble: return minus(row.exposed, withoutBubble(row));
    case StepPart::Free: return row.free;
    case StepPart::Preparing: return row.preparing >= 0 ? row.preparing : std::nullopt;
    }
    return std::nullopt;
}

bool areDifferent(const StepBreakdown& a, const StepBreakdown& b) {
    const auto step = valueOf(a, StepPart::Step);
    if (!step) return false;
    const auto differs = [&](StepPart part) {
        const auto by = minus(valueOf(a, part), valueOf(b, part));
        return by && (*by > *step / 100 || *by < -(*step / 100));
    };
    return differs(StepPart::Step) || std::any_of(kWholeStep.begin(), kWholeStep.end(), differs);
}

}  // namespace altiscope
