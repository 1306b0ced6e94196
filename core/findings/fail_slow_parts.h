#pragma once

#include "core/findings/rule_support.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace altiscope {

/// The clocks of ranks and the links that findings fail_slow explain. Findings of other rules about the same are named
/// as parts of them.
class SlowParts {
public:
    /// @param steps    Places in RankFacts::steps.
    /// @param finding  Index in RuleContext::findings, where it is or will be.
    void addClock(RankIndex rank, const std::vector<std::size_t>& steps, std::size_t finding);
    /// A link that is slow in these steps alone. O(log links).
    void addLink(std::uint32_t recording, std::int64_t source, std::int64_t target, std::size_t finding);

    /// Makes findings `frequency_drop` and `slow_link` that lose nearly all in those steps low, with a note; the
    /// finding fail_slow becomes as severe as they were. Their claims stay, since those add up.
    /// O(findings * log + steps).
    void take(RuleContext& context) const;

private:
    struct Clock {
        std::set<std::size_t> steps;
        std::size_t finding = 0;
    };
    const std::size_t* findingOf(const RuleContext& context, const Finding& part) const;

    std::map<RankIndex, Clock> m_clocks;
    std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, std::size_t> m_links;  // lower rank first
};

}  // namespace altiscope
