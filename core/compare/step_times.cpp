#include "core/compare/step_times.h"

#include "core/analysis/steps/step_parts.h"
#include "core/analysis/steps/step_use.h"
#include "core/query/results/row_function.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace altiscope {

namespace {

/// Rows of a rank.
struct RankSteps {
    std::set<OptionalNumber> devices;
    std::vector<StepTimes> steps;
};

}  // namespace

Result<std::vector<StepTimes>> readStepTimes(const QueryDatabase& database, const CancelToken& cancel) {
    constexpr std::size_t kFirstPart = 4;  // of the columns below
    std::map<OptionalNumber, RankSteps> ranks;
    RowFunction sink([&ranks](std::span<const Value> row) {
        const std::string_view why = row[2].type == ValueType::Null ? std::string_view() : row[2].bytes;
        const bool isDoubtful = why == stepUseName(StepUse::NoKernels) || why == stepUseName(StepUse::Differs);
        const bool isShown = why.empty() || isDoubtful;
        RankSteps& rank = ranks[integerOf(row[0])];
        // Those of another device say that there are several.
        if (isShown || why == stepUseName(StepUse::OtherDevice)) rank.devices.insert(integerOf(row[3]));
        if (!isShown) return true;
        StepTimes& times = rank.steps.emplace_back();
        times.rankId = integerOf(row[0]);
        times.step = integerOf(row[1]);
        times.device = integerOf(row[3]);
        times.isDoubtful = isDoubtful;
        for (std::size_t i = 0; i < kStepParts && !isDoubtful; ++i) times.parts[i] = integerOf(row[kFirstPart + i]);
        return true;
    });
    std::string sql = "SELECT rank_id, step, left_out, device_id";
    for (const StepPartInfo& info : stepParts()) sql += ", " + std::string(info.sql);
    const auto done = database.run(sql + " FROM step_breakdown", sink, cancel);
    if (!done.ok()) return done.as<std::vector<StepTimes>>();
    std::vector<StepTimes> all;
    for (auto& [id, rank] : ranks) {
        std::stable_sort(rank.steps.begin(), rank.steps.end(),
                         [](const StepTimes& a, const StepTimes& b) { return a.step < b.step; });
        for (StepTimes& step : rank.steps) {
            if (rank.devices.size() < 2) step.device.reset();
            all.push_back(step);
        }
    }
    return all;
}

}  // namespace altiscope
