#include "core/store/seal/trace_builder.h"
#include "tests/support/test_main.h"
#include "tests/support/thread_clock.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/common/support/formatters.h"
#include "views/timeline/rows/row_titles.h"
#include "views/timeline/rows/timeline_model.h"

using namespace altiscope;

namespace {

/// Rows as text: indent by level, "-" expanded, "+" collapsed, and the height in lanes of 10, with groups of 11.
QString dump(const TimelineModel& model) {
    QString text;
    for (const TimelineRow& row : model.rows()) {
        text += QString(row.level * 2, u' ') + (row.expandable ? (row.expanded ? u'-' : u'+') : u' ') +
                rowTitle(model.sources(), row) + u' ' + QString::number(row.top) + u'+' + QString::number(row.height) +
                u'\n';
    }
    return text;
}

TimelineModel modelOf(std::initializer_list<std::shared_ptr<CaptureStore>> captures) {
    TimelineModel model;
    model.setMetrics({.lane = 10, .group = 11, .counter = 20, .strip = 2, .gap = 2});
    std::vector<TimelineSource> sources;
    for (const auto& capture : captures)
        sources.push_back({static_cast<std::uint32_t>(sources.size() + 1), capture, {}});
    model.setSources(std::move(sources));
    return model;
}

std::size_t rowNamed(const TimelineModel& model, const QString& title) {
    for (std::size_t i = 0; i < model.rows().size(); ++i) {
        if (rowTitle(model.sources(), model.rows()[i]) == title) return i;
    }
    return model.rows().size();
}

constexpr std::string_view kTwoThreads = "p1/t1: A[0,100) B[10,40) C[20,30)\np1/t2: D[0,50)";
constexpr std::string_view kCounters = "p9/c:Read r[5]=1 r[10]=2\np9/c:Write a[5]=1 b[6]=2";

}  // namespace

class TestTimelineModel : public QObject {
    Q_OBJECT
private slots:
    void ranksProcessesThreads();
    void captureAndHostLevels();
    void startsWithCountersCollapsed();
    void deepThreadsStartAsStrips();
    void manyRanksStartCollapsed();
    void emptyTracksAreLeftOut();
    void ranksWithoutTimelineSayWhy();
    void expandingKeepsRowsClosed();
    void expansionSurvivesNewStores();
    void rowAtFindsEveryHeight();
    void placeOfHiddenTracks();
    void expandToOpensWhatHides();
    void ranksOutsideTheContextAreLeftOut();
    void hiddenTracksAreCounted();
    void tenThousandThreads();
    void callStacksStandCollapsedBelowTheirThread();
};

void TestTimelineModel::ranksProcessesThreads() {
    const TimelineModel model = modelOf({test::captureFromTexts({kTwoThreads, kTwoThreads})});
    QCOMPARE(dump(model),
             QStringLiteral("-Rank 0 0+11\n"
                            "  -%1 11+11\n"
                            "    -%2 22+32\n"
                            "     %3 54+12\n"
                            "-Rank 1 66+11\n"
                            "  -%1 77+11\n"
                            "    -%2 88+32\n"
                            "     %3 120+12\n")
                 .arg(rowTitle(model.sources(), model.rows()[1]), rowTitle(model.sources(), model.rows()[2]),
                      rowTitle(model.sources(), model.rows()[3])));
    QCOMPARE(model.layout().height(), std::int64_t(132));
    QCOMPARE(model.rows()[2].kind, TimelineRowKind::Thread);
    QCOMPARE(model.rows()[2].lanes, 3U);
}

