#include "views/capture/jobs_dialog.h"

#include "tests/support/test_main.h"
#include "tests/views/capture/record_stage.h"
#include "views/capture/form/field_editor.h"
#include "views/capture/form/job_form.h"
#include "views/capture/form/target_list.h"

#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace altiscope;
using namespace altiscope::test;
using capture::RunningJob;
using capture::RunningJobs;

namespace {

constexpr int kPatience = 120'000;

RunningJob rankOf(std::int64_t process, std::int64_t rank) {
    RunningJob job;
    job.process = process;
    job.rank = rank;
    job.ranks = 2;
    job.user = "alice";
    job.workdir = "/data/run 1";
    job.command = {"python3", "train.py"};
    job.isReadable = true;
    return job;
}

QPushButton* useButton(const QWidget& dialog) {
    for (auto* button : dialog.findChildren<QPushButton*>()) {
        if (button->text() == QStringLiteral("&Use")) return button;
    }
    return nullptr;
}

/// The upper list, and the lower one.
QTreeWidget* table(const QWidget& dialog, int which) { return dialog.findChildren<QTreeWidget*>()[which]; }

QStringList texts(const QTreeWidget& tree, int column) {
    QStringList all;
    for (int i = 0; i < tree.topLevelItemCount(); ++i) all << tree.topLevelItem(i)->text(column);
    return all;
}

}  // namespace

class TestJobsDialog : public QObject {
    Q_OBJECT
private slots:
    void methodsThatCanRecordAreOfferedAndOthersSayWhy();
    void aHostThatDoesNotAnswerIsNamedBesideTheJobsOfOthers();
    void textsOfAHostCannotActOnTheWindow();
    void keyboardAloneIsEnough();
    void aRunningJobFillsTheForm();
    void whatIsUsedTicksItsTarget();
};

void TestJobsDialog::methodsThatCanRecordAreOfferedAndOthersSayWhy() {
    JobRunner jobs;
    JobsDialog dialog(jobs, "mindspore-dynamic", nullptr);
    RunningJob watched = rankOf(41, 0), attachable = rankOf(42, 1);
    watched.torchConfig = "/cfg/profiler_config.json";
    attachable.variables = {{"PROFILING_MODE", "dynamic"}};
    dialog.showRows(JobsDialog::rowsOf({"local"}, {RunningJobs{{watched, attachable}, 0}}));
    QCOMPARE(texts(*table(dialog, 0), 1), (QStringList{QStringLiteral("0 of 2"), QStringLiteral("1 of 2")}));
    QSignalSpy chosen(&dialog, &JobsDialog::chosen);
    // What is proposed is the method that can, whatever was preferred.
    QVERIFY(table(dialog, 1)->currentItem()->text(0).contains(QStringLiteral("torch-dynamic")));
    QVERIFY(useButton(dialog)->isEnabled());
    table(dialog, 0)->setCurrentItem(table(dialog, 0)->topLevelItem(1));
    QVERIFY(table(dialog, 1)->currentItem()->text(0).contains(QStringLiteral("msprof-attach")));
    QCOMPARE(table(dialog, 1)->currentItem()->text(1), QStringLiteral("pid = 42"));
    // One that cannot says why, and cannot be used.
    for (int i = 0; i < table(dialog, 1)->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = table(dialog, 1)->topLevelItem(i);
        QVERIFY(!item->text(1).isEmpty());
        table(dialog, 1)->setCurrentItem(item);
        QCOMPARE(useButton(dialog)->isEnabled(), item->text(0).contains(QStringLiteral("msprof-attach")));
    }
    QVERIFY(texts(*table(dialog, 1), 1).join(u'\n').contains(QStringLiteral("PROFILING_MODE")));
    QCOMPARE(chosen.size(), 0);
}

void TestJobsDialog::aHostThatDoesNotAnswerIsNamedBesideTheJobsOfOthers() {
    JobRunner jobs;
    JobsDialog dialog(jobs, "torch-dynamic", nullptr);
    dialog.showRows(JobsDialog::rowsOf({"one", "two", "three"},
                                       {Error{"capture.remote.timeout", {}, {}, {{"host", "one"}, {"seconds", "60"}}},
                                        RunningJobs{{rankOf(41, 0)}, 3}, RunningJobs{}}));
    QString summary = dialog.findChild<QLabel*>()->text();
    for (const char* part : {"one", "3 more processes on two", "No running job was found on three"})
        QVERIFY2(summary.contains(QString::fromUtf8(part)), qPrintable(summary));
    QCOMPARE(texts(*table(dialog, 0), 0), QStringList{QStringLiteral("two")});
    QVERIFY2(!summary.contains(QStringLiteral("could not be looked into")), qPrintable(summary));
    // What nobody may look into may be a job, also where none was found.
    dialog.showRows(JobsDialog::rowsOf({"one"}, {RunningJobs{{}, 0, 7}}));
    summary = dialog.findChild<QLabel*>()->text();
    QVERIFY2(summary.contains(QStringLiteral("7 processes of Python on one could not be looked into")),
             qPrintable(summary));
    QCOMPARE(table(dialog, 1)->topLevelItemCount(), 0);
    QVERIFY(!useButton(dialog)->isEnabled());
}

