#include "core/capture/session/repeats.h"

#include "core/capture/methods/settings.h"

#include "tests/support/test_main.h"

using namespace altiscope::capture;
using Times = std::vector<std::int64_t>;

class TestRepeats : public QObject {
    Q_OBJECT
private slots:
    void timesOfStepsInTheOutputOfAJob_data();
    void timesOfStepsInTheOutputOfAJob();
    void onlyWhatStartsAtTheNextStepIsRepeated_data();
    void onlyWhatStartsAtTheNextStepIsRepeated();
    void whatIsRepeatedStartsAtTheNextStepWhateverTheFileSays();
    void millisecondsAsPrinted();
};

void TestRepeats::timesOfStepsInTheOutputOfAJob_data() {
    QTest::addColumn<std::string>("output");
    QTest::addColumn<Times>("times");
    QTest::newRow("Megatron")
        << std::string(
               " iteration        7/     500 | consumed samples: 112 | elapsed time per iteration (ms): 812.3 | "
               "learning rate: 1.0E-6 |\n")
        << Times{812'300};
    QTest::newRow("MindSpore") << std::string("epoch time: 9000.000 ms, per step time: 812.345 ms\n") << Times{812'345};
    QTest::newRow("MindFormers") << std::string(
                                        "- { Epoch:[ 1/ 2], step:[ 7/ 500], loss: 3.1, per_step_time: 812ms, lr: 1 }\n")
                                 << Times{812'000};
    QTest::newRow("several, and no end of the last line")
        << std::string("per step time: 1 ms\nper step time: 2 ms\nx\nper step time: 3") << Times{1000, 2000, 3000};
    QTest::newRow("digits behind microseconds") << std::string("per step time: 0.0019999 ms\n") << Times{1};
    QTest::newRow("no number") << std::string("per step time: nan ms\nper step time: -5 ms\nper step time: ms\n")
                               << Times{};
    QTest::newRow("no time of a step") << std::string("step time: 5 ms\nper step time 5 ms\n") << Times{};
    QTest::newRow("more than any step takes") << std::string("per step time: 99999999999999999999 ms\n") << Times{};
    QTest::newRow("two points") << std::string("per step time: 1.2.3 ms\n") << Times{};
}

void TestRepeats::timesOfStepsInTheOutputOfAJob() {
    QFETCH(std::string, output);
    QTEST(stepTimes(output), "times");
}

void TestRepeats::onlyWhatStartsAtTheNextStepIsRepeated_data() {
    QTest::addColumn<std::string>("method");
    QTest::addColumn<std::string>("start");
    QTest::addColumn<std::string>("code");
    QTest::newRow("torch_npu") << std::string("torch-dynamic") << std::string("-1") << std::string();
    QTest::newRow("torch_npu, at a step")
        << std::string("torch-dynamic") << std::string("9") << std::string("capture.repeat.start_step");
    QTest::newRow("a daemon") << std::string("dyno-nputrace") << std::string("-1") << std::string();
    QTest::newRow("a monitor has no step") << std::string("dyno-npumonitor") << std::string() << std::string();
    QTest::newRow("msprof") << std::string("msprof-attach") << std::string() << std::string();
    QTest::newRow("MindSpore's steps have numbers")
        << std::string("mindspore-dynamic") << std::string("-1") << std::string("capture.repeat.method");
    for (const char* method : {"mm-static", "mm-dynamic", "llm-flags", "msprof", "mindspore-env", "mindspore-api"})
        QTest::newRow(method) << std::string(method) << std::string() << std::string("capture.repeat.method");
}

void TestRepeats::onlyWhatStartsAtTheNextStepIsRepeated() {
    QFETCH(std::string, method);
    QFETCH(std::string, start);
    std::vector<Assignment> assignments;
    if (!start.empty()) assignments.emplace_back("start_step", start);
    const auto problem = repeatProblem(*findMethod(method), {}, assignments);
    QTEST(problem ? problem->code : std::string(), "code");
}

void TestRepeats::whatIsRepeatedStartsAtTheNextStepWhateverTheFileSays() {
    const Method& method = *findMethod("torch-dynamic");
    const std::string file = R"({"start_step": 500})";
    SettingProblems problems;
    QCOMPARE(*makeSettings(method, {}, &file, problems).integer("start_step"), std::int64_t{500});
    const auto assignments = repeatedAssignments(method, {}, {{"active", "2"}});
    const Settings settings = makeSettings(method, assignments, &file, problems);
    QCOMPARE(*settings.integer("start_step"), std::int64_t{-1});
    QCOMPARE(*settings.integer("active"), std::int64_t{2});
    // Others have no such field.
    QVERIFY(repeatedAssignments(*findMethod("msprof-attach"), {}, {}).empty());
}

void TestRepeats::millisecondsAsPrinted() {
    QCOMPARE(millisecondsText(812'300), std::string("812.3"));
    QCOMPARE(millisecondsText(812'000), std::string("812"));
    QCOMPARE(millisecondsText(1), std::string("0.001"));
}

ALTI_TEST(TestRepeats)
#include "tst_repeats.moc"
