#include "core/import/sqlite/db_names.h"

#include <algorithm>

namespace altiscope::reader {

namespace {

struct KnownNames {
    std::string_view table;
    /// Parted by blanks, or where one has a blank by '|', in the order in which most versions write them.
    std::string_view columns;
};

/// Source: core/import/memscope/FORMAT.md section 1.
constexpr std::string_view kDumpColumns = "ID|Event|Event Type|Name|Timestamp(ns)|Process Id|Thread Id|Device Id|Ptr|"
                                          "Attr|Call Stack(Python)|Call Stack(C)";

constexpr KnownNames kNames[] = {
    {"ACC_PMU", "accId readBwLevel writeBwLevel readOstLevel writeOstLevel timestampNs deviceId"},
    {"AICORE_FREQ", "deviceId timestampNs freq dieId"},
    {"CANN_API", "startNs endNs type globalTid connectionId name depth"},
    {"CCU", "deviceId globalTaskId name startNs endNs args"},
    {"COMMUNICATION_OP", "opName startNs endNs connectionId groupName opId relay retry dataType algType count opType "
                         "deviceId rankSize waitNs opConnectionId"},
    {"COMMUNICATION_SCHEDULE_TASK_INFO", "name globalTaskId taskType opType"},
    {"COMMUNICATION_TASK_INFO",
     "name globalTaskId taskType planeId groupName notifyId rdmaType srcRank dstRank transportType "
     "size dataType linkType opId isMaster bandwidth"},
    {"COMPUTE_TASK_INFO", "name globalTaskId blockDim blockNum block_dim mixBlockDim mixBlockNum taskType opType "
                          "inputFormats inputDataTypes inputShapes outputFormats outputDataTypes outputShapes attrInfo "
                          "opState hf32Eligible gridDim waitNs"},
    {"CONNECTION_IDS", "id connectionId"},
    {"CPU_USAGE", "timestampNs cpuId usage"},
    {"ClusterCommAnalyzerBandwidth",
     "step rank_id hccl_op_name group_name band_type transport_type transit_size transit_time "
     "bandwidth large_packet_ratio package_size count total_duration"},
    {"ClusterCommAnalyzerMatrix",
     "step src_rank dst_rank hccl_op_name group_name transport_type transit_size transit_time "
     "bandwidth op_name"},
    {"ClusterCommAnalyzerTime",
     "step rank_id hccl_op_name group_name start_timestamp elapsed_time elapse_time transit_time "
     "wait_time synchronization_time idle_time"},
    {"ClusterCommunicationBandwidth",
     "step rank_id hccl_op_name group_name band_type transport_type transit_size transit_time "
     "bandwidth large_packet_ratio package_size count total_duration"},
    {"ClusterCommunicationMatrix",
     "step src_rank dst_rank hccl_op_name group_name transport_type transit_size transit_time "
     "bandwidth op_name"},
    {"ClusterCommunicationTime",
     "step rank_id hccl_op_name group_name start_timestamp elapsed_time elapse_time transit_time "
     "wait_time synchronization_time idle_time"},
    {"ClusterStepTraceTime",
     "step type index computing communication_not_overlapped overlapped communication free stage "
     "bubble communication_not_overlapped_and_exclude_receive preparing dp_index pp_index tp_index"},
    {"ClusterTimeSummary", "rank step computation communicationNotOverlapComputation communicationOverlapComputation "
                           "communication free"},
    {"CommAnalyzerBandwidth", "hccl_op_name group_name transport_type transit_size transit_time bandwidth "
                              "large_packet_ratio package_size count total_duration step type"},
    {"CommAnalyzerMatrix",
     "hccl_op_name group_name src_rank dst_rank transport_type transit_size transit_time bandwidth "
     "step type op_name"},
    {"CommAnalyzerTime", "hccl_op_name group_name start_timestamp elapse_time transit_time wait_time "
                         "synchronization_time idle_time step type"},
    {"CommunicationGroup", "rank_set group_name group_id pg_name type"},
    {"CommunicationGroupMapping", "rank_set group_name group_id pg_name type"},
    {"DDR", "deviceId timestampNs read write"},
    {"DPU_TASK", "dpuDeviceId globalTid startNs endNs globalTaskId streamId taskId opName args"},
    {"ENUM_API_TYPE", "id name"},
    {"ENUM_HCCL_DATA_TYPE", "id name"},
    {"ENUM_HCCL_LINK_TYPE", "id name"},
    {"ENUM_HCCL_RDMA_TYPE", "id name"},
    {"ENUM_HCCL_TRANSPORT_TYPE", "id name"},
    {"ENUM_MEMCPY_OPERATION", "id name"},
    {"ENUM_MEMORY", "id name"},
    {"ENUM_MODULE", "id name"},
    {"ENUM_MSTX_EVENT_TYPE", "id name"},
    {"ENUM_OVERLAP_ANALYSIS_TYPE", "id name"},
    {"GC_RECORD", "startNs endNs globalTid"},
    {"HBM", "deviceId timestampNs bandwidth hbmId type"},
    {"HCCS", "deviceId timestampNs txThroughput rxThroughput"},
    {"HOST_DISK_USAGE", "timestampNs readRate writeRate usage"},
    {"HOST_INFO", "hostUid hostName"},
    {"HOST_MEM_USAGE", "timestampNs usage"},
    {"HOST_NETWORK_USAGE", "timestampNs usage speed"},
    {"HostInfo", "hostUid hostName"},
    {"LLC", "deviceId llcId timestampNs hitRate throughput mode"},
    {"MEMCPY_INFO", "globalTaskId size memcpyOperation"},
    {"MEMORY_RECORD", "component timestamp totalAllocated totalReserved totalActive streamPtr deviceId"},
    {"META_DATA", "name value"},
    {"MSTX_EVENTS", "startNs endNs eventType rangeId category message globalTid endGlobalTid domainId "
                    "connectionId depth"},
    {"NETDEV_STATS", "deviceId timestampNs macTxPfcPkt macRxPfcPkt macTxByte macTxBandwidth macRxByte "
                     "macRxBandwidth macTxBadByte macRxBadByte roceTxPkt roceRxPkt roceTxErrPkt roceRxErrPkt "
                     "roceTxCnpPkt roceRxCnpPkt roceNewPktRty nicTxByte nicTxBandwidth nicRxByte nicRxBandwidth"},
    {"NIC", "deviceId timestampNs bandwidth rxPacketRate rxByteRate rxPackets rxBytes rxErrors rxDropped "
            "txPacketRate txByteRate txPackets txBytes txErrors txDropped funcId"},
    {"NPU_INFO", "id name"},
    {"NPU_MEM", "type ddr hbm timestampNs deviceId"},
    {"NPU_MODULE_MEM", "moduleId timestampNs totalReserved deviceId"},
    {"NPU_OP_MEM", "operatorName addr type size timestampNs globalTid totalAllocate totalReserve component "
                   "deviceId"},
    {"OP_MEMORY", "name size allocationTime releaseTime activeReleaseTime duration activeDuration "
                  "allocationTotalAllocated allocationTotalReserved allocationTotalActive releaseTotalAllocated "
                  "releaseTotalReserved releaseTotalActive streamPtr deviceId"},
    {"OSRT_API", "name globalTid startNs endNs"},
    {"OVERLAP_ANALYSIS", "id deviceId startNs endNs type"},
    {"PCIE", "deviceId timestampNs txPostMin txPostMax txPostAvg txNonpostMin txNonpostMax txNonpostAvg "
             "txCplMin txCplMax txCplAvg txNonpostLatencyMin txNonpostLatencyMax txNonpostLatencyAvg "
             "rxPostMin rxPostMax rxPostAvg rxNonpostMin rxNonpostMax rxNonpostAvg rxCplMin rxCplMax "
             "rxCplAvg"},
    {"PYTORCH_API", "startNs endNs globalTid connectionId name sequenceNumber fwdThreadId inputDtypes inputShapes "
                    "callchainId type depth"},
    {"PYTORCH_CALLCHAINS", "id stack stackDepth"},
    {"QOS", "deviceId eventName bandwidth timestampNs dieId"},
    {"RANK_DEVICE_MAP", "rankId deviceId"},
    {"ROCE", "deviceId timestampNs bandwidth rxPacketRate rxByteRate rxPackets rxBytes rxErrors rxDropped "
             "txPacketRate txByteRate txPackets txBytes txErrors txDropped funcId"},
    {"RankDeviceMap", "rankId deviceId hostUid profilePath"},
    {"SAMPLE_PMU_SUMMARY", "deviceId metric value coreId coreType"},
    {"SAMPLE_PMU_TIMELINE", "deviceId timestampNs totalCycle usage freq coreId coreType"},
    {"SESSION_TIME_INFO", "startTimeNs endTimeNs baseTimeNs"},
    {"SIO", "deviceId name timestampNs rxReq rxRsp rxSnp rxDat txReq txRsp txSnp txDat"},
    {"SOC_BANDWIDTH_LEVEL", "l2BufferBwLevel mataBwLevel timestampNs deviceId"},
    {"STEP_TIME", "id startNs endNs"},
    {"STRING_IDS", "id value"},
    {"StepTraceTime", "deviceId step computing communication_not_overlapped overlapped communication free stage "
                      "bubble communication_not_overlapped_and_exclude_receive preparing"},
    {"TASK", "startNs endNs deviceId connectionId globalTaskId globalPid taskType contextId streamId "
             "taskId modelId depth"},
    {"TASK_PMU_INFO", "globalTaskId name value"},
    {"UB", "deviceId portId timestampNs rxUdmaBind txUdmaBind"},
    {"leaks_dump", kDumpColumns},
    {"memscope_dump", kDumpColumns},
};

std::vector<DbKnownTable> makeKnownTables() {
    std::vector<DbKnownTable> tables;
    for (const auto& [name, columns] : kNames) {
        DbKnownTable& table = tables.emplace_back(DbKnownTable{name, {}});
        const char border = columns.find('|') == std::string_view::npos ? ' ' : '|';
        for (std::size_t at = 0; at < columns.size();) {
            const std::size_t end = std::min(columns.find(border, at), columns.size());
            table.columns.push_back(columns.substr(at, end - at));
            at = end + 1;
        }
    }
    return tables;
}

}  // namespace

std::span<const DbKnownTable> knownTables() {
    static const std::vector<DbKnownTable> kTables = makeKnownTables();
    return kTables;
}

}  // namespace altiscope::reader
