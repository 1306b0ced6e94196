#include "views/common/widgets/job_bar.h"

#include "tests/support/test_main.h"

#include <QLabel>
#include <QToolButton>

#include <thread>

using namespace altiscope;

class TestJobBar : public QObject {
    Q_OBJECT
private slots:
    void texts_data();
    void texts();
    void showsAndCancels();
};

void TestJobBar::texts_data() {
    QTest::addColumn<JobStatus>("job");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, ProgressPhase phase, std::uint64_t done, std::uint64_t total, double seconds,
                        bool cancelling, const char16_t* text) {
        QTest::newRow(name) << JobStatus{.id = 1,
                                         .title = QStringLiteral("level1"),
                                         .cancelling = cancelling,
                                         .progress = {.phase = phase, .done = done, .total = total, .file = {}},
                                         .secondsRunning = seconds}
                            << QString::fromUtf16(text);
    };
    row("amount unknown", ProgressPhase::Scanning, 0, 0, 1, false, u"level1: looking for files");
    row("an archive first", ProgressPhase::Expanding, 10, 100, 0.1, false, u"level1: unpacking 10 %");
    row("too early for a rate", ProgressPhase::Reading, 10, 100, 0.1, false, u"level1: reading 10 %");
    row("rate and time left", ProgressPhase::Reading, 400'000'000, 1'000'000'000, 2, false,
        u"level1: reading 40 % · 200 MB/s · 3 s left");
    row("all read", ProgressPhase::Sealing, 100, 100, 2, false, u"level1: indexing 100 %");
    row("asked to stop", ProgressPhase::Reading, 10, 100, 2, true, u"level1: stopping");
}

void TestJobBar::texts() {
    QFETCH(JobStatus, job);
    QTEST(jobText(job), "text");
}

void TestJobBar::showsAndCancels() {
    JobRunner runner;
    JobBar bar(runner);
    bar.show();
    const auto untilCancelled = [](ProgressSlot& progress, const CancelToken& cancel) -> std::shared_ptr<const void> {
        progress.setPhase(ProgressPhase::Reading);
        while (!cancel.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return nullptr;
    };
    runner.start(QStringLiteral("a"), untilCancelled, {});
    auto* text = bar.findChild<QLabel*>();
    QTRY_COMPARE(text->text(), QStringLiteral("a: reading"));
    runner.start(QStringLiteral("b"), untilCancelled, {});
    QCOMPARE(runner.jobs().size(), std::size_t{2});
    QToolButton* stop = nullptr;
    for (QToolButton* button : bar.findChildren<QToolButton*>()) {
        if (button->accessibleName() == QStringLiteral("Stop a")) stop = stop == nullptr ? button : stop;
    }
    QVERIFY(stop != nullptr);
    stop->click();
    QTRY_COMPARE(text->text(), QStringLiteral("b: reading"));
    runner.cancelAll();
    QTRY_VERIFY(!text->isVisible());
}

ALTI_TEST(TestJobBar)
#include "tst_job_bar.moc"
