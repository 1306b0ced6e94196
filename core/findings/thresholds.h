#pragma once

#include <span>
#include <string_view>

namespace altiscope {

/// Every number that rules decide by, which users may change. Where each default comes from: core/analysis/FORMULAS.md
/// section H. Times in ns, sizes in bytes, shares 0..1.
struct FindingThresholds {
    // How severe: recoverable time as a share of the step.
    double highShare = 0.05;
    double mediumShare = 0.03;
    // What is worth a finding at all.
    double rankGapShare = 0.05;  ///< Gap of a rank's free time, or of its computing time without events: of the step.
    /// Slow rank by its kernels: like is compared with like, so less of a gap says as much.
    double rankKernelShare = 0.02;
    double slowLinkShare = 0.7;         ///< A link is slow below this share of the usual bandwidth.
    double slowLinkStepShare = 0.005;   ///< And if it costs this much of a step.
    double fastLinkBandwidth = 18.0;    ///< bytes/ns of HCCS, SIO, SDMA and PCIE: what large packets reach.
    double networkBandwidth = 20.0;     ///< bytes/ns of RDMA.
    double smallPacketBytes = 1048576;  ///< The size of packets, where the advisor looks at whole operators.
    double smallNetworkPacketBytes = 524288;
    double smallPacketShare = 0.2;        ///< Of the transit time.
    double smallPacketsPerOperator = 16;  ///< Fewer are as many as there are peers.
    double aiCpuNs = 20'000;              ///< The longest kernel of a type, where the advisor's gate lets all pass.
    double aiCpuSlowdown = 30;            ///< How many times slower than the cores the AI CPU is.
    double frequencyDropShare = 0.05;
    double gcPauseNs = 1'000'000;
    double dataLoadingNs = 10'000'000;
    double memoryCallsNs = 10'000'000;  ///< All calls of the run together.
    double compilations = 20;
    double syncBatchNorms = 20;
    /// Mean time before a launch. Ordinary programs that launch each operator from Python take 40 us.
    double launchGapNs = 100'000;
    double usualLaunchGapNs = 4'000;  ///< What the framework's own code takes.
    double leakBytesPerStep = 1048576;
    double leakFit = 0.9;      ///< R^2 of the line through the steps' ends.
    double hiddenShare = 0.1;  ///< Communication that could hide is not hidden if less of it than this is.
    double waitShare = 0.5;    ///< Of the time of collectives that they move no data.
    /// Of a step: less that ranks wait for each other in turn is no fault of one of them.
    double waitInTurnShare = 0.2;
    /// Of the mean stage's computing, where nothing states how many layers a stage has: stages have four and more
    /// nearly always, and what is less than one of four cannot be moved.
    double stageGapShare = 0.25;
    double bubbleShare = 0.1;  ///< Of a step that it waits in the pipeline.
    double freeShare = 0.1;
    double outlierZ = 3.5;         ///< Robust z = 0.6745 (x - median) / MAD
    double outlierShare = 0.05;    ///< And this much of the median step.
    double tinyKernelShare = 0.5;  ///< Of all kernels.
    double synchronizationsPerStep = 10;
    /// Of the transit time within the host, as for small packets: less is at the edges of tensors.
    double unalignedPacketShare = 0.2;
    /// A network card sends a packet again when nothing was answered for 4.096 us * 2^HCCL_RDMA_TIMEOUT; by default
    /// that is 2^20, 4.3 s, and no collective of a step takes as long.
    double lostPacketNs = 4e9;
    /// Of the bandwidth that the same collectives reach alone. The advisor compares with 0.8 of what one chip reaches.
    double contendedShare = 0.8;
    /// Of a step: steps of one run differ by about as much, so that less could not be seen to be won.
    double kernelSavingShare = 0.01;
    /// What a layer does comes as often as there are layers; what comes less often is not worth a kernel.
    double fusibleRepeats = 5;
    /// Of a step's kernels. What depends on the batch is most of them, lists of parameters and counters are few.
    double newShapeShare = 0.1;
};

/// One of them, for people who look at or change them.
struct ThresholdInfo {
    std::string_view name;  ///< As in the SQL table `finding`: "rank_gap_share".
    std::string_view unit;  ///< "ns", "bytes", "bytes/ns", "share" (1 is all) or empty.
    double FindingThresholds::*value;
    std::string_view meaning;  ///< Code of the catalogue.
};

/// All, in the order of the struct.
std::span<const ThresholdInfo> thresholdInfos();

}  // namespace altiscope
