// How fast the communication page is: a matrix of RANKS x RANKS links, COLLECTIVES over 1000 ranks, and opening a job
// of 64 ranks. Usage: bench_communication [RANKS [COLLECTIVES]]   prints one JSON object; times in ms.
#include "core/analysis/communication/link_picture.h"
#include "core/base/threads/parallel.h"
#include "core/session/job_runner.h"
#include "core/session/session.h"
#include "core/store/rows/row_builder.h"
#include "views/communication/canvas/collective_canvas.h"
#include "views/communication/canvas/matrix_canvas.h"
#include "views/communication/data/communication_times.h"

#include <QApplication>
#include <QKeyEvent>

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

std::shared_ptr<const LinkMatrix> makeMatrix(std::uint32_t side) {
    std::mt19937 random(5);
    std::vector<LinkNode> nodes;
    for (std::uint32_t i = 0; i < side; ++i) nodes.push_back({i, {}, 0});
    std::vector<LinkSum> sums;
    sums.reserve(std::size_t{side} * side);
    for (std::uint32_t source = 0; source < side; ++source) {
        for (std::uint32_t target = 0; target < side; ++target)
            sums.push_back({source, target, 1 + static_cast<std::int64_t>(random() % 100'000'000),
                            1000 + static_cast<std::int64_t>(random() % 5'000'000),
                            1 + static_cast<std::uint32_t>(random() % 100),
                            static_cast<std::uint16_t>(source / 8 == target / 8 ? 2 : 1)});
    }
    return std::make_shared<const LinkMatrix>(LinkMatrix::make(std::move(nodes), {"RDMA", "HCCS"}, std::move(sums)));
}

/// Collectives of one rank: one after the other, as long as chance will have it, now and then two at once.
std::shared_ptr<const RowTables> makeRows(std::uint32_t rank, std::uint32_t ranks, std::size_t collectives,
                                          int linksOfRank) {
    RowTablesBuilder builder;
    std::mt19937 random(rank);
    constexpr RowKind C = RowKind::Collective, L = RowKind::Link;
    RowBatch batch = builder.batch(C);
    std::int64_t at = kBegin;
    for (std::size_t i = 0; i < collectives; ++i) {
        const auto elapsed = 10'000 + static_cast<std::int64_t>(random() % 400'000), transit = elapsed / 2,
                   wait = elapsed / 4;
        at += 300'000 + static_cast<std::int64_t>(random() % 100'000);
        batch.addRow();
        batch.setInteger(fixedColumn(C, "step"), static_cast<std::int64_t>(i / 100));
        batch.setText(fixedColumn(C, "origin"), "recorded");
        batch.setText(fixedColumn(C, "group_name"), "group_" + std::to_string(i % 3 == 0 ? rank / 8 : 1000));
        batch.setText(fixedColumn(C, "op_name"),
                      (i % 2 == 0 ? "hcom_allReduce__123_" : "hcom_allGather__123_") + std::to_string(i) + "_1");
        batch.setText(fixedColumn(C, "kind"), "collective");
        batch.setInteger(fixedColumn(C, "ts"), at);
        batch.setInteger(fixedColumn(C, "elapsed"), elapsed);
        batch.setInteger(fixedColumn(C, "transit"), transit);
        batch.setInteger(fixedColumn(C, "wait"), wait);
        batch.setInteger(fixedColumn(C, "synchronization"), wait / 2);
        batch.setInteger(fixedColumn(C, "idle"), elapsed - transit - wait);
    }
    builder.commit(batch);
    RowBatch links = builder.batch(L);
    for (int i = 0; i < linksOfRank; ++i) {
        for (const char* selection : {"top1", "middle", "bottom1", "total"}) {
            links.addRow();
            links.setInteger(fixedColumn(L, "step"), i / static_cast<int>(ranks));
            links.setText(fixedColumn(L, "group_name"), "group_1000");
            links.setText(fixedColumn(L, "op_name"),
                          std::string(selection) == "total" ? "allreduce" : "hcom_allReduce__123_0_1");
            links.setText(fixedColumn(L, "selection"), selection);
            links.setInteger(fixedColumn(L, "src_rank"), rank);
            links.setInteger(fixedColumn(L, "dst_rank"), i % static_cast<int>(ranks));
            links.setText(fixedColumn(L, "transport"), "HCCS");
            links.setInteger(fixedColumn(L, "size"), 1'000'000);
            links.setInteger(fixedColumn(L, "transit"), 100'000 + static_cast<std::int64_t>(random() % 1000));
        }
    }
    builder.commit(links);
    return builder.seal({}).value();
}

std::shared_ptr<const CaptureStore> makeCapture(std::uint32_t ranks, std::size_t collectives, int linksOfRank) {
    auto capture = std::make_shared<CaptureStore>();
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        RankEntry& entry = capture->ranks.emplace_back();
        entry.info.rankId = rank;
        entry.rows = makeRows(rank, ranks, collectives / ranks, linksOfRank);
    }
    return capture;
}

template <class Move>
std::vector<double> frames(QWidget& canvas, Move move) {
    std::vector<double> times;
    constexpr int kFrames = 200;
    for (int i = 0; i < kFrames; ++i) {
        const auto start = Clock::now();
        move(i);
        canvas.repaint();
        times.push_back(msSince(start));
    }
    return times;
}

