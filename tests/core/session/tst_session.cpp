#include "core/session/reading/load_estimate.h"
#include "core/session/session.h"

#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <optional>

using namespace altiscope;

namespace {

/// Far beyond the 100 ms that are promised, which a busy machine may not keep: here only the outcome counts.
constexpr int kCancelMs = 5000;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kEvents = 20'000;
#else
constexpr int kEvents = 400'000;
#endif

QString goldenPath(const char* name) {
    return qEnvironmentVariable("ALTI_SOURCE_DIR") + QStringLiteral("/tests/golden/") + QString::fromLatin1(name) +
           QStringLiteral("/capture");
}

/// A trace that takes some hundred milliseconds to read: nested slices on four threads.
void writeLargeTrace(const QString& file) {
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    QByteArray text = "[";
    for (int i = 0; i < kEvents; ++i) {
        text += R"({"ph":"X","name":"op)" + QByteArray::number(i % 100) + R"(","pid":1,"tid":)" +
                QByteArray::number(i % 4) + R"(,"ts":)" + QByteArray::number(1'000'000 + i * 2) +
                R"(,"dur":1.5,"args":{"connection_id":)" + QByteArray::number(i) + "}},\n";
        if (text.size() > 1 << 20) {
            out.write(text);
            text.clear();
        }
    }
    out.write(text + R"({"ph":"X","name":"last","pid":1,"tid":0,"ts":1,"dur":1}])");
}

std::uint64_t sliceCount(const OpenCapture& capture) {
    std::uint64_t count = 0;
    if (capture.store == nullptr) return 0;
    for (const RankEntry& rank : capture.store->ranks) count += rank.trace ? rank.trace->sliceCount() : 0;
    return count;
}

bool waitUntilRead(const Session& session, CaptureId id) {
    return QTest::qWaitFor([&] { return session.capture(id) == nullptr || session.capture(id)->job == 0; }, 60'000);
}

}  // namespace

class TestSession : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void opens();
    void opensTwice_data();
    void opensTwice();
    void failureBecomesTheCapturesError();
    void failureIsTriedAgain();
    void severalAtOnce();
    void firstUpdateComesBeforeTheEnd();
    void bigCapturesAreReadInPart();
    void estimatesGrowWithTheBytes();
    void cancelAtEachPhase_data();
    void cancelAtEachPhase();
    void closeWhileLoading_data();
    void closeWhileLoading();
    void reload();
    void correctionsAreRemembered();
    void reloadShowsTheOldPictureUntilThereIsANewOne();
    void stoppedIsTriedAgain();
    void reloadWhileLoading();
    void sessionGoesBeforeItsJobs();
    void shutdownWhileLoading();
    void realCapture();

private:
    QTemporaryDir m_folder;
    QString m_large;
};

void TestSession::initTestCase() {
    m_large = m_folder.filePath(QStringLiteral("trace_view.json"));
    writeLargeTrace(m_large);
}

void TestSession::opens() {
    JobRunner jobs;
    Session session(jobs);
    QSignalSpy opened(&session, &Session::captureOpened);
    QSignalSpy changed(&session, &Session::captureChanged);
    const CaptureId id = session.open(goldenPath("torch_two_ranks"));
    QVERIFY(id != kNoCapture);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened.at(0).at(0).value<CaptureId>(), id);
    QVERIFY2(session.capture(id)->job != 0, "reading has begun, not ended");
    QCOMPARE(jobs.jobs().size(), std::size_t{1});
    QCOMPARE(jobs.jobs().front().title, QStringLiteral("capture"));
    QVERIFY(waitUntilRead(session, id));
    const OpenCapture& capture = *session.capture(id);
    QVERIFY(changed.count() >= 1);
    QVERIFY(!capture.error);
    QVERIFY(!capture.cancelled);
    QVERIFY(capture.store->sealed);
    QCOMPARE(capture.store->state, CaptureStore::State::Ok);
    QCOMPARE(capture.store->ranks.size(), std::size_t{2});
    QVERIFY(jobs.jobs().empty());
    QVERIFY(session.capture({id.value + 1}) == nullptr);
}

void TestSession::opensTwice_data() {
    QTest::addColumn<QString>("again");
    const QString path = goldenPath("torch_two_ranks");
    QTest::newRow("same path") << path;
    QTest::newRow("with a slash") << path + QStringLiteral("/");
    QTest::newRow("by a detour") << path + QStringLiteral("/../capture/.");
    QTest::newRow("relative") << QDir().relativeFilePath(path);
}

