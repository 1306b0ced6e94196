#include "views/operators/operators_page.h"

#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "core/tables/filter_expression.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/pages/page.h"
#include "views/common/plots/plot_view.h"
#include "views/common/tables/dispatch_list.h"
#include "views/common/tables/table_panel.h"
#include "views/operators/call_site_panel.h"
#include "views/operators/kernel_list.h"
#include "views/operators/operator_bar.h"
#include "views/operators/operator_tables.h"
#include "views/operators/share_bars.h"
#include "views/operators/share_pie.h"

#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

struct Generated {
    explicit Generated(std::vector<std::string> words) {
        words.insert(words.begin(), path().toStdString());
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        made = options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
    }
    QString path() const { return folder.filePath(u"capture"_s); }

    QTemporaryDir folder;
    bool made = false;
};

struct OperatorsFixture {
    QVariantMap kept;
    ViewMemory memory{[this](const QString& name) { return kept.value(name); },
                      [this](const QString& name, const QVariant& value) { kept[name] = value; }};
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    OperatorsPage page{session, selection, memory};
    std::uint32_t id = 0;

    explicit OperatorsFixture(const QString& capture = {}) {
        page.resize(1100, 800);
        page.show();
        if (!capture.isEmpty()) open(capture);
    }
    void open(const QString& capture) {
        id = openAndWait(session, capture);
        QVERIFY(id != 0);
        settle();
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return page.idle() && jobs.idle(); }, 10'000));
    }
    void group(KernelGrouping grouping) {
        page.bar().setGrouping(grouping);
        settle();
    }
    std::size_t rows() { return page.statistics().table().feed().rows()->count; }
    QString cell(GroupColumn column, std::size_t row) {
        return shownCell(*page.statistics().table().feed().source(), groupHeadings(), static_cast<std::size_t>(column),
                         row);
    }
    std::int64_t value(GroupColumn column, std::size_t row) {
        return page.statistics().table().feed().source()->cell(static_cast<std::size_t>(column), row);
    }
};

}  // namespace

/// The operators page with generated captures: what it shows, where it leads, and what it says is missing.
class TestOperatorsPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void groupsAndTheirKernels();
    void groupingIsRememberedAndColumnsFollow();
    void sharesAddUpAndOthersAreTold();
    void barsAndPiesLeadToTheGroup();
    void callSitesOfAGroup();
    void rowLeadsToTheTimeline();
    void contextRankAndMarkedTimeNarrow();
    void spreadOverRanks();
    void examplesOfFiltersFitTheirTables();
    void aiCpuIsListed();
    void plantedAiCpuStandsFirst_data();
    void plantedAiCpuStandsFirst();
    void aiCpuTabStaysChosenInAnotherScope();
    void aiCpuTabStaysChosenWhenTheCaptureIsReadAgain();
    void sharesOfTheAiCpuAddUp();
    void tasksOfTheChosenGroupAndKernel();
    void nothingRecorded();
    void ranksThatAreNotInTheCapture_data();
    void ranksThatAreNotInTheCapture();
    void halfOfTheRanksWithoutKernels();
    void metricsThatWereNotRecorded();
    void ranksWithDifferentKernels();
    void kernelsWithoutTypesOpenByOperator();
    void nothingIsAskedOutOfSight();
    void closedCaptureLeavesThePage();
    void kernelsOfAnotherScopeThatCameOutOfSightAreNotShort();
    void slicesOfAnotherStoreAreLeft();
    void aMenuThatIsOpenWhileTheCaptureIsReadAgainLeadsNowhere();

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
    const auto column = 1 + rowColumn(RowKind::Kernel, "type");
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

