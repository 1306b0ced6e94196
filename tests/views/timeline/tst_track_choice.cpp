#include "views/timeline/rows/track_choice.h"

#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"

#include <QElapsedTimer>

#include <algorithm>
#include <limits>

using namespace altiscope;

/// Tracks that a box covers.
class TestTrackChoice : public QObject {
    Q_OBJECT
private slots:
    void spanOfABoxIsThatOfItsTracks_data();
    void spanOfABoxIsThatOfItsTracks();
    void dragOverManyCollapsedRanksLooksUpNoTracks();

private:
    JobRunner m_runner{2};
};

void TestTrackChoice::spanOfABoxIsThatOfItsTracks_data() {
    QTest::addColumn<bool>("expanded");
    QTest::addColumn<bool>("depths");
    QTest::addColumn<bool>("isHidden");
    for (int row = 0; row < 8; ++row) {
        const bool expanded = (row & 1) != 0, depths = (row & 2) != 0, isHidden = (row & 4) != 0;
        QTest::addRow("%s, %s%s", expanded ? "expanded" : "collapsed", depths ? "depths" : "whole tracks",
                      isHidden ? ", one hidden" : "")
            << expanded << depths << isHidden;
    }
}

void TestTrackChoice::spanOfABoxIsThatOfItsTracks() {
    QFETCH(bool, expanded);
    QFETCH(bool, depths);
    QFETCH(bool, isHidden);
    TimelineScene scene(m_runner);
    scene.setMetrics({.lane = 20, .group = 22, .counter = 40, .strip = 3, .gap = 4});
    test::showIn(scene,
                 {{1, test::captureFromTexts({"p1/t1: A[0,90) B[10,40) C[20,30)\np1/t2: D[0,5)\np2/c:HBM read[1]=2", "",
                                              "p1/t2: E[0,9) F[1,3)\np3/t9: G[2,8)"})}});
    const TimelineModel& model = scene.model();
    const auto isThread = [](const TimelineRow& row) { return row.kind == TimelineRowKind::Thread; };
    const auto first = std::find_if(model.rows().begin(), model.rows().end(), isThread);
    QVERIFY(first != model.rows().end());
    if (isHidden) scene.setFilter({.text = {}, .hiddenKinds = {}, .hidden = {model.sources().keyOf(*first)}});
    scene.setAllExpanded(expanded);
    int spans = 0;
    for (std::int64_t top = 0; top < model.layout().height(); top += 3) {
        for (std::int64_t bottom = top + 1; bottom <= model.layout().height(); bottom += 7) {
            const auto span = spanBetween(model, 0, top, bottom, depths);
            QCOMPARE(span, spanOf(model, tracksBetween(model, 0, top, bottom), depths));
            spans += span ? 1 : 0;
        }
    }
    QVERIFY(spans > 0);
}

/// A thousand ranks of two hundred tracks: each move of the mouse looked up all of them.
void TestTrackChoice::dragOverManyCollapsedRanksLooksUpNoTracks() {
    std::string text;
    for (int track = 0; track < 200; ++track) text += "p1/t" + std::to_string(track) + ": A[0,90)\n";
    const auto rank = test::traceFromText(text);
    auto capture = std::make_shared<CaptureStore>();
    capture->sealed = true;
    for (std::int64_t number = 0; number < 1000; ++number) {
        RankEntry entry;
        entry.info.rankId = number;
        entry.trace = rank;
        capture->ranks.push_back(std::move(entry));
    }
    TimelineScene scene(m_runner);
    test::showIn(scene, {{1, capture}});
    const TimelineModel& model = scene.model();
    QCOMPARE(model.rows().size(), std::size_t{1000});
    QElapsedTimer timer;
    // The least of several: whatever else the machine does is not asked about.
    qint64 spans = std::numeric_limits<qint64>::max();
    for (int move = 0; move < 20; ++move) {
        timer.start();
        QVERIFY(spanBetween(model, 0, 0, model.layout().height(), false));
        spans = std::min(spans, timer.nsecsElapsed());
    }
    timer.restart();
    const TrackChoice all = tracksBetween(model, 0, 0, model.layout().height());
    QCOMPARE(spanOf(model, all, false), spanBetween(model, 0, 0, model.layout().height(), false));
    const qint64 tracks = timer.nsecsElapsed();
    QCOMPARE(all.parts.size(), std::size_t{200'000});
    qInfo("a move %.2f ms, all tracks %.2f ms", static_cast<double>(spans) / 1e6, static_cast<double>(tracks) / 1e6);
    QVERIFY2(spans * 4 < tracks, "a move costs rows, not tracks");
}

ALTI_TEST(TestTrackChoice)
#include "tst_track_choice.moc"
