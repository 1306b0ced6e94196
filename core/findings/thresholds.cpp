#include "core/findings/thresholds.h"

namespace altiscope {

namespace {

using T = FindingThresholds;
constexpr ThresholdInfo kThresholds[] = {
    {"high_share", "", &T::highShare},
    {"medium_share", "", &T::mediumShare},
    {"rank_gap_share", "", &T::rankGapShare},
    {"rank_kernel_share", "", &T::rankKernelShare},
    {"slow_link_share", "", &T::slowLinkShare},
    {"slow_link_step_share", "", &T::slowLinkStepShare},
    {"fast_link_bandwidth", "bytes/ns", &T::fastLinkBandwidth},
    {"network_bandwidth", "bytes/ns", &T::networkBandwidth},
    {"small_packet_bytes", "bytes", &T::smallPacketBytes},
    {"small_network_packet_bytes", "bytes", &T::smallNetworkPacketBytes},
    {"small_packet_share", "", &T::smallPacketShare},
    {"small_packets_per_operator", "", &T::smallPacketsPerOperator},
    {"ai_cpu", "ns", &T::aiCpuNs},
    {"ai_cpu_slowdown", "", &T::aiCpuSlowdown},
    {"frequency_drop_share", "", &T::frequencyDropShare},
    {"gc_pause", "ns", &T::gcPauseNs},
    {"data_loading", "ns", &T::dataLoadingNs},
    {"launch_gap", "ns", &T::launchGapNs},
    {"usual_launch_gap", "ns", &T::usualLaunchGapNs},
    {"leak_bytes_per_step", "bytes", &T::leakBytesPerStep},
    {"leak_fit", "", &T::leakFit},
    {"hidden_share", "", &T::hiddenShare},
    {"free_share", "", &T::freeShare},
    {"outlier_z", "", &T::outlierZ},
    {"outlier_share", "", &T::outlierShare},
    {"tiny_kernel_share", "", &T::tinyKernelShare},
    {"synchronizations_per_step", "", &T::synchronizationsPerStep},
};

}  // namespace

std::span<const ThresholdInfo> thresholdInfos() { return kThresholds; }

}  // namespace altiscope
