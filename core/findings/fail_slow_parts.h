#pragma once

#include "core/findings/fail_slow.h"
#include "core/findings/rule_support.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope {

/// The clocks, kernels and hosts of ranks, and the links, that findings fail_slow are about. Findings of other rules
/// about the same are named as parts of them.
class SlowParts {
public:
    /// @param steps    Places in RankFacts::steps in which the rank itself is slow: by its clock, by other kernels, or
    ///                 by its host.
    /// @param finding  Index in RuleContext::findings, where it is or will be.
    void addRank(SlowCause cause, RankIndex rank, const std::vector<std::size_t>& steps, std::size_t finding);
    /// A link that is slow in these steps alone. O(log links).
    void addLink(std::uint32_t recording, std::int64_t source, std::int64_t target, std::size_t finding);

    /// Makes findings that lose nearly all in those steps low, with a note: `frequency_drop`, `slow_rank`,
    /// `slow_launches`, `free_time` and `slow_link`. The finding fail_slow becomes as severe as they were. Their claims
    /// stay, since those add up.
    /// O(findings * log + ranks * steps).
    void take(RuleContext& context) const;

private:
    /// The part of a rank that is slow.
    enum class Part : std::uint8_t { Clock, Kernels, Host };
    struct Stretch {
        std::set<std::size_t> steps;
        std::size_t finding = 0;
    };
    const std::size_t* findingOf(const RuleContext& context, const Finding& part) const;

    std::map<std::pair<RankIndex, Part>, Stretch> m_ranks;
    std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, std::size_t> m_links;  // lower rank first
};

}  // namespace altiscope
