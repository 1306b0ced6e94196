// How fast and how large a store is: builds N slices through the builder, seals them, and asks for frames.
// Usage: bench_store [SLICES] [THREADS]   prints one JSON object.
#include "core/analysis/slices/track_window.h"
#include "core/base/threads/parallel.h"
#include "core/store/columns/trace_store.h"
#include "core/store/seal/trace_builder.h"
#include "tests/support/slice_bytes.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <sys/resource.h>

using namespace altiscope;

namespace {

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

constexpr std::uint64_t kTracks = 100;
constexpr std::uint64_t kSegment = 65536;

/// Slices [first, first + kSegment): groups of one outer slice with 15 inner ones on changing tracks, inner ones first
/// as profilers write them.
void fill(TraceBuilder& builder, std::uint64_t first, std::uint64_t last) {
    TraceBuilder::Names names(builder);
    Segment segment;
    for (std::uint64_t i = first; i < last; ++i) {
        const std::uint64_t group = i / 16;
        const auto track = names.thread("1", std::to_string(group % kTracks));
        const auto begin = static_cast<std::int64_t>(group / kTracks) * 20000;
        const auto name = names.text("kernel_" + std::to_string((i * 2654435761U) % 5000));
        const std::uint64_t member = i % 16;
        const std::int64_t start = member == 15 ? begin : begin + static_cast<std::int64_t>(member) * 1000;
        segment.slices.add(track, start, member == 15 ? 16000 : 900, name, names.text("c"),
                           SourcePos::make(0, i * 200));
    }
    builder.commit(SourcePos::make(0, first * 200), std::move(segment));
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t slices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    const unsigned threads = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : std::thread::hardware_concurrency();
    WorkerArena arena(threads);
    arena.run([&] {
        TraceBuilder builder("bench");
        auto start = std::chrono::steady_clock::now();
        parallelFor((slices + kSegment - 1) / kSegment, [&](std::size_t s) {
            fill(builder, s * kSegment, std::min<std::uint64_t>(slices, (s + 1) * kSegment));
        });
        const double filled = secondsSince(start);
        start = std::chrono::steady_clock::now();
        Diagnostics diagnostics;
        const auto store = builder.seal("bench", diagnostics, {}).value();
        const double sealed = secondsSince(start);
        const double peak = peakMegabytes();

        start = std::chrono::steady_clock::now();
        std::size_t items = 0;
        constexpr int kRounds = 20;
        for (int round = 0; round < kRounds; ++round) {
            TimeRange window = store->range();
            window.end.value = window.begin.value + (window.length().value >> round) + 1;
            for (std::uint32_t t = 0; t < store->tracks().size(); ++t) {
                const WindowQuery query{.track = {t}, .window = window, .widthPx = 1920};
                items += queryTrackWindow(*store, query, {}).value().items.size();
            }
        }
        const double frame = secondsSince(start) / kRounds;
        std::printf(
            "{\"slices\": %llu, \"threads\": %u, \"fill_s\": %.3f, \"seal_s\": %.3f, \"bytes_per_slice\": %.2f, "
            "\"peak_mb\": %.0f, \"frame_ms_one_thread\": %.2f, \"frame_items\": %zu}\n",
            static_cast<unsigned long long>(slices), threads, filled, sealed,
            static_cast<double>(test::sliceBytes(*store)) / static_cast<double>(store->sliceCount()), peak, frame * 1e3,
            items / kRounds);
    });
    return 0;
}
