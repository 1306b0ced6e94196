// How long a picture of the timeline takes: drives the real canvas along a path of zooms, pans, scrolls and hovers over
// a store of N slices, and prints percentiles of "view changed -> exact geometry painted into the kept image, labels
// included". What follows, copying the image to the window, is printed apart. Every 50th picture is compared, column by
// column, with what the slices cover ("inexact_columns"). With an IMPORT the frames are drawn while that capture is
// imported by all cores. Usage: bench_timeline [SLICES] [WIDTHxHEIGHT] [RANKS] [TRACKS] [IMPORT]   one JSON object;
// needs no display (-platform offscreen).
#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"
#include "core/store/seal/trace_builder.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/rows/opening_range.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFont>
#include <QMouseEvent>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

constexpr std::uint64_t kSegment = 65536;
constexpr std::int64_t kBase = 1'736'408'883'573'888'000;

/// Groups of one outer slice with 15 inner ones on changing tracks: two depths a track, names from a set of 5000.
std::shared_ptr<const TraceStore> makeStore(std::uint64_t slices, std::uint64_t tracks) {
    TraceBuilder builder("bench");
    WorkerArena arena;
    std::shared_ptr<const TraceStore> store;
    arena.run([&] {
        parallelFor((slices + kSegment - 1) / kSegment, [&](std::size_t s) {
            TraceBuilder::Names names(builder);
            Segment segment;
            for (std::uint64_t i = s * kSegment; i < std::min<std::uint64_t>(slices, (s + 1) * kSegment); ++i) {
                const std::uint64_t group = i / 16, member = i % 16;
                const auto track = names.thread("1", std::to_string(group % tracks));
                const std::int64_t begin = kBase + static_cast<std::int64_t>(group / tracks) * 20'000;
                const auto name = names.text("aclnnKernel_" + std::to_string((i * 2654435761U) % 5000));
                const std::int64_t start = member == 15 ? begin : begin + static_cast<std::int64_t>(member) * 1'000;
                segment.slices.add(track, start, member == 15 ? 16'000 : 900, name, names.text("c"),
                                   SourcePos::make(0, i * 200));
            }
            builder.commit(SourcePos::make(0, s * kSegment * 200), std::move(segment));
        });
        Diagnostics diagnostics;
        store = builder.seal("bench", diagnostics, {}).value();
    });
    return store;
}

struct Timings {
    std::vector<double> ms;
    void print(const char* name) {
        std::sort(ms.begin(), ms.end());
        const auto at = [this](double part) {
            return ms.empty() ? 0.0 : ms[static_cast<std::size_t>(part * static_cast<double>(ms.size() - 1))];
        };
        const auto over = std::count_if(ms.begin(), ms.end(), [](double value) { return value > 16; });
        std::printf(
            "\"%s\": {\"frames\": %zu, \"p50_ms\": %.2f, \"p99_ms\": %.2f, \"max_ms\": %.2f, \"over_16ms\": %ld}", name,
            ms.size(), at(0.5), at(0.99), at(1), static_cast<long>(over));
    }
};

class Drive {
public:
    Drive(TimelineScene& scene, TimelineCanvas& canvas) : m_scene(scene), m_canvas(canvas) {}

