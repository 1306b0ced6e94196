#pragma once

#include "core/base/columns/string_pool.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

namespace altiscope {

/// Number of a call stack while reading, see CallStackPool.
using ProvisionalStack = std::uint32_t;

/// The different call stacks of a rank as a tree: those that begin with the same outer frames share them, and operators
/// are called from few places. A stack is the node of its innermost frame.
class CallStackPool {
public:
    /// The empty stack, root of the tree.
    static constexpr ProvisionalStack kNoStack = 0;
    /// Frames of one stack; what it has more of at its inner end is not kept.
    static constexpr std::size_t kMaxFrames = 512;
    /// Frames of the tree, and bytes of their texts. Millions of different frames are in broken or hostile files only.
    static constexpr std::size_t kMaxNodes = std::size_t{1} << 21;
    static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

    struct Node {
        ProvisionalStack parent = kNoStack;
        std::uint32_t depth = 0;  ///< 1 of an outermost frame, 0 of the root.
        std::uint32_t frame = 0;  ///< Number of its text in frames().
    };

    CallStackPool() : m_cache(m_frames) {}

    /// The number of a stack. Empty frames do not count.
    /// @param frames  UTF-8, outermost first.
    /// @return kNoStack of an empty stack, and of any once the tree is full. Thread-safe. O(frames).
    ProvisionalStack id(std::span<const std::string_view> frames);

    /// All nodes so far, parents before their children; empty once the tree was full, so that what comes of it does not
    /// depend on which stack came first. Thread-safe.
    std::vector<Node> nodes() const;
    /// Texts of frames by number; they live as long as the pool. Thread-safe.
    std::vector<std::string_view> frames() const { return m_frames.texts(); }
    /// Whether there was more than the tree may hold. Thread-safe.
    bool isFull() const;
    /// Whether a stack had more than kMaxFrames. Thread-safe.
    bool isCut() const;

private:
    struct Place {
        std::uint64_t key = 0;  // parent and frame; 0: free, because no frame is the empty text
        ProvisionalStack node = 0;
    };
    ProvisionalStack child(ProvisionalStack parent, std::string_view frame);
    Place& placeOf(std::uint64_t key);
    void grow();

    SharedStringPool m_frames;
    mutable std::mutex m_mutex;  // guards everything below
    SharedStringPool::Cache m_cache;
    std::vector<Node> m_nodes = std::vector<Node>(1);
    std::vector<Place> m_places;  // open addressing, power of two
    std::size_t m_bytes = 0;
    bool m_isFull = false;
    bool m_isCut = false;
};

}  // namespace altiscope
