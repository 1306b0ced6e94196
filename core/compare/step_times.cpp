#include "core/compare/step_times.h"

#include "core/analysis/steps/step_breakdown.h"
#include "core/analysis/steps/step_parts.h"
#include "core/analysis/support/saturating.h"
#include "core/query/results/row_function.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace altiscope {

namespace {

struct DeviceSteps {
    std::int64_t total = 0;  ///< ns
    std::vector<StepBreakdown> steps;
};

/// The rows of a rank, by origin ("computed" comes first), then device.
using RankSteps = std::map<std::string, std::map<OptionalNumber, DeviceSteps>>;

StepBreakdown breakdownOf(std::span<const Value> row) {
    StepBreakdown times;
    times.step = integerOf(row[1]);
    std::optional<std::int64_t>* const cells[] = {
        &times.computing, &times.communication,      &times.exposed,  &times.overlapped, &times.free, &times.stage,
        &times.bubble,    &times.exposedExclReceive, &times.preparing};
    constexpr std::size_t kFirstTime = 4;  // of the columns below
    for (std::size_t i = 0; i < std::size(cells); ++i) *cells[i] = integerOf(row[kFirstTime + i]);
    return times;
}

/// What the profiler recorded of a device; of one that it does not name, where it names none.
const std::vector<StepBreakdown>* recordedOf(const RankSteps& rank, OptionalNumber device) {
    const auto recorded = rank.find(std::string(originName(Origin::Recorded)));
    if (recorded == rank.end()) return nullptr;
    auto found = recorded->second.find(device);
    if (found == recorded->second.end() && recorded->second.size() == 1) found = recorded->second.begin();
    return found == recorded->second.end() ? nullptr : &found->second.steps;
}

/// Events that do not add up to what the profiler recorded are not all of a step.
bool isDoubtful(const StepBreakdown& times, const std::vector<StepBreakdown>* recorded) {
    return recorded != nullptr && std::any_of(recorded->begin(), recorded->end(), [&](const StepBreakdown& other) {
               return other.step == times.step && areDifferent(times, other);
           });
}

/// The same device as ofBusiestDevice() in core/analysis/steps, and as the statements of a report.
std::vector<StepTimes> stepsOf(const RankSteps& rank) {
    const auto& devices = rank.begin()->second;
    const auto busiest = std::max_element(devices.begin(), devices.end(),
                                          [](const auto& a, const auto& b) { return a.second.total < b.second.total; });
    const bool isComputed = rank.begin()->first == originName(Origin::Computed);
    const auto* recorded = isComputed ? recordedOf(rank, busiest->first) : nullptr;
    std::vector<StepTimes> steps;
    for (const StepBreakdown& times : busiest->second.steps) {
        StepTimes& step = steps.emplace_back();
        step.step = times.step;
        if (devices.size() > 1) step.device = busiest->first;
        step.isDoubtful = isDoubtful(times, recorded);
        for (std::size_t i = 0; i < kStepParts && !step.isDoubtful; ++i)
            step.parts[i] = valueOf(times, static_cast<StepPart>(i));
    }
    return steps;
}

}  // namespace

Result<std::vector<StepTimes>> readStepTimes(const QueryDatabase& database, const CancelToken& cancel) {
    std::map<OptionalNumber, RankSteps> ranks;
    RowFunction sink([&ranks](std::span<const Value> row) {
        const StepBreakdown times = breakdownOf(row);
        DeviceSteps& device = ranks[integerOf(row[0])][std::string(row[2].bytes)][integerOf(row[3])];
        addSaturated(device.total, valueOf(times, StepPart::Step).value_or(0));
        device.steps.push_back(times);
        return true;
    });
    constexpr std::string_view kSql =
        "SELECT rank_id, step, origin, device_id, computing, communication, not_overlapped, overlapped, free, stage, "
        "bubble, not_overlapped_excl_receive, preparing FROM step_breakdown";
    const auto done = database.run(kSql, sink, cancel);
    if (!done.ok()) return done.as<std::vector<StepTimes>>();
    std::vector<StepTimes> all;
    for (const auto& [id, rank] : ranks) {
        std::vector<StepTimes> steps = stepsOf(rank);
        for (StepTimes& step : steps) step.rankId = id;
        const auto isNumbered = [](const StepTimes& step) { return step.step.has_value(); };
        if (std::any_of(steps.begin(), steps.end(), isNumbered))
            steps.erase(std::remove_if(steps.begin(), steps.end(), std::not_fn(isNumbered)), steps.end());
        std::stable_sort(steps.begin(), steps.end(),
                         [](const StepTimes& a, const StepTimes& b) { return a.step < b.step; });
        all.insert(all.end(), steps.begin(), steps.end());
    }
    return all;
}

}  // namespace altiscope
