#pragma once

#include "core/base/files/sqlite_file.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace altiscope::generate {

/// Tables of ascend_pytorch_profiler_{R}.db in the order of a real file (torch_npu at level 1, schema 1.0.0). QOS is
/// from newer versions: the file holds all counters that the text export has.
enum class DbTable : std::uint8_t {
    SessionTimeInfo,
    NpuInfo,
    HostInfo,
    EnumHcclRdmaType,
    EnumMstxEventType,
    EnumHcclLinkType,
    EnumHcclTransportType,
    EnumHcclDataType,
    EnumModule,
    EnumApiType,
    ComputeTaskInfo,
    NpuMem,
    CannApi,
    Task,
    CommunicationTaskInfo,
    NpuOpMem,
    NpuModuleMem,
    TaskPmuInfo,
    Hbm,
    Llc,
    Qos,
    MetaData,
    SocBandwidthLevel,
    AccPmu,
    AicoreFreq,
    CommunicationOp,
    StringIds,
    RankDeviceMap,
    StepTime,
    PytorchApi,
    ConnectionIds,
    MemoryRecord,
    OpMemory,
    PytorchCallchains,
    GcRecord
};

/// @param garbageCollection  Whether the profiler recorded it: else there is no GC_RECORD.
std::span<const DbTableSchema> profilerTables(bool garbageCollection);

/// Rows of an enumeration table; empty for the others.
std::span<const std::pair<std::uint32_t, std::string_view>> enumerationOf(DbTable table);

/// Id of a text in an enumeration. The text must be there.
std::uint32_t enumerationId(DbTable table, std::string_view text);

/// Tables of analysis.db.
enum class AnalysisTable : std::uint8_t { StepTraceTime, Bandwidth, Matrix, Time };

std::span<const DbTableSchema> analysisTables();

/// Types of PYTORCH_API and CANN_API rows, as ENUM_API_TYPE names them.
enum class DbApiType : std::uint32_t {
    Communication = 5'500,
    Node = 10'000,
    Acl = 20'000,
    Op = 50'001,
    Queue = 50'002,
    Trace = 50'003
};

}  // namespace altiscope::generate
