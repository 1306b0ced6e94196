#include "core/capture/session/state_table.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <iterator>
#include <optional>
#include <string>

using namespace altiscope;
using namespace altiscope::capture;

class TestStateTable : public QObject {
    Q_OBJECT
private slots:
    void jobs_data();
    void jobs();
    void targets_data();
    void targets();
    void hosts_data();
    void hosts();
    void captures_data();
    void captures();
    void aMonitorIsJudgedByItsDaemonAlone();
};

namespace {

struct JobRow {
    const char* name;
    JobFacts facts;
    JobState expected;
};
const JobRow kJobs[] = {
    {"ours: runs", {.isOurs = true}, JobState::Runs},
    {"ours: ended well", {.isOurs = true, .status = 0}, JobState::EndedWell},
    {"ours: failed", {.isOurs = true, .status = 3}, JobState::Failed},
    {"ours: killed", {.isOurs = true, .hasVanished = true}, JobState::Failed},
    {"ours: its processes are not counted", {.isOurs = true, .areProcessesGone = true}, JobState::Runs},
    {"a call: the service goes on writing", {.isOurs = true, .status = 0, .isCall = true}, JobState::Runs},
    {"a call: nothing is written any more",
     {.isOurs = true, .status = 0, .isCall = true, .areResultsStill = true},
     JobState::EndedWell},
    {"a call that failed", {.isOurs = true, .status = 1, .isCall = true}, JobState::Failed},

    {"unknown processes: may still come", {}, JobState::Unknown},
    {"unknown processes: a word of before does not stand", {.before = JobState::Failed}, JobState::Unknown},
    {"unknown processes: results of some that are gone may still change",
     {.areResultsOrphaned = true, .hasResults = true},
     JobState::Unknown},
    {"unknown processes: results are left",
     {.areResultsOrphaned = true, .hasResults = true, .areResultsStill = true},
     JobState::Failed},
    {"unknown processes: results of one that runs", {.hasResults = true, .areResultsStill = true}, JobState::Unknown},
    {"unknown processes of another kind: as before",
     {.before = JobState::EndedWell,
      .areResultsOrphaned = true,
      .hasResults = true,
      .areResultsStill = true,
      .kind = ResultKind::Snapshots},
     JobState::EndedWell},

    {"known processes: run", {.areProcessesKnown = true}, JobState::Runs},
    {"known processes: gone, and nothing came",
     {.areProcessesKnown = true, .areProcessesGone = true},
     JobState::Failed},
    {"known processes: results are there", {.areProcessesKnown = true, .hasResults = true}, JobState::Unknown},
    {"known processes: gone, others may analyse",
     {.areProcessesKnown = true, .areProcessesGone = true, .hasResults = true},
     JobState::Unknown},
    {"known processes: gone, and nobody analyses",
     {.areProcessesKnown = true, .areProcessesGone = true, .hasResults = true, .areResultsStill = true},
     JobState::Failed},

    {"the tool ends its configuration", {.isConfigEnded = true, .kind = ResultKind::Served}, JobState::EndedWell},
    {"the tool ends its configuration, before its job", {.isOurs = true, .isConfigEnded = true}, JobState::EndedWell},
};

struct TargetRow {
    const char* name;
    State before;
    TargetFacts facts;
    State expected;
};
const TargetRow kTargets[] = {
    {"armed: nothing yet", State::Armed, {}, State::Armed},
    {"armed: begins", State::Armed, {.hasBegun = true}, State::Recording},
    {"preparing: nothing begins before it is armed", State::Preparing, {.hasBegun = true}, State::Preparing},
    {"recording: begins once", State::Recording, {.hasBegun = true}, State::Recording},
    {"analysing: begins no more", State::Analysing, {.hasBegun = true}, State::Analysing},
    {"armed: a rank records", State::Armed, {.ranks = State::Recording}, State::Recording},
    {"armed: all ranks are analysed at once", State::Armed, {.ranks = State::Done}, State::Analysing},
    {"recording: the last rank is analysed", State::Recording, {.ranks = State::Analysing}, State::Analysing},
    {"recording: all are complete, more may come", State::Recording, {.ranks = State::Done}, State::Analysing},
    {"recording: one has failed, more may come", State::Recording, {.ranks = State::Failed}, State::Analysing},
    {"analysing: one more rank records", State::Analysing, {.ranks = State::Recording}, State::Recording},
};

struct HostRow {
    const char* name;
    HostFacts facts;
    HostEnd expected;
};
const HostRow kHosts[] = {
    {"waits", {}, HostEnd::No},
    {"gone", {.isJobGone = true, .isStill = true}, HostEnd::Gone},
    {"gone, at this look", {.isJobGone = true}, HostEnd::No},
    {"gone, as the only host: the capture ends", {.isAlone = true, .isJobGone = true, .isStill = true}, HostEnd::No},
    {"gone, with results", {.hasRanks = true, .isJobGone = true, .isStill = true}, HostEnd::No},
    {"gone, cannot be reached", {.isWatched = false, .isJobGone = true, .isStill = true}, HostEnd::No},
    {"refused", {.isRefusedForGood = true}, HostEnd::Refused},
    {"refused, as the only host", {.isAlone = true, .isRefusedForGood = true}, HostEnd::Refused},
    {"refused, as it was to be", {.isRefusedForGood = true, .isAsking = true}, HostEnd::No},
    {"refused, and records by now", {.isArmed = false, .isRefusedForGood = true}, HostEnd::No},
    {"refused, with results", {.hasRanks = true, .isRefusedForGood = true}, HostEnd::No},
    {"refused, cannot be reached", {.isWatched = false, .isRefusedForGood = true}, HostEnd::No},
    {"refused and gone", {.isJobGone = true, .isStill = true, .isRefusedForGood = true}, HostEnd::Gone},
};

/// All 16: a host is lost, complete, jobs are over, late.
struct CaptureRow {
    CaptureFacts facts;
    Verdict expected;
};
const CaptureRow kCaptures[] = {
    {{false, false, false, false}, Verdict::Wait},       {{false, false, false, true}, Verdict::Finish},
    {{false, false, true, false}, Verdict::End},         {{false, false, true, true}, Verdict::End},
    {{false, true, false, false}, Verdict::End},         {{false, true, false, true}, Verdict::End},
    {{false, true, true, false}, Verdict::End},          {{false, true, true, true}, Verdict::End},
    {{true, false, false, false}, Verdict::WaitForLost}, {{true, false, false, true}, Verdict::FinishLost},
    {{true, false, true, false}, Verdict::WaitForLost},  {{true, false, true, true}, Verdict::FinishLost},
    {{true, true, false, false}, Verdict::WaitForLost},  {{true, true, false, true}, Verdict::FinishLost},
    {{true, true, true, false}, Verdict::WaitForLost},   {{true, true, true, true}, Verdict::FinishLost},
};

template <class Row, std::size_t N>
void addRows(const Row (&rows)[N]) {
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < N; ++i) QTest::newRow(rows[i].name) << static_cast<int>(i);
}

}  // namespace