void TestOperatorsPage::sharesAddUpAndOthersAreTold() {
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
    QCOMPARE(fixture.page.chosenGroup(), std::optional<std::size_t>(2));
    QCOMPARE(fixture.page.statistics().table().currentRow(), std::optional<std::uint32_t>(2));
    QTest::keyClick(&bars, Qt::Key_Up);
    QCOMPARE(fixture.page.chosenGroup(), std::optional<std::size_t>(1));
    const auto pies = fixture.page.findChildren<SharePie*>();
    QCOMPARE(pies.size(), 2);
    fixture.page.pictures().setCurrentIndex(1);
    QVERIFY(QTest::qWaitFor([&] { return pies[0]->isVisible() && pies[0]->width() > 100; }));
    // The first piece begins at the top and goes clockwise.
    const QRectF circle = pies[0]->circle();
    QTest::mouseClick(pies[0], Qt::LeftButton, {}, QPointF(circle.center().x() + 3, circle.top() + 4).toPoint());
    QCOMPARE(fixture.page.chosenGroup(), std::optional<std::size_t>(0));
    const QRectF cores = pies[1]->circle();
    QTest::mouseClick(pies[1], Qt::LeftButton, {}, QPointF(cores.center().x() + 3, cores.top() + 4).toPoint());
    fixture.settle();
    const TableRows& rows = *fixture.page.statistics().table().feed().rows();
    QVERIFY(rows.count > 0 && rows.count < rows.total);
    for (std::size_t place = 0; place < rows.count; ++place)
        QCOMPARE(fixture.cell(GroupColumn::Core, rows.row(place)), pies[1]->shares()[0].title);
}

void TestOperatorsPage::callSitesOfAGroup() {
    OperatorsFixture fixture(m_capture.path());
    fixture.group(KernelGrouping::Name);
    fixture.page.chooseGroup(0);
    fixture.page.tabs().setCurrentWidget(&fixture.page.callSites());
    fixture.settle();
    const auto& sites = fixture.page.callSites().sites();
    QVERIFY(sites && !sites->sites.empty());
    QCOMPARE(sites->kernels, fixture.page.shown()->groups->groups[0].time.count);
    QCOMPARE(sites->looked, sites->kernels);
    std::uint64_t count = sites->unknown.count;
    for (const CallSite& site : sites->sites) count += site.time.count;
    QCOMPARE(count, sites->kernels);
    QVERIFY(!sites->sites.front().op.empty());
    QSignalSpy spy(&fixture.page, &OperatorsPage::sliceRequested);
    emit fixture.page.callSites().table().table().activated(0);
    QCOMPARE(spy.size(), 1);
    const auto& trace = *fixture.page.shown()->scope.store->ranks[sites->sites.front().caller.rank].trace;
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
    const TraceStore& trace = *rows.capture().ranks[slice->rank].trace;
    QCOMPARE(spy.front().front().value<SliceId>(), trace.id(slice->slice));
    const auto name = 1 + rowColumn(RowKind::Kernel, "name");
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
    fixture.page.tabs().setCurrentWidget(&fixture.page.callSites());
    fixture.settle();
    for (TablePanel* panel :
         {&fixture.page.statistics(), &fixture.page.kernels().table(), &fixture.page.callSites().table()}) {
        const QString example = panel->filterBar().findChild<QLineEdit*>()->placeholderText();
        panel->table().feed().setFilter(example.mid(example.indexOf(u": "_s) + 1));
        QVERIFY2(!panel->table().feed().problem(), qPrintable(example));
        QVERIFY(panel->table().feed().source() != nullptr);
    }
    QCOMPARE(groupHeadings().size(), fixture.page.statistics().table().feed().source()->columns().size());
    QCOMPARE(callSiteHeadings().size(), fixture.page.callSites().table().table().feed().source()->columns().size());
}

void TestOperatorsPage::aiCpuIsListed() {
    OperatorsFixture clean(m_capture.path());
    const auto isListed = [](OperatorsPage& page) {
        return page.tabs().isTabVisible(page.tabs().indexOf(&page.aiCpu()));
    };
    QVERIFY(!isListed(clean.page));
    const Generated planted{{"--ranks", "2", "--steps", "3", "--layers", "2", "--plant", "ai-cpu=Cumsum"}};
    QVERIFY(planted.made);
    OperatorsFixture fixture(planted.path());
    QVERIFY(isListed(fixture.page));
    const auto& source = *fixture.page.aiCpu().table().feed().source();
    QVERIFY(source.rowCount() > 0);
    for (std::size_t row = 0; row < source.rowCount(); ++row) {
        QCOMPARE(shownCell(source, groupHeadings(), static_cast<std::size_t>(GroupColumn::Core), row), u"AI_CPU"_s);
        QVERIFY(
            shownCell(source, groupHeadings(), static_cast<std::size_t>(GroupColumn::Type), row).contains(u"Cumsum"_s));
    }
}

void TestOperatorsPage::plantedAiCpuStandsFirst_data() {
    QTest::addColumn<int>("seed");
    for (const int seed : {2, 6, 11}) QTest::addRow("seed %d", seed) << seed;
}

