#include "core/query/schema/schema.h"

#include "core/store/rows/row_kinds.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace altiscope {

namespace {

// Constants only, in the order of resources/help/reference/sql.md, which is made of them: the columns of each table,
// and at the end what each table is (kTables).

using enum ColumnType;

constexpr std::string_view kRankMeaning = "Number of the rank in the job; NULL if no source states it";
constexpr std::string_view kRecordingMeaning = "Which of several recordings of ranks with equal numbers (roles, "
                                               "repeated windows); NULL where there is one. A mean "
                                               "over several of them says nothing";
constexpr ColumnInfo kRecording{"recording", Text, "", kRecordingMeaning};
constexpr std::string_view kDeviceMeaning =
    "Number of the NPU on its host, where the file states it: a rank that recorded several has rows of each";

constexpr ColumnInfo kRank[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"device_id", Integer, "", "Number of the NPU on its host"},
    {"host", Text, "", "Name of the host"},
    {"framework", Text, "", "torch, mindspore, cann or chrome", Nullability::Never},
    {"source", Text, "", "What was read: text, db, raw or cluster", Nullability::Never},
    {"path", Text, "", "Folder or file of the rank, relative to the capture", Nullability::Never},
    {"start_ts", Integer, "ns", "First event of the rank; NULL while nothing of it is read"},
    {"end_ts", Integer, "ns", "End of its last event"},
    {"clock_offset", Integer, "ns",
     "Add to ts for aligned time (that of the first rank with common groups), by when collectives end; right in the "
     "middle of the rank's time; NULL where the rank has no collective in common with those that are aligned"},
    {"clock_residual", Integer, "ns",
     "How far aligned clocks may still be apart: 95 of 100 collectives end within this, and what the clocks drift "
     "until the ends of the trace"},
    kRecording,
};
constexpr ColumnInfo kTrack[] = {
    {"track_id", Integer, "", "Unique in the capture", Nullability::Never},
    {"rank_id", Integer, "", kRankMeaning},
    {"process", Text, "", "Name of the process or layer", Nullability::Never},
    {"thread", Text, "", "Name of the thread or stream; NULL for counters"},
    {"name", Text, "", "What the row is called", Nullability::Never},
    {"kind", Text, "", "python, stack, cann, hardware, communication, overlap, counter, mstx, scope, gc or other",
     Nullability::Never},
    {"origin", Text, "", "recorded, or computed by Altiscope", Nullability::Never},
    {"sort_index", Integer, "", "Place of the track within its rank, from 0, in the order in which it is shown",
     Nullability::Never},
    kRecording,
};
constexpr ColumnInfo kSlice[] = {
    {"slice_id", Integer, "", "Unique in the capture; depends on its bytes only", Nullability::Never},
    {"track_id", Integer, "", "Track that the slice lies on", Nullability::Never},
    {"rank_id", Integer, "", kRankMeaning},
    {"name", Text, "", "Name", Nullability::Never},
    {"category", Text, "", "Category; NULL if it has none"},
    {"ts", Integer, "ns", "Start, on the trace's own clock", Nullability::Never},
    {"dur", Integer, "ns", "Duration", Nullability::Never},
    {"depth", Integer, "", "Row within the track, 0 is the outermost", Nullability::Never},
    {"self_dur", Integer, "ns", "Duration minus the union of its direct children", Nullability::Never},
    {"parent_id", Integer, "", "Innermost slice of the track that wholly contains it; NULL if none does"},
    {"args", Text, "", "Arguments as JSON text, as in the source"},
    kRecording,
};
constexpr ColumnInfo kInstant[] = {
    {"track_id", Integer, "", "Track that the point lies on", Nullability::Never},
    {"rank_id", Integer, "", kRankMeaning},
    {"name", Text, "", "Name", Nullability::Never},
    {"ts", Integer, "ns", "Time, on the trace's own clock", Nullability::Never},
    {"args", Text, "", "Arguments as JSON text, as in the source"},
    kRecording,
};
constexpr ColumnInfo kCounter[] = {
    {"track_id", Integer, "", "Track of the counter", Nullability::Never},
    {"rank_id", Integer, "", kRankMeaning},
    {"name", Text, "", "Name of the counter", Nullability::Never},
    {"series", Text, "", "Name and unit of the value, with the arguments that distinguish series", Nullability::Never},
    {"ts", Integer, "ns", "Time, on the trace's own clock", Nullability::Never},
    {"value", Real, "as in series", "Value that holds from here on"},
    kRecording,
};
constexpr ColumnInfo kFlow[] = {
    {"flow_id", Integer, "", "Unique in the capture", Nullability::Never},
    {"category", Text, "", "Category"},
    {"from_slice", Integer, "", "slice_id of the start; NULL if it lies in no slice"},
    {"to_slice", Integer, "", "slice_id of the end; NULL if it lies in no slice"},
};
constexpr ColumnInfo kStep[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"step", Integer, "", "Number of the step", Nullability::Never},
    {"start_ts", Integer, "ns", "Start in host time; NULL for a step known by its number only"},
    {"end_ts", Integer, "ns", "End in host time"},
    kRecording,
};
constexpr ColumnInfo kOperator[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"slice_id", Integer, "",
     "Slice on the timeline; NULL without a timeline, or where operator_details.csv does not hold the same operators"},
    {"step", Integer, "", "Number of the training step; NULL outside every step"},
    {"name", Text, "", "Name"},
    {"thread", Text, "", "Thread that called it; NULL without its slice"},
    {"ts", Integer, "ns", "Start; NULL without its slice: operator_details.csv has none"},
    {"dur", Integer, "ns", "Duration on the host"},
    {"self_dur", Integer, "ns", "Without the operators that it called on its thread"},
    {"device_dur", Integer, "ns", "Time that what it and the operators it called launched took on the device"},
    {"input_shapes", Text, "", "Shapes of its inputs"},
    {"input_types", Text, "", "Types of its inputs"},
    {"call_stack", Text, "", "Python call stack, innermost first"},
    kRecording,
};
constexpr ColumnInfo kKernel[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"slice_id", Integer, "", "Slice on the timeline; NULL without a timeline"},
    {"step", Integer, "", "Number of the training step; NULL outside every step"},
    {"kind", Text, "", "compute or communication"},
    {"name", Text, "", "Name"},
    {"type", Text, "", "Operator type"},
    {"accelerator_core", Text, "", "Core that ran it"},
    {"stream", Integer, "", "Device stream"},
    {"ts", Integer, "ns", "Start"},
    {"dur", Integer, "ns", "Duration"},
    {"wait", Integer, "ns", "Time between the previous task and this one"},
    {"block_num", Integer, "", "Blocks"},
    {"input_shapes", Text, "", "Shapes of its inputs"},
    {"input_types", Text, "", "Types of its inputs"},
    {"input_formats", Text, "", "Formats of its inputs"},
    {"output_shapes", Text, "", "Shapes of its outputs"},
    {"output_types", Text, "", "Types of its outputs"},
    {"output_formats", Text, "", "Formats of its outputs"},
    {"operator_slice_id", Integer, "", "Slice of the operator that launched it"},
    {"device_id", Integer, "", kDeviceMeaning},
    kRecording,
};
constexpr ColumnInfo kKernelMetric[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"kernel_rowid", Integer, "", "rowid of the kernel"},
    {"name", Text, "", "CSV header without its unit"},
    {"value", Real, "ns for times, else as in the CSV", "Value"},
    kRecording,
};
constexpr ColumnInfo kOpStat[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"origin", Text, "", "recorded (from a summary file of the profiler) or computed (by Altiscope from the events)"},
    {"name", Text, "", "Operator type"},
    {"core_type", Text, "", "Core that ran it"},
    {"count", Integer, "", "Calls"},
    {"total", Integer, "ns", "Sum of durations"},
    {"min", Integer, "ns", "Shortest"},
    {"avg", Real, "ns", "Mean"},
    {"max", Integer, "ns", "Longest"},
    {"device_id", Integer, "", kDeviceMeaning},
    kRecording,
};
constexpr ColumnInfo kApiStat[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"origin", Text, "", "recorded (from a summary file of the profiler) or computed (by Altiscope from the events)"},
    {"level", Text, "", "Layer of the call"},
    {"name", Text, "", "Name"},
    {"count", Integer, "", "Calls"},
    {"total", Integer, "ns", "Sum of durations"},
    {"min", Integer, "ns", "Shortest"},
    {"avg", Real, "ns", "Mean"},
    {"max", Integer, "ns", "Longest"},
    {"variance", Real, "ns^2", "Variance of durations"},
    kRecording,
};
constexpr ColumnInfo kNameStat[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"track_id", Integer, "", "Track", Nullability::Never},
    {"name", Text, "", "Name", Nullability::Never},
    {"count", Integer, "", "Slices", Nullability::Never},
    {"total", Integer, "ns", "Sum of dur", Nullability::Never},
    {"self_total", Integer, "ns", "Sum of self_dur", Nullability::Never},
    {"min", Integer, "ns", "Shortest dur", Nullability::Never},
    {"max", Integer, "ns", "Longest dur", Nullability::Never},
    kRecording,
};
constexpr ColumnInfo kMemorySample[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"component", Text, "", "PTA, GE, APP, ..."},
    {"ts", Integer, "ns", "Time"},
    {"allocated", Integer, "bytes", "Allocated"},
    {"reserved", Integer, "bytes", "Reserved"},
    {"active", Integer, "bytes", "Active"},
    {"stream", Integer, "", "Stream"},
    {"device_id", Integer, "", kDeviceMeaning},
    kRecording,
};
constexpr ColumnInfo kAllocation[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"name", Text, "", "Operator; of a dump of msMemScope the owner of the memory, else its kind"},
    {"size", Integer, "bytes", "Size"},
    {"alloc_ts", Integer, "ns", "Allocation"},
    {"release_ts", Integer, "ns", "Release; NULL if it was not released"},
    {"active_release_ts", Integer, "ns", "End of use"},
    {"alloc_allocated", Integer, "bytes", "Allocated in total at the allocation"},
    {"alloc_reserved", Integer, "bytes", "Reserved then"},
    {"alloc_active", Integer, "bytes", "Active then"},
    {"release_allocated", Integer, "bytes", "Allocated in total at the release"},
    {"release_reserved", Integer, "bytes", "Reserved then"},
    {"release_active", Integer, "bytes", "Active then"},
    {"stream", Integer, "", "Stream"},
    {"device_id", Integer, "", kDeviceMeaning},
    {"first_use", Integer, "ns", "From the allocation to its first use; NULL where uses are not recorded"},
    {"longest_idle", Integer, "ns", "Longest time between two uses"},
    {"unused_end", Integer, "ns", "From its last use to its release"},
    kRecording,
};
constexpr ColumnInfo kModuleMemory[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"component", Text, "", "Module"},
    {"ts", Integer, "ns", "Time"},
    {"reserved", Integer, "bytes", "Reserved"},
    {"device_id", Integer, "", kDeviceMeaning},
    kRecording,
};
constexpr ColumnInfo kStaticMemory[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"graph", Text, "", "Graph"},
    {"name", Text, "", "Operator"},
    {"node_start", Integer, "", "First node of its life"},
    {"node_end", Integer, "", "Last node of its life"},
    {"size", Integer, "bytes", "Size"},
    kRecording,
};
constexpr ColumnInfo kSnapshotEvent[] = {
    {"device_id", Integer, "", "Device; NULL of host memory"},
    {"event_id", Integer, "", "Index in the device's list, from 0"},
    {"action", Text, "", "What happened: alloc, free_requested, free_completed, segment_alloc, oom ..."},
    {"address", Integer, "", "Address"},
    {"size", Integer, "bytes", "Requested size; of a segment what is reserved"},
    {"stream", Integer, "", "Stream"},
    {"allocated", Integer, "bytes", "Requested sizes of all blocks after the event"},
    {"reserved", Integer, "bytes", "Sizes of all segments after the event"},
    {"stack", Text, "",
     "Call stack: FILE(LINE): FUNCTION, a line for each frame, innermost first; FUNCTION alone where the file is "
     "unknown"},
    {"ts", Integer, "ns", "Time, on the snapshot's own clock (time_us); NULL: not recorded"},
    {"annotation", Text, "", "What the program set as user_metadata; NULL: nothing"},
    {"device_free", Integer, "bytes", "What the driver had left when a request failed; NULL: not recorded"},
    {"pool", Text, "", "Pool of the allocator (pool_id); (0, 0): the common one; NULL: not recorded"},
    {"rank_id", Integer, "", kRankMeaning},
    kRecording,
};
constexpr ColumnInfo kSnapshotBlock[] = {
    {"device_id", Integer, "", "Device; NULL of host memory"},
    {"address", Integer, "", "Address"},
    {"size", Integer, "bytes", "Size, rounded as the allocator does; not recorded of past blocks"},
    {"requested", Integer, "bytes", "Requested size; of an inactive block that of its last user"},
    {"state", Text, "", "State in the file, or freed: allocated before and released in the history"},
    {"segment_address", Integer, "", "Segment that it lies in, or lay in when it was released"},
    {"alloc_event", Integer, "", "event_id of its allocation; NULL before the history"},
    {"free_event", Integer, "", "event_id of its release; NULL while it is there"},
    {"stack", Text, "", "Call stack of the allocation, as in snapshot_event"},
    {"stream", Integer, "", "Stream of its segment; of blocks that are there at the end"},
    {"pool", Text, "", "Pool of its segment (segment_pool_id); (0, 0): the common one; NULL: not recorded"},
    {"expandable", Integer, "", "1: its segment can grow; of blocks that are there at the end"},
    {"rank_id", Integer, "", kRankMeaning},
    kRecording,
};
constexpr ColumnInfo kSnapshotAnnotation[] = {
    {"device_id", Integer, "", "Device that was the current one; NULL: not recorded"},
    {"name", Text, "", "Text of record_function"},
    {"start_ts", Integer, "ns", "Begin, on the snapshot's own clock (time_us); NULL before the recording"},
    {"end_ts", Integer, "ns", "End; NULL: it had none by then"},
    {"rank_id", Integer, "", kRankMeaning},
    kRecording,
};
constexpr ColumnInfo kStepBreakdown[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"step", Integer, "", "Number of the training step; NULL outside every step"},
    {"origin", Text, "", "recorded (from a summary file of the profiler) or computed (by Altiscope from the events)"},
    {"computing", Integer, "ns", "Computing"},
    {"communication", Integer, "ns", "Communication"},
    {"not_overlapped", Integer, "ns", "Communication while nothing computed: exposed communication + bubble"},
    {"overlapped", Integer, "ns", "Communication while something computed"},
    {"free", Integer, "ns", "Neither"},
    {"stage", Integer, "ns", "Time of the pipeline stage"},
    {"bubble", Integer, "ns", "Receiving from other stages, also beside computing and twice where receives overlap"},
    {"not_overlapped_excl_receive", Integer, "ns", "Exposed communication: not overlapped, without the bubble"},
    {"preparing", Integer, "ns", "From the step's begin on the host to its first work; no part of the step's time"},
    {"device_id", Integer, "", "Device whose time this is: a rank that recorded several has a row for each"},
    {"left_out", Text, "",
     "NULL: means of reports, gates and comparisons count the row. Else why not: origin (computed rows count where a "
     "rank has any), device (the busiest one counts), no_step (the rank has steps), no_kernels (kernels of its "
     "launches, or of the next step's, are not recorded), differs (recorded and computed times are more than 1 % of "
     "the step apart)"},
    kRecording,
};
constexpr ColumnInfo kStepPhase[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"step", Integer, "", "Number of the training step, or of the iteration of a model"},
    {"model_id", Integer, "", "Model (graph) that iterates; NULL from MindSpore's own files"},
    {"phase", Text, "",
     "iteration_interval (before the forward pass), forward_backward, forward, tail (after the backward pass) and "
     "reduce; of cluster analyses of MindSpore also computation (all but communication_alone, idle time included), "
     "communication_alone, stage, receive_alone and collective_alone"},
    {"name", Text, "", "Of a reduce: the stream and operator, as the file calls them"},
    {"ts", Integer, "ns", "Begin; NULL where the file has durations only"},
    {"dur", Integer, "ns", "Duration"},
    {"device_id", Integer, "", kDeviceMeaning},
    kRecording,
};
constexpr ColumnInfo kCollective[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"step", Integer, "", "Number of the training step; NULL outside every step"},
    {"origin", Text, "", "recorded (from a summary file of the profiler) or computed (by Altiscope from the events)"},
    {"group_name", Text, "", "Communication group"},
    {"op_name", Text, "", "Operator, without @group"},
    {"kind", Text, "", "collective or p2p"},
    {"ts", Integer, "ns", "Start, good to 250 ns"},
    {"elapsed", Integer, "ns", "Whole time"},
    {"transit", Integer, "ns", "Time of transfer"},
    {"wait", Integer, "ns", "Time of waiting"},
    {"synchronization", Integer, "ns", "Waiting before the first transfer"},
    {"idle", Integer, "ns", "Neither"},
    {"instance", Integer, "",
     "Equal on all ranks for the same collective, and for a send and its receive: paired by group, kind, size and end, "
     "whatever numbers "
     "the ranks give them; unique in the capture; NULL where it cannot be known: without group or time, and for sends "
     "and receives in "
     "groups of more than two ranks"},
    kRecording,
};
constexpr ColumnInfo kBandwidth[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"step", Integer, "", "Number of the training step; NULL outside every step"},
    {"group_name", Text, "", "Communication group"},
    {"op_name", Text, "", "Operator, without @group"},
    {"transport", Text, "", "HCCS, RDMA, PCIE, SDMA, SIO, ..."},
    {"size", Integer, "bytes", "Size (megabytes of 10^6 bytes)"},
    {"transit", Integer, "ns", "Time of transfer"},
    {"gb_per_s", Real, "10^9 bytes/s", "Bandwidth"},
    {"large_packet_ratio", Real, "", "Share of large packets"},
    kRecording,
};
constexpr ColumnInfo kPacket[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"step", Integer, "", "Number of the training step; NULL outside every step"},
    {"group_name", Text, "", "Communication group"},
    {"op_name", Text, "", "Operator, without @group"},
    {"transport", Text, "", "HCCS, RDMA, PCIE, SDMA, SIO, ..."},
    {"packet_size", Integer, "bytes", "Size of a packet"},
    {"count", Integer, "", "Packets"},
    {"dur", Integer, "ns", "Time"},
    kRecording,
};
constexpr ColumnInfo kLink[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"step", Integer, "", "Number of the training step; NULL outside every step"},
    {"group_name", Text, "", "Communication group"},
    {"op_name", Text, "", "Operator, without @group"},
    {"selection", Text, "", "total, top1, middle, bottom1, bottom2, bottom3 or single"},
    {"src_rank", Integer, "", "From, global number"},
    {"dst_rank", Integer, "", "To, global number"},
    {"src_local", Integer, "", "From, number in the group"},
    {"dst_local", Integer, "", "To, number in the group"},
    {"transport", Text, "", "HCCS, RDMA, PCIE, SDMA, SIO, ..."},
    {"size", Integer, "bytes", "Size"},
    {"transit", Integer, "ns", "Time of transfer"},
    {"gb_per_s", Real, "10^9 bytes/s", "Bandwidth"},
    kRecording,
};
constexpr ColumnInfo kCommGroup[] = {
    {"group_name", Text, "", "Communication group"},
    {"hash", Text, "", "Decimal hash of the name"},
    {"parallel_type", Text, "", "dp, tp, pp, ..."},
    {"ranks", Text, "",
     "Global numbers, JSON array; null for places in the group whose rank is not known, and for further ones"},
};
constexpr ColumnInfo kDatasetOp[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"operation", Text, "", "Operation"},
    {"stage", Text, "", "Stage"},
    {"occurrences", Integer, "", "How often"},
    {"avg_time", Real, "ns", "Mean time"},
    {"custom_info", Text, "", "Free text"},
    kRecording,
};
constexpr ColumnInfo kPipelineQueue[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"op_id", Integer, "", "Operator"},
    {"op_type", Text, "", "Its type"},
    {"num_workers", Integer, "", "Workers"},
    {"output_queue_size", Text, "", "Sizes over time, JSON array"},
    {"output_queue_average_size", Real, "", "Mean size"},
    {"output_queue_length", Integer, "", "Capacity"},
    {"output_queue_usage_rate", Real, "", "Mean size / capacity"},
    {"sample_interval", Integer, "ns", "Time between samples"},
    {"parent_id", Integer, "", "op_id that it feeds; NULL at the root"},
    {"children_id", Text, "", "op_ids that feed it, JSON array"},
    kRecording,
};
constexpr ColumnInfo kL2Cache[] = {
    {"rank_id", Integer, "", kRankMeaning}, {"device_id", Integer, "", "Device"},
    {"stream_id", Integer, "", "Stream"},   {"task_id", Integer, "", "Task"},
    {"hit_rate", Real, "", "Hits, 0..1"},   {"victim_rate", Real, "", "Victims; may exceed 1"},
    {"op_name", Text, "", "Operator"},      kRecording,
};
constexpr ColumnInfo kHardwareStat[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"source", Text, "", "File without its stamp: hbm, nic, host_cpu_usage, ..."},
    {"device_id", Integer, "", "Device; NULL: the host"},
    {"item", Text, "", "What the number is of: a port, a process, a direction; NULL: the file has one only"},
    {"name", Text, "", "Heading of the number without its unit"},
    {"unit", Text, "", "Its unit, as printed; NULL: none"},
    {"value", Real, "as in unit", "The number: a sum, mean or extreme over the recording, as the heading says"},
    kRecording,
};
constexpr ColumnInfo kGap[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"step", Integer, "", "Number of the training step; NULL: the recording has none"},
    {"track_id", Integer, "", "Track of the task that ends it; of the first stream at the end of a step"},
    {"ts", Integer, "ns", "Begin"},
    {"dur", Integer, "ns", "Duration"},
    {"cause", Text, "", "Word of the column cause of blame; below a coverage of 0.8 unknown"},
    {"cause_slice", Integer, "", "Slice of the host that covers the most of it, the innermost such"},
    {"cause_name", Text, "", "Name of that slice"},
    {"host_thread", Text, "", "Thread of the host that was late"},
    {"coverage", Real, "", "Share of it that its largest cause covers, 0 to 1"},
    kRecording,
};
constexpr ColumnInfo kBlame[] = {
    {"rank_id", Integer, "", "Number of the rank that waits"},
    {"step", Integer, "", "Number of the training step; NULL: the recording has none"},
    {"group_name", Text, "", "Communication group"},
    {"op_name", Text, "", "Collective; NULL: what the cause wins beside waits"},
    {"ts", Integer, "ns", "Begin of the wait, or of the slice that has the cause"},
    {"late", Integer, "ns", "How long it waited for the last rank"},
    {"cause", Text, "",
     "kernel, host, wait, gc, gil, lock, preempted, interrupt, syscall, compile, synchronize, data_loading, "
     "checkpoint, "
     "copy, frequency, transfer, turnaround, bubble, absent or unknown"},
    {"cause_rank", Integer, "", "Number of the rank that has it"},
    {"cause_slice", Integer, "", "Slice of that rank that has the most of it"},
    {"cause_name", Text, "", "Kernel type, group or call"},
    {"recoverable", Integer, "ns", "What the step wins by removal: each ns once; all rows of a step add up"},
    {"alone", Integer, "ns", "What it wins with all other causes removed"},
    {"coverage", Real, "", "Share of the wait that the cause covers, 0 to 1; below 0.8 the cause is unknown"},
    {"hops", Integer, "", "Slices on the path"},
    {"path", Text, "", "JSON: rank_id, slice_id and ns of each slice from the wait to the cause"},
    kRecording,
};
constexpr ColumnInfo kCriticalPath[] = {
    {"step", Integer, "", "Number of the training step; NULL: the recording has none"},
    {"position", Integer, "", "Place on the path of the step, in the order of time, from 0", Nullability::Never},
    {"rank_id", Integer, "", kRankMeaning},
    {"slice_id", Integer, "",
     "What ran: a task, a collective, of the host the innermost slice; NULL where nothing recorded did"},
    {"ts", Integer, "ns", "Begin, on the trace's own clock", Nullability::Never},
    {"dur", Integer, "ns", "Duration; all of a step add up to it, from the last rank's begin to the last one's end",
     Nullability::Never},
    {"kind", Text, "",
     "compute (a task of the device), communication (a collective moves data), host (until the next launch) or wait "
     "(delays between tasks, and waits for ranks that are not in the capture)",
     Nullability::Never},
    kRecording,
};
constexpr ColumnInfo kSlack[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"step", Integer, "", "Number of the training step; NULL: the recording has none"},
    {"group_name", Text, "", "Communication group"},
    {"op_name", Text, "", "Collective", Nullability::Never},
    {"instance", Integer, "", "Equal for the ranks of one collective, as in the table collective"},
    {"slack", Integer, "ns",
     "How much later the rank may come before a step of the job takes longer, with all else as recorded; NULL: no step "
     "waits for it"},
    kRecording,
};
constexpr ColumnInfo kParallelGroup[] = {
    {"kind", Text, "", "tp, cp, pp, dp or ep", Nullability::Never},
    {"index", Integer, "",
     "Number of the group among those of its kind, by first rank; in quotes, as INDEX is a word of SQL",
     Nullability::Never},
    {"ranks", Text, "", "Global numbers by place, JSON array; also of ranks that are not in the capture",
     Nullability::Never},
    {"source", Text, "",
     "recorded (the capture states the group) or computed (from stated sizes and the order of ranks that the stated "
     "groups fit, else Megatron's)",
     Nullability::Never},
};
constexpr ColumnInfo kPipelineBlock[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"step", Integer, "", "Number of the training step; NULL: the recording has none"},
    {"stage", Integer, "", "Stage of the pipeline, from 0", Nullability::Never},
    {"micro_batch", Integer, "", "Number among those of its direction in the step, from 0", Nullability::Never},
    {"direction", Text, "", "forward or backward", Nullability::Never},
    {"ts", Integer, "ns", "Begin of its first kernel, on the trace's own clock", Nullability::Never},
    {"dur", Integer, "ns", "Until the end of its last kernel", Nullability::Never},
    kRecording,
};
constexpr ColumnInfo kFinding[] = {
    {"rule", Text, "", "Name of the rule"},
    {"severity", Text, "", "high, medium or low"},
    {"rank_id", Integer, "", kRankMeaning},
    {"step", Integer, "", "Number of the training step; NULL outside every step"},
    {"ts", Integer, "ns", "Where it begins"},
    {"dur", Integer, "ns", "How long"},
    {"recoverable", Integer, "ns",
     "Time of a step that can be recovered; shares are of computing + not_overlapped + free"},
    {"title", Text, "", "One line"},
    {"detail", Text, "", "Explanation"},
    {"parameters", Text, "", "JSON object"},
    {"evidence", Text, "", "JSON: slices, ranges, rows"},
    {"thresholds", Text, "", "JSON object"},
    kRecording,
};
constexpr ColumnInfo kMetadata[] = {
    {"rank_id", Integer, "", kRankMeaning},
    {"key", Text, "", "Key; nested keys are joined by dots", Nullability::Never},
    {"value", Text, "", "Value", Nullability::Never},
    kRecording,
};
constexpr ColumnInfo kDiagnostic[] = {
    {"severity", Text, "", "info, repaired or lost", Nullability::Never},
    {"code", Text, "", "Stable code", Nullability::Never},
    {"count", Integer, "", "How often", Nullability::Never},
    {"file", Text, "", "File, relative to the capture"},
    {"place", Text, "", "First place in the file"},
    {"message", Text, "", "Sentence", Nullability::Never},
};

