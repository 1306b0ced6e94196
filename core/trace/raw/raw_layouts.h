#pragma once

#include "core/trace/raw/raw_record.h"

namespace altiscope {

/// Every host record and every task log of a device that is one begins or goes on with one of these.
inline constexpr std::uint16_t kRawHostMagic = 0x5A5A;
inline constexpr std::uint16_t kRawStarsMagic = 0x6BD3;

namespace raw_fields {

using enum RawType;

inline constexpr RawField kCall[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"level", 2, U16, "20000 acl, 15000 model, 10000 node, 5500 communication, 5000 runtime"},
    {"type", 4, U32, "with the level: key of type_info_dic"},
    {"thread", 8, U32, "thread id"},
    {"request", 12, U32, "of an event: request id; of a model's execution: the iteration"},
    {"begin", 16, U64, "host counter"},
    {"end", 24, U64, "host counter; all ones: an event, one of a pair"},
    {"item", 32, U64, "hash of a text, or a model id at model level"},
};
inline constexpr RawField kTaskTrack[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"level", 2, U16, "5000"},
    {"thread", 8, U32, "thread id"},
    {"length", 12, U32, "bytes of the payload; 40: with blocks"},
    {"time", 16, U64, "host counter"},
    {"device", 24, U16, "device in the low 12 bits"},
    {"stream", 26, U16, "stream"},
    {"task", 28, U16, "task; of a flip: the task at which numbers began anew"},
    {"batch", 30, U16, "of a flip: its number, 0xFFFF if the stream was destroyed"},
    {"type", 32, U64, "with level 5000: key of type_info_dic; 98 flip, 6 maintenance"},
    {"kernel_name", 40, U64, "hash; 0 there is none"},
    {"blocks", 48, U16, "blocks"},
    {"mix_ratio", 52, U8, "low 3 bits"},
};
inline constexpr RawField kNodeInfo[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"thread", 8, U32, "thread id"},
    {"time", 16, U64, "host counter"},
    {"op_name", 24, U64, "hash"},
    {"task_type", 32, U32,
     "0 AI_CORE, 1 AI_CPU, 2 AI_VECTOR_CORE, 3 WRITE_BACK, 4 MIX_AIC, 5 MIX_AIV, 6 FFTS_PLUS, 7 DSA, 8 DVPP, "
     "9 COMMUNICATION, 10 FUSION, 11 INVALID"},
    {"op_type", 36, U64, "hash"},
    {"blocks", 44, U32, "blocks in the low half, mix ratio in the high one"},
    {"flags", 48, U32, "bit 0: HF32"},
};
inline constexpr RawField kNodeAttribute[] = {
    {"magic", 0, U16, "0x5A5A"},  {"thread", 8, U32, "thread id"}, {"time", 16, U64, "host counter"},
    {"op_name", 24, U64, "hash"}, {"kind", 32, U32, "kind"},       {"text", 36, U64, "hash of the attributes' text"},
};
inline constexpr RawField kMemoryCopy[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"thread", 8, U32, "thread id"},
    {"time", 16, U64, "host counter; that of its tasks"},
    {"bytes", 24, U64, "of all tasks of the copy"},
    {"most", 32, U64, "bytes that one task can copy"},
    {"direction", 40, U16,
     "0 host to host, 1 host to device, 2 device to host, 3 device to device, 4 managed memory, "
     "5 addr device to device, 6 host to device ex, 7 device to host ex"},
};
inline constexpr RawField kHcclOp[] = {
    {"magic", 0, U16, "0x5A5A"},       {"thread", 8, U32, "thread id"},
    {"time", 16, U64, "host counter"}, {"flags", 24, U8, "bit 0 relay, bit 1 retry"},
    {"data_type", 25, U8, "of HCCL"},  {"algorithm", 26, U64, "hash"},
    {"count", 34, U64, "elements"},    {"group", 42, U64, "hash"},
};
inline constexpr RawField kTensors[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"thread", 8, U32, "thread id"},
    {"time", 16, U64, "host counter"},
    {"op_name", 24, U64, "hash"},
    {"count", 32, U32, "tensors, at most 5"},
    {"tensors", 36, U32, "5 times 11 numbers: 0 input or 1 output, format, data type, 8 dimensions up to the first 0",
     55},
};
inline constexpr RawField kContexts[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"level", 2, U16, "10000 node, 5500 communication"},
    {"thread", 8, U32, "thread id"},
    {"time", 16, U64, "host counter"},
    {"op_name", 24, U64, "hash"},
    {"count", 32, U32, "ids, at most 55"},
    {"ids", 36, U32, "context ids; of a communication: the first and the last", 55},
};
inline constexpr RawField kHcclTask[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"thread", 8, U32, "thread id"},
    {"time", 16, U64, "host counter"},
    {"item", 24, U64, "hash of the step's name"},
    {"group", 40, U64, "hash"},
    {"local_rank", 48, U32, "rank in the group"},
    {"remote_rank", 52, U32, "rank in the group"},
    {"rank_size", 56, U32, "ranks of the group"},
    {"plane", 64, U32, "plane"},
    {"context", 68, U32, "context id; all ones: none"},
    {"notify", 72, U64, "notify id"},
    {"estimate", 88, F64, "estimated duration in us"},
    {"bytes", 112, U64, "size"},
    {"data_type", 124, U32, "of HCCL"},
    {"link", 128, U32, "0 ON_CHIP, 1 HCCS, 2 PCIE, 3 ROCE, 4 SIO, 5 HCCS_SW, 6 STANDARD_ROCE, 7 UB, 8 UBoE"},
    {"transport", 132, U32, "0 SDMA, 1 RDMA, 2 LOCAL, 3 UB, 4 ROCE"},
    {"rdma", 136, U32, "0 notify, 1 payload"},
};
inline constexpr RawField kFftsProfile[] = {
    {"function", 0, U16, "in the low 6 bits: 0x28 of a task or sub-task, 0x29 of one of its blocks"},
    {"stream", 4, U16, "stream as stored: high bits of some belong to the task"},
    {"task", 6, U16, "task as stored"},
    {"subtype", 16, U8, "of a sub-task"},
    {"context", 18, U16, "of a sub-task"},
    {"ffts", 20, U16, "FFTS+ if the top 3 bits are 4; of a block bit 0 is the type of its core"},
    {"cycles", 32, U64, "cycles of all cores"},
    {"counters", 48, U64, "by the events of sample.json", 8},
    {"begin", 112, U64, "device counter"},
    {"end", 120, U64, "device counter"},
};
inline constexpr RawField kFrequency[] = {
    {"count", 0, U32, "changes, at most 55"},
    {"changes", 8, U64, "55 times device counter and MHz, of which the high half is something else", 110},
};
inline constexpr RawField kHbm[] = {
    {"time", 0, U64, "us since the device's start"},
    {"count", 8, U64, "transfers"},
    {"kind", 16, U32, "0 read, 1 write"},
    {"memory", 20, U32, "number of the HBM"},
};
inline constexpr RawField kHbmBytes[] = {
    {"kind", 8, U32, "0 read, 1 write"},
    {"memory", 12, U32, "number of the HBM"},
    {"bytes", 16, U64, "transferred"},
    {"time", 24, U64, "wall time, ns"},
};
inline constexpr RawField kLlc[] = {
    {"time", 0, U64, "us since the device's start"},
    {"count", 8, U64, "events"},
    {"event", 16, U32, "see core/import/raw_records/FORMAT.md in the sources"},
    {"cache", 20, U32, "number of the cache"},
};
inline constexpr RawField kLlcWall[] = {
    {"count", 4, U32, "events"},
    {"event", 8, U32, "see core/import/raw_records/FORMAT.md in the sources"},
    {"cache", 12, U32, "number of the cache"},
    {"time", 16, U64, "wall time, ns"},
};
inline constexpr RawField kDdr[] = {
    {"time", 0, U32, "us since the device's start"},
    {"count", 4, U32, "transfers"},
    {"kind", 8, U32, "0 read, 1 write"},
    {"controller", 12, U32, "number of the controller"},
    {"master", 16, U32, "whose transfers; all ones: all"},
};
inline constexpr RawField kPcie[] = {
    {"time", 0, U64, "the device's monotonic clock, ns"},
    {"values", 12, U32,
     "min, max, mean of: sent posted, non-posted, completions (bytes per us), latency (ns), received likewise", 21},
};
inline constexpr RawField kQos[] = {
    {"time", 16, U64, "device counter"},
    {"rates", 24, U32, "MB/s, by qosEvents of sample.json", 10},
};
inline constexpr RawField kAccelerator[] = {
    {"kind", 0, U16, "function 0x1A in the low 6 bits"},
    {"magic", 2, U16, "0x6BD3"},
    {"time", 8, U64, "device counter"},
    {"accelerator", 18, U16, "number"},
    {"rates", 32, U64, "levels of bandwidth: read, write; in stars_soc_profile the other way round", 2},
    {"requests", 48, U64, "outstanding ones, likewise", 2},
};
inline constexpr RawField kChipLink[] = {
    {"kind", 0, U16, "function 0x1B; in the high 6 bits 0x3F PA link, 0x22 PCIe"},
    {"magic", 2, U16, "0x6BD3"},
    {"time", 8, U64, "device counter"},
    {"link", 18, U16, "number in the low 6 bits"},
    {"values", 32, U64, "received and sent; of PCIe: written and read", 2},
};
inline constexpr RawField kChipLevel[] = {
    {"kind", 0, U16, "function 0x1C"},
    {"magic", 2, U16, "0x6BD3"},
    {"time", 8, U64, "device counter"},
    {"levels", 32, U16, "bits 0 to 2, and 3 to 10"},
};
inline constexpr RawField kDieLink[] = {
    {"kind", 0, U16, "function 0x19"},
    {"magic", 2, U16, "0x6BD3"},
    {"time", 8, U64, "device counter"},
    {"die", 18, U16, "number of the die"},
    {"bytes", 32, U32, "since the record before: received requests, responses, snoops, data, then sent ones", 8},
};
inline constexpr RawField kStarsQos[] = {
    {"kind", 0, U16, "function 0x18"},
    {"magic", 2, U16, "0x6BD3"},
    {"time", 8, U64, "device counter"},
    {"rates", 24, U32, "MB/s, by qosEvents of sample.json", 10},
};
inline constexpr RawField kNpuMemory[] = {
    {"time", 0, U32, "us since the device's start"},
    {"kind", 4, U32, "0 of the process, 1 of the device"},
    {"late_time", 8, U64, "in version 2.0: the time"},
    {"ddr", 16, U64, "bytes"},
    {"hbm", 24, U64, "bytes"},
};
inline constexpr RawField kModuleMemory[] = {
    {"module", 0, U32, "number of the module"},
    {"time", 8, U64, "host counter"},
    {"bytes", 16, U64, "reserved"},
};
inline constexpr RawField kMstx[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"kind", 24, U16, "0 without a number, 1 with one, so that a stream may have it, too"},
    {"part", 26, U16, "of the message of a number: how many parts came before"},
    {"process", 36, U32, "process id"},
    {"thread", 40, U32, "thread id"},
    {"category", 44, U32, "category"},
    {"event", 48, U32, "0 marker, 1 push and pop, 2 start and end, 3 marker of a stream"},
    {"payload_type", 52, U32, "type of the payload"},
    {"payload", 56, U64, "payload"},
    {"begin", 64, U64, "host counter"},
    {"end", 72, U64, "host counter"},
    {"number", 80, U64, "of the mark"},
    {"domain", 88, U64, "hash"},
    {"message_type", 96, U32, "type of the message"},
    {"message", 100, U8, "text up to the first 0", 156},
};
inline constexpr RawField kStepTrace[] = {
    {"kind", 1, U8, "0x0A"},
    {"time", 8, U64, "device counter"},
    {"index", 16, U64, "iteration; of a mark: its number"},
    {"model", 24, U64, "model"},
    {"stream", 32, U16, "stream in the low 11 bits"},
    {"task", 34, U16, "task"},
    {"tag", 36, U16,
     "0 begin and 1 end of a model, 2 forward, 3 backward, 4 end of an iteration, 11 and 12 marks, "
     "from 10000 on collectives, from 20000 on data, each even at its begin, odd at its end; 60000 "
     "and 60001 step"},
};
inline constexpr RawField kOpRange[] = {
    {"begin", 0, U64, "count of the host or ns"},
    {"end", 8, U64, "likewise"},
    {"sequence", 16, I64, "-1 there is none"},
    {"process", 24, U64, "process id"},
    {"thread", 32, U64, "thread id"},
    {"end_thread", 40, U64, "thread id"},
    {"forward_thread", 48, U64, "thread id; 0: this is the forward one"},
    {"scope", 56, U8, "scope"},
    {"is_async", 57, U8, "asynchronous"},
};
inline constexpr RawField kMindsporeRange[] = {
    {"thread", 0, U64, "thread id"},
    {"flow", 8, U64, "number of a flow; all ones: none"},
    {"step", 16, U64, "step"},
    {"begin", 24, U64, "count of the host; 0: none"},
    {"end", 32, U64, "likewise; that of the begin: a moment"},
    {"process", 40, U32, "process id"},
    {"module", 44, U16, "number of a word"},
    {"event", 46, U16, "likewise"},
    {"stage", 48, U16, "likewise"},
    {"level", 50, U8, "level"},
    {"is_graph", 51, U8, "named by the words of a graph"},
    {"is_stage", 52, U8, "named by its stage"},
    {"is_stack", 53, U8, "a call of Python"},
};
inline constexpr RawField kFusedOp[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"thread", 8, U32, "thread id"},
    {"time", 16, U64, "host counter"},
    {"op_name", 24, U64, "hash of the fused operator's name"},
    {"count", 32, U32, "operators that were fused, at most 8"},
    {"bytes", 36, U64, "memory of inputs, outputs, weights, workspace, and in all", 5},
    {"ops", 76, U64, "hashes of the names of what was fused", 8},
};
inline constexpr RawField kGraphModel[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"model_name", 24, U64, "hash"},
    {"graph", 32, U32, "number of the graph"},
    {"model", 36, U32, "number of the model"},
};
inline constexpr RawField kGraphMemory[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"thread", 8, U32, "thread id"},
    {"time", 16, U64, "host counter"},
    {"address", 24, U64, "address"},
    {"bytes", 32, I64, "size; negative: released"},
    {"op_name", 40, U64, "hash"},
    {"allocated", 48, U64, "bytes in all then"},
    {"reserved", 56, U64, "likewise"},
    {"device", 64, U32, "device"},
};
inline constexpr RawField kStaticMemory[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"bytes", 24, I64, "size"},
    {"op_name", 32, U64, "hash; 0: the whole graph"},
    {"life_begin", 40, U64, "number of the first node of its life"},
    {"life_end", 48, U64, "of the last one; 0xFFFFFFFF: until the graph's end"},
    {"root_op", 64, U64, "hash of the operator whose graph it is; 0: a static graph"},
    {"graph", 72, U32, "number of the graph"},
};
inline constexpr RawField kL2Counts[] = {
    {"stream", 2, U16, "stream"},
    {"task", 4, U16, "task"},
    {"counts", 8, U64, "by l2CacheTaskProfilingEvents of sample.json", 8},
};
inline constexpr RawField kSocCounts[] = {
    {"stream", 10, U16, "stream"},
    {"task", 12, U16, "task"},
    {"kind", 14, U16, "1 L2 cache, 2 translation of addresses, 4 page faults"},
    {"counts", 16, U64, "by the events of the kind in sample.json; of page faults: how many", 8},
};
inline constexpr RawField kAicpu[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"kind", 4, U32, "0 kernel, 1 queue, 2 model, 3 wait for data, 4 and 5 turns, 10 to 13 collectives"},
    {"time", 16, U64, "device counter"},
};
inline constexpr RawField kAicpuKernel[] = {
    {"stream", 24, U16, "stream as stored: high bits of some belong to the task"},
    {"task", 26, U16, "task as stored"},
    {"begin", 40, U64, "device counter; 0: unknown"},
    {"compute", 48, U64, "us: the kernel begins"},
    {"copy", 56, U64, "us: it begins to copy"},
    {"copied", 64, U64, "us: it has copied"},
    {"end", 80, U64, "device counter; 0: unknown"},
    {"submitted", 96, U64, "device counter"},
    {"finished", 120, U64, "device counter"},
    {"dispatch", 132, U32, "us"},
};
inline constexpr RawField kAicpuQueue[] = {
    {"time", 16, U64, "device counter"},
    {"action", 24, U8, "text up to the first 0", 16},
    {"source", 40, U8, "text up to the first 0", 64},
    {"size", 112, U64, "what is in the queue"},
};
inline constexpr RawField kOldAicpuKernel[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"kind", 2, U16, "60"},
    {"stream", 4, U16, "stream in the low 11 bits"},
    {"task", 6, U16, "task"},
    {"begin", 16, U64, "device counter; 0: unknown"},
    {"compute", 24, U64, "us: the kernel begins"},
    {"copy", 32, U64, "us: it begins to copy"},
    {"copied", 40, U64, "us: it has copied"},
    {"end", 56, U64, "device counter; 0: unknown"},
    {"submitted", 72, U64, "device counter"},
    {"finished", 96, U64, "device counter"},
    {"dispatch", 108, U32, "us"},
};
inline constexpr RawField kOldAicpuQueue[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"kind", 2, U16, "100"},
    {"time", 8, U64, "device counter"},
    {"action", 16, U8, "text up to the first 0", 16},
    {"source", 32, U8, "text up to the first 0", 64},
    {"size", 104, U64, "what is in the queue"},
};
inline constexpr RawField kAicpuModel[] = {
    {"kind", 4, U32, "2"},       {"time", 16, U64, "device counter"},     {"index", 24, U64, "iteration"},
    {"model", 32, U32, "model"}, {"tag", 36, U16, "as in ts_track.data"},
};
inline constexpr RawField kAicpuWait[] = {
    {"node", 24, U32, "1 GetNext_dequeue_wait"},
    {"size", 32, U64, "what is in the queue"},
    {"begin", 40, U64, "us"},
    {"end", 48, U64, "us"},
};
inline constexpr RawField kMindsporeMemory[] = {
    {"device", 0, U32, "device"},
    {"thread", 4, U64, "thread id"},
    {"process", 12, U64, "process id"},
    {"time", 20, U64, "wall time, ns"},
    {"pointer", 28, U64, "address"},
    {"bytes", 36, U64, "size; all ones: released"},
    {"used", 44, U64, "bytes in use then"},
    {"peak", 52, U64, "the most that were in use"},
    {"reserved", 60, U64, "bytes of the pool"},
    {"stream_pointer", 84, U64, "pointer of the stream"},
    {"stream", 92, U32, "stream"},
};
inline constexpr RawField kOldMindsporeRange[] = {
    {"begin", 0, U64, "count of the host"},
    {"end", 8, U64, "likewise"},
    {"sequence", 16, I64, "-1 there is none"},
    {"process", 24, U64, "process id"},
    {"thread", 32, U64, "thread id"},
    {"end_thread", 40, U64, "thread id"},
    {"forward_thread", 48, U64, "thread id"},
    {"flow", 56, U64, "number"},
    {"step", 64, U64, "step"},
    {"level", 72, U8, "level"},
    {"is_async", 73, U8, "asynchronous"},
};
inline constexpr RawField kOpMark[] = {
    {"time", 0, U64, "count of the host or ns"},
    {"kind", 8, U64, "0 begin and 1 end of an enqueue, 2 begin and 3 end of a dequeue"},
    {"correlation", 16, U64, "number of the task in the queue"},
    {"thread", 24, U64, "thread id"},
    {"process", 32, U64, "process id"},
};
inline constexpr RawField kMemoryUsage[] = {
    {"pointer", 0, I64, "address"},
    {"time", 8, U64, "count of the host or ns"},
    {"bytes", 16, I64, "negative: released"},
    {"allocated", 24, I64, "bytes"},
    {"reserved", 32, I64, "bytes"},
    {"active", 40, I64, "bytes"},
    {"stream", 48, I64, "pointer of the stream"},
    {"device_type", 56, U8, "20 NPU"},
    {"device", 57, U8, "device"},
    {"component", 58, U8, "1 workspace"},
    {"event", 59, U8, "0 allocated, 1 released, 2 the block is free"},
    {"allocator", 60, U8, "0 of the framework itself"},
    {"thread", 61, U64, "thread id"},
    {"process", 69, U64, "process id"},
};
inline constexpr RawField kPythonCall[] = {
    {"time", 0, U64, "count of the host or ns"},
    {"thread", 8, U64, "thread id"},
    {"process", 16, U64, "process id"},
    {"key", 24, U64, "key of python_tracer_hash"},
    {"tag", 32, U8, "0 and 1 call and return of Python, 2 and 3 of C"},
};
inline constexpr RawField kPythonText[] = {{"key", 0, U64, "key of python_tracer_func"}};
inline constexpr RawField kCollection[] = {
    {"process", 0, U64, "process id"},
    {"begin", 8, U64, "count of the host or ns"},
    {"end", 16, U64, "likewise"},
};
inline constexpr RawField kStars[] = {
    {"kind", 0, U16, "function in the low 6 bits, type of the task in the high 6"},
    {"magic", 2, U16, "0x6BD3"},
    {"stream", 4, U16, "stream as stored: high bits of some belong to the task"},
    {"task", 6, U16, "task as stored"},
    {"time", 8, U64, "device counter"},
    {"subtype", 16, U8, "of a sub-task"},
    {"context", 18, U16, "of a sub-task"},
    {"ffts", 20, U16, "of a sub-task: FFTS+ if the top 3 bits are 4"},
};
inline constexpr RawField kStreamForm[] = {
    {"magic", 0, U16, "0x5A5A"},
    {"isExpanded", 24, U8, "1: streams and tasks of devices are folded the wide way"},
};
inline constexpr RawField kHwts[] = {
    {"head", 0, U8, "tag in the low 3 bits: 0 begin, 1 end; the high 4 count records"},
    {"type", 1, U8, "0 AI_CORE, 1 AI_CPU"},
    {"magic", 2, U16, "0x6BD3"},
    {"task", 6, U16, "task"},
    {"time", 8, U64, "device counter"},
    {"stream", 16, U32, "stream in the low 11 bits"},
};
inline constexpr RawField kTsTrack[] = {
    {"kind", 1, U8, "0x0E flip"},
    {"time", 8, U64, "device counter"},
    {"stream", 16, U16, "stream"},
    {"flip", 18, U16, "number of the flip"},
    {"task", 22, U16, "task at which numbers began anew; 0xFFFF: the stream was destroyed"},
};

}  // namespace raw_fields

