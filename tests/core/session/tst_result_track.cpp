#include "core/session/sql/result_track.h"

#include "core/base/threads/parallel.h"
#include "core/query/database.h"
#include "core/session/sql/sql_table.h"
#include "tests/support/test_main.h"

#include <map>
#include <string>

using namespace altiscope;

namespace {

/// Two ranks, without any event.
std::shared_ptr<const CaptureStore> twoRanks() {
    auto capture = std::make_shared<CaptureStore>();
    for (const std::int64_t rank : {0, 1}) capture->ranks.emplace_back().info.rankId = rank;
    return capture;
}

ResultTrack trackOf(const char* sql, const CancelToken& cancel = {}) {
    const auto capture = twoRanks();
    SqlRows rows({});
    if (!QueryDatabase(capture).run(sql, rows, {}).ok()) return {};
    const auto table = rows.finish({});
    ResultTrack track;
    WorkerArena arena(2);
    arena.run([&] { track = resultTrack(*capture, *table, "Query: x", cancel); });
    return track;
}

/// Name: begin and length.
std::multimap<std::string, std::pair<std::int64_t, std::int64_t>> slicesOf(const ResultTrack& track, std::size_t rank) {
    std::multimap<std::string, std::pair<std::int64_t, std::int64_t>> slices;
    const auto& trace = track.store->ranks[rank].trace;
    for (std::uint32_t i = 0; trace != nullptr && i < trace->sliceCount(); ++i)
        slices.emplace(trace->name({i}),
                       std::pair(trace->begin({i}).value, (trace->end({i}) - trace->begin({i})).value));
    return slices;
}

}  // namespace

/// Rows as slices: exact times, on the ranks that they name.
class TestResultTrack : public QObject {
    Q_OBJECT
private slots:
    void timesAreExact();
    void rowsWithoutATimeOrRankAreCounted();
    void resultsWithoutTimesAreNone();
    void cancelledIsNothing();
};

void TestResultTrack::timesAreExact() {
    const ResultTrack track =
        trackOf("SELECT 1736408883573887921 AS ts, 7 AS dur, 1 AS rank_id, 'a' AS name UNION ALL "
                "SELECT 1736408883573887923, 1, 1, 'b' UNION ALL SELECT 1736408883573887925, 100, 0, NULL");
    QVERIFY(track.store != nullptr);
    QCOMPARE(track.slices, std::size_t{3});
    const auto one = slicesOf(track, 1), zero = slicesOf(track, 0);
    QCOMPARE(one.size(), std::size_t{2});
    QVERIFY(one.find("a")->second == (std::pair<std::int64_t, std::int64_t>(1736408883573887921, 7)));
    QVERIFY(one.find("b")->second == (std::pair<std::int64_t, std::int64_t>(1736408883573887923, 1)));
    // Without a name it is called as the track.
    QVERIFY(zero.find("Query: x")->second == (std::pair<std::int64_t, std::int64_t>(1736408883573887925, 100)));
    const ResultTrack ends = trackOf("SELECT 5 AS start_ts, 9 AS end_ts, 0 AS rank_id");
    QVERIFY(slicesOf(ends, 0).begin()->second == (std::pair<std::int64_t, std::int64_t>(5, 4)));
}

void TestResultTrack::rowsWithoutATimeOrRankAreCounted() {
    const ResultTrack track = trackOf("SELECT 10 AS ts, 1 AS dur, 0 AS rank_id UNION ALL SELECT NULL, 1, 0 UNION ALL "
                                      "SELECT 10, -1, 0 UNION ALL SELECT 10, 1, 9 UNION ALL "
                                      "SELECT 9223372036854775807, 1, 0 UNION ALL SELECT 10, 9223372036854775807, 0");
    QCOMPARE(track.slices, std::size_t{1});
    QCOMPARE(track.unplaced, std::size_t{5});
}

void TestResultTrack::resultsWithoutTimesAreNone() {
    QVERIFY(trackOf("SELECT 1 AS ts").store == nullptr);
    QVERIFY(trackOf("SELECT 1 AS ts, 2 AS dur").store == nullptr);
}

void TestResultTrack::cancelledIsNothing() {
    CancelToken token;
    token.requestCancel();
    QVERIFY(trackOf("SELECT 1 AS ts, 2 AS dur, 0 AS rank_id", token).store == nullptr);
}

ALTI_TEST(TestResultTrack)
#include "tst_result_track.moc"
