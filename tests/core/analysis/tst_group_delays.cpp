#include "core/analysis/communication/group_delays.h"
#include "core/generate/generate_capture.h"
#include "tests/core/analysis/replayed_job.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace altiscope;
using namespace altiscope::test;

namespace {

using Cells = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A matrix of small delays, of which some cells are set.
std::vector<double> noise(std::size_t n) {
    std::vector<double> values(n * n);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(1'000 + 37 * (i % 11));
    return values;
}

GroupArrivals arrivalsOf(const std::vector<std::vector<std::int64_t>>& elapsed) {
    GroupArrivals made;
    made.groups.push_back({"dp", "dp", elapsed.front().size(), {}});
    for (std::uint32_t r = 0; r < elapsed.front().size(); ++r) made.groups[0].ranks.push_back({r});
    made.operations = {"hcom_allReduce"};
    for (std::size_t c = 0; c < elapsed.size(); ++c) {
        GroupArrivals::Collective collective;
        collective.firstMember = static_cast<std::uint32_t>(made.members.size());
        collective.memberCount = static_cast<std::uint32_t>(elapsed[c].size());
        collective.step = static_cast<std::int64_t>(c / 2);
        collective.isComplete = true;
        collective.volume = collectiveVolume("hcom_allReduce__1_1_1", 1'000, "FP32", elapsed[c].size());
        for (std::uint32_t r = 0; r < elapsed[c].size(); ++r)
            made.members.push_back({{r}, {static_cast<std::int64_t>(c) * 10'000}, elapsed[c][r]});
        made.collectives.push_back(collective);
    }
    return made;
}

}  // namespace

class TestGroupDelays : public QObject {
    Q_OBJECT
private slots:
    void volumesAreThoseOfNcclTests_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("type");
        QTest::addColumn<qlonglong>("bytes");
        QTest::addColumn<double>("busShare");
        QTest::newRow("all-reduce") << "hcom_allReduce__586_0_1"
                                    << "FP16" << 2'000LL << 1.75;
        QTest::newRow("all-gather") << "hcom_allGather__586_0_1"
                                    << "BFP16" << 16'000LL << 0.875;
        QTest::newRow("reduce-scatter") << "hcom_reduceScatter__586_0_1"
                                        << "FP32" << 32'000LL << 0.875;
        QTest::newRow("all-to-all") << "hcom_alltoall__586_0_1"
                                    << "INT8" << 8'000LL << 0.875;
        QTest::newRow("broadcast") << "hcom_broadcast__586_0_1"
                                   << "FP64" << 8'000LL << 1.0;
        QTest::newRow("reduce") << "hcom_reduce__586_0_1"
                                << "FP64" << 8'000LL << 1.0;
        QTest::newRow("send") << "hcom_send__586_0_1"
                              << "FP16" << 2'000LL << 1.0;
        QTest::newRow("uneven") << "hcom_alltoallv__586_0_1"
                                << "FP16" << -1LL << 0.0;
        QTest::newRow("another type") << "hcom_allReduce__586_0_1"
                                      << "RESERVED" << -1LL << 0.0;
    }
    void volumesAreThoseOfNcclTests() {
        QFETCH(QString, name);
        QFETCH(QString, type);
        QFETCH(qlonglong, bytes);
        QFETCH(double, busShare);
        const auto found = collectiveVolume(name.toStdString(), 1'000, type.toStdString(), 8);
        QCOMPARE(found.has_value(), bytes >= 0);
        if (!found) return;
        QCOMPARE(found->bytes, std::int64_t{bytes});
        QCOMPARE(found->busShare, busShare);
        QVERIFY(!collectiveVolume(name.toStdString(), 0, type.toStdString(), 8));
        QVERIFY(!collectiveVolume(name.toStdString(), 1'000, type.toStdString(), 1));
        QVERIFY(!collectiveVolume(name.toStdString(), std::int64_t{1} << 62, type.toStdString(), 8));
    }

    void aLateRankIsARow() {
        std::vector<double> values = noise(8);
        for (std::size_t column = 0; column < 8; ++column) values[3 * 8 + column] = 900'000;
        const DelayPattern found = delayPattern(values, 8, 5'000);
        QCOMPARE(found.rows, std::vector<std::uint32_t>{3});
        QVERIFY(found.columns.empty() && found.cells.empty());
    }
    void anEarlyRankIsAColumn() {
        std::vector<double> values = noise(8);
        for (std::size_t row = 0; row < 8; ++row) values[row * 8 + 5] = 900'000;
        const DelayPattern found = delayPattern(values, 8, 5'000);
        QCOMPARE(found.columns, std::vector<std::uint32_t>{5});
        QVERIFY(found.rows.empty() && found.cells.empty());
    }
    void aLinkIsACell() {
        std::vector<double> values = noise(8);
        values[2 * 8 + 6] = 900'000;
        const DelayPattern found = delayPattern(values, 8, 5'000);
        QCOMPARE(found.cells, (Cells{{2, 6}}));
        QVERIFY(found.rows.empty() && found.columns.empty());
    }
    void twoLateRanksAreTwoRows() {
        std::vector<double> values = noise(8);
        for (std::size_t column = 0; column < 8; ++column) {
            values[1 * 8 + column] = 900'000;
            if (column != 1) values[4 * 8 + column] = 500'000;
        }
        const DelayPattern found = delayPattern(values, 8, 5'000);
        QCOMPARE(found.rows, (std::vector<std::uint32_t>{1, 4}));
        QVERIFY(found.columns.empty() && found.cells.empty());
    }
    void noiseIsNoPattern() {
        QVERIFY(delayPattern(noise(8), 8, 5'000).empty());
        QVERIFY(delayPattern(std::vector<double>(64, 0.0), 8, 0).empty());
        QVERIFY(delayPattern(std::vector<double>(64, std::numeric_limits<double>::quiet_NaN()), 8, 0).empty());
        QVERIFY(delayPattern({}, 0, 0).empty());
    }
    void twoRanksAreNotToldApart() {
        const DelayPattern found = delayPattern({0, 900'000, 0, 0}, 2, 5'000);
        QVERIFY(found.isPair && found.empty());
    }

    void delaysAreSumsPerStep() {
        // Rank 1 comes 400 and 200 ns after rank 0, in one step; rank 2 comes with rank 0.
        const GroupArrivals arrivals = arrivalsOf({{1'000, 600, 1'000}, {1'000, 800, 1'000}});
        const auto found = groupDelays(arrivals, {}, {});
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].steps, std::size_t{1});
        QCOMPARE(found[0].late[1 * 3 + 0], 600.0);
        QCOMPARE(found[0].late[1 * 3 + 2], 600.0);
        QCOMPARE(found[0].late[0 * 3 + 1], 0.0);
        QVERIFY(std::isnan(found[0].late[0]));
        QCOMPARE(found[0].largest(), 600.0);
        const OperationPace& pace = found[0].operations.at(0);
        QCOMPARE(pace.count, std::uint64_t{2});
        QCOMPARE(pace.largestSkew, std::int64_t{400});
        QCOMPARE(pace.bytes, std::int64_t{4'000});
        // 8,000 bytes in 600 + 800 ns.
        QCOMPARE(*pace.algorithmBandwidth, 8'000.0 / 1'400);
        QCOMPARE(*pace.busBandwidth, 8'000.0 / 1'400 * 2 * 2 / 3);
    }
    void aFilterOfRanksLeavesNoBandwidth() {
        const GroupArrivals arrivals = arrivalsOf({{1'000, 600, 1'000}, {1'000, 800, 1'000}});
        DelayQuery query;
        query.isWanted = {true, true, false};
        const auto found = groupDelays(arrivals, query, {});
        QCOMPARE(found.at(0).ranks.size(), std::size_t{2});
        QCOMPARE(found[0].late[1 * 2 + 0], 600.0);
        QVERIFY(!found[0].operations[0].busBandwidth && found[0].operations[0].complete == 0);
        query.isWanted = {true, false, false};
        QVERIFY(groupDelays(arrivals, query, {}).empty());
    }
    void aFilterOfStepsAndTimeNarrows() {
        const GroupArrivals arrivals =
            arrivalsOf({{1'000, 600, 1'000}, {1'000, 800, 1'000}, {1'000, 900, 1'000}, {1'000, 900, 1'000}});
        QCOMPARE(groupDelays(arrivals, {}, {})[0].steps, std::size_t{2});
        DelayQuery query;
        query.steps = {1};
        QCOMPARE(groupDelays(arrivals, query, {}).at(0).late[1 * 3 + 0], 200.0);
        query = {};
        query.range = TimeRange{{0}, {500}};
        QCOMPARE(groupDelays(arrivals, query, {}).at(0).late[1 * 3 + 0], 400.0);
        query.drawnLater.assign(3, DurationNs{10'000});
        QVERIFY(groupDelays(arrivals, query, {}).empty());
    }

    void slowLinksStandOutFromTheirLike() {
        std::vector<LinkNode> nodes;
        std::vector<std::optional<std::int64_t>> numbers;
        for (std::int64_t r = 0; r < 4; ++r) {
            nodes.push_back({r, {}, 0});
            numbers.emplace_back(r);
        }
        std::vector<LinkSum> sums;
        for (std::uint32_t source = 0; source < 4; ++source) {
            for (std::uint32_t target = 0; target < 4; ++target) {
                const bool isSlow = source == 1 && target == 2;
                const std::int64_t time = isSlow ? 20'000'000 : 5'000'000;
                if (source != target) sums.push_back({source, target, 100'000'000, time, 1, 1});
            }
        }
        const LinkMatrix links = LinkMatrix::make(nodes, {"HCCS"}, sums);
        const std::vector<double> delays = slowLinkDelays(links, numbers, 2);
        QCOMPARE(delays.size(), std::size_t{16});
        QCOMPARE(delays[1 * 4 + 2], 7'500'000.0);
        QCOMPARE(delays[2 * 4 + 1], 0.0);
        QCOMPARE(delayPattern(delays, 4, 1'000).cells, (Cells{{1, 2}}));
        QVERIFY(slowLinkDelays(LinkMatrix::make(nodes, {}, {}), numbers, 2).empty());
    }

    void theSlowRankOfACaptureIsARow() {
        const QTemporaryDir folder;
        const auto capture = generatedCapture(
            folder, {"--ranks", "8", "--steps", "3", "--layers", "2", "--seed", "301", "--plant", "slow-rank=2:25"});
        QVERIFY(capture != nullptr);
        const CaptureAnalysis analysis(capture);
        std::vector<std::shared_ptr<const RowTables>> rows;
        for (const RankEntry& rank : capture->ranks) rows.push_back(rank.rows);
        const auto arrivals = groupArrivals(*capture, rows, *analysis.allCollectives({}), {});
        QVERIFY(arrivals != nullptr && !arrivals->groups.empty());
        bool isRow = false, hasBandwidth = false;
        for (const GroupDelays& group : groupDelays(*arrivals, {}, {})) {
            const DelayPattern found = delayPattern(group.late, group.ranks.size(), 100'000);
            // Rank 3 waits for it in their group of two, and comes late to its own groups for that.
            for (const std::uint32_t row : found.rows) {
                QVERIFY(group.ranks[row].value == 2 || group.ranks[row].value == 3);
                isRow = isRow || group.ranks[row].value == 2;
            }
            QVERIFY(found.cells.empty());
            for (const OperationPace& pace : group.operations) {
                hasBandwidth = hasBandwidth || pace.busBandwidth.has_value();
                if (pace.busBandwidth) QVERIFY(*pace.busBandwidth > 0 && pace.bytes > 0);
            }
        }
        QVERIFY(isRow);
        QVERIFY(hasBandwidth);
    }
};

ALTI_TEST(TestGroupDelays)
#include "tst_group_delays.moc"
