#pragma once

#include "core/findings/finding.h"

#include <cstddef>
#include <string>
#include <vector>

namespace altiscope {

struct CaptureStore;

/// One of the places that a finding leads to.
struct EvidenceSpot {
    enum class Kind : unsigned char { Slice, Range, Rows };
    Kind kind = Kind::Slice;
    std::size_t place = 0;  ///< In the vector of its kind of FindingEvidence.
    bool operator==(const EvidenceSpot&) const = default;
};

/// In the order in which they are gone through: slices, times, rows; times first where a counter shows it. Gaps beside
/// slices are no places of their own: they are marked around these.
std::vector<EvidenceSpot> evidenceSpots(const FindingEvidence& evidence);

/// Whether the claim is about memory over time, whose curves are on a page of their own.
bool isOfMemory(const FindingEvidence& evidence);
/// The time of a spot that is a range: of growth over several steps the first spot is all of them.
FindingEvidence::Range rangeOfSpot(const FindingEvidence& evidence, std::size_t place);
/// Whether several slices in a row are meant, of which the one that is named is the first.
bool isSequence(const CaptureStore& capture, const FindingEvidence::Slice& spot);
/// The statement that lists the rows.
std::string statementOf(const FindingEvidence::Rows& rows);

}  // namespace altiscope
