#include "core/analysis/communication/absent_ranks.h"
#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace altiscope;

namespace {

using Numbers = std::vector<std::optional<std::int64_t>>;

CaptureStore captureOf(const Numbers& ranks, const char* members) {
    CaptureStore capture;
    for (const auto& number : ranks) capture.ranks.emplace_back().info.rankId = number;
    if (members == nullptr) return capture;
    RowTablesBuilder builder;
    RowBatch batch = builder.batch(RowKind::CommGroup);
    batch.addRow();
    batch.setText(fixedColumn(RowKind::CommGroup, "group_name"), "default_group");
    batch.setText(fixedColumn(RowKind::CommGroup, "ranks"), members);
    builder.commit(batch);
    capture.rows = builder.seal({}).value();
    return capture;
}

}  // namespace

/// Ranks of a run that are not in its capture.
class TestAbsentRanks : public QObject {
    Q_OBJECT
private slots:
    void ofGroupsAndNumbers() {
        QCOMPARE(absentRanks(captureOf({0, 1, 2, 3}, "[0, 1, 2, 3]")), (AbsentRanks{{}, 4}));
        QCOMPARE(absentRanks(captureOf({1, 2, 3}, "[0, 1, 2, 3]")), (AbsentRanks{{0}, 4}));
        QCOMPARE(absentRanks(captureOf({0, 2}, "[3, 2, 1, 0]")), (AbsentRanks{{1, 3}, 4}));
        // Without groups the greatest number tells how many there are at least.
        QCOMPARE(absentRanks(captureOf({1, 3}, nullptr)), (AbsentRanks{{0, 2}, 4}));
    }
    /// "None of them is late" was said of three ranks that all waited for a fourth.
    void groupsSayWhoIsNotHere() {
        const CaptureStore capture = captureOf({0, 1, 3}, "[0, 1, 2, 3]");
        CaptureFacts facts;
        for (const RankEntry& rank : capture.ranks) {
            RankFacts& of = facts.ranks.emplace_back();
            of.rankId = rank.info.rankId;
            of.waits.resize(2);
            of.waits[0].group = "default_group";
            of.waits[1].group = "another";
        }
        nameAbsentMembers(capture, facts);
        for (const RankFacts& rank : facts.ranks) {
            QCOMPARE(rank.waits[0].members, std::size_t{4});
            QCOMPARE(rank.waits[0].absent, std::vector<std::int64_t>{2});
            QVERIFY(rank.waits[1].absent.empty());
        }
    }
    void whatCannotBeKnownIsNotSaid() {
        QCOMPARE(absentRanks(captureOf({5}, nullptr)), (AbsentRanks{{}, 1}));
        QCOMPARE(absentRanks(captureOf({1, std::nullopt}, "[0, 1, 2]")), AbsentRanks());
        QCOMPARE(absentRanks(captureOf({}, nullptr)), AbsentRanks());
        QCOMPARE(absentRanks(captureOf({0, 2'000'000'000}, nullptr)), (AbsentRanks{{}, 2}));
        QCOMPARE(absentRanks(captureOf({0, 1}, "what is this")), (AbsentRanks{{}, 2}));
    }
};

ALTI_TEST(TestAbsentRanks)
#include "tst_absent_ranks.moc"
