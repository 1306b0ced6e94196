#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace altiscope {

/// Tables whose rows a profiler wrote itself: summaries beside the events. Each is the SQL table of the same name, with
/// the same columns in the same order but rank_id, which the rank of the rows states, and `collective.instance`, which
/// is computed. Source: resources/help/reference/sql.md.
enum class RowKind : std::uint8_t {
    Operator,
    Kernel,  ///< May have further columns, the metrics of each kernel; they are the SQL table `kernel_metric`.
    OpStat,
    ApiStat,
    MemorySample,
    Allocation,
    ModuleMemory,
    StaticMemory,
    StepBreakdown,
    StepPhase,
    Collective,
    Bandwidth,
    Packet,
    Link,
    CommGroup,  ///< Rows of the capture, not of a rank.
    DatasetOp,
    PipelineQueue,
    L2Cache,
    HardwareStat,
    SnapshotEvent,  ///< Rows of a device, not of a rank; so are blocks and annotations.
    SnapshotBlock,
    SnapshotAnnotation,
};
inline constexpr std::size_t kRowKinds = static_cast<std::size_t>(RowKind::SnapshotAnnotation) + 1;

/// Type of the cells of a column.
enum class RowCell : std::uint8_t {
    Integer,
    Real,
    Text,
    Slice,  ///< SliceIndex of the rank's trace.
};

/// The largest number that a cell of `device_id` has: no host has more NPUs, and each costs memory.
inline constexpr std::int64_t kMaxDevice = 1023;

/// A column of a kind of rows.
struct RowColumn {
    std::string_view name;
    RowCell cell = RowCell::Integer;
};

