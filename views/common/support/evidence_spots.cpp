#include "views/common/support/evidence_spots.h"

namespace altiscope {

std::vector<EvidenceSpot> evidenceSpots(const FindingEvidence& evidence) {
    std::vector<EvidenceSpot> spots;
    for (std::size_t i = 0; i < evidence.slices.size(); ++i) spots.push_back({EvidenceSpot::Kind::Slice, i});
    for (std::size_t i = 0; i < evidence.ranges.size(); ++i) {
        if (!evidence.ranges[i].isGap || evidence.slices.empty()) spots.push_back({EvidenceSpot::Kind::Range, i});
    }
    for (std::size_t i = 0; i < evidence.rows.size(); ++i) spots.push_back({EvidenceSpot::Kind::Rows, i});
    return spots;
}

}  // namespace altiscope
