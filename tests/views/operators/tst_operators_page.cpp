#include "tests/views/operators/operators_stage.h"
#include "views/common/plots/plot_view.h"
#include "views/common/tables/dispatch_list.h"
#include "views/operators/call_site_panel.h"
#include "views/operators/kernel_list.h"
#include "views/operators/share_bars.h"
#include "views/operators/share_pie.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>

#include <bit>
#include <cmath>
#include <set>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// The operators page with generated captures: what it shows, and where it leads.
class TestOperatorsPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void groupsAndTheirKernels();
    void groupingIsRememberedAndColumnsFollow();
    void sharesAddUpAndOthersAreReported();
    void barsAndPiesLeadToTheGroup();
    void callSitesOfAGroup();
    void rowLeadsToTheTimeline();
    void contextRankAndMarkedTimeNarrow();
    void spreadOverRanks();
    void examplesOfFiltersFitTheirTables();
    void tasksOfTheChosenGroupAndKernel();
    void nothingIsAskedOutOfSight();

private:
    Generated m_capture{{"--ranks", "2", "--steps", "3", "--layers", "2"}};
};

void TestOperatorsPage::groupsAndTheirKernels() {
    OperatorsFixture fixture(m_capture.path());
    fixture.group(KernelGrouping::Type);
    QVERIFY(fixture.rows() > 3);
    const auto& groups = *fixture.page.shown()->groups;
    std::int64_t kernels = 0;
    for (std::size_t row = 0; row < groups.groups.size(); ++row) kernels += fixture.value(GroupColumn::Count, row);
    QCOMPARE(fixture.page.kernels().rows()->rowCount(), static_cast<std::size_t>(kernels));
    fixture.page.chooseGroup(1);
    fixture.settle();
    const auto& rows = *fixture.page.kernels().rows();
    QCOMPARE(rows.rowCount(), groups.groups[1].time.count);
    const std::string type(groups.index->text(groups.keys[groups.groups[1].key].type));
    const auto column = 1 + fixedColumn(RowKind::Kernel, "type");
    for (std::size_t row = 0; row < rows.rowCount(); ++row)
        QCOMPARE(std::string(rows.text(column, rows.cell(column, row))), type);
    fixture.page.chooseGroup(std::nullopt);
    fixture.settle();
    QCOMPARE(fixture.page.kernels().rows()->rowCount(), static_cast<std::size_t>(kernels));
}

void TestOperatorsPage::groupingIsRememberedAndColumnsFollow() {
    OperatorsFixture fixture(m_capture.path());
    auto* split = fixture.page.bar().findChildren<QComboBox*>()[2];
    split->setCurrentIndex(2);
    emit split->activated(2);
    fixture.group(KernelGrouping::CollectiveName);
    QCOMPARE(fixture.kept.value(u"operators/split"_s).toInt(), static_cast<int>(KernelSplit::Rank));
    QVERIFY(fixture.rows() > 1);
    QVERIFY(fixture.cell(GroupColumn::Name, 0).startsWith(u"hcom_"_s));
    QVERIFY(!fixture.cell(GroupColumn::Rank, 0).isEmpty());
    QVERIFY(fixture.cell(GroupColumn::Core, 0).isEmpty() && fixture.cell(GroupColumn::Step, 0).isEmpty());
    const auto without = columnsWithout(*fixture.page.shown()->groups);
    QVERIFY(without == (std::vector{GroupColumn::Core, GroupColumn::Shapes, GroupColumn::Step, GroupColumn::Device}));
}

void TestOperatorsPage::sharesAddUpAndOthersAreReported() {
    OperatorsFixture fixture(m_capture.path());
    fixture.group(KernelGrouping::Name);
    double sum = 0;
    for (std::size_t row = 0; row < fixture.rows(); ++row)
        sum += std::bit_cast<double>(fixture.value(GroupColumn::Share, row));
    QVERIFY(std::abs(sum - 1) < 1e-9);
    fixture.page.bar().findChild<QSpinBox*>()->setValue(3);
    const auto& shares = fixture.page.bars().shares();
    QCOMPARE(shares.size(), 4U);
    QVERIFY(!shares.back().key);
    QCOMPARE(shares.back().title, u"%1 other(s)"_s.arg(fixture.rows() - 3));
    std::int64_t time = 0;
    for (const Share& share : shares) time += share.time;
    QCOMPARE(time, fixture.page.shown()->groups->all.total);
    fixture.page.bar().findChild<QSpinBox*>()->setValue(0);
    QCOMPARE(fixture.page.bars().shares().size(), fixture.rows());
}