void TestTimelineModel::callStacksStandCollapsedBelowTheirThread() {
    TraceBuilder builder("id");
    TraceBuilder::Names names(builder);
    Segment segment;
    for (const char* tid : {"7", "8"}) {
        const ProvisionalTrack thread = names.thread("1", tid);
        const SourcePos pos = SourcePos::make(0, segment.slices.size());
        segment.slices.add(thread, 0, 10, names.text("op"), names.text("cpu_op"), pos);
        const std::vector<std::string_view> frames{"main", "step"};
        segment.stackedOperators.push_back({thread, names.stack(frames), 0, 10, pos});
    }
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    Diagnostics diagnostics;
    const auto capture = test::captureFromTexts({kTwoThreads, kTwoThreads});
    capture->ranks[0].trace = builder.seal("f", diagnostics, {}).value();
    capture->ranks[1].trace = capture->ranks[0].trace;
    TimelineModel model = modelOf({capture});
    QStringList rows;
    for (std::size_t i = 2; i < 6; ++i)
        rows << rowTitle(model.sources(), model.rows()[i]) + u'|' + rowNote(model.sources(), model.rows()[i]) + u'|' +
                    (model.rows()[i].expanded ? u'-' : u'+');
    QCOMPARE(rows, (QStringList{QStringLiteral("Thread 7||+"), QStringLiteral("Thread 7|stacks|+"),
                                QStringLiteral("Thread 8||+"), QStringLiteral("Thread 8|stacks|+")}));
    QVERIFY(!model.rows()[2].expandable && model.rows()[3].expandable);
    // What is done with a thread is not done with its stacks.
    QCOMPARE(model.sources().sameOnAllRanks(model.rows()[2]).size(), std::size_t{2});
    QCOMPARE(model.sources().sameOnAllRanks(model.rows()[3]).size(), std::size_t{2});
}

void TestTimelineModel::ranksOutsideTheContextAreLeftOut() {
    const auto capture = test::captureFromTexts({kTwoThreads, kTwoThreads, kTwoThreads});
    capture->ranks[2].info.host = "other";
    TimelineModel model = modelOf({capture});
    model.setContext({.ranks = {1}, .devices = {}, .steps = {}, .range = {}});
    // One host is left, so that its level goes too.
    QCOMPARE(rowTitle(model.sources(), model.rows().front()), QStringLiteral("Rank 1"));
    QCOMPARE(model.rows().size(), std::size_t{4});
    QVERIFY(!model.placeOf(0, {0}, {0}));
    QVERIFY(model.placeOf(0, {1}, {0}));
    QVERIFY(!model.expandTo(0, {2}, {0}));
    model.setContext({.ranks = {9}, .devices = {}, .steps = {}, .range = {}});
    QVERIFY(model.rows().empty());
    QCOMPARE(model.layout().height(), std::int64_t{0});
    model.setContext({});
    QCOMPARE(rowNamed(model, QStringLiteral("Rank 2")), std::size_t{10});
}

void TestTimelineModel::hiddenTracksAreCounted() {
    const auto capture = test::captureFromTexts({kTwoThreads, kTwoThreads});
    TimelineModel model = modelOf({capture});
    const std::size_t all = model.rows().size();
    const TimelineRow thread = model.rows()[2];
    TrackFilter filter;
    filter.hidden.insert(model.sources().keyOf(thread));
    model.setFilter(filter);
    QCOMPARE(model.hiddenTracks(), std::size_t{1});
    QCOMPARE(model.rows().size(), all - 1);
    QVERIFY(rowTitleOf(model.sources(), *filter.hidden.begin())
                .endsWith(QStringLiteral(" / ") + toQString(capture->ranks[0].trace->track({thread.firstTrack}).name)));
    QVERIFY(!model.placeOf(0, {0}, {thread.firstTrack}));
    // The same thread of rank 1 as well: what stays is one thread a rank.
    const std::vector<RowKey> same = model.sources().sameOnAllRanks(thread);
    QCOMPARE(same.size(), std::size_t{2});
    filter.hidden.insert(same.begin(), same.end());
    model.setFilter(filter);
    QCOMPARE(model.hiddenTracks(), std::size_t{2});
    QCOMPARE(model.rows().size(), all - 2);
    // A whole process: its tracks count, and its row goes.
    filter.hidden = {model.sources().keyOf(model.rows()[1])};
    model.setFilter(filter);
    QCOMPARE(model.hiddenTracks(), std::size_t{2});
    QCOMPARE(model.rows()[1].kind, TimelineRowKind::Rank);
    // By text, in any case, of the track or its process.
    const QString name = toQString(capture->ranks[0].trace->track({thread.firstTrack}).name);
    model.setFilter({.text = name.toUpper(), .hiddenKinds = {}, .hidden = {}});
    QCOMPARE(model.hiddenTracks(), std::size_t{2});
    model.setFilter({.text = {}, .hiddenKinds = {capture->ranks[0].trace->track({0}).kind}, .hidden = {}});
    QCOMPARE(model.hiddenTracks(), std::size_t{4});
    model.setFilter({});
    QCOMPARE(model.rows().size(), all);
    QCOMPARE(model.hiddenTracks(), std::size_t{0});
}

