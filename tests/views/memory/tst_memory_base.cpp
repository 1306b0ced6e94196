#include "tests/views/memory/memory_stage.h"
#include "views/memory/canvas/curve_canvas.h"
#include "views/memory/data/memory_base.h"
#include "views/memory/panels/memory_curves.h"

#include <algorithm>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// Curves of a base over those that are shown: the same samples, moved so that steps begin together.
class TestMemoryBase : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_base.made && m_capture.made); }
    void curvesLieOverEachOtherByStep();
    void anotherRankIsNamed();
    void withoutABaseNothingIsAdded();

private:
    LeakingCapture m_base{2, 1}, m_capture{2, 2};
};

void TestMemoryBase::curvesLieOverEachOtherByStep() {
    MemoryFixture fixture(m_base.path());
    const CaptureId base = fixture.id;
    const auto baseStore = fixture.session.capture(base)->store;
    fixture.open(m_capture.path());
    const std::size_t own = fixture.page.curves().lines().size();
    fixture.selection.setBase(BaseChoice{.capture = base, .ranks = {}, .steps = {}});
    fixture.settle();
    const auto& lines = fixture.page.curves().lines();
    QCOMPARE(lines.size(), 2 * own);
    const Step &now = fixture.page.shown()->entry().steps.front(), &before = baseStore->ranks[0].steps.front();
    QCOMPARE(now.number, before.number);
    const DurationNs shift = now.range->begin - before.range->begin;
    for (std::size_t i = own; i < lines.size(); ++i) {
        QVERIFY(lines[i].isBase && !lines[i - own].isBase);
        QCOMPARE(lines[i].shift, shift);
        QCOMPARE(lines[i].hue, lines[i - own].hue);
        // A picture of the base alone, of the same columns on its own clock.
        const TimeRange window{now.range->begin, now.range->end};
        auto shown = curveEnvelopes({lines[i]}, window, 50, TimeNs{kMaxTimeNs / 2});
        CurveLine alone = lines[i];
        alone.shift = {};
        const auto own50 =
            curveEnvelopes({alone}, {window.begin - shift, window.end - shift}, 50, TimeNs{kMaxTimeNs / 2});
        QVERIFY(shown.lines == own50.lines);
    }
    QVERIFY(fixture.page.upper().baseNote().contains(QString::number(now.number)));
}

void TestMemoryBase::anotherRankIsNamed() {
    MemoryFixture fixture(m_capture.path());
    fixture.selection.setBase(BaseChoice{.capture = fixture.id, .ranks = {1}, .steps = {}});
    fixture.settle();
    QVERIFY(fixture.page.base() != nullptr);
    QVERIFY(fixture.page.upper().baseNote().contains(u"rank 1"_s));
}

void TestMemoryBase::withoutABaseNothingIsAdded() {
    MemoryFixture fixture(m_capture.path());
    QVERIFY(fixture.page.base() == nullptr);
    const auto& lines = fixture.page.curves().lines();
    QVERIFY(std::none_of(lines.begin(), lines.end(), [](const CurveLine& line) { return line.isBase; }));
    QVERIFY(fixture.page.upper().baseNote().isEmpty());
}

ALTI_TEST(TestMemoryBase)
#include "tst_memory_base.moc"
