#include "core/report/databases/database_schema.h"

#include "core/trace/module_names.h"

namespace altiscope {

namespace {

constexpr std::string_view kPortColumns =
    "deviceId INTEGER, timestampNs INTEGER, bandwidth INTEGER, rxPacketRate NUMERIC, rxByteRate NUMERIC, "
    "rxPackets INTEGER, rxBytes INTEGER, rxErrors INTEGER, rxDropped INTEGER, txPacketRate NUMERIC, "
    "txByteRate NUMERIC, txPackets INTEGER, txBytes INTEGER, txErrors INTEGER, txDropped INTEGER, funcId "
    "INTEGER";

constexpr DbTableSchema kProfilerTables[] = {
    {"STRING_IDS", "id INTEGER PRIMARY KEY, value TEXT"},
    {"SESSION_TIME_INFO", "startTimeNs INTEGER, endTimeNs INTEGER"},
    {"NPU_INFO", "id INTEGER, name TEXT", {}, true},
    {"HOST_INFO", "hostUid TEXT, hostName TEXT", {}, true},
    {"RANK_DEVICE_MAP", "rankId INTEGER, deviceId INTEGER"},
    {"META_DATA", "name TEXT, value TEXT"},
    {"ENUM_API_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_HCCL_DATA_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_HCCL_LINK_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_HCCL_TRANSPORT_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_HCCL_RDMA_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_MSTX_EVENT_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_MEMCPY_OPERATION", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_OVERLAP_ANALYSIS_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_MODULE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"TASK",
     "startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER, globalPid INTEGER, "
     "taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER",
     "CREATE INDEX TaskIndex ON TASK (startNs,globalTaskId)", true},
    {"COMPUTE_TASK_INFO",
     "name INTEGER, globalTaskId INTEGER PRIMARY KEY, blockNum INTEGER, mixBlockNum INTEGER, taskType INTEGER, opType "
     "INTEGER, inputFormats INTEGER, inputDataTypes INTEGER, inputShapes INTEGER, outputFormats INTEGER, "
     "outputDataTypes INTEGER, outputShapes INTEGER, attrInfo INTEGER, opState INTEGER, hf32Eligible INTEGER, gridDim "
     "INTEGER, blockDim INTEGER",
     {},
     true},
    {"COMMUNICATION_OP",
     "opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, groupName INTEGER, opId INTEGER PRIMARY "
     "KEY, relay INTEGER, retry INTEGER, dataType INTEGER, algType INTEGER, count NUMERIC, opType INTEGER, deviceId "
     "INTEGER, rankSize INTEGER",
     {},
     true},
    {"COMMUNICATION_TASK_INFO",
     "name INTEGER, globalTaskId INTEGER, taskType INTEGER, planeId INTEGER, groupName INTEGER, notifyId INTEGER, "
     "rdmaType INTEGER, srcRank INTEGER, dstRank INTEGER, transportType INTEGER, size INTEGER, dataType INTEGER, "
     "linkType INTEGER, opId INTEGER, isMaster INTEGER, bandwidth NUMERIC",
     "CREATE INDEX CommunicationTaskIndex ON COMMUNICATION_TASK_INFO (globalTaskId)", true},
    {"COMMUNICATION_SCHEDULE_TASK_INFO",
     "name INTEGER, globalTaskId INTEGER PRIMARY KEY, taskType INTEGER, opType INTEGER",
     {},
     true},
    {"TASK_PMU_INFO", "globalTaskId INTEGER, name INTEGER, value NUMERIC", {}, true},
    {"OVERLAP_ANALYSIS",
     "id INTEGER PRIMARY KEY, deviceId INTEGER, startNs NUMERIC, endNs NUMERIC, type INTEGER",
     {},
     true},
    {"CANN_API",
     "startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER PRIMARY KEY, name INTEGER",
     {},
     true},
    {"AICORE_FREQ", "deviceId INTEGER, timestampNs NUMERIC, freq INTEGER, dieId NUMERIC", {}, true},
    {"HBM", "deviceId INTEGER, timestampNs INTEGER, bandwidth NUMERIC, hbmId INTEGER, type INTEGER", {}, true},
    {"MEMCPY_INFO", "globalTaskId NUMERIC, size NUMERIC, memcpyOperation NUMERIC", {}, true},
    {"MSTX_EVENTS",
     "startNs INTEGER, endNs INTEGER, eventType INTEGER, rangeId INTEGER, category INTEGER, message "
     "INTEGER, globalTid INTEGER, endGlobalTid INTEGER, domainId INTEGER, connectionId INTEGER",
     {},
     true},
    {"DDR", "deviceId INTEGER, timestampNs INTEGER, read NUMERIC, write NUMERIC", {}, true},
    {"LLC",
     "deviceId INTEGER, llcId INTEGER, timestampNs INTEGER, hitRate REAL, throughput INTEGER, mode INTEGER",
     {},
     true},
    {"NPU_MEM", "type INTEGER, ddr NUMERIC, hbm NUMERIC, timestampNs INTEGER, deviceId INTEGER", {}, true},
    {"NPU_MODULE_MEM", "moduleId INTEGER, timestampNs INTEGER, totalReserved NUMERIC, deviceId INTEGER", {}, true},
    {"QOS", "deviceId INTEGER, eventName NUMERIC, bandwidth NUMERIC, timestampNs NUMERIC, dieId NUMERIC", {}, true},
    {"HCCS", "deviceId INTEGER, timestampNs INTEGER, txThroughput NUMERIC, rxThroughput NUMERIC", {}, true},
    {"PCIE",
     "deviceId INTEGER, timestampNs INTEGER, txPostMin NUMERIC, txPostMax NUMERIC, txPostAvg NUMERIC, "
     "txNonpostMin NUMERIC, txNonpostMax NUMERIC, txNonpostAvg NUMERIC, txCplMin NUMERIC, txCplMax "
     "NUMERIC, txCplAvg NUMERIC, txNonpostLatencyMin NUMERIC, txNonpostLatencyMax NUMERIC, "
     "txNonpostLatencyAvg NUMERIC, rxPostMin NUMERIC, rxPostMax NUMERIC, rxPostAvg NUMERIC, rxNonpostMin "
     "NUMERIC, rxNonpostMax NUMERIC, rxNonpostAvg NUMERIC, rxCplMin NUMERIC, rxCplMax NUMERIC, rxCplAvg "
     "NUMERIC",
     {},
     true},
    {"NIC", kPortColumns, {}, true},
    {"ROCE", kPortColumns, {}, true},
    {"ACC_PMU",
     "accId INTEGER, readBwLevel INTEGER, writeBwLevel INTEGER, readOstLevel INTEGER, writeOstLevel INTEGER, "
     "timestampNs NUMERIC, deviceId INTEGER",
     {},
     true},
    {"SOC_BANDWIDTH_LEVEL",
     "l2BufferBwLevel INTEGER, mataBwLevel INTEGER, timestampNs NUMERIC, deviceId INTEGER",
     {},
     true},
    {"SIO",
     "deviceId NUMERIC, name NUMERIC, timestampNs NUMERIC, rxReq NUMERIC, rxRsp NUMERIC, rxSnp NUMERIC, rxDat "
     "NUMERIC, txReq NUMERIC, txRsp NUMERIC, txSnp NUMERIC, txDat NUMERIC",
     {},
     true},
    {"NPU_OP_MEM",
     "operatorName INTEGER, addr INTEGER, type INTEGER, size INTEGER, timestampNs INTEGER, globalTid INTEGER, "
     "totalAllocate NUMERIC, totalReserve NUMERIC, component INTEGER, deviceId INTEGER",
     {},
     true},
    {"STEP_TIME", "id INTEGER, startNs INTEGER, endNs INTEGER", {}, true},
    {"PYTORCH_API",
     "startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER, sequenceNumber INTEGER, "
     "fwdThreadId INTEGER, inputDtypes INTEGER, inputShapes INTEGER, callchainId INTEGER, type INTEGER",
     {},
     true},
    {"CONNECTION_IDS", "id INTEGER, connectionId INTEGER", {}, true},
    {"PYTORCH_CALLCHAINS", "id INTEGER, stack INTEGER, stackDepth INTEGER", {}, true},
    {"GC_RECORD", "startNs INTEGER, endNs INTEGER, globalTid INTEGER", {}, true},
    {"MEMORY_RECORD",
     "component INTEGER, timestamp INTEGER, totalAllocated INTEGER, totalReserved INTEGER, totalActive INTEGER, "
     "streamPtr INTEGER, deviceId INTEGER",
     {},
     true},
    {"OP_MEMORY",
     "name INTEGER, size INTEGER, allocationTime INTEGER, releaseTime INTEGER, activeReleaseTime INTEGER, duration "
     "INTEGER, activeDuration INTEGER, allocationTotalAllocated INTEGER, allocationTotalReserved INTEGER, "
     "allocationTotalActive INTEGER, releaseTotalAllocated INTEGER, releaseTotalReserved INTEGER, releaseTotalActive "
     "INTEGER, streamPtr INTEGER, deviceId INTEGER",
     {},
     true},
};
static_assert(std::size(kProfilerTables) == static_cast<std::size_t>(ProfilerTable::OpMemory) + 1);

constexpr DbTableSchema kTorchAnalysis[] = {
    {"CommAnalyzerTime",
     "hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC, elapse_time NUMERIC, transit_time NUMERIC, "
     "wait_time "
     "NUMERIC, synchronization_time NUMERIC, idle_time NUMERIC, step TEXT, type TEXT",
     {},
     true},
    {"CommAnalyzerBandwidth",
     "hccl_op_name TEXT, group_name TEXT, transport_type TEXT, transit_size NUMERIC, transit_time NUMERIC, bandwidth "
     "NUMERIC, large_packet_ratio NUMERIC, package_size NUMERIC, count NUMERIC, total_duration NUMERIC, step TEXT, "
     "type TEXT",
     {},
     true},
    {"CommAnalyzerMatrix",
     "hccl_op_name TEXT, group_name TEXT, src_rank TEXT, dst_rank TEXT, transport_type TEXT, transit_size NUMERIC, "
     "transit_time NUMERIC, bandwidth NUMERIC, step TEXT, type TEXT, op_name TEXT",
     {},
     true},
    {"StepTraceTime",
     "deviceId INTEGER, step TEXT, computing NUMERIC, communication_not_overlapped NUMERIC, overlapped NUMERIC, "
     "communication NUMERIC, free NUMERIC, stage NUMERIC, bubble NUMERIC, "
     "communication_not_overlapped_and_exclude_receive NUMERIC, preparing NUMERIC",
     {},
     true},
};

constexpr DbTableSchema kCannAnalysis[] = {
    {"CommAnalyzerTime", "hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC, elapse_time NUMERIC, "
                         "transit_time NUMERIC, wait_time "
                         "NUMERIC, synchronization_time NUMERIC, idle_time NUMERIC"},
    {"CommAnalyzerBandwidth",
     "hccl_op_name TEXT, group_name TEXT, transport_type TEXT, transit_size NUMERIC, transit_time NUMERIC, bandwidth "
     "NUMERIC, large_packet_ratio NUMERIC, package_size NUMERIC, count NUMERIC, total_duration NUMERIC"},
    {"CommAnalyzerMatrix",
     "hccl_op_name TEXT, group_name TEXT, src_rank TEXT, dst_rank TEXT, transport_type TEXT, transit_size NUMERIC, "
     "transit_time NUMERIC, bandwidth NUMERIC"},
};

constexpr EnumerationRow kApiTypes[] = {
    {5000, "runtime"}, {5500, "communication"}, {10000, "node"}, {15000, "model"}, {20000, "acl"}};

constexpr EnumerationRow kDataTypes[] = {{0, "INT8"},     {1, "INT16"},      {2, "INT32"},    {3, "FP16"},
                                         {4, "FP32"},     {5, "INT64"},      {6, "UINT64"},   {7, "UINT8"},
                                         {8, "UINT16"},   {9, "UINT32"},     {10, "FP64"},    {11, "BFP16"},
                                         {12, "INT128"},  {14, "HIF8"},      {15, "FP8E4M3"}, {16, "FP8E5M2"},
                                         {17, "FP8E8M0"}, {255, "RESERVED"}, {65534, "N/A"},  {65535, "INVALID_TYPE"}};

constexpr EnumerationRow kLinkTypes[] = {
    {0, "ON_CHIP"},       {1, "HCCS"}, {2, "PCIE"}, {3, "ROCE"},       {4, "SIO"},     {5, "HCCS_SW"},
    {6, "STANDARD_ROCE"}, {7, "UB"},   {8, "UBoE"}, {255, "RESERVED"}, {65534, "N/A"}, {65535, "INVALID_TYPE"}};

constexpr EnumerationRow kTransportTypes[] = {{0, "SDMA"}, {1, "RDMA"},       {2, "LOCAL"},   {3, "UB"},
                                              {4, "ROCE"}, {255, "RESERVED"}, {65534, "N/A"}, {65535, "INVALID_TYPE"}};

constexpr EnumerationRow kRdmaTypes[] = {
    {0, "RDMA_SEND_NOTIFY"}, {1, "RDMA_SEND_PAYLOAD"}, {255, "RESERVED"}, {65534, "N/A"}, {65535, "INVALID_TYPE"}};

constexpr EnumerationRow kMarkTypes[] = {{0, "marker"}, {1, "push/pop"}, {2, "start/end"}, {3, "marker_ex"}};

constexpr EnumerationRow kCopyKinds[] = {
    {0, "host to host"},      {1, "host to device"},    {2, "device to host"},
    {3, "device to device"},  {4, "managed memory"},    {5, "addr device to device"},
    {6, "host to device ex"}, {7, "device to host ex"}, {65535, "other"}};

constexpr EnumerationRow kOverlapTypes[] = {
    {0, "COMPUTE"}, {1, "COMMUNICATION"}, {2, "COMM_NOT_OVERLAP_COMP"}, {3, "FREE"}, {65535, "RESERVE"}};

constexpr EnumerationRow kTorchApiTypes[] = {{5000, "runtime"}, {5500, "communication"}, {10000, "node"},
                                             {15000, "model"},  {20000, "acl"},          {50001, "op"},
                                             {50002, "queue"},  {50003, "trace"},        {50004, "mstx"}};

}  // namespace

std::span<const DbTableSchema> profilerTables() { return kProfilerTables; }

std::span<const DbTableSchema> analysisTables(bool isTorch) {
    return isTorch ? std::span<const DbTableSchema>(kTorchAnalysis) : std::span<const DbTableSchema>(kCannAnalysis);
}

std::span<const EnumerationRow> enumerationOf(ProfilerTable table, bool isTorch) {
    using enum ProfilerTable;
    switch (table) {
    case EnumApiType:
        return isTorch ? std::span<const EnumerationRow>(kTorchApiTypes) : std::span<const EnumerationRow>(kApiTypes);
    case EnumDataType: return kDataTypes;
    case EnumLinkType: return kLinkTypes;
    case EnumTransportType: return kTransportTypes;
    case EnumRdmaType: return kRdmaTypes;
    case EnumMstxEventType: return kMarkTypes;
    case EnumMemcpyOperation: return kCopyKinds;
    case EnumOverlapAnalysisType: return kOverlapTypes;
    case EnumModule: return moduleNames();
    default: return {};
    }
}

}  // namespace altiscope
