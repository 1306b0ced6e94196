#include "tests/support/python_script.h"
#include "tests/support/shared_data.h"
#include "tests/views/operators/operators_stage.h"
#include "views/common/plots/colour_ramp.h"
#include "views/common/plots/frame_canvas.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/operators/flame_panel.h"
#include "views/operators/flame_source.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabWidget>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Whether this part of the graph is in sight, by where its frames are drawn. @param all  Their boxes without zoom.
bool isInSight(const FrameCanvas& canvas, const std::vector<QRectF>& all, double from, double span) {
    const double width = canvas.width();
    int edges = 0;
    for (std::uint32_t node = 0; node < all.size(); ++node) {
        if (all[node].isEmpty()) continue;
        const double left = (all[node].left() / width - from) / span * width,
                     right = (all[node].right() / width - from) / span * width;
        const QRectF box = canvas.boxOf(node);
        constexpr double kSlack = 0.01;  // of rounding
        const bool isOut = right <= kSlack || left >= width - kSlack;
        if (isOut && box.width() > 2 * kSlack) return false;
        if (isOut) continue;
        if (std::abs(box.left() - std::max(0.0, left)) > kSlack ||
            std::abs(box.right() - std::min(width, right)) > kSlack)
            return false;
        edges += (left > 0 ? 1 : 0) + (right < width ? 1 : 0);
    }
    return edges > 0;
}

}  // namespace

/// The flame graph of the operators page with a generated capture: what it is made of, and how it is walked through.
class TestOperatorsFlame : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void timesAreThoseOfTheSlices();
    void walksByKeysAndMouse();
    void searchTellsTheShare();
    void scopeNarrows();
    void differenceToAnotherRank();
    void bottomUpShowsWhatCostsByItself();
    void longestCallLeadsToTheTimeline();
    void choicesAreRemembered();
    void nothingIsReadOutOfSight();
    void realCaptureAgainstTheScript();

private:
    static void showFlame(OperatorsFixture& fixture) {
        fixture.page.tabs().setCurrentWidget(&fixture.page.flame());
        fixture.settle();
    }
    static void choose(OperatorsFixture& fixture, FlameChoice choice) {
        fixture.page.flame().choose(choice);
        fixture.settle();
    }

    Generated m_capture{{"--ranks", "2", "--steps", "3", "--layers", "2"}};
};

void TestOperatorsFlame::timesAreThoseOfTheSlices() {
    OperatorsFixture fixture(m_capture.path());
    showFlame(fixture);
    FlamePanel& panel = fixture.page.flame();
    choose(fixture, {.source = FlameSource::Cann});
    QVERIFY(panel.tree() != nullptr);
    // Self times of the slices, whatever nests.
    std::map<std::string, std::int64_t> expected, found;
    std::int64_t all = 0;
    for (const RankEntry& rank : fixture.page.shown()->scope.store->ranks) {
        for (std::uint32_t i = 0; i < rank.trace->sliceCount(); ++i) {
            if (rank.trace->track({rank.trace->runOf({i}).track}).kind != TrackKind::Cann) continue;
            expected[flameName(rank.trace->name({i}))] += rank.trace->selfDuration({i}).value;
            all += rank.trace->selfDuration({i}).value;
        }
    }
    QVERIFY(all > 0);
    QCOMPARE(panel.tree()->all, all);
    const FlameCalls& calls = *panel.tree()->calls;
    for (std::uint32_t i = 1; i < calls.nodes.size(); ++i) found[std::string(calls.name(i))] += calls.nodes[i].self;
    QCOMPARE(found, expected);
    // Bottom-up the functions stand below the root with the same times.
    choose(fixture, {.source = FlameSource::Cann, .weight = FlameWeight::Self, .shape = FlameChoice::Shape::BottomUp});
    found.clear();
    for (std::uint32_t i = 1; i < panel.tree()->nodes.size(); i = panel.tree()->nodes[i].end)
        found[std::string(panel.tree()->frame(i).name)] = panel.tree()->nodes[i].weight;
    std::erase_if(expected, [](const auto& function) { return function.second == 0; });
    QCOMPARE(found, expected);
    // The device's side: each task once.
    choose(fixture, {.weight = FlameWeight::Device});
    QVERIFY(panel.tree()->all > 0);
    QCOMPARE(panel.canvas().source()->tree().nodes.front().weight, panel.tree()->calls->nodes[0].allDevice);
    QVERIFY(panel.sentence().contains(formatCount(panel.tree()->calls->nodes[0].allTasks)));
}

