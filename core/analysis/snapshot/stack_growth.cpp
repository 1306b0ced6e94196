#include "core/analysis/snapshot/stack_growth.h"

#include "core/analysis/snapshot/period_releases.h"
#include "core/analysis/support/saturating.h"
#include "core/analysis/support/straight_line.h"
#include "core/base/values/median.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kMinLiveBlocks = 3;

class GrowthOfStacks {
public:
    GrowthOfStacks(const DeviceSnapshot& snapshot, const HistorySteps& steps, const CancelToken& cancel)
        : m_snapshot(snapshot), m_steps(steps), m_cancel(cancel) {}

    /// @param blocks  Of the stack, by begin.
    std::optional<StackGrowth> of(std::uint32_t stack, std::span<const BlockNumber> blocks) {
        StackGrowth growth;
        growth.stack = stack;
        std::vector<const BlockLife*> live;
        EventNumber longest = 0;  // life of what it released
        for (const BlockNumber number : blocks) {
            const BlockLife& block = m_snapshot.blocks[number];
            if (block.begin < 0) continue;
            if (block.freeRequested >= m_snapshot.events) {
                live.push_back(&block);
            } else {
                ++growth.released;
                longest = std::max(longest, block.freeRequested - block.begin);
            }
        }
        if (live.size() < kMinLiveBlocks) return std::nullopt;
        growth.blocks = live.size();
        growth.blockBytes = medianBytes(live);
        for (const BlockLife* block : live) addSaturated(growth.bytes, block->bytes);
        const bool grows = m_steps.count() >= HistorySteps::kFewest ? alongSteps(blocks, growth)
                                                                    : alongEntries(std::move(live), longest, growth);
        return grows ? std::optional(growth) : std::nullopt;
    }

private:
    static std::int64_t medianBytes(const std::vector<const BlockLife*>& live) {
        std::vector<std::int64_t> sizes;
        for (const BlockLife* block : live) sizes.push_back(block->bytes);
        return upperMedian(sizes);
    }
    bool alongSteps(std::span<const BlockNumber> blocks, StackGrowth& growth);
    bool alongEntries(std::vector<const BlockLife*> live, EventNumber longest, StackGrowth& growth) const;

    const DeviceSnapshot& m_snapshot;
    const HistorySteps& m_steps;
    const CancelToken& m_cancel;
    std::vector<std::int64_t> m_levels;  // of one stack at the borders
};

bool GrowthOfStacks::alongSteps(std::span<const BlockNumber> blocks, StackGrowth& growth) {
    const std::vector<EventNumber>& borders = m_steps.borders;
    m_levels.assign(borders.size() + 1, 0);  // changes at first; the last one is after all borders
    // A border is the state before its entry.
    const auto after = [&](EventNumber entry) {
        return static_cast<std::size_t>(std::upper_bound(borders.begin(), borders.end(), entry) - borders.begin());
    };
    for (const BlockNumber number : blocks) {
        const BlockLife& block = m_snapshot.blocks[number];
        if (block.freeRequested <= block.begin) continue;
        addSaturated(m_levels[after(block.begin)], block.bytes);
        addSaturated(m_levels[after(block.freeRequested)], -block.bytes);
    }
    m_levels.pop_back();
    for (std::size_t i = 1; i < m_levels.size(); ++i) addSaturated(m_levels[i], m_levels[i - 1]);
    const StraightLine line = lineThrough(m_levels);
    growth.growth = line.slope;
    growth.margin = line.margin;
    growth.fit = line.fit;
    growth.isSteady = std::is_sorted(m_levels.begin(), m_levels.end());
    if (growth.released > 0) growth.bytes = saturatedDifference(m_levels.back(), m_levels.front());
    return line.slope > 0 && m_levels.back() > m_levels.front();
}

bool GrowthOfStacks::alongEntries(std::vector<const BlockLife*> live, EventNumber longest, StackGrowth& growth) const {
    constexpr double kMinCovered = 0.5;
    // Of a stack that releases what it allocates the newest blocks are in use.
    if (growth.released > 0) {
        std::erase_if(live, [&](const BlockLife* block) {
            return std::int64_t{m_snapshot.events} - block->begin <= 2 * std::int64_t{longest};
        });
        growth.bytes = 0;
        for (const BlockLife* block : live) addSaturated(growth.bytes, block->bytes);
    }
    if (live.size() < kMinLiveBlocks) return false;
    std::vector<std::pair<double, double>> sums;
    std::vector<EventNumber> begins;
    double sum = 0;
    for (const BlockLife* block : live) {
        begins.push_back(block->begin);
        sum += static_cast<double>(block->bytes);
        sums.emplace_back(static_cast<double>(block->begin), sum);
    }
    const StraightLine line = lineThrough(sums);
    constexpr auto kEntries = static_cast<double>(StackGrowth::kEntries);
    growth.growth = line.slope * kEntries;
    growth.margin = line.margin * kEntries;
    growth.fit = line.fit;
    // While a model is made nothing is released, and a pass releases what its layers keep when it is over: that proves
    // nothing of what comes.
    const double covered = live.back()->begin - live.front()->begin;
    growth.isSteady = line.slope > 0 && covered >= kMinCovered * m_snapshot.events &&
                      PeriodReleases(m_snapshot).areSteps(begins, m_cancel);
    return line.slope > 0;
}

}  // namespace

std::vector<StackGrowth> stackGrowth(const DeviceSnapshot& snapshot, const HistorySteps& steps,
                                     const CancelToken& cancel) {
    std::vector<StackGrowth> found;
    // Blocks by stack, each in the order of allocation.
    std::vector<std::size_t> ends(snapshot.stacks.size() + 1, 0);
    for (const BlockLife& block : snapshot.blocks) ++ends[block.stack + 1];
    for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
    std::vector<BlockNumber> sorted(snapshot.blocks.size());
    std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
    for (std::size_t i = 0; i < snapshot.blocks.size(); ++i)
        sorted[next[snapshot.blocks[i].stack]++] = static_cast<BlockNumber>(i);
    GrowthOfStacks growths(snapshot, steps, cancel);
    // Blocks without a stack have nothing in common.
    for (std::uint32_t stack = 1; stack < snapshot.stacks.size(); ++stack) {
        if (cancel.cancelled()) return {};
        const auto growth = growths.of(stack, std::span(sorted).subspan(ends[stack], ends[stack + 1] - ends[stack]));
        if (growth) found.push_back(*growth);
    }
    std::sort(found.begin(), found.end(), [&](const StackGrowth& a, const StackGrowth& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : snapshot.stackText(a.stack) < snapshot.stackText(b.stack);
    });
    return found;
}

}  // namespace altiscope
