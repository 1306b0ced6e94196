#include "core/analysis/communication/computed_transfers.h"

#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using altiscope::test::rankTrace;

namespace {

/// Arguments by the number of the slice in the text, from 1; empty: the source has none.
class ListedArguments final : public ArgumentSource {
public:
    explicit ListedArguments(std::map<std::uint64_t, std::string> texts) : m_texts(std::move(texts)) {}
    Result<std::string> arguments(SourcePos pos) const override {
        const auto known = m_texts.find(pos.offset());
        return known == m_texts.end() ? std::string() : known->second;
    }

private:
    std::map<std::uint64_t, std::string> m_texts;
};

std::string moved(std::int64_t source, std::int64_t target, std::int64_t bytes, const std::string& link,
                  const std::string& transport = "SDMA") {
    return "{\"notify_id\": \"0\", \"src rank\": " + std::to_string(source) +
           ", \"dst rank\":" + std::to_string(target) + ", \"transport type\": \"" + transport +
           "\", \"size(Byte)\": " + std::to_string(bytes) + ", \"link type\": \"" + link + "\"}";
}

RankEntry rankOf(std::string_view lines, std::map<std::uint64_t, std::string> arguments) {
    RankEntry rank;
    rank.info.rankId = 2;
    rank.trace = rankTrace(lines);
    rank.arguments = std::make_shared<ListedArguments>(std::move(arguments));
    return rank;
}

ComputedTransfers transfersOf(const RankEntry& rank, const RowTables* groups = nullptr) {
    return *computeTransfers(rank, readDeviceActivity(rank, {}), CaptureGroups(groups), {});
}

/// The rows of a kind, a line each, without absent cells: "op_name=a transport=HCCS size=10 ".
QByteArray dump(const ComputedTransfers& computed, RowKind kind) {
    QByteArray text;
    const RowTable* table = computed.rows == nullptr ? nullptr : computed.rows->find(kind);
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        for (std::size_t column = 0; column < rowColumns(kind).size(); ++column) {
            const RowColumn& known = rowColumns(kind)[column];
            if (known.cell == RowCell::Real) continue;
            const QByteArray name = QByteArray::fromStdString(std::string(known.name));
            if (known.cell == RowCell::Text) {
                if (const auto id = table->text(column, row))
                    text += name + '=' + QByteArray::fromStdString(std::string(computed.rows->text(*id))) + ' ';
            } else if (const auto number = table->integer(column, row)) {
                text += name + '=' + QByteArray::number(qint64{*number}) + ' ';
            }
        }
        text += '\n';
    }
    return text;
}

constexpr std::string_view kGroupLine =
    "Communication/Group 0 Communication: hcom_allReduce__586_0_1[0,100) hcom_allReduce__586_1_1[200,300)\n";

}  // namespace

