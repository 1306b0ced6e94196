#include "core/analysis/communication/parallel_groups.h"
#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace altiscope;

namespace {

using Ranks = std::vector<std::int64_t>;

struct StatedGroup {
    const char* type;
    const char* ranks;
};

/// Groups are called by their number.
CaptureStore captureOf(const Ranks& numbers, const std::vector<StatedGroup>& groups,
                       const std::vector<std::pair<std::string, std::string>>& metadata = {}) {
    CaptureStore capture;
    for (const std::int64_t number : numbers) {
        RankInfo& info = capture.ranks.emplace_back().info;
        info.rankId = number;
        info.metadata = metadata;
    }
    if (groups.empty()) return capture;
    RowTablesBuilder builder;
    RowBatch batch = builder.batch(RowKind::CommGroup);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        batch.addRow();
        batch.setText(fixedColumn(RowKind::CommGroup, "group_name"), std::to_string(i));
        batch.setText(fixedColumn(RowKind::CommGroup, "hash"), std::to_string(i));
        batch.setText(fixedColumn(RowKind::CommGroup, "parallel_type"), groups[i].type);
        batch.setText(fixedColumn(RowKind::CommGroup, "ranks"), groups[i].ranks);
    }
    builder.commit(batch);
    capture.rows = builder.seal({}).value();
    return capture;
}

std::vector<std::pair<std::string, std::string>> sizesOf(int tp, int cp, int dp, int pp, int ep, int world) {
    const std::string prefix = "distributed_args.";
    return {{prefix + "tensor_model_parallel_size", std::to_string(tp)},
            {prefix + "pipeline_model_parallel_size", std::to_string(pp)},
            {prefix + "data_parallel_size", std::to_string(dp)},
            {prefix + "context_parallel_size", std::to_string(cp)},
            {prefix + "expert_model_parallel_size", std::to_string(ep)},
            {prefix + "world_size", std::to_string(world)}};
}

ParallelLayout layoutOf(const CaptureStore& capture) { return recordedLayout(capture, CaptureGroups(capture)); }

/// "tp 0,1 recorded; ..."
QString textOf(const ParallelLayout& layout) {
    std::string text;
    for (const ParallelGroup& group : layout.groups) {
        text += std::string(parallelismName(group.kind)) + std::to_string(group.index);
        for (const std::int64_t rank : group.ranks) text += " " + std::to_string(rank);
        text += " " + std::string(parallelSourceName(group.source)) + "\n";
    }
    return QString::fromStdString(text);
}

}  // namespace

/// Which ranks divide the work of a job.
class TestParallelGroups : public QObject {
    Q_OBJECT
private slots:
    void ordersAreThoseOfTheFrameworks_data();
    void ordersAreThoseOfTheFrameworks();
    void expertsOfEachOrder_data();
    void expertsOfEachOrder();
    void groupsAreAllRanksOnce();
    void refusesSizes_data();
    void refusesSizes();

    void groupsOfFilesAlone();
    void aGridOfGroups();
    void sizesFillWhatIsAbsent();
    void sizesThatContradictGroupsLabelNothing();
    void anotherOrderOfMegatron();
    void expertsThatFitNoOrder();
    void contextAndDataTogether();
    void severalRecordings();
    void indicesOfAClusterAnalysis();
    void stagesThatRanksState();
    void fourThousandRanks();
};

void TestParallelGroups::ordersAreThoseOfTheFrameworks_data() {
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("loops");
    // The outermost loop first.
    QTest::newRow("Megatron") << "megatron"
                              << "pp dp cp tp";
    QTest::newRow("Megatron, stages inside") << "megatron-pp-dp"
                                             << "dp pp cp tp";
    QTest::newRow("MindSpeed") << "mindspeed"
                               << "pp dp cp tp";
    QTest::newRow("MindIE") << "mindie"
                            << "pp dp tp";
    QTest::newRow("vLLM") << "vllm"
                          << "dp pp tp";
}

