#include "views/communication/communication_page.h"

#include "core/generate/generate_capture.h"
#include "core/generate/generate_options.h"
#include "core/session/filter_expression.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/finding_settings.h"
#include "views/common/page.h"
#include "views/common/table_panel.h"
#include "views/communication/advice_tab.h"
#include "views/communication/finding_tab.h"
#include "views/communication/link_table.h"
#include "views/communication/matrix_view.h"
#include "views/communication/settings_bar.h"
#include "views/communication/time_view.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <sqlite3.h>

#include <algorithm>
#include <utility>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Four ranks with a link that is much slower than the others, as files that a test may change before they are opened.
struct SlowLinkCapture {
    SlowLinkCapture() {
        const std::vector<std::string> words{path().toStdString(), "--ranks", "4", "--steps", "2", "--layers", "2", "--plant", "slow-link=1-3"};
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        made = options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
    }
    QString path() const { return folder.filePath(u"capture"_s); }
    QString rank(int number) const { return path() + u"/rank%1_ascend_pt"_s.arg(number); }
    void remove(int number, const QString& file) const { QVERIFY(QFile::remove(rank(number) + u"/ASCEND_PROFILER_OUTPUT/"_s + file)); }

    QTemporaryDir folder;
    bool made = false;
};

/// Rewrites a file of JSON.
template <class Change>
void changeJson(const QString& path, Change change) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QJsonObject content = QJsonDocument::fromJson(file.readAll()).object();
    change(content);
    QVERIFY(!content.isEmpty());
    file.resize(0);
    file.write(QJsonDocument(content).toJson());
}

/// What communication.json holds but the sizes of packets.
QJsonObject withoutPackets(const QJsonObject& content) {
    QJsonObject kept;
    for (auto member = content.begin(); member != content.end(); ++member) {
        if (member.key() == u"Size Distribution"_s) continue;
        kept.insert(member.key(), member->isObject() ? QJsonValue(withoutPackets(member->toObject())) : *member);
    }
    return kept;
}

struct CommunicationFixture {
    QVariantMap kept;
    ViewMemory memory{[this](const QString& name) { return kept.value(name); }, [this](const QString& name, const QVariant& value) { kept[name] = value; }};
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    FindingsFeed feed{session};
    FindingSettings settings{memory};
    CommunicationPage page{session, selection, feed, settings, memory};
    std::uint32_t id = 0;

