#include "core/store/seal/seal_colours.h"

#include "core/base/columns/raw_array.h"
#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"

#include <algorithm>

namespace altiscope {

namespace {

constexpr std::size_t kPart = std::size_t{1} << 16;

}  // namespace

std::vector<RequestedColour> requestedColours(const SealInput& input, const CancelToken& cancel) {
    std::vector<RequestedColour> colours;
    for (const auto& segment : input.segments) {
        if (cancel.cancelled()) break;
        for (const Segment::Colour& colour : segment->colours)
            colours.push_back({colour.pos, input.texts.finalId[colour.name]});
    }
    // Segments are in file order: mostly nothing is to do.
    const auto earlier = [](const RequestedColour& a, const RequestedColour& b) { return a.pos < b.pos; };
    if (!std::is_sorted(colours.begin(), colours.end(), earlier)) parallelSort(std::span(colours), earlier, cancel);
    return colours;
}

void sealColours(const std::vector<RequestedColour>& colours, TraceColumns& columns, const CancelToken& cancel) {
    if (colours.empty()) return;
    const std::size_t count = columns.pos.size();
    RawArray<StringId> names(count);
    parallelFor((count + kPart - 1) / kPart, [&](std::size_t part) {
        if (cancel.cancelled()) return;
        for (std::size_t i = part * kPart; i < std::min(count, (part + 1) * kPart); ++i) {
            const SourcePos pos = columns.pos[i];
            const auto known =
                std::lower_bound(colours.begin(), colours.end(), pos,
                                 [](const RequestedColour& colour, SourcePos wanted) { return colour.pos < wanted; });
            names[i] = known != colours.end() && known->pos == pos ? known->name : kNoColour;
        }
    });
    columns.colour = std::move(names).toColumn();
}

}  // namespace altiscope
