// How long the command palette waits for names of slices: until the first ones are there, and until all are known.
// Usage: bench_names [SLICES] [NAMES] [RANKS]   one JSON object.
#include "core/base/threads/parallel.h"
#include "core/session/find/name_search.h"
#include "core/store/seal/trace_builder.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

using namespace altiscope;

namespace {

constexpr std::uint64_t kTogether = 65536, kTracks = 100;

std::shared_ptr<const TraceStore> makeNamedStore(std::uint64_t slices, std::uint64_t distinct) {
    TraceBuilder builder("bench");
    WorkerArena arena;
    std::shared_ptr<const TraceStore> store;
    arena.run([&] {
        parallelFor((slices + kTogether - 1) / kTogether, [&](std::size_t s) {
            TraceBuilder::Names names(builder);
            Segment segment;
            for (std::uint64_t i = s * kTogether; i < std::min<std::uint64_t>(slices, (s + 1) * kTogether); ++i) {
                const auto track = names.thread("1", std::to_string(i % kTracks));
                const auto name = names.text("aclnnKernel_" + std::to_string((i * 2654435761U) % distinct));
                segment.slices.add(track, static_cast<std::int64_t>(i / kTracks) * 1000, 900, name, names.text("c"),
                                   SourcePos::make(0, i * 200));
            }
            builder.commit(SourcePos::make(0, s * kTogether * 200), std::move(segment));
        });
        Diagnostics diagnostics;
        store = builder.seal("bench", diagnostics, {}).value();
    });
    return store;
}

double msSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t slices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    const std::uint64_t distinct = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 5000;
    const std::uint64_t ranks = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
    auto capture = std::make_shared<CaptureStore>();
    const auto store = makeNamedStore(slices, distinct);
    for (std::uint64_t i = 0; i < ranks; ++i) {
        RankEntry rank;
        rank.trace = store;
        capture->ranks.push_back(std::move(rank));
    }
    std::printf("{\"slices\": %llu, \"names\": %llu, \"ranks\": %llu", static_cast<unsigned long long>(slices),
                static_cast<unsigned long long>(distinct), static_cast<unsigned long long>(ranks));
    for (const char* text : {"kernel", "Kernel_77", "aclnn 999", "nothing"}) {
        const auto begin = std::chrono::steady_clock::now();
        std::optional<double> first;
        const auto found = findNames({capture}, text, 40,
                                     [&](const std::vector<FoundName>&) {
                                         if (!first) first = msSince(begin);
                                     },
                                     {});
        const double whole = msSince(begin);
        std::printf(", \"%s\": {\"found\": %zu, \"first_ms\": %.1f, \"all_ms\": %.1f}", text, found.size(),
                    first.value_or(whole), whole);
    }
    std::printf("}\n");
    return 0;
}
