#include "core/analysis/kernels/kernel_groups.h"
#include "core/base/threads/parallel.h"
#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace altiscope;

namespace {

using Cell = std::optional<std::int64_t>;

struct KernelRow {
    std::string name, type, core, shapes;
    bool isCollective = false;
    Cell step{}, length{}, wait{};
};

constexpr RowKind kRows = RowKind::Kernel;

void addRank(CaptureStore& capture, const std::vector<KernelRow>& kernels) {
    RowTablesBuilder builder;
    RowBatch batch = builder.batch(kRows);
    const auto setText = [&](const char* column, const std::string& text) {
        if (!text.empty()) batch.setText(rowColumn(kRows, column), text);
    };
    const auto setInteger = [&](const char* column, Cell value) {
        if (value) batch.setInteger(rowColumn(kRows, column), *value);
    };
    for (const KernelRow& kernel : kernels) {
        batch.addRow();
        setText("kind", kernel.isCollective ? "communication" : "compute");
        setText("name", kernel.name);
        setText("type", kernel.type);
        setText("accelerator_core", kernel.core);
        setText("input_shapes", kernel.shapes);
        setInteger("step", kernel.step);
        setInteger("dur", kernel.length);
        setInteger("wait", kernel.wait);
    }
    builder.commit(batch);
    RankEntry& rank = capture.ranks.emplace_back();
    rank.info.rankId = static_cast<std::int64_t>(capture.ranks.size()) - 1;
    rank.rows = builder.seal({}).value();
}

/// Not the same names on all ranks, holes everywhere.
std::vector<KernelRow> randomKernels(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<KernelRow> rows;
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = random() % 9 + seed;
        KernelRow row{.name = "op" + std::to_string(number),
                      .type = "Type" + std::to_string(number / 3),
                      .core = number % 2 == 0 ? "AI_CORE" : "MIX_AIV",
                      .shapes = "[" + std::to_string(random() % 4) + "]"};
        row.isCollective = random() % 10 == 0;
        if (row.isCollective)
            row = {.name = "hcom_allReduce__" + std::to_string(random() % 5),
                   .type = random() % 2 == 0 ? "hcom_allReduce_" : "",
                   .core = "HCCL",
                   .shapes = "",
                   .isCollective = true};
        if (random() % 8 == 0) row.type.clear();
        if (random() % 20 != 0) row.step = static_cast<std::int64_t>(random() % 4 + 5);
        if (random() % 50 != 0)
            row.length = static_cast<std::int64_t>(random() % 1000) + (random() % 100 == 0 ? 3'000'000'000 : 0);
        if (random() % 5 != 0) row.wait = static_cast<std::int64_t>(random() % 300);
        rows.push_back(row);
    }
    return rows;
}

std::vector<FilteredKernels> everyKernel(const CaptureStore& capture) {
    std::vector<FilteredKernels> selected;
    for (RankIndex rank; rank.value < capture.ranks.size(); ++rank.value) {
        FilteredKernels& kernels = selected.emplace_back();
        kernels.rank = rank;
        kernels.rows = FilteredRows::all(capture.ranks[rank.value].rows->find(kRows)->size());
    }
    return selected;
}

std::vector<std::string> keyOf(const KernelRow& row, KernelGrouping grouping) {
    std::string type = row.type;
    if (row.isCollective && type.empty()) type = row.name.substr(0, row.name.find("__") + 1);
    switch (grouping) {
    case KernelGrouping::Name: return {row.name, type, row.core, ""};
    case KernelGrouping::Type: return {"", type, row.core, ""};
    case KernelGrouping::NameAndShape: return {row.name, type, row.core, row.shapes};
    case KernelGrouping::Core: return {"", "", row.core, ""};
    case KernelGrouping::CollectiveName: return {row.name, type, "", ""};
    case KernelGrouping::CollectiveType: return {"", type, "", ""};
    }
    return {};
}

using FullKey = std::pair<std::vector<std::string>, Cell>;

FullKey keyOf(const KernelGroups& groups, const KernelGroup& group) {
    const KernelSignature& key = groups.keys[group.key];
    const auto text = [&](std::uint32_t number) { return std::string(groups.index->text(number)); };
    Cell part;
    if (groups.split == KernelSplit::Step) part = group.step;
    if (groups.split == KernelSplit::Rank) part = groups.index->rank(group.part).info.rankId;
    return {{text(key.name), text(key.type), text(key.core), text(key.shapes)}, part};
}

constexpr KernelGrouping kAllGroupings[] = {KernelGrouping::Name,           KernelGrouping::Type,
                                            KernelGrouping::NameAndShape,   KernelGrouping::Core,
                                            KernelGrouping::CollectiveName, KernelGrouping::CollectiveType};

}  // namespace

