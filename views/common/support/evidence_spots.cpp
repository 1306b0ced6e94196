#include "views/common/support/evidence_spots.h"

#include "core/session/session.h"

#include <algorithm>

namespace altiscope {

std::vector<EvidenceSpot> evidenceSpots(const FindingEvidence& evidence) {
    std::vector<EvidenceSpot> spots;
    const auto addSlices = [&] {
        for (std::size_t i = 0; i < evidence.slices.size(); ++i) spots.push_back({EvidenceSpot::Kind::Slice, i});
    };
    // A curve shows it best; what it makes slow comes after.
    if (evidence.counter.empty()) addSlices();
    for (std::size_t i = 0; i < evidence.ranges.size(); ++i) {
        if (!evidence.ranges[i].isGap || evidence.slices.empty()) spots.push_back({EvidenceSpot::Kind::Range, i});
    }
    if (!evidence.counter.empty()) addSlices();
    for (std::size_t i = 0; i < evidence.rows.size(); ++i) spots.push_back({EvidenceSpot::Kind::Rows, i});
    return spots;
}

bool isOfMemory(const FindingEvidence& evidence) {
    return std::any_of(evidence.rows.begin(), evidence.rows.end(), [](const FindingEvidence::Rows& rows) {
        return rows.table == "memory_sample" || rows.table == "allocation";
    });
}

FindingEvidence::Range rangeOfSpot(const FindingEvidence& evidence, std::size_t place) {
    FindingEvidence::Range whole = evidence.ranges[place];
    if (place > 0 || !isOfMemory(evidence)) return whole;
    for (const FindingEvidence::Range& range : evidence.ranges) {
        if (range.rank != whole.rank) continue;
        whole.range = {std::min(whole.range.begin, range.range.begin), std::max(whole.range.end, range.range.end)};
    }
    return whole;
}

bool isSequence(const CaptureStore& capture, const FindingEvidence::Slice& spot) {
    const auto& trace = capture.ranks[spot.rank.value].trace;
    const auto slice = trace == nullptr ? std::nullopt : trace->findSlice(spot.slice.id);
    return slice && trace->duration(*slice) < spot.slice.range.length();
}

std::string statementOf(const FindingEvidence::Rows& rows) {
    return "SELECT * FROM " + rows.table + " WHERE " + rows.condition;
}

}  // namespace altiscope
