#include "core/analysis/slices/slice_chain.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using namespace altiscope::test;

namespace {

// A training step in small: a forward operator that goes through the queue, its backward one, and a wait for all of it.
const char* const kStep = "Python/Thread 7: train.py(5):step|python_function[0,1000) "
                          "nn.Module:Linear|python_function[10,200) linear.py(114):forward|python_function[20,190) "
                          "<built-in-linear>|python_function[30,180) aten::linear|cpu_op[40,170) "
                          "aclnnMatmul|cpu_op[50,160) Enqueue|enqueue[60,70)\n"
                          "Python/Thread 8: Dequeue@aclnnMatmul|dequeue[100,150)\n"
                          "Python/Thread 9: MmBackward0|cpu_op[300,400) aten::mm|cpu_op[310,390)\n"
                          "CANN/Thread 7: AscendCL@aclrtSynchronizeStream[500,700)\n"
                          "CANN/Thread 8: AscendCL@aclnnMatmul[105,145) Node@launch[110,130)\n"
                          "Ascend Hardware/Stream 2: MatMul[600,650) Add[660,670)\n"
                          "flow async_task_queue Python/Thread 7@60 -> Python/Thread 8@100\n"
                          "flow HostToDevice CANN/Thread 8@112 -> Ascend Hardware/Stream 2@600\n"
                          "flow async_npu Python/Thread 7@50 -> Ascend Hardware/Stream 2@600\n"
                          "flow fwdbwd Python/Thread 7@40 -> Python/Thread 9@300\n";

SliceIndex named(const TraceStore& trace, std::string_view name) {
    for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if (trace.name({i}) == name) return {i};
    }
    return kNoSlice;
}

QString wordOf(ChainRole role) {
    switch (role) {
    case ChainRole::Launch: return QStringLiteral("launch");
    case ChainRole::CannCall: return QStringLiteral("cann");
    case ChainRole::Dequeue: return QStringLiteral("dequeue");
    case ChainRole::Enqueue: return QStringLiteral("enqueue");
    case ChainRole::Operator: return QStringLiteral("op");
    case ChainRole::Python: return QStringLiteral("python");
    case ChainRole::Forward: return QStringLiteral("forward");
    case ChainRole::Backward: return QStringLiteral("backward");
    case ChainRole::Device: return QStringLiteral("device");
    case ChainRole::Next: return QStringLiteral("next");
    case ChainRole::Synchronize: return QStringLiteral("sync");
    case ChainRole::Other: break;
    }
    return QStringLiteral("other");
}

QString textOf(const TraceStore& trace, const std::vector<ChainLink>& links) {
    QStringList texts;
    for (const ChainLink& link : links)
        texts << wordOf(link.role) + u' ' +
                     QString::fromUtf8(trace.name(link.slice).data(),
                                       static_cast<qsizetype>(trace.name(link.slice).size()));
    return texts.join(QStringLiteral(", "));
}

}  // namespace

class TestSliceChain : public QObject {
    Q_OBJECT
private slots:
    void causes_data() {
        QTest::addColumn<QString>("slice");
        QTest::addColumn<QString>("expected");
        QTest::addRow("a kernel") << "MatMul"
                                  << "launch Node@launch, cann AscendCL@aclnnMatmul, dequeue Dequeue@aclnnMatmul, "
                                     "enqueue Enqueue, op aclnnMatmul, op aten::linear, "
                                     "python <built-in-linear>, python linear.py(114):forward, python nn.Module:Linear";
        QTest::addRow("a launch") << "Node@launch"
                                  << "cann AscendCL@aclnnMatmul, dequeue Dequeue@aclnnMatmul, enqueue Enqueue, op "
                                     "aclnnMatmul, op aten::linear, "
                                     "python <built-in-linear>, python linear.py(114):forward, python nn.Module:Linear";
        QTest::addRow("a dequeuing") << "Dequeue@aclnnMatmul"
                                     << "enqueue Enqueue, op aclnnMatmul, op aten::linear, python <built-in-linear>, "
                                        "python linear.py(114):forward, python nn.Module:Linear";
        QTest::addRow("a backward operator") << "MmBackward0"
                                             << "forward aten::linear";
        QTest::addRow("within a backward operator") << "aten::mm"
                                                    << "op MmBackward0, forward aten::linear";
        QTest::addRow("nothing launched it") << "Add" << QString();
    }
    void causes() {
        QFETCH(QString, slice);
        const auto trace = rankTrace(kStep);
        QTEST(textOf(*trace, causesOf(*trace, named(*trace, slice.toStdString()))), "expected");
    }

