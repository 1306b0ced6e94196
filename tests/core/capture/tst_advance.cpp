#include "core/capture/session/advance.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::capture;

/// Polls without any target: each look is written down here, and so is the time.
class TestAdvance : public QObject {
    Q_OBJECT
private slots:
    void fromArmedToDone();
    void whatIsKnownDecidesAlone();
    void aLostHostIsReportedOnceAndWaitedFor();
    void whileOneHostIsLostFilesOfCompleteOnesArePutBack();
    void aPhaseThatLastsTooLongIsFinishedWithWhatIsThere();
    void aHostWhoseProcessesAreGoneEndsBeforeOthers();
    void aFileThatCannotBePutBackIsTriedAgain();
    void aSecondFileThatCannotBeChangedEndsItsHost();
    void commonSteps_data();
    void commonSteps();
};

namespace {

using std::chrono::seconds;

Progress armed(std::size_t hosts) {
    Progress progress;
    progress.record.id = "20260101-000000-0001";
    progress.record.method = "torch-dynamic";
    progress.record.state = State::Armed;
    progress.record.started = 1'000'000'000;
    for (std::size_t i = 0; i < hosts; ++i) {
        TargetRecord target;
        target.name = "node" + std::to_string(i + 1);
        target.state = State::Armed;
        target.results = "/results";
        target.config = "/job" + std::to_string(i) + "/profiler_config.json";
        target.isConfigChanged = true;
        progress.record.targets.push_back(target);
    }
    progress.watches.resize(hosts);
    progress.now = {std::chrono::steady_clock::now(), progress.record.started};
    return progress;
}

void wait(Progress& progress, seconds time) {
    progress.now.steady += time;
    progress.now.ns += std::chrono::nanoseconds(time).count();
}

/// A result of torch_npu as far as its files say.
ListedResult result(int rank, State state) {
    ListedResult result;
    result.path = "/results/node_" + std::to_string(100 + rank) + "_20260101120000000_ascend_pt";
    result.files.push_back({"PROF_1/device_0/data.bin", 10, "1"});
    if (state == State::Recording) return result;
    result.files.push_back({"profiler_info_" + std::to_string(rank) + ".json", 2, "1"});
    if (state == State::Analysing) return result;
    result.files.push_back({"ASCEND_PROFILER_OUTPUT/trace_view.json", 20, "1"});
    result.files.push_back({"ASCEND_PROFILER_OUTPUT/analyse.done", 1, "1"});
    return result;
}

Observation seen(std::vector<ListedResult> results = {}, const std::string& watcherLine = {}) {
    Listing listing;
    listing.results = std::move(results);
    listing.watcherLine = watcherLine;
    return {.listing = std::move(listing)};
}

Observation unreached() { return {.listing = Error{"capture.ssh.closed", {}, {}, {}}}; }

/// All decisions of a poll, none of which is carried out.
Actions poll(Progress& progress, std::vector<Observation> observations) {
    Actions all = applyObservations(progress, std::move(observations));
    for (const auto& decide : kDecisions) {
        for (const Action& action : decide(progress)) all.push_back(action);
    }
    return all;
}

std::vector<std::string> codes(const CaptureRecord& record) {
    std::vector<std::string> codes;
    for (const Event& event : record.events) {
        if (!event.message.code.empty()) codes.push_back(event.message.code);
    }
    return codes;
}

std::ptrdiff_t countOf(const CaptureRecord& record, const char* code) {
    const auto all = codes(record);
    return std::count(all.begin(), all.end(), code);
}

bool is(const Actions& actions, std::vector<Action::Kind> kinds) {
    return std::equal(actions.begin(), actions.end(), kinds.begin(), kinds.end(),
                      [](const Action& action, Action::Kind kind) { return action.kind == kind; });
}

}  // namespace

