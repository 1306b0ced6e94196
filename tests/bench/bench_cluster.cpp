// How fast the page Cluster is: RANKS ranks x STEPS steps of which only cluster results are there. What opening it
// waits for, another step in the filter of all pages, another colour, and pictures while panning at four zooms.
// Before that, 10^6 rows of collectives over 256 ranks: pairing them, and who came how late to whom.
// Usage: bench_cluster [RANKS [STEPS]]   prints two JSON objects; times in ms.
#include "core/base/threads/parallel.h"
#include "core/session/job_runner.h"
#include "core/session/session.h"
#include "core/store/rows/row_builder.h"
#include "views/cluster/canvas/rank_canvas.h"
#include "views/cluster/data/cluster_tables.h"
#include "views/cluster/panels/rank_picture.h"

#include <QApplication>
#include <QKeyEvent>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
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

std::shared_ptr<const RowTables> makeRows(std::uint32_t rank, std::int64_t steps) {
    constexpr RowKind K = RowKind::StepBreakdown;
    RowTablesBuilder builder;
    std::mt19937 random(rank);
    RowBatch batch = builder.batch(K);
    for (std::int64_t step = 0; step < steps; ++step) {
        const auto noise = [&](std::int64_t ns) { return ns + static_cast<std::int64_t>(random() % 100'000); };
        const std::int64_t computing = noise(rank == 17 ? 60'000'000 : 50'000'000), exposed = noise(4'000'000);
        batch.addRow();
        batch.setInteger(fixedColumn(K, "step"), step);
        batch.setText(fixedColumn(K, "origin"), "recorded");
        batch.setInteger(fixedColumn(K, "computing"), computing);
        batch.setInteger(fixedColumn(K, "communication"), exposed + 1'000'000);
        batch.setInteger(fixedColumn(K, "not_overlapped"), exposed);
        batch.setInteger(fixedColumn(K, "overlapped"), 1'000'000);
        batch.setInteger(fixedColumn(K, "free"), noise(2'000'000));
        batch.setInteger(fixedColumn(K, "bubble"), 0);
    }
    builder.commit(batch);
    return builder.seal({}).value();
}

/// Eight by eight of tp and pp, whatever dp that makes.
std::shared_ptr<const CaptureStore> makeCapture(std::uint32_t ranks, std::int64_t steps) {
    auto capture = std::make_shared<CaptureStore>();
    capture->ranks.resize(ranks);
    const std::string dp = std::to_string(ranks / 64);
    parallelFor(ranks, [&](std::size_t r) {
        RankEntry& entry = capture->ranks[r];
        entry.info.rankId = static_cast<std::int64_t>(r);
        entry.info.metadata = {{"distributed_args.tensor_model_parallel_size", "8"},
                               {"distributed_args.pipeline_model_parallel_size", "8"},
                               {"distributed_args.data_parallel_size", dp},
                               {"distributed_args.context_parallel_size", "1"},
                               {"distributed_args.world_size", std::to_string(ranks)}};
        entry.rows = makeRows(static_cast<std::uint32_t>(r), steps);
        for (std::int64_t step = 0; step < steps; ++step) entry.steps.push_back({step, std::nullopt, false});
    });
    return capture;
}

/// A rank of 256: collectives in turn with the seven beside it and with the 31 at its place elsewhere, each of which
/// ends together on all of them; clocks are apart.
std::shared_ptr<const RowTables> makeCollectives(std::uint32_t rank, std::uint32_t count) {
    constexpr RowKind K = RowKind::Collective;
    RowTablesBuilder builder;
    std::mt19937 random(rank);
    RowBatch batch = builder.batch(K);
    const std::int64_t clock = std::int64_t{rank} * 1'234'567;
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool isInner = i % 2 == 0;
        const std::uint32_t group = isInner ? rank / 8 : 1000 + rank % 8;
        std::mt19937 common(group * 100'003 + i);
        const std::int64_t end = std::int64_t{i} * 300'000 + static_cast<std::int64_t>(common() % 200'000);
        const std::int64_t elapsed = 20'000 + static_cast<std::int64_t>(random() % 60'000) - (rank == 17 ? 15'000 : 0);
        batch.addRow();
        batch.setInteger(fixedColumn(K, "step"), i / 40);
        batch.setText(fixedColumn(K, "origin"), "recorded");
        batch.setText(fixedColumn(K, "group_name"), "group_" + std::to_string(group));
        batch.setText(fixedColumn(K, "op_name"), "hcom_allReduce__123_" + std::to_string(i) + "_1");
        batch.setText(fixedColumn(K, "kind"), "collective");
        batch.setInteger(fixedColumn(K, "ts"), clock + end - elapsed);
        batch.setInteger(fixedColumn(K, "elapsed"), elapsed);
        batch.setInteger(fixedColumn(K, "wait"), elapsed / 2);
        batch.setInteger(fixedColumn(K, "synchronization"), elapsed / 4);
    }
    builder.commit(batch);
    return builder.seal({}).value();
}

double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void benchPairing(WorkerArena& arena) {
    constexpr std::uint32_t kRanks = 256, kOfRank = 3907;  // 10^6 rows
    arena.run([&] {
        CaptureStore capture;
        capture.ranks.resize(kRanks);
        std::vector<std::shared_ptr<const RowTables>> rows(kRanks);
        parallelFor(kRanks, [&](std::size_t r) {
            rows[r] = capture.ranks[r].rows = makeCollectives(static_cast<std::uint32_t>(r), kOfRank);
            capture.ranks[r].info.rankId = static_cast<std::int64_t>(r);
        });
        auto start = Clock::now();
        double cpu = cpuSeconds();
        const auto recorded = recordedInstances(capture, {});
        const double paired = msSince(start), pairedCpu = cpuSeconds() - cpu;
        start = Clock::now();
        cpu = cpuSeconds();
        const auto arrivals = groupArrivals(capture, rows, *recorded, {});
        const double joined = msSince(start);
        const auto delays = groupDelays(*arrivals, {}, {});
        std::printf("{\"rows\": %u, \"collectives\": %zu, \"groups\": %zu, \"pairing\": %.0f, \"pairing_cpu\": %.0f, "
                    "\"arrivals\": %.0f, \"delays\": %.0f, \"delays_cpu\": %.0f}\n",
                    kRanks * kOfRank, arrivals->collectives.size(), delays.size(), paired, pairedCpu * 1000, joined,
                    msSince(start) - joined, (cpuSeconds() - cpu) * 1000);
    });
}

void press(QWidget& widget, Qt::Key key) {
    QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier, {}, true);
    QApplication::sendEvent(&widget, &event);
}