inline constexpr RawLayout kRawCall{"api_event", 40, "B.2", "small, flip_ffts, torch", raw_fields::kCall};
inline constexpr RawLayout kRawTaskTrack{"task_track", 64, "B.3", "small, flip_ffts, torch", raw_fields::kTaskTrack};
inline constexpr RawLayout kRawNodeInfo{"node_basic_info", 64, "B.3", "small, flip_ffts, torch", raw_fields::kNodeInfo};
inline constexpr RawLayout kRawNodeAttribute{"node_attr_info", 64, "B.3", "", raw_fields::kNodeAttribute};
inline constexpr RawLayout kRawMemoryCopy{"memcpy_info", 64, "B.3", "", raw_fields::kMemoryCopy};
inline constexpr RawLayout kRawHcclOp{"hccl_op_info", 64, "B.3", "small, flip_ffts, torch", raw_fields::kHcclOp};
inline constexpr RawLayout kRawTensors{"tensor_info", 256, "B.3", "small, flip_ffts, torch", raw_fields::kTensors};
inline constexpr RawLayout kRawContexts{"context_id_info", 256, "B.3", "flip_ffts", raw_fields::kContexts};
inline constexpr RawLayout kRawHcclTask{"hccl_info", 256, "B.3", "small, flip_ffts, torch", raw_fields::kHcclTask};
inline constexpr RawLayout kRawStars{"stars_soc", 64, "B.5", "small, flip_ffts, torch", raw_fields::kStars};
inline constexpr RawLayout kRawStreamForm{"expand_stream_spec", 64, "B.3", "", raw_fields::kStreamForm};
inline constexpr RawLayout kRawHwts{"hwts", 64, "B.4", "hwts", raw_fields::kHwts};
inline constexpr RawLayout kRawTsTrack{"ts_track", 40, "B.7", "flip_ffts", raw_fields::kTsTrack};

