#include "core/analysis/collectives/collective_peers.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <random>

using namespace altiscope;
using namespace altiscope::test;

namespace {

std::shared_ptr<CaptureStore> captureOf(const std::vector<std::string>& ranks) {
    auto capture = std::make_shared<CaptureStore>();
    for (const std::string& text : ranks) {
        RankEntry entry;
        entry.info.rankId = static_cast<std::int64_t>(capture->ranks.size());
        entry.trace = rankTrace(text);
        capture->ranks.push_back(std::move(entry));
    }
    return capture;
}

/// One collective of a job: what, when it ends, and how long the last rank is in it.
struct Collective {
    std::string kind;
    std::int64_t end = 0, shortest = 0;
};

std::vector<Collective> jobOf(std::mt19937_64& random, int count) {
    std::vector<Collective> job;
    std::int64_t time = 10'000'000;
    for (int i = 0; i < count; ++i) {
        time += 200'000 + static_cast<std::int64_t>(random() % 90'000);
        job.push_back({random() % 3 == 0 ? "hcom_allGather_" : "hcom_allReduce_", time,
                       5'000 + static_cast<std::int64_t>(random() % 9'000)});
    }
    return job;
}

/// What a rank records of it, from number `first` on: its clock is ahead, it comes early by lot, and it numbers by
/// itself.
std::string recorded(const std::vector<Collective>& job, std::size_t first, std::int64_t ahead, std::mt19937_64& random,
                     int isLastTo) {
    std::string line = "Communication/Group 0 Communication:";
    for (std::size_t i = first; i < job.size(); ++i) {
        const std::int64_t early =
            static_cast<int>(i % 3) == isLastTo ? 0 : static_cast<std::int64_t>(random() % 50'000);
        line += ' ' + job[i].kind + "_586_" + std::to_string(i - first) + "_1[" +
                std::to_string(job[i].end + ahead - job[i].shortest - early) + ',' +
                std::to_string(job[i].end + ahead) + ')';
    }
    return line + '\n';
}

}  // namespace

class TestCollectivePeers : public QObject {
    Q_OBJECT
private slots:
    void peersOfEachCollective() {
        // Rank 1 has seen 7 more before, so that numbers and places differ.
        std::mt19937_64 random(4);
        const auto job = jobOf(random, 60);
        const auto capture = captureOf({recorded(job, 7, 0, random, 0), recorded(job, 0, 3'000'000, random, 1),
                                        recorded(job, 7, -8'000'000, random, 2)});
        const auto directory = CollectiveDirectory::make(capture, {});
        for (std::uint32_t i = 0; i < 53; ++i) {
            const auto peers = directory->peersOf({0, {i}}, {});
            QVERIFY(peers.has_value());
            QCOMPARE(peers->peers.size(), std::size_t{3});
            QVERIFY(peers->missing.empty());
            QVERIFY(!peers->isTransfer);
            std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
            for (std::uint32_t r = 0; r < 3; ++r) {
                const CollectivePeer& peer = peers->peers[r];
                QCOMPARE(peer.rank.value, r);
                QCOMPARE(peer.slice.value, r == 1 ? i + 7 : i);
                shortest = std::min(shortest, peer.range.length().value);
            }
            QCOMPARE(shortest, job[i + 7].shortest);
            for (const CollectivePeer& peer : peers->peers)
                QCOMPARE(peer.wait, peer.range.length().value - job[i + 7].shortest);
        }
    }

