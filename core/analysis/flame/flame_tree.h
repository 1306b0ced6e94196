#pragma once

#include "core/analysis/flame/flame_calls.h"
#include "core/analysis/support/frame_tree.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace altiscope {

/// What makes a frame wide, in ns.
enum class FlameWeight : std::uint8_t {
    Host,    ///< Time of the calls with what they called: CallNode::total.
    Self,    ///< Time of the calls themselves; what they called stands in it as far as it has any: CallNode::self.
    Device,  ///< Tasks of the device that they and what they called launched: CallNode::allDevice.
};

/// TopDown: from callers to what they called. BottomUp: from each function to its callers, over all its calls: with
/// Host by the time of its outermost calls, which others hold in turn, with Self and Device by what is its own, where
/// all functions together are everything.
enum class FlameOrder : std::uint8_t { TopDown, BottomUp };

/// One function by one path, in ns.
struct FlameFrame {
    std::uint32_t parent = 0;
    std::string_view name;  ///< Text of FlameTree::calls or ::base; of the root empty.
    std::int64_t weight = 0;
    std::uint64_t calls = 0;
    std::int64_t total = 0, self = 0;
    std::uint64_t tasks = 0;  ///< With those of what it called; BottomUp: its own.
    std::int64_t device = 0;
    SliceRef longest{0, kNoSlice};
    std::int64_t baseWeight = 0;  ///< Of a difference: the same of the base; its calls may be 0.
    std::uint64_t baseCalls = 0;
};

/// A flame graph: calls of the same path are one frame. Constant.
struct FlameTree : FrameTree {
    std::shared_ptr<const FlameCalls> calls;
    std::shared_ptr<const FlameCalls> base;  ///< Null: no difference.
    FlameWeight weight = FlameWeight::Host;
    FlameOrder order = FlameOrder::TopDown;
    std::vector<FlameFrame> frames;  ///< By FrameNode::frame.
    std::int64_t all = 0;            ///< What shares are parts of: the weight of all calls.
    std::int64_t baseAll = 0;
    bool isCut = false;  ///< Callers of light functions were left out.

    const FlameFrame& frame(std::uint32_t node) const { return frames[nodes[node].frame]; }
    /// Of a difference: share here - share of the base, -1 .. 1; 0 without a base.
    double change(std::uint32_t node) const;
};

/// Part of all, 0 .. 1; 0 where all is nothing.
double flameShare(std::int64_t part, std::int64_t all);

/// Widths of a difference are shares, in 10^-12 of all: of each frame the larger one of both, and no less than its
/// children together. Frames are the same by the names on their paths.
/// @param base  Null: no difference.
/// @return Null if cancelled. O(nodes log nodes); bottom-up no more than kMaxSteps steps along the paths.
std::shared_ptr<const FlameTree> flameTree(std::shared_ptr<const FlameCalls> calls,
                                           std::shared_ptr<const FlameCalls> base, FlameWeight weight, FlameOrder order,
                                           const CancelToken& cancel);

/// What one share of a difference is wide.
inline constexpr double kFlameShare = 1e12;

/// What calls amount to in which, or around which, a function with one of these names runs, by weight: each counts
/// once.
/// @param hits  By name of FlameCalls::names. O(nodes).
std::int64_t matchedWeight(const FlameCalls& calls, FlameWeight weight, const std::vector<bool>& hits);

}  // namespace altiscope
