// How fast the memory page is on N samples and a tenth as many allocations: reading a rank, the picture of a window
// that moves, and what is alive at a moment. Usage: bench_memory [SAMPLES [WIDTHxHEIGHT]]   prints one JSON object;
// times in ms.
#include "core/base/threads/parallel.h"
#include "core/session/job_runner.h"
#include "core/session/marks.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "core/store/rows/row_builder.h"
#include "views/memory/canvas/curve_canvas.h"
#include "views/memory/data/memory_lines.h"
#include "views/memory/data/rank_memory.h"

#include "core/analysis/memory/memory_allocations.h"

#include <QApplication>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

using Clock = std::chrono::steady_clock;

double msSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double part(std::vector<double> times, double share) {
    std::sort(times.begin(), times.end());
    return times[std::min(times.size() - 1, static_cast<std::size_t>(share * static_cast<double>(times.size())))];
}

constexpr std::int64_t kBegin = 1'715'689'196'000'000'000;
constexpr std::int64_t kApart = 1'300;  // ns between two events of the pools

/// A run as torch_npu tells it: each event of the pool as PTA and as PTA+GE, a few samples of the process, steps that
/// fill and empty the pool.
std::shared_ptr<const RowTables> makeRows(std::size_t samples) {
    RowTablesBuilder builder;
    std::mt19937_64 random(7);
    constexpr RowKind kSample = RowKind::MemorySample, kAllocation = RowKind::Allocation;
    RowBatch batch = builder.batch(kSample);
    const auto sample = [&](const char* component, std::int64_t time, std::int64_t allocated, std::int64_t reserved,
                            bool isPool) {
        batch.addRow();
        batch.setText(fixedColumn(kSample, "component"), component);
        batch.setInteger(fixedColumn(kSample, "ts"), time);
        batch.setInteger(fixedColumn(kSample, "reserved"), reserved);
        if (isPool) {
            batch.setInteger(fixedColumn(kSample, "allocated"), allocated);
            batch.setInteger(fixedColumn(kSample, "active"), allocated + static_cast<std::int64_t>(random() % 4096));
            batch.setInteger(fixedColumn(kSample, "stream"), static_cast<std::int64_t>(random() % 3));
        }
    };
    const std::int64_t step = static_cast<std::int64_t>(std::max<std::size_t>(2, samples / 40));
    for (std::size_t i = 0; i < samples / 2; ++i) {
        const std::int64_t time = kBegin + static_cast<std::int64_t>(i) * kApart,
                           phase = static_cast<std::int64_t>(i) % step;
        const std::int64_t level = (std::int64_t{20} << 30) * std::min(phase, step - phase) / step +
                                   static_cast<std::int64_t>(random() % (std::uint64_t{1} << 28));
        sample("PTA", time, level, std::int64_t{24} << 30, true);
        sample("PTA+GE", time, level + 4096, std::int64_t{25} << 30, true);
        if (i % 1000 == 0) sample("APP", time, 0, std::int64_t{28} << 30, false);
    }
    builder.commit(batch);
    RowBatch allocations = builder.batch(kAllocation);
    for (std::size_t i = 0; i < samples / 10; ++i) {
        const std::int64_t time = kBegin + static_cast<std::int64_t>(i) * 5 * kApart;
        allocations.addRow();
        allocations.setText(fixedColumn(kAllocation, "name"), "aten::operator_" + std::to_string(random() % 400));
        allocations.setInteger(fixedColumn(kAllocation, "size"), static_cast<std::int64_t>(512 * (random() % 100'000)));
        allocations.setInteger(fixedColumn(kAllocation, "alloc_ts"), time);
        if (random() % 100 != 0)
            allocations.setInteger(fixedColumn(kAllocation, "release_ts"),
                                   time + static_cast<std::int64_t>(random() % 40'000'000));
    }
    builder.commit(allocations);
    return builder.seal({}).value();
}

/// Times of frames while a window of a part of the run moves from its begin to its end.
std::vector<double> panned(CurveCanvas& canvas, CurveWindow& window, double share) {
    const TimeRange home = window.window().home();
    const auto length = static_cast<std::int64_t>(static_cast<double>(home.length().value) * share);
    std::vector<double> times;
    constexpr int kFrames = 300;
    for (int i = 0; i < kFrames; ++i) {
        const TimeNs begin = home.begin + DurationNs{(home.length().value - length) / kFrames * i};
        const auto start = Clock::now();
        window.change([&](ViewWindow& view) { view.show({begin, begin + DurationNs{length}}, HistoryMark::Continue); });
        canvas.repaint();
        times.push_back(msSince(start));
    }
    return times;
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t samples = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    int width = 1920, height = 600;
    if (argc > 2 && std::sscanf(argv[2], "%dx%d", &width, &height) != 2) return 2;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    auto capture = std::make_shared<CaptureStore>();
    WorkerArena arena;
    arena.run([&] { capture->ranks.emplace_back().rows = makeRows(samples); });
    std::vector<double> reading, streams, alive;
    std::shared_ptr<const RankMemory> memory;
    arena.run([&] {
        for (int i = 0; i < 5; ++i) {
            auto start = Clock::now();
            memory = rankMemory(capture, {0}, false, {}, {});
            reading.push_back(msSince(start));
            start = Clock::now();
            if (!rankMemory(capture, {0}, true, {}, {})) std::abort();
            streams.push_back(msSince(start));
            start = Clock::now();
            if (!aliveAt(*capture->ranks[0].rows, memory->peak->at, {}, {})) std::abort();
            alive.push_back(msSince(start));
        }
    });
    JobRunner jobs;
    Session session(jobs);
    CurveWindow window;
    CurveCanvas canvas(session, window, CurveCanvas::Values::Bytes, CurveCanvas::Axis::Time);
    CurveCanvas shares(session, window, CurveCanvas::Values::Share, CurveCanvas::Axis::None);
    window.setExtent(memory->reach.data, memory->reach.data, memory->reach.data, memory->reach.data.begin);
    canvas.setLines(memoryLines(memory->set, MemoryGrouping::Overall));
    shares.setLines(fragmentationLines(memory->set, MemoryGrouping::Overall));
    canvas.resize(width, height);
    shares.resize(width, height / 4);
    canvas.show();
    shares.show();
    QApplication::processEvents();
    std::printf("{\"samples\": %zu, \"lines\": %zu, \"read\": %.0f, \"read_by_stream\": %.0f, \"alive\": %.1f", samples,
                canvas.lines().size(), part(reading, 0.5), part(streams, 0.5), part(alive, 0.5));
    for (const double share : {0.95, 0.5, 0.05, 0.001}) {
        const auto frames = panned(canvas, window, share);
        const auto below = panned(shares, window, share);
        std::printf(", \"pan of %g\": {\"p50\": %.1f, \"p99\": %.1f, \"share_p99\": %.1f}", share, part(frames, 0.5),
                    part(frames, 0.99), part(below, 0.99));
    }
    std::printf("}\n");
    return 0;
}