    void oneThatAnotherRankHasNotRecorded() {
        std::mt19937_64 random(9);
        const auto job = jobOf(random, 40);
        const auto capture = captureOf({recorded(job, 0, 0, random, 0), recorded(job, 10, 500'000, random, 1)});
        const auto directory = CollectiveDirectory::make(capture, {});
        const auto early = directory->peersOf({0, {4}}, {});
        QCOMPARE(early->peers.size(), std::size_t{1});
        QCOMPARE(early->missing, std::vector<RankIndex>{RankIndex{1}});
        QCOMPARE(directory->peersOf({0, {14}}, {})->peers[1].slice.value, 4U);
    }

    void aSendAndItsReceive() {
        const auto capture = captureOf({"Communication/Group 0 Communication: hcom_send__77_0_1[0,100) "
                                        "hcom_send__77_1_1[200,250) hcom_receive__77_2_1[400,480)\n",
                                        "Communication/Group 0 Communication: hcom_receive__77_0_1[60,100) "
                                        "hcom_receive__77_1_1[210,250) hcom_send__77_2_1[410,480)\n"});
        const auto peers = CollectiveDirectory::make(capture, {})->peersOf({0, {1}}, {});
        QVERIFY(peers->isTransfer);
        QCOMPARE(peers->group, std::string("__77"));
        QCOMPARE(peers->peers.size(), std::size_t{2});
        QCOMPARE(peers->peers[1].slice.value, 1U);
        QCOMPARE(peers->peers[0].wait, std::int64_t{10});
        QCOMPARE(peers->peers[1].wait, std::int64_t{0});
    }

    void amongThreeRanksNothingTellsThePartner() {
        const std::string line = "Communication/Group 0 Communication: hcom_send__77_0_1[0,100)\n";
        const auto peers = CollectiveDirectory::make(captureOf({line, line, line}), {})->peersOf({1, {0}}, {});
        QCOMPARE(peers->peers.size(), std::size_t{1});
        QCOMPARE(peers->peers[0].rank.value, 1U);
        QCOMPARE(peers->missing.size(), std::size_t{2});
    }

    void ofTwoThatAreNearOneTheNearerIsItsPair() {
        std::mt19937_64 random(6);
        std::vector<CollectiveEnd> other;
        for (const Collective& one : jobOf(random, 30)) other.push_back({one.end, 1});
        for (const std::int64_t apart : {-40'000, 40'000}) {
            std::vector<CollectiveEnd> own = other;
            own.push_back({other[25].end + apart, 1});
            std::sort(own.begin(), own.end(),
                      [](const CollectiveEnd& a, const CollectiveEnd& b) { return a.end < b.end; });
            const auto paired = pairEnds(own, other);
            QVERIFY(paired);
            for (std::size_t i = 0; i < own.size(); ++i) {
                const auto at = paired->partners[i];
                QCOMPARE(at.has_value(), own[i].end != other[25].end + apart);
                if (at) QCOMPARE(other[*at].end, own[i].end);
            }
        }
    }

    void whatIsNoCollectiveHasNoPeers() {
        const auto capture = captureOf({"Communication/Group 0 Communication: "
                                        "hcom_allReduce__586_0_1[0,100)\nCommunication/Plane 0: Memcpy[0,90)\n"});
        const auto directory = CollectiveDirectory::make(capture, {});
        for (std::uint32_t i = 0; i < 2; ++i) {
            const bool is = isCollective(*capture->ranks[0].trace, {i});
            QCOMPARE(directory->peersOf({0, {i}}, {}).has_value(), is);
            QCOMPARE(is, capture->ranks[0].trace->name({i}) != "Memcpy");
        }
    }

    void thousandsOfRanks() {
        std::mt19937_64 random(1);
        const auto job = jobOf(random, 20);
        std::vector<std::string> ranks;
        for (int r = 0; r < 2000; ++r) ranks.push_back(recorded(job, 0, r * 1'000, random, r % 3));
        const auto directory = CollectiveDirectory::make(captureOf(ranks), {});
        const auto peers = directory->peersOf({1234, {11}}, {});
        QCOMPARE(peers->peers.size(), std::size_t{2000});
        for (const CollectivePeer& peer : peers->peers) QCOMPARE(peer.slice.value, 11U);
    }

    void cancelled() {
        const auto capture = captureOf({"Communication/Group 0 Communication: hcom_allReduce__586_0_1[0,100)\n"});
        const CancelToken token;
        token.requestCancel();
        QVERIFY(CollectiveDirectory::make(capture, token) == nullptr);
        QVERIFY(!CollectiveDirectory::make(capture, {})->peersOf({0, {0}}, token));
    }
};

ALTI_TEST(TestCollectivePeers)
#include "tst_collective_peers.moc"