void TestJobsDialog::textsOfAHostCannotActOnTheWindow() {
    JobRunner jobs;
    JobsDialog dialog(jobs, "torch-dynamic", nullptr);
    RunningJob job = rankOf(41, 0);
    job.command = {"python3", "<b>x</b>\n\x1b[2J\u202e", "--password", "hunter2"};
    job.workdir = "/a\nb";
    dialog.showRows(JobsDialog::rowsOf({"local"}, {RunningJobs{{job}, 0}}));
    const QTreeWidgetItem* row = table(dialog, 0)->topLevelItem(0);
    for (int column : {5, 6}) {
        QVERIFY(!row->text(column).contains(u'\n'));
        QVERIFY(!row->text(column).contains(QChar(0x1b)));
        QVERIFY(!row->text(column).contains(QChar(0x202e)));
    }
    QVERIFY(!row->text(6).contains(QStringLiteral("hunter2")));
    QVERIFY(!row->toolTip(6).contains(QStringLiteral("<b>")));
}

void TestJobsDialog::keyboardAloneIsEnough() {
    JobRunner jobs;
    JobsDialog dialog(jobs, "torch-dynamic", nullptr);
    RunningJob first = rankOf(41, 0), second = rankOf(42, 1);
    first.torchConfig = second.torchConfig = "/cfg/profiler_config.json";
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    dialog.showRows(JobsDialog::rowsOf({"local"}, {RunningJobs{{first, second}, 0}}));
    QSignalSpy chosen(&dialog, &JobsDialog::chosen);
    QCOMPARE(dialog.focusWidget(), table(dialog, 0));
    QTest::keyClick(table(dialog, 0), Qt::Key_Down);
    QTest::keyClick(table(dialog, 0), Qt::Key_Tab);
    QCOMPARE(dialog.focusWidget(), table(dialog, 1));
    QTest::keyClick(table(dialog, 1), Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    const auto choice = chosen[0][0].value<JobsDialog::Choice>();
    QCOMPARE(choice.workdir, std::string("/data/run 1"));
    QCOMPARE(choice.method.file, std::string("/cfg/profiler_config.json"));
    QVERIFY(!dialog.isVisible());
}

/// A process that is really there, from the button to the form.
void TestJobsDialog::aRunningJobFillsTheForm() {
    RecordStage stage;
    QProcess job;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PROF_CONFIG_PATH"), stage.folder.path());
    environment.insert(QStringLiteral("MSMONITOR_USE_DAEMON"), QStringLiteral("0"));
    job.setProcessEnvironment(environment);
    job.setWorkingDirectory(stage.folder.path());
    job.start(QStringLiteral("python3"),
              {QStringLiteral("-c"), QStringLiteral("import time; print(1, flush=True); time.sleep(1000)")});
    QVERIFY(job.waitForReadyRead(kPatience));
    stage.page.resize(1280, 800);
    stage.page.show();
    stage.page.chooseMethod("msprof-attach");
    auto* form = stage.page.findChild<JobForm*>();
    auto* find = form->findChild<QPushButton*>();
    QVERIFY(find->isVisible());
    find->click();
    const auto* dialog = stage.page.findChild<JobsDialog*>();
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->busy() && table(*dialog, 0)->topLevelItemCount() > 0, kPatience);
    const auto rows = table(*dialog, 0)->findItems(QString::number(job.processId()), Qt::MatchExactly, 2);
    QCOMPARE(rows.size(), 1);
    table(*dialog, 0)->setCurrentItem(rows.front());
    useButton(*dialog)->click();
    QCOMPARE(form->file(), stage.folder.path().toStdString() + "/profiler_config.json");
    QCOMPARE(form->workdir(), std::filesystem::canonical(stage.folder.path().toStdString()).string());
    QCOMPARE(stage.page.form().settings.method().name, std::string_view("torch-dynamic"));
    QTRY_VERIFY(stage.page.findChild<JobsDialog*>() == nullptr);
    // A method that acts only when a job starts has no use for it.
    stage.page.chooseMethod("llm-flags");
    QVERIFY(!find->isVisible());
    job.kill();
    job.waitForFinished();
}

/// The host of the job and no other, its container where it is in one; unless all that are ticked show the same file.
void TestJobsDialog::whatIsUsedTicksItsTarget() {
    RecordStage stage;
    auto* targets = stage.page.findChild<TargetList*>();
    stage.page.resize(1280, 800);
    stage.page.show();
    const auto use = [&](const RunningJob& here, const RunningJob& there) {
        stage.page.findChild<JobForm*>()->findChild<QPushButton*>()->click();
        auto* dialog = stage.page.findChild<JobsDialog*>();
        if (!QTest::qWaitFor([&] { return !dialog->busy(); }, kPatience)) return;
        dialog->showRows(JobsDialog::rowsOf({"local", "node7"}, {RunningJobs{{here}, 0}, RunningJobs{{there}, 0}}));
        table(*dialog, 0)->setCurrentItem(table(*dialog, 0)->topLevelItem(1));
        useButton(*dialog)->click();
        // It goes with the next round of events.
        (void)QTest::qWaitFor([&] { return stage.page.findChild<JobsDialog*>() == nullptr; }, kPatience);
    };
    using Names = std::vector<std::string>;
    RunningJob idle = rankOf(41, 0), watched = rankOf(42, 1);
    watched.torchConfig = "/cfg/profiler_config.json";
    QCOMPARE(targets->chosen(), Names{"local"});
    use(idle, watched);
    QCOMPARE(targets->chosen(), Names{"node7"});
    RunningJob contained = watched;
    contained.isContained = true;
    contained.container = {"docker", "0123456789ab"};
    use(idle, contained);
    QCOMPARE(targets->chosen(), Names{"node7/docker:0123456789ab"});
    targets->choose({QStringLiteral("local"), QStringLiteral("node7")});
    use(watched, watched);
    QCOMPARE(targets->chosen(), (Names{"local", "node7"}));
}

ALTI_TEST(TestJobsDialog)
#include "tst_jobs_dialog.moc"
