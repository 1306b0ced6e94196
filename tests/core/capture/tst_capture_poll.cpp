#include "core/capture/session/capture_run.h"

#include "tests/core/capture/ssh_standin.h"
#include "tests/support/test_main.h"

#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

using namespace altiscope;
using namespace altiscope::capture;
namespace fs = std::filesystem;

namespace {

/// In the place of OpenSSH: every host is this machine, until a file "down" lies beside it.
constexpr const char* kSshToHere = R"sh([ ! -e "$(dirname "$0")/down" ] || exit 255
exec sh -c "$word")sh";

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

/// Field 22 of /proc/PID/stat, as the script of the job has noted it. The name of this program has no spaces.
std::string startOfThisProcess() {
    std::ifstream stat("/proc/self/stat");
    std::string word;
    for (int i = 0; i < 22; ++i) stat >> word;
    return word;
}

bool hasNoted(const CaptureRecord& record, const char* code) {
    return std::any_of(record.events.begin(), record.events.end(),
                       [code](const Event& event) { return event.message.code == code; });
}

}  // namespace

class TestCapturePoll : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QByteArray m_path = qgetenv("PATH");
    fs::path folder() const { return m_folder.path().toStdString(); }
    CaptureRecord runningJob(const char* name, const std::string& log) const;
private slots:
    void initTestCase();
    void cleanupTestCase() { qputenv("PATH", m_path); }
    void aMissingStageIsNamedAtTheHostOfItsRank();
    void aFaultReplacesWhatStepsSaidBefore_data();
    void aFaultReplacesWhatStepsSaidBefore();
    void aStepThatIsOverIsReportedAlsoWhenLinesOfStepsFollow();
    void aTracebackBetweenTwoProcessesThatWatchIsNotLost();
};

void TestCapturePoll::initTestCase() {
    const fs::path ssh = folder() / "ssh";
    std::ofstream(ssh) << test::sshStandIn(kSshToHere);
    fs::permissions(ssh, fs::perms::owner_all);
    qputenv("PATH", m_folder.path().toLocal8Bit() + ':' + m_path);
}

/// A job on one host that this program has started, and that runs: this process.
CaptureRecord TestCapturePoll::runningJob(const char* name, const std::string& log) const {
    const fs::path job = folder() / name / "job";
    write(job / "job.pid", std::to_string(::getpid()) + "\n");
    write(job / "job.start", startOfThisProcess() + "\n");
    write(job / "job.log", log);
    CaptureRecord record;
    record.method = "llm-flags";
    record.assignments = {{"profile_step_start", "100"}, {"profile_step_end", "102"}};
    record.state = State::Armed;
    record.started = nowNs();
    record.targets.emplace_back();
    TargetRecord& target = record.targets.back();
    target.name = "node1";
    target.state = State::Armed;
    target.results = (folder() / name / "results").string();
    target.jobFolder = job.string();
    return record;
}

void TestCapturePoll::aMissingStageIsNamedAtTheHostOfItsRank() {
    const RecordStore store(folder() / "captures");
    CaptureRecord record;
    record.method = "rl-yaml";
    record.state = State::Recording;
    record.started = nowNs();
    record.expectedRanks = {0, 1};
    record.resultsPerRank = 2;
    for (const int host : {0, 1}) {
        const fs::path base = folder() / "stages" / std::to_string(host);
        write(base / "job/job.rc", "0\n");
        // Of rank 1, on the second host, only the first stage has come.
        for (int stage = 0; stage < 2 - host; ++stage) {
            const fs::path result =
                base / "results" / ("node_7_2026010112000" + std::to_string(stage) + "120_ascend_pt");
            write(result / ("profiler_info_" + std::to_string(host) + ".json"), "{}");
            write(result / "ASCEND_PROFILER_OUTPUT/trace_view.json", "[]");
            write(result / "ASCEND_PROFILER_OUTPUT/analyse.done", "");
        }
        record.targets.emplace_back();
        record.targets.back().name = "node" + std::to_string(host + 1);
        record.targets.back().state = State::Recording;
        record.targets.back().results = (base / "results").string();
        record.targets.back().jobFolder = (base / "job").string();
    }
    QVERIFY(store.create(record).ok());
    CaptureRun run(store, record, {});
    for (int looks = 0; looks < 100; ++looks) {
        const auto looked = run.poll();
        QVERIFY(looked.ok());
        if (!looked.value()) break;
    }
    QCOMPARE(stateText(run.record().state), std::string_view("failed"));
    std::vector<Event> missing;
    std::copy_if(run.record().events.begin(), run.record().events.end(), std::back_inserter(missing),
                 [](const Event& event) { return event.message.code.ends_with("_missing"); });
    QCOMPARE(missing.size(), std::size_t{1});
    QCOMPARE(missing[0].message.code, std::string("capture.result.some_missing"));
    QCOMPARE(missing[0].rank, std::optional<std::int64_t>(1));
    QCOMPARE(missing[0].host, std::string("node2"));
}

