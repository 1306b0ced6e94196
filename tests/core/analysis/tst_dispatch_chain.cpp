#include "core/analysis/slices/dispatch_chain.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using namespace altiscope::test;

namespace {

QString number(std::optional<std::int64_t> value) { return value ? QString::number(*value) : QStringLiteral("-"); }

QString textOf(const Dispatch& d) {
    static const QStringList kPaths{QStringLiteral("?"), QStringLiteral("aclnn"), QStringLiteral("aclop")};
    static const QStringList kStates{QStringLiteral("complete"), QStringLiteral("fallback"),
                                     QStringLiteral("incomplete")};
    return QStringLiteral("%1 %2: prepare %3 api %4 enqueue %5 queue %6 pipeline %7 launch %8 all %9")
        .arg(kPaths[static_cast<int>(d.path)], kStates[static_cast<int>(d.status)], number(d.prepare),
             number(d.pythonApi), QString::number(d.enqueuing), number(d.queue), number(d.pipeline2),
             number(d.launching), number(d.endToEnd));
}

QString nameOf(const TraceStore& trace, SliceIndex slice) {
    return slice == kNoSlice
               ? QString()
               : QString::fromUtf8(trace.name(slice).data(), static_cast<qsizetype>(trace.name(slice).size()));
}

}  // namespace

class TestDispatchChain : public QObject {
    Q_OBJECT
private slots:
    void one_data() {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<QString>("expected");
        const QString flow = QStringLiteral("flow async_task_queue Python/Thread 7@60 -> Python/Thread 8@100\n");
        const QString python = QStringLiteral("Python/Thread 7: <built-in-linear>|python_function[30,180) "
                                              "aten::linear|cpu_op[40,170) Enqueue|enqueue[60,70)\n");
        const QString dequeue = QStringLiteral("Python/Thread 8: Dequeue@aclnnMatmul|dequeue[100,150)\n");
        QTest::addRow("compiled before")
            << python + dequeue +
                   QStringLiteral("CANN/Thread 8: AscendCL@aclnnMatmul[105,145) Node@launch[110,130)\n") + flow
            << "aclnn complete: prepare 30 api 150 enqueue 10 queue 30 pipeline 30 launch 20 all 100";
        QTest::addRow("compiled when called, two launches")
            << python + dequeue +
                   QStringLiteral("CANN/Thread 8: AscendCL@aclopCompileAndExecute[105,148) Node@launch[110,120) "
                                  "Node@launch[130,145)\n") +
                   flow
            << "aclop complete: prepare 30 api 150 enqueue 10 queue 30 pipeline 45 launch 25 all 115";
        QTest::addRow("without stacks the operator counts")
            << QStringLiteral(
                   "Python/Thread 7: aten::linear|cpu_op[40,170) aten::mm|cpu_op[45,90) Enqueue|enqueue[60,70)\n") +
                   dequeue + QStringLiteral("CANN/Thread 8: AscendCL@aclnnMatmul[105,145) Node@launch[110,130)\n") +
                   flow
            << "aclnn complete: prepare 20 api 130 enqueue 10 queue 30 pipeline 30 launch 20 all 90";
        QTest::addRow("no launch was recorded")
            << python + dequeue + flow
            << "aclnn fallback: prepare 30 api 150 enqueue 10 queue 30 pipeline 50 launch - all 120";
        QTest::addRow("never taken up")
            << python + dequeue << "? incomplete: prepare 30 api 150 enqueue 10 queue - pipeline - launch - all -";
        QTest::addRow("of unknown origin")
            << QStringLiteral("Python/Thread 7: MmBackward0|cpu_op[40,170) Enqueue|enqueue[60,70)\n") + dequeue +
                   QStringLiteral("CANN/Thread 8: AscendCL@aclnnMatmul[105,145) Node@launch[110,130)\n") + flow
            << "aclnn incomplete: prepare - api - enqueue 10 queue 30 pipeline 30 launch 20 all -";
        QTest::addRow("calls of another thread do not count")
            << python + dequeue +
                   QStringLiteral("CANN/Thread 9: AscendCL@aclopCompileAndExecute[105,145) Node@launch[110,130)\n") +
                   flow
            << "aclnn fallback: prepare 30 api 150 enqueue 10 queue 30 pipeline 50 launch - all 120";
    }
    void one() {
        QFETCH(QString, lines);
        const auto trace = rankTrace(lines.toStdString());
        const auto dispatches = dispatchChains(*trace, {});
        QCOMPARE(dispatches.size(), std::size_t{1});
        QTEST(textOf(dispatches[0]), "expected");
    }

