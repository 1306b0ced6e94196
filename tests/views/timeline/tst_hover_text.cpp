#include "views/timeline/overlay/hover_text.h"

#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"

using namespace altiscope;

namespace {

/// The lines about the first slice of a name.
QStringList linesOf(const std::shared_ptr<const TraceStore>& trace, std::string_view name) {
    for (std::uint32_t i = 0; i < trace->sliceCount(); ++i) {
        if (trace->name({i}) != name) continue;
        CanvasHit hit;
        hit.trace = trace;
        const DepthRun& run = trace->runOf({i});
        hit.slice = SlicePlace{{i}, {run.track}, run.depth, {trace->begin({i}), trace->end({i})}};
        return hoverText(hit, {}).lines;
    }
    return {};
}

}  // namespace

class TestHoverText : public QObject {
    Q_OBJECT
private slots:
    void tasksNameTheirCollective();
};

void TestHoverText::tasksNameTheirCollective() {
    const auto trace =
        test::captureOfRanks({"Communication/Group 0 Communication: hcom_a__1[0,100) hcom_b__2[200,300)\n"
                              "Communication/Plane 0: Notify_Wait[0,50) Memcpy[210,250) Reduce[250,400)\n"
                              "Ascend Hardware/Stream 2: MatMul[0,100)"})
            ->ranks[0]
            .trace;
    const QString line = QStringLiteral("task of %1");
    QVERIFY(linesOf(trace, "Notify_Wait").contains(line.arg(QStringLiteral("hcom_a__1"))));
    QVERIFY(linesOf(trace, "Memcpy").contains(line.arg(QStringLiteral("hcom_b__2"))));
    // Longer than the collective: nothing says whose it is.
    for (const std::string_view other : {"Reduce", "MatMul", "hcom_a__1"})
        QVERIFY(!linesOf(trace, other).isEmpty() && !linesOf(trace, other).front().startsWith(QStringLiteral("task")));
}

ALTI_TEST(TestHoverText)
#include "tst_hover_text.moc"
