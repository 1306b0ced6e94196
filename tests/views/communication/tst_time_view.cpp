#include "tests/views/communication/communication_stage.h"
#include "views/common/tables/table_panel.h"
#include "views/common/theme/theme.h"
#include "views/communication/panels/advice_tab.h"
#include "views/communication/panels/settings_bar.h"
#include "views/communication/panels/time_view.h"

#include <QJsonObject>
#include <QSignalSpy>

#include <algorithm>
#include <utility>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// What communication.json holds but the sizes of packets.
QJsonObject withoutPackets(const QJsonObject& content) {
    QJsonObject kept;
    for (auto member = content.begin(); member != content.end(); ++member) {
        if (member.key() == u"Size Distribution"_s) continue;
        kept.insert(member.key(), member->isObject() ? QJsonValue(withoutPackets(member->toObject())) : *member);
    }
    return kept;
}

/// Where the first collective of each rank is drawn.
std::vector<TimeNs> firstBegins(const TimeView& view) {
    std::vector<TimeNs> begins;
    for (std::size_t row = 0; row < view.shown()->chart->rowCount(); ++row)
        begins.push_back(view.shown()->chart->aligned(row, 0).begin);
    return begins;
}

}  // namespace

/// Collectives over time: ranks, their alignment, packets, and advice.
class TestTimeView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void timesOfRanks();
    void selectedCollectiveIsShownOnAllRanks();
    void neighboursHaveABorder();
    void whoCameLastStandsBesideTheRank();
    void ranksAreAlignedByTheSelectedCollective();
    void putBackWhileAnotherStepIsReadLeavesNoRankMoved();
    void ranksAlignedStayAlignedAfterNothingWasShown();
    void tableLeadsToCollectivesAfterAnEarlyAlignment();
    void collectiveWithoutRowsElsewhereIsNotCalledAbsent();
    void packetsOfTheChosenRank();
    void collectiveOfTheTimelineIsFound();
    void adviceHasValuesAndLeadsToCollectives();
    void adviceTellsWhatCannotBeJudged();

private:
    SlowLinkCapture m_capture;
};

void TestTimeView::timesOfRanks() {
    CommunicationFixture fixture(m_capture.path());
    QVERIFY(fixture.page.times().shown() == nullptr);  // out of sight
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    const auto times = fixture.page.times().shown();
    QVERIFY(times != nullptr);
    QCOMPARE(times->set->ranks.size(), std::size_t{4});
    QCOMPARE(fixture.page.times().ranks().table().loader().rows()->count, std::size_t{4});
    std::size_t items = 0;
    for (const RankCollectives& rank : times->set->ranks) items += rank.items.size();
    QCOMPARE(fixture.page.times().collectives().table().loader().rows()->count, items);
    QVERIFY(times->ownClock.empty());
    // Each step on its own adds up to all.
    std::int64_t elapsed = 0;
    for (const std::int64_t step : fixture.page.shown()->choices.steps) {
        chooseStep(fixture.page.bar(), step);
        fixture.settle();
        elapsed += fixture.page.times().shown()->set->ranks[0].sum.elapsed;
    }
    QCOMPARE(elapsed, times->set->ranks[0].sum.elapsed);
}

void TestTimeView::selectedCollectiveIsShownOnAllRanks() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    TimeView& view = fixture.page.times();
    view.collectives().table().setCurrent(0, 0);
    fixture.settle();
    QVERIFY(view.canvas().selected().has_value());
    QCOMPARE(view.peers().table().loader().rows()->count, std::size_t{2});
    const TableSource& peers = *view.peers().table().loader().source();
    // Whoever came first waited; one of them came last.
    const auto cell = [&](PeerColumn column, std::size_t row) {
        return peers.cell(static_cast<std::size_t>(column), row);
    };
    QCOMPARE(std::min(cell(PeerColumn::Late, 0), cell(PeerColumn::Late, 1)), 0);
    QCOMPARE(std::min(cell(PeerColumn::Wait, 0), cell(PeerColumn::Wait, 1)), 0);
    QSignalSpy slices(&fixture.page, &CommunicationPage::sliceRequested);
    emit view.peers().table().activated(1);
    fixture.settle();
    QCOMPARE(slices.count(), 1);
    // And by a click into the picture.
    CollectiveCanvas& canvas = view.canvas();
    canvas.select(std::nullopt);
    const auto bar = canvas.chart()->bars(1, 0, canvas.window().range(), canvas.plotRect().width()).front();
    const QRect row = canvas.rowRect(1);
    QTest::mouseClick(&canvas, Qt::LeftButton, {},
                      {canvas.plotRect().left() + (bar.first + bar.last) / 2, row.top() + 4});
    fixture.settle();
    QVERIFY((canvas.selected() == CollectiveCanvas::Place{1, bar.item}));
}

