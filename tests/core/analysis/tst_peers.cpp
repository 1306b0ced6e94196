#include "core/analysis/communication/peers.h"
#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"

#include <cstdint>
#include <vector>

using namespace altiscope;

namespace {

RankEntry& addRank(CaptureStore& capture, std::int64_t number, Framework framework) {
    RankEntry& rank = capture.ranks.emplace_back();
    rank.info.rankId = number;
    rank.info.framework = framework;
    rank.info.path = "r" + std::to_string(number);
    return rank;
}

void addGroup(CaptureStore& capture, const char* members) {
    RowTablesBuilder builder;
    RowBatch batch = builder.batch(RowKind::CommGroup);
    batch.addRow();
    batch.setText(fixedColumn(RowKind::CommGroup, "group_name"), "g");
    batch.setText(fixedColumn(RowKind::CommGroup, "ranks"), members);
    builder.commit(batch);
    capture.rows = builder.seal({}).value();
}

}  // namespace

/// Ranks of jobs that nothing ties together were compared with each other.
class TestPeers : public QObject {
    Q_OBJECT
private slots:
    void ofOneFramework() {
        CaptureStore capture;
        addRank(capture, 0, Framework::Torch);
        addRank(capture, 1, Framework::MindSpore);
        addRank(capture, 2, Framework::Torch);
        QCOMPARE(peersOf(capture), (std::vector<std::uint32_t>{0, 1, 0}));
        addGroup(capture, "[0,1,2,3]");
        QCOMPARE(peersOf(capture), (std::vector<std::uint32_t>{0, 0, 0}));
    }
    void ofOneRecording() {
        CaptureStore capture;
        for (const char* folder : {"train", "rollout"})
            for (const std::int64_t number : {0, 1})
                addRank(capture, number, Framework::Torch).info.path =
                    std::string(folder) + "/r" + std::to_string(number);
        addGroup(capture, "[0,1]");
        QCOMPARE(peersOf(capture), (std::vector<std::uint32_t>{0, 0, 1, 1}));
    }
};

ALTI_TEST(TestPeers)
#include "tst_peers.moc"