constexpr TableInfo kTables[] = {
    {"rank", "One row per rank (process of the job) that was found", kRank},
    {"track", "One row per thread, stream, communication row or counter", kTrack},
    {"slice", "Named intervals on tracks", kSlice},
    {"instant", "Points in time on tracks", kInstant},
    {"counter", "Values over time", kCounter},
    {"flow", "Arrows from one slice to another", kFlow},
    {"step", "Training steps", kStep},
    {"operator", "Framework operators on the host", kOperator},
    {"kernel", "Tasks and communication operators run on the device", kKernel},
    {"kernel_metric", "Hardware metrics of kernels", kKernelMetric},
    {"op_stat", "Kernels by name, without communication", kOpStat},
    {"api_stat", "Host calls by name", kApiStat},
    {"name_stat", "Slices by track and name, ready-made", kNameStat},
    {"memory_sample", "Device memory over time", kMemorySample},
    {"allocation", "Allocations by operators, released or not", kAllocation},
    {"module_memory", "Memory of modules over time", kModuleMemory},
    {"static_memory", "Memory planned by a graph", kStaticMemory},
    {"snapshot_event", "Entries of a memory snapshot", kSnapshotEvent},
    {"snapshot_block", "Blocks of a memory snapshot", kSnapshotBlock},
    {"snapshot_annotation", "Ranges that the program named while a memory snapshot was recorded", kSnapshotAnnotation},
    {"step_breakdown", "Where the time of a step went", kStepBreakdown},
    {"step_phase", "Phases of a step that graph modes mark on the device", kStepPhase},
    {"collective", "Communication operators", kCollective},
    {"bandwidth", "Traffic of communication operators by transport", kBandwidth},
    {"packet", "Packet sizes of communication operators", kPacket},
    {"link", "Traffic between two ranks", kLink},
    {"comm_group", "Communication groups", kCommGroup},
    {"dataset_op", "Operations of the MindSpore data pipeline", kDatasetOp},
    {"pipeline_queue", "Queues of the MindSpore data pipeline", kPipelineQueue},
    {"l2_cache", "L2 cache rates of kernels", kL2Cache},
    {"hardware_stat", "Sums and means of hardware and system over a recording, which have no times", kHardwareStat},
    {"gap", "Times in which a device did nothing, and why", kGap},
    {"blame", "Waits for other ranks, and what causes of slowness cost", kBlame},
    {"critical_path", "What the length of each step hangs on, over all ranks", kCriticalPath},
    {"slack", "How late ranks may come to collectives", kSlack},
    {"parallel_group", "Ranks over which a kind of parallelism divides the work, two at least", kParallelGroup},
    {"pipeline_block", "Passes of micro-batches on stages of a pipeline", kPipelineBlock},
    {"finding", "What the rules found", kFinding},
    {"metadata", "Facts about a run, as its files state them", kMetadata},
    {"diagnostic", "What the import met", kDiagnostic},
};