void TestOperatorsPage::plantedAiCpuStandsFirst() {
    QFETCH(int, seed);
    const Generated planted{
        {"--ranks", "2", "--steps", "3", "--layers", "2", "--seed", std::to_string(seed), "--plant", "ai-cpu=Cumsum"}};
    OperatorsFixture fixture(planted.path());
    const TableFeed& feed = fixture.page.aiCpu().table().feed();
    QVERIFY(feed.rows()->count > 0);
    QVERIFY(shownCell(*feed.source(), groupHeadings(), static_cast<std::size_t>(GroupColumn::Type), feed.rows()->row(0))
                .contains(u"Cumsum"_s));
    // Among all operators it is told by its core: the only group that is not of an AI Core.
    fixture.group(KernelGrouping::Core);
    int found = 0;
    for (std::size_t row = 0; row < fixture.rows(); ++row)
        found += fixture.cell(GroupColumn::Core, row) == u"AI_CPU"_s ? 1 : 0;
    QCOMPARE(found, 1);
}

void TestOperatorsPage::aiCpuTabStaysChosenInAnotherScope() {
    const Generated planted{{"--ranks", "2", "--steps", "3", "--layers", "2", "--plant", "ai-cpu=Cumsum"}};
    OperatorsFixture fixture(planted.path());
    QWidget* tab = &fixture.page.aiCpu();
    fixture.page.tabs().setCurrentWidget(tab);
    const std::size_t rows = fixture.page.aiCpu().table().feed().source()->rowCount();
    ContextFilter context;
    context.ranks = {1};
    fixture.selection.setContext(context);
    fixture.settle();
    QCOMPARE(fixture.page.shown()->index->selected().size(), 1U);
    QVERIFY(fixture.page.aiCpu().table().feed().source()->rowCount() <= rows);
    QCOMPARE(fixture.page.tabs().currentWidget(), tab);
    fixture.group(KernelGrouping::Name);
    QCOMPARE(fixture.page.tabs().currentWidget(), tab);
    QVERIFY(tab->isVisible());
}

