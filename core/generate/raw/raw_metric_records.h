#pragma once

#include "core/generate/records/unit_record.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace altiscope::generate {

/// Events that the slots of records count: the switches of the collection. Source:
/// core/import/raw_records/FORMAT.md.
inline constexpr std::string_view kRawCubeGroup = "PipeUtilizationExct", kRawVectorGroup = "PipeUtilization";
inline constexpr std::string_view kRawCubeEvents = "0x416,0x417,0x9,0x302,0xc,0x303,0x54,0x55";
inline constexpr std::string_view kRawVectorEvents = "0x8,0xa,0x9,0xb,0xc,0xd,0x54,0x55";

/// A kernel as ffts_profile names it.
struct RawMetricTask {
    const DeviceWork& work;
    std::uint16_t stream = 0;
    std::uint64_t begin = 0, end = 0;  ///< Device counter.
};

/// Adds what the counters of the cores saw of a kernel; nothing for kernels that no core runs. Of a mixed kernel a
/// second record is of the other kind of core.
void addRawMetrics(const Run& run, std::uint32_t rank, const RawMetricTask& task, DurationNs duration,
                   std::string& records);

}  // namespace altiscope::generate
