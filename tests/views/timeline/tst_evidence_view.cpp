#include "views/timeline/scene/evidence_view.h"

#include "tests/support/test_main.h"
#include "tests/views/timeline/canvas_stage.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/overlay/gap_marks.h"
#include "views/timeline/scene/timeline_clocks.h"

#include <QSignalSpy>

#include <algorithm>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Three ranks of one group: stream 2 computes, on stream 3 mostly a wait; the third rank has no stream 2.
std::shared_ptr<CaptureStore> threeRanks() {
    const std::string busy = "Python/Thread 7: step[0,1000)\n"
                             "Ascend Hardware/Stream 2: MatMul[0,300) Add[400,500) MatMul[700,1000)\n"
                             "Ascend Hardware/Stream 3: EVENT_WAIT[0,990) Cast[990,995)\n";
    return captureOfRanks({busy, busy, "Ascend Hardware/Stream 9: MatMul[0,300)\n"});
}

struct EvidenceFixture {
    JobRunner jobs{2};
    Session session{jobs};
    Selection selection;
    TimelineScene scene{jobs};
    TimelineSelection chosen{scene, selection};
    TimelineClocks clocks{session, scene, chosen};
    EvidenceView view{scene, clocks};

    EvidenceFixture() {
        showIn(scene, {{.capture = {1}, .store = threeRanks()}});
        scene.viewport().setHeight(400);
    }
    ~EvidenceFixture() { jobs.shutdown(); }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return view.idle() && scene.idle(); }));
    }
    QStringList pinned() {
        QStringList names;
        for (const RowKey& row : scene.model().arrangement().pinned) {
            const auto& trace = scene.model().sources()[0].store->ranks[row.rank.value].trace;
            const auto track = trace->findTrack({row.id});
            names << u"%1 %2"_s.arg(row.rank.value)
                         .arg(track ? QString::fromStdString(trace->track(*track).name) : u"?"_s);
        }
        return names;
    }
    TimelineEvidence of(RankIndex rank, std::vector<RankIndex> peers, bool isOfIdleDevice) {
        TimelineEvidence wanted;
        wanted.capture = {1};
        wanted.rank = rank;
        wanted.window = {{100}, {900}};
        wanted.peers = std::move(peers);
        wanted.isOfIdleDevice = isOfIdleDevice;
        return wanted;
    }
};

}  // namespace

class TestEvidenceView : public QObject {
    Q_OBJECT
private slots:
    void theBusiestStreamIsOneOfKernels() {
        const auto capture = threeRanks();
        const TraceStore& trace = *capture->ranks[0].trace;
        const auto stream = busiestStream(trace);
        QVERIFY(stream);
        QCOMPARE(trace.track({*stream}).name, std::string("Stream 2"));  // not the one that waits
        QVERIFY(!busiestStream(*captureOfRanks({"Python/Thread 7: step[0,1000)\n"})->ranks[0].trace));
    }

    void gapsAreTimesInWhichNothingRuns() {
        const auto capture = threeRanks();
        const DeviceGaps gaps = deviceGaps(capture->ranks[0], {{100}, {900}}, {});
        // By looking at each ns: kernels alone count, not the wait.
        std::vector<std::pair<int, int>> runs = {{0, 300}, {400, 500}, {700, 1000}, {990, 995}};
        std::int64_t idle = 0;
        for (int t = 100; t < 900; ++t)
            idle += std::none_of(runs.begin(), runs.end(),
                                 [t](const auto& run) { return t >= run.first && t < run.second; });
        QCOMPARE(gaps.total.value, idle);
        QCOMPARE(gaps.count, std::size_t{2});
        QCOMPARE(gaps.longest, (std::vector<TimeRange>{{{300}, {400}}, {{500}, {700}}}));
        // A window in which the device does nothing is one gap.
        QCOMPARE(deviceGaps(capture->ranks[0], {{550}, {650}}, {}).longest, (std::vector<TimeRange>{{{550}, {650}}}));
    }