    explicit CommunicationFixture(const QString& capture = {}) {
        page.resize(1000, 800);
        page.show();
        if (!capture.isEmpty()) open(capture);
    }
    void open(const QString& capture) {
        id = openAndWait(session, capture);
        QVERIFY(id != 0);
        settle();
    }
    void settle() { QVERIFY(QTest::qWaitFor([this] { return page.idle() && jobs.idle(); }, 10'000)); }
    QString message() const { return page.findChild<MessagePage*>()->message().title + u'|' + page.findChild<MessagePage*>()->message().remedy; }
    const LinkMatrix& matrix() { return page.matrix().canvas().picture()->matrix(); }
};

/// Where the first collective of each rank is drawn.
std::vector<TimeNs> firstBegins(const TimeView& view) {
    std::vector<TimeNs> begins;
    for (std::size_t row = 0; row < view.shown()->chart->rowCount(); ++row) begins.push_back(view.shown()->chart->aligned(row, 0).begin);
    return begins;
}

}  // namespace

/// The communication page with captures' files: what it shows, where it leads, and what it says is missing.
class TestCommunicationPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void slowestLinkComesFirst();
    void tinyTransfersStandLast();
    void choiceStaysWithItsRanks();
    void clickedLinkListsItsCalls();
    void callLeadsToTheTimeline();
    void choicesAreRemembered();
    void timesOfRanks();
    void selectedCollectiveIsShownOnAllRanks();
    void ranksAreAlignedByTheSelectedCollective();
    void putBackWhileAnotherStepIsReadLeavesNoRankMoved();
    void ranksAlignedStayAlignedAfterNothingWasShown();
    void tableLeadsToCollectivesAfterAnEarlyAlignment();
    void collectiveWithoutRowsElsewhereIsNotCalledAbsent();
    void packetsOfTheChosenRank();
    void findingsLeadToLinksAndRanks();
    void collectiveOfTheTimelineIsFound();
    void plantedFaultsAreListed_data();
    void plantedFaultsAreListed();
    void adviceHasValuesAndLeadsToCollectives();
    void adviceTellsWhatCannotBeJudged();
    void labelsFollowTheLanguage();
    void computedRanksAreMarked();
    void clusterResultAlone();
    void innerLinksOnDemand();
    void colourRange();
    void keysMoveTheMatrix();
    void contextNarrows();
    void markedTimeNarrowsAllTables();
    void markedTimeOfRecordedSumsIsSaidPerTable();
    void examplesOfFiltersFitTheirTables();
    void picturesAreNotSavedIntoTheCapture();
    void closedCaptureLeavesThePage();
    void nothingRecorded();
    void absentRanksAreNamed();
    void halfOfTheRanksMissing();
    void groupsWithoutNames();
    void unequalCountsAreNamed();
    void noCommunicationAtAll();
    void oneRankAlone();
    void stepMissingInAFile();
    void stepMissingInADatabaseNamesTheDatabase();
    void stepOutsideTheMarkedTimeIsNotMissed();

private:
    SlowLinkCapture m_capture;
};

void TestCommunicationPage::slowestLinkComesFirst() {
    CommunicationFixture fixture(m_capture.path());
    TablePanel& links = fixture.page.matrix().links();
    const auto rows = links.table().feed().rows();
    QVERIFY(rows->count > 4);
    links.table().setCurrent(0, 0);
    fixture.settle();
    const auto chosen = fixture.page.matrix().canvas().chosen();
    QVERIFY(chosen.has_value());
    const auto& nodes = fixture.matrix().nodes();
    QCOMPARE(std::min(*nodes[chosen->source].rank, *nodes[chosen->target].rank), 1);
    QCOMPARE(std::max(*nodes[chosen->source].rank, *nodes[chosen->target].rank), 3);
}

/// 96 bytes at 57 MB/s once stood first in the list of links by bandwidth.
void TestCommunicationPage::tinyTransfersStandLast() {
    SlowLinkCapture capture;
    QFile file(capture.rank(0) + u"/ASCEND_PROFILER_OUTPUT/communication_matrix.json"_s);
    QVERIFY(file.open(QIODevice::ReadWrite));
    auto matrix = QJsonDocument::fromJson(file.readAll()).object();
    const QString step = matrix.keys().front();
    auto kinds = matrix[step].toObject();
    auto pairs = kinds[u"p2p"_s].toObject();
    // Between ranks that nothing else joins.
    const QString group = kinds[u"collective"_s].toObject().keys().front().section(u'@', 1);
    for (const QString& word : {u"total"_s, u"top1"_s}) {
        pairs[u"send-%1@%2"_s.arg(word, group)] = QJsonObject{{u"0-9"_s, QJsonObject{{u"Transport Type"_s, u"HCCS"_s}, {u"Transit Size(MB)"_s, 0.000096}, {u"Transit Time(ms)"_s, 0.0017}, {u"Bandwidth(GB/s)"_s, 0.0565}}}};
    }
    kinds[u"p2p"_s] = pairs;
    matrix[step] = kinds;
    file.resize(0);
    file.write(QJsonDocument(matrix).toJson());
    file.close();
    CommunicationFixture fixture(capture.path());
    DataTable& table = fixture.page.matrix().links().table();
    const auto* links = dynamic_cast<const LinkTable*>(table.feed().source().get());
    QVERIFY(links != nullptr && links->hasSmall());
    const auto rows = table.feed().rows();
    QCOMPARE(links->link(rows->row(rows->count - 1)).size, 96);
    QVERIFY(links->link(rows->row(0)).size > 1'000'000);
    QCOMPARE(links->cell(LinkTable::Bandwidth, rows->row(rows->count - 1)), kAbsentCell);
    QVERIFY(links->cell(LinkTable::SmallRate, rows->row(rows->count - 1)) != kAbsentCell);
    QCOMPARE(links->cell(LinkTable::SmallRate, rows->row(0)), kAbsentCell);
    QVERIFY(*fixture.page.matrix().canvas().picture()->least() > 1);
    QVERIFY(!fixture.page.matrix().canvas().grab().isNull());
}

/// Once the same place of the matrix stayed chosen when another group of as many ranks was shown.
void TestCommunicationPage::choiceStaysWithItsRanks() {
    CommunicationFixture fixture(m_capture.path());
    const auto ofRanks = [&](std::vector<std::int64_t> ranks) {
        for (const CommunicationGroup& group : fixture.page.shown()->choices.groups) {
            if (group.ranks == ranks) return group.name;
        }
        return std::string();
    };
    const std::string one = ofRanks({0, 2}), other = ofRanks({1, 3});
    QVERIFY(!one.empty() && !other.empty());
    MatrixCanvas& canvas = fixture.page.matrix().canvas();
    fixture.page.bar().setGroup(one);
    fixture.settle();
    fixture.page.matrix().chooseLink(0, 2);
    fixture.settle();
    QVERIFY(canvas.chosen().has_value());
    fixture.page.bar().setGroup(other);
    fixture.settle();
    QCOMPARE(fixture.matrix().nodes().size(), std::size_t{2});
    QVERIFY(!canvas.chosen());
    // Where its ranks are shown again at other places it goes with them.
    fixture.page.matrix().chooseLink(1, 3);
    fixture.settle();
    fixture.page.bar().showAll();
    fixture.settle();
    QVERIFY(canvas.chosen().has_value());
    QCOMPARE(*fixture.matrix().nodes()[canvas.chosen()->source].rank, 1);
    QCOMPARE(*fixture.matrix().nodes()[canvas.chosen()->target].rank, 3);
    QVERIFY(fixture.page.matrix().calls().table().feed().rows()->count > 0);
}

void TestCommunicationPage::clickedLinkListsItsCalls() {
    CommunicationFixture fixture(m_capture.path());
    MatrixCanvas& canvas = fixture.page.matrix().canvas();
    const QRectF cell = canvas.cellRect({1, 3});
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, cell.center().toPoint());
    fixture.settle();
    QVERIFY((canvas.chosen() == MatrixCanvas::Link{1, 3}));
    QVERIFY(fixture.page.matrix().calls().table().feed().rows()->count > 0);
    QVERIFY(canvas.tipAt(cell.center().toPoint()).contains(u"GB/s"_s));
    // Ranks 0 and 3 are in no group together.
    QVERIFY(canvas.tipAt(canvas.cellRect({0, 3}).center().toPoint()).contains(u"No data"_s));
    QVERIFY(!canvas.linkAt(canvas.cellRect({0, 3}).center().toPoint()));
}

void TestCommunicationPage::callLeadsToTheTimeline() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.matrix().chooseLink(1, 3);
    fixture.settle();
    QSignalSpy slices(&fixture.page, &CommunicationPage::sliceRequested);
    emit fixture.page.matrix().calls().table().activated(0);
    fixture.settle();
    QCOMPARE(slices.count(), 1);
    fixture.page.matrix().chooseLink(0, 1);
    fixture.settle();
    emit fixture.page.matrix().canvas().linkOpened(*fixture.page.matrix().canvas().chosen());
    fixture.settle();
    QCOMPARE(slices.count(), 2);
}