namespace row_kinds {

using enum RowCell;
inline constexpr RowColumn kOperator[] = {{"slice_id", Slice},
                                          {"step"},
                                          {"name", Text},
                                          {"thread", Text},
                                          {"ts"},
                                          {"dur"},
                                          {"self_dur"},
                                          {"device_dur"},
                                          {"input_shapes", Text},
                                          {"input_types", Text},
                                          {"call_stack", Text}};
inline constexpr RowColumn kKernel[] = {{"slice_id", Slice},
                                        {"step"},
                                        {"kind", Text},
                                        {"name", Text},
                                        {"type", Text},
                                        {"accelerator_core", Text},
                                        {"stream"},
                                        {"ts"},
                                        {"dur"},
                                        {"wait"},
                                        {"block_num"},
                                        {"input_shapes", Text},
                                        {"input_types", Text},
                                        {"input_formats", Text},
                                        {"output_shapes", Text},
                                        {"output_types", Text},
                                        {"output_formats", Text},
                                        {"operator_slice_id", Slice},
                                        {"device_id"}};
inline constexpr RowColumn kOpStat[] = {{"origin", Text}, {"name", Text}, {"core_type", Text},
                                        {"count"},        {"total"},      {"min"},
                                        {"avg", Real},    {"max"},        {"device_id"}};
inline constexpr RowColumn kApiStat[] = {{"origin", Text}, {"level", Text}, {"name", Text},
                                         {"count"},        {"total"},       {"min"},
                                         {"avg", Real},    {"max"},         {"variance", Real}};
inline constexpr RowColumn kMemorySample[] = {{"component", Text}, {"ts"},     {"allocated"}, {"reserved"},
                                              {"active"},          {"stream"}, {"device_id"}};
inline constexpr RowColumn kAllocation[] = {
    {"name", Text},      {"size"},           {"alloc_ts"},     {"release_ts"},        {"active_release_ts"},
    {"alloc_allocated"}, {"alloc_reserved"}, {"alloc_active"}, {"release_allocated"}, {"release_reserved"},
    {"release_active"},  {"stream"},         {"device_id"}};
inline constexpr RowColumn kModuleMemory[] = {{"component", Text}, {"ts"}, {"reserved"}, {"device_id"}};
inline constexpr RowColumn kStaticMemory[] = {{"graph", Text}, {"name", Text}, {"node_start"}, {"node_end"}, {"size"}};
inline constexpr RowColumn kStepBreakdown[] = {
    {"step"},       {"origin", Text}, {"computing"}, {"communication"}, {"not_overlapped"},
    {"overlapped"}, {"free"},         {"stage"},     {"bubble"},        {"not_overlapped_excl_receive"},
    {"preparing"},  {"device_id"}};
inline constexpr RowColumn kStepPhase[] = {{"step"}, {"model_id"}, {"phase", Text}, {"name", Text},
                                           {"ts"},   {"dur"},      {"device_id"}};
inline constexpr RowColumn kCollective[] = {
    {"step"},    {"origin", Text}, {"group_name", Text}, {"op_name", Text}, {"kind", Text}, {"ts"}, {"elapsed"},
    {"transit"}, {"wait"},         {"synchronization"},  {"idle"}};
inline constexpr RowColumn kBandwidth[] = {
    {"step"}, {"group_name", Text}, {"op_name", Text},  {"transport", Text},
    {"size"}, {"transit"},          {"gb_per_s", Real}, {"large_packet_ratio", Real}};
inline constexpr RowColumn kPacket[] = {
    {"step"}, {"group_name", Text}, {"op_name", Text}, {"transport", Text}, {"packet_size"}, {"count"}, {"dur"}};
inline constexpr RowColumn kLink[] = {
    {"step"},     {"group_name", Text}, {"op_name", Text}, {"selection", Text}, {"src_rank"},
    {"dst_rank"}, {"src_local"},        {"dst_local"},     {"transport", Text}, {"size"},
    {"transit"},  {"gb_per_s", Real}};
inline constexpr RowColumn kCommGroup[] = {
    {"group_name", Text}, {"hash", Text}, {"parallel_type", Text}, {"ranks", Text}};
inline constexpr RowColumn kDatasetOp[] = {
    {"operation", Text}, {"stage", Text}, {"occurrences"}, {"avg_time", Real}, {"custom_info", Text}};
inline constexpr RowColumn kPipelineQueue[] = {{"op_id"},
                                               {"op_type", Text},
                                               {"num_workers"},
                                               {"output_queue_size", Text},
                                               {"output_queue_average_size", Real},
                                               {"output_queue_length"},
                                               {"output_queue_usage_rate", Real},
                                               {"sample_interval"},
                                               {"parent_id"},
                                               {"children_id", Text}};
inline constexpr RowColumn kL2Cache[] = {{"device_id"},      {"stream_id"},         {"task_id"},
                                         {"hit_rate", Real}, {"victim_rate", Real}, {"op_name", Text}};
inline constexpr RowColumn kHardwareStat[] = {{"source", Text}, {"device_id"},  {"item", Text},
                                              {"name", Text},   {"unit", Text}, {"value", Real}};
inline constexpr RowColumn kSnapshotEvent[] = {{"device_id"},   {"event_id"}, {"action", Text},     {"address"},
                                               {"size"},        {"stream"},   {"allocated"},        {"reserved"},
                                               {"stack", Text}, {"ts"},       {"annotation", Text}, {"device_free"},
                                               {"pool", Text}};
inline constexpr RowColumn kSnapshotBlock[] = {{"device_id"},   {"address"},         {"size"},        {"requested"},
                                               {"state", Text}, {"segment_address"}, {"alloc_event"}, {"free_event"},
                                               {"stack", Text}, {"stream"},          {"pool", Text},  {"expandable"}};
inline constexpr RowColumn kSnapshotAnnotation[] = {{"device_id"}, {"name", Text}, {"start_ts"}, {"end_ts"}};

struct Info {
    std::string_view name;
    std::span<const RowColumn> columns;
};
inline constexpr std::array<Info, kRowKinds> kInfos{{{"operator", kOperator},
                                                     {"kernel", kKernel},
                                                     {"op_stat", kOpStat},
                                                     {"api_stat", kApiStat},
                                                     {"memory_sample", kMemorySample},
                                                     {"allocation", kAllocation},
                                                     {"module_memory", kModuleMemory},
                                                     {"static_memory", kStaticMemory},
                                                     {"step_breakdown", kStepBreakdown},
                                                     {"step_phase", kStepPhase},
                                                     {"collective", kCollective},
                                                     {"bandwidth", kBandwidth},
                                                     {"packet", kPacket},
                                                     {"link", kLink},
                                                     {"comm_group", kCommGroup},
                                                     {"dataset_op", kDatasetOp},
                                                     {"pipeline_queue", kPipelineQueue},
                                                     {"l2_cache", kL2Cache},
                                                     {"hardware_stat", kHardwareStat},
                                                     {"snapshot_event", kSnapshotEvent},
                                                     {"snapshot_block", kSnapshotBlock},
                                                     {"snapshot_annotation", kSnapshotAnnotation}}};

}  // namespace row_kinds

/// Name of the SQL table.
constexpr std::string_view rowKindName(RowKind kind) { return row_kinds::kInfos[static_cast<std::size_t>(kind)].name; }
/// Columns that every table of the kind has.
constexpr std::span<const RowColumn> rowColumns(RowKind kind) {
    return row_kinds::kInfos[static_cast<std::size_t>(kind)].columns;
}

/// Place of a column of a kind that is known at run time only; rowColumns(kind).size() if there is none.
constexpr std::size_t rowColumn(RowKind kind, std::string_view name) {
    std::size_t place = 0;
    for (const RowColumn& column : rowColumns(kind)) {
        if (column.name == name) break;
        ++place;
    }
    return place;
}

/// The same, looked up when the program is compiled: a name that the kind does not have does not compile.
consteval std::size_t fixedColumn(RowKind kind, std::string_view name) {
    const std::size_t place = rowColumn(kind, name);
    if (place == rowColumns(kind).size()) throw "no such column";
    return place;
}

}  // namespace altiscope
