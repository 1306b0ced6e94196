#include "core/analysis/kernels/call_sites.h"
#include "core/base/threads/parallel.h"
#include "core/store/rows/row_builder.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace altiscope;
using namespace altiscope::test;

namespace {

// A forward operator within the program's own line and the framework's, its backward one on a thread without Python,
// and a lonely kernel.
const char* const kCalls =
    "Python/Thread 7: ProfilerStep#5|cpu_op[0,1000) main.py(375):train|python_function[5,950) "
    "torch/nn/linear.py(114):forward|python_function[20,190) "
    "<built-in-linear>|python_function[30,180) aten::linear|cpu_op[40,170) aclnnMatmul|cpu_op[50,160)\n"
    "Python/Thread 9: MmBackward0|cpu_op[300,400) aten::mm|cpu_op[310,390)\n"
    "Ascend Hardware/Stream 2: MatMul[600,650) MatMul[660,670) MatMul[700,706) MatMul[800,801)\n"
    "flow async_npu Python/Thread 7@50 -> Ascend Hardware/Stream 2@600\n"
    "flow async_npu Python/Thread 7@50 -> Ascend Hardware/Stream 2@660\n"
    "flow async_npu Python/Thread 9@310 -> Ascend Hardware/Stream 2@700\n"
    "flow fwdbwd Python/Thread 7@40 -> Python/Thread 9@300\n";

std::shared_ptr<CaptureStore> callingCapture() {
    auto capture = std::make_shared<CaptureStore>();
    RankEntry& rank = capture->ranks.emplace_back();
    rank.info.rankId = 0;
    rank.trace = rankTrace(kCalls);
    RowTablesBuilder builder;
    RowBatch batch = builder.batch(RowKind::Kernel);
    for (std::uint32_t i = 0; i < rank.trace->sliceCount(); ++i) {
        if (rank.trace->name({i}) != "MatMul") continue;
        batch.addRow();
        batch.setText(fixedColumn(RowKind::Kernel, "name"), "MatMul");
        batch.setInteger(fixedColumn(RowKind::Kernel, "slice_id"), i);
        batch.setInteger(fixedColumn(RowKind::Kernel, "dur"), rank.trace->duration({i}).value);
    }
    builder.commit(batch);
    rank.rows = builder.seal({}).value();
    return capture;
}

std::string textOfSite(const CallSite& site) {
    return site.op + '|' + site.outer + '|' + site.python + '|' + site.program + '|' + site.module;
}

}  // namespace

class TestCallSites : public QObject {
    Q_OBJECT
private slots:
    void sitesByTime();
    void fewAreFollowedEvenly();
    void oneKernel();
    void withoutATimeline();

private:
    WorkerArena m_arena{2};
};

void TestCallSites::sitesByTime() {
    std::optional<CallSites> sites;
    const auto capture = callingCapture();
    m_arena.run([&] { sites = callSitesOf(*capture, {{.rank = {0}, .rows = FilteredRows({0, 1, 2, 3})}}, 1000, {}); });
    QVERIFY(sites.has_value());
    QCOMPARE(sites->kernels, 4U);
    QCOMPARE(sites->looked, 4U);
    QCOMPARE(sites->unknown.count, 1U);
    QCOMPARE(sites->unknown.total, 1);
    QCOMPARE(sites->sites.size(), 2U);
    // Neither the step nor what the framework says of its own is an operator that was called.
    QCOMPARE(textOfSite(sites->sites[0]),
             std::string("aclnnMatmul|aten::linear|torch/nn/linear.py(114):forward|main.py(375):train|"));
    QCOMPARE(sites->sites[0].time.count, 2U);
    QCOMPARE(sites->sites[0].time.total, 60);
    const TraceStore& trace = *capture->ranks[0].trace;
    QCOMPARE(trace.duration(sites->sites[0].longest.slice).value, 50);
    QCOMPARE(std::string(trace.name(sites->sites[0].caller.slice)), std::string("torch/nn/linear.py(114):forward"));
    // The backward pass has the lines of its forward operator.
    QCOMPARE(textOfSite(sites->sites[1]), std::string("aten::mm||torch/nn/linear.py(114):forward|main.py(375):train|"));
    QCOMPARE(sites->sites[1].time.total, 6);
}

void TestCallSites::fewAreFollowedEvenly() {
    std::optional<CallSites> sites;
    const auto capture = callingCapture();
    m_arena.run([&] { sites = callSitesOf(*capture, {{.rank = {0}, .rows = FilteredRows({0, 1, 2, 3})}}, 2, {}); });
    QCOMPARE(sites->kernels, 4U);
    QCOMPARE(sites->looked, 2U);
    QCOMPARE(sites->sites.size(), 2U);
    QCOMPARE(sites->sites[0].time.total, 50);
    QCOMPARE(sites->sites[1].time.total, 6);
    CancelToken cancelled;
    cancelled.requestCancel();
    QVERIFY(!callSitesOf(*capture, {{.rank = {0}, .rows = FilteredRows({0})}}, 2, cancelled));
}

void TestCallSites::oneKernel() {
    const auto capture = callingCapture();
    const RowTable& table = *capture->ranks[0].rows->find(RowKind::Kernel);
    const auto siteOf = [&](std::size_t row) {
        return callSiteOf(*capture->ranks[0].trace, {0},
                          {static_cast<std::uint32_t>(*table.integer(fixedColumn(RowKind::Kernel, "slice_id"), row))});
    };
    QCOMPARE(textOfSite(*siteOf(1)),
             std::string("aclnnMatmul|aten::linear|torch/nn/linear.py(114):forward|main.py(375):train|"));
    QVERIFY(!siteOf(3));
}

void TestCallSites::withoutATimeline() {
    const auto capture = callingCapture();
    capture->ranks[0].trace.reset();
    std::optional<CallSites> sites;
    m_arena.run([&] { sites = callSitesOf(*capture, {{.rank = {0}, .rows = FilteredRows({0, 1})}}, 10, {}); });
    QVERIFY(sites->sites.empty());
    QCOMPARE(sites->unknown.count, 2U);
    QCOMPARE(sites->unknown.total, 60);
}

ALTI_TEST(TestCallSites)
#include "tst_call_sites.moc"
