#pragma once

#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/canvas/timeline_canvas.h"

#include <QApplication>
#include <QWheelEvent>

namespace altiscope::test {

/// A canvas of 1000 x 400 pixels over 100,000 ns; one pixel is 100 ns. No margin: windows are shown explicitly.
class Stage {
public:
    explicit Stage(std::string_view text = "p1/t1: A[0,100000) B[10000,40000) C[20000,30000)\n"
                                           "p1/t2: D[50000,60000) E[70000,70010)\n"
                                           "flow launch:1 p1/t1@25000 -> p1/t2@50000")
        : runner(2), scene(runner), selected(scene, selection), canvas(scene, selected) {
        scene.setMetrics({.lane = 20, .group = 20, .counter = 40, .strip = 3, .gap = 4});
        canvas.resize(1000, 400);
        canvas.show();
        capture = captureFromTexts({text});
        showIn(scene, {{1, capture}});
        window({{0}, {100'000}});
    }
    ~Stage() { runner.shutdown(); }

    void window(TimeRange range) {
        scene.change([&](ViewWindow& w) { w.show(range, HistoryMark::NewStep); });
        settle();
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return canvas.idle() && selected.idle(); }));
        canvas.grab();
    }
    TimeRange range() const { return scene.window().range(); }
    /// Middle of a lane of the row of thread `row`.
    QPoint at(std::int64_t ns, std::size_t row, int lane = 0) const {
        const PixelScale scale(range(), canvas.width());
        return {static_cast<int>(scale.x({ns})),
                static_cast<int>(scene.model().rows()[row].top - scene.viewport().scrollTop()) + 2 + lane * 20 + 10};
    }
    std::string name() const {
        return selected.slice() ? std::string(selected.slice()->trace->name(selected.slice()->place.slice))
                                : std::string();
    }
    void wheel(QPoint at, int delta, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(at, canvas.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(&canvas, &event);
        settle();
    }

    JobRunner runner;
    TimelineScene scene;
    Selection selection;
    TimelineSelection selected;
    TimelineCanvas canvas;
    std::shared_ptr<CaptureStore> capture;
};

}  // namespace altiscope::test
