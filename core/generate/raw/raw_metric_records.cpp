#include "core/generate/raw/raw_metric_records.h"

#include "core/generate/records/kernel_metrics.h"
#include "core/trace/raw/raw_layouts.h"

#include <array>

namespace altiscope::generate {

namespace {

constexpr std::size_t kSlots = 8;
constexpr std::int64_t kShareOfAll = 1000;
/// Fetches of instructions that misses are counted in.
constexpr std::uint64_t kFetches = 1000;

std::uint64_t cyclesOf(const CoreMetrics& core, const PipeMetric& pipe) {
    return static_cast<std::uint64_t>((core.cycles * pipe.share + kShareOfAll / 2) / kShareOfAll);
}

/// By the lists of events above.
std::array<std::uint64_t, kSlots> cubeSlots(const CoreMetrics& core) {
    const auto pipe = [&](std::size_t i) { return cyclesOf(core, core.pipes[i]); };
    return {pipe(0), 0, pipe(1), pipe(2), pipe(3), pipe(4), kFetches, static_cast<std::uint64_t>(core.cacheMisses)};
}
std::array<std::uint64_t, kSlots> vectorSlots(const CoreMetrics& core) {
    const auto pipe = [&](std::size_t i) { return cyclesOf(core, core.pipes[i]); };
    return {pipe(0), 0, pipe(1), 0, pipe(2), pipe(3), kFetches, static_cast<std::uint64_t>(core.cacheMisses)};
}

}  // namespace

void addRawMetrics(const Run& run, std::uint32_t rank, const RawMetricTask& task, DurationNs duration,
                   std::string& records) {
    static constexpr std::uint16_t kWhole = 0x28, kBlock = 0x29, kFftsPlus = 4U << 13U, kVectorTask = 1U << 13U;
    static constexpr std::uint8_t kMixCube = 6, kMixVector = 7;
    const auto metrics = kernelMetrics(run, rank, task.work, duration);
    if (!metrics) return;
    const KernelSpec& kernel = run.program.kernels[task.work.task->index];
    const bool isMixed = kernel.core == CoreKind::MixCube || kernel.core == CoreKind::MixVector,
               isCube = kernel.core == CoreKind::Cube || kernel.core == CoreKind::MixCube;
    const auto add = [&](std::uint16_t function, bool isCubeCore) {
        const CoreMetrics& core = isCubeCore ? metrics->cube : metrics->vector;
        RawRecordBytes<kRawFftsProfile> bytes;
        bytes.set<"function">(function)
            .set<"stream">(task.stream)
            .set<"task">(static_cast<std::uint16_t>(task.work.taskId))
            .set<"cycles">(static_cast<std::uint64_t>(core.cycles))
            .set<"begin">(task.begin)
            .set<"end">(task.end);
        if (isMixed) {
            const unsigned ofVector = function == kBlock && !isCubeCore ? 1U : 0U;
            bytes.set<"subtype">(isCube ? kMixCube : kMixVector)
                .set<"ffts">(static_cast<std::uint16_t>(kFftsPlus | ofVector));
        } else if (!isCubeCore) {
            bytes.set<"ffts">(kVectorTask);
        }
        const std::array<std::uint64_t, kSlots> slots = isCubeCore ? cubeSlots(core) : vectorSlots(core);
        for (std::size_t i = 0; i < kSlots; ++i) bytes.setAt<"counters">(i, slots[i]);
        records += bytes.bytes();
    };
    add(kWhole, isCube);
    if (kernel.core == CoreKind::MixCube) add(kBlock, false);
}

}  // namespace altiscope::generate