void TestTimelineModel::captureAndHostLevels() {
    const auto one = test::captureFromTexts({kTwoThreads}), two = test::captureFromTexts({kTwoThreads, kTwoThreads});
    two->path = "/captures/run2";
    two->ranks[1].info.host = "other";
    const TimelineModel model = modelOf({one, two});
    QStringList kinds;
    for (const TimelineRow& row : model.rows()) {
        if (row.kind <= TimelineRowKind::Rank) kinds << QString::number(row.level) + rowTitle(model.sources(), row);
    }
    QCOMPARE(kinds, (QStringList{QStringLiteral("0run1"), QStringLiteral("1Rank 0"), QStringLiteral("0run2"),
                                 QStringLiteral("1host"), QStringLiteral("2Rank 0"), QStringLiteral("1other"),
                                 QStringLiteral("2Rank 1")}));
}

void TestTimelineModel::startsWithCountersCollapsed() {
    TimelineModel model = modelOf({test::captureFromTexts({kCounters})});
    QCOMPARE(model.rows().size(), std::size_t(2));
    QVERIFY(!model.rows()[1].expanded);
    model.setExpanded(1, true);
    QCOMPARE(model.rows().size(), std::size_t(4));
    const TimelineRow read = model.rows()[2], write = model.rows()[3];
    QCOMPARE(read.kind, TimelineRowKind::Counter);
    QVERIFY(!read.expandable);
    QCOMPARE(read.height, 20);
    // Two series share a plot until the row is expanded.
    QVERIFY(write.expandable && !write.expanded);
    QCOMPARE(write.lanes, 1U);
    model.setExpanded(3, true);
    QCOMPARE(model.rows()[3].lanes, 2U);
    QCOMPARE(model.rows()[3].height, 22);
}

void TestTimelineModel::deepThreadsStartAsStrips() {
    std::string deep = "p1/t1:", flat = "p1/t2:";
    for (int i = 0; i < 40; ++i)
        deep += " D" + std::to_string(i) + "[" + std::to_string(i) + "," + std::to_string(100 - i) + ")";
    for (std::uint32_t i = 0; i < kDeepThread; ++i)
        flat += " F" + std::to_string(i) + "[" + std::to_string(i) + "," + std::to_string(100 - i) + ")";
    TimelineModel model = modelOf({test::captureFromTexts({deep + "\n" + flat})});
    QVERIFY(!model.rows()[2].expanded);
    QCOMPARE(model.rows()[2].lanes, 40U);
    // Never higher than kCollapsedLanes lanes: then strips are thinner.
    QCOMPARE(model.rows()[2].height, kCollapsedLanes * 10 + 2);
    QVERIFY(model.rows()[3].expanded);
    QCOMPARE(model.rows()[3].height, static_cast<int>(kDeepThread) * 10 + 2);
}

void TestTimelineModel::manyRanksStartCollapsed() {
    auto capture = test::captureFromTexts({});
    const auto trace = test::traceFromText(kTwoThreads);
    for (std::size_t i = 0; i <= kManyRanks; ++i) {
        RankEntry entry;
        entry.info.rankId = static_cast<std::int64_t>(i);
        entry.trace = trace;
        capture->ranks.push_back(entry);
    }
    const TimelineModel model = modelOf({capture});
    QCOMPARE(model.rows().size(), kManyRanks + 1);
}

void TestTimelineModel::emptyTracksAreLeftOut() {
    // A flow makes a track of p2, but nothing lies on it.
    const TimelineModel model = modelOf({test::captureFromTexts({"p1/t1: A[0,100)\nflow cat:1 p2/t9@5 -> p1/t1@50"})});
    QCOMPARE(model.rows().size(), std::size_t(3));
}

void TestTimelineModel::ranksWithoutTimelineSayWhy() {
    const auto capture = test::captureFromTexts({"", ""});
    capture->ranks[1].info.state = RankState::Raw;
    const TimelineModel model = modelOf({capture});
    QCOMPARE(model.rows().size(), std::size_t(2));
    QCOMPARE(rowNote(model.sources(), model.rows()[0]), QStringLiteral("no timeline"));
    QCOMPARE(rowNote(model.sources(), model.rows()[1]), QStringLiteral("raw data only"));
    QVERIFY(!model.rows()[0].expandable);
}