void TestAdvance::fromArmedToDone() {
    Progress progress = armed(1);
    const auto look = [&progress](Observation one) {
        wait(progress, seconds(1));
        std::vector<Observation> all;
        all.push_back(std::move(one));
        return poll(progress, std::move(all));
    };
    QVERIFY(look(seen()).empty());
    QCOMPARE(stateText(progress.record.state), std::string_view("armed"));
    QVERIFY(look(seen({}, "Start Dynamic Profiler at 12 step")).empty());
    QCOMPARE(stateText(progress.record.state), std::string_view("recording"));
    QVERIFY(look(seen({result(0, State::Recording)})).empty());
    QCOMPARE(stateText(progress.record.state), std::string_view("recording"));
    QVERIFY(look(seen({result(0, State::Analysing)})).empty());
    QCOMPARE(stateText(progress.record.state), std::string_view("analysing"));
    QCOMPARE(progress.record.targets[0].ranks[0].rank, std::optional<std::int64_t>(0));
    // Complete once nothing has changed for three seconds.
    Actions actions;
    int looks = 0;
    for (; actions.empty() && looks < 20; ++looks) actions = look(seen({result(0, State::Done)}));
    QVERIFY(is(actions, {Action::Kind::End}));
    QCOMPARE(looks, 4);
    QCOMPARE(stateText(progress.record.state), std::string_view("analysing"));
    endCapture(progress, {});
    QCOMPARE(stateText(progress.record.state), std::string_view("done"));
    QCOMPARE(stateText(progress.record.targets[0].state), std::string_view("done"));
    QVERIFY(std::is_sorted(progress.record.events.begin(), progress.record.events.end(),
                           [](const Event& a, const Event& b) { return a.time < b.time; }));
}

void TestAdvance::whatIsKnownDecidesAlone() {
    const auto record = [] {
        Progress progress = armed(2);
        progress.now.steady = {};
        for (int i = 0; i < 4; ++i) {
            wait(progress, seconds(1));
            std::vector<Observation> all;
            all.push_back(seen({result(0, State::Recording)}, "step 3 is over"));
            all.push_back(i == 2 ? unreached() : seen({result(1, State::Done)}));
            poll(progress, std::move(all));
        }
        return recordJson(progress.record);
    };
    const std::string first = record();
    QTest::qWait(30);
    QCOMPARE(record(), first);
}

void TestAdvance::aLostHostIsReportedOnceAndWaitedFor() {
    Progress progress = armed(1);
    for (int i = 0; i < 3; ++i) {
        wait(progress, seconds(30));
        std::vector<Observation> all;
        all.push_back(unreached());
        QVERIFY(poll(progress, std::move(all)).empty());
    }
    QCOMPARE(countOf(progress.record, "capture.event.connection_lost"), std::ptrdiff_t{1});
    std::vector<Observation> all;
    all.push_back(seen());
    QVERIFY(poll(progress, std::move(all)).empty());
    QCOMPARE(countOf(progress.record, "capture.event.connected"), std::ptrdiff_t{1});
    QCOMPARE(stateText(progress.record.state), std::string_view("armed"));
}

void TestAdvance::whileOneHostIsLostFilesOfCompleteOnesArePutBack() {
    Progress progress = armed(2);
    Actions actions;
    for (int i = 0; i < 6 && actions.empty(); ++i) {
        wait(progress, seconds(1));
        std::vector<Observation> all;
        all.push_back(seen({result(0, State::Done)}));
        all.push_back(unreached());
        actions = poll(progress, std::move(all));
    }
    QVERIFY(is(actions, {Action::Kind::PutBack}));
    QCOMPARE(actions[0].target, std::size_t{0});
}

void TestAdvance::aPhaseThatLastsTooLongIsFinishedWithWhatIsThere() {
    Progress progress = armed(2);
    progress.record.timeout = 10;
    progress.record.phaseBegin = progress.now.ns;
    const auto look = [&progress] {
        std::vector<Observation> all;
        all.push_back(seen({result(0, State::Done)}));
        all.push_back(unreached());
        return poll(progress, std::move(all));
    };
    QVERIFY(look().empty());
    wait(progress, seconds(9));
    QVERIFY(!is(look(), {Action::Kind::Finish}));
    wait(progress, seconds(1));
    const Actions actions = look();
    QVERIFY(!actions.empty());
    QCOMPARE(static_cast<int>(actions.back().kind), static_cast<int>(Action::Kind::Finish));
    QCOMPARE(actions.back().reason.code, std::string("capture.timeout"));
    finishCapture(progress, true);
    QCOMPARE(stateText(progress.record.targets[0].state), std::string_view("done"));
    QCOMPARE(stateText(progress.record.targets[1].state), std::string_view("failed"));
    QCOMPARE(stateText(progress.record.state), std::string_view("failed"));
}

