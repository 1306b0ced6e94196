#include "tests/support/test_main.h"
#include "tests/views/capture/record_stage.h"
#include "views/capture/form/job_form.h"

#include <QProcess>
#include <QSignalSpy>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr int kPatience = 240'000;

}  // namespace

/// A job that stands for a real one, from the start button to the results. Jobs are waited for: only where those tests
/// are wanted (ALTI_JOB_TESTS).
class TestLocalJob : public QObject {
    Q_OBJECT
private slots:
    void launchedRecordedFetchedOpened();
};

void TestLocalJob::launchedRecordedFetchedOpened() {
    RecordStage stage;
    const QString samples = stage.folder.filePath(QStringLiteral("samples"));
    QCOMPARE(QProcess::execute(qEnvironmentVariable("ALTI_CLI"),
                               {QStringLiteral("generate"), samples, QStringLiteral("--ranks"), QStringLiteral("2"),
                                QStringLiteral("--steps"), QStringLiteral("1"), QStringLiteral("--layers"),
                                QStringLiteral("1"), QStringLiteral("--quiet")}),
             0);
    const QString job = qEnvironmentVariable("ALTI_SOURCE_DIR") + QStringLiteral("/tests/support/standin/job.py");
    const QString command = QStringLiteral("python3 '%1' llm --samples '%2' --ranks 0,1 --steps 30").arg(job, samples);
    stage.page.show();
    stage.page.chooseMethod("llm-flags");
    stage.page.setField("profile_ranks", "0,1");
    stage.page.setField("profile_step_start", "3");
    stage.page.setField("profile_step_end", "5");
    std::filesystem::create_directory(stage.path("work"));
    stage.page.findChild<JobForm*>()->fill({}, stage.path("work").string(), command.toStdString(), {});
    QSignalSpy opened(&stage.page, &CapturePage::openRequested);
    stage.page.start();
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
    const auto records = stage.store().list();
    QCOMPARE(records.size(), std::size_t{1});
    QVERIFY(records[0].state == capture::State::Done);
    QCOMPARE(records[0].targets[0].ranks.size(), std::size_t{2});
    QCOMPARE(opened[0][0].toStringList().front().toStdString(), stage.store().resultsOf(records[0]).string());
    // What the window calls it: two captures have two names.
    QVERIFY(stage.store().resultsOf(records[0]).filename().string().starts_with("llm-flags 20"));
    const CaptureId id = stage.session.open(opened[0][0].toStringList().front());
    QTRY_VERIFY_WITH_TIMEOUT(stage.session.capture(id)->job == 0, kPatience);
    QVERIFY(!stage.session.capture(id)->error);
    QCOMPARE(stage.session.capture(id)->store->ranks.size(), std::size_t{2});
}

#ifdef ALTI_JOB_TESTS
ALTI_TEST(TestLocalJob)
#endif
#include "tst_local_job.moc"