    void whatItLaunchedIsCounted() {
        const auto trace =
            rankTrace("Python/Thread 7: aten::linear|cpu_op[40,170) aclnnMatmul|cpu_op[50,160) Enqueue|enqueue[60,70)\n"
                      "Python/Thread 8: Dequeue@aclnnMatmul|dequeue[100,150)\n"
                      "CANN/Thread 8: AscendCL@aclnnMatmul[105,145) Node@launch[110,120) Node@launch[125,135)\n"
                      "Ascend Hardware/Stream 2: Transpose[300,310) MatMul[310,400)\n"
                      "flow async_task_queue Python/Thread 7@60 -> Python/Thread 8@100\n"
                      "flow HostToDevice CANN/Thread 8@126 -> Ascend Hardware/Stream 2@310\n"
                      "flow HostToDevice CANN/Thread 8@112 -> Ascend Hardware/Stream 2@300\n");
        const Dispatch d = dispatchChains(*trace, {}).at(0);
        QCOMPARE(d.launches, 2U);
        QCOMPARE(d.kernels, 2U);
        QCOMPARE(nameOf(*trace, d.kernel), QStringLiteral("Transpose"));
        QCOMPARE(trace->begin(d.launch).value, 110);
        QCOMPARE(nameOf(*trace, d.op), QStringLiteral("aten::linear"));
        QCOMPARE(nameOf(*trace, d.call), QStringLiteral("AscendCL@aclnnMatmul"));
        QCOMPARE(d.range, (TimeRange{{40}, {170}}));
    }

    void manyInTheOrderOfTheirBegin() {
        // Against a formula for each: enqueued every 100 ns at two depths, taken up 1000 ns later.
        std::string python = "Python/Thread 7:", queue = "Python/Thread 8:", cann = "CANN/Thread 8:", flows;
        for (int i = 0; i < 500; ++i) {
            const int at = i * 100;
            const auto place = [](int begin, int end) {
                return '[' + std::to_string(begin) + ',' + std::to_string(end) + ')';
            };
            python += " npu::op|cpu_op" + place(at, at + 80);
            if (i % 2 == 0) python += " inner|cpu_op" + place(at + 5, at + 70);
            python += " Enqueue|enqueue" + place(at + 10, at + 20 + i % 5);
            queue += " Dequeue@x|dequeue" + place(at + 1000, at + 1060);
            cann += " Node@launch" + place(at + 1010, at + 1030 + i % 7);
            flows += "flow async_task_queue Python/Thread 7@" + std::to_string(at + 10) + " -> Python/Thread 8@" +
                     std::to_string(at + 1000) + '\n';
        }
        const auto trace = rankTrace(python + '\n' + queue + '\n' + cann + '\n' + flows);
        const auto dispatches = dispatchChains(*trace, {});
        QCOMPARE(dispatches.size(), std::size_t{500});
        for (int i = 0; i < 500; ++i) {
            const Dispatch& d = dispatches[static_cast<std::size_t>(i)];
            QCOMPARE(trace->begin(d.enqueue).value, i * 100 + 10);
            QCOMPARE(*d.prepare, 10);
            QCOMPARE(d.enqueuing, 10 + i % 5);
            QCOMPARE(*d.queue, 980 - i % 5);
            QCOMPARE(*d.pipeline2, 30 + i % 7);
            QCOMPARE(*d.endToEnd, 1030 + i % 7);
        }
    }

    void withoutAQueueThereIsNothing() {
        QVERIFY(dispatchChains(
                    *rankTrace("Python/Thread 7: aten::linear|cpu_op[40,170)\nCANN/Thread 7: Node@launch[50,60)\n"), {})
                    .empty());
    }

    void cancelled() {
        const CancelToken token;
        token.requestCancel();
        QVERIFY(dispatchChains(*rankTrace("Python/Thread 7: Enqueue|enqueue[0,10)\n"), token).empty());
    }
};

ALTI_TEST(TestDispatchChain)
#include "tst_dispatch_chain.moc"
