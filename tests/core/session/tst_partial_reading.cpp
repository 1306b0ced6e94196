#include "core/session/reading/known_times.h"
#include "core/session/reading/load_estimate.h"
#include "core/session/reading/source_watch.h"
#include "core/session/session.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QSignalSpy>

#include <filesystem>
#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

std::string traceFile(const std::string& rank) { return rank + "_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"; }

std::string slice(const std::string& name, int begin, int duration) {
    return R"({"ph":"X","name":")" + name + R"(","pid":1,"tid":2,"ts":)" + std::to_string(begin) + R"(,"dur":)" +
           std::to_string(duration) + "}";
}

std::string steps() {
    return "[" + slice("ProfilerStep#4", 100, 90) + "," + slice("ProfilerStep#5", 200, 90) + "," + slice("A", 210, 5) +
           "," + slice("B", 110, 5) + "]";
}

bool waitUntilRead(const Session& session, CaptureId id) {
    return QTest::qWaitFor([&] { return session.capture(id)->job == 0; }, 60'000);
}

std::size_t slicesOf(const Session& session, CaptureId id, std::size_t rank) {
    return session.capture(id)->store->ranks[rank].trace->sliceCount();
}

}  // namespace

/// Ranges of time of a rank, and files that change after they were read.
class TestPartialReading : public QObject {
    Q_OBJECT

private slots:
    void aRangeAndBackToAllOfIt();
    void readingAgainKeepsTheRange();
    void othersAreShownMeanwhile();
    void timesOfOtherRanks();
    void estimateOfAPart();
    void filesThatGrow_data();
    void filesThatGrow();
    void unchangedFilesSayNothing();
    void aCutFileIsReadAsFarAsItGoes();
};

