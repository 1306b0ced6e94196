#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/facts/rank_facts.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <string>
#include <vector>

using namespace altiscope;
using altiscope::test::addKernelRows;
using altiscope::test::addRow;
using altiscope::test::rankTrace;

namespace {

RankFacts factsOf(RankEntry rank) {
    CaptureStore capture;
    capture.ranks.push_back(std::move(rank));
    const auto activity = readDeviceActivity(capture.ranks[0], {});
    return *readRankFacts(capture, {0}, activity, CaptureGroups(nullptr), {});
}

/// A thread that calls these operators of the framework one after the other; each gets 10 ns.
RankFacts callsOf(const QString& operators) {
    std::string line = "Ascend Hardware/Stream 1: MatMul[0,10)\nPython/Thread 7:";
    std::int64_t now = 0;
    for (const QString& name : operators.split(u' ', Qt::SkipEmptyParts)) {
        line += " " + name.toStdString() + "|cpu_op[" + std::to_string(now) + "," + std::to_string(now + 10) + ")";
        now += 20;
    }
    RankEntry rank;
    rank.trace = rankTrace(line);
    return factsOf(std::move(rank));
}

/// A rank that computes, pauses for so long, and computes again.
RankFacts pauseOf(std::int64_t ns, const std::string& host) {
    RankEntry rank;
    const std::string begin = std::to_string(100'000'000 + ns);
    rank.trace = rankTrace("Ascend Hardware/Stream 1: MatMul[0,100000000) MatMul[" + begin + "," +
                           std::to_string(200'000'000 + ns) + ")\n" + host);
    RowTablesBuilder builder;
    addKernelRows(builder, *rank.trace, 1);
    rank.rows = builder.seal({}).value();
    return factsOf(std::move(rank));
}

}  // namespace

class TestProgramFacts : public QObject {
    Q_OBJECT
private slots:
    void operatorsThatCouldBeFused_data();
    void operatorsThatCouldBeFused();
    void gapsAfterSynchronizations();
    void groupsThatReduceBeforeGradients_data();
    void groupsThatReduceBeforeGradients();
    void longCollectives();
    void contention();
};

void TestProgramFacts::operatorsThatCouldBeFused_data() {
    QTest::addColumn<QString>("operators");
    QTest::addColumn<QString>("api");
    const auto row = [](const char* operators, const char* api) {
        QTest::addRow("%s", operators) << QString::fromUtf8(operators) << QString::fromUtf8(api);
    };
    row("aten::silu aten::mul", "npu_swiglu");
    row("aten::gelu aten::view aten::mul_", "npu_geglu");
    row("aten::silu aten::add", "");
    row("aten::pow aten::mean aten::add aten::rsqrt aten::mul", "npu_rms_norm");
    row("aten::pow aten::mean aten::rsqrt aten::mul", "");
    row("aten::neg aten::cat aten::mul aten::add", "npu_rotary_mul");
    row("aten::bmm aten::div aten::add aten::softmax aten::dropout aten::bmm", "npu_fusion_attention");
    row("aten::matmul aten::_softmax aten::to aten::matmul", "npu_fusion_attention");
    row("aten::div aten::masked_fill aten::softmax aten::sum", "npu_scaled_masked_softmax");
    row("aten::div aten::softmax aten::sum", "");
    row("aten::softmax", "");
    row("aten::silu npu::npu_dtype_cast aten::mul", "");
}

void TestProgramFacts::operatorsThatCouldBeFused() {
    QFETCH(QString, operators);
    QFETCH(QString, api);
    const RankFacts facts = callsOf(operators);
    QCOMPARE(facts.fusibleCalls.size(), std::size_t{api.isEmpty() ? 0U : 1U});
    if (api.isEmpty()) return;
    QCOMPARE(QString::fromStdString(facts.fusibleCalls.begin()->first), api);
    QCOMPARE(facts.fusibleCalls.begin()->second.count, std::uint64_t{1});
    QCOMPARE(facts.fusibleCalls.begin()->second.longest.size(), std::size_t{1});
    // All of them are shown, not the one by which they are known.
    QVERIFY(facts.fusibleCalls.begin()->second.longest.front().range.length().value > 10);
}

void TestProgramFacts::gapsAfterSynchronizations() {
    // The device is free in [100 ms, 100 ms + 300 ns). What ends with the gap has not kept the host from launching.
    for (const auto& [end, free] : {std::pair<std::int64_t, std::int64_t>(99'999'999, 0),
                                    {100'000'000, 300},
                                    {100'000'299, 300},
                                    {100'000'300, 0}}) {
        const RankFacts facts =
            pauseOf(300, "CANN/Thread 7: AscendCL@aclrtSynchronizeDevice[1000," + std::to_string(end) + ")\n");
        QCOMPARE(facts.synchronizations.count, std::uint64_t{1});
        QCOMPARE(facts.freeAfterSynchronization.total, free);
    }
}

