#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/rows/track_layout.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace altiscope;

using namespace Qt::StringLiterals;

namespace {

constexpr std::string_view kThreads =
    "p1/t1: A[0,100)\np1/t2: D[0,50)\np1/t3: E[0,50)\np2/t4: F[0,50)\np2/c:Read r[5]=1";

TimelineModel modelOf(CaptureId capture, std::initializer_list<std::string_view> ranks) {
    TimelineModel model;
    model.setSources({{capture, test::captureFromTexts(ranks), {}}});
    return model;
}

RowKey keyOf(const TimelineModel& model, std::uint32_t rank, std::uint32_t track,
             TimelineRowKind kind = TimelineRowKind::Thread) {
    const TimelineSource& source = model.sources()[0];
    return {source.capture, {rank}, kind, source.store->ranks[rank].trace->track({track}).id.value};
}

/// Everything at once: pins, order, heights, merged rows, hidden and collapsed ones.
TrackLayout fullLayout(const TimelineModel& model) {
    TrackLayout layout;
    layout.arrangement.pinned = {keyOf(model, 1, 2), keyOf(model, 0, 3), keyOf(model, 1, 3)};
    layout.arrangement.order[keyOf(model, 0, 0, TimelineRowKind::Process)] = {keyOf(model, 0, 2), keyOf(model, 0, 0),
                                                                              keyOf(model, 0, 1)};
    layout.arrangement.heights[keyOf(model, 0, 0)] = {150, 0};
    layout.arrangement.heights[keyOf(model, 1, 0)] = {150, 0};
    layout.arrangement.merged = {{keyOf(model, 0, 0), keyOf(model, 0, 1)}, {keyOf(model, 1, 0), keyOf(model, 1, 1)}};
    layout.hidden = {keyOf(model, 0, 4, TimelineRowKind::Counter), keyOf(model, 1, 4, TimelineRowKind::Counter)};
    layout.expansion = {{keyOf(model, 0, 3, TimelineRowKind::Process), false},
                        {{model.sources()[0].capture, 1, TimelineRowKind::Rank, 0}, false}};
    return layout;
}

QJsonObject saved(const TimelineModel& model, const TrackLayout& layout) {
    const TimelineSource& source = model.sources()[0];
    return savedLayout(TrackNames(*source.store, source.capture), layout.arrangement,
                       {.text = {}, .hiddenKinds = {}, .hidden = layout.hidden}, layout.expansion);
}

TrackLayout applied(const TimelineModel& model, const QJsonObject& json) {
    const TimelineSource& source = model.sources()[0];
    return layoutFor(TrackNames(*source.store, source.capture), json);
}

}  // namespace

class TestTrackLayout : public QObject {
    Q_OBJECT
private slots:
    void comesBackAsItWas();
    void entriesForAllRanksNameNone();
    void appliesToACaptureWithMoreRanks();
    void rowsThatAreNotThereAreLeftOut();
    void otherCapturesKeepTheirs();
    void nonsenseDoesNothing();
};

void TestTrackLayout::comesBackAsItWas() {
    const TimelineModel model = modelOf({1}, {kThreads, kThreads});
    const TrackLayout layout = fullLayout(model);
    const TrackLayout back = applied(model, saved(model, layout));
    QVERIFY(back.arrangement == layout.arrangement);
    QVERIFY(back.hidden == layout.hidden);
    QVERIFY(back.expansion == layout.expansion);
    // Also under another number, as the next run of the program gives it.
    const TimelineModel later = modelOf({7}, {kThreads, kThreads});
    QVERIFY(applied(later, saved(model, layout)).arrangement == fullLayout(later).arrangement);
}