void TestCommunicationPage::choicesAreRemembered() {
    CommunicationFixture fixture(m_capture.path());
    const std::size_t all = fixture.matrix().size();
    const auto& groups = fixture.page.shown()->choices.groups;
    QVERIFY(groups.size() > 2);
    fixture.page.bar().setGroup(groups.front().name);
    fixture.settle();
    QVERIFY(fixture.matrix().size() < all);
    QCOMPARE(fixture.page.bar().groups(), std::vector<std::string>{groups.front().name});
    fixture.page.matrix().setMetric(LinkMetric::Size);
    fixture.settle();
    CommunicationPage second{fixture.session, fixture.selection, fixture.feed, fixture.settings, fixture.memory};
    second.show();
    QVERIFY(QTest::qWaitFor([&] { return second.idle() && second.shown() != nullptr && fixture.jobs.idle(); }, 10'000));
    QCOMPARE(second.bar().groups(), std::vector<std::string>{groups.front().name});
    QCOMPARE(second.matrix().metric(), LinkMetric::Size);
}

void TestCommunicationPage::timesOfRanks() {
    CommunicationFixture fixture(m_capture.path());
    QVERIFY(fixture.page.times().shown() == nullptr);  // out of sight
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    const auto times = fixture.page.times().shown();
    QVERIFY(times != nullptr);
    QCOMPARE(times->set->ranks.size(), std::size_t{4});
    QCOMPARE(fixture.page.times().ranks().table().feed().rows()->count, std::size_t{4});
    std::size_t items = 0;
    for (const RankCollectives& rank : times->set->ranks) items += rank.items.size();
    QCOMPARE(fixture.page.times().collectives().table().feed().rows()->count, items);
    QVERIFY(times->ownClock.empty());
    // Each step on its own adds up to all.
    std::int64_t elapsed = 0;
    for (const std::int64_t step : fixture.page.shown()->choices.steps) {
        fixture.page.bar().setStep(step);
        fixture.settle();
        elapsed += fixture.page.times().shown()->set->ranks[0].sum.elapsed;
    }
    QCOMPARE(elapsed, times->set->ranks[0].sum.elapsed);
}

void TestCommunicationPage::selectedCollectiveIsShownOnAllRanks() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    TimeView& view = fixture.page.times();
    view.collectives().table().setCurrent(0, 0);
    fixture.settle();
    QVERIFY(view.canvas().selected().has_value());
    QCOMPARE(view.peers().table().feed().rows()->count, std::size_t{2});
    const TableSource& peers = *view.peers().table().feed().source();
    // Whoever came first waited; one of them came last.
    const auto cell = [&](PeerColumn column, std::size_t row) { return peers.cell(static_cast<std::size_t>(column), row); };
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
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, {canvas.plotRect().left() + (bar.first + bar.last) / 2, row.top() + 4});
    fixture.settle();
    QVERIFY((canvas.selected() == CollectiveCanvas::Place{1, bar.item}));
}

void TestCommunicationPage::ranksAreAlignedByTheSelectedCollective() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    TimeView& view = fixture.page.times();
    const auto before = view.shown()->chart;
    view.canvas().select(CollectiveCanvas::Place{1, 3});
    emit view.canvas().selectedChanged();
    fixture.settle();
    const TableSource& peers = *view.peers().table().feed().source();
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
            const bool isPeer = after->set().ranks[row].name(after->set().ranks[row].items[i]) == own.name(own.items[3]);
            if (isPeer && after->aligned(row, i).end == before->aligned(1, 3).end) ++same;
        }
        moved += same;
        if (row == 1) QCOMPARE(after->aligned(1, 0).begin.value, before->aligned(1, 0).begin.value);
    }
    QCOMPARE(moved, std::size_t{2});
    QVERIFY2(view.alignment().contains(QString::fromUtf8(own.name(own.items[3]))), qPrintable(view.alignment()));
    // It stays while other steps are looked at, and can be put back.
    fixture.page.bar().setStep(fixture.page.shown()->choices.steps.back());
    fixture.settle();
    QVERIFY(!view.alignment().isEmpty());
    QVERIFY(view.shown()->alignment != nullptr);
    fixture.page.bar().showAll();
    fixture.settle();
    QTest::keyClick(&view.canvas(), Qt::Key_0, Qt::ShiftModifier);
    fixture.settle();
    QVERIFY(view.alignment().isEmpty());
    for (std::size_t row = 0; row < before->rowCount(); ++row) QCOMPARE(view.shown()->chart->aligned(row, 0).begin.value, before->aligned(row, 0).begin.value);
    // By their begins.
    view.align({0, 2}, CollectiveChart::Edge::Begin);
    fixture.settle();
    QVERIFY(view.alignment().contains(u"begin"_s));
    fixture.session.close(fixture.id);
    fixture.settle();
    QVERIFY(view.alignment().isEmpty());
}

void TestCommunicationPage::putBackWhileAnotherStepIsReadLeavesNoRankMoved() {
    CommunicationFixture fixture(m_capture.path());
    SettingsBar& bar = fixture.page.bar();
    bar.setMode(SettingsBar::Mode::Time);
    fixture.settle();
    TimeView& view = fixture.page.times();
    const std::int64_t step = fixture.page.shown()->choices.steps.back();
    const std::vector<TimeNs> all = firstBegins(view);
    bar.setStep(step);
    fixture.settle();
    const std::vector<TimeNs> ofStep = firstBegins(view);
    bar.showAll();
    fixture.settle();
    view.canvas().select(CollectiveCanvas::Place{1, 3});
    QTest::keyClick(&view.canvas(), Qt::Key_R);
    fixture.settle();
    QVERIFY(firstBegins(view) != all);
    bar.setStep(step);
    QVERIFY(!view.idle());
    QTest::keyClick(&view.canvas(), Qt::Key_0, Qt::ShiftModifier);
    fixture.settle();
    QVERIFY2(view.alignment().isEmpty(), qPrintable(view.alignment()));
    QVERIFY(firstBegins(view) == ofStep);
    bar.showAll();
    fixture.settle();
    QVERIFY(firstBegins(view) == all);
}

void TestCommunicationPage::ranksAlignedStayAlignedAfterNothingWasShown() {
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
    fixture.page.bar().setStep(fixture.page.shown()->choices.steps.back());
    fixture.settle();
    QVERIFY(!view.alignment().isEmpty());
    fixture.page.bar().showAll();
    fixture.settle();
    view.restoreClocks();
    fixture.settle();
    QVERIFY(view.alignment().isEmpty());
    QVERIFY(firstBegins(view) == recorded);
}