    void theSameStreamOfPeersIsPinnedAndGoesAgain() {
        EvidenceFixture fixture;
        fixture.view.show(fixture.of({1}, {{0}, {2}}, false));
        fixture.settle();
        QCOMPARE(fixture.pinned(), (QStringList{u"1 Stream 2"_s, u"0 Stream 2"_s}));
        QVERIFY2(fixture.view.note().startsWith(u"Pinned above: Stream 2, on 2 of 3 ranks."_s),
                 qPrintable(fixture.view.note()));
        // The next place of the same finding keeps them, another finding does not.
        fixture.view.show(fixture.of({1}, {{0}, {2}}, false));
        fixture.settle();
        QCOMPARE(fixture.pinned().size(), 2);
        fixture.view.show(fixture.of({0}, {}, false));
        fixture.settle();
        QCOMPARE(fixture.pinned(), QStringList());
    }

    /// A rank that waits was shown without the one that it waits for.
    void aWaitIsPinnedBesideItsGroup() {
        EvidenceFixture fixture;
        const auto rank = [](int begin) {
            std::string text = "Python/Thread 7: step[0,9000)\n"
                               "Ascend Hardware/Stream 2: MatMul[0,300)\n"
                               "Communication/Group 0 Communication:";
            for (int i = 0; i < 3; ++i)
                text += " hcom_allReduce__586_" + std::to_string(i) + "_1[" + std::to_string(2000 + 1000 * i + begin) +
                        ',' + std::to_string(2800 + 1000 * i) + ')';
            return text + '\n';
        };
        // The second one comes last and waits for nobody.
        const auto capture = captureOfRanks({rank(0), rank(700), rank(200)});
        showIn(fixture.scene, {{.capture = {1}, .store = capture}});
        TimelineEvidence wait = fixture.of({0}, {}, false);
        const TraceStore& trace = *capture->ranks[0].trace;
        SliceIndex slice{};
        while (trace.name(slice) != "hcom_allReduce__586_1_1") ++slice.value;
        wait.slice = trace.id(slice);
        fixture.view.show(wait);
        fixture.settle();
        const QString track = u" Group 0 Communication"_s;
        QCOMPARE(fixture.pinned(), (QStringList{u"0"_s + track, u"1"_s + track, u"2"_s + track}));
        QVERIFY2(fixture.view.note().contains(u"on all 3 ranks."_s), qPrintable(fixture.view.note()));
        QCOMPARE(fixture.view.tracks().parts.size(), std::size_t{3});
        // Without a slice the longest wait within the time is looked for: that of the second one, of 700 ns.
        wait.slice.reset();
        wait.isOfWaits = true;
        wait.window = {{0}, {9000}};
        fixture.view.show(wait);
        fixture.settle();
        QCOMPARE(fixture.pinned(), (QStringList{u"0"_s + track, u"1"_s + track, u"2"_s + track}));
        wait.isOfWaits = false;
        // What is no collective has no group.
        wait.slice = trace.id({0});
        fixture.view.show(wait);
        fixture.settle();
        QCOMPARE(fixture.pinned(), QStringList());
    }

    /// A wait of the only rank of a group that was recorded pinned nothing, and the panel summed up all of its tracks.
    void aWaitOfOneRankIsPinned() {
        const std::string host = "Python/Thread 7: step[0,9000)\n"
                                 "Ascend Hardware/Stream 2: MatMul[0,300)\n";
        const std::string waits = ": hcom_allReduce__586_0_1[2000,2800) hcom_allReduce__586_1_1[3000,3100)\n";
        for (const std::string& track : {std::string("Communication/Group 0 Communication"),
                                         std::string("Communication/Ring")}) {  // the second one names no group
            EvidenceFixture fixture;
            showIn(fixture.scene, {{.capture = {1}, .store = captureOfRanks({host + track + waits})}});
            TimelineEvidence wait = fixture.of({0}, {}, false);
            wait.isOfWaits = true;
            wait.window = {{0}, {9000}};
            wait.mark = wait.window;
            fixture.view.show(wait);
            fixture.settle();
            const QString name = QString::fromStdString(track.substr(track.find('/') + 1));
            QCOMPARE(fixture.pinned(), QStringList{u"0 "_s + name});
            QCOMPARE(fixture.view.tracks().parts.size(), std::size_t{1});
            QVERIFY2(fixture.view.note().startsWith(u"Pinned above: "_s), qPrintable(fixture.view.note()));
            // Another finding of that rank does not keep them.
            fixture.view.show(fixture.of({0}, {}, false));
            fixture.settle();
            QCOMPARE(fixture.pinned(), QStringList());
            QVERIFY(fixture.view.note().isEmpty());
        }
    }

