// How fast a selection tells its statistics: sums, then percentiles, of N slices on the tracks of a rank, nested and
// parallel. Usage: bench_selection [SLICES]   prints one JSON object with milliseconds.
#include "core/analysis/slices/selection_statistics.h"
#include "core/base/threads/parallel.h"
#include "core/store/seal/trace_builder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace altiscope;

namespace {

constexpr std::uint64_t kTracks = 40, kNames = 5000, kNested = 8;
constexpr std::int64_t kPeriod = 20'000;  // ns, of one outer slice with what is nested in it

/// Outer slices with seven in them, four levels deep; lengths vary, names repeat unevenly.
void fill(TraceBuilder& builder, std::uint64_t first, std::uint64_t last) {
    TraceBuilder::Names names(builder);
    Segment segment;
    for (std::uint64_t i = first; i < last; ++i) {
        const std::uint64_t outer = i / kNested, level = i % kNested;
        const std::uint64_t mixed = (i * 0x9e3779b97f4a7c15U) >> 40U;
        const auto jitter = static_cast<std::int64_t>(mixed % 2000);
        const std::int64_t begin = static_cast<std::int64_t>(outer / kTracks) * kPeriod +
                                   static_cast<std::int64_t>(level) * 2200 +
                                   static_cast<std::int64_t>(outer % kTracks) * 77;
        const std::int64_t length = level == 0       ? kPeriod - 1000 - jitter
                                    : level % 2 == 1 ? 3000 + jitter / 4
                                                     : 300 + jitter / 4;
        const std::uint64_t name = mixed % (level == 0 ? kNames : kNames / (1 + level));
        segment.slices.add(names.thread("1", std::to_string(outer % kTracks)), begin, length,
                           names.text("op_" + std::to_string(name)), names.text("cpu_op"), SourcePos::make(0, i * 200));
    }
    builder.commit(SourcePos::make(0, first * 200), std::move(segment));
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t slices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    WorkerArena arena;
    arena.run([&] {
        TraceBuilder builder("bench");
        constexpr std::uint64_t kSegment = 65536;
        parallelFor((slices + kSegment - 1) / kSegment, [&](std::size_t s) {
            fill(builder, s * kSegment, std::min<std::uint64_t>(slices, (s + 1) * kSegment));
        });
        auto capture = std::make_shared<CaptureStore>();
        capture->ranks.emplace_back().trace = builder.seal({"bench"}, capture->diagnostics, {}).value();
        // A range that cuts slices, and leaves next to none out.
        const TimeRange all = capture->ranks[0].trace->range();
        const SliceSelection selection =
            everySlice(capture, TimeRange{{all.begin.value + 5000}, {all.end.value - 5000}});
        double sums = 1e9, complete = 1e9;
        std::uint64_t count = 0;
        for (int run = 0; run < 5; ++run) {
            const auto start = std::chrono::steady_clock::now();
            const auto passed = [&] {
                return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
            };
            const auto result = selectionStatistics(
                selection, [&](const SelectionStatistics&) { sums = std::min(sums, passed()); }, {});
            complete = std::min(complete, passed());
            count = result.value().all.count;
        }
        std::printf("{\"slices\": %llu, \"sums_ms\": %.0f, \"complete_ms\": %.0f}\n",
                    static_cast<unsigned long long>(count), sums, complete);
    });
    return 0;
}
