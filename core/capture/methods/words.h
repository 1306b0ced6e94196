#pragma once

#include <string_view>

namespace altiscope::capture {

// Words and bounds that several methods' tables share. Two tools that number or spell the same thing differently have
// two lists.

/// Of torch_npu, and of MindSpore's dynamic monitor in 2.6 and later.
inline constexpr std::string_view kAicMetrics = "AiCoreNone PipeUtilization ArithmeticUtilization Memory MemoryL0 "
                                                "MemoryUB ResourceConflictRatio L2Cache MemoryAccess";
/// What CANN's own tools are switched by: the profilers of the frameworks are off then, with no more than a warning.
inline constexpr std::string_view kOtherTools = "PROFILING_MODE PROFILER_SAMPLECONFIG";
inline constexpr std::string_view kTextDb = "text db";
inline constexpr std::string_view kOnOff = "on off";
/// Back ends of MindSpeed.
inline constexpr std::string_view kMegatron = "megatron", kFsdp2 = "fsdp2";
inline constexpr std::string_view kSmallLevels = "level_none level0 level1 level2";

}  // namespace altiscope::capture
