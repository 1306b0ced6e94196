#pragma once

#include "core/findings/finding.h"

#include <cstddef>
#include <vector>

namespace altiscope {

/// One of the places that a finding leads to.
struct EvidenceSpot {
    enum class Kind : unsigned char { Slice, Range, Rows };
    Kind kind = Kind::Slice;
    std::size_t place = 0;  ///< In the vector of its kind of FindingEvidence.
    bool operator==(const EvidenceSpot&) const = default;
};

/// In the order in which they are gone through: slices, times, rows. Gaps beside slices are no places of their own:
/// they are marked around these.
std::vector<EvidenceSpot> evidenceSpots(const FindingEvidence& evidence);

}  // namespace altiscope