void TestAdvance::aHostWhoseProcessesAreGoneEndsBeforeOthers() {
    Progress progress = armed(2);
    for (TargetRecord& target : progress.record.targets) target.processes = {77};
    Actions actions;
    int looks = 0;
    for (; actions.empty() && looks < 9; ++looks) {
        wait(progress, seconds(1));
        std::vector<Observation> all;
        all.push_back(seen());
        all.push_back(seen());
        all[0].listing.value().processes = {77};
        all[1].output = std::vector<FileTail>{
            {"job.log", "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: no data\n"}};
        // Printed before it was looked at, such a line is none of the capture.
        if (looks == 0) all[1].output = std::vector<FileTail>{{"job.log", "step: 1\n"}};
        if (looks == 0) all[1].listing.value().processes = {77};
        actions = poll(progress, std::move(all));
    }
    QVERIFY(is(actions, {Action::Kind::EndHost}));
    QCOMPARE(actions[0].target, std::size_t{1});
    endHost(progress, 1, actions[0].reason);
    QVERIFY(progress.record.targets[1].isSettled);
    QCOMPARE(progress.record.events.back().message.code, std::string("capture.result.job_gone_by"));
    QCOMPARE(stateText(progress.record.state), std::string_view("armed"));
}

void TestAdvance::aFileThatCannotBePutBackIsTriedAgain() {
    Progress progress = armed(1);
    const Error problem{"capture.ssh.closed", {}, {}, {}};
    int tries = 0;
    for (; !isOver(progress.record.state) && tries < 100; ++tries) endCapture(progress, problem);
    QCOMPARE(tries, 20);
    QCOMPARE(stateText(progress.record.state), std::string_view("failed"));
    QCOMPARE(countOf(progress.record, "capture.ssh.closed"), std::ptrdiff_t{1});
}

void TestAdvance::aSecondFileThatCannotBeChangedEndsItsHost() {
    Progress progress = armed(2);
    std::vector<Observation> all;
    all.push_back(seen());
    all.push_back(seen());
    all[1].followerProblem = Error{"capture.config.busy", {}, {}, {}};
    const Actions actions = poll(progress, std::move(all));
    QVERIFY(is(actions, {Action::Kind::EndHost}));
    QCOMPARE(actions[0].target, std::size_t{1});
    QCOMPARE(actions[0].reason.code, std::string("capture.config.busy"));
}

/// Two hosts wait for step 100, which was ten steps ahead.
void TestAdvance::commonSteps_data() {
    QTest::addColumn<qint64>("common");  // step that stands in the configurations
    QTest::addColumn<qint64>("printed");
    QTest::addColumn<qint64>("own");  // 0: refused without a number; -1: not refused
    QTest::addColumn<bool>("isArmed");
    QTest::addColumn<int>("corrections");
    QTest::addColumn<qint64>("expected");  // 0: nothing is written
    QTest::newRow("on its way") << 100LL << 95LL << -1LL << true << 0 << 0LL;
    QTest::newRow("just past it") << 100LL << 110LL << -1LL << true << 0 << 0LL;
    QTest::newRow("long past it: the tool is asked") << 100LL << 111LL << -1LL << true << 0 << 1LL;
    QTest::newRow("long past it, and one host records") << 100LL << 111LL << -1LL << false << 0 << 0LL;
    QTest::newRow("refused with its own count") << 100LL << 120LL << 120LL << true << 0 << 135LL;
    QTest::newRow("the tool counts twice as fast") << 100LL << 100LL << 200LL << true << 0 << 230LL;
    QTest::newRow("asked, and it says its count") << 1LL << 120LL << 40LL << true << 1 << 55LL;
    QTest::newRow("asked, and it says none") << 1LL << 120LL << 0LL << true << 1 << -1LL;
    QTest::newRow("corrected too often") << 100LL << 120LL << 120LL << true << 3 << 0LL;
    QTest::newRow("no common step") << -1LL << 120LL << 120LL << true << 0 << 0LL;
}

void TestAdvance::commonSteps() {
    QFETCH(const qint64, common);
    QFETCH(const qint64, printed);
    QFETCH(const qint64, own);
    QFETCH(const bool, isArmed);
    QFETCH(const int, corrections);
    QFETCH(const qint64, expected);
    Progress progress = armed(2);
    progress.record.commonStep = common;
    progress.record.commonMargin = 10;
    progress.corrections = corrections;
    progress.watches[0].printed = printed;
    if (own >= 0) progress.watches[0].refused = progress.now.steady;
    if (own > 0) progress.watches[0].refusedStep = own;
    if (!isArmed) progress.record.targets[1].state = State::Recording;
    const Actions actions = correctStep(progress);
    QCOMPARE(is(actions, {Action::Kind::WriteConfigs}), expected != 0);
    QCOMPARE(progress.record.commonStep, std::optional<std::int64_t>(expected != 0 ? expected : common));
    QCOMPARE(progress.record.targets[1].isConfigDue, expected != 0);
    // What was refused is forgotten with the step.
    QVERIFY(expected == 0 || !progress.watches[0].refused);
}

ALTI_TEST(TestAdvance)
#include "tst_advance.moc"
