#include "core/capture/session/recorded_steps.h"

#include "core/capture/methods/method.h"
#include "core/capture/methods/validation.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace altiscope;
using namespace altiscope::capture;

class TestSteps : public QObject {
    Q_OBJECT
private slots:
    void whatTheJobPrints_data();
    void whatTheJobPrints();
    void whatTheDaemonSays_data();
    void whatTheDaemonSays();
    void onlyStepsThatCanBeCompared_data();
    void onlyStepsThatCanBeCompared();
};

namespace {

/// "until 3", "recording 1", "apart"; empty: nothing.
QString shortForm(const std::optional<Error>& sentence) {
    if (!sentence) return {};
    const QString word = QString::fromStdString(sentence->code).section(QLatin1Char('.'), 2);
    return word == QStringLiteral("apart")
               ? word
               : word + QLatin1Char(' ') + QString::fromStdString(sentence->parameters[2].second);
}

}  // namespace

/// Steps 10 and 11 are recorded.
void TestSteps::whatTheJobPrints_data() {
    QTest::addColumn<QString>("printed");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<bool>("isStep");
    QTest::newRow("far before") << "iteration        3/"
                                << "until 6" << true;
    QTest::newRow("two before the first: one more comes first") << "iteration 8/"
                                                                << "until 1" << true;
    QTest::newRow("the one before the first is done: it records") << "iteration 9/"
                                                                  << "recording 2" << true;
    QTest::newRow("the first is done") << "iteration 10/"
                                       << "recording 1" << true;
    QTest::newRow("the last is done") << "iteration 11/"
                                      << "" << true;
    QTest::newRow("long after") << "iteration 500/"
                                << "" << true;
    QTest::newRow("none yet") << ""
                              << "" << false;
    QTest::newRow("no number") << "iteration x/"
                               << "" << false;
    QTest::newRow("no number that is one") << "iteration 99999999999999999999/"
                                           << "" << false;
    QTest::newRow("another word") << "step 3/"
                                  << "" << false;
    QTest::newRow("cut") << "iteration 3"
                         << "" << false;
}

void TestSteps::whatTheJobPrints() {
    QFETCH(const QString, printed);
    QFETCH(const QString, expected);
    QCOMPARE(shortForm(stepSentence(printed.toStdString(), {10, 12, PrintedSteps::SameCount})), expected);
    // Where the two count otherwise no difference is made of them: each step is said, also one after the last.
    QFETCH(const bool, isStep);
    QCOMPARE(shortForm(stepSentence(printed.toStdString(), {10, 12, PrintedSteps::OwnCount})),
             isStep ? QStringLiteral("apart") : QString());
}

void TestSteps::whatTheDaemonSays_data() {
    QTest::addColumn<QString>("status");  // state, step, start, stop
    QTest::addColumn<QString>("expected");
    QTest::newRow("waits") << "Ready,7,10,12"
                           << "until 3";
    QTest::newRow("records") << "Running,11,10,12"
                             << "recording 1";
    QTest::newRow("idle") << "Idle,7,10,12"
                          << "";
    QTest::newRow("an old daemon") << "Ready,,,"
                                   << "";
    QTest::newRow("no start") << "Ready,7,,"
                              << "";
    QTest::newRow("a start that is over") << "Ready,11,10,12"
                                          << "";
    QTest::newRow("no step") << "Running,-1,10,12"
                             << "";
}

void TestSteps::whatTheDaemonSays() {
    QFETCH(const QString, status);
    QFETCH(const QString, expected);
    const auto text = [&status](int i) { return status.section(QLatin1Char(','), i, i).toStdString(); };
    QCOMPARE(shortForm(stepSentence({text(0), "Idle", text(1), text(2), text(3)})), expected);
}

void TestSteps::onlyStepsThatCanBeCompared_data() {
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("set");
    QTest::addColumn<QString>("expected");  // first, end, whether they count as the output
    QTest::newRow("MindSpeed-LLM") << "llm-flags"
                                   << "profile_step_start=5,profile_step_end=7"
                                   << "5 7 1";
    QTest::newRow("MindSpeed-MM counts the steps of the process") << "mm-static"
                                                                  << "start_step=3,end_step=5"
                                                                  << "3 5 0";
    QTest::newRow("FSDP2 prints otherwise") << "llm-flags"
                                            << "backend=fsdp2"
                                            << "";
    QTest::newRow("no steps") << "mindspore-env"
                              << ""
                              << "";
    QTest::newRow("an end before the start") << "llm-flags"
                                             << "profile_step_start=5,profile_step_end=5"
                                             << "";
}

void TestSteps::onlyStepsThatCanBeCompared() {
    QFETCH(const QString, method);
    QFETCH(const QString, set);
    QFETCH(const QString, expected);
    std::vector<Assignment> assignments;
    for (const QString& one : set.split(QLatin1Char(','), Qt::SkipEmptyParts))
        assignments.emplace_back(one.section(QLatin1Char('='), 0, 0).toStdString(),
                                 one.section(QLatin1Char('='), 1).toStdString());
    SettingProblems problems;
    const auto steps = recordedSteps(makeSettings(*findMethod(method.toStdString()), assignments, nullptr, problems));
    QCOMPARE(steps ? QStringLiteral("%1 %2 %3")
                         .arg(steps->first)
                         .arg(steps->end)
                         .arg(steps->printed == PrintedSteps::SameCount ? 1 : 0)
                   : QString(),
             expected);
}

ALTI_TEST(TestSteps)
#include "tst_recorded_steps.moc"