void TestCommunicationPage::tableLeadsToCollectivesAfterAnEarlyAlignment() {
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

void TestCommunicationPage::collectiveWithoutRowsElsewhereIsNotCalledAbsent() {
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
    QCOMPARE(view.peers().table().feed().rows()->count, std::size_t{1});
    QVERIFY2(view.peers().statusText().contains(u"not found, or not among what is shown, on 1 rank"_s), qPrintable(view.peers().statusText()));
    QSignalSpy told(&view, &TimeView::statusMessage);
    view.align({1, 3}, CollectiveChart::Edge::End);
    fixture.settle();
    QCOMPARE(told.count(), 1);
    QCOMPARE(told.front().front().toString(), name + u" was found on no other rank that is shown and has its time recorded."_s);
    // Nor does it keep ranks from being put back.
    view.align({1, 4}, CollectiveChart::Edge::End);
    fixture.settle();
    QVERIFY(!view.alignment().isEmpty());
    view.restoreClocks();
    view.align({1, 3}, CollectiveChart::Edge::End);
    fixture.settle();
    QCOMPARE(told.count(), 2);
    QVERIFY2(view.alignment().isEmpty(), qPrintable(view.alignment()));
    QVERIFY(firstBegins(view) == recorded);
}

void TestCommunicationPage::packetsOfTheChosenRank() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    TimeView& view = fixture.page.times();
    const auto count = [&] {
        std::int64_t sum = 0;
        const TableSource& table = *view.packets().table().feed().source();
        for (std::size_t row = 0; row < table.rowCount(); ++row) sum += table.cell(static_cast<std::size_t>(PacketColumn::Count), row);
        return sum;
    };
    std::int64_t all = count(), single = 0;
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        view.chooseRank(rank);
        fixture.settle();
        single += count();
    }
    QVERIFY(all > 0);
    QCOMPARE(single, all);
}

void TestCommunicationPage::findingsLeadToLinksAndRanks() {
    CommunicationFixture fixture(m_capture.path());
    FindingTab& tab = fixture.page.findings(true);
    const TableSource& table = *tab.table().table().feed().source();
    QVERIFY(table.rowCount() > 0);
    std::optional<std::uint32_t> slowLink;
    for (std::uint32_t row = 0; row < table.rowCount(); ++row) {
        if (table.text(3, table.cell(3, row)) == "slow_link") slowLink = row;
    }
    QVERIFY(slowLink.has_value());
    // Also from beside the times, and although only another step was looked at.
    fixture.page.bar().setStep(fixture.page.shown()->choices.steps.front());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    emit fixture.page.findings(false).table().table().activated(*slowLink);
    fixture.settle();
    QCOMPARE(fixture.page.bar().mode(), SettingsBar::Mode::Matrix);
    QVERIFY((fixture.page.matrix().canvas().chosen() == MatrixCanvas::Link{1, 3}));
    emit fixture.page.findings(true).rankRequested(2);
    fixture.settle();
    QCOMPARE(fixture.page.bar().mode(), SettingsBar::Mode::Time);
    QCOMPARE(*fixture.page.times().ranks().table().currentRow(), 2U);
}

void TestCommunicationPage::collectiveOfTheTimelineIsFound() {
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
    fixture.page.bar().setStep(fixture.page.shown()->choices.steps.back());
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
    QSignalSpy told(&fixture.page, &CommunicationPage::statusMessage);
    fixture.page.showCollective(rank.rank, QStringLiteral("hcom_none"), *wanted.begin);
    fixture.settle();
    QCOMPARE(told.count(), 1);
}

void TestCommunicationPage::plantedFaultsAreListed_data() {
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("seed");
    for (const QString& seed : {u"1"_s, u"5"_s, u"9"_s}) {
        QTest::addRow("slow rank, seed %s", qPrintable(seed)) << u"slow-rank=2"_s << u"slow_rank"_s << seed;
        QTest::addRow("slow link, seed %s", qPrintable(seed)) << u"slow-link=0-2"_s << u"slow_link"_s << seed;
        QTest::addRow("small packets, seed %s", qPrintable(seed)) << u"small-packets"_s << u"small_packets"_s << seed;
    }
}

void TestCommunicationPage::plantedFaultsAreListed() {
    QFETCH(QString, fault);
    QFETCH(QString, rule);
    QFETCH(QString, seed);
    QTemporaryDir folder;
    const std::vector<std::string> words{folder.filePath(u"capture"_s).toStdString(), "--ranks", "4", "--steps", "3", "--layers", "2", "--seed", seed.toStdString(), "--plant", fault.toStdString()};
    ProgressSlot progress;
    QVERIFY(generate::generateCapture(generate::parseGenerateOptions(words).value(), progress, {}).ok());
    CommunicationFixture fixture(folder.filePath(u"capture"_s));
    FindingTab& tab = fixture.page.findings(true);
    const TableSource& table = *tab.table().table().feed().source();
    // The first row is the fault that was planted; whatever else is found follows from it.
    const std::uint32_t found = tab.table().table().feed().rows()->row(0);
    QCOMPARE(QString::fromUtf8(table.text(3, table.cell(3, found))), rule);
    const std::int64_t rank = table.cell(4, found);
    emit tab.table().table().activated(found);
    fixture.settle();
    if (rule == u"slow_link"_s) {
        QCOMPARE(fixture.page.bar().mode(), SettingsBar::Mode::Matrix);
        const auto chosen = fixture.page.matrix().canvas().chosen();
        QVERIFY(chosen.has_value());
        QCOMPARE(std::max(*fixture.matrix().nodes()[chosen->source].rank, *fixture.matrix().nodes()[chosen->target].rank), 2);
        // And the list of links begins with it, in both directions.
        const auto* links = dynamic_cast<const LinkTable*>(fixture.page.matrix().links().table().feed().source().get());
        for (const std::size_t place : {0, 1}) {
            const LinkSum link = links->link(fixture.page.matrix().links().table().feed().rows()->row(place));
            QCOMPARE(*fixture.matrix().nodes()[link.source].rank + *fixture.matrix().nodes()[link.target].rank, 2);
        }
        return;
    }
    QCOMPARE(fixture.page.bar().mode(), SettingsBar::Mode::Time);
    QCOMPARE(static_cast<std::int64_t>(*fixture.page.times().ranks().table().currentRow()), rank);
    if (rule == u"slow_rank"_s) {
        QCOMPARE(rank, 2);
        // The others waited for it more than for any other.
        const auto& late = fixture.page.times().shown()->late;
        for (std::size_t r = 0; r < late.size(); ++r) QVERIFY(r == 2 || late[r].waited < late[2].waited);
    }
}