    /// Changes the view, waits for the exact picture, and notes how long that took.
    template <class Change>
    void frame(Timings& timings, Change change) {
        QElapsedTimer timer;
        timer.start();
        change();
        while (!m_canvas.idle()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        m_canvas.loader().image();
        timings.ms.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        if (m_canvas.loader().labelCount() >= 2000) ++manyLabels;
        ++frames;
        if (frames % 50 == 0) compare();
        if (frames % 10 != 0) return;
        timer.start();
        QImage window(m_canvas.size(), QImage::Format_RGB32);
        m_canvas.render(&window);
        flush.ms.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    void zoom(Timings& timings, double fraction, double factor) {
        frame(timings,
              [&] { m_scene.change([&](ViewWindow& w) { w.zoomAt(fraction, factor, HistoryMark::Continue); }); });
    }

    Timings flush;
    std::size_t frames = 0, manyLabels = 0, compared = 0, inexact = 0;

private:
    /// Columns of the lanes in sight that are painted and not covered by a slice, or the other way round.
    void compare() {
        const QImage& image = m_canvas.loader().image();
        const QRgb background = makeLanePalette(themeOf(m_canvas.palette())).background;
        // Headers that stay in sight are painted over the lanes that are scrolled below them.
        const int contentTop = m_scene.viewport().contentTop();
        for (const TimelineRow& row : m_scene.model().rows()) {
            const RowPicture* picture = m_canvas.loader().picture(row);
            if (picture == nullptr || picture->kind != PictureKind::Lanes) continue;
            for (std::uint32_t depth = 0; depth < row.lanes; ++depth) {
                const PictureLoader::Lane lane = m_canvas.loader().laneOf(row, picture->kind, depth, row.lanes);
                if (lane.top < contentTop || lane.top + lane.height >= image.height()) continue;
                const std::vector<char> covered = coveredColumns(row, depth, image.width());
                // Above the text.
                const auto* painted = reinterpret_cast<const QRgb*>(image.constScanLine(lane.top));
                for (int px = 0; px < image.width(); ++px) {
                    ++compared;
                    inexact += (painted[px] != background) != (covered[static_cast<std::size_t>(px)] != 0) ? 1 : 0;
                }
            }
        }
    }
    /// By every slice of the lane, one by one.
    std::vector<char> coveredColumns(const TimelineRow& row, std::uint32_t depth, int width) const {
        std::vector<char> covered(static_cast<std::size_t>(width), 0);
        const TraceStore& trace = *m_scene.model().sources().traceOf(row);
        const std::int64_t shift = m_scene.model().sources().shiftOf(row.source, row.rank).value;
        const TimeRange window = m_scene.window().range();
        const std::int64_t length = window.length().value;
        for (const DepthRun& run : trace.runs({row.firstTrack})) {
            if (run.depth != depth) continue;
            for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
                const std::int64_t begin = std::max(trace.begin({i}).value + shift, window.begin.value);
                const std::int64_t end = std::min(trace.end({i}).value + shift, window.end.value);
                if (begin >= end) continue;
                const std::int64_t first = (begin - window.begin.value) * width / length;
                const std::int64_t after = ((end - window.begin.value) * width + length - 1) / length;
                for (std::int64_t px = first; px < after; ++px) covered[static_cast<std::size_t>(px)] = 1;
            }
        }
        return covered;
    }

    TimelineScene& m_scene;
    TimelineCanvas& m_canvas;
};

/// Zooms in and out as long as a capture is imported beside it.
void drawWhileImporting(const char* path, JobRunner& runner, Drive& drive, Timings& timings) {
    bool running = true;
    runner.start(
        QStringLiteral("import"),
        [path](ProgressSlot& progress, const CancelToken& cancel) -> std::shared_ptr<const void> {
            const auto result = reader::importCapture(path, {}, progress, cancel);
            if (!result.ok()) {
                std::fprintf(stderr, "import failed\n");
                std::exit(1);
            }
            return result.value();
        },
        [&running](const std::shared_ptr<const void>&) { running = false; });
    int i = 0;
    while (running) {
        drive.zoom(timings, 0.31 + 0.1 * (i % 5), i / 40 % 2 == 0 ? 0.8 : 1.25);
        ++i;
    }
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const std::uint64_t slices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
    int width = 1920, height = 1080;
    if (argc > 2) std::sscanf(argv[2], "%dx%d", &width, &height);
    const std::size_t ranks = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
    const std::uint64_t tracks = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 100;

    auto capture = std::make_shared<CaptureStore>();
    const auto store = makeStore(slices, tracks);
    for (std::size_t i = 0; i < ranks; ++i) {
        RankEntry entry;
        entry.info.rankId = static_cast<std::int64_t>(i);
        entry.trace = store;
        capture->ranks.push_back(std::move(entry));
    }

    JobRunner runner;
    TimelineScene scene(runner);
    Selection selection;
    TimelineSelection selected(scene, selection);
    TimelineCanvas canvas(scene, selected);
    // 100 lanes in sight, whatever the height of the screen.
    const int lane = std::max(height / 100, 6);
    scene.setMetrics({.lane = lane, .group = lane, .counter = 2 * lane, .strip = 3, .gap = 0});
    QFont font;
    font.setPointSizeF(std::max(lane - 2, 5) * 72.0 / 96.0);
    canvas.setFont(font);
    canvas.resize(width, height);
    // Never shown: resize events are sent by hand, and nothing is flushed between request and answer.
    QResizeEvent resize(canvas.size(), QSize());
    QApplication::sendEvent(&canvas, &resize);
    scene.setCaptures({{1, capture}});
    while (!scene.idle()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    scene.setAllExpanded(true);

    Drive drive(scene, canvas);
    Timings warm, zooms, pans, scrolls, hovers, meanwhile;
    drive.frame(warm, [] {});
    if (argc > 5) drawWhileImporting(argv[5], runner, drive, meanwhile);
    for (const double fraction : {0.31, 0.5, 0.87}) {
        while (scene.window().range().length().value > 1'000) drive.zoom(zooms, fraction, 0.8);
        for (int i = 0; i < 20; ++i) drive.zoom(zooms, fraction, 1.25);
        // Windows in which labels fit.
        for (int i = 0; i < 60; ++i) {
            drive.frame(pans, [&] { scene.change([](ViewWindow& w) { w.panBy(0.13, HistoryMark::Continue); }); });
        }
        while (!scene.window().atHome()) {
            const TimeRange before = scene.window().range();
            drive.zoom(zooms, fraction, 1.25);
            if (scene.window().range() == before) break;
        }
        scene.change([](ViewWindow& w) { w.show(w.home(), HistoryMark::Continue); });
        for (int i = 0; i < 60; ++i) {
            drive.frame(scrolls, [&] {
                scene.viewport().setScrollTop(i % 2 == 0 ? scene.viewport().scrollTop() + 3 * lane
                                                         : scene.viewport().scrollTop() + height);
            });
        }
        drive.frame(warm, [&] { scene.viewport().setScrollTop(0); });
    }
    for (int i = 0; i < 200; ++i) {
        QElapsedTimer timer;
        timer.start();
        const QPoint at((i * 97) % width, (i * 61) % height);
        QMouseEvent move(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&canvas, &move);
        hovers.ms.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    // The same slices in the same places, however many there are outside of the window: 10 ms from the begin.
    Timings same;
    for (int i = 0; i < 60; ++i) {
        const TimeNs begin{kBase + i * 10};
        drive.frame(same, [&] {
            scene.change([&](ViewWindow& w) {
                w.show({begin, begin + DurationNs{10'000'000}}, HistoryMark::Continue);
            });
        });
    }
    Timings expand;
    drive.frame(expand, [&] { scene.setAllExpanded(false); });
    drive.frame(expand, [&] { scene.setAllExpanded(true); });

    Timings path;
    for (const Timings* part : {&zooms, &pans, &scrolls, &hovers})
        path.ms.insert(path.ms.end(), part->ms.begin(), part->ms.end());

    // Where the timeline opens is decided on the GUI thread, when a capture is read.
    Timings opening;
    for (int i = 0; i < 20; ++i) {
        QElapsedTimer timer;
        timer.start();
        openingRange(scene.model().sources(), {}, scene.window().home());
        opening.ms.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }

    std::printf("{\"slices\": %llu, \"size\": \"%dx%d\", \"ranks\": %zu, \"lanes\": 100, ",
                static_cast<unsigned long long>(slices), width, height, ranks);
    path.print("path");
    std::printf(", ");
    zooms.print("zoom");
    std::printf(", ");
    pans.print("pan");
    std::printf(", ");
    scrolls.print("scroll");
    std::printf(", ");
    hovers.print("hover");
    std::printf(", ");
    same.print("same_window");
    std::printf(", ");
    expand.print("expand_all");
    std::printf(", ");
    drive.flush.print("flush");
    std::printf(", ");
    opening.print("opening");
    if (!meanwhile.ms.empty()) {
        std::printf(", ");
        meanwhile.print("while_importing");
    }
    std::printf(", \"frames_with_2000_labels\": %.2f, \"compared_columns\": %zu, \"inexact_columns\": %zu}\n",
                static_cast<double>(drive.manyLabels) / static_cast<double>(drive.frames), drive.compared,
                drive.inexact);
    runner.shutdown();
    return 0;
}