void TestParallelGroups::ordersAreThoseOfTheFrameworks() {
    QFETCH(QString, order);
    QFETCH(QString, loops);
    const std::map<QString, Parallelism> kinds{{QStringLiteral("tp"), Parallelism::Tensor},
                                               {QStringLiteral("cp"), Parallelism::Context},
                                               {QStringLiteral("pp"), Parallelism::Pipeline},
                                               {QStringLiteral("dp"), Parallelism::Data}};
    const QStringList names = loops.split(QLatin1Char(' '));
    ParallelSizes sizes{.dp = 6, .pp = 3, .tp = 4, .cp = 1, .ep = 1, .order = *rankOrderOf(order.toStdString())};
    if (names.contains(QStringLiteral("cp"))) sizes.cp = 2;
    QCOMPARE(rankOrderName(sizes.order), order.toStdString());
    QVERIFY(!problemOf(sizes, sizes.ranks()));
    // Places of the loops, counted up like the digits of a number.
    std::vector<int> counter(static_cast<std::size_t>(names.size()), 0);
    for (std::int64_t rank = 0; rank < sizes.ranks(); ++rank) {
        const ParallelPlace place = placeOf(sizes, rank);
        for (int i = 0; i < names.size(); ++i)
            QCOMPARE(place[static_cast<std::size_t>(kinds.at(names[i]))], counter[static_cast<std::size_t>(i)]);
        QCOMPARE(rankAt(sizes, place), rank);
        for (int i = static_cast<int>(names.size()) - 1; i >= 0; --i) {
            if (++counter[static_cast<std::size_t>(i)] < sizes.of(kinds.at(names[i]))) break;
            counter[static_cast<std::size_t>(i)] = 0;
        }
    }
    QVERIFY(!rankOrderOf("colossal"));
}

void TestParallelGroups::expertsOfEachOrder_data() {
    QTest::addColumn<QString>("order");
    QTest::addColumn<int>("cp");
    QTest::addColumn<QString>("groups");
    // By eye, of tp=2, dp=4, pp=1 and ep=4.
    QTest::newRow("Megatron") << "megatron" << 1 << "0 2 4 6/1 3 5 7";
    // dp ranks of one cp are 4 apart there.
    QTest::newRow("Megatron, context") << "megatron" << 2 << "0 4 8 12/1 5 9 13/2 6 10 14/3 7 11 15";
    QTest::newRow("MindSpeed, context") << "mindspeed" << 2 << "0 2 4 6/1 3 5 7/8 10 12 14/9 11 13 15";
    QTest::newRow("MindIE") << "mindie" << 1 << "0 2 4 6/1 3 5 7";
    QTest::newRow("vLLM") << "vllm" << 1 << "0 1 2 3/4 5 6 7";
}

void TestParallelGroups::expertsOfEachOrder() {
    QFETCH(QString, order);
    QFETCH(int, cp);
    QFETCH(QString, groups);
    const ParallelLayout layout =
        typedLayout({.dp = 4, .pp = 1, .tp = 2, .cp = cp, .ep = 4, .order = *rankOrderOf(order.toStdString())});
    QStringList found;
    for (const ParallelGroup& group : layout.groups) {
        if (group.kind != Parallelism::Expert) continue;
        QStringList ranks;
        for (const std::int64_t rank : group.ranks) ranks << QString::number(rank);
        found << ranks.join(QLatin1Char(' '));
        for (std::size_t i = 0; i < group.ranks.size(); ++i)
            QCOMPARE(layout.places[static_cast<std::size_t>(group.ranks[i])][4], static_cast<int>(i));
    }
    QCOMPARE(found.join(QLatin1Char('/')), groups);
}