void TestCommunicationPage::adviceHasValuesAndLeadsToCollectives() {
    QTemporaryDir folder;
    const std::vector<std::string> words{folder.filePath(u"capture"_s).toStdString(), "--ranks", "4", "--steps", "2", "--layers", "2", "--plant", "small-packets"};
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
        for (const PacketSum& sum : packetsOf(*fixture.page.times().shown(), fixture.page.times().shown()->set->ranks[advice.row].rank)) {
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
    fixture.page.bar().setStep(fixture.page.shown()->choices.steps.front());
    fixture.settle();
    QVERIFY(fixture.page.advice().advice().front().packets < packets);
}

/// Where no file told packets, they were praised as aligned and large.
void TestCommunicationPage::adviceTellsWhatCannotBeJudged() {
    SlowLinkCapture capture;
    for (int rank = 0; rank < 4; ++rank) {
        changeJson(capture.rank(rank) + u"/ASCEND_PROFILER_OUTPUT/communication.json"_s, [](QJsonObject& content) { content = withoutPackets(content); });
    }
    CommunicationFixture fixture(capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.page.times().tabs().setCurrentWidget(&fixture.page.advice());
    fixture.settle();
    const QString detail = fixture.page.advice().detail();
    for (const QString& kind : {u"Byte alignment"_s, u"Small packets"_s, u"RDMA retransmission"_s}) {
        QVERIFY2(detail.contains(u"Cannot be told: "_s + kind), qPrintable(detail));
        QCOMPARE(detail.count(kind), qsizetype{1});
    }
    QVERIFY2(!detail.contains(u"Cannot be told: Contention"_s), qPrintable(detail));
}

/// Rows of the picture kept the words of the language before.
void TestCommunicationPage::labelsFollowTheLanguage() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    CollectiveCanvas& canvas = fixture.page.times().canvas();
    const auto tip = [&] {
        const auto bar = canvas.chart()->bars(0, 0, canvas.window().range(), canvas.plotRect().width()).back();
        return canvas.tipAt({canvas.plotRect().left() + (bar.first + bar.last) / 2, canvas.rowRect(0).top() + 4}).section(u'\n', 0, 0);
    };
    QCOMPARE(tip(), u"Rank 0"_s);
    canvas.setLabels({u"a"_s, u"b"_s, u"c"_s, u"d"_s});
    QCOMPARE(tip(), u"a"_s);
    QEvent language(QEvent::LanguageChange);
    QApplication::sendEvent(&fixture.page.times(), &language);
    QCOMPARE(tip(), u"Rank 0"_s);
}

void TestCommunicationPage::computedRanksAreMarked() {
    SlowLinkCapture capture;
    capture.remove(2, u"communication.json"_s);
    CommunicationFixture fixture(capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    QVERIFY2(fixture.page.gaps().contains(u"Computed from the timeline"_s) && fixture.page.gaps().contains(u"of rank 2."_s), qPrintable(fixture.page.gaps()));
    const TableSource& table = *fixture.page.times().ranks().table().feed().source();
    const auto origin = static_cast<std::size_t>(RankColumn::Origin);
    QCOMPARE(table.text(origin, table.cell(origin, 2)), std::string_view("computed"));
    QCOMPARE(table.text(origin, table.cell(origin, 1)), std::string_view("recorded"));
}

void TestCommunicationPage::clusterResultAlone() {
    QTemporaryDir folder;
    const std::vector<std::string> words{folder.filePath(u"capture"_s).toStdString(), "--format", "cluster", "--ranks", "4", "--steps", "2", "--layers", "2"};
    ProgressSlot progress;
    QVERIFY(generate::generateCapture(generate::parseGenerateOptions(words).value(), progress, {}).ok());
    CommunicationFixture fixture(folder.filePath(u"capture"_s));
    QCOMPARE(fixture.matrix().nodes().size(), std::size_t{4});
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    QCOMPARE(fixture.page.times().shown()->set->ranks.size(), std::size_t{4});
    QVERIFY2(fixture.page.gaps().contains(u"clocks of their own"_s), qPrintable(fixture.page.gaps()));
    fixture.page.times().collectives().table().setCurrent(0, 0);
    fixture.settle();
    QCOMPARE(fixture.page.times().peers().table().feed().rows()->count, std::size_t{2});
    QVERIFY(fixture.page.times().peers().statusText().contains(u"order"_s));
    QSignalSpy places(&fixture.page, &CommunicationPage::placeRequested);
    emit fixture.page.times().collectives().table().activated(0);
    fixture.settle();
    QCOMPARE(places.count(), 1);
}

void TestCommunicationPage::innerLinksOnDemand() {
    CommunicationFixture fixture(m_capture.path());
    const std::size_t outer = fixture.page.matrix().links().table().feed().rows()->count;
    fixture.page.matrix().setInnerShown(true);
    fixture.settle();
    QVERIFY(fixture.page.matrix().links().table().feed().rows()->count >= outer);
    QVERIFY(fixture.kept.value(u"communication/inner"_s).toBool());
}

void TestCommunicationPage::colourRange() {
    CommunicationFixture fixture(m_capture.path());
    MatrixCanvas& canvas = fixture.page.matrix().canvas();
    QCOMPARE(canvas.ramp().low(), 0.0);
    QCOMPARE(canvas.ramp().high(), *canvas.picture()->greatest());
    canvas.setColours(2.0, 10.0, ColourRamp::Scale::Logarithmic);
    QCOMPARE(canvas.ramp().share(2.0), 0.0);
    QCOMPARE(canvas.ramp().share(100.0), 1.0);
    QVERIFY(std::abs(canvas.ramp().share(std::sqrt(20.0)) - 0.5) < 1e-9);
    QVERIFY(std::abs(canvas.ramp().valueAt(0.5) - std::sqrt(20.0)) < 1e-9);
}

void TestCommunicationPage::keysMoveTheMatrix() {
    CommunicationFixture fixture(m_capture.path());
    MatrixCanvas& canvas = fixture.page.matrix().canvas();
    const LinkWindow home = canvas.window().window();
    QCOMPARE(home.width, 4.0);
    QTest::keyClick(&canvas, Qt::Key_W);
    QVERIFY(canvas.window().window().width <= home.width);
    QTest::keyClick(&canvas, Qt::Key_0, Qt::ControlModifier);
    QVERIFY(canvas.window().window() == home);
    // The next link to the right of the chosen one that has data.
    canvas.choose(MatrixCanvas::Link{0, 1});
    QTest::keyClick(&canvas, Qt::Key_Right, Qt::ControlModifier);
    QVERIFY((canvas.chosen() == MatrixCanvas::Link{0, 2}));
}

void TestCommunicationPage::contextNarrows() {
    CommunicationFixture fixture(m_capture.path());
    ContextFilter context;
    context.ranks = {1};
    fixture.selection.setContext(context);
    fixture.settle();
    QCOMPARE(fixture.page.shown()->ranks.size(), std::size_t{1});
    const LinkMatrix& matrix = fixture.matrix();
    for (std::size_t node = 0; node < matrix.nodes().size(); ++node) QVERIFY(matrix.rowBegin(node) == matrix.rowEnd(node) || matrix.nodes()[node].rank == 1);
}

/// The time that all pages are to show.
void TestCommunicationPage::markedTimeNarrowsAllTables() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    const auto whole = fixture.page.times().shown();
    const CollectiveItem wanted = whole->set->ranks[1].items[5];
    const TimeRange range{*wanted.begin, *wanted.begin + DurationNs{wanted.spent.elapsed}};
    ContextFilter context;
    context.range = range;
    context.rangeCapture = fixture.id;
    fixture.selection.setContext(context);
    fixture.settle();
    const auto times = fixture.page.times().shown();
    std::int64_t packets = 0;
    for (std::size_t r = 0; r < whole->set->ranks.size(); ++r) {
        std::size_t expected = 0;
        for (const CollectiveItem& item : whole->set->ranks[r].items) expected += item.begin->value < range.end.value && range.begin.value < item.begin->value + item.spent.elapsed ? 1 : 0;
        std::size_t shown = 0;
        for (const RankCollectives& rank : times->set->ranks) shown += rank.rank == whole->set->ranks[r].rank ? rank.items.size() : 0;
        QCOMPARE(shown, expected);
    }
    for (const RankTransfers& rank : times->transfers) {
        for (const PacketSum& sum : rank.packets) packets += sum.count;
    }
    QVERIFY(packets > 0 && packets < 200);
    // Times are recorded by collective, and packets and bandwidths by step.
    const auto& ranks = *fixture.page.times().ranks().table().feed().source();
    QCOMPARE(shownCell(ranks, rankTimeHeadings(*times), static_cast<std::size_t>(RankColumn::Origin), 0), u"recorded; bandwidths computed"_s);
    QVERIFY(fixture.page.times().collectives().statusText().contains(u"in the marked"_s));
    QVERIFY(fixture.page.times().packets().statusText().contains(u"in the marked"_s));
    QVERIFY2(fixture.page.gaps().contains(u"within the marked time are computed"_s), qPrintable(fixture.page.gaps()));
    fixture.page.bar().setMode(SettingsBar::Mode::Matrix);
    fixture.settle();
    // The links of each rank are those of its collectives in that time.
    std::uint64_t calls = 0, collectives = 0;
    for (std::size_t node = 0; node < fixture.matrix().nodes().size(); ++node) calls += fixture.matrix().toOthers(node).calls;
    for (const RankCollectives& rank : times->set->ranks) collectives += rank.items.size();
    QCOMPARE(calls, collectives);
    QVERIFY(fixture.page.matrix().links().statusText().contains(u"in the marked"_s));
    fixture.selection.setContext({});
    fixture.settle();
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    QCOMPARE(fixture.page.times().shown()->set->ranks[0].items.size(), whole->set->ranks[0].items.size());
    QVERIFY(!fixture.page.gaps().contains(u"marked"_s));
}

void TestCommunicationPage::markedTimeOfRecordedSumsIsSaidPerTable() {
    SlowLinkCapture capture;
    capture.remove(2, u"trace_view.json"_s);
    CommunicationFixture fixture(capture.path());
    ContextFilter context;
    context.range = TimeRange{TimeNs{0}, TimeNs{1}};
    context.rangeCapture = fixture.id;
    fixture.selection.setContext(context);
    fixture.settle();
    const QString status = fixture.page.matrix().links().statusText();
    QVERIFY2(status.contains(u"of whole steps: rank 2,"_s) && status.contains(u"in the marked"_s), qPrintable(status));
    QVERIFY(fixture.matrix().size() > 0);  // those of rank 2 alone
    for (std::size_t node = 0; node < fixture.matrix().nodes().size(); ++node) QCOMPARE(fixture.matrix().toOthers(node).links > 0, fixture.matrix().nodes()[node].rank == 2);
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    QVERIFY2(fixture.page.times().ranks().statusText().contains(u"bandwidths in the marked 1 ns; of whole steps: rank 2"_s), qPrintable(fixture.page.times().ranks().statusText()));
    QVERIFY(fixture.page.times().shown()->set->ranks.empty());
}

void TestCommunicationPage::examplesOfFiltersFitTheirTables() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.matrix().chooseLink(1, 3);
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    fixture.page.times().collectives().table().setCurrent(0, 0);
    fixture.settle();
    TimeView& times = fixture.page.times();
    fixture.page.times().tabs().setCurrentWidget(&fixture.page.advice());
    fixture.settle();
    for (TablePanel* panel : {&fixture.page.advice().table(), &fixture.page.matrix().links(), &fixture.page.matrix().calls(), &times.ranks(), &times.packets(), &times.collectives(), &times.peers(),
                              &fixture.page.findings(true).table()}) {
        QVERIFY(panel->table().feed().source() != nullptr);
        const QString example = panel->filterBar().line()->placeholderText().section(u": "_s, 1);
        const ParsedFilter parsed = parseFilter(example.toStdString(), panel->table().feed().source()->columns());
        QVERIFY2(parsed.root && !parsed.problem, qPrintable(example));
    }
}