void TestSession::opensTwice() {
    QFETCH(QString, again);
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(goldenPath("torch_two_ranks"));
    QSignalSpy opened(&session, &Session::captureOpened);
    QSignalSpy changed(&session, &Session::captureChanged);
    QCOMPARE(session.open(again), id);
    QCOMPARE(changed.count(), 1);
    QVERIFY(waitUntilRead(session, id));
    QCOMPARE(session.open(again), id);
    QCOMPARE(opened.count(), 0);
    QCOMPARE(session.captures().size(), std::size_t{1});
}

void TestSession::failureBecomesTheCapturesError() {
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(QStringLiteral("/nowhere/at/all"));
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(session.capture(id)->error.has_value());
    QCOMPARE(session.capture(id)->error->code, std::string("capture.missing"));
    QVERIFY(session.capture(id)->store == nullptr);
}

void TestSession::failureIsTriedAgain() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("trace_view.json"));
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(path);
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(session.capture(id)->error.has_value());
    QVERIFY(QFile::copy(goldenPath("overlapping_slices") + QStringLiteral("/trace_view.json"), path));
    QCOMPARE(session.open(path), id);
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(!session.capture(id)->error);
    QVERIFY(sliceCount(*session.capture(id)) > 0);
}

void TestSession::severalAtOnce() {
    JobRunner jobs;
    Session session(jobs);
    const CaptureId large = session.open(m_large);
    const CaptureId small = session.open(goldenPath("torch_two_ranks"));
    QVERIFY(large != small);
    QVERIFY(waitUntilRead(session, small));
    QVERIFY(waitUntilRead(session, large));
    QCOMPARE(sliceCount(*session.capture(large)), std::uint64_t{kEvents + 1});
    QCOMPARE(session.captures().size(), std::size_t{2});
    session.close(large);
    QVERIFY(session.capture(large) == nullptr);
    QVERIFY(session.capture(small) != nullptr);
}

void TestSession::firstUpdateComesBeforeTheEnd() {
    JobRunner jobs;
    Session session(jobs);
    int provisional = 0;
    QElapsedTimer sinceLast;
    qint64 shortest = 1'000'000;
    connect(&session, &Session::captureChanged, this, [&](CaptureId changed) {
        const OpenCapture& capture = *session.capture(changed);
        if (capture.job == 0) return;
        QVERIFY2(capture.store != nullptr, "an update brings a store");
        ++provisional;
        if (sinceLast.isValid()) shortest = std::min(shortest, sinceLast.elapsed());
        sinceLast.start();
    });
    const CaptureId id = session.open(m_large);
    QVERIFY(waitUntilRead(session, id));
    QVERIFY2(provisional >= 1, "the manifest comes first");
    // A timer may fire a little early.
    if (provisional > 1) QVERIFY2(shortest >= Session::kUpdateMs * 9 / 10, qPrintable(QString::number(shortest)));
}

void TestSession::bigCapturesAreReadInPart() {
    JobRunner jobs;
    Session session(jobs);
    session.setAutoLoadLimit(1);
    const CaptureId id = session.open(goldenPath("torch_two_ranks"));
    QVERIFY(waitUntilRead(session, id));
    const auto shown = [&] { return session.capture(id)->store; };
    QVERIFY(shown()->ranks[0].trace != nullptr);
    QVERIFY(shown()->ranks[1].trace == nullptr);
    QVERIFY(!isExcluded(*session.capture(id), shown()->ranks[0]));
    QVERIFY(isExcluded(*session.capture(id), shown()->ranks[1]));
    const auto first = shown()->ranks[0].trace;

    session.readRanks(id, {shown()->ranks[1].info.path});
    QVERIFY(!isExcluded(*session.capture(id), shown()->ranks[1]));
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(shown()->ranks[0].trace == first);
    QVERIFY(shown()->ranks[1].trace != nullptr);
    QVERIFY(!shown()->ranks[1].steps.empty());

    // Read again, what was asked for is asked for again.
    session.reload(id);
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(shown()->ranks[1].trace != nullptr);
    session.readRanks({4711}, {"x"});
}