/// Collectives of one type that follow each other at once are not one long bar.
void TestTimeView::neighboursHaveABorder() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    CollectiveCanvas& canvas = fixture.page.times().canvas();
    canvas.select(std::nullopt);
    const TimeRange all = canvas.window().range();
    int meeting = 0;
    for (int parts = 1; parts <= 40; ++parts) {
        canvas.showRange({all.begin, all.begin + DurationNs{all.length().value * parts / 40}});
        const QImage picture = canvas.grab().toImage();
        for (std::size_t row = 0; row < canvas.chart()->set().ranks.size(); ++row) {
            const int y = canvas.rowRect(row).top() + 3;
            const auto bars = canvas.chart()->bars(row, 0, canvas.window().range(), canvas.plotRect().width());
            for (std::size_t i = 1; i < bars.size(); ++i) {
                if (bars[i].first > bars[i - 1].last || bars[i].last - bars[i].first < 8) continue;
                ++meeting;
                const int from = canvas.plotRect().left() + bars[i].first;
                // Or a line of the axis behind them.
                const Theme& theme = themeOf(canvas.palette());
                bool found = false;
                for (int x = from - 1; x <= from + 2; ++x) {
                    const QColor colour = picture.pixelColor(x, y);
                    found |= colour == theme.background || colour == theme.hairLine;
                }
                QVERIFY2(found, qPrintable(u"row %1 at %2"_s.arg(row).arg(from)));
            }
        }
    }
    QVERIFY2(meeting > 0, "the capture has collectives that follow each other at once");
}

void TestTimeView::whoCameLastStandsBesideTheRank() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    const auto& source = fixture.page.times().ranks().table().loader().source();
    QCOMPARE(source->columns()[1].name, "came_last");
    QCOMPARE(source->columns()[2].name, "others_waited");
    QCOMPARE(rankTimeHeadings(*fixture.page.times().shown())[1].title, u"Came last"_s);
}

void TestTimeView::ranksAreAlignedByTheSelectedCollective() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    TimeView& view = fixture.page.times();
    const auto before = view.shown()->chart;
    view.canvas().select(CollectiveCanvas::Place{1, 3});
    emit view.canvas().selectedChanged();
    fixture.settle();
    const TableSource& peers = *view.peers().table().loader().source();
    QCOMPARE(peers.rowCount(), std::size_t{2});
    // By brute force: what the table of its ranks lists, and only that, ends at once; to the ns.
    QTest::keyClick(&view.canvas(), Qt::Key_R);
    fixture.settle();
    const auto after = view.shown()->chart;
    QVERIFY((view.canvas().selected() == CollectiveCanvas::Place{1, 3}));
    const RankCollectives& own = after->set().ranks[1];
    std::size_t moved = 0;
    for (std::size_t row = 0; row < after->rowCount(); ++row) {
        std::size_t same = 0;
        for (std::uint32_t i = 0; i < after->set().ranks[row].items.size(); ++i) {
            const bool isPeer =
                after->set().ranks[row].name(after->set().ranks[row].items[i]) == own.name(own.items[3]);
            if (isPeer && after->aligned(row, i).end == before->aligned(1, 3).end) ++same;
        }
        moved += same;
        if (row == 1) QCOMPARE(after->aligned(1, 0).begin.value, before->aligned(1, 0).begin.value);
    }
    QCOMPARE(moved, std::size_t{2});
    QVERIFY2(view.alignment().contains(QString::fromUtf8(own.name(own.items[3]))), qPrintable(view.alignment()));
    // It stays while other steps are looked at, and can be put back.
    chooseStep(fixture.page.bar(), fixture.page.shown()->choices.steps.back());
    fixture.settle();
    QVERIFY(!view.alignment().isEmpty());
    QVERIFY(view.shown()->alignment != nullptr);
    fixture.page.bar().showAll();
    fixture.settle();
    QTest::keyClick(&view.canvas(), Qt::Key_0, Qt::ShiftModifier);
    fixture.settle();
    QVERIFY(view.alignment().isEmpty());
    for (std::size_t row = 0; row < before->rowCount(); ++row)
        QCOMPARE(view.shown()->chart->aligned(row, 0).begin.value, before->aligned(row, 0).begin.value);
    // By their begins.
    view.align({0, 2}, CollectiveChart::Edge::Begin);
    fixture.settle();
    QVERIFY(view.alignment().contains(u"start"_s));
    fixture.session.close(fixture.id);
    fixture.settle();
    QVERIFY(view.alignment().isEmpty());
}

