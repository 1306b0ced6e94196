#include "core/capture/targets/process.h"

#include "tests/support/test_main.h"

using namespace altiscope;
using namespace altiscope::capture;

class TestProcess : public QObject {
    Q_OBJECT
private slots:
    void timeStandsStillWhilePaused();
    void timeGoesOnAfterwards();
    void pauseCanBeInterrupted();
};

void TestProcess::timeStandsStillWhilePaused() {
    const auto ended =
        runProcess({"sleep", "1.5"}, {}, {1 << 16, std::chrono::seconds(1), [] { return true; }}, {}, {true, false});
    QVERIFY(ended.ok());
    QCOMPARE(ended.value().status, 0);
}

void TestProcess::timeGoesOnAfterwards() {
    int polls = 0;
    const auto isPaused = [&polls] { return ++polls < 30; };
    const auto ended =
        runProcess({"sleep", "1000"}, {}, {1 << 16, std::chrono::seconds(1), isPaused}, {}, {true, false});
    QVERIFY(ended.failed());
    QCOMPARE(ended.error().code, std::string("capture.remote.timeout"));
    QVERIFY(polls >= 30);
}

void TestProcess::pauseCanBeInterrupted() {
    const auto always = [] { return true; };
    const auto ended =
        runProcess({"sleep", "1000"}, {}, {1 << 16, std::chrono::seconds(60), always}, always, {true, false});
    QVERIFY(ended.cancelled());
}

ALTI_TEST(TestProcess)
#include "tst_process.moc"