/// Of any sizes: each kind is a partition of the ranks, members differ in its place alone, and share all others.
void TestParallelGroups::groupsAreAllRanksOnce() {
    for (const auto& [dp, pp, tp, cp, ep] :
         {std::array{8, 4, 2, 1, 4}, {4, 2, 4, 2, 2}, {3, 5, 1, 1, 3}, {6, 1, 8, 1, 6}}) {
        for (std::size_t o = 0; o < kRankOrders; ++o) {
            const ParallelSizes sizes{dp, pp, tp, cp, ep, static_cast<RankOrder>(o)};
            if (problemOf(sizes, 0)) continue;
            const ParallelLayout layout = typedLayout(sizes);
            std::array<std::size_t, kParallelisms> held{};
            for (const ParallelGroup& group : layout.groups) {
                QCOMPARE(group.source, ParallelSource::Typed);
                QVERIFY(std::is_sorted(group.ranks.begin(), group.ranks.end()));
                held[static_cast<std::size_t>(group.kind)] += group.ranks.size();
                for (std::size_t i = 0; i < group.ranks.size(); ++i) {
                    const std::size_t rank = *layout.find(group.ranks[i]);
                    QCOMPARE(layout.places[rank][static_cast<std::size_t>(group.kind)], static_cast<std::int32_t>(i));
                    QCOMPARE(&layout.groups[layout.groupOf[static_cast<std::size_t>(group.kind)][rank]], &group);
                    if (group.kind == Parallelism::Expert) continue;
                    ParallelPlace first = layout.places[*layout.find(group.ranks[0])];
                    first[static_cast<std::size_t>(group.kind)] = static_cast<std::int32_t>(i);
                    for (std::size_t kind = 0; kind < 4; ++kind) QCOMPARE(layout.places[rank][kind], first[kind]);
                }
            }
            for (std::size_t kind = 0; kind < kParallelisms; ++kind) {
                const bool isDivided = sizes.of(static_cast<Parallelism>(kind)) > 1;
                QCOMPARE(held[kind], isDivided ? static_cast<std::size_t>(sizes.ranks()) : 0);
            }
        }
    }
}

void TestParallelGroups::refusesSizes_data() {
    QTest::addColumn<QString>("order");
    QTest::addColumn<std::vector<int>>("sizes");  // dp, pp, tp, cp, ep, ranks
    QTest::addColumn<QString>("code");
    QTest::newRow("good") << "megatron" << std::vector<int>{2, 2, 2, 1, 2, 8} << "";
    QTest::newRow("none") << "megatron" << std::vector<int>{0, 2, 2, 1, 1, 8} << "parallel.size";
    QTest::newRow("negative") << "megatron" << std::vector<int>{2, 2, 2, 1, -1, 8} << "parallel.size";
    QTest::newRow("too large") << "megatron" << std::vector<int>{10'001, 1, 1, 1, 1, 8} << "parallel.size";
    QTest::newRow("fewer than there are") << "megatron" << std::vector<int>{2, 2, 1, 1, 1, 8} << "parallel.ranks";
    QTest::newRow("too many") << "megatron" << std::vector<int>{10'000, 10'000, 10'000, 10'000, 1, 8}
                              << "parallel.ranks";
    QTest::newRow("more than there are") << "megatron" << std::vector<int>{8, 1, 4, 1, 1, 8} << "";
    QTest::newRow("experts over dp") << "megatron" << std::vector<int>{2, 1, 2, 2, 4, 8} << "parallel.expert";
    QTest::newRow("experts over cp x dp") << "mindspeed" << std::vector<int>{2, 1, 2, 2, 4, 8} << "";
    QTest::newRow("no context") << "vllm" << std::vector<int>{2, 1, 2, 2, 1, 8} << "parallel.context";
    QTest::newRow("experts over tp x dp") << "mindie" << std::vector<int>{2, 2, 2, 1, 4, 8} << "";
}

void TestParallelGroups::refusesSizes() {
    QFETCH(QString, order);
    QFETCH(std::vector<int>, sizes);
    QFETCH(QString, code);
    const auto problem =
        problemOf({sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], *rankOrderOf(order.toStdString())}, sizes[5]);
    QCOMPARE(QString::fromStdString(problem ? problem->code : ""), code);
}

/// Without sizes nothing is said of what no group states.
void TestParallelGroups::groupsOfFilesAlone() {
    const ParallelLayout layout = layoutOf(
        captureOf({0}, {{"default_group", "[0,1,2,3,4,5,6,7]"}, {"tp", "[0,1]"}, {"cp", "[0]"}, {"pp", "[0,4]"}}));
    QCOMPARE(textOf(layout), QStringLiteral("tp0 0 1 recorded\npp0 0 4 recorded\n"));
    QVERIFY(!layout.sizes);
    QCOMPARE(layout.ranks, (Ranks{0, 1, 2, 3, 4, 5, 6, 7}));
    QCOMPARE(layout.places[0], (ParallelPlace{0, 0, 0, -1, -1}));
    QCOMPARE(layout.places[1], (ParallelPlace{1, -1, -1, -1, -1}));
    QCOMPARE(layout.places[4], (ParallelPlace{-1, -1, 1, -1, -1}));
    QCOMPARE(layout.groupOf[0][1], 0U);
    QCOMPARE(layout.groupOf[0][2], ParallelLayout::kNoGroup);
}