void TestCommunicationPage::picturesAreNotSavedIntoTheCapture() {
    CommunicationFixture fixture(m_capture.path());
    QTemporaryDir folder;
    MatrixCanvas& canvas = fixture.page.matrix().canvas();
    QVERIFY(!canvas.savePicture(m_capture.path() + u"/matrix.png"_s).isEmpty());
    QVERIFY(!QFile::exists(m_capture.path() + u"/matrix.png"_s));
    for (const QString& name : {u"/matrix.png"_s, u"/matrix.svg"_s}) {
        QCOMPARE(canvas.savePicture(folder.path() + name), QString());
        QVERIFY(QFileInfo(folder.path() + name).size() > 1000);
    }
}

void TestCommunicationPage::closedCaptureLeavesThePage() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    fixture.session.close(fixture.id);
    fixture.settle();
    QVERIFY(fixture.page.shown() == nullptr);
    QVERIFY(fixture.page.times().shown() == nullptr);
    QVERIFY(fixture.page.matrix().canvas().picture() == nullptr);
    QVERIFY(fixture.page.matrix().canvas().grab().size().isValid());
    QVERIFY(fixture.page.times().canvas().tipAt({100, 100}).isEmpty());
    QVERIFY(fixture.page.matrix().canvas().tipAt({100, 100}).isEmpty());
}

