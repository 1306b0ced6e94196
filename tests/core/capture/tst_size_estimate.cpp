#include "core/capture/session/size_estimate.h"

#include "core/capture/methods/method.h"
#include "core/capture/methods/validation.h"
#include "core/capture/session/expectation.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace altiscope;
using namespace altiscope::capture;

namespace {

std::vector<Assignment> assignmentsOf(const QString& text) {
    std::vector<Assignment> made;
    for (const QString& one : text.split(u' ', Qt::SkipEmptyParts))
        made.emplace_back(one.section(u'=', 0, 0).toStdString(), one.section(u'=', 1).toStdString());
    return made;
}

Settings settings(const char* method, const QString& text) {
    SettingProblems ignored;
    return makeSettings(*findMethod(method), assignmentsOf(text), nullptr, ignored);
}

/// One that has written 1000 bytes on each target.
CaptureRecord former(const char* method, const QString& text, std::size_t targets = 1) {
    CaptureRecord record;
    record.id = "before";
    record.method = method;
    record.assignments = assignmentsOf(text);
    record.launch = "sh train.sh";
    record.state = State::Done;
    record.expectedRanks = expectationOf(settings(method, text)).ranks;
    for (std::size_t i = 0; i < targets; ++i) {
        TargetRecord target;
        target.name = i == 0 ? "local" : "host" + std::to_string(i);
        target.workdir = "/data/me";
        target.config = "/data/me/tools.json";
        target.ranks.push_back({"/data/me/out/r", 0, State::Done, {}, 1000});
        record.targets.push_back(target);
    }
    return record;
}

SizeQuery query(std::size_t targets = 1) {
    return {"local", "/data/me", "/data/me/tools.json", "sh train.sh", targets};
}

/// -1: nothing can be said.
double bytes(const char* method, const QString& now, const SizeQuery& query, const CaptureRecord& record) {
    const auto size = estimateSize(settings(method, now), query, {&record, 1});
    return size ? static_cast<double>(size->bytes) : -1;
}

const QString kSteps = QStringLiteral("start_step=3 end_step=5 ");

}  // namespace

class TestSizeEstimate : public QObject {
    Q_OBJECT
private slots:
    void stepsAndRanksOfOneTarget() {
        const CaptureRecord record = former("mm-static", kSteps + QStringLiteral("ranks=0,1"));
        const auto size = [&record](const char* now) {
            return bytes("mm-static", QString::fromUtf8(now), query(), record);
        };
        QCOMPARE(size("start_step=3 end_step=5 ranks=0,1"), 1000.0);
        QCOMPARE(size("start_step=3 end_step=8 ranks=0,1"), 2500.0);
        QCOMPARE(size("start_step=3 end_step=5 ranks=4,5,6"), 1500.0);
        // The same rank twice is one.
        QCOMPARE(size("start_step=3 end_step=5 ranks=7,7"), 500.0);
        QCOMPARE(size("start_step=3 end_step=5 ranks=-1"), -1.0);
    }

    /// On which of them a rank is nobody knows: only the same ranks write the same there.
    void ranksOfSeveralTargetsAreNotScaled() {
        const CaptureRecord record = former("mm-static", kSteps + QStringLiteral("ranks=0,8"), 2);
        const auto size = [&record](const char* ranks, std::size_t targets) {
            return bytes("mm-static", kSteps + QString::fromUtf8(ranks), query(targets), record);
        };
        QCOMPARE(size("ranks=0,8", 2), 1000.0);
        QCOMPARE(size("ranks=8,0 end_step=7", 2), 2000.0);
        QCOMPARE(size("ranks=0,1", 2), -1.0);
        QCOMPARE(size("ranks=0", 2), -1.0);
        QCOMPARE(size("ranks=0,8", 1), -1.0);
    }

    void anotherJobSaysNothing() {
        const CaptureRecord record = former("mm-static", kSteps + QStringLiteral("ranks=0"));
        const QString now = kSteps + QStringLiteral("ranks=0");
        QCOMPARE(bytes("mm-static", now, query(), record), 1000.0);
        SizeQuery other = query();
        other.config = "/data/me/other.json";
        QCOMPARE(bytes("mm-static", now, other, record), -1.0);
        other = query();
        other.launch = "sh other.sh";
        QCOMPARE(bytes("mm-static", now, other, record), -1.0);
        other = query();
        other.workdir = "/elsewhere";
        QCOMPARE(bytes("mm-static", now, other, record), -1.0);
        other = query();
        other.target = "host1";
        QCOMPARE(bytes("mm-static", now, other, record), -1.0);
        CaptureRecord failed = record;
        failed.state = State::Failed;
        QCOMPARE(bytes("mm-static", now, query(), failed), -1.0);
    }

    /// Which and how many processes record is part of what is recorded.
    void otherProcessesOfADaemonSayNothing() {
        const CaptureRecord record = former("dyno-nputrace", QStringLiteral("iterations=2 pids=41 job_id=7"));
        const auto size = [&record](const char* now) {
            return bytes("dyno-nputrace", QString::fromUtf8(now), query(), record);
        };
        QCOMPARE(size("iterations=3 pids=41 job_id=7"), 1500.0);
        QCOMPARE(size("iterations=2 pids=41,42 job_id=7"), -1.0);
        QCOMPARE(size("iterations=2 pids=41 job_id=8"), -1.0);
    }

    void aHugeNumberOfStepsIsNoSmallSize() {
        const CaptureRecord record = former("torch-dynamic", QStringLiteral("active=1"));
        CaptureRecord large = record;
        large.targets[0].ranks[0].bytes = std::uint64_t{1} << 62;
        QCOMPARE(bytes("torch-dynamic", QStringLiteral("active=1000000000"), query(), large), 1e18);
        QCOMPARE(bytes("torch-dynamic", QStringLiteral("active=3"), query(), record), 3000.0);
    }

    /// Whether the history is read at all depends on it.
    void methodsThatCountSteps() {
        int counted = 0;
        for (const Method& method : methods()) {
            const bool counts = countsSteps(method);
            const char* sets = "profile_step_start=1 profile_step_end=2 start_step=1 stop_step=2 end_step=2 active=1 "
                               "iterations=1 num_steps=1";
            SettingProblems ignored;
            QCOMPARE(recordedStepCount(makeSettings(method, assignmentsOf(QString::fromUtf8(sets)), nullptr, ignored))
                         .has_value(),
                     counts);
            counted += counts ? 1 : 0;
        }
        QVERIFY(counted >= 6);
    }

    void resultsThatAreWaitedFor_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("set");
        QTest::addColumn<int>("expected");
        const auto row = [](const char* name, const char* method, const char* set, int expected) {
            QTest::addRow("%s", name) << QString::fromUtf8(method) << QString::fromUtf8(set) << expected;
        };
        row("two stages", "rl-yaml", "stage=actor_generate,actor_update profile_step_start=2 profile_step_end=4", 4);
        row("a stage twice is one", "rl-yaml",
            "stage=actor_update,actor_update profile_step_start=2 profile_step_end=3", 1);
        row("repetitions", "mindspore-api", "repeat=3", 3);
        row("as often as fits", "mindspore-api", "repeat=0", 0);
    }
    void resultsThatAreWaitedFor() {
        QFETCH(const QString, method);
        QFETCH(const QString, set);
        QTEST(static_cast<int>(expectationOf(settings(method.toUtf8().constData(), set)).resultsPerRank), "expected");
    }
};

ALTI_TEST(TestSizeEstimate)
#include "tst_size_estimate.moc"
