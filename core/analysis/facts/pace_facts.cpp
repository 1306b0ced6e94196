#include "core/analysis/facts/core_frequency.h"
#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/facts/kernel_walk.h"
#include "core/analysis/support/saturating.h"
#include "core/base/values/median.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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
    StringId type, name;
    double amount = 0;  ///< Elements of its inputs; 0: not known.
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

/// Elements of tensors by their shapes, "8,128;128,512" with quotes or without; 0: these say nothing.
double elementsOf(std::string_view shapes) {
    double all = 0, tensor = 0;
    const auto close = [&] {
        all += tensor;
        tensor = 0;
    };
    for (std::size_t at = 0; at < shapes.size();) {
        if (const char letter = shapes[at]; letter < '0' || letter > '9') {
            if (letter == ';') close();
            ++at;
            continue;
        }
        double number = 0;
        for (; at < shapes.size() && shapes[at] >= '0' && shapes[at] <= '9'; ++at)
            number = 10 * number + (shapes[at] - '0');
        tensor = (tensor == 0 ? 1 : tensor) * number;
    }
    close();
    return all;
}

/// Kernels of one name and about one amount of data: within half an octave.
using SizeClass = std::pair<StringId, int>;
SizeClass sizeClassOf(const PaceKey& key) {
    return {key.name, static_cast<int>(std::floor(2 * std::log2(key.amount)))};
}

/// The usual times of kernels whose shapes change: by elements, among those of their name that move about as many.
class PacesBySize {
public:
    PacesBySize(const std::vector<PaceKey>& keys, std::size_t steps) : m_steps(steps) {
        std::map<SizeClass, std::vector<double>> times;
        for (const PaceKey& key : keys) {
            for (const PaceCell& cell : key.cells) {
                if (key.amount > 0) times[sizeClassOf(key)].push_back(cell.mean() / key.amount);
            }
        }
        for (auto& [of, values] : times) {
            if (values.size() >= kFewest) m_usual[of] = median(std::move(values));
        }
    }
    /// ns; nullopt: it is to be compared with itself.
    std::optional<double> usual(const PaceKey& key) const {
        if (2 * key.cells.size() >= m_steps || key.amount <= 0) return std::nullopt;
        const auto found = m_usual.find(sizeClassOf(key));
        return found == m_usual.end() ? std::nullopt : std::optional(found->second * key.amount);
    }

private:
    /// A median of fewer says little.
    static constexpr std::size_t kFewest = 6;

    std::size_t m_steps;
    std::map<SizeClass, double> m_usual;  // ns an element
};

void addPace(const PaceKey& key, const PacesBySize& bySize, KernelPace& pace) {
    std::vector<double> means;
    for (const PaceCell& cell : key.cells) means.push_back(cell.mean());
    const double own = median(std::move(means)), usual = bySize.usual(key).value_or(own);
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
        if (isNew) {
            const double amount = shapes ? elementsOf(walk.texts().text(*shapes)) : 0;
            keys.push_back({kernel.type.value_or(*name), *name, amount, {}});
        }
        keys[known->second].add(*step, kernel.duration);
        if (!hasFrequency) return;
        const auto duration = static_cast<double>(kernel.duration);
        mhz[*step].first += duration * frequency.at(kernel.range->begin);
        mhz[*step].second += duration;
    });
    const PacesBySize bySize(keys, facts.steps.size());
    std::map<StringId, KernelPace> byType;
    for (const PaceKey& key : keys) {
        KernelPace& pace = byType[key.type];
        if (pace.time.empty()) {
            pace.type = walk.texts().text(key.type);
            pace.time.resize(facts.steps.size());
            pace.usual.resize(facts.steps.size());
        }
        addPace(key, bySize, pace);
    }
    for (auto& [type, pace] : byType) facts.paces.push_back(std::move(pace));
    keepLongestTypes(facts.paces);
    if (!hasFrequency) return;
    for (const auto& [sum, time] : mhz) facts.mhzBySteps.push_back(time > 0 ? sum / time : 0);
}

}  // namespace altiscope
