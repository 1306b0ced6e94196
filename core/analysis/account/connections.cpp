#include "core/analysis/account/connections.h"

#include "core/analysis/support/argument_value.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <numeric>

namespace altiscope {

namespace {

/// Neighbours in the source are read together.
constexpr std::size_t kArgumentsAtOnce = 4096;

}  // namespace

std::vector<std::int64_t> connectionsOf(const RankEntry& rank, const std::vector<SliceIndex>& slices,
                                        const CancelToken& cancel) {
    return argumentNumbers(rank, slices, "\"connection_id\"", cancel);
}

std::vector<std::int64_t> argumentNumbers(const RankEntry& rank, const std::vector<SliceIndex>& slices,
                                          std::string_view quotedKey, const CancelToken& cancel) {
    std::vector<std::int64_t> connections(slices.size(), kNoConnection);
    if (rank.arguments == nullptr || slices.empty()) return connections;
    const TraceStore& trace = *rank.trace;
    rank.arguments->prepare(trace.pos(slices.front()), cancel);
    std::vector<std::uint32_t> order(slices.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return trace.pos(slices[a]) < trace.pos(slices[b]); });
    parallelFor((order.size() + kArgumentsAtOnce - 1) / kArgumentsAtOnce, [&](std::size_t part) {
        if (cancel.cancelled()) return;
        const std::size_t first = part * kArgumentsAtOnce, last = std::min(order.size(), first + kArgumentsAtOnce);
        std::vector<SourcePos> positions;
        positions.reserve(last - first);
        for (std::size_t i = first; i < last; ++i) positions.push_back(trace.pos(slices[order[i]]));
        rank.arguments->each(positions, [&](std::size_t i, const Result<std::string_view>& text) {
            if (!text.ok()) return;
            if (const auto number = wholeNumber(valueAfter(text.value(), quotedKey)))
                connections[order[first + i]] = *number;
        });
    });
    return connections;
}

}  // namespace altiscope
