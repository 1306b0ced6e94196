#include "core/findings/thresholds.h"

namespace altiscope {

namespace {

using T = FindingThresholds;
constexpr ThresholdInfo kThresholds[] = {
    {"high_share", "share", &T::highShare, "threshold.high_share"},
    {"medium_share", "share", &T::mediumShare, "threshold.medium_share"},
    {"rank_gap_share", "share", &T::rankGapShare, "threshold.rank_gap_share"},
    {"rank_kernel_share", "share", &T::rankKernelShare, "threshold.rank_kernel_share"},
    {"slow_link_share", "share", &T::slowLinkShare, "threshold.slow_link_share"},
    {"slow_link_step_share", "share", &T::slowLinkStepShare, "threshold.slow_link_step_share"},
    {"fast_link_bandwidth", "bytes/ns", &T::fastLinkBandwidth, "threshold.fast_link_bandwidth"},
    {"network_bandwidth", "bytes/ns", &T::networkBandwidth, "threshold.network_bandwidth"},
    {"small_packet_bytes", "bytes", &T::smallPacketBytes, "threshold.small_packet_bytes"},
    {"small_network_packet_bytes", "bytes", &T::smallNetworkPacketBytes, "threshold.small_network_packet_bytes"},
    {"small_packet_share", "share", &T::smallPacketShare, "threshold.small_packet_share"},
    {"small_packets_per_operator", "", &T::smallPacketsPerOperator, "threshold.small_packets_per_operator"},
    {"ai_cpu", "ns", &T::aiCpuNs, "threshold.ai_cpu"},
    {"ai_cpu_slowdown", "", &T::aiCpuSlowdown, "threshold.ai_cpu_slowdown"},
    {"frequency_drop_share", "share", &T::frequencyDropShare, "threshold.frequency_drop_share"},
    {"gc_pause", "ns", &T::gcPauseNs, "threshold.gc_pause"},
    {"data_loading", "ns", &T::dataLoadingNs, "threshold.data_loading"},
    {"memory_calls", "ns", &T::memoryCallsNs, "threshold.memory_calls"},
    {"compilations", "", &T::compilations, "threshold.compilations"},
    {"sync_batch_norms", "", &T::syncBatchNorms, "threshold.sync_batch_norms"},
    {"launch_gap", "ns", &T::launchGapNs, "threshold.launch_gap"},
    {"usual_launch_gap", "ns", &T::usualLaunchGapNs, "threshold.usual_launch_gap"},
    {"leak_bytes_per_step", "bytes", &T::leakBytesPerStep, "threshold.leak_bytes_per_step"},
    {"leak_fit", "", &T::leakFit, "threshold.leak_fit"},
    {"hidden_share", "share", &T::hiddenShare, "threshold.hidden_share"},
    {"wait_share", "share", &T::waitShare, "threshold.wait_share"},
    {"wait_in_turn_share", "share", &T::waitInTurnShare, "threshold.wait_in_turn_share"},
    {"stage_gap_share", "share", &T::stageGapShare, "threshold.stage_gap_share"},
    {"bubble_share", "share", &T::bubbleShare, "threshold.bubble_share"},
    {"free_share", "share", &T::freeShare, "threshold.free_share"},
    {"outlier_z", "", &T::outlierZ, "threshold.outlier_z"},
    {"outlier_share", "share", &T::outlierShare, "threshold.outlier_share"},
    {"tiny_kernel_share", "share", &T::tinyKernelShare, "threshold.tiny_kernel_share"},
    {"synchronizations_per_step", "", &T::synchronizationsPerStep, "threshold.synchronizations_per_step"},
    {"unaligned_packet_share", "share", &T::unalignedPacketShare, "threshold.unaligned_packet_share"},
    {"lost_packet", "ns", &T::lostPacketNs, "threshold.lost_packet"},
    {"contended_share", "share", &T::contendedShare, "threshold.contended_share"},
    {"kernel_saving_share", "share", &T::kernelSavingShare, "threshold.kernel_saving_share"},
    {"fusible_repeats", "", &T::fusibleRepeats, "threshold.fusible_repeats"},
    {"new_shape_share", "share", &T::newShapeShare, "threshold.new_shape_share"},
};

}  // namespace

std::span<const ThresholdInfo> thresholdInfos() { return kThresholds; }

}  // namespace altiscope