void TestOperatorsFlame::walksByKeysAndMouse() {
    OperatorsFixture fixture(m_capture.path());
    showFlame(fixture);
    FrameCanvas& canvas = fixture.page.flame().canvas();
    const auto& nodes = canvas.source()->tree().nodes;
    QVERIFY(nodes.size() > 5);
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(canvas.current(), 1U);
    QTest::keyClick(&canvas, Qt::Key_Return);
    QCOMPARE(canvas.root(), 1U);
    QVERIFY(std::abs(canvas.boxOf(1).width() - canvas.width()) < 1);
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QCOMPARE(canvas.root(), 0U);
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.boxOf(1).center().toPoint());
    QCOMPARE(canvas.root(), 1U);
    QVERIFY(canvas.tipAt(canvas.boxOf(1).center().toPoint()).contains(toQString(canvas.source()->text(1))));
    QTest::keyClick(&canvas, Qt::Key_Home);
    std::vector<QRectF> all;
    for (std::uint32_t node = 0; node < nodes.size(); ++node) all.push_back(canvas.boxOf(node));
    QVERIFY(isInSight(canvas, all, 0, 1));
    // Zooming keeps what is below the pointer; panning stops at the end.
    const auto inside = std::find_if(all.begin(), all.end(), [](const QRectF& box) { return box.left() > 1; });
    QVERIFY(inside != all.end());
    const double at = inside->left() / canvas.width();
    canvas.zoomBy(4, at);
    QVERIFY(isInSight(canvas, all, at * 0.75, 0.25));
    canvas.panBy(100);
    QVERIFY(isInSight(canvas, all, 0.75, 0.25));
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QVERIFY(isInSight(canvas, all, 0, 1));
    QTest::keyClick(&canvas, Qt::Key_Down);
    QTest::keyClick(&canvas, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), toQString(canvas.source()->text(1)));
    QTest::keyClick(&canvas, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(fixture.page.flame().findChild<QLineEdit*>()->hasFocus());
    canvas.setFocus();
    // As a flame the root is below, and up leads to what was called.
    choose(fixture, {.shape = FlameChoice::Shape::Flame});
    QTest::keyClick(&canvas, Qt::Key_Home);
    QVERIFY(canvas.boxOf(0).bottom() >= canvas.height() - 1);
    QTest::keyClick(&canvas, Qt::Key_Up);
    QCOMPARE(canvas.current(), 1U);
    QCOMPARE(canvas.nodeAt(canvas.boxOf(1).center().toPoint()), std::optional<std::uint32_t>(1));
}

void TestOperatorsFlame::searchTellsTheShare() {
    OperatorsFixture fixture(m_capture.path());
    showFlame(fixture);
    FlamePanel& panel = fixture.page.flame();
    const FlameCalls& calls = *panel.tree()->calls;
    std::int64_t expected = 0;
    std::vector<bool> within(calls.nodes.size());
    for (std::uint32_t i = 1; i < calls.nodes.size(); ++i) {
        within[i] = within[calls.nodes[i].parent] || calls.name(i).find("aten::") != std::string_view::npos;
        expected += within[i] ? calls.nodes[i].self : 0;
    }
    QVERIFY(expected > 0 && expected < panel.tree()->all);
    panel.findChild<QLineEdit*>()->setText(u"ATEN::"_s);
    QVERIFY2(panel.sentence().contains(formatDuration({expected})), qPrintable(panel.sentence()));
    QVERIFY(panel.sentence().contains(
        formatPercent(static_cast<double>(expected) / static_cast<double>(panel.tree()->all))));
    QTest::keyClick(panel.findChild<QLineEdit*>(), Qt::Key_Return);
    QVERIFY(panel.canvas().source()->text(panel.canvas().current()).find("aten::") != std::string_view::npos);
    panel.findChild<QLineEdit*>()->clear();
    QVERIFY(!panel.canvas().found());
}

