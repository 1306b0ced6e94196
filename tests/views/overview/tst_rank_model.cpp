#include "views/overview/page/rank_model.h"

#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"

#include <QSignalSpy>

using namespace altiscope;
using namespace altiscope::test;

namespace {

using RankColumn = RankModel::Column;

QString cellOf(const RankModel& model, RankColumn column) {
    return shownCell(*model.table(), RankModel::headings(), static_cast<std::size_t>(column), 0);
}

}  // namespace

class TestRankModel : public QObject {
    Q_OBJECT
private slots:
    void rowsOfTwoRanks();
    void unknownIsSaid();
    void followsTheSession();
};

void TestRankModel::rowsOfTwoRanks() {
    JobRunner jobs;
    Session session(jobs);
    RankModel model(session);
    openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks")));
    QCOMPARE(model.rowCount(), std::size_t{2});
    const auto cell = [&](RankColumn column) { return cellOf(model, column); };
    QCOMPARE(cell(RankColumn::Rank), QStringLiteral("0"));
    QCOMPARE(cell(RankColumn::Device), QStringLiteral("4"));
    QCOMPARE(cell(RankColumn::Host), QStringLiteral("node-1"));
    QCOMPARE(cell(RankColumn::Framework), QStringLiteral("PyTorch"));
    QCOMPARE(cell(RankColumn::Source), QStringLiteral("text"));
    // ProfilerStep#5, aten::add, Add_1 and EVENT_RECORD of the first rank, and the flow between two of them.
    QCOMPARE(cell(RankColumn::Steps), QStringLiteral("5"));
    // And two frames of the call stack of aten::add.
    QCOMPARE(cell(RankColumn::Slices), QStringLiteral("6"));
    QCOMPARE(cell(RankColumn::Flows), QStringLiteral("1"));
    QVERIFY(cell(RankColumn::Missing).startsWith(QStringLiteral("Memory, L2 cache")));
    QVERIFY(model.tip(0, RankColumn::Missing).contains(QStringLiteral("profile_memory")));
    // Words of the program stay as they are for filters and files.
    const auto raw = [&](RankColumn column) {
        return model.table()->text(static_cast<std::size_t>(column),
                                   model.table()->cell(static_cast<std::size_t>(column), 0));
    };
    QCOMPARE(raw(RankColumn::State), std::string_view("ok"));
    QCOMPARE(raw(RankColumn::Framework), std::string_view("torch"));
    QVERIFY(raw(RankColumn::Missing).starts_with("memory, l2_cache"));
    const auto& metadata = model.metadata(0);
    const auto version =
        std::find_if(metadata.begin(), metadata.end(), [](const auto& entry) { return entry.first == "cann_version"; });
    QVERIFY(version != metadata.end());
    QCOMPARE(version->second, std::string("8.3.RC1"));
}

void TestRankModel::unknownIsSaid() {
    JobRunner jobs;
    Session session(jobs);
    RankModel model(session);
    openAndWait(session, goldenCapture(QStringLiteral("chrome_object")) + QStringLiteral("/my_trace.json"));
    QCOMPARE(cellOf(model, RankColumn::Rank), QString());
    QCOMPARE(cellOf(model, RankColumn::Device), QString());
    QCOMPARE(cellOf(model, RankColumn::Framework), QStringLiteral("Chrome trace"));
}

void TestRankModel::followsTheSession() {
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks")));
    RankModel model(session);
    QCOMPARE(model.rowCount(), std::size_t{2});
    const QSignalSpy changed(&model, &RankModel::changed);
    session.reload(id);
    QVERIFY(QTest::qWaitFor([&] { return session.capture(id)->job == 0; }, 10'000));
    QCOMPARE(model.rowCount(), std::size_t{2});
    // The same ranks with newer numbers: what is selected stays.
    QVERIFY(changed.count() > 0);
    for (const auto& arguments : changed) QVERIFY(arguments.front().toBool());
    session.close(id);
    QCOMPARE(model.rowCount(), std::size_t{0});
    QVERIFY(model.metadata(0).empty());
}

ALTI_TEST(TestRankModel)
#include "tst_rank_model.moc"
