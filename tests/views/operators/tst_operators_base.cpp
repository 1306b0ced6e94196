#include "core/base/threads/parallel.h"
#include "core/compare/comparison.h"
#include "tests/views/operators/operators_stage.h"
#include "views/common/support/formatters.h"
#include "views/operators/kernel_list.h"

#include <QHeaderView>

#include <cmath>
#include <map>
#include <set>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// The operators page beside a base: means per step that can be summed up by hand, and the differences that compare
/// finds.
class TestOperatorsBase : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_base.made && m_capture.made); }
    void columnsAreThereWithABaseOnly();
    void valuesAreMeansPerStep_data();
    void valuesAreMeansPerStep();
    void differencesAreThoseOfCompare();
    void whatOnlyTheBaseHasIsARow();
    void anotherRankAndStepOfTheSameCapture();

private:
    static std::map<QString, double> meansByHand(const CaptureStore& store, std::optional<std::int64_t> rank,
                                                 std::optional<std::int64_t> step);

    Generated m_base{{"--ranks", "2", "--steps", "3", "--layers", "2", "--seed", "3"}};
    Generated m_capture{{"--ranks", "2", "--steps", "2", "--layers", "2", "--seed", "4", "--plant", "ai-cpu=Cumsum"}};
};

/// Type and core: time of a step, the mean over ranks and steps; without collectives.
std::map<QString, double> TestOperatorsBase::meansByHand(const CaptureStore& store, std::optional<std::int64_t> rank,
                                                         std::optional<std::int64_t> step) {
    std::map<QString, double> sums;
    std::set<std::int64_t> ranks, steps;
    for (const RankEntry& entry : store.ranks) {
        if (rank && entry.info.rankId != rank) continue;
        const RowTable& table = *entry.rows->find(RowKind::Kernel);
        const auto text = [&](const char* column, std::size_t row) {
            const auto id = table.text(rowColumn(RowKind::Kernel, column), row);
            return id ? QString::fromStdString(std::string(entry.rows->text(*id))) : QString();
        };
        for (std::size_t row = 0; row < table.size(); ++row) {
            const auto number = table.integer(fixedColumn(RowKind::Kernel, "step"), row);
            if (!number || (step && number != step)) continue;
            ranks.insert(*entry.info.rankId);
            steps.insert(*number);
            if (text("kind", row) == u"communication"_s) continue;
            sums[text("type", row) + u'/' + text("accelerator_core", row)] +=
                static_cast<double>(*table.integer(fixedColumn(RowKind::Kernel, "dur"), row));
        }
    }
    for (auto& [key, sum] : sums) sum /= static_cast<double>(ranks.size() * steps.size());
    return sums;
}

void TestOperatorsBase::columnsAreThereWithABaseOnly() {
    OperatorsFixture fixture(m_base.path());
    const auto isHidden = [&](GroupColumn column) {
        return fixture.page.statistics().table().isColumnHidden(static_cast<std::size_t>(column));
    };
    for (const GroupColumn column : kBaseColumns) QVERIFY(isHidden(column));
    const CaptureId base = fixture.id;
    fixture.open(m_capture.path());
    fixture.selection.setBase(BaseChoice{.capture = base, .ranks = {}, .steps = {}});
    fixture.settle();
    for (const GroupColumn column : kBaseColumns) QVERIFY(!isHidden(column));
    // They stood out of sight, right of the sums.
    const auto* header = fixture.page.statistics().table().findChild<QHeaderView*>();
    for (const GroupColumn column : kBaseColumns)
        QVERIFY(header->visualIndex(static_cast<int>(column)) <
                header->visualIndex(static_cast<int>(GroupColumn::Count)));
    // They were as wide as when they were hidden: nothing of titles and numbers could be read.
    for (const GroupColumn column : kBaseColumns)
        QVERIFY2(header->sectionSize(static_cast<int>(column)) > header->sectionSizeHint(static_cast<int>(column)),
                 qPrintable(QString::number(header->sectionSize(static_cast<int>(column)))));
    QVERIFY(fixture.page.shown()->base != nullptr);
    fixture.selection.undo();
    fixture.settle();
    for (const GroupColumn column : kBaseColumns) QVERIFY(isHidden(column));
    QVERIFY(fixture.page.shown()->base == nullptr);
}