void TestTrackLayout::entriesForAllRanksNameNone() {
    const TimelineModel model = modelOf({1}, {kThreads, kThreads});
    const QJsonObject json = saved(model, fullLayout(model));
    QVERIFY(!json["heights"_L1].toArray().at(0).toObject().contains("ranks"_L1));
    QVERIFY(!json["merged"_L1].toArray().at(0).toObject().contains("ranks"_L1));
    QCOMPARE(json["pinned"_L1].toArray().at(0)["ranks"_L1].toArray(), (QJsonArray{1}));
    QVERIFY(!json["pinned"_L1].toArray().at(1).toObject().contains("ranks"_L1));
    QCOMPARE(json["order"_L1].toArray().at(0)["of"_L1]["ranks"_L1].toArray(), (QJsonArray{0}));
}

void TestTrackLayout::appliesToACaptureWithMoreRanks() {
    const TimelineModel two = modelOf({1}, {kThreads, kThreads}),
                        four = modelOf({2}, {kThreads, kThreads, kThreads, kThreads});
    const TrackLayout layout = applied(four, saved(two, fullLayout(two)));
    QCOMPARE(layout.arrangement.pinned, (std::vector<RowKey>{keyOf(four, 1, 2), keyOf(four, 0, 3), keyOf(four, 1, 3),
                                                             keyOf(four, 2, 3), keyOf(four, 3, 3)}));
    QCOMPARE(layout.arrangement.merged.size(), std::size_t{4});
    QCOMPARE(layout.arrangement.heights.size(), std::size_t{4});
    QCOMPARE(layout.arrangement.order.size(), std::size_t{1});
    QCOMPARE(layout.hidden.size(), std::size_t{4});
}

void TestTrackLayout::rowsThatAreNotThereAreLeftOut() {
    const TimelineModel two = modelOf({1}, {kThreads, kThreads}),
                        other = modelOf({2}, {"p1/t3: X[0,10)\np1/t1: A[0,10)\np9/t9: Y[0,10)"});
    TimelineModel shown = other;
    const TrackLayout layout = applied(other, saved(two, fullLayout(two)));
    QVERIFY(layout.arrangement.pinned.empty());
    QVERIFY(layout.arrangement.merged.empty());
    QVERIFY(layout.hidden.empty());
    QCOMPARE(layout.arrangement.heights.size(), std::size_t{1});
    shown.setArrangement(layout.arrangement);
    QCOMPARE(shown.rows().size(), other.rows().size());
}

void TestTrackLayout::otherCapturesKeepTheirs() {
    TimelineModel model;
    const auto one = test::captureFromTexts({kThreads, kThreads}), two = test::captureFromTexts({kThreads, kThreads});
    model.setSources({{1, one, {}}, {2, two, {}}});
    const RowKey foreign{2, 0, TimelineRowKind::Thread, two->ranks[0].trace->track({0}).id.value};
    TrackArrangement before;
    before.pinned = {foreign, keyOf(model, 0, 0)};
    before.heights[foreign] = {0, 300};
    model.setArrangement(before);
    const TrackLayout after = withLayout({model.arrangement(), {}, {}}, {1}, fullLayout(model));
    QCOMPARE(after.arrangement.pinned.front(), foreign);
    QCOMPARE(after.arrangement.pinned.size(), std::size_t{4});
    QCOMPARE(after.arrangement.heights.at(foreign).shut, 300);
    QCOMPARE(saved(model, after), saved(model, fullLayout(model)));
}

void TestTrackLayout::nonsenseDoesNothing() {
    const TimelineModel model = modelOf({1}, {kThreads});
    const auto json =
        QJsonDocument::fromJson(
            QByteArray(
                R"({"pinned": [1, {"kind": "nut"}, {"kind": "thread", "number": -3}], "hidden": "x", "order": [{"of": 3}],)") +
            R"("ranks": [9], "merged": [{"rows": []}, {"rows": [5]}], "heights": [{"kind": "rank", "open": "tall"}]})")
            .object();
    QVERIFY(!json.isEmpty());
    const TrackLayout layout = applied(model, json);
    QVERIFY(layout.arrangement.pinned.empty() && layout.arrangement.merged.empty() &&
            layout.arrangement.order.empty() && layout.hidden.empty());
}

ALTI_TEST(TestTrackLayout)
#include "tst_track_layout.moc"