inline constexpr RawLayout kRawOpRange{"op_range", 58, "B.9", "torch", raw_fields::kOpRange};
inline constexpr RawLayout kRawMindsporeRange{"op_range of MindSpore", 54, "B.9", "", raw_fields::kMindsporeRange};
inline constexpr RawLayout kRawFusedOp{"fusion_op_info", 256, "B.3", "", raw_fields::kFusedOp};
inline constexpr RawLayout kRawGraphModel{"graph_id_map", 256, "B.3", "", raw_fields::kGraphModel};
inline constexpr RawLayout kRawGraphMemory{"task_memory_info", 256, "B.3", "", raw_fields::kGraphMemory};
inline constexpr RawLayout kRawStaticMemory{"static_op_mem", 256, "B.3", "", raw_fields::kStaticMemory};
inline constexpr RawLayout kRawMindsporeMemory{"memory_usage of MindSpore", 100, "MindSpore 2.5", "",
                                               raw_fields::kMindsporeMemory};
inline constexpr RawLayout kRawOldMindsporeRange{"op_range of MindSpore before 2024-12", 74, "B.9", "",
                                                 raw_fields::kOldMindsporeRange};
inline constexpr RawLayout kRawOpMark{"op_mark", 40, "B.9", "torch", raw_fields::kOpMark};
inline constexpr RawLayout kRawMemoryUsage{"memory_usage", 77, "B.9", "torch", raw_fields::kMemoryUsage};
inline constexpr RawLayout kRawPythonCall{"python_tracer_func", 33, "B.9", "torch", raw_fields::kPythonCall};
inline constexpr RawLayout kRawPythonText{"python_tracer_hash", 8, "B.9", "torch", raw_fields::kPythonText};
inline constexpr RawLayout kRawCollection{"gc_record", 24, "B.9", "torch", raw_fields::kCollection};

