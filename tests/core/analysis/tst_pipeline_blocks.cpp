#include "core/analysis/communication/pipeline_blocks.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <string>
#include <vector>

using namespace altiscope;
using altiscope::test::rankTrace;

namespace {

// The first of two stages, two micro-batches: the host runs ahead of the device.
const std::string kTracks = "Python/Thread 7: forward_step[0,30) aten::mm[10,20) isend[40,50) forward_step[60,90) "
                            "aten::mm[70,80) isend[100,110) irecv[120,130) irecv[220,230) optimizer[300,310)\n"
                            "Python/Thread 8: MmBackward0[140,190) aten::mm[150,160) aten::sum[165,170) "
                            "MmBackward0[240,290) aten::mm[250,260)\n"
                            "Ascend Hardware/Stream 1: MatMul[100,600) MatMul[620,1100) MatMul[2000,3000) "
                            "Sum[3000,3050) MatMul[4000,5000) Adam[5000,5200)\n";
const std::string kTransfers =
    "Communication/Group 0 Communication: hcom_send__1_0_1[610,650) hcom_send__1_1_1[1110,1150) "
    "hcom_receive__1_2_1[1160,1990) hcom_receive__1_3_1[3060,3990)\n";
const std::string kForward = "flow async_npu Python/Thread 7@12 -> Ascend Hardware/Stream 1@100\n"
                             "flow async_npu Python/Thread 7@72 -> Ascend Hardware/Stream 1@620\n"
                             "flow async_npu Python/Thread 8@152 -> Ascend Hardware/Stream 1@2000\n"
                             "flow async_npu Python/Thread 8@166 -> Ascend Hardware/Stream 1@3000\n"
                             "flow async_npu Python/Thread 8@252 -> Ascend Hardware/Stream 1@4000\n"
                             "flow async_npu Python/Thread 7@302 -> Ascend Hardware/Stream 1@5000\n";
const std::string kSends = "flow async_npu Python/Thread 7@42 -> Communication/Group 0 Communication@610\n"
                           "flow async_npu Python/Thread 7@102 -> Communication/Group 0 Communication@1110\n"
                           "flow async_npu Python/Thread 7@122 -> Communication/Group 0 Communication@1160\n"
                           "flow async_npu Python/Thread 7@222 -> Communication/Group 0 Communication@3060\n";
const std::string kPasses = "flow fwdbwd Python/Thread 7@10 -> Python/Thread 8@140\n"
                            "flow fwdbwd Python/Thread 7@70 -> Python/Thread 8@240\n";

RankEntry rankOf(const std::string& lines, std::vector<Step> steps = {{5, TimeRange{{0}, {320}}}}) {
    RankEntry rank;
    rank.trace = rankTrace(lines);
    rank.steps = std::move(steps);
    return rank;
}

/// "5 forward 0 100-600"
QString textOf(const std::vector<PipelineBlock>& blocks) {
    std::string text;
    for (const PipelineBlock& block : blocks) {
        text += (block.step ? std::to_string(*block.step) : "-") + " ";
        text += std::string(pipelineDirectionName(block.isBackward)) + " " + std::to_string(block.microBatch) + " ";
        text += std::to_string(block.range.begin.value) + "-" + std::to_string(block.range.end.value) + "\n";
    }
    return QString::fromStdString(text);
}

}  // namespace

/// Passes of micro-batches on a stage.
class TestPipelineBlocks : public QObject {
    Q_OBJECT
private slots:
    void passesOfAStage() {
        const RankEntry rank = rankOf(kTracks + kTransfers + kForward + kSends + kPasses);
        QCOMPARE(textOf(pipelineBlocks(rank, 2, {})), QStringLiteral("5 forward 0 100-600\n"
                                                                     "5 forward 1 620-1100\n"
                                                                     "5 backward 0 2000-3050\n"
                                                                     "5 backward 1 4000-5000\n"));
    }
    void countsAnewInEachStep() {
        const RankEntry rank = rankOf(kTracks + kTransfers + kForward + kSends + kPasses,
                                      {{5, TimeRange{{0}, {55}}}, {6, TimeRange{{55}, {235}}}});
        // What was launched after the last step is of none.
        QCOMPARE(textOf(pipelineBlocks(rank, 2, {})), QStringLiteral("5 forward 0 100-600\n"
                                                                     "6 forward 0 620-1100\n"
                                                                     "6 backward 0 2000-3050\n"));
    }
    void withoutStepsOfTheHost() {
        const RankEntry rank = rankOf(kTracks + kTransfers + kForward + kSends + kPasses, {});
        QVERIFY(textOf(pipelineBlocks(rank, 2, {})).startsWith(QStringLiteral("- forward 0 100-600\n")));
    }
    void nothingIsGuessed() {
        // No pipeline, no flows between passes, no sends: which kernels are one micro-batch is not known.
        QVERIFY(pipelineBlocks(rankOf(kTracks + kTransfers + kForward + kSends + kPasses), 1, {}).empty());
        QVERIFY(pipelineBlocks(rankOf(kTracks + kTransfers + kForward + kSends), 2, {}).empty());
        QVERIFY(pipelineBlocks(rankOf(kTracks + kForward + kPasses), 2, {}).empty());
        QVERIFY(pipelineBlocks(RankEntry(), 2, {}).empty());
    }
    void onOneThreadOperatorsTellThePassesApart() {
        const RankEntry rank = rankOf(
            "Python/Thread 7: aten::mm[10,20) isend[40,50) irecv[120,130) MmBackward0[140,190) aten::mm[150,160)\n"
            "Ascend Hardware/Stream 1: MatMul[100,600) MatMul[2000,3000)\n"
            "Communication/Group 0 Communication: hcom_send__1_0_1[610,650) hcom_receive__1_1_1[660,1990)\n"
            "flow async_npu Python/Thread 7@12 -> Ascend Hardware/Stream 1@100\n"
            "flow async_npu Python/Thread 7@152 -> Ascend Hardware/Stream 1@2000\n"
            "flow async_npu Python/Thread 7@42 -> Communication/Group 0 Communication@610\n"
            "flow async_npu Python/Thread 7@122 -> Communication/Group 0 Communication@660\n"
            "flow fwdbwd Python/Thread 7@10 -> Python/Thread 7@140\n");
        QCOMPARE(textOf(pipelineBlocks(rank, 2, {})), QStringLiteral("5 forward 0 100-600\n5 backward 0 2000-3000\n"));
    }
};

ALTI_TEST(TestPipelineBlocks)
#include "tst_pipeline_blocks.moc"
