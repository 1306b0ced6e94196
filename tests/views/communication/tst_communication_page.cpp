#include "core/tables/filters/filter_expression.h"
#include "tests/views/communication/communication_stage.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/communication/data/link_table.h"
#include "views/communication/panels/advice_tab.h"
#include "views/communication/panels/finding_tab.h"
#include "views/communication/panels/settings_bar.h"
#include "views/communication/panels/time_view.h"

#include <algorithm>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// The communication page with captures' files: what all its parts share, and where it leads.
class TestCommunicationPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void choicesAreRemembered();
    void findingsLeadToLinksAndRanks();
    void plantedFaultsAreListed_data();
    void plantedFaultsAreListed();
    void timesCountFromTheStartOfTheCapture();
    void labelsFollowTheLanguage();
    void contextNarrows();
    void markedTimeNarrowsAllTables();
    void markedTimeOfRecordedSumsIsSaidPerTable();
    void examplesOfFiltersFitTheirTables();
    void picturesAreNotSavedIntoTheCapture();
    void closedCaptureLeavesThePage();

private:
    SlowLinkCapture m_capture;
};

void TestCommunicationPage::choicesAreRemembered() {
    CommunicationFixture fixture(m_capture.path());
    const std::size_t all = fixture.matrix().size();
    const auto& groups = fixture.page.shown()->choices.groups;
    QVERIFY(groups.size() > 2);
    chooseGroup(fixture.page.bar(), groups.front().name);
    fixture.settle();
    QVERIFY(fixture.matrix().size() < all);
    QCOMPARE(fixture.page.bar().groups(), std::vector<std::string>{groups.front().name});
    fixture.page.matrix().setMetric(LinkMetric::Size);
    fixture.settle();
    CommunicationPage second{fixture.session, fixture.selection, fixture.loader, fixture.settings, fixture.memory};
    second.show();
    QVERIFY(QTest::qWaitFor([&] { return second.idle() && second.shown() != nullptr && fixture.jobs.idle(); }, 10'000));
    QCOMPARE(second.bar().groups(), std::vector<std::string>{groups.front().name});
    QCOMPARE(second.matrix().chosenMetric(), LinkMetric::Size);
}

void TestCommunicationPage::findingsLeadToLinksAndRanks() {
    CommunicationFixture fixture(m_capture.path());
    FindingTab& tab = fixture.page.findings(true);
    const TableSource& table = *tab.table().table().loader().source();
    QVERIFY(table.rowCount() > 0);
    std::optional<std::uint32_t> slowLink;
    for (std::uint32_t row = 0; row < table.rowCount(); ++row) {
        if (table.text(3, table.cell(3, row)) == "slow_link") slowLink = row;
    }
    QVERIFY(slowLink.has_value());
    // Also from beside the times, and although only another step was looked at.
    chooseStep(fixture.page.bar(), fixture.page.shown()->choices.steps.front());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    emit fixture.page.findings(false).table().table().activated(*slowLink);
    fixture.settle();
    QCOMPARE(fixture.page.bar().mode(), SettingsBar::Mode::Matrix);
    QVERIFY((fixture.page.matrix().canvas().chosen() == MatrixCanvas::Link{1, 3}));
    emit fixture.page.findings(true).rankRequested({2});
    fixture.settle();
    QCOMPARE(fixture.page.bar().mode(), SettingsBar::Mode::Time);
    QCOMPARE(*fixture.page.times().ranks().table().currentRow(), 2U);
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
    const std::vector<std::string> words{folder.filePath(u"capture"_s).toStdString(),
                                         "--ranks",
                                         "4",
                                         "--steps",
                                         "3",
                                         "--layers",
                                         "2",
                                         "--seed",
                                         seed.toStdString(),
                                         "--plant",
                                         fault.toStdString()};
    ProgressSlot progress;
    QVERIFY(generate::generateCapture(generate::parseGenerateOptions(words).value(), progress, {}).ok());
    CommunicationFixture fixture(folder.filePath(u"capture"_s));
    FindingTab& tab = fixture.page.findings(true);
    const TableSource& table = *tab.table().table().loader().source();
    // The first row is the fault that was planted; whatever else is found follows from it.
    const std::uint32_t found = tab.table().table().loader().rows()->row(0);
    QCOMPARE(QString::fromUtf8(table.text(3, table.cell(3, found))), rule);
    const std::int64_t rank = table.cell(4, found);
    emit tab.table().table().activated(found);
    fixture.settle();
    if (rule == u"slow_link"_s) {
        QCOMPARE(fixture.page.bar().mode(), SettingsBar::Mode::Matrix);
        const auto chosen = fixture.page.matrix().canvas().chosen();
        QVERIFY(chosen.has_value());
        QCOMPARE(
            std::max(*fixture.matrix().nodes()[chosen->source].rank, *fixture.matrix().nodes()[chosen->target].rank),
            2);
        // And the list of links begins with it, in both directions.
        const auto* links =
            dynamic_cast<const LinkTable*>(fixture.page.matrix().links().table().loader().source().get());
        for (const std::size_t place : {0, 1}) {
            const LinkSum link = links->link(fixture.page.matrix().links().table().loader().rows()->row(place));
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

/// Times counted from the first collective, on all other pages from the capture's start: a copied one led astray.
void TestCommunicationPage::timesCountFromTheStartOfTheCapture() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    CollectiveCanvas& canvas = fixture.page.times().canvas();
    // By hand: the first begin of all events.
    TimeNs first{kMaxTimeNs};
    for (const RankEntry& rank : fixture.session.captures().front().store->ranks)
        first = std::min(first, rank.trace->range().begin);
    const auto bar = canvas.chart()->bars(0, 0, canvas.window().range(), canvas.plotRect().width()).back();
    const TimeNs begin = canvas.chart()->aligned(0, bar.item).begin;
    QVERIFY2(first < canvas.chart()->range().begin, "else both origins are one");
    const QString tip =
        canvas.tipAt({canvas.plotRect().left() + (bar.first + bar.last) / 2, canvas.rowRect(0).top() + 4});
    QVERIFY2(tip.contains(u"Start: "_s + formatRelativeTime(begin, first) + u'\n'), qPrintable(tip));
}

/// Rows of the picture kept the words of the language before.
void TestCommunicationPage::labelsFollowTheLanguage() {
    CommunicationFixture fixture(m_capture.path());
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    CollectiveCanvas& canvas = fixture.page.times().canvas();
    const auto tip = [&] {
        const auto bar = canvas.chart()->bars(0, 0, canvas.window().range(), canvas.plotRect().width()).back();
        return canvas.tipAt({canvas.plotRect().left() + (bar.first + bar.last) / 2, canvas.rowRect(0).top() + 4})
            .section(u'\n', 0, 0);
    };
    QCOMPARE(tip(), u"Rank 0"_s);
    canvas.setLabels({u"a"_s, u"b"_s, u"c"_s, u"d"_s});
    QCOMPARE(tip(), u"a"_s);
    QEvent language(QEvent::LanguageChange);
    QApplication::sendEvent(&fixture.page.times(), &language);
    QCOMPARE(tip(), u"Rank 0"_s);
}

void TestCommunicationPage::contextNarrows() {
    CommunicationFixture fixture(m_capture.path());
    ContextFilter context;
    context.ranks = {1};
    fixture.selection.setContext(context);
    fixture.settle();
    QCOMPARE(fixture.page.shown()->ranks.size(), std::size_t{1});
    const LinkMatrix& matrix = fixture.matrix();
    for (std::size_t node = 0; node < matrix.nodes().size(); ++node)
        QVERIFY(matrix.rowBegin(node) == matrix.rowEnd(node) || matrix.nodes()[node].rank == 1);
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
        for (const CollectiveItem& item : whole->set->ranks[r].items)
            expected +=
                item.begin->value < range.end.value && range.begin.value < item.begin->value + item.spent.elapsed ? 1
                                                                                                                  : 0;
        std::size_t shown = 0;
        for (const RankCollectives& rank : times->set->ranks)
            shown += rank.rank == whole->set->ranks[r].rank ? rank.items.size() : 0;
        QCOMPARE(shown, expected);
    }
    for (const RankTransfers& rank : times->transfers) {
        for (const PacketSum& sum : rank.packets) packets += sum.count;
    }
    QVERIFY(packets > 0 && packets < 200);
    // Times are recorded by collective, and packets and bandwidths by step.
    const auto& ranks = *fixture.page.times().ranks().table().loader().source();
    QCOMPARE(shownCell(ranks, rankTimeHeadings(*times), static_cast<std::size_t>(RankColumn::Origin), 0),
             u"recorded; bandwidths computed"_s);
    QVERIFY(fixture.page.times().collectives().statusText().contains(u"in the marked"_s));
    QVERIFY(fixture.page.times().packets().statusText().contains(u"in the marked"_s));
    QVERIFY2(fixture.page.gaps().contains(u"within the marked time are computed"_s), qPrintable(fixture.page.gaps()));
    fixture.page.bar().setMode(SettingsBar::Mode::Matrix);
    fixture.settle();
    // The links of each rank are those of its collectives in that time.
    std::uint64_t calls = 0, collectives = 0;
    for (std::size_t node = 0; node < fixture.matrix().nodes().size(); ++node)
        calls += fixture.matrix().toOthers(node).calls;
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
    for (std::size_t node = 0; node < fixture.matrix().nodes().size(); ++node)
        QCOMPARE(fixture.matrix().toOthers(node).links > 0, fixture.matrix().nodes()[node].rank == 2);
    fixture.page.bar().setMode(SettingsBar::Mode::Time);
    fixture.settle();
    QVERIFY2(
        fixture.page.times().ranks().statusText().contains(u"bandwidths in the marked 1 ns; of whole steps: rank 2"_s),
        qPrintable(fixture.page.times().ranks().statusText()));
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
    for (TablePanel* panel : {&fixture.page.advice().table(), &fixture.page.matrix().links(),
                              &fixture.page.matrix().calls(), &times.ranks(), &times.packets(), &times.collectives(),
                              &times.peers(), &fixture.page.findings(true).table()}) {
        QVERIFY(panel->table().loader().source() != nullptr);
        const QString example = panel->filterBar().line()->placeholderText().section(u": "_s, 1);
        const ParsedFilter parsed = parseFilter(example.toStdString(), panel->table().loader().source()->columns());
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

ALTI_TEST(TestCommunicationPage)
#include "tst_communication_page.moc"
