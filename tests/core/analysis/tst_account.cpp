#include "core/analysis/account/account.h"
#include "core/analysis/capture_analysis.h"
#include "core/base/threads/parallel.h"
#include "tests/core/analysis/numbered_calls.h"
#include "tests/support/test_main.h"

#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace altiscope;
using altiscope::test::captureOfText;
using altiscope::test::oneStep;

namespace {

std::shared_ptr<const CaptureFacts> factsOfText(const std::string& lines, std::vector<Step> steps = {}) {
    return CaptureAnalysis(captureOfText(lines, std::move(steps))).facts({});
}

}  // namespace

/// Where the time of a step went: each ns has one cause.
class TestAccount : public QObject {
    Q_OBJECT
private slots:
    void partsAreThoseOfEachNs() {
        // Painted ns by ns: computing over waits and transfers, these over copies.
        std::mt19937 random(5);
        for (int round = 0; round < 40; ++round) {
            constexpr std::int64_t kLength = 2000;
            std::array<int, kLength> painted{};
            std::string kernels = "Ascend Hardware/Stream 1:", copies = "Ascend Hardware/Stream 2:",
                        groups = "Communication/Group 0 Communication:";
            const auto paint = [&](std::string& line, const char* name, int colour) {
                for (std::int64_t at = static_cast<std::int64_t>(random() % 50); at < kLength - 1;) {
                    const std::int64_t end = std::min(kLength, at + 1 + static_cast<std::int64_t>(random() % 100));
                    line += std::string(" ") + name + "[" + std::to_string(at) + "," + std::to_string(end) + ")";
                    for (std::int64_t ns = at; ns < end; ++ns)
                        painted[static_cast<std::size_t>(ns)] = std::max(painted[static_cast<std::size_t>(ns)], colour);
                    at = end + static_cast<std::int64_t>(random() % 150);
                }
            };
            paint(copies, "MEMCPY_ASYNC", 1);
            paint(groups, "hcom_allReduce__586_0_1", 2);
            paint(kernels, "MatMul", 3);
            const auto facts = factsOfText(kernels + "\n" + copies + "\n" + groups + "\n", oneStep(100, 1900));
            std::array<std::int64_t, 4> counts{};
            for (std::size_t ns = 100; ns < 1900; ++ns) ++counts[static_cast<std::size_t>(painted[ns])];
            const StepAccount& step = facts->account->ranks.at(0).steps.at(0);
            QCOMPARE(step.sum(), std::int64_t{1800});
            QCOMPARE(step.computing, counts[3]);
            QCOMPARE(step.communication(), counts[2]);
            QCOMPARE(step.copy, counts[1]);
            QCOMPARE(step.gap(), counts[0]);
        }
    }

    void withoutAHostNoHostIsClaimed() {
        const auto facts = factsOfText("Ascend Hardware/Stream 1: MatMul[0,100) MatMul[9000,9100)\n");
        const RankAccount& rank = facts->account->ranks.at(0);
        QVERIFY(!rank.hasLaunches);
        QCOMPARE(rank.steps.at(0).range, (TimeRange{{0}, {9100}}));
        QCOMPARE(rank.steps.at(0).gapOf(Cause::Unknown), std::int64_t{8900});
        QCOMPARE(rank.steps.at(0).longestGaps.at(0).cause, Cause::Unknown);
        QVERIFY(rank.steps.at(0).longestGaps.at(0).thread.empty());
    }

    void aGapIsTheHostsInnermostSlice() {
        // The second kernel was launched late: loss() ran from 120 to 8900 and called the launch.
        const auto facts = factsOfText("Ascend Hardware/Stream 1: MatMul#1[100,200) MatMul#2[9000,9100)\n"
                                       "CANN/Thread 7: Node@launch#1[50,60) Node@launch#2[8950,8960)\n"
                                       "Python/Thread 7: train[0,9200) loss[120,8900)\n");
        const StepAccount& step = facts->account->ranks.at(0).steps.at(0);
        QCOMPARE(step.gap(), std::int64_t{8800});
        const GapFacts& gap = step.longestGaps.at(0);
        QCOMPARE(gap.cause, Cause::Host);
        QCOMPARE(gap.name, std::string("loss"));
        QCOMPARE(gap.thread, std::string("Thread 7"));
        QCOMPARE(gap.nextName, std::string("MatMul#2"));
        // train() still covers what lies between the launching call and the kernel.
        QCOMPARE(step.gapOf(Cause::Host), std::int64_t{8800});
        QCOMPARE(step.sum(), step.range.length().value);
    }