void TestStateTable::jobs_data() { addRows(kJobs); }
void TestStateTable::jobs() {
    QFETCH(const int, row);
    QCOMPARE(static_cast<int>(jobStateAfter(kJobs[row].facts)), static_cast<int>(kJobs[row].expected));
}

void TestStateTable::targets_data() { addRows(kTargets); }
void TestStateTable::targets() {
    QFETCH(const int, row);
    QCOMPARE(stateText(targetStateAfter(kTargets[row].before, kTargets[row].facts)), stateText(kTargets[row].expected));
}

void TestStateTable::hosts_data() { addRows(kHosts); }
void TestStateTable::hosts() {
    QFETCH(const int, row);
    QCOMPARE(static_cast<int>(hostEnd(kHosts[row].facts)), static_cast<int>(kHosts[row].expected));
}

void TestStateTable::captures_data() {
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < std::size(kCaptures); ++i) {
        const CaptureFacts& facts = kCaptures[i].facts;
        const std::string name = std::string(facts.isAnyLost ? "lost " : "reached ") +
                                 (facts.isComplete ? "complete " : "waits ") + (facts.areJobsOver ? "over " : "runs ") +
                                 (facts.isLate ? "late" : "in time");
        QTest::newRow(name.c_str()) << static_cast<int>(i);
    }
}
void TestStateTable::captures() {
    QFETCH(const int, row);
    QCOMPARE(static_cast<int>(verdictOn(kCaptures[row].facts)), static_cast<int>(kCaptures[row].expected));
}

/// Whatever its processes are known to do: its files have no mark of their end.
void TestStateTable::aMonitorIsJudgedByItsDaemonAlone() {
    for (const bool known : {false, true}) {
        for (const bool results : {false, true}) {
            JobFacts facts{.before = JobState::Unknown,
                           .areProcessesKnown = known,
                           .hasResults = results,
                           .areResultsStill = true,
                           .kind = ResultKind::Monitored,
                           .isMonitorOn = true,
                           .hasMonitored = true};
            QCOMPARE(static_cast<int>(jobStateAfter(facts)), static_cast<int>(JobState::Runs));
            facts.isMonitorOn = false;
            QCOMPARE(static_cast<int>(jobStateAfter(facts)), static_cast<int>(JobState::EndedWell));
            facts.hasMonitored = false;
            facts.areProcessesGone = true;
            QCOMPARE(static_cast<int>(jobStateAfter(facts)), static_cast<int>(JobState::Failed));
        }
    }
}

ALTI_TEST(TestStateTable)
#include "tst_state_table.moc"