void press(QWidget& widget, Qt::Key key) {
    QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier, {}, true);
    QApplication::sendEvent(&widget, &event);
}

void benchMatrix(Session& session, WorkerArena& arena, std::uint32_t side) {
    std::shared_ptr<const LinkMatrix> matrix;
    arena.run([&] { matrix = makeMatrix(side); });
    std::vector<double> metrics;
    std::shared_ptr<const LinkPicture> picture;
    for (const LinkMetric metric :
         {LinkMetric::Size, LinkMetric::Time, LinkMetric::Count, LinkMetric::Transport, LinkMetric::Bandwidth}) {
        arena.run([&] {
            const auto start = Clock::now();
            picture = LinkPicture::make(matrix, metric, LinkPicture::Inner::Hidden, {});
            metrics.push_back(msSince(start));
        });
    }
    MatrixCanvas canvas(session);
    canvas.resize(1600, 800);
    canvas.show();
    QApplication::processEvents();
    const auto start = Clock::now();
    canvas.setPicture(picture);
    canvas.repaint();
    std::printf("{\"ranks\": %u, \"other_metric_p50\": %.0f, \"other_metric_max\": %.0f, \"first_frame\": %.1f", side,
                part(metrics, 0.5), part(metrics, 1), msSince(start));
    for (int zoom = 0; zoom < 4; ++zoom) {
        press(canvas, Qt::Key_0);
        canvas.window().home();
        for (int i = 0; i < zoom * 5; ++i) press(canvas, Qt::Key_W);
        const auto times = frames(canvas, [&](int i) {
            press(canvas, i / 10 % 4 == 0   ? Qt::Key_D
                          : i / 10 % 4 == 1 ? Qt::Key_Down
                          : i / 10 % 4 == 2 ? Qt::Key_A
                                            : Qt::Key_Up);
        });
        std::printf(", \"matrix_pan_%d\": {\"links_across\": %.0f, \"p50\": %.1f, \"p99\": %.1f}", zoom,
                    canvas.window().window().width, part(times, 0.5), part(times, 0.99));
    }
}

void benchCollectives(Session& session, WorkerArena& arena, std::size_t collectives) {
    constexpr std::uint32_t kRanks = 1000;
    std::shared_ptr<const CommunicationTimes> times;
    std::vector<double> reading;
    arena.run([&] {
        const auto capture = makeCapture(kRanks, collectives, 0);
        const auto source = communicationSource(capture, nullptr, {}, {});
        for (int i = 0; i < 3; ++i) {
            const auto start = Clock::now();
            times = communicationTimes(source, {}, {});
            reading.push_back(msSince(start));
        }
    });
    CollectiveCanvas canvas(session);
    canvas.resize(1600, 1000);
    canvas.show();
    std::vector<QString> labels;
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) labels.push_back(QStringLiteral("Rank %1").arg(rank));
    canvas.setChart(times->chart, labels, times->chart->range().begin);
    QApplication::processEvents();
    std::printf(", \"collectives\": %zu, \"read\": %.0f", collectives, part(reading, 0.5));
    const TimeRange all = times->chart->range();
    for (const double share : {1.0, 0.3, 0.01}) {
        const auto length = static_cast<std::int64_t>(static_cast<double>(all.length().value) * share);
        const auto panned = frames(canvas, [&](int i) {
            const TimeNs begin = all.begin + DurationNs{(all.length().value - length) / 200 * i};
            canvas.showRange({begin, begin + DurationNs{length}});
            canvas.showRow(static_cast<std::size_t>(i) * 5);
        });
        std::printf(", \"time_pan_of_%g\": {\"p50\": %.1f, \"p99\": %.1f}", share, part(panned, 0.5),
                    part(panned, 0.99));
    }
}

void benchOpening(WorkerArena& arena) {
    std::vector<double> matrices, charts;
    arena.run([&] {
        const auto capture = makeCapture(64, 64'000, 640);
        for (int i = 0; i < 5; ++i) {
            auto start = Clock::now();
            const auto source = communicationSource(capture, nullptr, {}, {});
            LinkQuery query;
            query.ranks = source->ranks;
            if (!LinkPicture::make(linkMatrix(*capture, query, {}), LinkMetric::Bandwidth, LinkPicture::Inner::Hidden,
                                   {}))
                std::abort();
            matrices.push_back(msSince(start));
            start = Clock::now();
            if (!communicationTimes(source, {}, {})) std::abort();
            charts.push_back(msSince(start));
        }
    });
    std::printf(", \"open_matrix_of_64\": %.0f, \"open_time_of_64\": %.0f}\n", part(matrices, 0.5), part(charts, 0.5));
}

}  // namespace

int main(int argc, char** argv) {
    const auto ranks = static_cast<std::uint32_t>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 4096);
    const std::size_t collectives = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    JobRunner jobs;
    Session session(jobs);
    WorkerArena arena;
    benchMatrix(session, arena, ranks);
    benchCollectives(session, arena, collectives);
    benchOpening(arena);
    return 0;
}
