#include "core/session/job_runner.h"

#include "core/base/threads/parallel.h"
#include "tests/support/test_main.h"

#include <QSignalSpy>
#include <QThread>

#include <atomic>
#include <new>
#include <thread>

using namespace altiscope;
using namespace std::chrono_literals;

namespace {

/// Runs until it is asked to stop, as a well-behaved job does.
std::shared_ptr<const void> untilCancelled(ProgressSlot&, const CancelToken& cancel) {
    while (!cancel.cancelled()) std::this_thread::sleep_for(1ms);
    return std::make_shared<const std::string>("stopped");
}

std::string textOf(const std::shared_ptr<const void>& result) {
    return result ? *std::static_pointer_cast<const std::string>(result) : std::string("nothing");
}

}  // namespace

class TestJobRunner : public QObject {
    Q_OBJECT
private slots:
    void workWithoutMemoryHasNoResult();
    void resultArrivesOnTheGuiThread();
    void listShowsTheRunningJob();
    void cancelStillDelivers();
    void cancelIsFast_data();
    void cancelIsFast();
    void jobsRunSideBySide();
    void postedWorkDoesNotWaitForJobs();
    void guiCallsKeepTheirOrder();
    void idleIsReportedOnce();
    void nothingRunsAfterShutdown();
    void shutdownDropsLateResults();
    void shutdownWhileEverythingRuns();
    void slotTakesTheLatestAnswer();
    void slotThatIsGoneIsNotCalled();
};

void TestJobRunner::resultArrivesOnTheGuiThread() {
    JobRunner runner;
    std::string result;
    QThread* where = nullptr;
    std::thread::id worker;
    runner.start(
        QStringLiteral("a"),
        [&worker](ProgressSlot&, const CancelToken&) {
            worker = std::this_thread::get_id();
            return std::make_shared<const std::string>("done");
        },
        [&](std::shared_ptr<const void> value) {
            result = textOf(value);
            where = QThread::currentThread();
        });
    QTRY_COMPARE(result, std::string("done"));
    QCOMPARE(where, thread());
    QVERIFY(worker != std::this_thread::get_id());
    QVERIFY(runner.jobs().empty());
}

void TestJobRunner::listShowsTheRunningJob() {
    JobRunner runner;
    QSignalSpy changed(&runner, &JobRunner::jobsChanged);
    std::atomic<bool> started = false;
    bool listedInDone = true;
    const std::uint64_t id = runner.start(
        QStringLiteral("level1"),
        [&started](ProgressSlot& progress, const CancelToken& cancel) {
            progress.setPhase(ProgressPhase::Reading);
            progress.addTotal(100);
            progress.addDone(41);
            progress.setFile("trace_view.json");
            started = true;
            return untilCancelled(progress, cancel);
        },
        [&](std::shared_ptr<const void>) { listedInDone = !runner.jobs().empty(); });
    QCOMPARE(changed.count(), 1);
    QTRY_VERIFY(started.load());
    const std::vector<JobStatus> jobs = runner.jobs();
    QCOMPARE(jobs.size(), std::size_t{1});
    QCOMPARE(jobs[0].id, id);
    QCOMPARE(jobs[0].title, QStringLiteral("level1"));
    QCOMPARE(jobs[0].progress.phase, ProgressPhase::Reading);
    QCOMPARE(jobs[0].progress.done, std::uint64_t{41});
    QCOMPARE(jobs[0].progress.total, std::uint64_t{100});
    QCOMPARE(jobs[0].progress.file, std::string("trace_view.json"));
    QVERIFY(jobs[0].secondsRunning >= 0);
    QVERIFY(!jobs[0].cancelling);
    QVERIFY(!runner.idle());
    runner.cancel(id);
    QVERIFY(runner.jobs()[0].cancelling);
    QTRY_VERIFY(runner.idle());
    QVERIFY(!listedInDone);
}

void TestJobRunner::cancelStillDelivers() {
    JobRunner runner;
    std::string first, second;
    const std::uint64_t id =
        runner.start(QStringLiteral("a"), untilCancelled, [&](auto value) { first = textOf(value); });
    runner.start(QStringLiteral("b"), untilCancelled, [&](auto value) { second = textOf(value); });
    runner.cancel(id);
    runner.cancel(4711);  // Nobody has this id.
    QTRY_COMPARE(first, std::string("stopped"));
    QCOMPARE(second, std::string());
    QCOMPARE(runner.jobs().size(), std::size_t{1});
    runner.cancelAll();
    QTRY_COMPARE(second, std::string("stopped"));
}

void TestJobRunner::cancelIsFast_data() {
    QTest::addColumn<int>("others");
    QTest::addRow("alone") << 0;
    QTest::addRow("behind more jobs than cores") << 6;
}

void TestJobRunner::cancelIsFast() {
    QFETCH(int, others);
    JobRunner runner(2);
    // Jobs whose parallel loops keep all workers busy: a job that is cancelled must not be stuck below another one's
    // work.
    const auto busy = [](ProgressSlot&, const CancelToken& cancel) -> std::shared_ptr<const void> {
        while (!cancel.cancelled()) {
            parallelFor(8, [&cancel](std::size_t) {
                if (!cancel.cancelled()) std::this_thread::sleep_for(2ms);
            });
        }
        return nullptr;
    };
    for (int i = 0; i < others; ++i) runner.start(QStringLiteral("other"), busy, {});
    bool done = false;
    const std::uint64_t id = runner.start(QStringLiteral("this"), busy, [&done](auto) { done = true; });
    QTest::qWait(50);
    QElapsedTimer timer;
    timer.start();
    runner.cancel(id);
    while (!done && timer.elapsed() < 5000) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    // The others never end: being stuck below them would take all of the wait.
    QVERIFY2(done, "stuck below the work of others");
}

