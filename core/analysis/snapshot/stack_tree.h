#pragma once

#include "core/analysis/snapshot/device_snapshot.h"
#include "core/analysis/support/frame_tree.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace altiscope {

/// Which blocks of a device are summed up, and what of them.
struct StackQuery {
    enum class What : std::uint8_t {
        Alive,     ///< What is there in the state `range.begin`.
        Kept,      ///< Allocated within the history and still there at its end.
        Allocated  ///< Every allocation by an entry of `range`, however short it was there.
    };
    What what = What::Alive;
    EventRange range{};
};

/// Bytes and blocks of one call stack.
struct StackSum {
    std::uint32_t stack = 0;  ///< Number in DeviceSnapshot::stacks.
    std::int64_t bytes = 0;
    std::uint64_t blocks = 0;
};
/// By stack, those with blocks only, the most bytes first. O(blocks); 10^6 take some milliseconds.
std::vector<StackSum> stackSums(const DeviceSnapshot& snapshot, const StackQuery& query);

/// The frames of all stacks of a device as one tree, from the outermost frame inwards. Constant; its texts are those of
/// the store's rows, which it keeps.
class StackFrames {
public:
    struct Frame {
        std::uint32_t parent = 0;  ///< Before its children; 0 is the root, which has no text.
        std::uint32_t depth = 0;
        std::string_view text;  ///< "FILE(LINE): FUNCTION", or "FUNCTION".
    };
    /// @return Null if cancelled. O(bytes of the stacks' texts).
    static std::shared_ptr<const StackFrames> make(std::shared_ptr<const DeviceSnapshot> snapshot,
                                                   const CancelToken& cancel);

    const std::vector<Frame>& frames() const { return m_frames; }
    /// The innermost frame of a stack; the root for blocks without one.
    std::uint32_t frameOf(std::uint32_t stack) const { return m_innermost[stack]; }
    const DeviceSnapshot& snapshot() const { return *m_snapshot; }

private:
    std::shared_ptr<const DeviceSnapshot> m_snapshot;
    std::vector<Frame> m_frames;
    std::vector<std::uint32_t> m_innermost;
};

/// Frames of StackFrames with blocks: weights are bytes, counts are blocks.
struct StackTree : FrameTree {
    StackQuery query;
};
/// O(blocks + frames log frames).
std::shared_ptr<const StackTree> stackTree(const StackFrames& frames, const StackQuery& query);

/// What a call stack has in two states, of one snapshot or of two.
struct StackChange {
    std::string_view stack;  ///< Lives as long as the rows.
    std::int64_t before = 0, after = 0;
    std::uint64_t blocksBefore = 0, blocksAfter = 0;
    std::int64_t change() const;
};
/// Stacks that have blocks in either, by text; the largest change first, then by text.
std::vector<StackChange> stackChanges(const DeviceSnapshot& before, EventNumber beforeAt, const DeviceSnapshot& after,
                                      EventNumber afterAt);

}  // namespace altiscope
