#include "core/analysis/collectives/collective_instances.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <set>

using namespace altiscope;
using altiscope::test::rowsOf;
using altiscope::test::RowText;

namespace {

/// Starts of collectives with gaps that no other part of them has.
constexpr std::int64_t kStarts[] = {0,      9'000,   31'000,  36'000,  71'000,  94'000,
                                    99'000, 140'000, 152'000, 191'000, 223'000, 230'000};

/// A row of an AllReduce of one group; names count as each rank counts.
RowText row(std::size_t number, std::int64_t begin, bool isWhole = true) {
    RowText cells{{"op_name", "hcom_allReduce__586_" + std::to_string(number) + "_1@7000000000000000586"},
                  {"group_name", "7000000000000000586"},
                  {"ts", std::to_string(begin)}};
    if (isWhole) cells.emplace_back("elapsed", "4000");
    return cells;
}

RankEntry rankOf(std::int64_t id, const std::vector<RowText>& rows) {
    RankEntry rank;
    rank.info.rankId = id;
    rank.rows = rowsOf(RowKind::Collective, rows);
    return rank;
}

/// Rank 0 has the most collectives, ranks 1 and 2 the first twelve of them and one or two more that it has not.
struct Leftovers {
    explicit Leftovers(const std::vector<std::int64_t>& second, const std::vector<std::int64_t>& third) {
        std::vector<RowText> most;
        for (std::size_t i = 0; i < std::size(kStarts); ++i) most.push_back(row(i, kStarts[i] * 1000));
        std::vector<RowText> rows[] = {most, most};
        for (const std::int64_t begin : {250'000'000, 263'000'000, 271'000'000, 290'000'000})
            most.push_back(row(most.size(), begin));
        for (const std::int64_t begin : second) rows[0].push_back(row(rows[0].size(), begin));
        for (const std::int64_t begin : third) rows[1].push_back(row(rows[1].size(), begin));
        capture.ranks = {rankOf(0, most), rankOf(1, rows[0]), rankOf(2, rows[1])};
        found = recordedInstances(capture, {});
    }
    /// The number of one of those that rank 0 has not.
    std::int64_t number(RankIndex rank, std::size_t which) const {
        return found->find(rank, false, std::size(kStarts) + which).value_or(-1);
    }
    CaptureStore capture;
    std::optional<CollectiveInstances> found;
};

}  // namespace

class TestCollectiveInstances : public QObject {
    Q_OBJECT
private slots:
    void unevenWarmUpShiftsNothing() {
        // Rank 0 has three more in front, its clock is 7 ms ahead, and its names count those too.
        std::vector<RowText> first, second;
        for (std::size_t i = 0; i < 3; ++i)
            first.push_back(row(i, 6'000'000 + 17'000 * static_cast<std::int64_t>(i * i)));
        for (std::size_t i = 0; i < std::size(kStarts); ++i) {
            first.push_back(row(i + 3, 7'000'000 + kStarts[i]));
            second.push_back(row(i, kStarts[i]));
        }
        CaptureStore capture;
        capture.ranks = {rankOf(0, first), rankOf(1, second)};
        const auto found = recordedInstances(capture, {});
        QVERIFY(found);
        std::set<std::int64_t> numbers;
        for (std::size_t i = 0; i < first.size(); ++i) numbers.insert(found->find({0}, false, i).value_or(-1));
        QCOMPARE(numbers.size(), first.size());
        QVERIFY(!numbers.contains(-1));
        for (std::size_t i = 0; i < second.size(); ++i)
            QCOMPARE(found->find({1}, false, i), found->find({0}, false, i + 3));
    }

    void whatTheLongestListHasNotIsOneWithinReach() {
        for (const auto& [apart, isOne] : {std::pair<std::int64_t, bool>(0, true), {50'000, true}, {50'001, false}}) {
            const Leftovers leftovers({20'000'000}, {20'000'000 + apart});
            QVERIFY(leftovers.found);
            QVERIFY(leftovers.number({1}, 0) > 0 && leftovers.number({2}, 0) > 0);
            QCOMPARE(leftovers.number({1}, 0) == leftovers.number({2}, 0), isOne);
        }
    }

    void aRankIsInACollectiveOnce() {
        const Leftovers leftovers({20'000'000, 20'030'000}, {20'010'000});
        QVERIFY(leftovers.found);
        QCOMPARE(leftovers.number({2}, 0), leftovers.number({1}, 0));
        QVERIFY(leftovers.number({1}, 1) != leftovers.number({1}, 0));
        QVERIFY(leftovers.number({1}, 1) > 0);
    }

    void computedCollectivesOfTheirOwnGetNumbersOfTheirOwn() {
        std::vector<RowText> known, others;
        for (std::size_t i = 0; i < std::size(kStarts); ++i) {
            known.push_back(row(i, kStarts[i]));
            others.push_back({{"op_name", "hcom_allGather__587_" + std::to_string(i) + "_1"},
                              {"group_name", "7000000000000000587"},
                              {"ts", std::to_string(kStarts[i] + 2'000'000)},
                              {"elapsed", "4000"}});
        }
        CaptureStore capture;
        capture.ranks = {rankOf(0, known)};
        const auto recorded = recordedInstances(capture, {});
        const auto computed = rowsOf(RowKind::Collective, others);
        const auto all = allInstances(capture, *recorded, {computed.get()}, {});
        QVERIFY(all);
        std::set<std::int64_t> numbers;
        for (std::size_t i = 0; i < known.size(); ++i) {
            numbers.insert(all->find({0}, false, i).value_or(-1));
            numbers.insert(all->find({0}, true, i).value_or(-1));
        }
        QCOMPARE(numbers.size(), 2 * known.size());
        QVERIFY(!numbers.contains(-1));
    }

    void aComputedTwinIsKnownWhereTheRecordedRowSaysTooLittle() {
        std::vector<RowText> lacking, whole;
        for (std::size_t i = 0; i < std::size(kStarts); ++i) {
            lacking.push_back(row(i, kStarts[i], i != 4));
            whole.push_back(row(i, kStarts[i]));
        }
        CaptureStore capture;
        capture.ranks = {rankOf(0, lacking), rankOf(1, whole)};
        const auto recorded = recordedInstances(capture, {});
        QVERIFY(recorded);
        QVERIFY(!recorded->find({0}, false, 4));
        const auto computed = rowsOf(RowKind::Collective, whole);
        const auto all = allInstances(capture, *recorded, {computed.get(), computed.get()}, {});
        QVERIFY(all);
        for (std::size_t i = 0; i < whole.size(); ++i) {
            QVERIFY(recorded->find({1}, false, i));
            // What is known keeps its number.
            QCOMPARE(all->find({1}, false, i), recorded->find({1}, false, i));
            QCOMPARE(all->find({0}, false, i), recorded->find({0}, false, i));
            // A twin has the number of its recorded row, on both ranks.
            QCOMPARE(all->find({0}, true, i), recorded->find({1}, false, i));
            QCOMPARE(all->find({1}, true, i), recorded->find({1}, false, i));
        }
    }
};

ALTI_TEST(TestCollectiveInstances)
#include "tst_collective_instances.moc"
