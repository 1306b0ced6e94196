#include "core/generate/records/kernel_metrics.h"

#include "core/generate/support/noise.h"

#include <algorithm>
#include <array>
#include <span>

namespace altiscope::generate {

namespace {

/// Typical shares of the pipes of a core, in 1/1000 of its time.
constexpr std::array<std::uint32_t, 5> kCubePipes{720, 180, 610, 830, 90};  ///< mac, scalar, mte1, mte2, fixpipe
constexpr std::array<std::uint32_t, 4> kVectorPipes{260, 110, 540, 480};    ///< vec, scalar, mte2, mte3

struct CoreRun {
    std::int64_t ns;
    std::int64_t mhz;
    std::uint32_t blocks;
};

CoreMetrics coreMetrics(const CoreRun& ran, std::span<const std::uint32_t> pipes, Noise& noise) {
    const std::int64_t coreNs = ran.ns;
    CoreMetrics core{coreNs, coreNs * ran.mhz / 1000 * ran.blocks, {}, 0};
    for (const std::uint32_t pipe : pipes) {
        const std::int64_t share = coreNs == 0 ? 0 : std::min<std::int64_t>(noise.hostTime(pipe), 999);
        core.pipes.push_back({coreNs * share / 1000, share});
    }
    core.cacheMisses = coreNs == 0 ? 0 : noise.below(40);
    return core;
}

}  // namespace

std::optional<KernelMetrics> kernelMetrics(const Run& run, std::uint32_t rank, const DeviceWork& work,
                                           DurationNs duration) {
    const KernelSpec& kernel = run.program.kernels[work.task->index];
    if (kernel.core == CoreKind::Random || kernel.core == CoreKind::AiCpu) return std::nullopt;
    Noise noise(mixedKey({run.plan.seed, rank, work.connection}));
    // A kernel's cores work a little shorter than its task lasts.
    const std::int64_t busy = duration.value * 97 / 100;
    const bool cube = kernel.core == CoreKind::Cube || kernel.core == CoreKind::MixCube;
    const bool vector = kernel.core != CoreKind::Cube;
    KernelMetrics metrics;
    metrics.cube = coreMetrics({cube ? busy : 0, work.mhz, kernel.blockDim}, kCubePipes, noise);
    metrics.vector = coreMetrics({vector ? busy : 0, work.mhz, 40}, kVectorPipes, noise);
    if (cube) metrics.cubeUtilization = std::min<std::int64_t>(noise.hostTime(78'000), 99'000);
    return metrics;
}

std::uint32_t mixBlockDim(const KernelSpec& kernel) { return kernel.core == CoreKind::MixCube ? 40 : 0; }

std::string_view coreName(CoreKind core) {
    switch (core) {
    case CoreKind::Cube: return "AI_CORE";
    case CoreKind::Vector: return "AI_VECTOR_CORE";
    case CoreKind::MixCube: return "MIX_AIC";
    case CoreKind::MixVector: return "MIX_AIV";
    case CoreKind::Random: return "DSA_SQE";
    case CoreKind::AiCpu: return "AI_CPU";
    }
    return {};
}

}  // namespace altiscope::generate
