#include "core/capture/session/printed_steps.h"

#include "tests/support/test_main.h"

using namespace altiscope::capture;

class TestPrintedSteps : public QObject {
    Q_OBJECT
private slots:
    void theStepIsFound_data();
    void theStepIsFound();
    void refusalsAreFound_data();
    void refusalsAreFound();
    void theLastLineOfATracebackIsTheReason_data();
    void theLastLineOfATracebackIsTheReason();
    void aWatchersLogSaysWhatWasTakenLast();
    void startsBelongToProcesses();
};

void TestPrintedSteps::theStepIsFound_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("step");  // -1: none
    QTest::addColumn<qint64>("gap");
    QTest::newRow("Megatron") << QByteArray(" iteration        7/     500 | elapsed time per iteration (ms): 812.3 |\n")
                              << 7LL << 1LL;
    QTest::newRow("every tenth") << QByteArray("iteration 10/ 500 |\niteration 20/ 500 |\n") << 20LL << 10LL;
    QTest::newRow("a plain step") << QByteArray("step 3\nloss 0.5\nstep 4\n") << 4LL << 1LL;
    QTest::newRow("with a colon") << QByteArray("[2026-01-01 10:00:00] Step: 41, loss: 2.0\n") << 41LL << 1LL;
    QTest::newRow("with an equals sign") << QByteArray("{'loss': 1.0, 'global_step': 9}\nglobal_step=10 lr=1\n") << 10LL
                                         << 1LL;
    QTest::newRow("two ranks in one file")
        << QByteArray("[rank 0] step 8\n[rank 1] step 8\n[rank 0] step 9\n[rank 1] step 8\n") << 9LL << 1LL;
    QTest::newRow("a bar")
        << QByteArray(" 12%|#   | 119/1000 [00:10<01:13, 11.9it/s]\n 12%|#   | 120/1000 [00:10<01:13, 11.9it/s]\n")
        << 120LL << 1LL;
    QTest::newRow("MindFormers counts over epochs")
        << QByteArray("INFO - { Epoch:[  2/ 10], step:[    7/  500], loss: 1.0, per_step_time: 812ms }\n") << 507LL
        << 1LL;
    QTest::newRow("MindSpore, first epoch") << QByteArray("epoch: 1 step: 33, loss is 2.3\n") << 33LL << 1LL;
    QTest::newRow("MindSpore, later without a total") << QByteArray("epoch: 3 step: 33, loss is 2.3\n") << -1LL << 1LL;
    QTest::newRow("epochs of unknown begin") << QByteArray("Epoch 2 step 5/100\n") << -1LL << 1LL;
    QTest::newRow("an epoch that is no number of one")
        << QByteArray("Epoch:[1000000000000/ 10], step:[    7/ 1000000000], loss: 1.0\n") << -1LL << 1LL;
    QTest::newRow("colours") << QByteArray("\x1b[32miteration 5/ 9\x1b[0m |\n") << 5LL << 1LL;
    QTest::newRow("the log of a job before")
        << QByteArray("iteration 5000/ 9 |\niteration 1/ 9 |\niteration 2/ 9 |\n") << 2LL << 1LL;
    QTest::newRow("a rarer kind of line") << QByteArray("step 5\nsaved at step 1000\nstep 6\nstep 7\n") << 7LL << 1LL;
    QTest::newRow("what the tool prints")
        << QByteArray("Dynamic Profiler config is not effective. The start_step=3, current_step=57\n") << -1LL << 1LL;
    QTest::newRow("times are no steps") << QByteArray(
                                               "per step time: 812.3 ms, per_step_time: 812ms, 1.2 s/step, step 12ms\n")
                                        << -1LL << 1LL;
    QTest::newRow("no number") << QByteArray("step\nstep: \niteration of step x\n\n") << -1LL << 1LL;
    QTest::newRow("a number beyond all") << QByteArray("step 99999999999999999999999\n") << -1LL << 1LL;
    QTest::newRow("nothing") << QByteArray() << -1LL << 1LL;
}

void TestPrintedSteps::theStepIsFound() {
    QFETCH(const QByteArray, text);
    const auto printed = printedStep(text.toStdString());
    QTEST(static_cast<qint64>(printed ? printed->step : -1), "step");
    QTEST(static_cast<qint64>(printed ? printed->gap : 1), "gap");
}

