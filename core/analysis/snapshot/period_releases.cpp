#include "core/analysis/snapshot/period_releases.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

/// What one stack has allocated in a period and released in time.
struct StackTurns {
    /// Entries at which blocks are released, the earliest first: how many are there at once.
    class AtOnce {
    public:
        void add(const BlockLife& block) {
            while (!m_ends.empty() && m_ends.top() <= block.begin) m_ends.pop();
            m_ends.push(block.freeRequested);
            m_max = std::max(m_max, m_ends.size());
        }
        std::size_t max() const { return m_max; }

    private:
        std::priority_queue<EventNumber, std::vector<EventNumber>, std::greater<>> m_ends;
        std::size_t m_max = 0;
    };

    AtOnce turns;   ///< The first block of each turn.
    AtOnce blocks;  ///< All of them.
    std::int64_t bytes = 0;
};

}  // namespace

bool PeriodReleases::givesBack(std::span<const BlockLife> blocks, EventNumber deadline) const {
    std::unordered_map<std::uint32_t, StackTurns> stacks;
    std::int64_t kept = 0, released = 0;
    std::uint32_t before = 0;
    for (const BlockLife& block : blocks) {
        const bool isNewTurn = block.stack != before;
        before = block.stack;
        if (block.freeRequested > deadline || block.freeRequested >= m_snapshot.events) {
            addSaturated(kept, block.bytes);
            continue;
        }
        StackTurns& ofStack = stacks[block.stack];
        addSaturated(ofStack.bytes, block.bytes);
        ofStack.blocks.add(block);
        if (isNewTurn) ofStack.turns.add(block);
    }
    for (const auto& [stack, ofStack] : stacks) {
        if (ofStack.turns.max() >= kTurns || ofStack.blocks.max() >= kBlocksOfLoop)
            addSaturated(released, ofStack.bytes);
    }
    return released > 0 && released >= kept;
}

bool PeriodReleases::areSteps(std::span<const EventNumber> borders, const CancelToken& cancel) const {
    if (borders.size() < kFewestPeriods + 1) return false;
    const std::vector<BlockLife>& blocks = m_snapshot.blocks;
    const auto firstFrom = [&](EventNumber entry) {
        return std::lower_bound(blocks.begin(), blocks.end(), entry,
                                [](const BlockLife& block, EventNumber begin) { return block.begin < begin; });
    };
    std::size_t found = 0;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        if (cancel.cancelled()) return false;
        const EventNumber deadline = i + 2 < borders.size() ? borders[i + 2] : m_snapshot.events;
        found += givesBack({firstFrom(borders[i]), firstFrom(borders[i + 1])}, deadline) ? 1 : 0;
    }
    return found >= kFewestPeriods && 2 * found >= borders.size() - 1;
}

}  // namespace altiscope