void TestTimelineModel::expandingKeepsRowsClosed() {
    TimelineModel model = modelOf({test::captureFromTexts({kTwoThreads, kCounters})});
    model.setAllExpanded(true);
    const auto checkClosed = [&model] {
        std::int64_t top = 0;
        for (const TimelineRow& row : model.rows()) {
            QCOMPARE(row.top, top);
            QVERIFY(row.height > 0);
            top += row.height;
        }
        QCOMPARE(model.layout().height(), top);
    };
    checkClosed();
    model.setAllExpanded(false);
    checkClosed();
    QCOMPARE(model.rows().size(), std::size_t(2));
}

void TestTimelineModel::expansionSurvivesNewStores() {
    TimelineModel model = modelOf({test::captureFromTexts({"p1/t1: A[0,100) B[10,40)"})});
    model.setExpanded(rowNamed(model, rowTitle(model.sources(), model.rows()[2])), false);
    QVERIFY(!model.rows()[2].expanded);
    // The sealed store has a thread more before it, so that places have changed; names by id have not.
    model.setSources({{1, test::captureFromTexts({"p0/t0: X[0,5)\np1/t1: A[0,100) B[10,40) C[20,30)"}), {}}});
    int found = 0;
    for (const TimelineRow& row : model.rows()) {
        if (row.kind != TimelineRowKind::Thread || model.sources().traceOf(row)->track({row.firstTrack}).tid != "1")
            continue;
        ++found;
        QVERIFY(!row.expanded);
    }
    QCOMPARE(found, 1);
}

void TestTimelineModel::rowAtFindsEveryHeight() {
    const TimelineModel model = modelOf({test::captureFromTexts({kTwoThreads, kTwoThreads})});
    for (std::int64_t y = 0; y < model.layout().height(); ++y) {
        const TimelineRow& row = model.rows()[model.layout().rowAt(y)];
        QVERIFY(row.top <= y && y < row.top + row.height);
    }
    QCOMPARE(model.layout().rowAt(-5), std::size_t(0));
    QCOMPARE(model.layout().rowAt(model.layout().height() + 1000), model.rows().size() - 1);
}

void TestTimelineModel::placeOfHiddenTracks() {
    TimelineModel model = modelOf({test::captureFromTexts({kTwoThreads})});
    const auto shown = model.placeOf(0, {0}, {1});
    QVERIFY(shown && !shown->hidden);
    QCOMPARE(shown->row, std::size_t(3));
    model.setExpanded(0, false);
    const auto hidden = model.placeOf(0, {0}, {1});
    QVERIFY(hidden && hidden->hidden);
    QCOMPARE(hidden->row, std::size_t(0));
    QVERIFY(!model.placeOf(0, {0}, {7}));
    QVERIFY(!model.placeOf(0, {5}, {0}));
    QVERIFY(!model.placeOf(3, {0}, {0}));
}

void TestTimelineModel::expandToOpensWhatHides() {
    TimelineModel model = modelOf({test::captureFromTexts({kTwoThreads, kTwoThreads})});
    model.setAllExpanded(false);
    QVERIFY(model.expandTo(0, {1}, {0}));
    const auto place = model.placeOf(0, {1}, {0});
    QVERIFY(place && !place->hidden);
    QVERIFY(model.rows()[place->row].expanded);
    QVERIFY(!model.rows()[0].expanded);
    QVERIFY(!model.expandTo(0, {1}, {0}));
}

void TestTimelineModel::tenThousandThreads() {
    TraceBuilder builder("many");
    TraceBuilder::Names names(builder);
    Segment segment;
    for (int i = 0; i < 10'000; ++i) {
        const auto track = names.thread("1", std::to_string(i));
        segment.slices.add(track, i, 100, names.text("A"), names.text(""),
                           SourcePos::make(0, static_cast<std::uint64_t>(i)));
    }
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    Diagnostics diagnostics;
    auto capture = std::make_shared<CaptureStore>();
    capture->ranks.emplace_back().trace = builder.seal("f", diagnostics, {}).value();

    TimelineModel model = modelOf({capture});
    QCOMPARE(model.rows().size(), std::size_t(10'002));
    QCOMPARE(model.layout().height(), std::int64_t(22 + 10'000 * 12));
    QCOMPARE(model.layout().rowAt(22 + 12 * 5'000), std::size_t(5'002));
    ThreadClock timer;
    model.setAllExpanded(false);
    model.setAllExpanded(true);
    // Generous for sanitizers; the aim is a frame.
    QVERIFY2(timer.elapsed() < 2'000, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(model.rows().size(), std::size_t(10'002));
}

ALTI_TEST(TestTimelineModel)
#include "tst_timeline_model.moc"
