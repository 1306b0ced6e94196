#pragma once

#include <cstdint>

namespace altiscope {

/// What the colour of a link shows.
enum class LinkMetric : std::uint8_t {
    Bandwidth,  ///< Bytes per ns: size / time.
    Size,       ///< Bytes.
    Time,       ///< ns.
    Count,      ///< Calls.
    Transport,  ///< 1 for the fastest kind that the matrix has, more for slower ones; of several on a link the slowest.
};

}  // namespace altiscope
