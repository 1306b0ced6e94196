#include "core/capture/session/repeats.h"

#include "tests/support/test_main.h"
#include "tests/views/capture/record_stage.h"
#include "views/capture/form/job_form.h"
#include "views/capture/repeat_dialog.h"
#include "views/capture/runs/history_panel.h"
#include "views/capture/runs/repeat_runner.h"
#include "views/capture/runs/run_panel.h"
#include "views/capture/support/tone_label.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QSignalSpy>

#include <filesystem>
#include <memory>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr int kPatience = 120'000;

QAbstractButton* button(const QWidget& parent, const char* text) {
    for (auto* each : parent.findChildren<QAbstractButton*>()) {
        if (each->text().remove(QLatin1Char('&')) == QString::fromUtf8(text)) return each;
    }
    return nullptr;
}

bool says(const QWidget& page, const char* text) {
    for (const auto* label : page.findChildren<ToneLabel*>()) {
        if (label->isVisibleTo(&page) && label->text().contains(QString::fromUtf8(text))) return true;
    }
    return false;
}

/// A configuration that a job would look at, and a page that is ready to start.
struct RepeatStage : RecordStage {
    const QByteArray before = "{\"active\": 1}\n";
    std::string file = write("profiler_config.json", before), log = write("job.log", "per step time: 900 ms\n");

    RepeatStage() {
        page.resize(1280, 800);
        page.show();
        page.chooseMethod("torch-dynamic");
        page.setField("prof_dir", path("out").string());
        page.findChild<JobForm*>()->fill(file, folder.path().toStdString(), {}, {});
    }
    static capture::RepeatPlan plan() {
        capture::RepeatPlan plan;
        plan.times = 2;
        plan.pause = capture::kMinPause;
        plan.slowerThan = 300'000;
        plan.stepLog = "job.log";
        return plan;
    }
};

}  // namespace

class TestRepeatsPage : public QObject {
    Q_OBJECT
private slots:
    void waitsForASlowStepAndStartsThenUntilItIsCancelled();
    void recordsAgainAfterThePauseAndTakesNobodysViewAway();
    void stopsWhileItWaits();
    void aLogThatIsNotThereIsNamed();
    void windowGoesWhileItWaits();
    void onlyMethodsThatCanBeRepeatedOfferIt();
    void theDialogTakesWhatTheCommandLineTakes();
};

void TestRepeatsPage::waitsForASlowStepAndStartsThenUntilItIsCancelled() {
    RepeatStage stage;
    CapturePage& page = stage.page;
    QSignalSpy messages(&page, &CapturePage::statusMessage);
    page.startRepeats(RepeatStage::plan());
    QTRY_VERIFY_WITH_TIMEOUT(says(page, "Capture 1 of 2: Waiting until a step"), kPatience);
    QVERIFY(says(page, "300 ms"));
    QVERIFY(stage.store().list().empty());
    QCOMPARE(RecordStage::read(stage.file), stage.before);
    QFile log(QString::fromStdString(stage.log));
    QVERIFY(log.open(QIODevice::Append) && log.write("per step time: 301 ms\n") > 0);
    log.close();
    const auto* history = page.findChild<HistoryPanel*>();
    QTRY_VERIFY_WITH_TIMEOUT(history->current() != nullptr && history->current()->state == capture::State::Armed,
                             kPatience);
    QVERIFY(says(page, "Capture 1 of 2: it runs"));
    button(*page.findChild<RunPanel*>(), "Cancel")->click();
    // Nobody who cancels one wants the next.
    QTRY_VERIFY_WITH_TIMEOUT(page.findChild<RepeatRunner*>() == nullptr, kPatience);
    QVERIFY(messages.last()[0].toString().contains(QStringLiteral("no more are started")));
    QCOMPARE(stage.store().list().size(), std::size_t{1});
    QTRY_COMPARE_WITH_TIMEOUT(RecordStage::read(stage.file), stage.before, kPatience);
}