void TestCapturePoll::aFaultReplacesWhatStepsSaidBefore_data() {
    QTest::addColumn<bool>("isLost");
    QTest::addColumn<QString>("code");
    QTest::newRow("the connection is lost") << true << "capture.event.connection_lost";
    QTest::newRow("the job has failed") << false << "capture.result.nothing";
}

void TestCapturePoll::aFaultReplacesWhatStepsSaidBefore() {
    QFETCH(const bool, isLost);
    QFETCH(const QString, code);
    const RecordStore store(folder() / "captures");
    CaptureRecord record = runningJob(isLost ? "lost" : "failed", " iteration        3/     500 | elapsed time\n");
    QVERIFY(store.create(record).ok());
    {
        CaptureRun run(store, record, {});
        QVERIFY(run.poll().ok());
        QCOMPARE(run.record().targets[0].steps.code, std::string("capture.steps.until"));
        record = run.record();
    }
    if (isLost) write(folder() / "down", "");
    else {
        std::ofstream(fs::path(record.targets[0].jobFolder) / "job.log", std::ios::app)
            << "RuntimeError: out of memory\n iteration        4/     500 | elapsed time\n";
        write(fs::path(record.targets[0].jobFolder) / "job.rc", "1\n");
    }
    // Whoever goes on with it has the sentence in the record.
    CaptureRun next(store, record, {});
    const auto looked = next.poll();
    for (int looks = 0; looks < 100 && !isLost && !isOver(next.record().state); ++looks) QVERIFY(next.poll().ok());
    fs::remove(folder() / "down");
    QVERIFY(looked.ok());
    QCOMPARE(next.record().targets[0].steps.code, std::string());
    QVERIFY(hasNoted(next.record(), code.toUtf8().constData()));
}

/// The last line of its output is another one at each look.
void TestCapturePoll::aStepThatIsOverIsReportedAlsoWhenLinesOfStepsFollow() {
    const RecordStore store(folder() / "captures");
    for (const bool isOver : {true, false}) {
        std::string log = isOver ? "[WARN] start step 3 is over, --password hunter2\n" : "epoch 1 is over\n";
        for (int step = 4; step < 20; ++step) log += " iteration " + std::to_string(step) + "/ 500\n";
        CaptureRecord record = runningJob(isOver ? "over" : "fine", log);
        record.method = "torch-dynamic";
        record.assignments = {};
        record.targets[0].config = (folder() / "profiler_config.json").string();
        record.targets[0].isConfigChanged = true;
        QVERIFY(store.create(record).ok());
        CaptureRun run(store, record, {});
        QVERIFY(run.poll().ok());
        QCOMPARE(hasNoted(run.record(), "capture.diagnosis.step_over"), isOver);
        for (const Event& event : run.record().events) {
            for (const auto& [name, value] : event.message.parameters)
                QVERIFY(value.find("hunter2") == std::string::npos);
        }
    }
}

/// The job runs when the capture begins; it fails, and is gone, before another process goes on with the capture.
void TestCapturePoll::aTracebackBetweenTwoProcessesThatWatchIsNotLost() {
    const RecordStore store(folder() / "captures");
    const fs::path output = folder() / "between" / "job.out";
    write(output, "Traceback (most recent call last):\nKeyError: of another run\nstep: 1\n");
    QProcess job;
    job.setStandardOutputFile(QString::fromStdString(output.string()), QIODevice::Append);
    job.start(QStringLiteral("sleep"), {QStringLiteral("600")});
    QVERIFY(job.waitForStarted());
    CaptureRecord record = runningJob("between", {});
    record.method = "torch-dynamic";
    record.assignments = {};
    record.targets[0].jobFolder.clear();
    record.targets[0].config = (folder() / "between" / "profiler_config.json").string();
    record.targets[0].isConfigChanged = true;
    record.targets[0].processes = {job.processId()};
    QVERIFY(store.create(record).ok());
    {
        CaptureRun run(store, record, {});
        QVERIFY(run.poll().ok());
        QCOMPARE(stateText(run.record().state), std::string_view("armed"));
        record = recordOfJson(recordJson(run.record())).value();
    }
    std::ofstream(output, std::ios::app) << "Traceback (most recent call last):\n  File \"a.py\", line 1\n"
                                         << "ValueError: no data\n";
    job.kill();
    QVERIFY(job.waitForFinished());
    CaptureRun next(store, record, {});
    for (int looks = 0; looks < 100 && !isOver(next.record().state); ++looks) QVERIFY(next.poll().ok());
    QCOMPARE(stateText(next.record().state), std::string_view("failed"));
    const auto reason = std::find_if(next.record().events.begin(), next.record().events.end(), [](const Event& event) {
        return event.message.code == "capture.result.job_gone_by";
    });
    QVERIFY(reason != next.record().events.end());
    QCOMPARE(reason->message.parameters[0].second, std::string("ValueError: no data"));
    // Lines of a job may hold secrets: the record has none of them.
    QVERIFY(recordJson(record).find("another run") == std::string::npos);
}

ALTI_TEST(TestCapturePoll)
#include "tst_capture_poll.moc"