class TestComputedTransfers : public QObject {
    Q_OBJECT
private slots:
    void sumsByLinkTransportAndPacket() {
        const RankEntry rank =
            rankOf(std::string(kGroupLine) + "Communication/Plane 0: Memcpy[0,10) Reduce_Inline[10,11)\n"
                                             "Communication/Plane 1: Notify_Wait[0,20) Reduce_Inline[20,30) "
                                             "Memcpy[30,45) Memcpy[50,60) Memcpy[210,220)\n",
                   {{3, moved(0, 0, 1000, "ON_CHIP")},
                    {4, moved(0, 4'294'967'295, 4, "ON_CHIP")},
                    {6, moved(0, 1, 500, "HCCS")},
                    {7, moved(0, 1, 500, "HCCS_SW")},
                    {8, moved(0, 2, 700, "PCIE")},
                    {9, moved(0, 1, 90, "HCCS")}});
        const ComputedTransfers computed = transfersOf(rank);
        QCOMPARE(computed.tasks, std::uint64_t{6});
        QCOMPARE(computed.unknown, std::uint64_t{0});
        QCOMPARE(dump(computed, RowKind::Link),
                 QByteArray("op_name=hcom_allReduce__586_0_1 selection=single src_local=0 dst_local=0 transport=LOCAL "
                            "size=1004 transit=11 \n"
                            "op_name=hcom_allReduce__586_0_1 selection=single src_local=0 dst_local=1 transport=HCCS "
                            "size=1000 transit=25 \n"
                            "op_name=hcom_allReduce__586_0_1 selection=single src_local=0 dst_local=2 transport=PCIE "
                            "size=700 transit=10 \n"
                            "op_name=hcom_allReduce__586_1_1 selection=single src_local=0 dst_local=1 transport=HCCS "
                            "size=90 transit=10 \n"));
        QCOMPARE(dump(computed, RowKind::Bandwidth),
                 QByteArray("op_name=hcom_allReduce__586_0_1 transport=HCCS size=1000 transit=25 \n"
                            "op_name=hcom_allReduce__586_0_1 transport=PCIE size=700 transit=10 \n"
                            "op_name=hcom_allReduce__586_0_1 transport=SDMA size=1700 transit=35 \n"
                            "op_name=hcom_allReduce__586_1_1 transport=HCCS size=90 transit=10 \n"
                            "op_name=hcom_allReduce__586_1_1 transport=SDMA size=90 transit=10 \n"));
        QCOMPARE(dump(computed, RowKind::Packet),
                 QByteArray("op_name=hcom_allReduce__586_0_1 transport=HCCS packet_size=500 count=2 dur=25 \n"
                            "op_name=hcom_allReduce__586_0_1 transport=PCIE packet_size=700 count=1 dur=10 \n"
                            "op_name=hcom_allReduce__586_1_1 transport=HCCS packet_size=90 count=1 dur=10 \n"));
    }

    void placesBecomeRanksOfTheGroup() {
        const auto groups =
            test::rowsOf(RowKind::CommGroup, {{{"group_name", "dp"}, {"hash", "77586"}, {"ranks", "[2, 6]"}}});
        const RankEntry rank =
            rankOf(std::string(kGroupLine) + "Communication/Plane 0: Memcpy[0,10)\n", {{3, moved(0, 1, 8, "HCCS")}});
        QCOMPARE(dump(transfersOf(rank, groups.get()), RowKind::Link),
                 QByteArray("group_name=dp op_name=hcom_allReduce__586_0_1 selection=single src_rank=2 dst_rank=6 "
                            "src_local=0 dst_local=1 transport=HCCS size=8 transit=10 \n"));
    }

    void remoteTransfersHaveSizesAlone() {
        const RankEntry rank = rankOf(std::string(kGroupLine) + "Communication/Plane 0: RDMASend[0,1) Memcpy[10,20)\n",
                                      {{3, moved(0, 1, 8000, "ROCE", "RDMA")}, {4, moved(0, 1, 10, "HCCS")}});
        const ComputedTransfers computed = transfersOf(rank);
        QCOMPARE(computed.remote, std::uint64_t{1});
        QVERIFY(dump(computed, RowKind::Link).contains("transport=RDMA size=8000 \n"));
        QVERIFY(dump(computed, RowKind::Bandwidth).contains("transport=RDMA size=8000 \n"));
        QVERIFY(dump(computed, RowKind::Bandwidth).contains("transport=SDMA size=10 transit=10 \n"));
        QVERIFY(!dump(computed, RowKind::Packet).contains("RDMA"));
    }

    void tasksWithoutArgumentsAreCounted() {
        const std::string lines =
            std::string(kGroupLine) + "Communication/Plane 0: Memcpy[0,10) Memcpy[10,20) Memcpy[20,30)\n";
        const ComputedTransfers some = transfersOf(rankOf(
            lines,
            {{3, moved(0, 1, 8, "HCCS")}, {4, "{\"stream id\": 4}"}, {5, "{\"src rank\": 0, \"size(Byte)\": 8}"}}));
        QCOMPARE(some.tasks, std::uint64_t{3});
        QCOMPARE(some.unknown, std::uint64_t{2});
        QVERIFY(some.rows != nullptr);
        QVERIFY(transfersOf(rankOf(lines, {})).rows == nullptr);
        RankEntry bare = rankOf(lines, {});
        bare.arguments.reset();
        QCOMPARE(transfersOf(bare).unknown, std::uint64_t{3});
        QVERIFY(transfersOf(rankOf(kGroupLine, {})).rows == nullptr);
    }

    void keysInTextsAreNotArguments() {
        const RankEntry rank =
            rankOf(std::string(kGroupLine) + "Communication/Plane 0: Memcpy[0,10)\n",
                   {{3, "{\"note\": \"a \\\"src rank\\\": 7, b\", \"other\": \"9 \\\"src rank\", \"src rank\": 1, "
                        "\"dst rank\": 0, \"size(Byte)\": \"12\", \"link type\": \"SIO\"}"}});
        QCOMPARE(dump(transfersOf(rank), RowKind::Link),
                 QByteArray("op_name=hcom_allReduce__586_0_1 selection=single src_local=1 dst_local=0 transport=SIO "
                            "size=12 transit=10 \n"));
    }

    void cancelled() {
        const RankEntry rank =
            rankOf(std::string(kGroupLine) + "Communication/Plane 0: Memcpy[0,10)\n", {{3, moved(0, 1, 8, "HCCS")}});
        const auto activity = readDeviceActivity(rank, {});
        const CancelToken token;
        token.requestCancel();
        QVERIFY(!computeTransfers(rank, activity, CaptureGroups(nullptr), token));
    }
};

ALTI_TEST(TestComputedTransfers)
#include "tst_computed_transfers.moc"
