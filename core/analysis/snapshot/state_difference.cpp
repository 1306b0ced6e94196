#include "core/analysis/snapshot/state_difference.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace altiscope {

namespace {

bool isSame(const DeviceSnapshot& first, const BlockLife& a, const DeviceSnapshot& second, const BlockLife& b) {
    if (a.bytes != b.bytes || first.stackText(a.stack) != second.stackText(b.stack)) return false;
    const auto timeOfA = first.timeAt(a.begin), timeOfB = second.timeAt(b.begin);
    return !timeOfA || !timeOfB || timeOfA->value == timeOfB->value;
}

}  // namespace

std::string_view poolShareName(PoolShare share) {
    switch (share) {
    case PoolShare::Allocated: return "allocated";
    case PoolShare::Waiting: return "waiting";
    case PoolShare::Rounding: return "rounding";
    case PoolShare::Free: return "free";
    case PoolShare::Reserved: return "reserved";
    }
    return {};
}

PoolShares poolShares(const PoolState& state) {
    return {state.allocated, state.waiting, state.used - state.allocated - state.waiting, state.holeBytes,
            state.reserved};
}

std::vector<LoneBlock> blocksOfOneState(const DeviceSnapshot& before, EventNumber beforeAt, const DeviceSnapshot& after,
                                        EventNumber afterAt) {
    std::vector<LoneBlock> lone;
    // At an address there is one block at a time.
    std::unordered_map<std::int64_t, BlockNumber> left;
    for (BlockNumber b = 0; b < after.blocks.size(); ++b)
        if (after.blocks[b].isThereAt(afterAt)) left.emplace(after.blocks[b].address, b);
    for (BlockNumber b = 0; b < before.blocks.size(); ++b) {
        const BlockLife& block = before.blocks[b];
        if (!block.isThereAt(beforeAt)) continue;
        const auto other = left.find(block.address);
        const bool isThere =
            other != left.end() &&
            (&before == &after ? other->second == b : isSame(before, block, after, after.blocks[other->second]));
        if (isThere) left.erase(other);
        else lone.push_back({false, b, block.bytes});
    }
    for (const auto& [address, b] : left) lone.push_back({true, b, after.blocks[b].bytes});
    std::sort(lone.begin(), lone.end(), [](const LoneBlock& a, const LoneBlock& b) {
        return std::tuple(-a.bytes, a.isAfter, a.block) < std::tuple(-b.bytes, b.isAfter, b.block);
    });
    return lone;
}

}  // namespace altiscope