void TestOperatorsPage::barsAndPiesLeadToTheGroup() {
    OperatorsFixture fixture(m_capture.path());
    fixture.group(KernelGrouping::Type);
    auto& bars = fixture.page.bars();
    QTest::mouseClick(bars.viewport(), Qt::LeftButton, {}, bars.barRect(2).center());
    QCOMPARE(fixture.page.statistics().table().currentRow(), std::optional<std::uint32_t>(2));
    QTest::keyClick(&bars, Qt::Key_Up);
    QCOMPARE(fixture.page.statistics().table().currentRow(), std::optional<std::uint32_t>(1));
    const auto pies = fixture.page.findChildren<SharePie*>();
    QCOMPARE(pies.size(), 2);
    fixture.page.pictures().setCurrentIndex(1);
    QVERIFY(QTest::qWaitFor([&] { return pies[0]->isVisible() && pies[0]->width() > 100; }));
    // The first piece begins at the top and goes clockwise.
    const QRectF circle = pies[0]->circle();
    QTest::mouseClick(pies[0], Qt::LeftButton, {}, QPointF(circle.center().x() + 3, circle.top() + 4).toPoint());
    QCOMPARE(fixture.page.statistics().table().currentRow(), std::optional<std::uint32_t>(0));
    const QRectF cores = pies[1]->circle();
    QTest::mouseClick(pies[1], Qt::LeftButton, {}, QPointF(cores.center().x() + 3, cores.top() + 4).toPoint());
    fixture.settle();
    const TableRows& rows = *fixture.page.statistics().table().loader().rows();
    QVERIFY(rows.count > 0 && rows.count < rows.total);
    for (std::size_t place = 0; place < rows.count; ++place)
        QCOMPARE(fixture.cell(GroupColumn::Core, rows.row(place)), pies[1]->shares()[0].title);
}

void TestOperatorsPage::callSitesOfAGroup() {
    OperatorsFixture fixture(m_capture.path());
    fixture.group(KernelGrouping::Name);
    fixture.page.chooseGroup(0);
    fixture.page.tabs().setCurrentWidget(fixture.page.findChild<CallSitePanel*>());
    fixture.settle();
    const auto& sites = fixture.page.findChild<CallSitePanel*>()->sites();
    QVERIFY(sites && !sites->sites.empty());
    QCOMPARE(sites->kernels, fixture.page.shown()->groups->groups[0].time.count);
    QCOMPARE(sites->looked, sites->kernels);
    std::uint64_t count = sites->unknown.count;
    for (const CallSite& site : sites->sites) count += site.time.count;
    QCOMPARE(count, sites->kernels);
    QVERIFY(!sites->sites.front().op.empty());
    QSignalSpy spy(&fixture.page, &OperatorsPage::sliceRequested);
    emit fixture.page.findChild<CallSitePanel*>()->table().table().activated(0);
    QCOMPARE(spy.size(), 1);
    const auto& trace = *fixture.page.shown()->scope.store->ranks[sites->sites.front().caller.rank.value].trace;
    QCOMPARE(spy.front().front().value<SliceId>(), trace.id(sites->sites.front().caller.slice));
}

void TestOperatorsPage::rowLeadsToTheTimeline() {
    OperatorsFixture fixture(m_capture.path());
    QSignalSpy spy(&fixture.page, &OperatorsPage::sliceRequested);
    emit fixture.page.kernels().table().table().activated(4);
    QCOMPARE(spy.size(), 1);
    const auto& rows = *fixture.page.kernels().rows();
    const auto slice = rows.slice(4);
    QVERIFY(slice.has_value());
    const TraceStore& trace = *rows.capture().ranks[slice->rank.value].trace;
    QCOMPARE(spy.front().front().value<SliceId>(), trace.id(slice->slice));
    const auto name = 1 + fixedColumn(RowKind::Kernel, "name");
    QCOMPARE(std::string(trace.name(slice->slice)), std::string(rows.text(name, rows.cell(name, 4))));
    fixture.page.kernels().table().table().setCurrent(4, 0);
    fixture.settle();
    QVERIFY2(fixture.page.kernels().origin().startsWith(u"Called from: "_s),
             qPrintable(fixture.page.kernels().origin()));
}

void TestOperatorsPage::contextRankAndMarkedTimeNarrow() {
    OperatorsFixture fixture(m_capture.path());
    const auto kernels = [&] { return fixture.page.shown()->groups->all.count; };
    const auto all = kernels();
    ContextFilter context;
    context.steps = {fixture.page.shown()->index->steps().front()};
    fixture.selection.setContext(context);
    fixture.settle();
    QVERIFY(kernels() * 2 < all && kernels() > 0);
    context.ranks = {1};
    const auto ofStep = kernels();
    fixture.selection.setContext(context);
    fixture.settle();
    QCOMPARE(kernels() * 2, ofStep);
    QVERIFY(fixture.page.statistics().statusText().contains(u"1 of 2 ranks"_s));
    fixture.selection.setContext({});
    fixture.settle();
    QCOMPARE(kernels(), all);
    auto* ranks = fixture.page.bar().findChildren<QComboBox*>()[0];
    QCOMPARE(ranks->count(), 3);
    ranks->setCurrentIndex(1);
    emit ranks->activated(1);
    fixture.settle();
    QCOMPARE(kernels() * 2, all);
    ranks->setCurrentIndex(0);
    emit ranks->activated(0);
    const auto time = fixture.page.shown()->scope.store->ranks[0].trace->homeRange();
    SelectionState state = fixture.selection.current();
    state.capture = fixture.id;
    state.range = TimeRange{time.begin, time.begin + DurationNs{time.length().value / 2}};
    fixture.selection.set(state);
    fixture.settle();
    QVERIFY(kernels() < all && kernels() > 0);
}

