#include "tests/support/test_main.h"
#include "tests/views/cluster/placed_ranks.h"
#include "views/cluster/data/rank_spread.h"
#include "views/cluster/panels/rank_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace altiscope;
using namespace altiscope::test;

/// What is usual among ranks, which of them lie apart, and how groups of a dimension compare.
class TestRankSpread : public QObject {
    Q_OBJECT
private slots:
    void robustZ();
    void nothingIsKnownOfFewOrEqualValues();
    void peersAreThoseOfTheStage();
    void slowRankShowsInItsGroups();
    void slowStageIsAPlaceAndNoGroup();
    void spreadsEqualBruteForce();
    void chanceLooksAlike();
};

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double slowly(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

}  // namespace

void TestRankSpread::robustZ() {
    // Median 11; distances 1 1 0 1 19, their median 1.
    const UsualValue usual = usualOf({10, 10, 11, 12, 30, kUnknown});
    QCOMPARE(usual.median, 11.0);
    QCOMPARE(usual.scatter, 1.0);
    QCOMPARE(usual.count, std::size_t{5});
    QCOMPARE(usual.robustZ(30).value(), 0.6745 * 19);
    QVERIFY(isApart(usual, 30));
    QVERIFY(!isApart(usual, 12));
    // Far by its scatter, but a hundredth of the median: not worth a mark.
    QVERIFY(!isApart(usualOf({1000, 1000.1, 1000.2, 1000.3, 1010}), 1010));
}

void TestRankSpread::nothingIsKnownOfFewOrEqualValues() {
    QVERIFY(!usualOf({1, 100}).robustZ(100));
    QVERIFY(!usualOf({5, 5, 5, 9}).robustZ(9));
    QVERIFY(!usualOf({}).robustZ(1));
    QVERIFY(!isApart(usualOf({5, 5, 5, 9}), 9));
}

void TestRankSpread::peersAreThoseOfTheStage() {
    const RankPlaces places = placedRanks({{"tp", 4}, {"pp", 2}});
    const std::vector<UsualValue> usual = usualOfPeers(places, {10, 11, 12, 13, 30, 31, 32, 33});
    QCOMPARE(usual[0].median, 11.5);
    QCOMPARE(usual[7].median, 31.5);
    QCOMPARE(usualOfPeers(placedRanks({{"tp", 4}}), {1, 2, 3, 4})[0].median, 2.5);
}

void TestRankSpread::slowRankShowsInItsGroups() {
    // Rank = tp + 2 * (dp + 4 * pp); rank 5 is tp 1, dp 2, pp 0.
    const RankPlaces places = placedRanks({{"tp", 2}, {"dp", 4}, {"pp", 2}});
    std::vector<double> values;
    for (std::size_t r = 0; r < 16; ++r) values.push_back(r < 8 ? 100 : 200);  // stages do different work
    values[5] = 140;
    const std::vector<DimensionSpread> spreads = dimensionSpreads(places, values, RankFold::Mean);
    QCOMPARE(spreads.size(), std::size_t{3});
    QCOMPARE(spreads[0].slowest.ranks, (std::vector<std::uint32_t>{4, 5}));
    QCOMPARE(spreads[0].slowest.value, 120.0);
    QCOMPARE(spreads[0].medianGroup, 100.0);
    QCOMPARE(spreads[0].cost(), 20.0);
    QCOMPARE(spreads[0].groups, std::size_t{8});
    QCOMPARE(spreads[1].slowest.ranks, (std::vector<std::uint32_t>{1, 3, 5, 7}));
    QCOMPARE(spreads[1].slowest.value, 110.0);
    QCOMPARE(spreads[2].slowest.ranks, (std::vector<std::uint32_t>{5, 13}));
    QCOMPARE(spreads[0].widest.ranks, (std::vector<std::uint32_t>{4, 5}));
    QCOMPARE(spreads[0].widest.value, 40.0);
    QCOMPARE(dimensionSpreads(places, values, RankFold::Max)[0].slowest.value, 140.0);
}

void TestRankSpread::slowStageIsAPlaceAndNoGroup() {
    const RankPlaces places = placedRanks({{"tp", 2}, {"pp", 4}});
    const std::vector<DimensionSpread> spreads =
        dimensionSpreads(places, {10, 10, 10, 10, 16, 16, 10, 10}, RankFold::Mean);
    QCOMPARE(spreads[1].dimension.kind, std::string("pp"));
    QCOMPARE(spreads[1].slowestPlace, 2U);
    QCOMPARE(spreads[1].placeValue, 16.0);
    QCOMPARE(spreads[1].medianPlace, 10.0);
    QCOMPARE(spreads[1].cost(), 0.0);
    // Alone in its stage, a group has no peers to be slower than.
    QCOMPARE(spreads[0].cost(), 0.0);
}

void TestRankSpread::spreadsEqualBruteForce() {
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        const RankPlaces places = placedRanks({{"tp", 3}, {"dp", 4}, {"pp", 2}});
        std::vector<double> values;
        for (std::size_t r = 0; r < places.ranks.size(); ++r)
            values.push_back(random() % 5 == 0 ? kUnknown : 100 + static_cast<double>(random() % 50));
        const DimensionSpread found = dimensionSpreads(places, values, RankFold::Mean).front();
        // Groups of tp: three neighbours; four of each stage.
        double most = -1e9;
        for (std::size_t stage = 0; stage < 2; ++stage) {
            std::vector<double> means;
            for (std::size_t group = 0; group < 4; ++group) {
                double sum = 0;
                int count = 0;
                for (std::size_t i = 0; i < 3; ++i) {
                    const double value = values[stage * 12 + group * 3 + i];
                    if (std::isnan(value)) continue;
                    sum += value;
                    ++count;
                }
                if (count > 0) means.push_back(sum / count);
            }
            if (!means.empty()) most = std::max(most, *std::max_element(means.begin(), means.end()) - slowly(means));
        }
        QVERIFY(std::abs(found.cost() - most) < 1e-9);
    }
}

void TestRankSpread::chanceLooksAlike() {
    // Within a hundredth all are near the middle of the colours; a rank that is far off is at their end.
    const RankColours alike = rankColours({100, 101, 99, kUnknown}, false);
    QCOMPARE(alike.low, 95.0);
    QCOMPARE(alike.high, 105.0);
    QCOMPARE(alike.median.value(), 100.0);
    QCOMPARE(rankColours({100, 101, 99, 140}, false).high, 140.0);
    // What many have nothing of begins at 0.
    QCOMPARE(rankColours({0, 1, 20, 400}, false).low, 0.0);
    const RankColours differences = rankColours({-10, 4}, true);
    QCOMPARE(differences.low, -10.0);
    QCOMPARE(differences.high, 10.0);
}

ALTI_TEST(TestRankSpread)
#include "tst_rank_spread.moc"
