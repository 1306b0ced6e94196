#pragma once

#include "core/analysis/snapshot/device_snapshot.h"
#include "core/base/values/cancel.h"

#include <span>
#include <vector>

namespace altiscope {

/// Whether the periods of a history each use memory and give it back, as training steps do: only what survives that
/// release is growth. Layers of a pass are periods, too, and keep what they allocate until the pass is over.
///
/// A period does so if blocks that a call stack allocated in it turn by turn, kTurns of them there at once, were all
/// released before the next period ended; and if these blocks were as many bytes as the period has kept. Turns are
/// allocations between which other stacks allocated: what one operator needs for a moment comes in one turn. So does
/// what a loop on one line makes, in more blocks than an operator needs workspaces: kBlocksOfLoop at once count, too.
class PeriodReleases {
public:
    static constexpr std::size_t kTurns = 3;
    static constexpr std::size_t kBlocksOfLoop = 2 * kTurns;
    /// So many periods at least, and half of all whole ones.
    static constexpr std::size_t kFewestPeriods = 2;

    explicit PeriodReleases(const DeviceSnapshot& snapshot) : m_snapshot(snapshot) {}

    /// @param borders  Entries with which periods begin, ascending. What follows the last one is no whole period.
    /// O(blocks log blocks); false if cancelled.
    bool areSteps(std::span<const EventNumber> borders, const CancelToken& cancel) const;

private:
    bool givesBack(std::span<const BlockLife> blocks, EventNumber deadline) const;

    const DeviceSnapshot& m_snapshot;
};

}  // namespace altiscope