    /// The sentence named what the host did, and only rows of the device were in sight.
    void whatTheHostDidStandsBesideTheGap() {
        EvidenceFixture fixture;
        TimelineEvidence gap = fixture.of({0}, {}, true);
        const TraceStore& trace = *fixture.scene.model().sources()[0].store->ranks[0].trace;
        SliceIndex slice{};
        while (trace.name(slice) != "step") ++slice.value;
        gap.host = trace.id(slice);
        fixture.view.show(gap);
        fixture.settle();
        QCOMPARE(fixture.pinned(), (QStringList{u"0 Stream 2"_s, u"0 Thread 7"_s}));
        QCOMPARE(fixture.view.tracks().parts.size(), std::size_t{2});
        QVERIFY2(fixture.view.note().startsWith(u"Pinned above: Stream 2, Thread 7."_s),
                 qPrintable(fixture.view.note()));
        // The next gap may have no cause.
        gap.host = {};
        fixture.view.show(gap);
        fixture.settle();
        QCOMPARE(fixture.pinned(), QStringList());
    }

    /// The curve that proves a lower frequency was in a process that is collapsed.
    void aCounterStandsBesideTheStream() {
        EvidenceFixture fixture;
        const std::string rank = "Ascend Hardware/Stream 2: MatMul[0,300)\n"
                                 "counter AI Core Freq/AI Core Freq: MHz@0=1800 MHz@100=900\n";
        showIn(fixture.scene, {{.capture = {1}, .store = captureOfRanks({rank, rank})}});
        TimelineEvidence drop = fixture.of({0}, {}, false);
        drop.counter = "AI Core Freq";
        fixture.view.show(drop);
        fixture.settle();
        QCOMPARE(fixture.pinned(), (QStringList{u"0 Stream 2"_s, u"0 AI Core Freq"_s}));
        drop.peers = {{1}};
        fixture.view.show(drop);
        fixture.settle();
        QCOMPARE(fixture.pinned(), (QStringList{u"0 Stream 2"_s, u"1 Stream 2"_s, u"0 AI Core Freq"_s}));
        QVERIFY2(fixture.view.note().startsWith(u"Pinned above: Stream 2, on all 2 ranks. Beside it: AI Core Freq."_s),
                 qPrintable(fixture.view.note()));
    }

    /// The first one alone was shown of kernels that could be one.
    void aSequenceIsMarkedOnItsTrack() {
        EvidenceFixture fixture;
        TimelineEvidence sequence = fixture.of({0}, {}, false);
        const TraceStore& trace = *fixture.scene.model().sources()[0].store->ranks[0].trace;
        SliceIndex slice{};
        while (trace.name(slice) != "Add") ++slice.value;
        sequence.slice = trace.id(slice);
        sequence.mark = TimeRange{{400}, {1000}};
        fixture.view.show(sequence);
        fixture.settle();
        QCOMPARE(fixture.view.tracks().parts.size(), std::size_t{1});
        QCOMPARE(trace.track(*trace.findTrack(fixture.view.tracks().parts[0].track)).name, std::string("Stream 2"));
    }

    /// A finding that was clicked before the timeline had read its colours led nowhere.
    void evidenceWaitsForItsCapture() {
        EvidenceFixture fixture;
        const auto capture = fixture.scene.model().sources()[0].store;
        showIn(fixture.scene, {});
        fixture.view.show(fixture.of({1}, {{0}}, false));
        fixture.settle();
        QVERIFY(fixture.pinned().isEmpty());
        QSignalSpy placed(&fixture.view, &EvidenceView::placed);
        showIn(fixture.scene, {{.capture = {1}, .store = capture}});
        fixture.settle();
        QCOMPARE(placed.count(), 1);
        QCOMPARE(fixture.pinned().size(), 2);
    }