void TestParallelGroups::aGridOfGroups() {
    const ParallelLayout layout =
        layoutOf(captureOf({0, 1, 2, 3}, {{"tp", "[0,1]"}, {"tp", "[2,3]"}, {"dp", "[0,2]"}, {"dp", "[1,3]"}}));
    QCOMPARE(layout.sizes, (ParallelSizes{.dp = 2, .pp = 1, .tp = 2}));
    QCOMPARE(layout.source, ParallelSource::Recorded);
    QCOMPARE(layout.places[3], (ParallelPlace{1, 0, 0, 1, 0}));
    QCOMPARE(textOf(layout),
             QStringLiteral("tp0 0 1 recorded\ntp1 2 3 recorded\ndp0 0 2 recorded\ndp1 1 3 recorded\n"));
}

/// The shared sample of a cluster: the metadata of rank 0 alone.
void TestParallelGroups::sizesFillWhatIsAbsent() {
    const ParallelLayout layout = layoutOf(
        captureOf({0}, {{"tp", "[0,1]"}, {"pp", "[0,4]"}, {"dp", "[0,2]"}, {"cp", "[0]"}}, sizesOf(2, 1, 2, 2, 1, 8)));
    QCOMPARE(textOf(layout),
             QStringLiteral("tp0 0 1 recorded\ntp1 2 3 computed\ntp2 4 5 computed\ntp3 6 7 computed\n"
                            "pp0 0 4 recorded\npp1 1 5 computed\npp2 2 6 computed\npp3 3 7 computed\n"
                            "dp0 0 2 recorded\ndp1 1 3 computed\ndp2 4 6 computed\ndp3 5 7 computed\n"));
    QCOMPARE(layout.sizes, (ParallelSizes{.dp = 2, .pp = 2, .tp = 2}));
    QCOMPARE(layout.source, ParallelSource::Computed);
    QCOMPARE(layout.ranks.size(), 8U);
    QCOMPARE(layout.places[7], (ParallelPlace{1, 0, 1, 1, 0}));
}