void TestOperatorsBase::valuesAreMeansPerStep_data() {
    QTest::addColumn<KernelSplit>("split");
    QTest::addRow("one row a key") << KernelSplit::None;
    QTest::addRow("a row for each step") << KernelSplit::Step;
    QTest::addRow("a row for each rank") << KernelSplit::Rank;
}

void TestOperatorsBase::valuesAreMeansPerStep() {
    QFETCH(const KernelSplit, split);
    OperatorsFixture fixture(m_base.path());
    const CaptureId base = fixture.id;
    const auto baseStore = fixture.session.capture(base)->store;
    fixture.open(m_capture.path());
    const auto store = fixture.session.capture(fixture.id)->store;
    const auto baseMeans = meansByHand(*baseStore, {}, {});
    std::shared_ptr<const OperatorNumbers> numbers;
    WorkerArena arena(2);
    const Scope scope{.capture = fixture.id, .store = store, .context = {}, .marked = {}, .rank = {}, .origin = {}};
    Scope baseOf = scope;
    baseOf.capture = base;
    baseOf.store = baseStore;
    arena.run([&] {
        numbers = operatorNumbers({scope, {KernelGrouping::Type, split}, baseOf}, nullptr, [](const auto&) {}, {});
    });
    const KernelGroups& groups = *numbers->groups;
    QVERIFY(groups.groups.size() > 3);
    for (std::size_t i = 0; i < groups.groups.size(); ++i) {
        const KernelGroup& group = groups.groups[i];
        const KernelSignature& key = groups.keys[group.key];
        const QString name = toQString(groups.index->text(key.type)) + u'/' + toQString(groups.index->text(key.core));
        std::optional<std::int64_t> rank, step;
        if (split == KernelSplit::Step) step = group.step;
        if (split == KernelSplit::Rank) rank = groups.index->rank(group.part).info.rankId;
        if (split == KernelSplit::Step && !step) continue;
        const Change& change = numbers->base->changes.ofGroup[i];
        const double mean = meansByHand(*store, rank, step).at(name);
        QVERIFY2(std::abs(static_cast<double>(change.current) - mean) <= 1, qPrintable(name));
        const double before = baseMeans.contains(name) ? baseMeans.at(name) : 0;
        QVERIFY2(std::abs(static_cast<double>(change.base) - before) <= 1, qPrintable(name));
        QCOMPARE(change.change, change.current - change.base);
    }
}

void TestOperatorsBase::differencesAreThoseOfCompare() {
    OperatorsFixture fixture(m_base.path());
    const CaptureId base = fixture.id;
    const auto baseStore = fixture.session.capture(base)->store;
    fixture.open(m_capture.path());
    const auto store = fixture.session.capture(fixture.id)->store;
    fixture.group(KernelGrouping::NameAndShape);
    fixture.selection.setBase(BaseChoice{.capture = base, .ranks = {}, .steps = {}});
    fixture.settle();
    const QueryDatabase first(baseStore), second(store);
    std::optional<Result<Comparison>> compared;
    WorkerArena arena(2);
    arena.run([&] { compared = compareSides({baseStore, &first, {}, {}}, {store, &second, {}, {}}, {}); });
    QVERIFY(compared && compared->ok());
    std::map<QString, Change> expected;
    for (const Difference& difference : compared->value().differences)
        if (difference.dimension == Dimension::Kernel)
            expected[QString::fromStdString(difference.key)] = difference.change;
    std::size_t found = 0;
    for (std::size_t row = 0; row < fixture.rows(); ++row) {
        const QString key = fixture.cell(GroupColumn::Name, row) + u" | "_s + fixture.cell(GroupColumn::Type, row) +
                            u" | "_s + fixture.cell(GroupColumn::Shapes, row);
        const auto change = expected.find(key);
        if (change == expected.end()) continue;
        ++found;
        QVERIFY(std::abs(fixture.value(GroupColumn::Base, row) - change->second.base) <= 1);
        QVERIFY(std::abs(fixture.value(GroupColumn::PerStep, row) - change->second.current) <= 1);
        QVERIFY(std::abs(fixture.value(GroupColumn::Difference, row) - change->second.change) <= 2);
    }
    QCOMPARE(found, expected.size());
    QVERIFY(found > 10);
}