void TestTimeView::putBackWhileAnotherStepIsReadLeavesNoRankMoved() {
    CommunicationFixture fixture(m_capture.path());
    SettingsBar& bar = fixture.page.bar();
    bar.setMode(SettingsBar::Mode::Time);
    fixture.settle();
    TimeView& view = fixture.page.times();
    const std::int64_t step = fixture.page.shown()->choices.steps.back();
    const std::vector<TimeNs> all = firstBegins(view);
    chooseStep(bar, step);
    fixture.settle();
    const std::vector<TimeNs> ofStep = firstBegins(view);
    bar.showAll();
    fixture.settle();
    view.canvas().select(CollectiveCanvas::Place{1, 3});
    QTest::keyClick(&view.canvas(), Qt::Key_R);
    fixture.settle();
    QVERIFY(firstBegins(view) != all);
    chooseStep(bar, step);
    QVERIFY(!view.idle());
    QTest::keyClick(&view.canvas(), Qt::Key_0, Qt::ShiftModifier);
    fixture.settle();
    QVERIFY2(view.alignment().isEmpty(), qPrintable(view.alignment()));
    QVERIFY(firstBegins(view) == ofStep);
    bar.showAll();
    fixture.settle();
    QVERIFY(firstBegins(view) == all);
}

void TestTimeView::ranksAlignedStayAlignedAfterNothingWasShown() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    TimeView& view = fixture.page.times();
    const std::vector<TimeNs> recorded = firstBegins(view);
    view.align({1, 3}, CollectiveChart::Edge::End);
    fixture.settle();
    const std::vector<TimeNs> aligned = firstBegins(view);
    QVERIFY(aligned != recorded);
    ContextFilter context;
    context.ranks = {99};
    fixture.selection.setContext(context);
    fixture.settle();
    QVERIFY(view.shown() == nullptr);
    QVERIFY(view.alignment().isEmpty());
    fixture.selection.setContext({});
    fixture.settle();
    QVERIFY(firstBegins(view) == aligned);
    // Another question does not make an alignment of ordinary clocks.
    chooseStep(fixture.page.bar(), fixture.page.shown()->choices.steps.back());
    fixture.settle();
    QVERIFY(!view.alignment().isEmpty());
    fixture.page.bar().showAll();
    fixture.settle();
    view.restoreClocks();
    fixture.settle();
    QVERIFY(view.alignment().isEmpty());
    QVERIFY(firstBegins(view) == recorded);
}

void TestTimeView::tableLeadsToCollectivesAfterAnEarlyAlignment() {
    CommunicationFixture fixture(m_capture.path());
    TimeView& view = fixture.page.times();
    // At once when ranks are there, before the table of their collectives is.
    bool isDone = false;
    connect(&view, &TimeView::shownChanged, &view, [&] {
        if (view.shown() != nullptr && !std::exchange(isDone, true)) view.align({1, 3}, CollectiveChart::Edge::End);
    });
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    QVERIFY(!view.alignment().isEmpty());
    view.collectives().table().setCurrent(2, 0);
    fixture.settle();
    QVERIFY((view.canvas().selected() == CollectiveCanvas::Place{0, 2}));
    view.restoreClocks();
    fixture.settle();
    view.collectives().table().setCurrent(4, 0);
    fixture.settle();
    QVERIFY((view.canvas().selected() == CollectiveCanvas::Place{0, 4}));
}