inline constexpr RawLayout kRawFftsProfile{"ffts_profile", 128, "B.6", "small, flip_ffts, torch",
                                           raw_fields::kFftsProfile};
inline constexpr RawLayout kRawFrequency{"lpmFreqConv", 888, "B.8", "small, flip_ffts, torch", raw_fields::kFrequency};
inline constexpr RawLayout kRawHbm{"hbm", 24, "B.8", "small, flip_ffts, torch", raw_fields::kHbm};
inline constexpr RawLayout kRawHbmBytes{"hbm of version 2.0", 32, "B.8", "", raw_fields::kHbmBytes};
inline constexpr RawLayout kRawLlc{"llc", 24, "B.8", "", raw_fields::kLlc};
inline constexpr RawLayout kRawLlcWall{"llc of version 2.0", 24, "B.8", "", raw_fields::kLlcWall};
inline constexpr RawLayout kRawDdr{"ddr", 20, "B.8", "", raw_fields::kDdr};
inline constexpr RawLayout kRawPcie{"pcie", 96, "B.8", "", raw_fields::kPcie};
inline constexpr RawLayout kRawQos{"qos", 64, "B.8", "", raw_fields::kQos};
inline constexpr RawLayout kRawAccelerator{"stars_soc of accelerators", 64, "B.5", "", raw_fields::kAccelerator};
inline constexpr RawLayout kRawChipLink{"stars_soc_profile of links", 64, "B.5", "", raw_fields::kChipLink};
inline constexpr RawLayout kRawChipLevel{"stars_soc_profile of levels", 64, "B.5", "", raw_fields::kChipLevel};
inline constexpr RawLayout kRawDieLink{"stars_soc_profile of dies", 64, "B.5", "", raw_fields::kDieLink};
inline constexpr RawLayout kRawStarsQos{"stars_soc_profile of QoS", 64, "B.5", "", raw_fields::kStarsQos};
inline constexpr RawLayout kRawNpuMemory{"npu_mem", 32, "B.8", "", raw_fields::kNpuMemory};
inline constexpr RawLayout kRawModuleMemory{"npu_module_mem", 24, "B.8", "", raw_fields::kModuleMemory};
inline constexpr RawLayout kRawMstx{"msproftx", 256, "B.3", "", raw_fields::kMstx};
inline constexpr RawLayout kRawStepTrace{"ts_track of steps", 40, "B.7", "", raw_fields::kStepTrace};

