#include "core/session/findings_loader.h"

#include "core/findings/run_rules.h"
#include "tests/support/test_main.h"
#include "tests/views/findings/planted_capture.h"

#include <QSignalSpy>

#include <algorithm>

using namespace altiscope;

class TestFindingsLoader : public QObject {
    Q_OBJECT
private slots:
    void followsTheCapture();
    void thresholdsCountAtOnce();
    void oneAnalysisForAll();
    void findingsWithinTheContext();

private:
    static QString golden(const char* name) {
        return qEnvironmentVariable("ALTI_SOURCE_DIR") + QStringLiteral("/tests/golden/") + QString::fromLatin1(name) +
               QStringLiteral("/capture");
    }
    static std::vector<std::string> rules(const FindingsLoader& loader) {
        std::vector<std::string> names;
        for (const Finding& finding : loader.found()->findings) names.push_back(finding.rule);
        return names;
    }
};

void TestFindingsLoader::followsTheCapture() {
    JobRunner jobs;
    Session session(jobs);
    FindingsLoader loader(session);
    QVERIFY(loader.found()->capture == nullptr);
    const CaptureId first = session.open(golden("torch_two_ranks"));
    QTRY_VERIFY_WITH_TIMEOUT(session.capture(first)->job == 0 && !loader.busy(), 20'000);
    QCOMPARE(loader.found()->capture, session.capture(first)->store);
    // What rules see without a window.
    const auto expected = runRules(*CaptureAnalysis(session.capture(first)->store).facts({}), {});
    QCOMPARE(loader.found()->findings.size(), expected.size());
    QVERIFY(!expected.empty());
    const CaptureId second = session.open(golden("interrupted"));
    QTRY_VERIFY_WITH_TIMEOUT(session.capture(second)->job == 0 && !loader.busy(), 20'000);
    QCOMPARE(loader.found()->capture, session.capture(second)->store);
    loader.showCapture(first);
    // Nothing of one capture is shown as another's.
    QVERIFY(loader.found()->capture == nullptr);
    QTRY_COMPARE(loader.found()->capture, session.capture(first)->store);
    const std::weak_ptr<const CaptureStore> last = session.capture(second)->store;
    session.close(first);
    session.close(second);
    QVERIFY(loader.found()->capture == nullptr && loader.found()->findings.empty());
    QTRY_VERIFY2(last.expired(), "a closed capture leaves memory");
}

void TestFindingsLoader::thresholdsCountAtOnce() {
    JobRunner jobs;
    Session session(jobs);
    FindingsLoader loader(session);
    const test::PlantedCapture planted;
    QVERIFY(planted.made);
    const CaptureId id = session.open(planted.path());
    QTRY_VERIFY_WITH_TIMEOUT(session.capture(id)->job == 0 && !loader.busy(), 20'000);
    const auto before = rules(loader);
    const QSignalSpy changed(&loader, &FindingsLoader::changed);
    QCOMPARE(std::count(before.begin(), before.end(), "slow_rank"), 1);
    FindingThresholds lax;
    lax.rankKernelShare = lax.rankGapShare = 1;
    loader.setThresholds(lax);
    // The old answer stays until the rules have run.
    QCOMPARE(rules(loader), before);
    QVERIFY(loader.busy());
    QTRY_COMPARE(changed.count(), 1);
    const auto expected = runRules(*CaptureAnalysis(session.capture(id)->store).facts({}), {}, lax);
    QCOMPARE(loader.found()->findings.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY(loader.found()->findings[i].thresholds == expected[i].thresholds);
    const auto after = rules(loader);
    QCOMPARE(std::count(after.begin(), after.end(), "slow_rank"), 0);
}

void TestFindingsLoader::oneAnalysisForAll() {
    JobRunner jobs;
    Session session(jobs);
    FindingsLoader loader(session);
    const auto store = std::make_shared<const CaptureStore>(), other = std::make_shared<const CaptureStore>();
    const auto analysis = loader.analysisOf(store);
    QCOMPARE(loader.analysisOf(store), analysis);
    QCOMPARE(&loader.analysisOf(other)->capture(), other.get());
}

void TestFindingsLoader::findingsWithinTheContext() {
    CaptureStore capture;
    for (const std::int64_t id : {4, 7}) capture.ranks.emplace_back().info.rankId = id;
    Finding finding;
    finding.rank = RankIndex{1};
    finding.range = TimeRange{{100}, {200}};
    ContextFilter context;
    QVERIFY(contextHolds(context, capture, finding));
    for (const auto& [rank, isKept] : {std::pair(4, false), {7, true}}) {
        context.ranks = {rank};
        QCOMPARE(contextHolds(context, capture, finding), isKept);
    }
    // Of all steps: whatever step and time are chosen.
    context.steps = {8};
    context.range = TimeRange{{300}, {400}};
    QVERIFY(contextHolds(context, capture, finding));
    finding.step = 9;
    QVERIFY(!contextHolds(context, capture, finding));
    context.steps = {9};
    QVERIFY(!contextHolds(context, capture, finding));
    context.range = TimeRange{{199}, {400}};
    QVERIFY(contextHolds(context, capture, finding));
    finding.rank.reset();
    context.ranks = {4};
    QVERIFY(contextHolds(context, capture, finding));
}

ALTI_TEST(TestFindingsLoader)
#include "tst_findings_loader.moc"
