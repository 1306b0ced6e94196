#pragma once

#include "core/compare/comparison.h"
#include "core/compare/measures.h"
#include "core/compare/statistics.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace altiscope {

/// A difference before it is known whether it is kept; its key is that of a measure.
struct Candidate {
    const MeasureKey* key = nullptr;
    Change change;
    MeanDifference difference = {};     ///< Difference of the means of its steps.
    std::optional<double> probability;  ///< That it is noise.
    std::size_t currentSteps = 0;       ///< Steps of which it is known on the current side.
    double waiting = 0;                 ///< For a collective: how much of the change is time in which no data moves.
    Difference::Side onlyIn = Difference::Side::Both;
    std::vector<std::int64_t> baseRanks = {}, currentRanks = {};  ///< As Difference.
    std::optional<StepsApart> apart = {};                         ///< As Difference.
    std::optional<std::size_t> cause = {};                        ///< Place of the one that explains it,
    const MeasureKey* causeKey = nullptr;                         ///< and its key.
};

/// Names for each difference beyond its own noise the significant one that explains it, by place, and makes those that
/// have one insignificant: what is left of them is noise. A difference is explained where three quarters of its change
/// follow from the other one, or half of it and the rest is noise. What explains what:
///
/// - a kernel: its type, of which it makes the most; else the type: its kernels;
/// - a kernel or a type of kernels: computing, but of no rank that changed by clearly more than the others;
/// - computing: its kernels and types, where many of them changed alike and none explains it;
/// - an operator or a call of the host that makes most of what the host takes longer: free time, what is prepared
///   before a step, and what others wait for it meanwhile;
/// - free time: operators and calls of the host, where many of them take longer, as most of that is hidden;
/// - computing and free time of a rank: the exposed communication of those that wait for it meanwhile, which are the
///   ranks that became longer by less; in a pipeline the bubble of all others;
/// - a link that changed more than those like it: the exposed communication of all that wait for it, and its other
///   direction where that changed alike, but no other link;
/// - exposed communication: collectives, and links that changed no more than others;
/// - any part of a step: calls of the host that wait for the device on both sides, by no more than parts and host
///   changed;
/// - memory that grows by more in each step: its peaks, and what is reserved for it;
/// - the mean of the ranks: those that changed as the mean did and not by clearly more than the others; these: the
///   mean.
///
/// O(differences * (log + links that changed more)).
void explainByCauses(std::vector<Candidate>& candidates);

}  // namespace altiscope