    void aGapIsNamedByWhatRanInMostOfItNotByWhatEnclosesAll() {
        // train() encloses everything; log_softmax() covers 6 of 8.8 us of the gap, and half of that is empty_tensor().
        const auto facts =
            factsOfText("Ascend Hardware/Stream 1: MatMul#1[100,200) MatMul#2[9000,9100)\n"
                        "CANN/Thread 7: Node@launch#1[50,60) Node@launch#2[8950,8960)\n"
                        "Python/Thread 7: train[0,9200) log_softmax[1000,7000) empty_tensor[2000,5000)\n");
        const GapFacts& gap = facts->account->ranks.at(0).steps.at(0).longestGaps.at(0);
        QCOMPARE(gap.cause, Cause::Host);
        QCOMPARE(gap.name, std::string("log_softmax"));
    }

    void whatComesBeforeTheFirstKernelIsNoGapOfTheWork() {
        // A copy comes 5 us before the first kernel, and another one 4 us after the last.
        const auto facts = factsOfText("Ascend Hardware/Stream 1: MatMul[6000,6100) MatMul[7000,7100)\n"
                                       "Ascend Hardware/Stream 2: MEMCPY_ASYNC[900,1000) MEMCPY_ASYNC[11100,11200)\n",
                                       oneStep(0, 12000));
        const StepAccount& step = facts->account->ranks.at(0).steps.at(0);
        QCOMPARE(step.gap(), std::int64_t{900 + 5000 + 900 + 4000 + 800});
        QCOMPARE(step.longestGaps.size(), std::size_t{1});
        QCOMPARE(step.longestGaps.at(0).range, (TimeRange{{6100}, {7000}}));
    }

    void aGapThatARangeOfAnotherTrackCoversIsThatRanges() {
        // MindSpore up to 2.3 shows its streams of collectives on threads without a name; a request encloses much more.
        const auto facts = factsOfText("Ascend Hardware/Stream 1: MatMul[100,200) MatMul[9000,9100)\n"
                                       "Process 10000/Thread 540: stream_540_parallel_0[300,8900)\n"
                                       "Process 10000/Thread 541: request[0,20000)\n");
        const GapFacts& gap = facts->account->ranks.at(0).steps.at(0).longestGaps.at(0);
        QCOMPARE(gap.cause, Cause::Unknown);
        QCOMPARE(gap.name, std::string("stream_540_parallel_0"));
    }

    void garbageCollectionIsNotItsCallersTime() {
        const auto facts = factsOfText("Ascend Hardware/Stream 1: MatMul#1[100,200) MatMul#2[9000,9100)\n"
                                       "CANN/Thread 7: Node@launch#1[50,60) Node@launch#2[8950,8960)\n"
                                       "Python GC/Thread 0: GC[300,8800)\n"
                                       "Python/Thread 7: train[0,9200) loss[120,8900)\n");
        const StepAccount& step = facts->account->ranks.at(0).steps.at(0);
        QCOMPARE(step.gapOf(Cause::Gc), std::int64_t{8500});
        QCOMPARE(step.longestGaps.at(0).cause, Cause::Gc);
    }

    void belowEightTenthsNothingIsNamed() {
        // Half of the gap lies under loss(), the other half under nothing.
        const auto facts = factsOfText("Ascend Hardware/Stream 1: MatMul#1[100,200) MatMul#2[9000,9100)\n"
                                       "CANN/Thread 7: Node@launch#1[50,60) Node@launch#2[8950,8960)\n"
                                       "Python/Thread 7: loss[120,4600)\n");
        const StepAccount& step = facts->account->ranks.at(0).steps.at(0);
        QCOMPARE(step.longestGaps.at(0).cause, Cause::Unknown);
        QCOMPARE(step.gapOf(Cause::Host), std::int64_t{4400 + 10});
    }

    void aTransferWithoutATransitTimeIsUnknownNotZero() {
        const auto facts = factsOfText("Ascend Hardware/Stream 1: MatMul[0,100)\n"
                                       "Communication/Group 0 Communication: hcom_allReduce__586_0_1[200,700)\n");
        const StepAccount& step = facts->account->ranks.at(0).steps.at(0);
        QCOMPARE(step.unknownCommunication, std::int64_t{500});
        QCOMPARE(step.transfer, std::int64_t{0});
    }

    void withoutACallThatWaitsThereIsNoWhatIf() {
        const auto facts = factsOfText("Ascend Hardware/Stream 1: MatMul#1[100,200)\n"
                                       "CANN/Thread 7: Node@launch#1[50,60)\n",
                                       oneStep(0, 300));
        QCOMPARE(facts->account->job.refusal, ReplayRefusal::NoSynchronization);
        QVERIFY(facts->account->job.causes.empty());
    }

    void aStepIsReplayedFromWhatTheHostWaitedFor() {
        const auto facts =
            factsOfText("Ascend Hardware/Stream 1: MatMul#1[100,900)\n"
                        "CANN/Thread 7: Node@launch#1[50,60) AscendCL@aclrtSynchronizeStream#9[70,950)\n",
                        oneStep(0, 1000));
        const JobAccount& job = facts->account->job;
        QCOMPARE(job.refusal, ReplayRefusal::None);
        QCOMPARE(job.recorded, std::vector<std::int64_t>{1000});
        QCOMPARE(*job.replayError, 0.0);
    }

