#include "core/analysis/collectives/clock_alignment.h"
#include "core/analysis/collectives/clock_fit.h"
#include "core/store/rows/row_builder.h"
#include "core/store/seal/trace_builder.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <cmath>
#include <random>

using namespace altiscope;

namespace {

/// Ends of collectives in the job's time, some microseconds to milliseconds apart, in steps that are much alike.
std::vector<CollectiveEnd> jobEnds(std::mt19937_64& random, std::size_t count) {
    std::vector<CollectiveEnd> ends;
    std::int64_t time = 1'736'408'883'000'000'000;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t usual = 200'000 + static_cast<std::int64_t>(i % 20) * 50'000;
        time += usual + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(usual / 15));
        ends.push_back({time, i % 20 % 3});
    }
    return ends;
}

struct TestClock {
    std::int64_t offset = 0, driftPpb = 0;
    std::int64_t local(std::int64_t job) const {
        const std::int64_t passed = job - 1'736'408'883'000'000'000;
        return job + offset +
               static_cast<std::int64_t>(static_cast<long double>(passed) * static_cast<long double>(driftPpb) / 1e9L);
    }
};

std::vector<CollectiveEnd> seenBy(const TestClock& clock, std::vector<CollectiveEnd> ends) {
    for (CollectiveEnd& end : ends) end.end = clock.local(end.end);
    return ends;
}

/// How far the line leads beside the job's time, at the most.
std::int64_t error(const ClockLine& line, const std::vector<CollectiveEnd>& job, const TestClock& own,
                   const TestClock& other) {
    std::int64_t most = 0;
    for (const CollectiveEnd& end : job)
        most = std::max(most, std::abs(line.at(own.local(end.end)) - other.local(end.end)));
    return most;
}

}  // namespace

class TestClockAlignment : public QObject {
    Q_OBJECT
private slots:
    void offsetAndDrift_data();
    void offsetAndDrift();
    void recordingsThatBeginElsewhere();
    void missingCollectives();
    void endsThatAreNotQuiteTogether();
    void endsThatAreLateDoNotMoveTheLine();
    void fewScatteredEndsAreNoDrift();
    void strangersDoNotFit();
    void fewCollectives();
    void linesBackAndOn();
    void ranksWithoutACommonGroup();
    void overAnotherRank();
    void theReferenceHasFewerThanAnother();
    void sendsAndReceivesOfTwo();
};