void TestOperatorsBase::whatOnlyTheBaseHasIsARow() {
    // Of the two the capture alone runs Cumsum: as the base it has it alone.
    OperatorsFixture fixture(m_capture.path());
    const CaptureId base = fixture.id;
    fixture.open(m_base.path());
    fixture.group(KernelGrouping::Type);
    fixture.selection.setBase(BaseChoice{.capture = base, .ranks = {}, .steps = {}});
    fixture.settle();
    const std::size_t groups = fixture.page.shown()->groups->groups.size();
    std::optional<std::size_t> gone;
    for (std::size_t row = 0; row < fixture.rows(); ++row)
        if (fixture.cell(GroupColumn::Type, row) == u"Cumsum"_s) gone = row;
    QVERIFY(gone && *gone >= groups);
    QCOMPARE(fixture.value(GroupColumn::Count, *gone), kAbsentCell);
    QCOMPARE(fixture.value(GroupColumn::PerStep, *gone), 0);
    QVERIFY(fixture.value(GroupColumn::Base, *gone) > 0);
    QCOMPARE(fixture.value(GroupColumn::Difference, *gone), -fixture.value(GroupColumn::Base, *gone));
    // No kernel is in it: the list has all of them, as without a choice.
    const auto listed = [&] { return fixture.page.kernels().table().table().loader().rows()->count; };
    const std::size_t all = listed();
    fixture.page.chooseGroup(0);
    fixture.settle();
    QVERIFY(listed() > 0 && listed() < all);
    fixture.page.chooseGroup(*gone);
    fixture.settle();
    QCOMPARE(listed(), all);
    fixture.page.statistics().filterBar().setText(u"difference < 0ns"_s);
    fixture.settle();
    QVERIFY(fixture.rows() >= 1);
}

void TestOperatorsBase::anotherRankAndStepOfTheSameCapture() {
    OperatorsFixture fixture(m_base.path());
    fixture.group(KernelGrouping::Type);
    const auto store = fixture.session.capture(fixture.id)->store;
    const std::int64_t step = store->ranks[0].steps.front().number;
    ContextFilter context;
    context.ranks = {0};
    fixture.selection.setContext(context);
    fixture.selection.setBase(BaseChoice{.capture = fixture.id, .ranks = {1}, .steps = {step}});
    fixture.settle();
    const auto now = meansByHand(*store, 0, {}), before = meansByHand(*store, 1, step);
    for (std::size_t row = 0; row < fixture.rows(); ++row) {
        const QString name = fixture.cell(GroupColumn::Type, row) + u'/' + fixture.cell(GroupColumn::Core, row);
        QVERIFY(std::abs(static_cast<double>(fixture.value(GroupColumn::PerStep, row)) - now.at(name)) <= 1);
        QVERIFY(std::abs(static_cast<double>(fixture.value(GroupColumn::Base, row)) - before.at(name)) <= 1);
    }
    // All of what is shown is no base of itself.
    fixture.selection.setBase(BaseChoice{.capture = fixture.id, .ranks = {}, .steps = {}});
    fixture.settle();
    QVERIFY(fixture.page.shown()->base == nullptr);
}

ALTI_TEST(TestOperatorsBase)
#include "tst_operators_base.moc"