void TestPrintedSteps::refusalsAreFound_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("line");
    const QByteArray torch =
        "[2026-01-01 10:00:00] [WARNING] [7] profiler.py: Dynamic Profiler config is not effective. The start_step=3, "
        "current_step=57";
    QTest::newRow("torch_npu") << QByteArray("step 56\n" + torch + "\nstep 57\n") << torch;
    QTest::newRow("MindSpore")
        << QByteArray("start_step must be greater than step_num, but get start_step = 3, stop_step = 4, step_num = 9\n")
        << QByteArray("start_step must be greater than step_num, but get start_step = 3, stop_step = 4, step_num = 9");
    QTest::newRow("the last one") << QByteArray("start step 1 is over\nstart step 2 is over\n")
                                  << QByteArray("start step 2 is over");
    QTest::newRow("something else is over") << QByteArray("the training is over\nnot valid\n") << QByteArray();
}

void TestPrintedSteps::refusalsAreFound() {
    QFETCH(const QByteArray, text);
    const std::string all = text.toStdString();
    const auto line = refusalLine(all);
    QTEST(QByteArray(line.data(), static_cast<qsizetype>(line.size())), "line");
}

void TestPrintedSteps::theLastLineOfATracebackIsTheReason_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("reason");
    const QByteArray trace = "Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    "
                             "main()\nValueError: no such file\n";
    QTest::newRow("a traceback") << QByteArray("step 3\n" + trace) << QByteArray("ValueError: no such file");
    QTest::newRow("lines after it") << QByteArray(trace + "[INFO] closing\nbye\n")
                                    << QByteArray("ValueError: no such file");
    QTest::newRow("of a rank") << QByteArray(
                                      "[rank1]: Traceback (most recent call last):\n[rank1]:   File \"t.py\", line 1\n"
                                      "[rank1]: torch.OutOfMemoryError: NPU out of memory\n")
                               << QByteArray("torch.OutOfMemoryError: NPU out of memory");
    QTest::newRow("of a launcher after it")
        << QByteArray(trace + "Traceback (most recent call last):\n  File \"torchrun\"\n"
                              "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n")
        << QByteArray("ValueError: no such file");
    QTest::newRow("while another is handled")
        << QByteArray(trace + "\nDuring handling of the above exception, another exception occurred:\n\n"
                              "Traceback (most recent call last):\n  File \"t.py\", line 9\nRuntimeError: HCCL\n")
        << QByteArray("RuntimeError: HCCL");
    QTest::newRow("only its end") << QByteArray("    main()\nKeyError: 'rank'\n") << QByteArray("KeyError: 'rank'");
    QTest::newRow("none") << QByteArray("an Error: in a text\nstep 3\n") << QByteArray();
}

void TestPrintedSteps::theLastLineOfATracebackIsTheReason() {
    QFETCH(const QByteArray, text);
    QTEST(QByteArray::fromStdString(tracebackReason(text.toStdString())), "reason");
}

void TestPrintedSteps::aWatchersLogSaysWhatWasTakenLast() {
    const auto before = watcherSays(
        "Start step will be set to -1.\nStart Dynamic Profiler at 12 step.\nStop Dynamic Profiler at 13 step.\n"
        "Dynamic profiling monitor process poll interval time change to 3s\nStart step will be set to 40.\n");
    QCOMPARE(before.poll, std::optional<std::int64_t>(3));
    QVERIFY(before.hasTaken);
    QCOMPARE(before.started, std::optional<std::int64_t>());
    QCOMPARE(watcherSays("Start step will be set to 40.\nStart Dynamic Profiler at 40 step.\n").started,
             std::optional<std::int64_t>(40));
    QVERIFY(!watcherSays("Dynamic monitor process has been created by rank 0.\n").hasTaken);
}

void TestPrintedSteps::startsBelongToProcesses() {
    const auto starts =
        startsByProcess("[2026-01-01 10:00:00] [INFO] [42] profiler.py: Start Dynamic Profiler at 7 step.\n"
                        "[2026-01-01 10:00:00] [INFO] [43] profiler.py: Start Dynamic Profiler at 8 step.\nstep 8\n");
    QCOMPARE(starts.size(), std::size_t{2});
    QCOMPARE(starts.at(42), std::int64_t{7});
    QCOMPARE(starts.at(43), std::int64_t{8});
}

ALTI_TEST(TestPrintedSteps)
#include "tst_printed_steps.moc"
