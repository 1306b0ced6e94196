#include "views/overview/planned_page.h"

#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"

using namespace altiscope;
using namespace altiscope::test;

namespace {

OpenCapture captureOf(std::vector<RankInfo> ranks) {
    auto store = std::make_shared<CaptureStore>();
    for (RankInfo& info : ranks) store->ranks.emplace_back().info = std::move(info);
    OpenCapture capture;
    capture.path = QStringLiteral("/data/run");
    capture.store = store;
    return capture;
}

RankInfo with(std::vector<std::string> present) {
    RankInfo info;
    info.present = std::move(present);
    return info;
}

RankInfo without(const char* what, const char* switchName) {
    RankInfo info;
    info.missing = {{what, switchName}};
    return info;
}

}  // namespace

class TestPlannedPage : public QObject {
    Q_OBJECT
private slots:
    void dataState_data();
    void dataState();
    void pageSaysWhatItWillShow();
};

void TestPlannedPage::dataState_data() {
    QTest::addColumn<std::vector<RankInfo>>("ranks");
    QTest::addColumn<ViewId>("view");
    QTest::addColumn<QString>("text");
    QTest::newRow("recorded") << std::vector{with({"memory"}), with({"memory"})} << ViewId::Memory
                              << QStringLiteral("run: its data is recorded for 2 rank(s).");
    QTest::newRow("one of two words is enough") << std::vector{with({"operators"})} << ViewId::Operators
                                                << QStringLiteral("run: its data is recorded for 1 rank(s).");
    QTest::newRow("not recorded: the switch, once")
        << std::vector{without("memory", "profile_memory"), without("memory", "profile_memory")} << ViewId::Memory
        << QStringLiteral("run: its data is not recorded. Memory was not recorded: switch on profile_memory when you "
                          "record again.");
    QTest::newRow("some ranks") << std::vector{with({"memory"}), with({"timeline"})} << ViewId::Memory
                                << QStringLiteral("run: its data is recorded for 1 of 2 rank(s).");
    QTest::newRow("needs nothing special") << std::vector{with({"timeline"})} << ViewId::Sql << QString();
}

void TestPlannedPage::dataState() {
    QFETCH(std::vector<RankInfo>, ranks);
    QFETCH(ViewId, view);
    QTEST(dataStateOf({captureOf(ranks)}, view), "text");
    QCOMPARE(dataStateOf({}, view), QString());
}

void TestPlannedPage::pageSaysWhatItWillShow() {
    JobRunner jobs;
    Session session(jobs);
    const PlannedPage page(session, ViewId::Memory);
    QCOMPARE(page.message().title, viewTitle(ViewId::Memory));
    QVERIFY(page.message().reason.startsWith(viewPurpose(ViewId::Memory)));
    QCOMPARE(page.message().remedy, QString());
    openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks")));
    QCOMPARE(page.message().remedy, QStringLiteral("capture: its data is not recorded. Memory was not recorded: switch "
                                                   "on profile_memory when you record again."));
}

ALTI_TEST(TestPlannedPage)
#include "tst_planned_page.moc"
