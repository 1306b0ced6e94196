#include "core/report/databases/database_schema.h"

namespace altiscope {

namespace {

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

constexpr EnumerationRow kModules[] = {{0, "SLOG"},        {1, "IDEDD"},     {2, "SCC"},
                                       {3, "HCCL"},        {4, "FMK"},       {5, "CCU"},
                                       {6, "DVPP"},        {7, "RUNTIME"},   {8, "CCE"},
                                       {9, "HDC"},         {10, "DRV"},      {11, "NET"},
                                       {22, "DEVMM"},      {23, "KERNEL"},   {24, "LIBMEDIA"},
                                       {25, "CCECPU"},     {27, "ROS"},      {28, "HCCP"},
                                       {29, "ROCE"},       {30, "TEFUSION"}, {31, "PROFILING"},
                                       {32, "DP"},         {33, "APP"},      {34, "TS"},
                                       {35, "TSDUMP"},     {36, "AICPU"},    {37, "LP"},
                                       {38, "TDT"},        {39, "FE"},       {40, "MD"},
                                       {41, "MB"},         {42, "ME"},       {43, "IMU"},
                                       {44, "IMP"},        {45, "GE"},       {47, "CAMERA"},
                                       {48, "ASCENDCL"},   {49, "TEEOS"},    {50, "ISP"},
                                       {51, "SIS"},        {52, "HSM"},      {53, "DSS"},
                                       {54, "PROCMGR"},    {55, "BBOX"},     {56, "AIVECTOR"},
                                       {57, "TBE"},        {58, "FV"},       {60, "TUNE"},
                                       {61, "HSS"},        {62, "FFTS"},     {63, "OP"},
                                       {64, "UDF"},        {65, "HICAID"},   {66, "TSYNC"},
                                       {67, "AUDIO"},      {68, "TPRT"},     {69, "ASCENDCKERNEL"},
                                       {70, "ASYS"},       {71, "ATRACE"},   {72, "RTC"},
                                       {73, "SYSMONITOR"}, {74, "AMP"},      {75, "ADETECT"},
                                       {76, "MBUFF"},      {77, "CUSTOM"}};

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
    case EnumModule: return kModules;
    default: return {};
    }
}

}  // namespace altiscope
