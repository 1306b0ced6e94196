// What drawing all flows of a trace asks of a worker: launches in order with some distance, and flows whose ends are
// drawn by lot, at zooms from the whole run to some thousand flows.
// Usage: bench_flows [FLOWS]   prints one JSON object with milliseconds; the worst of the zooms.
#include "core/analysis/slices/flow_bundles.h"
#include "core/base/threads/parallel.h"
#include "core/store/seal/trace_builder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace altiscope;

namespace {

constexpr std::uint64_t kSegment = 65536;
constexpr std::int64_t kPeriod = 10'000;  // ns between two launches
constexpr int kWidth = 1920;
constexpr std::size_t kMaxLines = 2500;

/// Numbers without order that are the same in each run.
std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 31)) * 0x9e3779b97f4a7c15ULL;
    return value ^ (value >> 29);
}

void fill(TraceBuilder& builder, std::uint64_t first, std::uint64_t last, std::uint64_t all, bool inOrder) {
    TraceBuilder::Names names(builder);
    Segment segment;
    const auto host = names.thread("1", "1"), device = names.thread("2", "2");
    const auto category = names.text("HostToDevice"), name = names.text("kernel");
    for (std::uint64_t i = first; i < last; ++i) {
        const auto time = static_cast<std::int64_t>(i) * kPeriod;
        const SourcePos pos = SourcePos::make(0, i * 200);
        segment.slices.add(host, time, 3'000, name, name, pos);
        segment.slices.add(device, time + 5'000, 4'000, name, name, SourcePos::make(0, i * 200 + 50));
        const std::uint64_t to = inOrder ? std::min(i + mixed(i) % 200, all - 1) : mixed(i) % all;
        const FlowKey key{0, i};
        segment.flows.push_back({host, FlowPoint::Start, category, time, key, SourcePos::make(0, i * 200 + 100)});
        segment.flows.push_back({device, FlowPoint::Finish, category, static_cast<std::int64_t>(to) * kPeriod + 5'000,
                                 key, SourcePos::make(0, i * 200 + 150)});
    }
    builder.commit(SourcePos::make(0, first * 200), std::move(segment));
}

double since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void measure(std::uint64_t flows, bool inOrder) {
    TraceBuilder builder("bench");
    parallelFor((flows + kSegment - 1) / kSegment, [&](std::size_t s) {
        fill(builder, s * kSegment, std::min<std::uint64_t>(flows, (s + 1) * kSegment), flows, inOrder);
    });
    Diagnostics diagnostics;
    const std::shared_ptr<const TraceStore> trace = builder.seal({"bench"}, diagnostics, {}).value();
    const auto start = std::chrono::steady_clock::now();
    const auto index = FlowIndex::make(trace, {});
    const double make = since(start);
    double worst = 0;
    std::size_t lines = 0;
    std::uint64_t most = 0;
    const std::int64_t all = static_cast<std::int64_t>(flows) * kPeriod;
    for (int zoom = 0; all >> zoom > 1'000 * kPeriod; ++zoom) {
        FlowRequest request{.widthPx = kWidth, .most = kMaxLines, .parts = {}};
        const TimeRange window{{all / 3}, {all / 3 + (all >> zoom)}};
        for (std::uint32_t lane = 0; lane < index->lanes().size(); ++lane)
            request.parts.push_back({index, lane, window, 0, 0, 1});
        const auto began = std::chrono::steady_clock::now();
        const FlowBundles found = bundleFlows(request, {});
        worst = std::max(worst, since(began));
        lines = std::max(lines, found.bundles.size());
        std::uint64_t count = 0;
        for (const FlowBundle& bundle : found.bundles) count += bundle.count;
        most = std::max(most, count);
    }
    std::printf("\"%s\": {\"index_ms\": %.0f, \"worst_ms\": %.2f, \"lines\": %zu, \"flows_in_sight\": %llu}",
                inOrder ? "in_order" : "by_lot", make, worst, lines, static_cast<unsigned long long>(most));
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t flows = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    WorkerArena arena;
    arena.run([&] {
        std::printf("{\"flows\": %llu, ", static_cast<unsigned long long>(flows));
        measure(flows, true);
        std::printf(", ");
        measure(flows, false);
        std::printf("}\n");
    });
    return 0;
}
