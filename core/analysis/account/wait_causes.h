#pragma once

#include "core/analysis/account/candidates.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace altiscope {

/// Finds out which cause made ranks wait for each other, by the replays that remove one after the other. Not
/// thread-safe; what it is made from must outlive it.
class WaitCauses {
public:
    /// Waits of JobAccount::kShortestWait at least, as recorded.
    explicit WaitCauses(const CandidateInput& input);

    bool empty() const { return m_waits.empty(); }
    /// The waits that are left in a replay, in the order of waits(); ns.
    std::vector<std::int64_t> left(const Replay& replay) const;
    /// @param stages  What left() gave after each removal, in their order.
    /// @param causes   Of the removals; shares of their gains go to the waits that they caused.
    /// @param changes  Of each of them.
    std::vector<WaitCause> waits(const std::vector<std::vector<std::int64_t>>& stages,
                                 const std::vector<CauseFacts>& causes,
                                 const std::vector<const std::vector<GraphChange>*>& changes) const;

private:
    struct Wait {
        std::uint32_t member = 0, instance = 0;
        std::size_t step = 0;  // place in JobGraph::steps; none: its number
        std::int64_t recorded = 0;
    };

    /// What waits have of removal and alone, by cause and step.
    using SharedGains = std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>>;

    /// The collective in which a rank waits, and for how long.
    WaitCause describe(const Wait& wait) const;
    /// The ways from the waits to their causes; of those of which none is found the longest slice of the cause.
    void addPaths(const std::vector<CauseFacts>& causes, const std::vector<const std::vector<GraphChange>*>& changes,
                  const std::vector<std::size_t>& causeOf, std::vector<WaitCause>& found) const;
    /// A row of its own for what a cause wins beside waits, so that all rows of a step add up.
    void addRest(const std::vector<CauseFacts>& causes, const SharedGains& shared, std::vector<WaitCause>& found) const;

    const CandidateInput& m_input;
    std::vector<Wait> m_waits;
};

}  // namespace altiscope