constexpr std::string_view kUnits[] = {
    "", "ns", "ns^2", "bytes", "10^9 bytes/s", "as in series", "as in unit", "ns for times, else as in the CSV"};

constexpr bool hasKnownUnits(const TableInfo& table) {
    return std::all_of(table.columns.begin(), table.columns.end(), [](const ColumnInfo& column) {
        return std::find(std::begin(kUnits), std::end(kUnits), column.unit) != std::end(kUnits);
    });
}
static_assert(std::all_of(std::begin(kTables), std::end(kTables), hasKnownUnits), "a column has a unit of its own");

/// Whether the table of a kind has the kind's columns after the number of the rank, in their order and of their types:
/// cells are found by it.
constexpr bool hasColumnsOf(const row_kinds::Info& kind) {
    const auto* table = std::find_if(std::begin(kTables), std::end(kTables),
                                     [&kind](const TableInfo& one) { return one.name == kind.name; });
    if (table == std::end(kTables)) return false;
    const std::size_t first = table->columns[0].name == "rank_id" ? 1 : 0;
    if (table->columns.size() < first + kind.columns.size()) return false;
    return std::equal(
        kind.columns.begin(), kind.columns.end(), table->columns.begin() + static_cast<std::ptrdiff_t>(first),
        [](const RowColumn& column, const ColumnInfo& shown) {
            const ColumnType type = column.cell == RowCell::Text ? Text : column.cell == RowCell::Real ? Real : Integer;
            return column.name == shown.name && type == shown.type;
        });
}
static_assert(std::all_of(row_kinds::kInfos.begin(), row_kinds::kInfos.end(), hasColumnsOf),
              "a kind of rows has no table of SQL, or one with other columns, another order or other types");

}  // namespace

std::span<const TableInfo> tableSchema() { return kTables; }

}  // namespace altiscope