    /// Gaps were hatched in rows below the edge of the window.
    void gapsAreBroughtIntoSight() {
        EvidenceFixture fixture;
        std::string text;
        for (int thread = 0; thread < 40; ++thread)
            text += "Python/Thread " + std::to_string(thread) + ": step[0,1000)\n";
        const auto capture = captureOfRanks({text + "Ascend Hardware/Stream 2: MatMul[0,300) Add[400,500)\n"});
        showIn(fixture.scene, {{.capture = {1}, .store = capture}});
        fixture.scene.setAllExpanded(true);
        fixture.view.show(fixture.of({0}, {}, true));
        fixture.settle();
        PictureLoader loader(fixture.scene);
        CanvasLayout layout(fixture.scene, loader);
        layout.setSize({1000, 400});
        fixture.scene.change([](ViewWindow& window) { window.show({{0}, {1000}}, HistoryMark::NewStep); });
        const auto marks = gapMarks(layout, fixture.scene, fixture.view.gaps());
        QVERIFY(!marks.empty());
        QVERIFY(marks.front().area.top() >= 0 && marks.front().area.bottom() <= 400);
        // What the panel below sums up is that device, not the threads of the host.
        QCOMPARE(fixture.view.tracks().parts.size(), std::size_t{1});
        QCOMPARE(capture->ranks[0]
                     .trace->track(*capture->ranks[0].trace->findTrack(fixture.view.tracks().parts[0].track))
                     .name,
                 std::string("Stream 2"));
    }

    void whatTheUserHasPinnedStays() {
        EvidenceFixture fixture;
        const TraceStore& trace = *fixture.scene.model().sources()[0].store->ranks[0].trace;
        const auto own = std::find_if(trace.tracks().begin(), trace.tracks().end(),
                                      [](const Track& track) { return track.name == "Stream 2"; });
        const std::vector<RowKey> mine{{{1}, 0, TimelineRowKind::Thread, own->id.value}};
        fixture.scene.arrange(withPinned({}, mine));
        fixture.view.show(fixture.of({1}, {{0}}, false));
        fixture.settle();
        QCOMPARE(fixture.scene.model().arrangement().pinned.size(), std::size_t{2});
        fixture.view.clear();
        QCOMPARE(fixture.scene.model().arrangement().pinned, mine);
        QVERIFY(fixture.view.note().isEmpty());
    }

    void gapsAreMarkedInTheRowsOfTheDevice() {
        EvidenceFixture fixture;
        fixture.view.show(fixture.of({0}, {}, true));
        fixture.settle();
        QCOMPARE(fixture.view.gaps().gaps.size(), std::size_t{2});
        QVERIFY2(fixture.view.note().contains(u"2 gap(s) of the device, 300 ns in all, are hatched."_s),
                 qPrintable(fixture.view.note()));
        PictureLoader loader(fixture.scene);
        CanvasLayout layout(fixture.scene, loader);
        layout.setSize({1000, 400});
        fixture.scene.change([](ViewWindow& window) { window.show({{0}, {1000}}, HistoryMark::NewStep); });
        const TimeRange window = fixture.scene.window().range();
        const double perNs = 1000.0 / static_cast<double>(window.length().value);
        const auto marks = gapMarks(layout, fixture.scene, fixture.view.gaps());
        QCOMPARE(marks.size(), std::size_t{4});  // in two streams, not in the thread of the host
        QCOMPARE(marks[0].text, u"100 ns"_s);
        QVERIFY(marks[2].text.isEmpty());  // once for each gap
        QVERIFY(std::abs(marks[1].area.width() - 200 * perNs) < 1.5);
        fixture.view.clear();
        QVERIFY(gapMarks(layout, fixture.scene, fixture.view.gaps()).empty());
    }
};

ALTI_TEST(TestEvidenceView)
#include "tst_evidence_view.moc"
