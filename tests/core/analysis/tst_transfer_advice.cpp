#include "core/analysis/communication/transfer_advice.h"

#include "core/base/threads/parallel.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using test::RowText;

namespace {

/// A rank's tables: collectives begin at 1000 * their number in the list and take `elapsed`.
struct Rank {
    std::vector<RowText> collectives, bandwidths, packets, kernels;

    void collective(const std::string& name, std::int64_t elapsed, const std::string& group = "g") {
        collectives.push_back({{"step", "5"},
                               {"op_name", name},
                               {"group_name", group},
                               {"kind", "collective"},
                               {"ts", std::to_string(1000 * collectives.size())},
                               {"elapsed", std::to_string(elapsed)}});
    }
    void bandwidth(const std::string& name, const std::string& transport, std::int64_t size, std::int64_t time,
                   const std::string& group = {}) {
        bandwidths.push_back({{"step", "5"},
                              {"op_name", name},
                              {"transport", transport},
                              {"size", std::to_string(size)},
                              {"transit", std::to_string(time)}});
        if (!group.empty()) bandwidths.back().push_back({"group_name", group});
    }
    void packet(const std::string& name, const std::string& transport, std::int64_t size, std::int64_t count,
                std::int64_t time) {
        packets.push_back({{"step", "5"},
                           {"op_name", name},
                           {"transport", transport},
                           {"packet_size", std::to_string(size)},
                           {"count", std::to_string(count)},
                           {"dur", std::to_string(time)}});
    }
    void kernel(const std::string& name, std::int64_t begin, std::int64_t length) {
        kernels.push_back({{"name", name}, {"ts", std::to_string(begin)}, {"dur", std::to_string(length)}});
    }
};

/// "kind rank priority operators packets size time share worst;"
/// @param judged  Gets the ranks that could be judged, by kind: "4 4 0 4".
QByteArray adviceOf(const std::vector<Rank>& ranks, QByteArray* judged = nullptr) {
    QByteArray text;
    WorkerArena arena(2);
    arena.run([&] {
        CaptureStore capture;
        std::vector<CollectiveRows> rows;
        std::vector<const RowTables*> transfers;
        for (const Rank& rank : ranks) {
            RowTablesBuilder builder;
            for (const RowText& row : rank.collectives) test::addRow(builder, RowKind::Collective, row);
            for (const RowText& row : rank.bandwidths) test::addRow(builder, RowKind::Bandwidth, row);
            for (const RowText& row : rank.packets) test::addRow(builder, RowKind::Packet, row);
            for (const RowText& row : rank.kernels) test::addRow(builder, RowKind::Kernel, row);
            RankEntry& entry = capture.ranks.emplace_back();
            entry.rows = builder.seal({}).value();
            rows.push_back({static_cast<std::uint32_t>(rows.size()), entry.rows, false});
        }
        for (const RankEntry& rank : capture.ranks) transfers.push_back(rank.rows.get());
        const auto set = collectiveSet(rows, {}, {});
        const TransferAdvices advices = transferAdvice(capture, *set, transfers, {});
        for (const std::size_t count : advices.judged) {
            if (judged != nullptr) *judged += (judged->isEmpty() ? "" : " ") + QByteArray::number(qint64(count));
        }
        for (const TransferAdvice& advice : advices.found) {
            static constexpr const char* kKinds[] = {"alignment", "small", "retransmission", "contention"};
            static constexpr const char* kPriorities[] = {"low", "medium", "high"};
            text += kKinds[static_cast<int>(advice.kind)];
            text += ' ' + QByteArray::number(qint64(advice.row));
            text += QByteArray(" ") + kPriorities[static_cast<int>(advice.priority)];
            for (const qint64 number :
                 {qint64(advice.operators), qint64{advice.packets}, qint64{advice.size}, qint64{advice.time}})
                text += ' ' + QByteArray::number(number);
            text += ' ' + (advice.share ? QByteArray::number(*advice.share, 'g', 3) : QByteArray("-"));
            text += ' ' +
                    QByteArray::fromStdString(
                        std::string(set->ranks[advice.row].name(set->ranks[advice.row].items[advice.worst]))) +
                    ';';
        }
    });
    return text;
}

constexpr std::int64_t kMiB = 1'048'576;

}  // namespace

class TestTransferAdvice : public QObject {
    Q_OBJECT
private slots:
    void alignmentLeavesOutSmallAndRemotePackets() {
        Rank rank;
        for (const char* name : {"a", "b"}) rank.collective(name, 100);
        rank.packet("a", "HCCS", 4 * kMiB, 1, 700);
        rank.packet("a", "HCCS", 4 * kMiB + 4, 2, 100);
        rank.packet("b", "HCCS", 4 * kMiB + 8, 1, 200);
        rank.packet("b", "RDMA", 4 * kMiB + 8, 1, 5000);
        rank.packet("b", "SDMA", 4 * kMiB + 8, 1, 5000);
        QCOMPARE(adviceOf({rank}),
                 QByteArray("alignment 0 medium 2 3 " + QByteArray::number(qint64{12 * kMiB + 16}) + " 300 0.3 b;"));
        Rank tiny;
        tiny.collective("a", 100);
        tiny.packet("a", "HCCS", 511, 1, 1);
        tiny.packet("a", "HCCS", 512 * 4096, 1, 900);
        QCOMPARE(adviceOf({tiny}), QByteArray());
    }

