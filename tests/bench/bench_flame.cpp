// How long a flame graph of N nested slices takes: reading the calls, and each tree that is made of them; painting the
// widest of them and zooming in it is bench_flame's second part. Usage: bench_flame [SLICES [THREADS]] prints one JSON
// object; times in ms.
#include "core/analysis/flame/flame_tree.h"
#include "core/base/threads/parallel.h"
#include "core/store/seal/trace_builder.h"
#include "views/common/plots/frame_canvas.h"
#include "views/operators/flame_source.h"

#include <QApplication>
#include <QImage>
#include <QPainter>

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

constexpr std::int64_t kFirst = 1'715'689'196'000'000'000;
constexpr std::size_t kFunctions = 3000;
constexpr int kDepth = 24;

/// A program of some thousand functions that call each other the same way each time, 24 deep.
class Program {
public:
    Program(TraceBuilder& builder, std::size_t slices) : m_names(builder), m_left(slices) {
        for (std::size_t i = 0; i < kFunctions; ++i)
            m_texts.push_back(m_names.text("torch/nn/modules/module" + std::to_string(i / 40) + ".py(" +
                                           std::to_string(i) + "): function" + std::to_string(i)));
    }
    Segment run(const std::string& tid) {
        m_track.emplace(m_names.thread("1", tid));
        while (m_left > 0) call(m_random() % 7, 0);
        return std::move(m_segment);
    }

private:
    void call(std::size_t function, int depth) {
        if (m_left == 0) return;
        --m_left;
        const std::int64_t begin = m_time;
        const std::size_t place = m_segment.slices.size();
        m_segment.slices.add(*m_track, begin, 0, m_texts[function], {}, SourcePos::make(0, ++m_offset));
        m_time += 100;
        const std::size_t calls = depth + 6 < kDepth ? 1 + m_random() % 2 : 0;
        for (std::size_t i = 0; i < calls; ++i) {
            // The second call leads to little; now and then a line is another one.
            call((function * 31 + 7 * i + (m_random() % 4096 == 0 ? 1 : 0)) % kFunctions, depth + (i == 0 ? 1 : 6));
            m_time += 50;
        }
        m_segment.slices.duration[place] = m_time - begin;
    }

    TraceBuilder::Names m_names;
    std::size_t m_left;
    std::mt19937 m_random{11};
    std::vector<ProvisionalText> m_texts;
    std::optional<ProvisionalTrack> m_track;
    Segment m_segment;
    std::int64_t m_time = kFirst;
    std::uint64_t m_offset = 0;
};

std::shared_ptr<const CaptureStore> makeCapture(std::size_t slices, std::size_t threads) {
    TraceBuilder builder("bench");
    builder.setProcessName("1", "Python", SourcePos::make(0, 0));
    for (std::size_t t = 0; t < threads; ++t) {
        Program program(builder, slices / threads);
        builder.commit(SourcePos::make(0, 0), program.run(std::to_string(100 + t)));
    }
    Diagnostics diagnostics;
    auto capture = std::make_shared<CaptureStore>();
    RankEntry& rank = capture->ranks.emplace_back();
    rank.info.rankId = 0;
    rank.trace = builder.seal("bench", diagnostics, {}).value();
    return capture;
}

double percentile(std::vector<double> times, double part) {
    std::sort(times.begin(), times.end());
    return times[std::min(times.size() - 1, static_cast<std::size_t>(part * static_cast<double>(times.size())))];
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t slices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    const std::size_t threads = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    if (slices == 0 || threads == 0) return 2;
    const QApplication application(argc, argv);
    WorkerArena arena;
    std::shared_ptr<const CaptureStore> capture;
    arena.run([&] { capture = makeCapture(slices, threads); });
    std::vector<double> reading;
    std::shared_ptr<const FlameCalls> calls;
    FlameQuery query{.capture = capture, .ranks = {{.rank = {0}}}, .threads = {}, .split = FlameSplit::None};
    query.threads = flameThreads(*capture, query.ranks, FlameSource::Calls);
    for (int i = 0; i < 5; ++i) {
        const auto start = Clock::now();
        arena.run([&] { calls = flameCalls(query, {}); });
        reading.push_back(msSince(start));
    }
    std::printf("{\"slices\": %zu, \"threads\": %zu, \"nodes\": %zu, \"calls\": %.0f",
                capture->ranks[0].trace->sliceCount(), threads, calls->nodes.size(), percentile(reading, 0.5));
    std::shared_ptr<const FlameTree> tree;
    for (const FlameOrder order : {FlameOrder::BottomUp, FlameOrder::TopDown}) {
        const auto start = Clock::now();
        tree = flameTree(calls, nullptr, FlameWeight::Self, order, {});
        std::printf(", \"%s\": %.0f", order == FlameOrder::TopDown ? "top down" : "bottom up", msSince(start));
    }
    FrameCanvas canvas;
    canvas.setSource(std::make_shared<FlameFrames>(tree));
    canvas.resize(1920, std::max(1000, canvas.minimumSizeHint().height()));
    QImage image(1920, 1000, QImage::Format_ARGB32_Premultiplied);
    std::mt19937 random(3);
    std::vector<double> frames;
    for (int i = 0; i < 300; ++i) {
        const auto start = Clock::now();
        // Into a frame and out again, and to the side.
        if (i % 10 == 9) canvas.setRoot(0);
        else if (i % 3 == 0) canvas.panBy(0.1 * (static_cast<double>(random() % 3) - 1));
        else canvas.zoomBy(1.6, static_cast<double>(random() % 1920) / 1920);
        QPainter painter(&image);
        canvas.render(&painter, {}, QRegion(0, 0, 1920, 1000));
        painter.end();
        frames.push_back(msSince(start));
    }
    std::printf(", \"frame median\": %.1f, \"frame p99\": %.1f, \"frame worst\": %.1f}\n", percentile(frames, 0.5),
                percentile(frames, 0.99), percentile(frames, 1));
}
