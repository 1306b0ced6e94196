#pragma once

#include "core/analysis/kernels/layer_sums.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Memory copies of one rank, stream and direction: the slices MEMCPY_ASYNC on its tracks of the device.
struct CopySums {
    RankIndex rank{};
    TrackIndex track;
    std::string direction;  ///< As recorded ("host to device"); empty if it is not, which is so below Level2.
    std::uint64_t count = 0;
    std::int64_t total = 0, min = 0, max = 0;  ///< ns
    std::uint64_t sized = 0;                   ///< Copies whose size is recorded; the sizes are of these.
    std::int64_t bytes = 0, minBytes = 0, maxBytes = 0;
    std::int64_t sizedTime = 0;         ///< Time of the sized ones, ns.
    std::vector<std::uint32_t> slices;  ///< SliceIndex, ascending.
};

/// By rank, track and direction. Source: core/import/trace/FORMAT.md section 5, core/import/database/FORMAT.md section
/// 3.
/// @return nullopt if cancelled.
/// @note  Any thread; parallel over ranks on the arena. Reads the arguments of the copies from the source.
std::optional<std::vector<CopySums>> copySums(const CaptureStore& capture, const std::vector<RankWindow>& ranks,
                                              const CancelToken& cancel);

}  // namespace altiscope