void TestRepeatsPage::recordsAgainAfterThePauseAndTakesNobodysViewAway() {
    RepeatStage stage;
    CapturePage& page = stage.page;
    for (const char* name : {"is_rank", "analyse", "async_mode"}) page.setField(name, "true");
    page.setField("rank_list", "0");
    QSignalSpy messages(&page, &CapturePage::statusMessage), opened(&page, &CapturePage::openRequested);
    capture::RepeatPlan plan = RepeatStage::plan();
    plan.slowerThan = 0;
    plan.stepLog.clear();
    page.startRepeats(plan);
    const auto* history = page.findChild<HistoryPanel*>();
    for (const std::string number : {"1", "2"}) {
        QTRY_VERIFY_WITH_TIMEOUT(says(page, ("Capture " + number + " of 2: it runs").c_str()), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(history->current() != nullptr && history->current()->state == capture::State::Armed,
                                 kPatience);
        const std::string name = "out/host_1_2026010112000012" + number + "_ascend_pt/";
        std::filesystem::create_directories(stage.path((name + "ASCEND_PROFILER_OUTPUT").c_str()));
        for (const char* file :
             {"profiler_info_0.json", "ASCEND_PROFILER_OUTPUT/trace_view.json", "ASCEND_PROFILER_OUTPUT/analyse.done"})
            QVERIFY(!stage.write((name + file).c_str(), "{}").empty());
    }
    QTRY_VERIFY_WITH_TIMEOUT(page.findChild<RepeatRunner*>() == nullptr, kPatience);
    QVERIFY2(messages.last()[0].toString().contains(QStringLiteral("Capture 2 of 2: done.")),
             qPrintable(messages.last()[0].toString()));
    const auto captures = stage.store().list();
    QCOMPARE(captures.size(), std::size_t{2});
    for (const auto& one : captures) {
        QCOMPARE(one.state, capture::State::Done);
        QCOMPARE(one.targets[0].ranks.size(), std::size_t{1});
        QVERIFY(!one.targets[0].fetched.empty());
    }
    QCOMPARE(opened.size(), 0);
    QCOMPARE(RecordStage::read(stage.file), stage.before);
}

void TestRepeatsPage::stopsWhileItWaits() {
    RepeatStage stage;
    QVERIFY(button(stage.page, "Series…")->isEnabled());
    stage.page.startRepeats(RepeatStage::plan());
    QTRY_VERIFY_WITH_TIMEOUT(says(stage.page, "Waiting until"), kPatience);
    button(stage.page, "Stop the series")->click();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.findChild<RepeatRunner*>() == nullptr, 2000);
    QVERIFY(!says(stage.page, "Waiting until"));
    QVERIFY(button(stage.page, "Series…")->isEnabled());
    QVERIFY(stage.store().list().empty());
}

void TestRepeatsPage::aLogThatIsNotThereIsNamed() {
    RepeatStage stage;
    QSignalSpy messages(&stage.page, &CapturePage::statusMessage);
    capture::RepeatPlan plan = RepeatStage::plan();
    plan.stepLog = "none.log";
    stage.page.startRepeats(plan);
    QTRY_VERIFY_WITH_TIMEOUT(!messages.isEmpty(), kPatience);
    QVERIFY(messages.last()[0].toString().contains(QStringLiteral("none.log")));
    QTRY_VERIFY(stage.page.findChild<RepeatRunner*>() == nullptr);
}

void TestRepeatsPage::windowGoesWhileItWaits() {
    RepeatStage stage;
    auto page = std::make_unique<CapturePage>(stage.session, ViewMemory(), stage.captures());
    page->show();
    page->chooseMethod("torch-dynamic");
    page->setField("prof_dir", stage.path("out").string());
    page->findChild<JobForm*>()->fill(stage.file, stage.folder.path().toStdString(), {}, {});
    page->startRepeats(RepeatStage::plan());
    QTRY_VERIFY_WITH_TIMEOUT(says(*page, "Waiting until"), kPatience);
    QElapsedTimer timer;
    timer.start();
    page.reset();
    QVERIFY2(timer.elapsed() < 2000, "the window waited for what was waiting");
    QVERIFY(stage.store().list().empty());
    QCOMPARE(RecordStage::read(stage.file), stage.before);
}

void TestRepeatsPage::onlyMethodsThatCanBeRepeatedOfferIt() {
    RepeatStage stage;
    stage.page.setField("start_step", "7");
    QVERIFY(!button(stage.page, "Series…")->isEnabled());
    QVERIFY(button(stage.page, "Series…")->toolTip().contains(QStringLiteral("start_step must be -1")));
    stage.page.chooseMethod("mindspore-dynamic");
    QVERIFY(!button(stage.page, "Series…")->isEnabled());
    stage.page.chooseMethod("llm-flags");
    QVERIFY(!button(stage.page, "Series…")->isVisible());
}

void TestRepeatsPage::theDialogTakesWhatTheCommandLineTakes() {
    QVariantMap values;
    const ViewMemory memory{[&values](const QString& name) { return values.value(name); },
                            [&values](const QString& name, const QVariant& value) { values.insert(name, value); }};
    RepeatDialog dialog(memory, nullptr);
    capture::RepeatPlan taken;
    connect(&dialog, &RepeatDialog::chosen, this, [&taken](const capture::RepeatPlan& plan) { taken = plan; });
    auto* slow = dialog.findChild<QCheckBox*>();
    auto* log = dialog.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(button(dialog, "Start")->isEnabled() && !log->isEnabled());
    slow->setChecked(true);
    // Without a log nothing would ever be slow.
    QVERIFY(!button(dialog, "Start")->isEnabled());
    log->setText(QStringLiteral(" job.log "));
    button(dialog, "Start")->click();
    QCOMPARE(taken.times, std::int64_t{3});
    QCOMPARE(taken.slowerThan, std::int64_t{1'000'000});
    QCOMPARE(taken.stepLog, std::string("job.log"));
    const RepeatDialog again(memory, nullptr);
    QVERIFY(again.findChild<QCheckBox*>()->isChecked());
}

ALTI_TEST(TestRepeatsPage)
#include "tst_repeats_page.moc"
