#pragma once

#include "core/base/values/cancel.h"
#include "core/import/raw_host/raw_host.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace altiscope::reader {

/// By begin, then outer levels first. After a cancel they are all there, in any order.
void sortRawCalls(std::vector<RawCall>& calls, const CancelToken& cancel);

/// A call of the tree of its thread.
struct RawCallNode {
    std::uint64_t begin, end;  ///< Counts of the host.
    std::size_t call;          ///< Number in RawHost::calls.
    std::int64_t parent;       ///< -1: none.
    std::uint16_t level;
};

/// Which calls lie in which: of each thread those of the levels acl, model, node and communication.
/// Source: FORMAT.md.
class RawCallTree {
public:
    /// Who looks for nodes: where it found the last one of a thread, near to which the next one is mostly.
    class Search {
        friend class RawCallTree;
        struct Thread {
            std::size_t first = 0, last = 0, place = 0;  // its nodes, and those that had begun
        };
        std::unordered_map<std::uint32_t, Thread> m_threads;
        std::uint32_t m_lastThread = 0;
        Thread* m_last = nullptr;
    };

    /// @param calls  Sorted by sortRawCalls. After a cancel some of them are in no tree.
    void build(const std::vector<RawCall>& calls, const CancelToken& cancel);
    std::size_t size() const { return m_nodes.size(); }
    /// Calls that should be in a tree and are not: they overlap a part of one of their level and thread, or lie too
    /// deep. Those that lie within one of their level are in none by rule.
    std::uint64_t excluded() const { return m_excluded; }
    const RawCallNode& operator[](std::int64_t node) const { return m_nodes[static_cast<std::size_t>(node)]; }
    /// The innermost call of a thread with begin < time <= end; -1: there is none.
    std::int64_t deepest(std::uint32_t thread, std::uint64_t time, Search& search) const;
    /// The innermost or the outermost of the calls of a level around a time; -1: there is none.
    std::int64_t nodeAt(std::uint32_t thread, std::uint64_t time, std::uint16_t level, bool isOutermost,
                        Search& search) const;

private:
    std::uint64_t m_excluded = 0;
    std::vector<RawCallNode> m_nodes;  // of one thread one after the other
    std::unordered_map<std::uint32_t, std::pair<std::size_t, std::size_t>> m_threads;  // its nodes
};

}  // namespace altiscope::reader
