#pragma once

#include "core/store/columns/trace_store.h"
#include "core/store/seal/seal.h"

#include <vector>

namespace altiscope {

/// Colour that the source asks for a slice.
struct RequestedColour {
    SourcePos pos;  ///< Position of the slice.
    StringId name;
};

/// Colours of all segments, by position. Must be called before the slices are taken out of them.
std::vector<RequestedColour> requestedColours(const SealInput& input, const CancelToken& cancel);

/// Fills TraceColumns::colour; needs the slice columns. Nothing is done if the source requests no colour; else O(slices
/// * log colours), parallel over slices; cancelled, the colours are not to be used.
void sealColours(const std::vector<RequestedColour>& colours, TraceColumns& columns, const CancelToken& cancel);

}  // namespace altiscope