    void callsForMemoryAreACauseOfTheirOwn() {
        const auto facts =
            factsOfText("Ascend Hardware/Stream 1: MatMul#1[100,200) MatMul#2[5100,5200)\n"
                        "CANN/Thread 7: Node@launch#1[50,60) AscendCL@aclrtFree[100,4900) Node@launch#2[5000,5010) "
                        "AscendCL@aclrtSynchronizeStream#9[5020,5300)\n",
                        oneStep(0, 6000));
        const JobAccount& job = facts->account->job;
        QCOMPARE(job.causes.size(), std::size_t{1});
        QCOMPARE(job.causes[0].kind, CauseKind::MemoryCalls);
        QCOMPARE(job.causes[0].removal, std::vector<std::int64_t>{4800});
        QCOMPARE(job.causes[0].slices.at(0).name, std::string("AscendCL@aclrtFree"));
        // Launches win what the call leaves of them.
        QCOMPARE(job.whatIfs.size(), std::size_t{1});
        QCOMPARE(job.whatIfs[0].whatIf, WhatIf::TinyKernels);
        QVERIFY2(job.whatIfs[0].gains.at(0) < 300, std::to_string(job.whatIfs[0].gains.at(0)).c_str());
    }

    void aHostThatWaitsOnceAStepRunsAhead() {
        // The second kernel is launched 49 us after the wait for the first: without that wait it follows at once.
        const auto facts =
            factsOfText("Ascend Hardware/Stream 1: MatMul#1[10000,100000) MatMul#2[150100,200000)\n"
                        "CANN/Thread 7: Node@launch#1[9900,9910) AscendCL@aclrtSynchronizeStream#8[9950,101000) "
                        "Node@launch#2[150000,150010) AscendCL@aclrtSynchronizeStream#9[152000,201000)\n",
                        oneStep(0, 210'000));
        const JobAccount& job = facts->account->job;
        QCOMPARE(job.refusal, ReplayRefusal::None);
        QCOMPARE(job.whatIfs.size(), std::size_t{1});
        QCOMPARE(job.whatIfs[0].whatIf, WhatIf::Synchronizations);
        QCOMPARE(job.whatIfs[0].gains, std::vector<std::int64_t>{50'100});
    }

    void launchesOfTinyKernelsTakeNoTime() {
        // The host takes 90 us to launch the second kernel, of which the first one covers 5.
        const auto facts = factsOfText("Ascend Hardware/Stream 1: Add#1[10000,15000) Add#2[101000,104000)\n"
                                       "CANN/Thread 7: Node@launch#1[9000,9010) Node@launch#2[100000,100010) "
                                       "AscendCL@aclrtSynchronizeStream#9[102000,105000)\n",
                                       oneStep(0, 110'000));
        const auto& whatIfs = facts->account->job.whatIfs;
        QCOMPARE(whatIfs.size(), std::size_t{1});
        QCOMPARE(whatIfs[0].whatIf, WhatIf::TinyKernels);
        QVERIFY(whatIfs[0].gains.at(0) > 80'000 && whatIfs[0].gains.at(0) <= 91'000);
    }

    void aboveTheLimitRanksAreLookedAtOneByOne() {
        const auto capture =
            captureOfText("Ascend Hardware/Stream 1: MatMul#1[100,900)\n"
                          "CANN/Thread 7: Node@launch#1[50,60) AscendCL@aclrtSynchronizeStream#9[70,950)\n",
                          oneStep(0, 1000));
        const CaptureAnalysis analysis(capture);
        const auto facts = analysis.facts({});
        const std::vector<std::optional<DeviceActivity>> activities{readDeviceActivity(capture->ranks[0], {})};
        const CaptureGroups directory(*capture);
        const std::vector<const RowTables*> computed{nullptr};
        AccountRequest request{*capture, directory, facts->ranks, activities, *analysis.allCollectives({}), computed};
        for (const std::uint64_t most : {std::uint64_t{2}, std::uint64_t{3}}) {
            request.maxSlices = most;
            const auto account = accountOf(request, {}, {});
            QVERIFY(account.has_value());
            const bool isSmall = most == 3;
            QCOMPARE(account->job.refusal, isSmall ? ReplayRefusal::None : ReplayRefusal::TooLarge);
            QCOMPARE(account->ranks.at(0).steps.at(0).computing, std::int64_t{800});
            QCOMPARE(account->ranks.at(0).steps.at(0).sum(), std::int64_t{1000});
        }
    }
};

ALTI_TEST(TestAccount)
#include "tst_account.moc"