void TestTimeView::collectiveWithoutRowsElsewhereIsNotCalledAbsent() {
    SlowLinkCapture capture;
    QString name;
    {
        CommunicationFixture whole(capture.path());
        whole.page.bar().setMode(SettingsBar::Mode::Time);
        whole.settle();
        const RankCollectives& own = whole.page.times().shown()->set->ranks[1];
        name = QString::fromUtf8(own.name(own.items[3]));
    }
    // The timelines of the others show it still.
    const auto begunLater = [](QJsonObject call) {
        QJsonObject times = call[u"Communication Time Info"_s].toObject();
        times[u"Start Timestamp(us)"_s] = times[u"Start Timestamp(us)"_s].toDouble() + 500'000;
        call[u"Communication Time Info"_s] = times;
        return call;
    };
    for (const int rank : {0, 2, 3}) {
        changeJson(capture.rank(rank) + u"/ASCEND_PROFILER_OUTPUT/communication.json"_s, [&](QJsonObject& file) {
            for (const QString& step : file.keys()) {
                QJsonObject kinds = file[step].toObject();
                for (const QString& kind : kinds.keys()) {
                    QJsonObject operators = kinds[kind].toObject();
                    for (const QString& one : operators.keys()) {
                        if (one.startsWith(name)) operators[one] = begunLater(operators[one].toObject());
                    }
                    kinds[kind] = operators;
                }
                file[step] = kinds;
            }
        });
    }
    CommunicationFixture fixture(capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    TimeView& view = fixture.page.times();
    const std::vector<TimeNs> recorded = firstBegins(view);
    view.choose({1, 3});
    fixture.settle();
    QCOMPARE(view.peers().table().loader().rows()->count, std::size_t{1});
    QVERIFY2(view.peers().statusText().contains(u"not found, or not among what is shown, on 1 rank"_s),
             qPrintable(view.peers().statusText()));
    QSignalSpy reported(&view, &TimeView::statusMessage);
    view.align({1, 3}, CollectiveChart::Edge::End);
    fixture.settle();
    QCOMPARE(reported.count(), 1);
    QCOMPARE(reported.front().front().toString(),
             name + u" was found on no other rank that is shown and has its time recorded."_s);
    // Nor does it keep ranks from being put back.
    view.align({1, 4}, CollectiveChart::Edge::End);
    fixture.settle();
    QVERIFY(!view.alignment().isEmpty());
    view.restoreClocks();
    view.align({1, 3}, CollectiveChart::Edge::End);
    fixture.settle();
    QCOMPARE(reported.count(), 2);
    QVERIFY2(view.alignment().isEmpty(), qPrintable(view.alignment()));
    QVERIFY(firstBegins(view) == recorded);
}

void TestTimeView::packetsOfTheChosenRank() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    TimeView& view = fixture.page.times();
    const auto count = [&] {
        std::int64_t sum = 0;
        const TableSource& table = *view.packets().table().loader().source();
        for (std::size_t row = 0; row < table.rowCount(); ++row)
            sum += table.cell(static_cast<std::size_t>(PacketColumn::Count), row);
        return sum;
    };
    std::int64_t all = count(), single = 0;
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        view.chooseRank({rank});
        fixture.settle();
        single += count();
    }
    QVERIFY(all > 0);
    QCOMPARE(single, all);
}

