#pragma once

#include "core/generate/records/unit_record.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope::generate {

struct PipeMetric {
    std::int64_t ns = 0;
    std::int64_t share = 0;  ///< Of the core's time, 1/1000.
};

/// What the counters of one kind of core saw of a kernel. A core that did not run has zeros.
struct CoreMetrics {
    std::int64_t ns = 0;
    std::int64_t cycles = 0;
    std::vector<PipeMetric> pipes;  ///< Cube: mac, scalar, mte1, mte2, fixpipe. Vector: vec, scalar, mte2, mte3.
    std::int64_t cacheMisses = 0;   ///< Of the instruction cache, 1/1000.
};

struct KernelMetrics {
    CoreMetrics cube;
    CoreMetrics vector;
    std::int64_t cubeUtilization = 0;  ///< 1/1000 percent.
};

/// Counters of a kernel with the metric PipeUtilization; nullopt for kernels that no core runs.
/// @param work  Of kind Kernel. @param duration  As it is printed.
std::optional<KernelMetrics> kernelMetrics(const Run& run, std::uint32_t rank, const DeviceWork& work,
                                           DurationNs duration);

/// `Mix Block Dim`: cores of the other kind that a mixed kernel uses.
std::uint32_t mixBlockDim(const KernelSpec& kernel);

/// `Accelerator Core` of the summary files: "AI_VECTOR_CORE".
std::string_view coreName(CoreKind core);

}  // namespace altiscope::generate
