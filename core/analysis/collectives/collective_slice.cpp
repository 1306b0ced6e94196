#include "core/analysis/collectives/collective_slice.h"

#include "core/analysis/steps/device_activity.h"

#include <cstdlib>

namespace altiscope {

std::optional<SliceIndex> collectiveSlice(const TraceStore& trace, std::string_view name, std::optional<TimeNs> near) {
    const auto wanted = trace.texts().find(name);
    if (!wanted) return std::nullopt;
    std::optional<SliceIndex> best;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (!isGroupTrack(trace.tracks()[t])) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            if (trace.nameId({i}) != *wanted) continue;
            const auto distance = [&](SliceIndex slice) {
                return near ? std::abs((trace.begin(slice) - *near).value) : trace.begin(slice).value;
            };
            if (!best || distance({i}) < distance(*best)) best = SliceIndex{i};
        }
    }
    return best;
}

}  // namespace altiscope
