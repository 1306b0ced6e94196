#include "core/generate/database/db_tables.h"

#include "core/base/values/assert.h"

#include <algorithm>
#include <array>

namespace altiscope::generate {

namespace {

using Enumeration = std::pair<std::uint32_t, std::string_view>;

constexpr std::array<DbTableSchema, 35> kProfilerTables{{
    {"SESSION_TIME_INFO", "startTimeNs INTEGER, endTimeNs INTEGER"},
    {"NPU_INFO", "id INTEGER, name TEXT"},
    {"HOST_INFO", "hostUid TEXT, hostName TEXT"},
    {"ENUM_HCCL_RDMA_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_MSTX_EVENT_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_HCCL_LINK_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_HCCL_TRANSPORT_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_HCCL_DATA_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_MODULE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"ENUM_API_TYPE", "id INTEGER PRIMARY KEY, name TEXT"},
    {"COMPUTE_TASK_INFO", "name INTEGER, globalTaskId INTEGER PRIMARY KEY, blockDim INTEGER, mixBlockDim INTEGER, "
                          "taskType INTEGER, opType INTEGER, inputFormats INTEGER, inputDataTypes INTEGER, "
                          "inputShapes INTEGER, outputFormats INTEGER, outputDataTypes INTEGER, outputShapes "
                          "INTEGER, attrInfo INTEGER"},
    {"NPU_MEM", "type INTEGER, ddr NUMERIC, hbm NUMERIC, timestampNs INTEGER, deviceId INTEGER"},
    {"CANN_API", "startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER "
                 "PRIMARY KEY, name INTEGER"},
    {"TASK",
     "startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId "
     "INTEGER, globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, "
     "taskId INTEGER, modelId INTEGER",
     "CREATE INDEX TaskIndex ON TASK (startNs,globalTaskId)"},
    {"COMMUNICATION_TASK_INFO",
     "name INTEGER, globalTaskId INTEGER, taskType INTEGER, planeId INTEGER, groupName "
     "INTEGER, notifyId INTEGER, rdmaType INTEGER, srcRank INTEGER, dstRank INTEGER, "
     "transportType INTEGER, size INTEGER, dataType INTEGER, linkType INTEGER, opId INTEGER",
     "CREATE INDEX CommunicationTaskIndex ON COMMUNICATION_TASK_INFO (globalTaskId)"},
    {"NPU_OP_MEM", "operatorName INTEGER, addr INTEGER, type INTEGER, size INTEGER, timestampNs INTEGER, "
                   "globalTid INTEGER, totalAllocate NUMERIC, totalReserve NUMERIC, component INTEGER, "
                   "deviceId INTEGER"},
    {"NPU_MODULE_MEM", "moduleId INTEGER, timestampNs INTEGER, totalReserved NUMERIC, deviceId INTEGER"},
    {"TASK_PMU_INFO", "globalTaskId INTEGER, name INTEGER, value NUMERIC"},
    {"HBM", "deviceId INTEGER, timestampNs INTEGER, bandwidth NUMERIC, hbmId INTEGER, type INTEGER"},
    {"LLC", "deviceId INTEGER, llcId INTEGER, timestampNs INTEGER, hitRate REAL, throughput INTEGER, "
            "mode INTEGER"},
    {"QOS", "deviceId INTEGER, eventName INTEGER, bandwidth NUMERIC, timestampNs INTEGER, dieId INTEGER"},
    {"META_DATA", "name TEXT, value TEXT"},
    {"SOC_BANDWIDTH_LEVEL", "l2BufferBwLevel INTEGER, mataBwLevel INTEGER, timestampNs NUMERIC, deviceId INTEGER"},
    {"ACC_PMU", "accId INTEGER, readBwLevel INTEGER, writeBwLevel INTEGER, readOstLevel INTEGER, "
                "writeOstLevel INTEGER, timestampNs NUMERIC, deviceId INTEGER"},
    {"AICORE_FREQ", "deviceId INTEGER, timestampNs NUMERIC, freq INTEGER"},
    {"COMMUNICATION_OP", "opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, groupName INTEGER, "
                         "opId INTEGER PRIMARY KEY, relay INTEGER, retry INTEGER, dataType INTEGER, algType "
                         "INTEGER, count NUMERIC, opType INTEGER"},
    {"STRING_IDS", "id INTEGER PRIMARY KEY, value TEXT"},
    {"RANK_DEVICE_MAP", "rankId INTEGER, deviceId INTEGER"},
    {"STEP_TIME", "id INTEGER, startNs INTEGER, endNs INTEGER"},
    {"PYTORCH_API", "startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER, "
                    "sequenceNumber INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER, inputShapes INTEGER, "
                    "callchainId INTEGER, type INTEGER"},
    {"CONNECTION_IDS", "id INTEGER, connectionId INTEGER"},
    {"MEMORY_RECORD", "component INTEGER, timestamp INTEGER, totalAllocated INTEGER, totalReserved INTEGER, "
                      "totalActive INTEGER, streamPtr INTEGER, deviceId INTEGER"},
    {"OP_MEMORY", "name INTEGER, size INTEGER, allocationTime INTEGER, releaseTime INTEGER, "
                  "activeReleaseTime INTEGER, duration INTEGER, activeDuration INTEGER, "
                  "allocationTotalAllocated INTEGER, allocationTotalReserved INTEGER, allocationTotalActive "
                  "INTEGER, releaseTotalAllocated INTEGER, releaseTotalReserved INTEGER, releaseTotalActive "
                  "INTEGER, streamPtr INTEGER, deviceId INTEGER"},
    {"PYTORCH_CALLCHAINS", "id INTEGER, stack INTEGER, stackDepth INTEGER"},
    {"GC_RECORD", "startNs INTEGER, endNs INTEGER, globalTid INTEGER"},
}};

constexpr std::array<DbTableSchema, 4> kAnalysisTables{{
    {"StepTraceTime", "step TEXT, computing NUMERIC, communication_not_overlapped NUMERIC, overlapped NUMERIC, "
                      "communication NUMERIC, free NUMERIC, stage NUMERIC, bubble NUMERIC, "
                      "communication_not_overlapped_and_exclude_receive NUMERIC, preparing NUMERIC"},
    {"CommAnalyzerBandwidth", "hccl_op_name TEXT, group_name TEXT, transport_type TEXT, transit_size NUMERIC, "
                              "transit_time NUMERIC, bandwidth NUMERIC, large_packet_ratio NUMERIC, package_size "
                              "NUMERIC, count NUMERIC, total_duration NUMERIC, step TEXT, type TEXT"},
    {"CommAnalyzerMatrix", "hccl_op_name TEXT, group_name TEXT, src_rank TEXT, dst_rank TEXT, transport_type TEXT, "
                           "transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC, step TEXT, type TEXT, "
                           "op_name TEXT"},
    {"CommAnalyzerTime", "hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC, elapse_time NUMERIC, "
                         "transit_time NUMERIC, wait_time NUMERIC, synchronization_time NUMERIC, idle_time "
                         "NUMERIC, step TEXT, type TEXT"},
}};

constexpr std::array<Enumeration, 8> kEnumHcclRdmaType{{{0, "RDMA_SEND_NOTIFY"},
                                                        {1, "RDMA_SEND_PAYLOAD"},
                                                        {2, "RDMA_PAYLOAD_PREPARE"},
                                                        {3, "RDMA_PAYLOAD_CHECK"},
                                                        {4, "RDMA_PAYLOAD_ACK"},
                                                        {5, "RDMA_SEND_OP"},
                                                        {65534, "N/A"},
                                                        {65535, "INVALID_TYPE"}}};
constexpr std::array<Enumeration, 4> kEnumMstxEventType{
    {{0, "marker"}, {1, "push/pop"}, {2, "start/end"}, {3, "marker_ex"}}};
constexpr std::array<Enumeration, 10> kEnumHcclLinkType{{{0, "ON_CHIP"},
                                                         {1, "HCCS"},
                                                         {2, "PCIE"},
                                                         {3, "ROCE"},
                                                         {4, "SIO"},
                                                         {5, "HCCS_SW"},
                                                         {6, "STANDARD_ROCE"},
                                                         {7, "RESERVED"},
                                                         {65534, "N/A"},
                                                         {65535, "INVALID_TYPE"}}};
constexpr std::array<Enumeration, 5> kEnumHcclTransportType{
    {{0, "SDMA"}, {1, "RDMA"}, {2, "LOCAL"}, {65534, "N/A"}, {65535, "INVALID_TYPE"}}};
constexpr std::array<Enumeration, 15> kEnumHcclDataType{{{0, "INT8"},
                                                         {1, "INT16"},
                                                         {2, "INT32"},
                                                         {3, "FP16"},
                                                         {4, "FP32"},
                                                         {5, "INT64"},
                                                         {6, "UINT64"},
                                                         {7, "UINT8"},
                                                         {8, "UINT16"},
                                                         {9, "UINT32"},
                                                         {10, "FP64"},
                                                         {11, "BFP16"},
                                                         {12, "INT128"},
                                                         {65534, "N/A"},
                                                         {65535, "INVALID_TYPE"}}};
constexpr std::array<Enumeration, 79> kEnumModule{{{0, "SLOG"},         {1, "IDEDD"},
                                                   {2, "IDEDH"},        {3, "HCCL"},
                                                   {4, "FMK"},          {5, "HIAIENGINE"},
                                                   {6, "DVPP"},         {7, "RUNTIME"},
                                                   {8, "CCE"},          {9, "HDC"},
                                                   {10, "DRV"},         {11, "MDCFUSION"},
                                                   {12, "MDCLOCATION"}, {13, "MDCPERCEPTION"},
                                                   {14, "MDCFSM"},      {15, "MDCCOMMON"},
                                                   {16, "MDCMONITOR"},  {17, "MDCBSWP"},
                                                   {18, "MDCDEFAULT"},  {19, "MDCSC"},
                                                   {20, "MDCPNC"},      {21, "MLL"},
                                                   {22, "DEVMM"},       {23, "KERNEL"},
                                                   {24, "LIBMEDIA"},    {25, "CCECPU"},
                                                   {26, "ASCENDDK"},    {27, "ROS"},
                                                   {28, "HCCP"},        {29, "ROCE"},
                                                   {30, "TEFUSION"},    {31, "PROFILING"},
                                                   {32, "DP"},          {33, "APP"},
                                                   {34, "TS"},          {35, "TSDUMP"},
                                                   {36, "AICPU"},       {37, "LP"},
                                                   {38, "TDT"},         {39, "FE"},
                                                   {40, "MD"},          {41, "MB"},
                                                   {42, "ME"},          {43, "IMU"},
                                                   {44, "IMP"},         {45, "GE"},
                                                   {46, "MDCFUSA"},     {47, "CAMERA"},
                                                   {48, "ASCENDCL"},    {49, "TEEOS"},
                                                   {50, "ISP"},         {51, "SIS"},
                                                   {52, "HSM"},         {53, "DSS"},
                                                   {54, "PROCMGR"},     {55, "BBOX"},
                                                   {56, "AIVECTOR"},    {57, "TBE"},
                                                   {58, "FV"},          {59, "MDCMAP"},
                                                   {60, "TUNE"},        {61, "HSS"},
                                                   {62, "FFTS"},        {63, "OP"},
                                                   {64, "UDF"},         {65, "HICAID"},
                                                   {66, "TSYNC"},       {67, "AUDIO"},
                                                   {68, "TPRT"},        {69, "ASCENDCKERNEL"},
                                                   {70, "ASYS"},        {71, "ATRACE"},
                                                   {72, "RTC"},         {73, "SYSMONITOR"},
                                                   {74, "AMP"},         {75, "ADETECT"},
                                                   {76, "MBUFF"},       {77, "CUSTOM"},
                                                   {78, "AML"}}};
constexpr std::array<Enumeration, 9> kEnumApiType{{{5000, "runtime"},
                                                   {5500, "hccl"},
                                                   {10000, "node"},
                                                   {15000, "model"},
                                                   {20000, "acl"},
                                                   {50001, "op"},
                                                   {50002, "queue"},
                                                   {50003, "trace"},
                                                   {50004, "mstx"}}};

}  // namespace

std::span<const DbTableSchema> profilerTables(bool garbageCollection) {
    static_assert(kProfilerTables.size() == static_cast<std::size_t>(DbTable::GcRecord) + 1);
    const std::span<const DbTableSchema> tables(kProfilerTables);
    return garbageCollection ? tables : tables.first(tables.size() - 1);
}

std::span<const DbTableSchema> analysisTables() { return kAnalysisTables; }

std::span<const Enumeration> enumerationOf(DbTable table) {
    if (table == DbTable::EnumHcclRdmaType) return kEnumHcclRdmaType;
    if (table == DbTable::EnumMstxEventType) return kEnumMstxEventType;
    if (table == DbTable::EnumHcclLinkType) return kEnumHcclLinkType;
    if (table == DbTable::EnumHcclTransportType) return kEnumHcclTransportType;
    if (table == DbTable::EnumHcclDataType) return kEnumHcclDataType;
    if (table == DbTable::EnumModule) return kEnumModule;
    if (table == DbTable::EnumApiType) return kEnumApiType;
    return {};
}

std::uint32_t enumerationId(DbTable table, std::string_view text) {
    const auto rows = enumerationOf(table);
    const auto row =
        std::find_if(rows.begin(), rows.end(), [text](const Enumeration& one) { return one.second == text; });
    ALTI_ASSERT(row != rows.end());
    return row->first;
}

}  // namespace altiscope::generate
