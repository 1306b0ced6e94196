#pragma once

#include "core/store/columns/trace_store.h"

#include <cstdint>

namespace altiscope {

/// Calls take(child) for each slice whose parent this is, by depth and time, until it returns false. Children stand on
/// the track of their parent, deeper, and within its time. O(log slices, and what else runs deeper in that time).
/// @return False if `take` did so.
template <class Take>
bool eachChild(const TraceStore& store, SliceIndex parent, const Take& take) {
    const DepthRun& own = store.runOf(parent);
    for (const DepthRun& run : store.runs(TrackIndex{own.track})) {
        if (run.depth <= own.depth) continue;
        for (std::uint32_t i = store.firstBeginningAt(run, store.begin(parent)); i < run.first + run.count; ++i) {
            if (store.begin({i}) > store.end(parent)) break;
            if (store.parent({i}) == parent && !take(SliceIndex{i})) return false;
        }
    }
    return true;
}

}  // namespace altiscope