void TestSession::estimatesGrowWithTheBytes() {
    const LoadEstimate one = estimateReading(1'000'000'000), ten = estimateReading(10'000'000'000);
    QVERIFY(one.seconds > 0.01 && one.seconds < 60);
    QVERIFY(one.memory > 50'000'000 && one.memory < 1'000'000'000);
    QVERIFY(std::abs(ten.seconds - 10 * one.seconds) < 1e-6);
    QVERIFY(autoLoadLimit() > 100'000'000);
}

void TestSession::cancelAtEachPhase_data() {
    QTest::addColumn<int>("phase");
    QTest::addRow("before it begins") << -1;
    QTest::addRow("looking for files") << static_cast<int>(ProgressPhase::Scanning);
    QTest::addRow("reading") << static_cast<int>(ProgressPhase::Reading);
    QTest::addRow("sealing") << static_cast<int>(ProgressPhase::Sealing);
}

void TestSession::cancelAtEachPhase() {
    QFETCH(int, phase);
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(m_large);
    while (phase >= 0 && session.capture(id)->job != 0) {
        const std::vector<JobStatus> running = jobs.jobs();
        if (running.empty() || static_cast<int>(running.front().progress.phase) >= phase) break;
        QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
    }
    QElapsedTimer timer;
    timer.start();
    session.cancel(id);
    QVERIFY(waitUntilRead(session, id));
    const qint64 elapsed = timer.elapsed();
    QVERIFY2(elapsed <= kCancelMs, qPrintable(QString::number(elapsed)));
    const OpenCapture& capture = *session.capture(id);
    QVERIFY(!capture.error);
    // A phase that is over before it is seen leaves a finished capture: that is no failure of cancelling.
    if (!capture.cancelled) {
        QVERIFY(capture.store->sealed);
        return;
    }
    session.reload(id);
    QVERIFY2(!session.capture(id)->cancelled, "reading again forgets that it was stopped");
    QVERIFY(waitUntilRead(session, id));
    QCOMPARE(sliceCount(*session.capture(id)), std::uint64_t{kEvents + 1});
}

void TestSession::closeWhileLoading_data() {
    QTest::addColumn<int>("afterMs");
    for (const int ms : {0, 1, 5, 20, 50, 100, 200}) QTest::addRow("after %d ms", ms) << ms;
}

void TestSession::closeWhileLoading() {
    QFETCH(int, afterMs);
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(m_large);
    QTest::qWait(afterMs);
    QSignalSpy closed(&session, &Session::captureClosed);
    QSignalSpy changed(&session, &Session::captureChanged);
    session.close(id);
    QCOMPARE(closed.count(), 1);
    QVERIFY(session.captures().empty());
    session.close(id);  // A second time is harmless.
    QCOMPARE(closed.count(), 1);
    // The same path may be opened while the old import is still stopping.
    const CaptureId again = session.open(m_large);
    QVERIFY2(again != id, "ids are not reused");
    QVERIFY(waitUntilRead(session, again));
    QCOMPARE(sliceCount(*session.capture(again)), std::uint64_t{kEvents + 1});
    QVERIFY(QTest::qWaitFor([&] { return jobs.jobs().empty(); }, 10'000));
    for (const QList<QVariant>& call : changed) QCOMPARE(call.at(0).value<CaptureId>(), again);
}

void TestSession::reload() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("trace_view.json"));
    const auto write = [&path](const QByteArray& text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
    };
    write(R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}])");
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(path);
    QVERIFY(waitUntilRead(session, id));
    QCOMPARE(sliceCount(*session.capture(id)), std::uint64_t{1});
    const std::shared_ptr<const CaptureStore> old = session.capture(id)->store;
    write(
        R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1},{"ph":"X","name":"b","pid":1,"tid":1,"ts":3,"dur":1}])");
    session.reload(id);
    QVERIFY2(session.capture(id)->store == old, "what is shown stays until something newer is known");
    QVERIFY(waitUntilRead(session, id));
    QCOMPARE(sliceCount(*session.capture(id)), std::uint64_t{2});
    QVERIFY(QFile::remove(path));
    session.reload(id);
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(session.capture(id)->error.has_value());
    QVERIFY(session.capture(id)->store != nullptr);
}