void TestClockAlignment::offsetAndDrift_data() {
    QTest::addColumn<qint64>("offset");
    QTest::addColumn<qint64>("drift");
    QTest::addRow("the same clock") << qint64{0} << qint64{0};
    QTest::addRow("a day ahead") << qint64{86'400'000'000'000} << qint64{0};
    QTest::addRow("gains") << qint64{-7'000'123} << qint64{35'000};
    QTest::addRow("loses much") << qint64{40'000'000} << qint64{-1'000'000};
}

void TestClockAlignment::offsetAndDrift() {
    QFETCH(qint64, offset);
    QFETCH(qint64, drift);
    std::mt19937_64 random(1);
    const auto job = jobEnds(random, 400);
    const TestClock own{offset, drift}, other{55, -drift / 2};
    const auto line = fitClocks(seenBy(own, job), seenBy(other, job));
    QVERIFY(line.has_value());
    QCOMPARE(line->pairs, std::uint64_t{400});
    QVERIFY(line->residual <= 100);
    QVERIFY(error(*line, job, own, other) <= 1000);
}

void TestClockAlignment::recordingsThatBeginElsewhere() {
    std::mt19937_64 random(2);
    const auto job = jobEnds(random, 500);
    const TestClock own{3'000'000, 20'000}, other;
    const std::vector<CollectiveEnd> early(job.begin(), job.begin() + 350), late(job.begin() + 127, job.end());
    const auto line = fitClocks(seenBy(own, early), seenBy(other, late));
    QVERIFY(line.has_value());
    QCOMPARE(line->pairs, std::uint64_t{350 - 127});
    QVERIFY(error(*line, job, own, other) <= 1000);
}

void TestClockAlignment::missingCollectives() {
    std::mt19937_64 random(3);
    const auto job = jobEnds(random, 600);
    const TestClock own{-9'000'000, -100'000}, other;
    std::vector<CollectiveEnd> some, others;
    for (std::size_t i = 0; i < job.size(); ++i) {
        if (i != 200 && i != 201 && i != 500) some.push_back(job[i]);
        if (i != 90 && i != 430) others.push_back(job[i]);
    }
    const auto line = fitClocks(seenBy(own, some), seenBy(other, others));
    QVERIFY(line.has_value());
    QCOMPARE(line->pairs, std::uint64_t{595});
    QVERIFY(error(*line, job, own, other) <= 1000);
}

void TestClockAlignment::endsThatAreNotQuiteTogether() {
    std::mt19937_64 random(4);
    const auto job = jobEnds(random, 1000);
    const TestClock own{123'456'789, 5'000}, other;
    auto seen = seenBy(own, job);
    for (CollectiveEnd& end : seen)
        end.end += static_cast<std::int64_t>(random() % 4000) - 2000 + (random() % 50 == 0 ? 3'000'000 : 0);
    std::sort(seen.begin(), seen.end(), [](const CollectiveEnd& a, const CollectiveEnd& b) { return a.end < b.end; });
    const auto line = fitClocks(seen, seenBy(other, job));
    QVERIFY(line.has_value());
    QVERIFY(line->residual >= 1500 && line->residual <= 2500);
    QVERIFY(error(*line, job, own, other) <= 1000);
}

void TestClockAlignment::endsThatAreLateDoNotMoveTheLine() {
    // A tenth ends 40 us late: near enough to be a pair, and no part of the line.
    std::mt19937_64 random(4);
    const auto job = jobEnds(random, 1000);
    const TestClock own{123'456'789, 5'000}, other;
    auto seen = seenBy(own, job);
    for (std::size_t i = 0; i < seen.size(); ++i)
        seen[i].end += static_cast<std::int64_t>(random() % 4000) - 2000 + (i % 10 == 3 ? 40'000 : 0);
    const auto line = fitClocks(seen, seenBy(other, job));
    QVERIFY(line.has_value());
    QCOMPARE(line->pairs, std::uint64_t{1000});
    QVERIFY(error(*line, job, own, other) <= 1000);
}

void TestClockAlignment::fewScatteredEndsAreNoDrift() {
    // Two ranks of one host: four collectives in 100 ms, whose ends are 4 to 15 us apart.
    const std::vector<CollectiveEnd> own{{0, 1}, {21'000'000, 1}, {60'000'000, 1}, {100'000'000, 1}};
    const std::vector<CollectiveEnd> other{{4'000, 1}, {21'011'000, 1}, {60'006'000, 1}, {100'015'000, 1}};
    const auto line = fitClocks(own, other);
    QVERIFY(line.has_value());
    QCOMPARE(line->driftPpb, std::int64_t{0});
    QVERIFY(line->offset >= 4'000 && line->offset <= 15'000);
    QVERIFY(line->residual <= 11'000);
}

void TestClockAlignment::strangersDoNotFit() {
    std::mt19937_64 random(5);
    const auto job = jobEnds(random, 300), stranger = jobEnds(random, 300);
    QVERIFY(!fitClocks(job, stranger));
    QVERIFY(!fitClocks(job, {}));
}

void TestClockAlignment::fewCollectives() {
    QCOMPARE(fitClocks({{1000, 7}}, {{500, 7}})->offset, std::int64_t{-500});
    QVERIFY(!fitClocks({{1000, 7}}, {{500, 8}}));
    QVERIFY(!fitClocks({{1000, 7}}, {{500, 7}, {9'000'000, 7}}));
    QCOMPARE(fitClocks({{1000, 7}, {5'000'000, 8}}, {{2000, 7}, {5'001'000, 8}})->at(1'000'000),
             std::int64_t{1'001'000});
}

void TestClockAlignment::linesBackAndOn() {
    const ClockLine a{.base = 1'000'000'000, .offset = 5'000, .driftPpb = 200'000, .residual = 3, .pairs = 9};
    const ClockLine b{.base = -7, .offset = -123'456'789, .driftPpb = -90'000, .residual = 4, .pairs = 9};
    for (const std::int64_t t : {std::int64_t{0}, std::int64_t{1'000'000'000}, std::int64_t{60'000'000'000}}) {
        QVERIFY(std::abs(a.inverse().at(a.at(t)) - t) <= 60);
        QVERIFY(std::abs(a.then(b).at(t) - b.at(a.at(t))) <= 60);
        QVERIFY(std::abs(a.withBase(77).at(t) - a.at(t)) <= 2);
    }
    QCOMPARE(a.then(b).residual, std::int64_t{7});
}

namespace {

/// A rank with collectives of groups "300" and so on: the digits of the names, and a number that each rank counts for
/// itself.
RankEntry rankWith(std::int64_t id, const TestClock& clock,
                   const std::vector<std::pair<int, std::vector<CollectiveEnd>>>& groups) {
    std::string text;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        text += "Communication/Group " + std::to_string(g) + " Communication:";
        std::int64_t before = 0;
        for (std::size_t i = 0; i < groups[g].second.size(); ++i) {
            const CollectiveEnd& end = groups[g].second[i];
            // A slow rank comes late: its collectives are short, and end with the others.
            const std::int64_t local = clock.local(end.end), begin = std::max(before, local - 20'000 * (1 + id % 3));
            text += " hcom_op" + std::to_string(end.what) + "__" + std::to_string(groups[g].first) + "_" +
                    std::to_string(i + static_cast<std::size_t>(id) * 17) + "_1[" + std::to_string(begin) + "," +
                    std::to_string(local) + ")";
            before = local;
        }
        text += "\n";
    }
    RankEntry rank;
    rank.info.rankId = id;
    if (!text.empty()) rank.trace = test::rankTrace(text);
    return rank;
}

std::shared_ptr<const RowTables> groupRows(const std::vector<std::pair<int, std::string>>& groups) {
    RowTablesBuilder rows;
    for (const auto& [hash, ranks] : groups)
        test::addRow(
            rows, RowKind::CommGroup,
            {{"group_name", "g" + std::to_string(hash)}, {"hash", "77" + std::to_string(hash)}, {"ranks", ranks}});
    return rows.seal({}).value();
}

}  // namespace

void TestClockAlignment::ranksWithoutACommonGroup() {
    std::mt19937_64 random(6);
    const auto job = jobEnds(random, 60), other = jobEnds(random, 60);
    CaptureStore capture;
    const TestClock clocks[] = {{0, 0}, {5'000'000, 0}, {9'000'000, 0}, {-4'000'000, 30'000}};
    capture.ranks = {rankWith(0, clocks[0], {{301, job}}), rankWith(1, clocks[1], {{301, job}}),
                     rankWith(2, clocks[2], {{302, other}}), rankWith(3, clocks[3], {{301, job}})};
    capture.ranks.emplace_back().info.rankId = 4;
    capture.rows = groupRows({{301, "[0, 1, 3]"}, {302, "[2]"}});
    const auto alignment = alignClocks(capture, {}).value();
    using State = RankClock::State;
    const State expected[] = {State::Reference, State::Aligned, State::NoCommonGroup, State::Aligned,
                              State::NoCollectives};
    for (std::size_t r = 0; r < 5; ++r)
        QCOMPARE(static_cast<int>(alignment.ranks[r].state), static_cast<int>(expected[r]));
    QVERIFY(std::abs(alignment.ranks[1].offset + 5'000'000) <= 100);
    for (const CollectiveEnd& end : job)
        QVERIFY(std::abs(alignment.ranks[3].aligned({clocks[3].local(end.end)}).value - end.end) <= 100);
    QVERIFY(alignment.ranks[3].offsetResidual > alignment.ranks[3].residual);
}

void TestClockAlignment::overAnotherRank() {
    std::mt19937_64 random(8);
    const auto first = jobEnds(random, 80), second = jobEnds(random, 80);
    CaptureStore capture;
    const TestClock clocks[] = {{0, 0}, {5'000'000, -20'000}, {-40'000'000, 50'000}};
    capture.ranks = {rankWith(0, clocks[0], {{301, first}}), rankWith(1, clocks[1], {{301, first}, {302, second}}),
                     rankWith(2, clocks[2], {{302, second}})};
    capture.rows = groupRows({{301, "[0, 1]"}, {302, "[1, 2]"}});
    const auto alignment = alignClocks(capture, {}).value();
    for (std::size_t r = 0; r < 3; ++r) {
        QVERIFY(alignment.ranks[r].isAligned());
        for (const CollectiveEnd& end : second)
            QVERIFY(std::abs(alignment.ranks[r].aligned({clocks[r].local(end.end)}).value - end.end) <= 200);
    }
}

void TestClockAlignment::theReferenceHasFewerThanAnother() {
    // Lines lead to the rank with the most collectives: from the reference it is the way back.
    std::mt19937_64 random(10);
    const auto job = jobEnds(random, 80);
    const std::vector<CollectiveEnd> some(job.begin(), job.begin() + 70);
    CaptureStore capture;
    const TestClock clocks[] = {{0, 0}, {5'000'000, -20'000}, {-40'000'000, 50'000}};
    capture.ranks = {rankWith(0, clocks[0], {{301, some}}), rankWith(1, clocks[1], {{301, job}}),
                     rankWith(2, clocks[2], {{301, some}})};
    capture.rows = groupRows({{301, "[0, 1, 2]"}});
    const auto alignment = alignClocks(capture, {}).value();
    QCOMPARE(static_cast<int>(alignment.ranks[0].state), static_cast<int>(RankClock::State::Reference));
    for (std::size_t r = 0; r < 3; ++r) {
        QVERIFY(alignment.ranks[r].isAligned());
        for (const CollectiveEnd& end : some)
            QVERIFY(std::abs(alignment.ranks[r].aligned({clocks[r].local(end.end)}).value - end.end) <= 200);
    }
}

void TestClockAlignment::sendsAndReceivesOfTwo() {
    std::mt19937_64 random(9);
    const auto job = jobEnds(random, 40);
    const TestClock clocks[] = {{0, 0}, {77'000'000, 0}};
    for (const int ranks : {2, 3}) {
        CaptureStore capture;
        for (int r = 0; r < ranks; ++r) {
            const TestClock& clock = clocks[std::min(r, 1)];
            std::string text = "Communication/Group 0 Communication:";
            for (std::size_t i = 0; i < job.size(); ++i) {
                const std::int64_t end = clock.local(job[i].end);
                text += std::string(" hcom_") + ((i + static_cast<std::size_t>(r)) % 2 == 0 ? "send" : "receive") +
                        "__301_" + std::to_string(i) + "_1[" + std::to_string(end - 9'000) + "," + std::to_string(end) +
                        ")";
            }
            RankEntry& rank = capture.ranks.emplace_back();
            rank.info.rankId = r;
            rank.trace = test::rankTrace(text);
        }
        capture.rows = groupRows({{301, ranks == 2 ? "[0, 1]" : "[0, 1, 2]"}});
        const auto alignment = alignClocks(capture, {}).value();
        QCOMPARE(alignment.ranks[1].isAligned(), ranks == 2);
        if (ranks == 2) QVERIFY(std::abs(alignment.ranks[1].offset + 77'000'000) <= 100);
    }
}

ALTI_TEST(TestClockAlignment)
#include "tst_clock_alignment.moc"