void TestTimeView::collectiveOfTheTimelineIsFound() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    const auto times = fixture.page.times().shown();
    const RankCollectives& rank = times->set->ranks[2];
    QVERIFY(rank.items.size() > 3);
    const CollectiveItem wanted = rank.items[rank.items.size() / 2];
    const QString name = QString::fromUtf8(rank.name(wanted));
    // Although something else is shown.
    fixture.page.bar().setMode(SettingsBar::Mode::Matrix);
    chooseStep(fixture.page.bar(), fixture.page.shown()->choices.steps.back());
    fixture.settle();
    fixture.page.showCollective(rank.rank, name, *wanted.begin + DurationNs{1});
    fixture.settle();
    QCOMPARE(fixture.page.bar().mode(), SettingsBar::Mode::Time);
    const auto found = fixture.page.times().canvas().selected();
    QVERIFY(found.has_value());
    const RankCollectives& shown = fixture.page.times().shown()->set->ranks[found->row];
    QCOMPARE(shown.rank, rank.rank);
    QCOMPARE(QString::fromUtf8(shown.name(shown.items[found->item])), name);
    QCOMPARE(shown.items[found->item].begin->value, wanted.begin->value);
    QSignalSpy reported(&fixture.page, &CommunicationPage::statusMessage);
    fixture.page.showCollective(rank.rank, QStringLiteral("hcom_none"), *wanted.begin);
    fixture.settle();
    QCOMPARE(reported.count(), 1);
}

void TestTimeView::adviceHasValuesAndLeadsToCollectives() {
    QTemporaryDir folder;
    const std::vector<std::string> words{folder.filePath(u"capture"_s).toStdString(),
                                         "--ranks",
                                         "4",
                                         "--steps",
                                         "2",
                                         "--layers",
                                         "2",
                                         "--plant",
                                         "small-packets"};
    ProgressSlot progress;
    QVERIFY(generate::generateCapture(generate::parseGenerateOptions(words).value(), progress, {}).ok());
    CommunicationFixture fixture(folder.filePath(u"capture"_s));
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    QVERIFY(fixture.page.advice().advice().empty());  // nobody has looked at it
    fixture.page.times().tabs().setCurrentWidget(&fixture.page.advice());
    fixture.settle();
    std::size_t small = 0;
    for (const TransferAdvice& advice : fixture.page.advice().advice()) {
        if (advice.kind != TransferAdvice::Kind::SmallPackets) continue;
        ++small;
        // By what the tab of packets lists of that rank.
        std::int64_t time = 0, all = 0, count = 0;
        for (const PacketSum& sum :
             packetsOf(*fixture.page.times().shown(), fixture.page.times().shown()->set->ranks[advice.row].rank)) {
            if (sum.transport == "SDMA") continue;
            all += sum.time;
            if (sum.packetSize < 1'048'576) time += sum.time, count += sum.count;
        }
        QCOMPARE(advice.time, time);
        QCOMPARE(advice.packets, count);
        QCOMPARE(*advice.share, static_cast<double>(time) / static_cast<double>(all));
    }
    QCOMPARE(small, std::size_t{4});
    emit fixture.page.advice().table().table().activated(0);
    fixture.settle();
    const TransferAdvice first = fixture.page.advice().advice().front();
    const std::int64_t packets = first.packets;
    QVERIFY((fixture.page.times().canvas().selected() == CollectiveCanvas::Place{first.row, first.worst}));
    chooseStep(fixture.page.bar(), fixture.page.shown()->choices.steps.front());
    fixture.settle();
    QVERIFY(fixture.page.advice().advice().front().packets < packets);
}

/// Where no file told packets, they were praised as aligned and large.
void TestTimeView::adviceTellsWhatCannotBeJudged() {
    SlowLinkCapture capture;
    for (int rank = 0; rank < 4; ++rank) {
        changeJson(capture.rank(rank) + u"/ASCEND_PROFILER_OUTPUT/communication.json"_s,
                   [](QJsonObject& content) { content = withoutPackets(content); });
    }
    CommunicationFixture fixture(capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.page.times().tabs().setCurrentWidget(&fixture.page.advice());
    fixture.settle();
    const QString detail = fixture.page.advice().detail();
    for (const QString& kind : {u"Byte alignment"_s, u"Small packets"_s, u"RDMA retransmission"_s}) {
        QVERIFY2(detail.contains(u"Unknown: "_s + kind), qPrintable(detail));
        QCOMPARE(detail.count(kind), qsizetype{1});
    }
    QVERIFY2(!detail.contains(u"Cannot be told: Contention"_s), qPrintable(detail));
}

ALTI_TEST(TestTimeView)
#include "tst_time_view.moc"