/// Groups of kernels against a look at every row.
class TestKernelGroups : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void sumsOfEveryGrouping_data();
    void sumsOfEveryGrouping();
    void groupsOfOneTotalAreByName();
    void kernelsOfAGroup();
    void heldKernelsAlone();
    void durationsOfKeysByRank();
    void ranksWithUnequalCounts();
    void manySparseCells();
    void nothing();

private:
    std::vector<std::vector<KernelRow>> m_rows{randomKernels(40'000, 1), randomKernels(300, 2),
                                               randomKernels(140'000, 4)};
    std::shared_ptr<CaptureStore> m_capture;
    WorkerArena m_arena{2};
};

void TestKernelGroups::initTestCase() {
    m_arena.run([this] {
        m_capture = std::make_shared<CaptureStore>();
        for (const auto& rows : m_rows) addRank(*m_capture, rows);
    });
}

void TestKernelGroups::sumsOfEveryGrouping_data() {
    QTest::addColumn<int>("grouping");
    QTest::addColumn<int>("split");
    for (const KernelGrouping grouping : kAllGroupings) {
        for (const KernelSplit split : {KernelSplit::None, KernelSplit::Step, KernelSplit::Rank})
            QTest::addRow("grouping %d by %d", static_cast<int>(grouping), static_cast<int>(split))
                << static_cast<int>(grouping) << static_cast<int>(split);
    }
}

void TestKernelGroups::sumsOfEveryGrouping() {
    QFETCH(int, grouping);
    QFETCH(int, split);
    const auto by = static_cast<KernelGrouping>(grouping);
    struct Expected {
        std::vector<std::int64_t> lengths;
        std::int64_t wait = 0;
        std::uint64_t waits = 0;
    };
    std::map<FullKey, Expected> expected;
    std::int64_t all = 0;
    for (std::size_t rank = 0; rank < m_rows.size(); ++rank) {
        for (const KernelRow& row : m_rows[rank]) {
            if (row.isCollective != isOfCollectives(by) || !row.length) continue;
            Cell part;
            if (static_cast<KernelSplit>(split) == KernelSplit::Step) part = row.step;
            if (static_cast<KernelSplit>(split) == KernelSplit::Rank) part = static_cast<std::int64_t>(rank);
            Expected& of = expected[{keyOf(row, by), part}];
            of.lengths.push_back(*row.length);
            all += *row.length;
            if (!row.wait) continue;
            of.wait += *row.wait;
            ++of.waits;
        }
    }
    std::optional<KernelGroups> groups;
    m_arena.run([&] {
        const auto index = KernelIndex::make(m_capture, everyKernel(*m_capture), {});
        const auto sums = groupKernels(index, by, static_cast<KernelSplit>(split), {});
        groups = withPercentiles(*sums, {});
    });
    QVERIFY(groups.has_value());
    QCOMPARE(groups->all.total, all);
    QCOMPARE(groups->groups.size(), expected.size());
    std::set<FullKey> seen;
    std::int64_t before = std::numeric_limits<std::int64_t>::max();
    for (const KernelGroup& group : groups->groups) {
        const FullKey key = keyOf(*groups, group);
        QVERIFY(expected.contains(key) && seen.insert(key).second);
        Expected& of = expected[key];
        std::sort(of.lengths.begin(), of.lengths.end());
        std::int64_t total = 0;
        long double mean = 0, squares = 0;
        for (const std::int64_t length : of.lengths) total += length;
        mean = static_cast<long double>(total) / static_cast<long double>(of.lengths.size());
        for (const std::int64_t length : of.lengths)
            squares += (static_cast<long double>(length) - mean) * (static_cast<long double>(length) - mean);
        const auto nearest = [&](std::size_t percent) {
            return of.lengths[(of.lengths.size() * percent + 99) / 100 - 1];
        };
        QCOMPARE(group.time.count, of.lengths.size());
        QCOMPARE(group.time.total, total);
        QCOMPARE(group.time.min, of.lengths.front());
        QCOMPARE(group.time.max, of.lengths.back());
        QCOMPARE(group.median, nearest(50));
        QCOMPARE(group.p95, nearest(95));
        QCOMPARE(group.wait, of.wait);
        QCOMPARE(group.waits, of.waits);
        const double deviation = static_cast<double>(std::sqrt(squares / static_cast<long double>(of.lengths.size())));
        QVERIFY2(std::abs(group.deviation - deviation) <= 1e-6 * (1 + deviation),
                 qPrintable(QString::number(group.deviation) + u' ' + QString::number(deviation)));
        QVERIFY(group.time.total <= before);
        before = group.time.total;
    }
}

void TestKernelGroups::groupsOfOneTotalAreByName() {
    const auto capture = std::make_shared<CaptureStore>();
    std::vector<KernelRow> rows;
    for (const auto& [name, length] : {std::pair("b", 10), {"d", 4}, {"c", 20}, {"d", 6}, {"a", 10}})
        rows.push_back({.name = name, .type = "T", .core = "AI_CORE", .shapes = "", .length = length});
    addRank(*capture, rows);
    m_arena.run([&] {
        const auto groups = groupKernels(KernelIndex::make(capture, everyKernel(*capture), {}), KernelGrouping::Name,
                                         KernelSplit::None, {});
        std::string names;
        for (const KernelGroup& group : groups->groups) names += groups->index->text(groups->keys[group.key].name);
        QCOMPARE(names, std::string("cabd"));
    });
}

void TestKernelGroups::kernelsOfAGroup() {
    m_arena.run([&] {
        const auto index = KernelIndex::make(m_capture, everyKernel(*m_capture), {});
        const auto groups = groupKernels(index, KernelGrouping::NameAndShape, KernelSplit::Step, {});
        std::size_t sum = 0;
        for (std::size_t g = 0; g < groups->groups.size(); g += 7) {
            const auto key = keyOf(*groups, groups->groups[g]);
            const auto kernels = kernelsOf(*groups, g, {});
            std::size_t count = 0;
            for (const FilteredKernels& selected : kernels) {
                for (std::size_t i = 0; i < selected.rows.size(); ++i) {
                    const std::uint32_t row = selected.rows[i];
                    QVERIFY(i == 0 || selected.rows[i - 1] < row);
                    const KernelRow& of = m_rows[selected.rank.value][row];
                    QVERIFY(keyOf(of, KernelGrouping::NameAndShape) == key.first && of.step == key.second && of.length);
                    ++count;
                }
            }
            QCOMPARE(count, groups->groups[g].time.count);
        }
        for (const FilteredKernels& selected : kernelsOf(*groups, std::nullopt, {})) sum += selected.rows.size();
        QCOMPARE(sum, groups->all.count);
    });
}

void TestKernelGroups::heldKernelsAlone() {
    m_arena.run([&] {
        std::vector<std::uint32_t> rows;
        std::int64_t total = 0;
        for (std::uint32_t row = 5; row < m_rows[2].size(); row += 3) {
            rows.push_back(row);
            if (!m_rows[2][row].isCollective) total += m_rows[2][row].length.value_or(0);
        }
        const auto groups = groupKernels(KernelIndex::make(m_capture, {{.rank = {2}, .rows = FilteredRows(rows)}}, {}),
                                         KernelGrouping::Core, KernelSplit::None, {});
        QCOMPARE(groups->all.total, total);
    });
}

void TestKernelGroups::durationsOfKeysByRank() {
    m_arena.run([&] {
        const auto index = KernelIndex::make(m_capture, everyKernel(*m_capture), {});
        const auto groups = groupKernels(index, KernelGrouping::Type, KernelSplit::Step, {});
        // Every second key, the last one first.
        std::vector<std::uint32_t> keys;
        for (std::uint32_t key = 0; key < groups->keys.size(); key += 2) keys.insert(keys.begin(), key);
        const auto durations = durationsOfKeys(*groups, keys, {});
        QCOMPARE(durations.size(), keys.size());
        for (std::size_t place = 0; place < keys.size(); ++place) {
            std::vector<std::vector<std::int64_t>> expected(m_rows.size());
            const KernelGroup& of = *std::find_if(groups->groups.begin(), groups->groups.end(),
                                                  [&](const KernelGroup& group) { return group.key == keys[place]; });
            const auto texts = keyOf(*groups, of).first;
            for (std::size_t rank = 0; rank < m_rows.size(); ++rank) {
                for (const KernelRow& row : m_rows[rank]) {
                    if (!row.isCollective && row.length && keyOf(row, KernelGrouping::Type) == texts)
                        expected[rank].push_back(*row.length);
                }
            }
            QVERIFY(durations[place] == expected);
        }
    });
}

void TestKernelGroups::ranksWithUnequalCounts() {
    m_arena.run([&] {
        const auto capture = std::make_shared<CaptureStore>();
        const KernelRow add{.name = "Add", .type = "Add", .core = "AI_CORE", .shapes = "", .length = 5},
            mul{.name = "Mul", .type = "Mul", .core = "AI_CORE", .shapes = "", .length = 5};
        addRank(*capture, {add, mul, mul});
        addRank(*capture, {add, mul, mul, mul});
        const auto unequal = unequalCounts(*groupKernels(KernelIndex::make(capture, everyKernel(*capture), {}),
                                                         KernelGrouping::Name, KernelSplit::None, {}),
                                           {});
        QVERIFY(unequal.has_value());
        QCOMPARE(unequal->keys, 1U);
        QCOMPARE(unequal->min, 3U);
        QCOMPARE(unequal->max, 4U);
        QCOMPARE(unequal->maxPart, 1U);
        QVERIFY(!unequalCounts(*groupKernels(KernelIndex::make(capture, {everyKernel(*capture)[0]}, {}),
                                             KernelGrouping::Name, KernelSplit::None, {}),
                               {}));
    });
}

void TestKernelGroups::manySparseCells() {
    m_arena.run([&] {
        std::vector<KernelRow> rows;
        for (std::int64_t i = 0; i < 3000; ++i)
            rows.push_back({.name = "op" + std::to_string(i),
                            .type = "",
                            .core = "",
                            .shapes = "",
                            .step = i % 1500,
                            .length = i});
        const auto capture = std::make_shared<CaptureStore>();
        addRank(*capture, rows);
        const auto groups = groupKernels(KernelIndex::make(capture, everyKernel(*capture), {}), KernelGrouping::Name,
                                         KernelSplit::Step, {});
        QVERIFY(!groups->sparse.empty());
        QCOMPARE(groups->groups.size(), 3000U);
        QCOMPARE(groups->groups.front().time.total, 2999);
        QCOMPARE(*groups->groups.front().step, 1499);
        const auto with = withPercentiles(*groups, {});
        QCOMPARE(with->groups.front().p95, 2999);
        const FilteredKernels only = kernelsOf(*with, 0, {}).front();
        QCOMPARE(only.rows.size(), std::size_t{1});
        QCOMPARE(only.rows[0], 2999U);
    });
}

void TestKernelGroups::nothing() {
    m_arena.run([&] {
        const auto groups =
            groupKernels(KernelIndex::make(m_capture, {}, {}), KernelGrouping::Type, KernelSplit::Rank, {});
        QVERIFY(groups && groups->groups.empty() && withPercentiles(*groups, {})->groups.empty() &&
                kernelsOf(*groups, std::nullopt, {}).empty());
        CancelToken cancelled;
        cancelled.requestCancel();
        QVERIFY(!KernelIndex::make(m_capture, everyKernel(*m_capture), cancelled));
        QVERIFY(!groupKernels(KernelIndex::make(m_capture, everyKernel(*m_capture), {}), KernelGrouping::Type,
                              KernelSplit::None, cancelled));
    });
}

ALTI_TEST(TestKernelGroups)
#include "tst_kernel_groups.moc"