void TestOperatorsPage::spreadOverRanks() {
    OperatorsFixture fixture(m_capture.path());
    fixture.page.pictures().setCurrentIndex(2);
    fixture.settle();
    fixture.page.chooseGroup(0);
    fixture.settle();
    QVERIFY(fixture.page.findChild<PlotView*>()->isVisible());
}

void TestOperatorsPage::examplesOfFiltersFitTheirTables() {
    OperatorsFixture fixture(m_capture.path());
    fixture.page.tabs().setCurrentWidget(fixture.page.findChild<CallSitePanel*>());
    fixture.settle();
    for (TablePanel* panel : {&fixture.page.statistics(), &fixture.page.kernels().table(),
                              &fixture.page.findChild<CallSitePanel*>()->table()}) {
        const QString example = panel->filterBar().findChild<QLineEdit*>()->placeholderText();
        panel->table().loader().setFilter(example.mid(example.indexOf(u": "_s) + 1));
        QVERIFY2(!panel->table().loader().problem(), qPrintable(example));
        QVERIFY(panel->table().loader().source() != nullptr);
    }
    QCOMPARE(groupHeadings().size(), fixture.page.statistics().table().loader().source()->columns().size());
    QCOMPARE(callSiteHeadings().size(),
             fixture.page.findChild<CallSitePanel*>()->table().table().loader().source()->columns().size());
}

/// Every kernel of the group, back over its launch to the task whose dequeuing that lies in.
void TestOperatorsPage::tasksOfTheChosenGroupAndKernel() {
    OperatorsFixture fixture(m_capture.path());
    fixture.page.tabs().setCurrentWidget(&fixture.page.dispatch());
    fixture.settle();
    const CaptureStore& store = *fixture.session.capture(fixture.id)->store;
    std::vector<std::vector<Dispatch>> all;
    std::size_t tasks = 0;
    for (const RankEntry& rank : store.ranks) tasks += all.emplace_back(dispatchChains(*rank.trace, {})).size();
    QVERIFY(tasks > 0);
    QCOMPARE(fixture.page.dispatch().rows().rows.size(), tasks);
    const auto tasksOf = [&](const KernelRows& kernels) {
        std::set<std::pair<RankIndex, std::uint32_t>> found;
        for (std::size_t row = 0; row < kernels.rowCount(); ++row) {
            const auto slice = kernels.slice(row);
            if (!slice) continue;
            const TraceStore& trace = *store.ranks[slice->rank.value].trace;
            for (const std::uint32_t flow : trace.flowsTo(slice->slice)) {
                const SliceIndex from{trace.columns().flowFrom[flow]};
                for (const Dispatch& task : all[slice->rank.value]) {
                    if (from == kNoSlice || task.dequeue == kNoSlice ||
                        trace.track({trace.runOf(from).track}).kind != TrackKind::Cann)
                        continue;
                    if (trace.begin(task.dequeue) <= trace.begin(from) && trace.begin(from) < trace.end(task.dequeue))
                        found.insert({slice->rank, task.enqueue.value});
                }
            }
        }
        return found;
    };
    const auto shown = [&] {
        std::set<std::pair<RankIndex, std::uint32_t>> found;
        for (const DispatchRows::Row& row : fixture.page.dispatch().rows().rows)
            found.insert({row.rank, row.dispatch.enqueue.value});
        return found;
    };
    bool any = false;
    for (std::size_t group = 0; group < fixture.page.shown()->groups->groups.size(); ++group) {
        fixture.page.chooseGroup(group);
        fixture.page.tabs().setCurrentWidget(&fixture.page.kernels());
        fixture.settle();
        const auto expected = tasksOf(*fixture.page.kernels().rows());
        fixture.page.tabs().setCurrentWidget(&fixture.page.dispatch());
        fixture.settle();
        QCOMPARE(shown(), expected);
        any = any || (!expected.empty() && expected.size() < tasks);
    }
    QVERIFY(any);
    emit fixture.page.kernels().dispatchRequested(*fixture.page.kernels().rows()->slice(0));
    fixture.settle();
    QVERIFY(fixture.page.dispatch().rows().rows.size() <= 1);
    emit fixture.page.dispatch().allRequested();
    fixture.settle();
    QCOMPARE(fixture.page.dispatch().rows().rows.size(), tasks);
}

void TestOperatorsPage::nothingIsAskedOutOfSight() {
    OperatorsFixture fixture;
    fixture.page.hide();
    fixture.open(m_capture.path());
    QVERIFY(fixture.page.shown() == nullptr);
    fixture.page.show();
    fixture.settle();
    QVERIFY(fixture.page.shown() != nullptr);
}

ALTI_TEST(TestOperatorsPage)
#include "tst_operators_page.moc"