void TestProgramFacts::groupsThatReduceBeforeGradients_data() {
    QTest::addColumn<QString>("collectives");
    QTest::addColumn<bool>("isOfActivations");
    const auto row = [](const char* name, const char* collectives, bool isOfActivations) {
        QTest::addRow("%s", name) << QString::fromUtf8(collectives) << isOfActivations;
    };
    row("before", "hcom_allReduce__1_0[50,90) hcom_allReduce__1_1[250,290)", true);
    row("scattered before", "hcom_reduceScatter__1_0[199,220)", true);
    row("when the first begins", "hcom_allReduce__1_0[200,220)", false);
    row("gathered before", "hcom_allGather__1_0[50,90) hcom_reduceScatter__1_0[250,290)", false);
}

void TestProgramFacts::groupsThatReduceBeforeGradients() {
    QFETCH(QString, collectives);
    QFETCH(bool, isOfActivations);
    RankEntry rank;
    rank.trace = rankTrace("Ascend Hardware/Stream 1: MatMul[0,100) AddGrad[200,300)\n"
                           "Communication/Group 0 Communication: " +
                           collectives.toStdString() + "\n");
    RowTablesBuilder builder;
    addKernelRows(builder, *rank.trace, 1);
    rank.rows = builder.seal({}).value();
    const RankFacts facts = factsOf(std::move(rank));
    QCOMPARE(facts.collectives.size(), std::size_t{1});
    QCOMPARE(facts.collectives[0].isOfActivations, isOfActivations);
}

void TestProgramFacts::longCollectives() {
    RowTablesBuilder builder;
    for (const auto& [name, elapsed] : {std::pair("short", "999999999"), {"long", "1000000000"}}) {
        addRow(builder, RowKind::Collective,
               {{"step", "3"}, {"group_name", "g"}, {"op_name", name}, {"elapsed", elapsed}});
        for (const auto& [transport, transit] : {std::pair("RDMA", "500"), {"RDMA", "400"}, {"HCCS", "300"}})
            addRow(builder, RowKind::Bandwidth,
                   {{"step", "3"},
                    {"group_name", "g"},
                    {"op_name", name},
                    {"transport", transport},
                    {"size", "70"},
                    {"transit", transit}});
    }
    CaptureStore capture;
    capture.ranks.emplace_back();
    capture.ranks[0].rows = builder.seal({}).value();
    const RankFacts facts = *readRankFacts(capture, {0}, std::nullopt, CaptureGroups(nullptr), {});
    QCOMPARE(facts.longCollectives.size(), std::size_t{1});
    const LongCollective& one = facts.longCollectives[0];
    QCOMPARE(one.name, std::string("long"));
    QCOMPARE(one.group, std::string("g"));
    QCOMPARE(*one.step, std::int64_t{3});
    QCOMPARE(one.networkTime, std::int64_t{900});
    QCOMPARE(one.networkBytes, std::int64_t{140});
}

void TestProgramFacts::contention() {
    // The first collective runs beside a multiplication that hides 600 of its 1000 ns, the second beside another
    // kernel.
    RankEntry rank;
    rank.trace = rankTrace("Ascend Hardware/Stream 1: MatMul[0,600) Add[1000,2000)\n"
                           "Communication/Group 0 Communication: hcom_allReduce__1_0[0,1000) "
                           "hcom_allReduce__1_1[1000,2000) hcom_allReduce__1_2[2000,2100)\n");
    RowTablesBuilder builder;
    addKernelRows(builder, *rank.trace, 1);
    const auto add = [&](int number, int begin, int elapsed, int size, const char* transport) {
        const std::string name = "hcom_allReduce__1_" + std::to_string(number);
        addRow(builder, RowKind::Collective,
               {{"step", "1"}, {"op_name", name}, {"ts", std::to_string(begin)}, {"elapsed", std::to_string(elapsed)}});
        addRow(builder, RowKind::Bandwidth,
               {{"step", "1"},
                {"op_name", name},
                {"transport", transport},
                {"size", std::to_string(size)},
                {"transit", "200"}});
    };
    add(0, 0, 1000, 2'000'000, "SDMA");
    add(1, 1000, 1000, 2'050'000, "SDMA");
    add(2, 2000, 100, 1'048'575, "SDMA");  // too little for a bandwidth
    add(3, 2000, 100, 4'000'000, "RDMA");
    add(4, 2000, 100, 4'000'000, "SDMA");  // of another size
    rank.rows = builder.seal({}).value();
    const RankFacts facts = factsOf(std::move(rank));
    QCOMPARE(facts.contention.size(), std::size_t{1});
    const ContentionFacts& found = facts.contention[0];
    QCOMPARE(found.operation, std::string("allreduce"));
    QCOMPARE(found.beside, std::uint64_t{1});
    QCOMPARE(found.besideBytes, std::int64_t{2'000'000});
    QCOMPARE(found.alone, std::uint64_t{1});
    QCOMPARE(found.aloneBytes, std::int64_t{2'050'000});
    QCOMPARE(found.byStep.size(), std::size_t{1});
    QCOMPARE(found.byStep[0].exposed, std::int64_t{400});
    QCOMPARE(found.byStep[0].time, std::int64_t{200});
}

ALTI_TEST(TestProgramFacts)
#include "tst_program_facts.moc"