void TestSession::correctionsAreRemembered() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("config/corrections.json"));
    const auto rankOf = [&](const Session& session, CaptureId id) {
        return session.capture(id)->store->ranks.at(0).info.rankId;
    };
    std::string rank;
    {
        JobRunner jobs;
        Session session(jobs, {}, file);
        const CaptureId id = session.open(goldenPath("torch_two_ranks"));
        QVERIFY(waitUntilRead(session, id));
        QCOMPARE(rankOf(session, id), std::optional<std::int64_t>(0));
        rank = session.capture(id)->store->ranks[0].info.path;
        QVERIFY(session.corrections(id).empty());
        QVERIFY(session.correct(id, rank, {0x7fffffff, {}}));
        QVERIFY(waitUntilRead(session, id));
        QCOMPARE(rankOf(session, id), std::optional<std::int64_t>(1));
        QCOMPARE(session.capture(id)->store->ranks.at(1).info.rankId, std::optional<std::int64_t>(0x7fffffff));
    }
    JobRunner jobs;
    Session session(jobs, {}, file);
    const CaptureId id = session.open(goldenPath("torch_two_ranks"));
    QVERIFY(waitUntilRead(session, id));
    QCOMPARE(rankOf(session, id), std::optional<std::int64_t>(1));
    const auto& reported = session.capture(id)->store->diagnostics.entries();
    QVERIFY(std::any_of(reported.begin(), reported.end(),
                        [&](const Diagnostic& one) { return one.code == "rank.corrected" && one.file == rank; }));
    // A number that another rank has makes none of them vanish.
    QVERIFY(session.correct(id, rank, {1, {}}));
    QVERIFY(waitUntilRead(session, id));
    QCOMPARE(session.capture(id)->store->ranks.size(), std::size_t{2});
    const auto& doubled = session.capture(id)->store->diagnostics.entries();
    QVERIFY(
        std::any_of(doubled.begin(), doubled.end(), [](const Diagnostic& one) { return one.code == "rank.same_id"; }));
    QVERIFY(session.correct(id, rank, {}));
    QVERIFY(waitUntilRead(session, id));
    QCOMPARE(rankOf(session, id), std::optional<std::int64_t>(0));
    QVERIFY(CorrectionsFile(file).of(session.capture(id)->path).empty());
    // What is no such file holds nothing, and what is said then is written.
    QFile broken(file);
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("[{") == 2);
    broken.close();
    CorrectionsFile other(file), second(file);
    QVERIFY(other.of(QStringLiteral("/x")).empty());
    QVERIFY(other.set(QStringLiteral("/x"), "r", {{}, "trace_view.json"}));
    QVERIFY(QFile::exists(file + QStringLiteral(".unread")));
    // Two windows know of each other.
    QVERIFY(second.set(QStringLiteral("/x"), "s", {3, {}}));
    QVERIFY(other.set(QStringLiteral("/x"), "t", {4, {}}));
    QCOMPARE(CorrectionsFile(file).of(QStringLiteral("/x")).size(), std::size_t{3});
    QCOMPARE(CorrectionsFile(file).of(QStringLiteral("/x")).at("r").source, std::string("trace_view.json"));
}

void TestSession::reloadShowsTheOldPictureUntilThereIsANewOne() {
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(m_large);
    QVERIFY(waitUntilRead(session, id));
    int changes = 0;
    bool always = true;
    connect(&session, &Session::captureChanged, this, [&](CaptureId changed) {
        ++changes;
        always &= sliceCount(*session.capture(changed)) > 0;
    });
    session.reload(id);
    QVERIFY(waitUntilRead(session, id));
    QVERIFY2(changes > 2, "there were states in between");
    QVERIFY(always);
}

void TestSession::stoppedIsTriedAgain() {
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(m_large);
    session.cancel(id);
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(session.capture(id)->cancelled);
    QCOMPARE(session.open(m_large), id);
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(session.capture(id)->store->sealed);
}

void TestSession::reloadWhileLoading() {
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(m_large);
    for (int i = 0; i < 5; ++i) {
        QTest::qWait(10);
        session.reload(id);
    }
    QVERIFY(waitUntilRead(session, id));
    QVERIFY(!session.capture(id)->cancelled);
    QCOMPARE(sliceCount(*session.capture(id)), std::uint64_t{kEvents + 1});
}

void TestSession::sessionGoesBeforeItsJobs() {
    JobRunner jobs;
    for (const int ms : {0, 20, 100}) {
        std::optional<Session> session(std::in_place, jobs);
        session->open(m_large);
        QTest::qWait(ms);
        session.reset();
        QVERIFY(QTest::qWaitFor([&] { return jobs.idle(); }, 10'000));
    }
}

void TestSession::shutdownWhileLoading() {
    for (const int ms : {0, 20, 100}) {
        JobRunner jobs;
        Session session(jobs);
        session.open(m_large);
        session.open(goldenPath("torch_two_ranks"));
        QTest::qWait(ms);
        QElapsedTimer timer;
        timer.start();
        jobs.shutdown();
        QVERIFY2(timer.elapsed() <= kCancelMs, qPrintable(QString::number(timer.elapsed())));
        QTest::qWait(20);
        for (const OpenCapture& capture : session.captures()) QVERIFY2(!capture.error, "no outcome arrives any more");
    }
}

void TestSession::realCapture() {
    const auto path = test::sharedData("torch_text/level1");
    if (!path) QSKIP(test::kNoSharedData);
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(QString::fromStdString(path->string()));
    QVERIFY(waitUntilRead(session, id));
    const CaptureStore& store = *session.capture(id)->store;
    QCOMPARE(store.ranks.size(), std::size_t{2});
    for (const RankEntry& rank : store.ranks) {
        QVERIFY(rank.trace->sliceCount() > 4000);
        QCOMPARE(rank.steps.size(), std::size_t{1});
    }
}

ALTI_TEST(TestSession)
#include "tst_session.moc"
