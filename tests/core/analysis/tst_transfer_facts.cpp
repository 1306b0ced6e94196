#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/facts/rank_facts.h"
#include "core/trace/collective_names.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using altiscope::test::addRow;

namespace {

/// A collective of the step with so much transit; then its packets.
struct Collective {
    int step;
    std::string name;
    std::int64_t transit;
    std::vector<std::int64_t> packetTimes;  ///< One row each: of HCCS, 10 packets of 64 KiB.
};

RankFacts factsOf(const std::vector<Collective>& collectives, const std::vector<std::size_t>& order) {
    RowTablesBuilder builder;
    for (const Collective& one : collectives)
        addRow(builder, RowKind::Collective,
               {{"step", std::to_string(one.step)},
                {"group_name", "g"},
                {"op_name", one.name},
                {"transit", std::to_string(one.transit)}});
    for (const std::size_t i : order) {
        const Collective& one = collectives[i];
        const auto packets = [&](const char* transport, std::int64_t time) {
            addRow(builder, RowKind::Packet,
                   {{"step", std::to_string(one.step)},
                    {"group_name", "g"},
                    {"op_name", one.name},
                    {"transport", transport},
                    {"packet_size", "65536"},
                    {"count", "10"},
                    {"dur", std::to_string(time)}});
        };
        for (const std::int64_t time : one.packetTimes) packets("HCCS", time);
        packets("SDMA", 1000);  // repeats them
    }
    CaptureStore capture;
    capture.ranks.emplace_back();
    capture.ranks[0].rows = builder.seal({}).value();
    return *readRankFacts(capture, {0}, std::nullopt, CaptureGroups(nullptr), {});
}

}  // namespace

class TestTransferFacts : public QObject {
    Q_OBJECT
private slots:
    void receivesOfOldMindSporeWaitInStepsOfWhichNothingElseIsKnown() {
        QVERIFY(isReceiveName("stream_48_0_Receive-op663") && isReceiveName("hcom_receive__586_0_1"));
        QVERIFY(isPeerToPeerName("stream_49_0_Send-op610") && !isReceiveName("stream_49_0_Send-op610"));
        QVERIFY(!isPeerToPeerName("stream_41_0_AllReduce-op4582"));
        RowTablesBuilder builder;
        const auto add = [&](int step, const char* name, const char* wait) {
            addRow(builder, RowKind::Collective,
                   {{"step", std::to_string(step)}, {"op_name", name}, {"kind", "p2p"}, {"wait", wait}});
        };
        for (const int step : {1, 2, 6}) {
            add(step, "stream_48_0_Receive-op663", "50");
            add(step, "stream_48_1_Receive-op794", step == 2 ? "90" : "30");
            add(step, "stream_49_0_Send-op610", "70");
            add(step, "stream_41_0_AllReduce-op4582", "60");
        }
        RankEntry rank;
        rank.rows = builder.seal({}).value();
        rank.steps = {{1, TimeRange{{0}, {100}}}, {2, TimeRange{{100}, {220}}}};
        RankFacts facts;
        readReceiveWaits(rank, *rank.rows, facts);
        QCOMPARE(facts.receiveWaits.steps, std::size_t{2});
        QCOMPARE(facts.receiveWaits.time, std::int64_t{220});
        QCOMPARE(facts.receiveWaits.wait, std::int64_t{80 + 120});
        // Where the parts of steps are known, their bubble is.
        facts = {};
        facts.steps.emplace_back().computing = 1;
        readReceiveWaits(rank, *rank.rows, facts);
        QCOMPARE(facts.receiveWaits.steps, std::size_t{0});
    }
    void mainPlane_data() {
        QTest::addColumn<QList<int>>("order");
        QList<int> inOrder, backwards;
        for (int i = 0; i < 40; ++i) {
            inOrder.push_back(i);
            backwards.prepend(i);
        }
        QTest::addRow("packets in the order of their collectives") << inOrder;
        QTest::addRow("in another order") << backwards;
        QTest::addRow("many collectives without packets between") << QList<int>{0, 39, 38, 20};
    }
    void mainPlane() {
        QFETCH(QList<int>, order);
        // Packets take 200 on two planes, the collective 100: half of their time is what one waits for. One has no
        // transit: all of it.
        std::vector<Collective> collectives;
        for (int i = 0; i < 40; ++i)
            collectives.push_back(
                {i / 20, "hcom_allReduce__586_" + std::to_string(i) + "_1", i == 39 ? 0 : 100, {150, 50}});
        const RankFacts facts = factsOf(collectives, std::vector<std::size_t>(order.begin(), order.end()));
        double expected = 0, main = 0;
        for (const int i : order) expected += i == 39 ? 200 : 100;
        std::int64_t time = 0;
        for (const PacketFacts& packets : facts.packets) {
            if (packets.transport != "HCCS") continue;
            main += packets.mainTime;
            time += packets.time;
            QCOMPARE(packets.packetSize, 65536);
        }
        QCOMPARE(main, expected);
        QCOMPARE(time, std::int64_t{200} * order.size());
    }