void TestOperatorsPage::aiCpuTabStaysChosenWhenTheCaptureIsReadAgain() {
    const Generated planted{{"--ranks", "2", "--steps", "3", "--layers", "2", "--plant", "ai-cpu=Cumsum"}};
    OperatorsFixture fixture(planted.path());
    QWidget* tab = &fixture.page.aiCpu();
    fixture.page.tabs().setCurrentWidget(tab);
    fixture.settle();
    const auto before = fixture.page.shown();
    fixture.session.reload(fixture.id);
    QVERIFY(QTest::qWaitFor([&] {
        return fixture.page.shown() != nullptr && fixture.page.shown() != before && fixture.jobs.idle() &&
               fixture.page.idle();
    }));
    QCOMPARE(fixture.page.tabs().currentWidget(), tab);
    QVERIFY(fixture.page.aiCpu().table().feed().source()->rowCount() > 0);
    // Not that it stays for good.
    fixture.session.close(fixture.id);
    fixture.open(m_capture.path());
    QVERIFY(!fixture.page.tabs().isTabVisible(fixture.page.tabs().indexOf(tab)));
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
        std::set<std::pair<std::uint32_t, std::uint32_t>> found;
        for (std::size_t row = 0; row < kernels.rowCount(); ++row) {
            const auto slice = kernels.slice(row);
            if (!slice) continue;
            const TraceStore& trace = *store.ranks[slice->rank].trace;
            for (const std::uint32_t flow : trace.flowsTo(slice->slice)) {
                const SliceIndex from{trace.columns().flowFrom[flow]};
                for (const Dispatch& task : all[slice->rank]) {
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
        std::set<std::pair<std::uint32_t, std::uint32_t>> found;
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

void TestOperatorsPage::sharesOfTheAiCpuAddUp() {
    const Generated planted{{"--ranks", "2", "--steps", "3", "--layers", "2", "--plant", "ai-cpu=Cumsum"}};
    OperatorsFixture fixture(planted.path());
    const auto& source = *fixture.page.aiCpu().table().feed().source();
    QVERIFY(source.rowCount() > 0);
    double sum = 0;
    for (std::size_t row = 0; row < source.rowCount(); ++row)
        sum += std::bit_cast<double>(source.cell(static_cast<std::size_t>(GroupColumn::Share), row));
    QVERIFY2(std::abs(sum - 1) < 1e-9, qPrintable(QString::number(sum)));
}

void TestOperatorsPage::nothingRecorded() {
    OperatorsFixture nothing;
    QCOMPARE(nothing.page.findChild<MessagePage*>()->message().title, u"Operators"_s);
    const Generated without{{"--ranks", "2", "--steps", "2", "--layers", "1"}};
    for (const int rank : {0, 1})
        QVERIFY(
            QFile::remove(without.path() + u"/rank%1_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s.arg(rank)));
    OperatorsFixture fixture(without.path());
    const PageMessage message = fixture.page.findChild<MessagePage*>()->message();
    QCOMPARE(message.title, u"No kernels"_s);
    QVERIFY2(message.remedy.contains(u"kernel_details"_s), qPrintable(message.remedy));
    const Generated half{{"--ranks", "2", "--steps", "2", "--layers", "1"}};
    QVERIFY(QFile::remove(half.path() + u"/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s));
    OperatorsFixture other(half.path());
    QVERIFY(other.rows() > 0);
    QVERIFY2(other.page.gaps().startsWith(u"No kernels: rank 0."_s), qPrintable(other.page.gaps()));
}

void TestOperatorsPage::ranksThatAreNotInTheCapture_data() {
    QTest::addColumn<QList<int>>("removed");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("rank 0") << QList<int>{0} << u"Not in this capture: rank 0 of 4. Sums are those of the others."_s;
    QTest::newRow("half of them") << QList<int>{1, 3}
                                  << u"Not in this capture: ranks 1, 3 of 4. Sums are those of the others."_s;
}

void TestOperatorsPage::ranksThatAreNotInTheCapture() {
    QFETCH(QList<int>, removed);
    QFETCH(QString, sentence);
    const Generated some{{"--ranks", "4", "--steps", "2", "--layers", "1"}};
    for (const int rank : removed) QVERIFY(QDir(some.path() + u"/rank%1_ascend_pt"_s.arg(rank)).removeRecursively());
    OperatorsFixture fixture(some.path());
    QVERIFY2(fixture.page.gaps().contains(sentence), qPrintable(fixture.page.gaps()));
    QCOMPARE(fixture.page.shown()->index->selected().size(), static_cast<std::size_t>(4 - removed.size()));
    // Who chose a rank does not want to hear of the others.
    ContextFilter context;
    context.ranks = {2};
    fixture.selection.setContext(context);
    fixture.settle();
    QVERIFY2(!fixture.page.gaps().contains(u"Not in this capture"_s), qPrintable(fixture.page.gaps()));
    OperatorsFixture whole(m_capture.path());
    QVERIFY2(!whole.page.gaps().contains(u"Not in this capture"_s), qPrintable(whole.page.gaps()));
}

void TestOperatorsPage::halfOfTheRanksWithoutKernels() {
    const Generated some{{"--ranks", "4", "--steps", "2", "--layers", "1"}};
    for (const int rank : {0, 1})
        QVERIFY(
            QFile::remove(some.path() + u"/rank%1_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s.arg(rank)));
    OperatorsFixture fixture(some.path());
    const QString gaps = fixture.page.gaps();
    QVERIFY2(gaps.contains(u"No kernels: ranks 0, 1."_s) && gaps.contains(u"NPU"_s), qPrintable(gaps));
    QVERIFY2(!gaps.contains(u"Not in this capture"_s), qPrintable(gaps));
    QCOMPARE(fixture.page.shown()->index->selected().size(), 2U);
}

/// Cells of a CSV without the columns of metrics.
void TestOperatorsPage::metricsThatWereNotRecorded() {
    const Generated bare{{"--ranks", "1", "--steps", "2", "--layers", "1"}};
    OperatorsFixture whole(bare.path());
    QVERIFY2(!whole.page.gaps().contains(u"AI Core metrics"_s), qPrintable(whole.page.gaps()));
    QFile file(bare.path() + u"/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s);
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QList<QByteArray> lines = file.readAll().split('\n');
    const qsizetype plain = lines.front().split(',').indexOf("Output Formats") + 1;
    QVERIFY(plain > 0 && plain < lines.front().split(',').size());
    file.resize(0);
    for (const QByteArray& line : lines) {
        // Commas within quotes are no borders.
        qsizetype cells = 0, end = 0;
        bool isQuoted = false;
        for (; end < line.size(); ++end) {
            if (line[end] == '"') isQuoted = !isQuoted;
            if (line[end] == ',' && !isQuoted && ++cells == plain) break;
        }
        file.write(line.first(end) + '\n');
    }
    file.close();
    OperatorsFixture fixture(bare.path());
    QVERIFY2(fixture.page.gaps().contains(u"No AI Core metrics of kernels: aic_metrics (PipeUtilization)"_s),
             qPrintable(fixture.page.gaps()));
    QVERIFY(fixture.rows() > 0);
}

void TestOperatorsPage::ranksWithDifferentKernels() {
    OperatorsFixture equal(m_capture.path());
    QVERIFY2(equal.page.gaps().isEmpty(), qPrintable(equal.page.gaps()));
    const Generated shorter{{"--ranks", "2", "--steps", "2", "--layers", "1"}};
    QFile file(shorter.path() + u"/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArrayList lines = file.readAll().split('\n');
    lines.erase(lines.end() - 40, lines.end() - 1);
    QVERIFY(file.resize(0));
    file.write(lines.join('\n'));
    file.close();
    OperatorsFixture fixture(shorter.path());
    QVERIFY2(fixture.page.gaps().contains(u"Kernel counts differ"_s), qPrintable(fixture.page.gaps()));
}

void TestOperatorsPage::kernelsWithoutTypesOpenByOperator() {
    const Generated untyped{{"--ranks", "1", "--steps", "2", "--layers", "1"}};
    QFile file(untyped.path() + u"/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArrayList lines = file.readAll().split('\n');
    const auto type = lines[0].split(',').indexOf("Type"), core = lines[0].split(',').indexOf("Accelerator Core");
    for (qsizetype i = 1; i < lines.size(); ++i) {
        QByteArrayList cells = lines[i].split(',');
        if (cells.size() > std::max(type, core)) cells[type] = cells[core] = "N/A";
        lines[i] = cells.join(',');
    }
    QVERIFY(file.resize(0));
    file.seek(0);
    file.write(lines.join('\n'));
    file.close();

    OperatorsFixture fixture(untyped.path());
    QCOMPARE(fixture.page.shown()->groups->grouping, KernelGrouping::Name);
    QVERIFY(fixture.rows() > 3);
    QVERIFY2(fixture.page.gaps().startsWith(u"No types and cores of kernels"_s), qPrintable(fixture.page.gaps()));
    QVERIFY2(!fixture.page.gaps().contains(u"group by operator"_s), qPrintable(fixture.page.gaps()));
    // Asked for it is shown, and nothing of this is remembered.
    fixture.group(KernelGrouping::Type);
    QCOMPARE(fixture.rows(), std::size_t(1));
    QVERIFY2(fixture.page.gaps().contains(u"group by operator"_s), qPrintable(fixture.page.gaps()));
    fixture.open(m_capture.path());
    QCOMPARE(fixture.page.shown()->groups->grouping, KernelGrouping::Type);
    QVERIFY(!fixture.kept.contains(u"operators/grouping"_s));
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

void TestOperatorsPage::closedCaptureLeavesThePage() {
    OperatorsFixture fixture(m_capture.path());
    const std::weak_ptr<const CaptureStore> store = fixture.session.capture(fixture.id)->store;
    fixture.page.hide();
    fixture.session.close(fixture.id);
    QVERIFY(fixture.page.shown() == nullptr);
    QVERIFY(QTest::qWaitFor([&] { return store.expired(); }, 5'000));
}

void TestOperatorsPage::kernelsOfAnotherScopeThatCameOutOfSightAreNotShort() {
    OperatorsFixture fixture(m_capture.path());
    const auto all = fixture.page.shown();
    ContextFilter context;
    context.ranks = {1};
    fixture.selection.setContext(context);
    fixture.settle();
    const auto ofRank = fixture.page.shown();
    QCOMPARE(ofRank->groups->all.count * 2, all->groups->all.count);
    KernelList list(fixture.session, fixture.memory);
    CallSitePanel sites(fixture.session, fixture.memory);
    for (QWidget* panel : {static_cast<QWidget*>(&list), static_cast<QWidget*>(&sites)}) panel->show();
    // No answer is taken before events are: all come out of sight.
    list.setGroup(ofRank, std::nullopt);
    sites.setGroup(ofRank, std::nullopt);
    for (QWidget* panel : {static_cast<QWidget*>(&list), static_cast<QWidget*>(&sites)}) panel->hide();
    list.setGroup(all, std::nullopt);
    sites.setGroup(all, std::nullopt);
    QVERIFY(QTest::qWaitFor([&] { return fixture.jobs.idle(); }, 10'000));
    QVERIFY(list.rows() == nullptr);
    QVERIFY(!sites.sites());
    for (QWidget* panel : {static_cast<QWidget*>(&list), static_cast<QWidget*>(&sites)}) panel->show();
    QVERIFY(QTest::qWaitFor([&] { return list.idle() && sites.idle() && fixture.jobs.idle(); }, 10'000));
    QCOMPARE(list.rows()->rowCount(), all->groups->all.count);
    QCOMPARE(sites.sites()->kernels, all->groups->all.count);
}

void TestOperatorsPage::slicesOfAnotherStoreAreLeft() {
    const Generated small{{"--ranks", "1", "--steps", "1", "--layers", "1"}};
    OperatorsFixture fixture(m_capture.path()), other(small.path());
    KernelList list(fixture.session, fixture.memory);
    CallSitePanel sites(fixture.session, fixture.memory);
    QSignalSpy ofList(&list, &KernelList::sliceRequested), ofSites(&sites, &CallSitePanel::sliceRequested);
    for (QWidget* panel : {static_cast<QWidget*>(&list), static_cast<QWidget*>(&sites)}) panel->show();
    list.setGroup(fixture.page.shown(), std::nullopt);
    sites.setGroup(fixture.page.shown(), std::nullopt);
    const auto settle = [&] {
        return QTest::qWaitFor([&] { return list.idle() && sites.idle() && fixture.jobs.idle(); }, 10'000);
    };
    QVERIFY(settle());
    list.table().table().setCurrent(list.rows()->rowCount() - 1, 0);
    QVERIFY(settle());
    QVERIFY(!list.origin().isEmpty() && !sites.sites()->sites.empty());
    for (QWidget* panel : {static_cast<QWidget*>(&list), static_cast<QWidget*>(&sites)}) panel->hide();
    list.setGroup(other.page.shown(), std::nullopt);
    sites.setGroup(other.page.shown(), std::nullopt);
    QVERIFY(list.rows() == nullptr && !sites.sites());
    QCOMPARE(list.origin(), QString());
    emit list.table().table().activated(0);
    emit sites.table().table().activated(0);
    QCOMPARE(ofList.size() + ofSites.size(), 0);
}

void TestOperatorsPage::aMenuThatIsOpenWhileTheCaptureIsReadAgainLeadsNowhere() {
    OperatorsFixture fixture(m_capture.path());
    KernelList& kernels = fixture.page.kernels();
    fixture.page.tabs().setCurrentWidget(&kernels);
    fixture.settle();
    DataTable& table = kernels.table().table();
    table.setCurrent(0, 0);
    fixture.settle();
    QSignalSpy dispatches(&kernels, &KernelList::dispatchRequested), slices(&kernels, &KernelList::sliceRequested);
    const auto before = fixture.page.shown();
    int taken = 0;
    QTimer::singleShot(0, &table, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        fixture.session.reload(fixture.id);
        QVERIFY(QTest::qWaitFor([&] {
            return fixture.page.shown() != nullptr && fixture.page.shown() != before && fixture.jobs.idle() &&
                   fixture.page.idle();
        }));
        for (QAction* action : menu->actions()) {
            if (action->text() != u"How it was &dispatched"_s && action->text() != u"Show in the &timeline"_s) continue;
            QVERIFY(action->isEnabled());
            action->trigger();
            ++taken;
        }
        menu->close();
    });
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, table.mapToGlobal(QPoint()));
    QApplication::sendEvent(&table, &event);
    QCOMPARE(taken, 2);
    QCOMPARE(dispatches.size() + slices.size(), 0);
    // Nor does the page believe what it is told: no such rank, no such slice.
    const auto last =
        static_cast<std::uint32_t>(fixture.session.capture(fixture.id)->store->ranks[0].trace->sliceCount());
    for (const SliceRef gone : {SliceRef{9, {0}}, SliceRef{0, {last}}}) {
        emit kernels.dispatchRequested(gone);
        fixture.settle();
        QCOMPARE(fixture.page.tabs().currentWidget(), static_cast<QWidget*>(&kernels));
    }
}

ALTI_TEST(TestOperatorsPage)
#include "tst_operators_page.moc"