std::shared_ptr<const ClusterSource> benchReading(WorkerArena& arena, std::uint32_t ranks, std::int64_t steps) {
    std::shared_ptr<const ClusterSource> source;
    arena.run([&] {
        const auto capture = makeCapture(ranks, steps);
        const CaptureAnalysis analysis(capture);
        auto start = Clock::now();
        const auto job = clusterJob(capture, analysis, {}, {});
        source = clusterSource(job, {}, {});
        if (source == nullptr) std::abort();
        const double first = msSince(start);
        std::vector<double> filters;
        for (std::int64_t step = 0; step < 10; ++step) {
            ContextFilter context;
            context.steps = {step};
            start = Clock::now();
            if (clusterSource(job, context, {}) == nullptr) std::abort();
            filters.push_back(msSince(start));
        }
        std::printf("{\"ranks\": %u, \"steps\": %lld, \"open\": %.0f, \"filter_p50\": %.0f, \"filter_max\": %.0f",
                    ranks, static_cast<long long>(steps), first, part(filters, 0.5), part(filters, 1));
    });
    return source;
}

}  // namespace

int main(int argc, char** argv) {
    const auto ranks = static_cast<std::uint32_t>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 4096);
    const std::int64_t steps = argc > 2 ? std::strtoll(argv[2], nullptr, 10) : 100;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    JobRunner jobs;
    Session session(jobs);
    WorkerArena arena;
    benchPairing(arena);
    const auto source = benchReading(arena, ranks, steps);
    RankCanvas canvas(session);
    canvas.resize(1600, 800);
    canvas.show();
    QApplication::processEvents();
    std::vector<double> colours;
    for (const RankMetric metric :
         {RankMetric::Computing, RankMetric::Free, RankMetric::Exposed, RankMetric::StepTime}) {
        RankPictureChoice choice;
        choice.metric = metric;
        choice.frames = "tp";
        const auto start = Clock::now();
        canvas.setPicture(rankPicture(source, nullptr, choice));
        rankTable(*source, nullptr, metric);
        dimensionTable(*source, metric, dimensionSpreads(source->places(), source->values(metric), choice.fold));
        canvas.repaint();
        colours.push_back(msSince(start));
    }
    std::printf(", \"cells\": %zu, \"other_colour_max\": %.1f", canvas.picture()->cells.size(), part(colours, 1));
    for (int zoom = 0; zoom < 4; ++zoom) {
        canvas.window().home();
        for (int i = 0; i < zoom * 4; ++i) press(canvas, Qt::Key_W);
        std::vector<double> times;
        constexpr int kFrames = 200;
        for (int i = 0; i < kFrames; ++i) {
            const auto start = Clock::now();
            press(canvas, i / 10 % 2 == 0 ? Qt::Key_D : Qt::Key_A);
            canvas.repaint();
            times.push_back(msSince(start));
        }
        std::printf(", \"pan_%d\": {\"cells_across\": %.0f, \"p50\": %.1f, \"p99\": %.1f}", zoom,
                    canvas.window().window().width(), part(times, 0.5), part(times, 0.99));
    }
    std::printf("}\n");
    return 0;
}
