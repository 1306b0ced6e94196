#pragma once

#include "core/analysis/account/candidates.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// Follows a late arrival back to what made it late: along what each task waited for longest, over the ranks between.
/// Not thread-safe; what it is made from must outlive it. O(nodes) memory.
class WaitPaths {
public:
    /// @param recorded  A replay of what was recorded.
    WaitPaths(const CandidateInput& input, const Replay& recorded);

    /// Paths from here on lead to the first place that these changes make shorter. O(nodes + changes).
    void setCause(const std::vector<GraphChange>& changes, const std::vector<CauseSlice>& slices);
    /// From the last arrival of a collective back. A rank that itself waited on the way is a hop, with its collective
    /// and how long it waited; the last entry is what the cause made longer. Empty where the way leads nowhere.
    /// All paths of a cause together are O(nodes).
    std::vector<CauseSlice> pathOf(std::uint32_t instance);

private:
    /// Where the way back from a node leads.
    struct Way {
        std::uint32_t cause = kNoNode;    ///< Node that is changed; kNoNode: none on this way.
        std::int64_t from = 0;            ///< What it waited for ended then.
        std::uint32_t before = kNoNode;   ///< Else the collective in which the rank waited.
        std::uint32_t waiting = kNoNode;  ///< The member that waited there.
    };
    /// The way that leads to the last arrival of a collective. Ways that meet are walked once.
    Way wayBefore(std::uint32_t instance);
    Way walkFrom(std::uint32_t node, std::vector<std::uint32_t>& walked) const;
    /// ns by which a node would start earlier if it did not wait for what some edges of its say.
    std::int64_t waitFor(std::uint32_t node, const std::vector<std::uint32_t>& edges) const;
    std::uint32_t lateMember(std::uint32_t instance) const;
    CauseSlice sliceOf(std::uint32_t member) const;
    CauseSlice causeSlice(const Way& way) const;

    const CandidateInput& m_input;
    const Replay& m_recorded;
    std::vector<std::uint32_t> m_instanceOf;  // by node of a group
    std::vector<std::uint32_t> m_memberOf;    // by node of a departure
    std::vector<RankIndex> m_rankOf;          // by node
    std::vector<SliceIndex> m_sliceOf;        // by node
    std::vector<std::int64_t> m_changed;      // by node: ns by which it or what it waits for is shorter
    std::vector<Way> m_ways;
    std::vector<std::uint32_t> m_wayOf;  // by node: index in m_ways; kNoNode: not walked yet
    const std::vector<CauseSlice>* m_slices = nullptr;
};

}  // namespace altiscope
