#include "core/analysis/facts/core_frequency.h"
#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/facts/kernel_walk.h"
#include "core/analysis/support/saturating.h"
#include "core/base/values/median.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// Kernels of one name and shape in one step.
struct PaceCell {
    std::size_t step;
    std::int64_t time;
    std::uint64_t count;
    double mean() const { return static_cast<double>(time) / static_cast<double>(count); }
};

/// The same in all steps.
struct PaceKey {
    StringId type;
    std::vector<PaceCell> cells;

    void add(std::size_t step, std::int64_t duration) {
        // Rows come by time nearly always.
        for (std::size_t i = cells.size(); i-- > 0;) {
            if (cells[i].step != step) continue;
            addSaturated(cells[i].time, duration);
            ++cells[i].count;
            return;
        }
        cells.push_back({step, duration, 1});
    }
};

void addPace(const PaceKey& key, KernelPace& pace) {
    std::vector<double> means;
    for (const PaceCell& cell : key.cells) means.push_back(cell.mean());
    const double usual = median(std::move(means));
    for (const PaceCell& cell : key.cells) {
        pace.time[cell.step] += static_cast<double>(cell.time);
        pace.usual[cell.step] += usual * static_cast<double>(cell.count);
    }
}

/// Beyond the types that take most of the time all others are one.
void keepLongestTypes(std::vector<KernelPace>& paces) {
    constexpr std::size_t kMost = 12;
    std::stable_sort(paces.begin(), paces.end(),
                     [](const KernelPace& a, const KernelPace& b) { return a.total() > b.total(); });
    if (paces.size() <= kMost) return;
    KernelPace& others = paces[kMost - 1];
    others.type.clear();
    for (std::size_t i = kMost; i < paces.size(); ++i) {
        for (std::size_t step = 0; step < others.time.size(); ++step) {
            others.time[step] += paces[i].time[step];
            others.usual[step] += paces[i].usual[step];
        }
    }
    paces.resize(kMost);
}

}  // namespace

void readPaceFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts,
                   const CancelToken& cancel) {
    static constexpr auto kShapes = fixedColumn(RowKind::Kernel, "input_shapes");
    static constexpr auto kName = fixedColumn(RowKind::Kernel, "name");
    const KernelWalk walk(rank, steps, facts.device);
    if (walk.table() == nullptr || facts.steps.empty()) return;
    const CoreFrequency frequency = hasEvents(rank) ? coreFrequency(*rank.trace, facts.device) : CoreFrequency();
    const bool hasFrequency = frequency.isPlausible() && !frequency.samples.empty();
    std::unordered_map<std::uint64_t, std::size_t> places;
    std::vector<PaceKey> keys;
    std::vector<std::pair<double, double>> mhz(facts.steps.size());  // MHz * ns, ns
    walk.forEach(cancel, [&](const KernelCells& kernel) {
        if (!kernel.range) return;
        const auto step = walk.sums().stepAt(kernel.range->begin);
        const auto name = walk.table()->text(kName, kernel.row);
        if (!step || *step >= facts.steps.size() || !name) return;
        const auto shapes = walk.table()->text(kShapes, kernel.row);
        // Kernels are named by their type; without one by their name.
        const std::uint64_t key = std::uint64_t{name->value} << 32U | (shapes ? shapes->value : 0xffffffffU);
        const auto [known, isNew] = places.try_emplace(key, keys.size());
        if (isNew) keys.push_back({kernel.type.value_or(*name), {}});
        keys[known->second].add(*step, kernel.duration);
        if (!hasFrequency) return;
        const auto duration = static_cast<double>(kernel.duration);
        mhz[*step].first += duration * frequency.at(kernel.range->begin);
        mhz[*step].second += duration;
    });
    std::map<StringId, KernelPace> byType;
    for (const PaceKey& key : keys) {
        KernelPace& pace = byType[key.type];
        if (pace.time.empty()) {
            pace.type = walk.texts().text(key.type);
            pace.time.resize(facts.steps.size());
            pace.usual.resize(facts.steps.size());
        }
        addPace(key, pace);
    }
    for (auto& [type, pace] : byType) facts.paces.push_back(std::move(pace));
    keepLongestTypes(facts.paces);
    if (!hasFrequency) return;
    for (const auto& [sum, time] : mhz) facts.mhzBySteps.push_back(time > 0 ? sum / time : 0);
}

}  // namespace altiscope
