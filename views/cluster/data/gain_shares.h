#pragma once

#include "core/analysis/support/account_facts.h"
#include "core/analysis/support/capture_facts.h"
#include "core/findings/finding.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace altiscope {

/// What a step of a job would win by removal of some causes: those that one finding claims, or that are alike.
struct GainShare {
    std::vector<std::size_t> causes;     ///< Indexes in JobAccount::causes, the largest gain first.
    std::optional<std::size_t> finding;  ///< That claims them.
    std::int64_t gain = 0;               ///< ns per step, over all steps that are looked at. All of a list add up.
    std::int64_t alone = 0;              ///< The same once everything else is removed.
    std::size_t affectedSteps = 0;       ///< Of these, those that gain anything worth a word (isAffected).
};

/// What the steps of a job could win, the largest share first. @param steps  Indexes in JobAccount::steps; not empty.
/// @param findings  Of the same capture. O(causes * (findings + steps)).
std::vector<GainShare> gainShares(const JobAccount& job, const CaptureFacts& facts, std::span<const Finding> findings,
                                  std::span<const std::size_t> steps);

/// Mean of the times of some steps, ns. @pre There is one at least.
std::int64_t meanOver(std::span<const std::int64_t> times, std::span<const std::size_t> steps);

}  // namespace altiscope
