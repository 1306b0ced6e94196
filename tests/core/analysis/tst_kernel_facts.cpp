#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/facts/rank_facts.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace altiscope;
using altiscope::test::RowText;

namespace {

/// A kernel of the vector or the cube cores that begins where the one before ends, with shares of pipes.
struct Kernel {
    std::string type;
    std::string core = "AI_VECTOR_CORE";
    std::int64_t duration = 20'000, blocks = 40, step = 1;
    std::vector<double> pipes = {};  ///< By kPipes; empty: not recorded.
    std::string shapes = "8,8";
    std::int64_t pause = 0;  ///< ns before it
};

const std::vector<std::string> kPipes = {"aic_mac_ratio", "aic_mte2_ratio", "aiv_vec_ratio", "aiv_mte2_ratio",
                                         "aiv_mte3_ratio"};

std::shared_ptr<const RowTables> tablesOf(const std::vector<Kernel>& kernels, bool withPipes) {
    constexpr auto K = RowKind::Kernel;
    RowTablesBuilder builder;
    std::vector<std::size_t> columns;
    for (const std::string& pipe : kPipes) {
        if (withPipes) columns.push_back(builder.extraColumn(K, pipe));
    }
    RowBatch batch = builder.batch(K);
    std::int64_t now = 1'000;
    for (const Kernel& kernel : kernels) {
        now += kernel.pause;
        batch.addRow();
        const auto text = [&](const char* column, const std::string& value) {
            batch.setText(rowColumn(K, column), value);
        };
        const auto integer = [&](const char* column, std::int64_t value) {
            batch.setInteger(rowColumn(K, column), value);
        };
        integer("step", kernel.step);
        text("kind", kernel.core == "HCCL" ? "communication" : "compute");
        text("name", kernel.type);
        text("type", kernel.type);
        text("accelerator_core", kernel.core);
        integer("stream", 2);
        integer("ts", now);
        integer("dur", kernel.duration);
        integer("block_num", kernel.blocks);
        text("input_shapes", kernel.shapes);
        for (std::size_t i = 0; i < std::min(columns.size(), kernel.pipes.size()); ++i)
            batch.setReal(columns[i], kernel.pipes[i]);
        now += kernel.duration;
    }
    builder.commit(batch);
    return builder.seal({}).value();
}

RankFacts factsOf(const std::vector<Kernel>& kernels, bool withPipes = true) {
    CaptureStore capture;
    capture.ranks.emplace_back();
    capture.ranks[0].rows = tablesOf(kernels, withPipes);
    const auto activity = readDeviceActivity(capture.ranks[0], {});
    return *readRankFacts(capture, {0}, activity, CaptureGroups(nullptr), {});
}

std::vector<Kernel> many(std::size_t count, const Kernel& kernel) { return std::vector<Kernel>(count, kernel); }

std::vector<Kernel> operator+(std::vector<Kernel> a, const std::vector<Kernel>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace

class TestKernelFacts : public QObject {
    Q_OBJECT
private slots:
    void coresAreThoseThatKernelsUseAgainAndAgain();
    void idleCores_data();
    void idleCores();
    void pipes_data();
    void pipes();
    void metricsThatDoNotTellAllPipesJudgeNothing();
    void sequencesShareNoKernel();
    void sequencesThatAreWorthIt_data();
    void sequencesThatAreWorthIt();
    void newShapes();
    void kernelsWhoseShapesChangeAreComparedByTheirSize();
};

void TestKernelFacts::coresAreThoseThatKernelsUseAgainAndAgain() {
    // One of 256 blocks works in rounds, and one of 50 is too seldom to tell a chip.
    const auto few = many(40, {"Add", "AI_VECTOR_CORE", 5'000, 8});
    const RankFacts facts =
        factsOf(few + many(3, {"Mul", "AI_VECTOR_CORE", 5'000, 40}) + many(3, {"Sort", "AI_VECTOR_CORE", 5'000, 256}) +
                many(2, {"Sub", "MIX_AIV", 5'000, 50}) + many(4, {"MatMul", "AI_CORE", 5'000, 20}));
    QCOMPARE(facts.vectorCores, std::int64_t{40});
    QCOMPARE(facts.cubeCores, std::int64_t{20});
    // Below a twentieth of the kernels.
    QCOMPARE(factsOf(few + few + many(3, {"Mul", "AI_VECTOR_CORE", 5'000, 40})).vectorCores, std::int64_t{8});
    QCOMPARE(factsOf(many(2, {"Mul", "AI_VECTOR_CORE", 5'000, 40})).vectorCores, std::int64_t{0});
}

void TestKernelFacts::idleCores_data() {
    QTest::addColumn<qint64>("blocks");
    QTest::addColumn<qint64>("duration");
    QTest::addColumn<qint64>("saved");
    QTest::addRow("half of the cores") << qint64{20} << qint64{20'000} << qint64{10'000};
    QTest::addRow("more than half") << qint64{21} << qint64{20'000} << qint64{0};
    QTest::addRow("one core") << qint64{1} << qint64{20'000} << qint64{19'500};
    QTest::addRow("short") << qint64{1} << qint64{19'999} << qint64{0};
    QTest::addRow("blocks that are not recorded") << qint64{0} << qint64{90'000} << qint64{0};
}

void TestKernelFacts::idleCores() {
    QFETCH(qint64, blocks);
    QFETCH(qint64, duration);
    QFETCH(qint64, saved);
    const RankFacts facts = factsOf(many(30, {"Add"}) + many(1, {"Cast", "MIX_AIV", duration, blocks}), false);
    QCOMPARE(facts.vectorCores, std::int64_t{40});
    QCOMPARE(qint64{facts.idleCores.saved.total}, saved);
    QCOMPARE(facts.idleCores.saved.count, std::uint64_t{saved > 0 ? 1U : 0U});
    QCOMPARE(facts.idleCores.byType.count("Cast"), std::size_t{saved > 0 ? 1U : 0U});
}

void TestKernelFacts::pipes_data() {
    QTest::addColumn<QString>("core");
    QTest::addColumn<QList<double>>("shares");
    QTest::addColumn<qint64>("cube");
    QTest::addColumn<qint64>("vector");
    const auto row = [](const char* name, const char* core, QList<double> shares, qint64 cube, qint64 vector) {
        QTest::addRow("%s", name) << core << shares << cube << vector;
    };
    // 20 us * (1 - 0.4 / 0.8), and * (1 - 0.35 / 0.7)
    row("a cube that waits", "AI_CORE", {0.4, 0.3, 0, 0, 0}, 10'000, 0);
    row("a cube that computes", "AI_CORE", {0.8, 0.3, 0, 0, 0}, 0, 0);
    row("a cube that hardly computes", "AI_CORE", {0.79, 0.3, 0, 0, 0}, 250, 0);
    row("a cube that reads", "AI_CORE", {0.4, 0.8, 0, 0, 0}, 0, 0);
    row("a mixed kernel whose vectors compute", "MIX_AIC", {0.4, 0.3, 0.9, 0, 0}, 0, 0);
    row("no matrices", "AI_CORE", {0, 0.3, 0, 0, 0}, 0, 0);
    row("vectors that wait", "AI_VECTOR_CORE", {0, 0, 0.1, 0.35, 0.2}, 0, 10'000);
    row("vectors that read", "MIX_AIV", {0, 0, 0.1, 0.7, 0.05}, 0, 0);
    row("vectors that hardly read", "MIX_AIV", {0, 0, 0.1, 0.693, 0.05}, 0, 200);
    row("vectors that do one thing after the other", "AI_VECTOR_CORE", {0, 0, 0.3, 0.35, 0.26}, 0, 0);
    row("not recorded", "AI_VECTOR_CORE", {}, 0, 0);
}

void TestKernelFacts::pipes() {
    QFETCH(QString, core);
    QFETCH(QList<double>, shares);
    QFETCH(qint64, cube);
    QFETCH(qint64, vector);
    const RankFacts facts =
        factsOf({{"A", core.toStdString(), 20'000, 40, 1, std::vector<double>(shares.begin(), shares.end())}});
    QCOMPARE(qint64{facts.idleCube.saved.total}, cube);
    QCOMPARE(qint64{facts.idleVector.saved.total}, vector);
}

void TestKernelFacts::metricsThatDoNotTellAllPipesJudgeNothing() {
    QCOMPARE(factsOf(many(3, {"A", "AI_CORE"}), false).idleCube.saved.count, std::uint64_t{0});
}

void TestKernelFacts::sequencesShareNoKernel() {
    // 25 kernels of two types that move data: runs of ten, ten and five, no kernel in two of them.
    std::vector<Kernel> kernels;
    for (int i = 0; i < 25; ++i)
        kernels.push_back({i % 2 == 0 ? "Mul" : "Add", "AI_VECTOR_CORE", 10'000, 40, 1, {0, 0, 0.1, 0.8, 0.4}});
    const RankFacts facts = factsOf(kernels);
    QCOMPARE(facts.sequences.size(), std::size_t{1});  // the five come once
    QCOMPARE(facts.sequences[0].types.size(), std::size_t{10});
    QCOMPARE(facts.sequences[0].types[1], std::string("Add"));
    QCOMPARE(facts.sequences[0].saved.count, std::uint64_t{2});
    QCOMPARE(facts.sequences[0].saved.total, std::int64_t{2 * 9 * 10'000});
    QCOMPARE(facts.sequences[0].time, std::int64_t{200'000});
}

void TestKernelFacts::sequencesThatAreWorthIt_data() {
    QTest::addColumn<double>("moving");
    QTest::addColumn<qint64>("pause");
    QTest::addColumn<QString>("between");
    QTest::addColumn<QString>("second");
    QTest::addColumn<bool>("found");
    const auto row = [](const char* name, double moving, qint64 pause, const char* between, const char* second,
                        bool found) {
        QTest::addRow("%s", name) << moving << pause << QString::fromUtf8(between) << QString::fromUtf8(second)
                                  << found;
    };
    row("they move data", 0.8, 0, "", "Add", true);
    row("they compute", 0.05, 0, "", "Add", false);
    row("they compute and wait for launches", 0.05, 61'000, "", "Add", true);
    row("they are launched in time", 0.05, 20'000, "", "Add", false);
    row("a matrix kernel between", 0.8, 0, "AI_CORE", "Add", false);
    row("a long pause between", 0.8, 1'000'000, "", "Add", false);
    row("lists of tensors", 0.8, 0, "", "ForeachAddList", false);
}

void TestKernelFacts::sequencesThatAreWorthIt() {
    QFETCH(double, moving);
    QFETCH(qint64, pause);
    QFETCH(QString, between);
    QFETCH(QString, second);
    QFETCH(bool, found);
    std::vector<Kernel> kernels;
    for (int i = 0; i < 6; ++i) {
        kernels.push_back({"Mul", "AI_VECTOR_CORE", 20'000, 40, 1, {0, 0, 0.1, moving, 0}});
        if (!between.isEmpty()) kernels.push_back({"MatMul", between.toStdString(), 20'000, 20, 1, {0.9, 0, 0, 0, 0}});
        kernels.push_back({second.toStdString(), "AI_VECTOR_CORE", 20'000, 40, 1, {0, 0, 0.1, moving, 0}, "8", pause});
        kernels.push_back({"MatMul", "AI_CORE", 20'000, 20, 1, {0.9, 0, 0, 0, 0}});
    }
    const RankFacts facts = factsOf(kernels);
    QCOMPARE(facts.sequences.size(), std::size_t{found ? 1U : 0U});
    if (found) QCOMPARE(facts.sequences[0].saved.total, std::int64_t{6 * 20'000});
}

void TestKernelFacts::newShapes() {
    std::vector<Kernel> kernels;
    for (std::int64_t step = 1; step <= 4; ++step) {
        kernels.push_back({"Mul", "AI_VECTOR_CORE", 20'000, 40, step, {}, step == 3 ? "9,9" : "8,8"});
        kernels.push_back({"Add", "AI_VECTOR_CORE", 20'000, 40, step, {}, std::to_string(step)});
        kernels.push_back({"hcom_allReduce", "HCCL", 20'000, 0, step, {}, std::to_string(step)});
    }
    const RankFacts facts = factsOf(kernels, false);
    QCOMPARE(facts.shapes.size(), std::size_t{4});
    const std::uint64_t expected[] = {2, 1, 2, 1};
    for (std::size_t step = 0; step < 4; ++step) {
        QCOMPARE(facts.shapes[step].kernels, std::uint64_t{2});
        QCOMPARE(facts.shapes[step].newShapes, expected[step]);
    }
}

/// Each step has shapes of its own: what moves more takes longer, and is not slow; what takes longer for as much is.
void TestKernelFacts::kernelsWhoseShapesChangeAreComparedByTheirSize() {
    std::vector<Kernel> kernels;
    for (std::int64_t step = 0; step < 12; ++step) {
        const bool isSlow = step >= 6 && step < 9;
        for (std::int64_t i = 0; i < 4; ++i) {
            const std::int64_t rows = 1'000 + 17 * step + 5 * i;
            Kernel kernel{"Add", "AI_VECTOR_CORE", rows * 20, 40, step};
            if (isSlow) kernel.duration = kernel.duration * 5 / 4;
            kernel.shapes = std::to_string(rows) + ",8;" + std::to_string(rows) + ",8";
            kernels.push_back(kernel);
        }
    }
    const RankFacts facts = factsOf(kernels);
    QCOMPARE(facts.paces.size(), std::size_t{1});
    QCOMPARE(facts.paces[0].time.size(), std::size_t{12});
    for (std::size_t step = 0; step < 12; ++step) {
        const double slowdown = facts.paces[0].time[step] / facts.paces[0].usual[step];
        const double wanted = step >= 6 && step < 9 ? 1.25 : 1.0;
        QVERIFY2(std::abs(slowdown - wanted) < 0.01, std::to_string(slowdown).c_str());
    }
}

ALTI_TEST(TestKernelFacts)
#include "tst_kernel_facts.moc"