void TestPartialReading::aRangeAndBackToAllOfIt() {
    const TestFolder folder;
    folder.write(traceFile("rank0"), steps());
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(QString::fromStdString(folder.path().string()));
    QVERIFY(waitUntilRead(session, id));
    const std::string rank = session.capture(id)->store->ranks[0].info.path;
    QCOMPARE(session.capture(id)->times.of(rank).steps.size(), std::size_t{2});
    const TimeRange window{{200'000}, {290'000}};
    session.readRanks(id, {rank}, window);
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(session.capture(id)->store->ranks[0].window == window);
    QCOMPARE(slicesOf(session, id, 0), std::size_t{2});
    QCOMPARE(session.capture(id)->store->ranks[0].steps.size(), std::size_t{1});
    // What a reading has shown stays known.
    QCOMPARE(session.capture(id)->times.of(rank).steps.size(), std::size_t{2});
    QVERIFY(session.capture(id)->times.origin() == TimeNs{100'000});
    session.readRanks(id, {rank});
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(!session.capture(id)->store->ranks[0].window);
    QCOMPARE(slicesOf(session, id, 0), std::size_t{4});
}

void TestPartialReading::readingAgainKeepsTheRange() {
    const TestFolder folder;
    folder.write(traceFile("rank0"), steps());
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(QString::fromStdString(folder.path().string()));
    QVERIFY(waitUntilRead(session, id));
    const TimeRange window{{100'000}, {150'000}};
    session.readRanks(id, {session.capture(id)->store->ranks[0].info.path}, window);
    QVERIFY(waitUntilRead(session, id));
    const SliceId before = session.capture(id)->store->ranks[0].trace->id({1});
    session.reload(id);
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(session.capture(id)->store->ranks[0].window == window);
    QVERIFY(session.capture(id)->store->ranks[0].trace->id({1}) == before);
}

void TestPartialReading::othersAreShownMeanwhile() {
    const TestFolder folder;
    for (const char* rank : {"rank0", "rank1", "rank2"}) folder.write(traceFile(rank), steps());
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(QString::fromStdString(folder.path().string()));
    QVERIFY(waitUntilRead(session, id));
    bool always = true;
    connect(&session, &Session::captureChanged, this, [&] {
        for (const RankEntry& rank : session.capture(id)->store->ranks) always = always && rank.trace != nullptr;
    });
    session.reload(id);
    QVERIFY(waitUntilRead(session, id));
    session.readRanks(id, {session.capture(id)->store->ranks[1].info.path}, TimeRange{{0}, {1000}});
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(always);
    QVERIFY(session.capture(id)->store->ranks[1].window.has_value());
}

void TestPartialReading::timesOfOtherRanks() {
    const TestFolder folder;
    folder.write(traceFile("rank0"), steps());
    folder.write(traceFile("rank1"), "[" + slice("ProfilerStep#5", 190, 80) + "]");
    const auto capture = importForTest(folder.path()).value();
    CaptureStore both = *capture;
    both.ranks[0].steps = {{4, TimeRange{{100'000}, {190'000}}}, {5, TimeRange{{200'000}, {290'000}}}};
    both.ranks[1].steps = {{5, TimeRange{{190'000}, {270'000}}}, {6, std::nullopt}};
    RankTimes times;
    QVERIFY(!times.origin());
    times.add(both);
    const KnownTimes others = times.of("rank7_ascend_pt");
    QVERIFY(!times.knows("rank7_ascend_pt"));
    QVERIFY(others.range == (TimeRange{{100'000}, {290'000}}));
    QCOMPARE(others.steps.size(), std::size_t{2});
    QVERIFY(others.steps[1].range == (TimeRange{{190'000}, {290'000}}));
    QVERIFY(times.of(both.ranks[1].info.path).range == (TimeRange{{190'000}, {270'000}}));
}

void TestPartialReading::estimateOfAPart() {
    QCOMPARE(estimateReading(7'000'000, 0.25).memory, estimateReading(7'000'000).memory / 4);
    QCOMPARE(estimateReading(7'000'000, 0.25).seconds, estimateReading(7'000'000).seconds);
}

void TestPartialReading::filesThatGrow_data() {
    QTest::addColumn<bool>("replaced");
    QTest::addRow("grown") << false;
    QTest::addRow("replaced by one of equal size") << true;
}

void TestPartialReading::filesThatGrow() {
    QFETCH(bool, replaced);
    const TestFolder folder;
    const auto file = folder.write(traceFile("rank0"), "[" + slice("A", 1, 2) + "]");
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(QString::fromStdString(folder.path().string()));
    QVERIFY(waitUntilRead(session, id));
    const auto change = [&](const std::string& name) {
        if (replaced) {
            folder.write("new", "[" + slice(name, 1, 2) + "]");
            std::filesystem::rename(folder.path() / "new", file);
            std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) +
                                                       std::chrono::seconds(name.front()));
        } else {
            folder.write(traceFile("rank0"), "[" + slice("A", 1, 2) + "," + slice(name, 5, 2) +
                                                 std::string(static_cast<std::size_t>(name.front()), ' ') + "]");
        }
    };
    const auto reported = [&] {
        session.checkFiles();
        static_cast<void>(QTest::qWaitFor([&] { return session.capture(id)->filesChanged; }, 300));
        return session.capture(id)->filesChanged;
    };
    change("B");
    QVERIFY(reported());
    session.ignoreChange(id);
    QVERIFY2(!reported(), "nothing is said twice");
    change("C");
    QVERIFY2(reported(), "a further change is news");
    session.reload(id);
    QVERIFY(!session.capture(id)->filesChanged);
    QVERIFY(waitUntilRead(session, id));
    const TraceStore& trace = *session.capture(id)->store->ranks[0].trace;
    QCOMPARE(trace.sliceCount(), replaced ? std::size_t{1} : std::size_t{2});
    QCOMPARE(trace.name({replaced ? 0U : 1U}), std::string_view("C"));
    QVERIFY(!reported());
}

void TestPartialReading::unchangedFilesSayNothing() {
    const TestFolder folder;
    folder.write(traceFile("rank0"), steps());
    JobRunner jobs;
    Session session(jobs);
    session.checkFiles();
    const CaptureId id = session.open(QString::fromStdString(folder.path().string()));
    session.checkFiles();
    QVERIFY(waitUntilRead(session, id));
    QSignalSpy changed(&session, &Session::captureChanged);
    session.checkFiles();
    QTest::qWait(100);
    QCOMPARE(changed.size(), 0);
    session.ignoreChange(id);
    QCOMPARE(changed.size(), 0);
    const auto stamps = stampsWhenRead(*session.capture(id)->store);
    QCOMPARE(stamps.size(), std::size_t{1});
    QVERIFY(stampsNow(stamps) == stamps);
    QCOMPARE(stamps[0].size, std::uint64_t{steps().size()});
}

void TestPartialReading::aCutFileIsReadAsFarAsItGoes() {
    const TestFolder folder;
    const std::string whole = steps();
    const auto file = folder.write(traceFile("rank0"), whole.substr(0, whole.size() - 20));
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(QString::fromStdString(folder.path().string()));
    QVERIFY(waitUntilRead(session, id));
    QCOMPARE(slicesOf(session, id, 0), std::size_t{3});
    folder.write(traceFile("rank0"), whole);
    session.checkFiles();
    QTRY_VERIFY(session.capture(id)->filesChanged);
    session.reload(id);
    QVERIFY(waitUntilRead(session, id));
    QCOMPARE(slicesOf(session, id, 0), std::size_t{4});
}

ALTI_TEST(TestPartialReading)
#include "tst_partial_reading.moc"