void TestCommunicationPage::nothingRecorded() {
    const QString folder = qEnvironmentVariable("ALTI_SHARED_DATA") + u"/torch_text/level0"_s;
    if (!QDir(folder).exists()) QSKIP(kNoSharedData);
    CommunicationFixture fixture(folder);
    // Times are there, computed; links are not, and the page says so.
    QVERIFY2(fixture.page.gaps().contains(u"communication_matrix.json"_s) || fixture.message().contains(u"Level1"_s), qPrintable(fixture.page.gaps() + fixture.message()));
}

void TestCommunicationPage::absentRanksAreNamed() {
    SlowLinkCapture capture;
    QVERIFY(QDir(capture.rank(0)).removeRecursively());
    CommunicationFixture fixture(capture.path());
    QVERIFY2(fixture.page.gaps().contains(u"ranks 0 of 4"_s), qPrintable(fixture.page.gaps()));
    const auto& nodes = fixture.matrix().nodes();
    QVERIFY(std::any_of(nodes.begin(), nodes.end(), [](const LinkNode& node) { return node.rank == 0; }));
}

void TestCommunicationPage::halfOfTheRanksMissing() {
    SlowLinkCapture capture;
    for (const int rank : {1, 3}) QVERIFY(QDir(capture.rank(rank)).removeRecursively());
    CommunicationFixture fixture(capture.path());
    QVERIFY2(fixture.page.gaps().contains(u"Not in this capture: ranks 1, 3 of 4"_s), qPrintable(fixture.page.gaps()));
    // What ranks 0 and 2 tell of links to them is there; of theirs nothing is.
    const auto& nodes = fixture.matrix().nodes();
    QCOMPARE(nodes.size(), std::size_t{4});
    for (std::size_t node = 0; node < nodes.size(); ++node) QCOMPARE(fixture.matrix().toOthers(node).links > 0, *nodes[node].rank % 2 == 0);
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    QCOMPARE(fixture.page.times().shown()->set->ranks.size(), std::size_t{2});
    QVERIFY(fixture.page.gaps().contains(u"ranks 1, 3 of 4"_s));
}

void TestCommunicationPage::groupsWithoutNames() {
    SlowLinkCapture capture;
    for (int rank = 0; rank < 4; ++rank) QVERIFY(QFile::remove(capture.rank(rank) + u"/profiler_metadata.json"_s));
    CommunicationFixture fixture(capture.path());
    QVERIFY2(fixture.page.gaps().contains(u"are not told (parallel_group_info"_s), qPrintable(fixture.page.gaps()));
    // Links to themselves tell which place is whose: the matrix is that of ranks.
    for (const LinkNode& node : fixture.matrix().nodes()) QVERIFY(node.rank.has_value());
    fixture.page.matrix().chooseLink(1, 3);
    fixture.settle();
    QVERIFY(fixture.page.matrix().canvas().chosen().has_value());
}

void TestCommunicationPage::unequalCountsAreNamed() {
    SlowLinkCapture capture;
    const QString path = capture.rank(2) + u"/ASCEND_PROFILER_OUTPUT/communication.json"_s;
    changeJson(path, [](QJsonObject& file) {
        const QString step = file.keys().front();
        QJsonObject kinds = file[step].toObject(), operators = kinds[u"collective"_s].toObject();
        operators.remove(operators.keys().back());
        kinds[u"collective"_s] = operators;
        file[step] = kinds;
    });
    CommunicationFixture fixture(capture.path());
    QVERIFY2(fixture.page.gaps().contains(u"different numbers of collectives"_s), qPrintable(fixture.page.gaps()));
    QVERIFY(fixture.page.shown()->unequal.front().leastRank == 2);
}