void TestParallelGroups::sizesThatContradictGroupsLabelNothing() {
    const std::vector<StatedGroup> groups{{"tp", "[0,2]"}};
    QCOMPARE(textOf(layoutOf(captureOf({0, 1, 2, 3}, groups, sizesOf(2, 1, 2, 1, 1, 4)))),
             QStringLiteral("tp0 0 2 recorded\n"));
    // They are not those of the job: ranks without a group, and sizes that do not multiply to it.
    QVERIFY(layoutOf(captureOf({0, 1, 2, 9}, {}, sizesOf(2, 1, 2, 1, 1, 4))).groups.empty());
    QVERIFY(layoutOf(captureOf({0, 1, 2, 3}, {}, sizesOf(2, 1, 1, 1, 1, 4))).groups.empty());
    // Some that nobody can have.
    QVERIFY(layoutOf(captureOf({0}, {}, sizesOf(2'000'000'000, 2'000'000'000, 2'000'000'000, 1, 1, 4))).groups.empty());
    QVERIFY(layoutOf(captureOf({0}, {}, sizesOf(-2, -1, 2, 1, 1, 4))).groups.empty());
}

void TestParallelGroups::anotherOrderOfMegatron() {
    const ParallelLayout layout = layoutOf(captureOf({0}, {{"pp", "[0,2]"}}, sizesOf(2, 1, 2, 2, 1, 8)));
    QCOMPARE(layout.sizes->order, RankOrder::MegatronPipelineData);
    QCOMPARE(layout.places[4], (ParallelPlace{0, 0, 0, 1, 0}));
}

/// Experts over tp, as newer Megatron has them: the grid is known all the same.
void TestParallelGroups::expertsThatFitNoOrder() {
    const ParallelLayout layout = layoutOf(captureOf({0}, {{"exp", "[0,1,2,3]"}}, sizesOf(2, 1, 2, 1, 4, 4)));
    QCOMPARE(textOf(layout), QStringLiteral("tp0 0 1 computed\ntp1 2 3 computed\ndp0 0 2 computed\ndp1 1 3 computed\n"
                                            "ep0 0 1 2 3 recorded\n"));
    QCOMPARE(layout.sizes, (ParallelSizes{.dp = 2, .pp = 1, .tp = 2}));
    QCOMPARE(layout.places[3], (ParallelPlace{1, 0, 0, 1, 3}));
    const ParallelLayout unknown = layoutOf(captureOf({0}, {}, sizesOf(2, 1, 2, 1, 4, 4)));
    QCOMPARE(unknown.places[3], (ParallelPlace{1, 0, 0, 1, -1}));
}

void TestParallelGroups::contextAndDataTogether() {
    const std::vector<StatedGroup> groups{{"dp_cp", "[0,1]"}, {"pp", "[0,2]"}};
    QCOMPARE(textOf(layoutOf(captureOf({0, 1}, groups, sizesOf(1, 1, 2, 2, 1, 4)))),
             QStringLiteral("pp0 0 2 recorded\npp1 1 3 computed\ndp0 0 1 recorded\ndp1 2 3 computed\n"));
    QCOMPARE(textOf(layoutOf(captureOf({0, 1}, groups))), QStringLiteral("pp0 0 2 recorded\n"));
}

/// An actor and its rollout have ranks of the same numbers.
void TestParallelGroups::severalRecordings() {
    const ParallelLayout layout =
        layoutOf(captureOf({0, 1, 2, 3}, {{"tp", "[0,1]"}, {"tp", "[0,1,2,3]"}, {"tp", "[2,3]"}}));
    QCOMPARE(layout.groups.size(), 3U);
    for (const ParallelPlace& place : layout.places) QCOMPARE(place[0], kNoParallelPlace);
    for (const std::uint32_t group : layout.groupOf[0]) QCOMPARE(group, ParallelLayout::kNoGroup);
}

void TestParallelGroups::indicesOfAClusterAnalysis() {
    CaptureStore capture = captureOf({0, 1, 2, 3}, {});
    for (int r = 0; r < 4; ++r) {
        capture.ranks[static_cast<std::size_t>(r)].info.metadata = {
            {"dp_index", std::to_string(r % 2)}, {"pp_index", std::to_string(r / 2)}, {"tp_index", "0"}};
    }
    const ParallelLayout layout = layoutOf(capture);
    QCOMPARE(textOf(layout),
             QStringLiteral("pp0 0 2 recorded\npp1 1 3 recorded\ndp0 0 1 recorded\ndp1 2 3 recorded\n"));
    QCOMPARE(layout.places[3], (ParallelPlace{0, 0, 1, 1, 0}));
    // They are 0 everywhere where the analysis did not know them.
    for (RankEntry& rank : capture.ranks)
        rank.info.metadata = {{"dp_index", "0"}, {"pp_index", "0"}, {"tp_index", "0"}};
    QVERIFY(layoutOf(capture).groups.empty());
    QCOMPARE(layoutOf(capture).places[3], (ParallelPlace{-1, -1, -1, -1, -1}));
}

void TestParallelGroups::stagesThatRanksState() {
    CaptureStore capture = captureOf({4, 7}, {});
    capture.ranks[1].info.metadata = {{"pipeline_stage", "1"}};
    capture.ranks[0].info.metadata = {{"pipeline_stage", "0"}};
    const ParallelLayout layout = layoutOf(capture);
    QVERIFY(layout.groups.empty());
    QCOMPARE(layout.places[1], (ParallelPlace{-1, -1, 1, -1, -1}));
    capture.ranks[1].info.metadata = {{"pipeline_stage", "0"}};
    QCOMPARE(layoutOf(capture).places[1], (ParallelPlace{-1, -1, -1, -1, -1}));
}

void TestParallelGroups::fourThousandRanks() {
    const ParallelLayout layout = typedLayout({.dp = 32, .pp = 16, .tp = 8, .cp = 1, .ep = 8});
    QCOMPARE(layout.ranks.size(), 4096U);
    // 512 of tp, 256 of pp, 128 of dp, 512 of ep.
    QCOMPARE(layout.groups.size(), 512U + 256U + 128U + 512U);
    QCOMPARE(layout.groups[512].ranks[1], 256);
}

ALTI_TEST(TestParallelGroups)
#include "tst_parallel_groups.moc"
