#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/store/seal/seal.h"
#include "core/trace/track.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope {

/// The tracks of a store in display order, and where each provisional one went.
struct SealedTracks {
    static constexpr std::uint32_t kHidden = 0xffffffffU;

    std::vector<Track> tracks;
    std::vector<std::uint32_t> indexOf;  ///< By ProvisionalTrack; kHidden for tracks on which only flow points lie.
};

/// Events on a track.
struct TrackUse {
    bool isShown = false;    ///< Slices, instants or samples.
    bool hasPython = false;  ///< Slices of a framework category (cpu_op, python_function ...).
    bool hasMarks = false;   ///< Starts of the flows that lead from marks of the program (mstx) to the device.
};

/// Names, classifies, numbers and orders the tracks that hold anything to show.
/// Order: process sort index, process name, pid, threads before counters, thread sort index, name, tid.
/// @param use  By ProvisionalTrack.
/// Cancelled, the tracks are not to be used.
SealedTracks sealTracks(const SealInput& input, const std::vector<TrackUse>& use, std::string_view file,
                        Diagnostics& diagnostics, const CancelToken& cancel);

}  // namespace altiscope