    void sendsTellInWhichGroupTheyAreReceived() {
        const RankFacts facts = factsOf({{1, "hcom_send__123_0_1", 10, {10}},
                                         {1, "hcom_receive__123_0_1", 0, {}},
                                         {1, "hcom_allReduce__586_0_1", 10, {30}}},
                                        {0, 2});
        QVERIFY((facts.receivesIn == std::vector<std::string>{"g"}));
        for (const PacketFacts& packets : facts.packets) {
            if (packets.transport == "HCCS") QCOMPARE(packets.receivedIn, std::string(packets.time == 10 ? "g" : ""));
        }
    }

    /// Files without totals list each call once; with them the single calls are in the totals already.
    void linksOfSingleCallsCountWithoutTotals() {
        for (const bool hasTotals : {false, true}) {
            CaptureStore capture;
            capture.ranks.emplace_back();
            RowTablesBuilder builder;
            for (const std::string_view selection : {"single", "single", "top1", "total"}) {
                if (selection == "total" && !hasTotals) continue;
                addRow(builder, RowKind::Link,
                       {{"step", "1"},
                        {"selection", std::string(selection)},
                        {"src_rank", "0"},
                        {"dst_rank", "1"},
                        {"transport", "HCCS"},
                        {"size", selection == "total" ? "300" : "100"},
                        {"transit", "10"}});
            }
            capture.ranks[0].rows = builder.seal({}).value();
            const auto facts = readRankFacts(capture, {0}, std::nullopt, CaptureGroups(nullptr), {});
            QCOMPARE(facts->links.size(), std::size_t{1});
            QCOMPARE(facts->links[0].size, std::int64_t{hasTotals ? 300 : 200});
        }
    }

    void sumsOfHostileTimesStayAtTheBorder() {
        constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max() - 5;
        const RankFacts facts = factsOf({{1, "a", 100, {kHuge, kHuge}}}, {0});
        for (const PacketFacts& packets : facts.packets)
            QVERIFY(packets.transport != "HCCS" || packets.time == std::numeric_limits<std::int64_t>::max());
        CaptureStore capture;
        capture.ranks.emplace_back();
        RowTablesBuilder builder;
        for (int i = 0; i < 2; ++i)
            addRow(builder, RowKind::Link,
                   {{"step", "1"},
                    {"selection", "total"},
                    {"src_rank", "0"},
                    {"dst_rank", "1"},
                    {"transport", "HCCS"},
                    {"size", std::to_string(kHuge)},
                    {"transit", std::to_string(kHuge)}});
        capture.ranks[0].rows = builder.seal({}).value();
        QCOMPARE(readRankFacts(capture, {0}, std::nullopt, CaptureGroups(nullptr), {})->links.at(0).time,
                 std::numeric_limits<std::int64_t>::max());
    }
};

ALTI_TEST(TestTransferFacts)
#include "tst_transfer_facts.moc"