void TestOperatorsFlame::scopeNarrows() {
    OperatorsFixture fixture(m_capture.path());
    showFlame(fixture);
    const std::int64_t all = fixture.page.flame().tree()->all;
    std::int64_t byRank = 0;
    for (const std::int64_t rank : {0, 1}) {
        fixture.selection.setContext({.ranks = {rank}, .devices = {}, .steps = {}, .range = {}});
        fixture.settle();
        byRank += fixture.page.flame().tree()->all;
    }
    QCOMPARE(byRank, all);
    fixture.selection.setContext({.ranks = {},
                                  .devices = {},
                                  .steps = {fixture.page.shown()->scope.store->ranks[0].steps[1].number},
                                  .range = {}});
    fixture.settle();
    const std::int64_t step = fixture.page.flame().tree()->all;
    QVERIFY(step > 0 && step < all);
    fixture.selection.setContext({});
    // Two halves of the time are all of it.
    const TimeRange range = fixture.page.shown()->scope.store->ranks[0].trace->range();
    const TimeNs middle{range.begin.value + range.length().value / 2};
    std::int64_t halves = 0;
    for (const TimeRange half : {TimeRange{{range.begin.value - 1'000'000'000}, middle},
                                 TimeRange{middle, {range.end.value + 1'000'000'000}}}) {
        fixture.selection.set({.capture = fixture.id, .slice = {}, .range = half});
        fixture.settle();
        halves += fixture.page.flame().tree()->all;
    }
    QCOMPARE(halves, all);
}

void TestOperatorsFlame::differenceToAnotherRank() {
    OperatorsFixture fixture(m_capture.path());
    showFlame(fixture);
    FlamePanel& panel = fixture.page.flame();
    QVERIFY(panel.findChild<QCheckBox*>()->isHidden());
    fixture.selection.setContext({.ranks = {0}, .devices = {}, .steps = {}, .range = {}});
    fixture.selection.setBase(BaseChoice{.capture = fixture.id, .ranks = {1}, .steps = {}});
    fixture.settle();
    QVERIFY(!panel.findChild<QCheckBox*>()->isHidden());
    const FlameTree& tree = *panel.tree();
    QVERIFY(tree.base != nullptr && tree.baseAll > 0);
    double change = 0;
    for (std::uint32_t i = 1; i < tree.nodes.size(); i = tree.nodes[i].end) change += tree.change(i);
    QVERIFY(std::abs(change) < 1e-9);
    QVERIFY(panel.canvas().source()->tip(1).contains(formatPoints(tree.change(1))));
    // A tenth of a percent was as red as a third of everything where nothing has changed more.
    const auto far = [](QRgb colour) {
        const QRgb middle = ColourRamp::colourOf(0.5, ColourRamp::Look::DivergingOnLight);
        return std::abs(qRed(colour) - qRed(middle)) + std::abs(qGreen(colour) - qGreen(middle)) +
               std::abs(qBlue(colour) - qBlue(middle));
    };
    const int pale = std::max(far(ColourRamp::colourOf(0.44, ColourRamp::Look::DivergingOnLight)),
                              far(ColourRamp::colourOf(0.56, ColourRamp::Look::DivergingOnLight)));
    int small = 0;
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
        if (std::abs(tree.change(i)) > 0.001) continue;
        ++small;
        QVERIFY(far(panel.canvas().source()->fill(i, lightTheme())->rgb()) <= pale);
    }
    QVERIFY(small > 0);
    panel.findChild<QCheckBox*>()->setChecked(false);
    fixture.settle();
    QVERIFY(panel.tree()->base == nullptr);
}

void TestOperatorsFlame::longestCallLeadsToTheTimeline() {
    OperatorsFixture fixture(m_capture.path());
    showFlame(fixture);
    FlamePanel& panel = fixture.page.flame();
    QSignalSpy wanted(&fixture.page, &OperatorsPage::sliceRequested);
    const SliceRef longest = panel.tree()->frame(1).longest;
    const TraceStore& trace = *panel.tree()->calls->capture->ranks[longest.rank.value].trace;
    QCOMPARE(flameName(trace.name(longest.slice)), std::string(panel.tree()->frame(1).name));
    emit panel.callRequested(trace.id(longest.slice));
    QCOMPARE(wanted.count(), 1);
}

/// Bottom-up by host time all callers of the costliest call were as wide as it.
void TestOperatorsFlame::bottomUpShowsWhatCostsByItself() {
    OperatorsFixture fixture(m_capture.path());
    showFlame(fixture);
    FlamePanel& panel = fixture.page.flame();
    auto* shape = panel.findChildren<QComboBox*>().front();
    const auto take = [&](FlameChoice::Shape wanted) {
        const int item = shape->findData(static_cast<int>(wanted));
        QVERIFY(item >= 0);
        shape->setCurrentIndex(item);
        emit shape->activated(item);
        fixture.settle();
    };
    QCOMPARE(panel.choice().weight, FlameWeight::Host);
    take(FlameChoice::Shape::BottomUp);
    QCOMPARE(panel.choice().weight, FlameWeight::Self);
    QCOMPARE(fixture.kept[u"flame/weight"_s].toInt(), static_cast<int>(FlameWeight::Self));
    std::int64_t sum = 0;
    for (std::uint32_t i = 1; i < panel.tree()->nodes.size(); i = panel.tree()->nodes[i].end)
        sum += panel.tree()->nodes[i].weight;
    QCOMPARE(sum, panel.tree()->all);
    // What bottom-up took by itself it gives back; what the user chose there stays.
    take(FlameChoice::Shape::Icicle);
    QCOMPARE(panel.choice().weight, FlameWeight::Host);
    QCOMPARE(fixture.kept[u"flame/weight"_s].toInt(), static_cast<int>(FlameWeight::Host));
    take(FlameChoice::Shape::BottomUp);
    auto* weight = panel.findChildren<QComboBox*>()[1];
    QCOMPARE(weight->currentData().toInt(), static_cast<int>(FlameWeight::Self));
    emit weight->activated(weight->currentIndex());
    take(FlameChoice::Shape::Icicle);
    QCOMPARE(panel.choice().weight, FlameWeight::Self);
    // Device time says something bottom-up, too.
    choose(fixture, {.weight = FlameWeight::Device});
    take(FlameChoice::Shape::BottomUp);
    QCOMPARE(panel.choice().weight, FlameWeight::Device);
}

void TestOperatorsFlame::choicesAreRemembered() {
    OperatorsFixture fixture(m_capture.path());
    showFlame(fixture);
    fixture.kept[u"flame/shape"_s] = static_cast<int>(FlameChoice::Shape::BottomUp);
    fixture.kept[u"flame/weight"_s] = static_cast<int>(FlameWeight::Device);
    FlamePanel again(fixture.session, fixture.memory);
    QCOMPARE(again.choice().shape, FlameChoice::Shape::BottomUp);
    QCOMPARE(again.choice().weight, FlameWeight::Device);
    QCOMPARE(again.choice().source, FlameSource::Calls);
}

void TestOperatorsFlame::nothingIsReadOutOfSight() {
    OperatorsFixture fixture(m_capture.path());
    QVERIFY(fixture.page.flame().tree() == nullptr);
    showFlame(fixture);
    QVERIFY(fixture.page.flame().tree() != nullptr);
    // What was closed leaves the memory.
    const std::weak_ptr<const CaptureStore> store = fixture.page.shown()->scope.store;
    fixture.session.close(fixture.id);
    fixture.settle();
    QVERIFY(fixture.page.flame().tree() == nullptr);
    QTRY_VERIFY(store.expired());
}

/// Every path of calls, and the device's time by the calls of Python that flows lead from.
void TestOperatorsFlame::realCaptureAgainstTheScript() {
    const auto path = sharedData("torch_text/level1");
    if (!path) QSKIP(kNoSharedData);
    const auto printed =
        runScript("count_flame.py", {*path / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / "trace_view.json"});
    QVERIFY(printed.has_value());
    const QJsonObject expected = QJsonDocument::fromJson(QByteArray::fromStdString(*printed)).object();
    OperatorsFixture fixture(QString::fromStdString(path->string()));
    fixture.selection.setContext({.ranks = {0}, .devices = {}, .steps = {}, .range = {}});
    showFlame(fixture);
    choose(fixture, {.source = FlameSource::Calls});
    const FlameCalls& calls = *fixture.page.flame().tree()->calls;
    QVERIFY(calls.slices > 1000);
    std::map<QString, std::int64_t> self, device;
    std::vector<QString> paths;
    for (std::uint32_t i = 0; i < calls.nodes.size(); ++i) {
        const CallNode& node = calls.nodes[i];
        const QString name = toQString(calls.name(i));
        paths.push_back(i == 0 || node.parent == 0 ? name : paths[node.parent] + u'/' + name);
        if (node.self > 0) self[paths.back()] = node.self;
        // The others are those of CANN's flows.
        if (node.device > 0 && !name.startsWith(u"Enqueue"_s) && !name.contains(u'@'))
            device[paths.back()] = node.device;
    }
    for (const auto& [which, found] : {std::pair(u"self"_s, &self), std::pair(u"device"_s, &device)}) {
        const QJsonObject wanted = expected[which].toObject();
        for (const auto& [calls_, time] : *found)
            QVERIFY2(static_cast<std::int64_t>(wanted[calls_].toDouble(-1)) == time,
                     qPrintable(u"%1 %2: %3, not %4"_s.arg(which, calls_).arg(time).arg(wanted[calls_].toDouble(-1))));
        QCOMPARE(found->size(), static_cast<std::size_t>(wanted.size()));
    }
}

ALTI_TEST(TestOperatorsFlame)
#include "tst_operators_flame.moc"
