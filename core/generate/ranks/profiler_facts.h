#pragma once

#include "core/generate/records/allocator_states.h"
#include "core/generate/records/unit_record.h"

#include <string>
#include <string_view>

namespace altiscope::generate {

/// Of a rank's capture: "rank0_ascend_pt", of MindSpore "rank0_ascend_ms".
std::string rankFolder(std::uint32_t rank, Framework framework);

/// The clocks of a rank's host when its profiler starts. Wall time is kBootNs ahead of the monotonic clock.
struct ProfilerStart {
    std::int64_t monotonic = 0;  ///< ns
    std::uint64_t count = 0;     ///< Of the counter, which counts 10 ns.
};
ProfilerStart profilerStart(const Run& run, std::uint32_t rank);
/// Twelve days before: longer than 834 days no program that computes with doubles keeps ns.
inline constexpr std::int64_t kBootNs = 1'735'369'200'217'840'000;

/// Of the host and its name, as databases and raw data have them.
std::string hostUid(std::uint32_t rank);
std::string hostName(std::uint32_t rank);

/// profiler_info_{rank}.json: how the framework's profiler was configured, its clocks, the rank.
/// @param exportTypes  "text", "db" or "text,db".
std::string profilerInfoJson(const Run& run, std::uint32_t rank, std::string_view exportTypes,
                             Framework framework = Framework::Torch);

/// profiler_metadata.json: parallel layout, environment, communication groups of the rank.
std::string profilerMetadataJson(const Run& run, std::uint32_t rank, Framework framework = Framework::Torch);

}  // namespace altiscope::generate
