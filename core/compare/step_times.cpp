#include "core/compare/step_times.h"

#include "core/analysis/steps/step_parts.h"
#include "core/analysis/support/saturating.h"
#include "core/query/results/row_function.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace altiscope {

namespace {

struct DeviceSteps {
    std::int64_t total = 0;  ///< ns
    std::vector<StepTimes> steps;
};

/// The rows of a rank, by origin ("computed" comes first), then device.
using RankSteps = std::map<std::string, std::map<OptionalNumber, DeviceSteps>>;

/// The same device as ofBusiestDevice() in core/analysis/steps, and as the statements of a report.
std::vector<StepTimes> stepsOf(const RankSteps& rank) {
    const auto& devices = rank.begin()->second;
    const auto busiest = std::max_element(devices.begin(), devices.end(),
                                          [](const auto& a, const auto& b) { return a.second.total < b.second.total; });
    std::vector<StepTimes> steps = busiest->second.steps;
    if (devices.size() > 1)
        for (StepTimes& step : steps) step.device = busiest->first;
    return steps;
}

}  // namespace

Result<std::vector<StepTimes>> readStepTimes(const QueryDatabase& database, const CancelToken& cancel) {
    constexpr std::size_t kFirstPart = 4;  // of the columns below
    std::map<OptionalNumber, RankSteps> ranks;
    RowFunction sink([&ranks](std::span<const Value> row) {
        StepTimes times{.rankId = integerOf(row[0]), .step = integerOf(row[1]), .device = {}};
        for (std::size_t i = 0; i < kStepParts; ++i) times.parts[i] = integerOf(row[kFirstPart + i]);
        DeviceSteps& device = ranks[times.rankId][std::string(row[2].bytes)][integerOf(row[3])];
        addSaturated(device.total, times.time().value_or(0));
        device.steps.push_back(times);
        return true;
    });
    std::string sql = "SELECT rank_id, step, origin, device_id";
    for (const StepPartInfo& info : stepParts()) sql += ", " + std::string(info.sql);
    const auto done = database.run(sql + " FROM step_breakdown", sink, cancel);
    if (!done.ok()) return done.as<std::vector<StepTimes>>();
    std::vector<StepTimes> all;
    for (const auto& [id, rank] : ranks) {
        std::vector<StepTimes> steps = stepsOf(rank);
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