    void smallPacketsByTheirOwnSize() {
        Rank rank;
        for (const char* name : {"a", "b"}) rank.collective(name, 100);
        rank.packet("a", "HCCS", kMiB - 512, 10, 300);
        rank.packet("b", "HCCS", kMiB, 10, 600);
        rank.packet("b", "RDMA", 524'287, 1, 50);
        rank.packet("b", "RDMA", 524'288, 1, 50);
        // 350 of 1000; and RDMA's packets need not be aligned.
        QCOMPARE(adviceOf({rank}),
                 QByteArray("small 0 medium 2 11 " + QByteArray::number(qint64{10 * (kMiB - 512) + 524'287}) +
                            " 350 0.35 a;"));
        rank.packet("b", "HCCS", kMiB, 10, 1000);  // 350 of 2000
        QCOMPARE(adviceOf({rank}), QByteArray());
    }

    void retransmissionNeedsAllRanksToBeSlow() {
        constexpr std::int64_t kSecond = 1'000'000'000;
        Rank one, other;
        one.collective("a", 5 * kSecond);
        one.collective("b", 5 * kSecond);
        one.bandwidth("a", "RDMA", kMiB, 4 * kSecond + 1);
        one.bandwidth("b", "RDMA", kMiB, 4 * kSecond + 1);
        other.collective("a", 4 * kSecond);
        other.collective("b", 4 * kSecond - 1);  // came late
        QCOMPARE(adviceOf({one, other}), QByteArray("retransmission 0 high 1 0 0 4000000001 - a;"));
    }

    void contentionBesideAMatMul() {
        Rank rank;
        for (const char* name : {"slow", "alone", "fast", "tiny"}) rank.collective(name, 100);
        for (const char* name : {"slow", "alone"}) rank.bandwidth(name, "SDMA", 14 * kMiB, kMiB);
        rank.bandwidth("fast", "SDMA", 15 * kMiB, kMiB);
        rank.bandwidth("tiny", "SDMA", 1000, 1000);
        rank.kernel("aclnnMatmul_MatMulCommon", 0, 50);
        rank.kernel("Add", 1000, 100);
        rank.kernel("MatMulV2", 2000, 5000);
        QCOMPARE(adviceOf({rank}), QByteArray("contention 0 medium 1 0 " + QByteArray::number(qint64{14 * kMiB}) + ' ' +
                                              QByteArray::number(qint64{kMiB}) + " 0.333 slow;"));
    }

    /// Names hold only some digits of their group's: groups were thrown together, and what one lost was not told.
    void collectivesOfAnotherGroupHaveTheSameName() {
        constexpr std::int64_t kSecond = 1'000'000'000;
        std::vector<Rank> ranks(4);
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            ranks[r].collective("a", r < 2 ? 5 * kSecond : 1'000'000, r < 2 ? "one" : "other");
            ranks[r].bandwidth("a", "RDMA", kMiB, r < 2 ? 4'500'000'000 : 900'000, r < 2 ? "one" : "other");
        }
        QCOMPARE(adviceOf(ranks),
                 QByteArray("retransmission 0 high 1 0 0 4500000000 - a;retransmission 1 high 1 0 0 4500000000 - a;"));

        Rank both;
        for (const char* group : {"one", "other"}) both.collective("a", 100, group);
        both.bandwidth("a", "SDMA", 14 * kMiB, kMiB, "one");
        both.bandwidth("a", "SDMA", 100 * kMiB, kMiB, "other");
        both.bandwidth("a", "SDMA", 100 * kMiB, kMiB);  // whose it is is not told
        both.kernel("MatMul", 0, 5000);
        QCOMPARE(adviceOf({both}), QByteArray("contention 0 medium 1 0 " + QByteArray::number(qint64{14 * kMiB}) + ' ' +
                                              QByteArray::number(qint64{kMiB}) + " 0.5 a;"));
    }

    /// "Nothing to advise" was said of what nobody could judge.
    void whatIsNotReportedIsNotJudged() {
        Rank bare, computed, whole;
        for (Rank* rank : {&bare, &computed, &whole}) rank->collective("a", 100);
        for (Rank* rank : {&computed, &whole}) {
            rank->bandwidth("a", "SDMA", 20 * kMiB, kMiB);
            rank->bandwidth("a", "RDMA", 20 * kMiB, rank == &whole ? 100 : 0);
        }
        whole.packet("a", "RDMA", 4 * kMiB, 1, 100);
        whole.kernel("Add", 0, 50);
        QByteArray judged;
        QCOMPARE(adviceOf({bare, computed, whole}, &judged), QByteArray());
        QCOMPARE(judged, QByteArray("0 1 1 1"));
        whole.packet("a", "HCCS", 4 * kMiB, 1, 100);
        judged.clear();
        QCOMPARE(adviceOf({whole}, &judged), QByteArray());
        QCOMPARE(judged, QByteArray("1 1 1 1"));
    }

    void ranksWithoutTransfersHaveNone() {
        Rank rank;
        rank.collective("a", 100);
        QCOMPARE(adviceOf({rank, {}}), QByteArray());
    }
};

ALTI_TEST(TestTransferAdvice)
#include "tst_transfer_advice.moc"