inline constexpr RawLayout kRawL2Counts{"l2_cache", 72, "B.8", "", raw_fields::kL2Counts};
inline constexpr RawLayout kRawSocCounts{"socpmu", 80, "B.8", "", raw_fields::kSocCounts};
inline constexpr RawLayout kRawAicpu{"aicpu", 256, "B.8", "", raw_fields::kAicpu};
inline constexpr RawLayout kRawAicpuKernel{"aicpu of kernels", 256, "B.8", "", raw_fields::kAicpuKernel};
inline constexpr RawLayout kRawAicpuQueue{"aicpu of queues", 256, "B.8", "", raw_fields::kAicpuQueue};
inline constexpr RawLayout kRawOldAicpuKernel{"DATA_PREPROCESS.AICPU", 128, "B.8", "", raw_fields::kOldAicpuKernel};
inline constexpr RawLayout kRawOldAicpuQueue{"DATA_PREPROCESS.DP", 128, "B.8", "", raw_fields::kOldAicpuQueue};
inline constexpr RawLayout kRawAicpuModel{"aicpu of models", 256, "B.8", "", raw_fields::kAicpuModel};
inline constexpr RawLayout kRawAicpuWait{"aicpu of waits", 256, "B.8", "", raw_fields::kAicpuWait};

inline constexpr const RawLayout* kRawLayouts[] = {&kRawFftsProfile,
                                                   &kRawFrequency,
                                                   &kRawHbm,
                                                   &kRawCall,
                                                   &kRawTaskTrack,
                                                   &kRawNodeInfo,
                                                   &kRawHcclOp,
                                                   &kRawTensors,
                                                   &kRawContexts,
                                                   &kRawHcclTask,
                                                   &kRawStars,
                                                   &kRawStreamForm,
                                                   &kRawTsTrack,
                                                   &kRawOpRange,
                                                   &kRawOpMark,
                                                   &kRawMemoryUsage,
                                                   &kRawPythonCall,
                                                   &kRawPythonText,
                                                   &kRawCollection,
                                                   &kRawHwts,
                                                   &kRawMemoryCopy,
                                                   &kRawNodeAttribute,
                                                   &kRawHbmBytes,
                                                   &kRawLlc,
                                                   &kRawLlcWall,
                                                   &kRawDdr,
                                                   &kRawPcie,
                                                   &kRawQos,
                                                   &kRawAccelerator,
                                                   &kRawChipLink,
                                                   &kRawChipLevel,
                                                   &kRawDieLink,
                                                   &kRawStarsQos,
                                                   &kRawNpuMemory,
                                                   &kRawModuleMemory,
                                                   &kRawMstx,
                                                   &kRawStepTrace,
                                                   &kRawMindsporeRange,
                                                   &kRawMindsporeMemory,
                                                   &kRawFusedOp,
                                                   &kRawGraphMemory,
                                                   &kRawStaticMemory,
                                                   &kRawGraphModel,
                                                   &kRawOldMindsporeRange,
                                                   &kRawL2Counts,
                                                   &kRawSocCounts,
                                                   &kRawAicpu,
                                                   &kRawAicpuKernel,
                                                   &kRawAicpuQueue,
                                                   &kRawAicpuModel,
                                                   &kRawOldAicpuKernel,
                                                   &kRawOldAicpuQueue,
                                                   &kRawAicpuWait};

}  // namespace altiscope
