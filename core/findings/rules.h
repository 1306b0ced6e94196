#pragma once

#include <cstdint>
#include <vector>

namespace altiscope {

struct RankFacts;
struct RuleContext;
struct StepCost;

// All rules; what each looks for and what it computes is in core/findings/README.md. Each is tested on facts that one
// can read. Cost: run_rules.h.

// rank_rules.cpp: ranks against each other
void findSlowRank(RuleContext& context);
void findFreeGap(RuleContext& context);

// outlier_rules.cpp, fail_slow_rules.cpp: steps against each other
void findStepOutliers(RuleContext& context);
void findFailSlow(RuleContext& context);

// balance_rules.cpp, wait_rules.cpp: who waits for whom
void findUnbalancedStages(RuleContext& context);
void findUnbalancedRanks(RuleContext& context);
void findPipelineBubble(RuleContext& context);
void findCollectiveWaits(RuleContext& context);

// device_rules.cpp: kernels
void findAiCpu(RuleContext& context);
void findFrequencyDrop(RuleContext& context);
void findTinyKernels(RuleContext& context);
/// Cost of the first two for a rank, whichever they speak of; frequencies of each rank. ns per step.
StepCost aiCpuCost(const RuleContext& context, const RankFacts& rank);
std::vector<StepCost> frequencyCosts(const RuleContext& context);

// core_rules.cpp: what kernels do with the cores
void findIdleCores(RuleContext& context);
void findCubeEfficiency(RuleContext& context);
void findVectorEfficiency(RuleContext& context);

// pattern_rules.cpp: what comes again and again, and what never does
void findFusibleSequences(RuleContext& context);
void findAffinityApis(RuleContext& context);
void findDynamicShapes(RuleContext& context);

// transfer_rules.cpp
void findUnalignedPackets(RuleContext& context);
void findLostPackets(RuleContext& context);
void findContention(RuleContext& context);

// link_rules.cpp, packet_rules.cpp, communication_rules.cpp
void findSlowLinks(RuleContext& context);
void findSmallPackets(RuleContext& context);
void findExposedCommunication(RuleContext& context);

// host_rules.cpp
void findGcPauses(RuleContext& context);
void findDataLoading(RuleContext& context);
void findSlowLaunches(RuleContext& context);
void findSynchronizations(RuleContext& context);
void findUnfusedOptimizers(RuleContext& context);
void findMemoryCalls(RuleContext& context);
void findCompilations(RuleContext& context);
/// Cost of pauses, loading and slow launches for a rank, whichever the rules speak of; ns per step.
std::int64_t hostCost(const RuleContext& context, const RankFacts& rank);

// program_rules.cpp: how the program is written and set up
void findSyncBatchNorms(RuleContext& context);
void findEnvironment(RuleContext& context);

// host_rules.cpp, of what is left after all others
void findFreeTime(RuleContext& context);

// memory_rules.cpp: of the sums of a rank, and of the use of its memory
void findMemoryLeak(RuleContext& context);
void findKeptStacks(RuleContext& context);
void findOutOfMemory(RuleContext& context);
void findFragmentation(RuleContext& context);
void findMemorySpike(RuleContext& context);
void findUnusedAllocations(RuleContext& context);
void findCutHistory(RuleContext& context);

// capture_rules.cpp
void findMissingData(RuleContext& context);
void findCutTimelines(RuleContext& context);

}  // namespace altiscope