    void effects_data() {
        QTest::addColumn<QString>("slice");
        QTest::addColumn<QString>("expected");
        QTest::addRow("a task: the next on its stream, and who waited")
            << "MatMul"
            << "next Add, sync AscendCL@aclrtSynchronizeStream";
        QTest::addRow("an operator: what it called counts")
            << "aten::linear"
            << "dequeue Dequeue@aclnnMatmul, backward MmBackward0, device MatMul";
        QTest::addRow("a dequeuing: calls of CANN on its thread") << "Dequeue@aclnnMatmul"
                                                                  << "device MatMul";
        QTest::addRow("a call of CANN") << "AscendCL@aclnnMatmul"
                                        << "device MatMul";
        QTest::addRow("nothing") << "aten::mm" << QString();
    }
    void effects() {
        QFETCH(QString, slice);
        const auto trace = rankTrace(kStep);
        QTEST(textOf(*trace, effectsOf(*trace, named(*trace, slice.toStdString())).links), "expected");
    }

    void withoutAQueueTheThreadTellsTheOperator() {
        const auto trace = rankTrace("Python/Thread 7: aten::linear|cpu_op[40,170)\nCANN/Thread 7: "
                                     "AscendCL@aclnnMatmul[105,145) Node@launch[110,130)\n"
                                     "Ascend Hardware/Stream 2: MatMul[600,650)\nflow HostToDevice CANN/Thread 7@112 "
                                     "-> Ascend Hardware/Stream 2@600\n");
        QCOMPARE(textOf(*trace, causesOf(*trace, named(*trace, "MatMul"))),
                 QStringLiteral("launch Node@launch, cann AscendCL@aclnnMatmul, op aten::linear"));
    }

    void noMoreThanAsked() {
        const auto trace = rankTrace(kStep);
        const SliceEffects effects = effectsOf(*trace, named(*trace, "aten::linear"), 2);
        QCOMPARE(textOf(*trace, effects.links), QStringLiteral("dequeue Dequeue@aclnnMatmul, backward MmBackward0"));
        QCOMPARE(effects.excluded, std::size_t{1});
        QCOMPARE(effectsOf(*trace, named(*trace, "aten::linear")).excluded, std::size_t{0});
        QCOMPARE(textOf(*trace, effectsOf(*trace, named(*trace, "MatMul"), 1).links), QStringLiteral("next Add"));
        QCOMPARE(effectsOf(*trace, named(*trace, "MatMul"), 1).excluded, std::size_t{1});
    }

    /// A hundred launches within one call, of which the later ones come first on the device; the first task is launched
    /// twice.
    void theFirstByTimeOfManyFlows() {
        std::string calls = "CANN/Thread 8: AscendCL@aclmdlRICaptureEnd[0,10000)",
                    tasks = "Ascend Hardware/Stream 2:", flows;
        for (int i = 0; i < 100; ++i) {
            const int begin = 20000 + (99 - i) * 10;
            calls += " Node@launch[" + std::to_string(i * 100) + ',' + std::to_string(i * 100 + 50) + ')';
            tasks += " K" + std::to_string(99 - i) + '[' + std::to_string(20000 + i * 10) + ',' +
                     std::to_string(20005 + i * 10) + ')';
            flows += "flow HostToDevice CANN/Thread 8@" + std::to_string(i * 100 + 10) +
                     " -> Ascend Hardware/Stream 2@" + std::to_string(begin) + '\n';
        }
        flows += "flow HostToDevice CANN/Thread 8@15 -> Ascend Hardware/Stream 2@20000\n";
        const auto trace = rankTrace(calls + '\n' + tasks + '\n' + flows);
        const SliceEffects effects = effectsOf(*trace, named(*trace, "AscendCL@aclmdlRICaptureEnd"), 3);
        QCOMPARE(textOf(*trace, effects.links), QStringLiteral("device K99, device K98, device K97"));
        QCOMPARE(effects.excluded, std::size_t{97});
        CancelToken cancelled;
        cancelled.requestCancel();
        QVERIFY(effectsOf(*trace, named(*trace, "AscendCL@aclmdlRICaptureEnd"), 3, cancelled).links.empty());
    }
};

ALTI_TEST(TestSliceChain)
#include "tst_slice_chain.moc"