void TestCommunicationPage::noCommunicationAtAll() {
    SlowLinkCapture capture;
    for (int rank = 0; rank < 4; ++rank) {
        for (const QString& file : {u"communication.json"_s, u"communication_matrix.json"_s, u"trace_view.json"_s}) capture.remove(rank, file);
    }
    CommunicationFixture fixture(capture.path());
    const QString message = fixture.message();
    QVERIFY2(message.startsWith(u"No communication data|"_s) && message.contains(u"ranks 0-3"_s) && message.contains(u"communication.json"_s) && message.contains(u"nor a timeline"_s), qPrintable(message));
}

void TestCommunicationPage::oneRankAlone() {
    QTemporaryDir folder;
    const std::vector<std::string> words{folder.filePath(u"capture"_s).toStdString(), "--ranks", "1", "--steps", "2", "--layers", "2"};
    ProgressSlot progress;
    QVERIFY(generate::generateCapture(generate::parseGenerateOptions(words).value(), progress, {}).ok());
    CommunicationFixture alone(folder.filePath(u"capture"_s));
    QVERIFY2(alone.message().startsWith(u"No communication data|"_s) && alone.message().contains(u"more than one rank"_s), qPrintable(alone.message()));
    // One folder of a larger run: what it tells is shown, and who is not there.
    SlowLinkCapture capture;
    CommunicationFixture part(capture.rank(1));
    QVERIFY2(part.page.gaps().contains(u"Not in this capture: ranks 0, 3 of 3"_s), qPrintable(part.page.gaps()));
    QCOMPARE(part.matrix().nodes().size(), std::size_t{3});
    part.page.bar().setMode(SettingsBar::Mode::Time);
    part.settle();
    QCOMPARE(part.page.times().shown()->set->ranks.size(), std::size_t{1});
}

void TestCommunicationPage::stepMissingInAFile() {
    SlowLinkCapture capture;
    QString step;
    for (const QString& name : {u"communication.json"_s, u"communication_matrix.json"_s}) {
        changeJson(capture.rank(1) + u"/ASCEND_PROFILER_OUTPUT/"_s + name, [&](QJsonObject& file) {
            step = file.keys().back();
            file.remove(step);
        });
    }
    CommunicationFixture fixture(capture.path());
    const QString number = step.mid(4);
    QVERIFY2(fixture.page.gaps().contains(u"Not in communication.json (or analysis.db in its place): step %1 of rank"_s.arg(number)), qPrintable(fixture.page.gaps()));
    QVERIFY(fixture.page.gaps().contains(u"Not in communication_matrix.json (or analysis.db in its place): step %1 of rank"_s.arg(number)));
    // The other step is not concerned.
    ContextFilter context;
    for (const std::int64_t known : fixture.page.shown()->choices.steps) {
        if (known != number.toLongLong()) context.steps = {known};
    }
    fixture.selection.setContext(context);
    fixture.settle();
    QVERIFY(!fixture.page.gaps().contains(u"Not in communication"_s));
    // The whole capture lacks none.
    CommunicationFixture whole(m_capture.path());
    QVERIFY2(!whole.page.gaps().contains(u"Not in communication"_s), qPrintable(whole.page.gaps()));
}

void TestCommunicationPage::stepMissingInADatabaseNamesTheDatabase() {
    QTemporaryDir folder;
    const QString path = folder.filePath(u"capture"_s);
    const std::vector<std::string> words{path.toStdString(), "--ranks", "2", "--steps", "2", "--layers", "2", "--format", "db"};
    ProgressSlot progress;
    QVERIFY(generate::generateCapture(generate::parseGenerateOptions(words).value(), progress, {}).ok());
    sqlite3* database = nullptr;
    const QString file = path + u"/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/analysis.db"_s;
    QCOMPARE(sqlite3_open_v2(file.toUtf8().constData(), &database, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
    QCOMPARE(sqlite3_exec(database, "DELETE FROM CommAnalyzerTime WHERE step = (SELECT max(step) FROM CommAnalyzerTime)", nullptr, nullptr, nullptr), SQLITE_OK);
    QVERIFY(sqlite3_changes(database) > 0);
    sqlite3_close(database);
    CommunicationFixture fixture(path);
    QVERIFY2(fixture.page.gaps().contains(u"Not in analysis.db (or communication.json in its place): step "_s), qPrintable(fixture.page.gaps()));
    QVERIFY2(!fixture.page.gaps().contains(u"Not in communication.json"_s), qPrintable(fixture.page.gaps()));
}

void TestCommunicationPage::stepOutsideTheMarkedTimeIsNotMissed() {
    SlowLinkCapture capture;
    std::int64_t number = 0;
    changeJson(capture.rank(1) + u"/ASCEND_PROFILER_OUTPUT/communication.json"_s, [&](QJsonObject& file) {
        const QString step = file.keys().back();
        number = step.mid(4).toLongLong();
        file.remove(step);
    });
    CommunicationFixture fixture(capture.path());
    QVERIFY(number != 0);
    QVERIFY2(fixture.page.gaps().contains(u"Not in communication.json"_s), qPrintable(fixture.page.gaps()));
    const auto store = fixture.session.capture(fixture.id)->store;
    int inside = 0, outside = 0;
    for (const Step& step : store->ranks[1].steps) {
        QVERIFY(step.range.has_value());
        const TimeNs middle = step.range->begin + DurationNs{step.range->length().value / 2};
        ContextFilter context;
        context.range = TimeRange{middle, middle + DurationNs{1000}};
        context.rangeCapture = fixture.id;
        fixture.selection.setContext(context);
        fixture.settle();
        ++(step.number == number ? inside : outside);
        QCOMPARE(fixture.page.gaps().contains(u"Not in communication.json"_s), step.number == number);
    }
    QVERIFY(inside == 1 && outside >= 1);
}

ALTI_TEST(TestCommunicationPage)
#include "tst_communication_page.moc"
