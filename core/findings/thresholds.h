#pragma once

#include <span>
#include <string>
#include <string_view>

namespace altiscope {

/// Every number that rules decide by, which users may change. Where each default comes from: core/analysis/FORMULAS.md
/// section H. Times in ns, sizes in bytes, shares 0..1.
struct FindingThresholds {
    // How severe: recoverable time as a share of the step.
    double highShare = 0.05;
    double mediumShare = 0.03;
    // Limits below which nothing is worth a finding.
    double rankGapShare = 0.05;  ///< Gap of a rank's free time, or of its computing time without events: of the step.
    /// Slow rank by its kernels: like is compared with like, so less of a gap says as much.
    double rankKernelShare = 0.02;
    double slowLinkShare = 0.7;         ///< A link is slow below this share of the usual bandwidth.
    double slowLinkStepShare = 0.005;   ///< And if it costs this much of a step.
    double fastLinkBandwidth = 18.0;    ///< bytes/ns of HCCS, SIO, SDMA and PCIE: what large packets reach.
    double networkBandwidth = 20.0;     ///< bytes/ns of RDMA.
    double smallPacketBytes = 1048576;  ///< The size of packets, where the advisor looks at whole operators.
    double smallNetworkPacketBytes = 524288;
    double smallPacketShare = 0.2;        ///< Share of the transit time.
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
    double usualLaunchGapNs = 4'000;  ///< Time of the framework's own code.
    double leakBytesPerStep = 1048576;
    double leakFit = 0.9;      ///< R^2 of the line through the steps' ends.
    double hiddenShare = 0.1;  ///< Communication that could hide is not hidden if less of it than this is.
    double waitShare = 0.5;    ///< Share of the time of collectives in which they move no data.
    /// Share of a step: less that ranks wait for each other in turn is no fault of one of them.
    double waitInTurnShare = 0.2;
    /// Share of the mean stage's computing, where nothing states how many layers a stage has: stages have four and more
    /// nearly always, and what is less than one of four cannot be moved.
    double stageGapShare = 0.25;
    double bubbleShare = 0.1;  ///< Share of a step in which it waits in the pipeline.
    double freeShare = 0.1;
    double outlierZ = 3.5;         ///< Robust z = 0.6745 (x - median) / MAD
    double outlierShare = 0.05;    ///< And this much of the median step.
    double tinyKernelShare = 0.5;  ///< Share of all kernels.
    double synchronizationsPerStep = 10;
    /// Share of the transit time within the host, as for small packets: less is at the edges of tensors.
    double unalignedPacketShare = 0.2;
    /// A network card sends a packet again when nothing was answered for 4.096 us * 2^HCCL_RDMA_TIMEOUT; by default
    /// that is 2^20, 4.3 s, and no collective of a step takes as long.
    double lostPacketNs = 4e9;
    /// Share of the bandwidth that the same collectives reach alone. The advisor compares with 0.8 of what one chip
    /// reaches.
    double contendedShare = 0.8;
    /// Share of a step: steps of one run differ by about as much, so that less could not be seen to be won.
    double kernelSavingShare = 0.01;
    /// Work of a layer comes as often as there are layers; what comes less often is not worth a kernel.
    double fusibleRepeats = 5;
    /// Share of a step's kernels. Most of them depend on the batch, lists of parameters and counters are few.
    double newShapeShare = 0.1;
};

/// One of them, for people who look at or change them.
struct ThresholdInfo {
    std::string_view name;  ///< As in the SQL table `finding`: "rank_gap_share".
    std::string_view unit;  ///< "ns", "bytes", "bytes/ns", "share" (1 is all) or empty.
    double FindingThresholds::*value;
    std::string meaning() const { return "threshold." + std::string(name); }  ///< Code of the catalogue.
};

/// All, in the order of the struct.
inline constexpr ThresholdInfo kThresholds[] = {
    {"high_share", "share", &FindingThresholds::highShare},
    {"medium_share", "share", &FindingThresholds::mediumShare},
    {"rank_gap_share", "share", &FindingThresholds::rankGapShare},
    {"rank_kernel_share", "share", &FindingThresholds::rankKernelShare},
    {"slow_link_share", "share", &FindingThresholds::slowLinkShare},
    {"slow_link_step_share", "share", &FindingThresholds::slowLinkStepShare},
    {"fast_link_bandwidth", "bytes/ns", &FindingThresholds::fastLinkBandwidth},
    {"network_bandwidth", "bytes/ns", &FindingThresholds::networkBandwidth},
    {"small_packet_bytes", "bytes", &FindingThresholds::smallPacketBytes},
    {"small_network_packet_bytes", "bytes", &FindingThresholds::smallNetworkPacketBytes},
    {"small_packet_share", "share", &FindingThresholds::smallPacketShare},
    {"small_packets_per_operator", "", &FindingThresholds::smallPacketsPerOperator},
    {"ai_cpu", "ns", &FindingThresholds::aiCpuNs},
    {"ai_cpu_slowdown", "", &FindingThresholds::aiCpuSlowdown},
    {"frequency_drop_share", "share", &FindingThresholds::frequencyDropShare},
    {"gc_pause", "ns", &FindingThresholds::gcPauseNs},
    {"data_loading", "ns", &FindingThresholds::dataLoadingNs},
    {"memory_calls", "ns", &FindingThresholds::memoryCallsNs},
    {"compilations", "", &FindingThresholds::compilations},
    {"sync_batch_norms", "", &FindingThresholds::syncBatchNorms},
    {"launch_gap", "ns", &FindingThresholds::launchGapNs},
    {"usual_launch_gap", "ns", &FindingThresholds::usualLaunchGapNs},
    {"leak_bytes_per_step", "bytes", &FindingThresholds::leakBytesPerStep},
    {"leak_fit", "", &FindingThresholds::leakFit},
    {"hidden_share", "share", &FindingThresholds::hiddenShare},
    {"wait_share", "share", &FindingThresholds::waitShare},
    {"wait_in_turn_share", "share", &FindingThresholds::waitInTurnShare},
    {"stage_gap_share", "share", &FindingThresholds::stageGapShare},
    {"bubble_share", "share", &FindingThresholds::bubbleShare},
    {"free_share", "share", &FindingThresholds::freeShare},
    {"outlier_z", "", &FindingThresholds::outlierZ},
    {"outlier_share", "share", &FindingThresholds::outlierShare},
    {"tiny_kernel_share", "share", &FindingThresholds::tinyKernelShare},
    {"synchronizations_per_step", "", &FindingThresholds::synchronizationsPerStep},
    {"unaligned_packet_share", "share", &FindingThresholds::unalignedPacketShare},
    {"lost_packet", "ns", &FindingThresholds::lostPacketNs},
    {"contended_share", "share", &FindingThresholds::contendedShare},
    {"kernel_saving_share", "share", &FindingThresholds::kernelSavingShare},
    {"fusible_repeats", "", &FindingThresholds::fusibleRepeats},
    {"new_shape_share", "share", &FindingThresholds::newShapeShare},
};
inline std::span<const ThresholdInfo> thresholdInfos() { return kThresholds; }

/// The name of a threshold in this room: one that kThresholds lacks does not compile.
class ThresholdName {
public:
    consteval ThresholdName(const char* word) : m_info(&infoOf(word)) {}
    constexpr const ThresholdInfo& info() const { return *m_info; }

private:
    static consteval const ThresholdInfo& infoOf(std::string_view word) {
        for (const ThresholdInfo& info : kThresholds) {
            if (info.name == word) return info;
        }
        throw "there is no such threshold";
    }
    const ThresholdInfo* m_info;
};

/// When memory is worth a finding.
struct MemoryLimits {
    /// Share of what is reserved, that is never given out: an allocator that works well keeps a tenth in its segments.
    /// And so many bytes: some segments of streams and sizes that are rarely used are no fault.
    double fragmentationShare = 0.1;
    double fragmentationBytes = 1073741824;
    /// Above the usual step's peak: batches of different lengths differ by less.
    double spikeShare = 0.2;
    double spikeBytes = 268435456;
    /// Share of what is allocated at the end of a snapshot, that is older than its history: less does not change what
    /// holds most of the memory.
    double unknownShare = 0.1;
};

}  // namespace altiscope