void TestJobRunner::jobsRunSideBySide() {
    JobRunner runner(1);
    std::atomic<int> running = 0;
    std::atomic<bool> together = false;
    const auto work = [&](ProgressSlot&, const CancelToken& cancel) -> std::shared_ptr<const void> {
        ++running;
        while (!cancel.cancelled() && !together) {
            if (running == 3) together = true;
            std::this_thread::sleep_for(1ms);
        }
        return nullptr;
    };
    for (int i = 0; i < 3; ++i) runner.start(QStringLiteral("job"), work, {});
    QTRY_VERIFY(together.load());
}

void TestJobRunner::postedWorkDoesNotWaitForJobs() {
    JobRunner runner(1);
    for (int i = 0; i < 3; ++i) runner.start(QStringLiteral("import"), untilCancelled, {});
    bool answered = false;
    runner.post([&] { runner.toGui([&answered] { answered = true; }); });
    QTRY_VERIFY_WITH_TIMEOUT(answered, 1000);
    QCOMPARE(runner.jobs().size(), std::size_t{3});
}

void TestJobRunner::guiCallsKeepTheirOrder() {
    JobRunner runner;
    std::vector<int> seen;
    runner.post([&] {
        for (int i = 0; i < 100; ++i) runner.toGui([&seen, i] { seen.push_back(i); });
    });
    QTRY_COMPARE(seen.size(), std::size_t{100});
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
}

void TestJobRunner::idleIsReportedOnce() {
    JobRunner runner;
    QVERIFY(runner.idle());
    QSignalSpy idle(&runner, &JobRunner::becameIdle);
    std::atomic<bool> release = false;
    for (int i = 0; i < 8; ++i) {
        runner.post([&release] {
            while (!release) std::this_thread::sleep_for(1ms);
        });
    }
    QVERIFY(!runner.idle());
    release = true;
    QTRY_COMPARE(idle.count(), 1);
    QVERIFY(runner.idle());
    QTest::qWait(20);
    QCOMPARE(idle.count(), 1);
    runner.start(QStringLiteral("a"), [](ProgressSlot&, const CancelToken&) { return nullptr; }, {});
    QTRY_COMPARE(idle.count(), 2);
}

void TestJobRunner::nothingRunsAfterShutdown() {
    JobRunner runner;
    runner.shutdown();
    std::atomic<bool> ran = false;
    QCOMPARE(runner.start(QStringLiteral("a"),
                          [&ran](ProgressSlot&, const CancelToken&) {
                              ran = true;
                              return nullptr;
                          },
                          {}),
             std::uint64_t{0});
    runner.post([&ran] { ran = true; });
    runner.toGui([&ran] { ran = true; });
    QTest::qWait(20);
    QVERIFY(!ran);
    runner.shutdown();  // A second time is harmless.
}

void TestJobRunner::shutdownDropsLateResults() {
    bool called = false;
    {
        JobRunner runner;
        runner.start(QStringLiteral("a"), untilCancelled, [&called](auto) { called = true; });
        runner.post([&] { runner.toGui([&called] { called = true; }); });
        runner.shutdown();
        QTest::qWait(20);
    }
    QVERIFY(!called);
}

void TestJobRunner::shutdownWhileEverythingRuns() {
    for (int round = 0; round < 20; ++round) {
        JobRunner runner(2);
        std::atomic<int> calls = 0;
        for (int i = 0; i < 4; ++i) runner.start(QStringLiteral("job"), untilCancelled, [&calls](auto) { ++calls; });
        for (int i = 0; i < 50; ++i) runner.post([&] { runner.toGui([&calls] { ++calls; }); });
        if (round % 2 == 0) QCoreApplication::processEvents();
    }
}

void TestJobRunner::slotTakesTheLatestAnswer() {
    JobRunner runner(1);
    JobSlot slot(runner);
    std::vector<int> applied;
    for (int i = 0; i < 20; ++i) {
        slot.start([i](const CancelToken&) { return i; }, [&applied](int value) { applied.push_back(value); });
    }
    QVERIFY(slot.busy());
    QTRY_VERIFY(runner.idle());
    QCOMPARE(applied, std::vector<int>{19});
    QVERIFY(!slot.busy());

    slot.start([](const CancelToken&) { return 99; }, [&applied](int value) { applied.push_back(value); });
    slot.cancel();
    QVERIFY(!slot.busy());
    QTRY_VERIFY(runner.idle());
    QCOMPARE(applied, std::vector<int>{19});
}

void TestJobRunner::slotThatIsGoneIsNotCalled() {
    JobRunner runner;
    bool applied = false;
    std::atomic<bool> release = false;
    {
        JobSlot slot(runner);
        slot.start(
            [&release](const CancelToken& cancel) {
                while (!release) std::this_thread::sleep_for(1ms);
                return cancel.cancelled();
            },
            [&applied](bool) { applied = true; });
        QTest::qWait(10);
    }
    release = true;
    QTRY_VERIFY(runner.idle());
    QVERIFY(!applied);
}

void TestJobRunner::workWithoutMemoryHasNoResult() {
    JobRunner runner;
    bool done = false;
    runner.start(
        QStringLiteral("too much"),
        [](ProgressSlot&, const CancelToken&) -> std::shared_ptr<const void> { throw std::bad_alloc(); },
        [&done](const std::shared_ptr<const void>& result) { done = result == nullptr; });
    QTRY_VERIFY(done);
    QVERIFY(runner.jobs().empty());
}

ALTI_TEST(TestJobRunner)
#include "tst_job_runner.moc"
