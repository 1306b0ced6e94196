#pragma once

#include "core/base/files/sqlite_file.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace altiscope {

// Tables of the vendors' databases. Source: core/report/deliverables/FORMAT.md section 7.

/// Tables of msprof_*.db, then those that torch_npu adds.
enum class ProfilerTable : std::uint8_t {
    StringIds,
    SessionTimeInfo,
    NpuInfo,
    HostInfo,
    RankDeviceMap,
    MetaData,
    EnumApiType,
    EnumDataType,
    EnumLinkType,
    EnumTransportType,
    EnumRdmaType,
    EnumMstxEventType,
    EnumMemcpyOperation,
    EnumOverlapAnalysisType,
    EnumModule,
    Task,
    ComputeTaskInfo,
    CommunicationOp,
    CommunicationTaskInfo,
    CommunicationScheduleTaskInfo,
    TaskPmuInfo,
    OverlapAnalysis,
    CannApi,
    AicoreFreq,
    Hbm,
    MemcpyInfo,
    MstxEvents,
    Ddr,
    Llc,
    NpuMem,
    NpuModuleMem,
    Qos,
    Hccs,
    Pcie,
    Nic,
    Roce,
    AccPmu,
    SocBandwidthLevel,
    Sio,
    NpuOpMem,
    StepTime,
    PytorchApi,
    ConnectionIds,
    PytorchCallchains,
    GcRecord,
    MemoryRecord,
    OpMemory,
};
/// By ProfilerTable. Those with events are there only if they have rows.
std::span<const DbTableSchema> profilerTables();

/// A number of an ENUM table, and what it stands for.
using EnumerationRow = std::pair<std::uint32_t, std::string_view>;
/// @param isTorch  With the types of calls that torch_npu adds. @return Nothing for other tables.
std::span<const EnumerationRow> enumerationOf(ProfilerTable table, bool isTorch);

/// Tables of analysis.db (torch_npu) and communication_analyzer.db (msprof).
enum class AnalysisTable : std::uint8_t { Time, Bandwidth, Matrix, StepTrace };
std::span<const DbTableSchema> analysisTables(bool isTorch);

}  // namespace altiscope
