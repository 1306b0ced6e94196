#pragma once

#include "core/import/raw/raw_record.h"

namespace altiscope::reader {

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
    {"task_type", 32, U32, "0 AI_CORE to 11 INVALID, see rawTaskTypeName"},
    {"op_type", 36, U64, "hash"},
    {"blocks", 44, U32, "blocks in the low half, mix ratio in the high one"},
    {"flags", 48, U32, "bit 0: HF32"},
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
    {"link", 128, U32, "0 ON_CHIP to 8 UBoE"},
    {"transport", 132, U32, "0 SDMA to 4 ROCE"},
    {"rdma", 136, U32, "0 notify, 1 payload"},
};
inline constexpr RawField kStars[] = {
    {"kind", 0, U16, "function in the low 6 bits, type of the task in the high 6"},
    {"magic", 2, U16, "0x6BD3"},
    {"stream", 4, U16, "stream as stored, see foldedTask"},
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
inline constexpr RawLayout kRawHcclOp{"hccl_op_info", 64, "B.3", "small, flip_ffts, torch", raw_fields::kHcclOp};
inline constexpr RawLayout kRawTensors{"tensor_info", 256, "B.3", "small, flip_ffts, torch", raw_fields::kTensors};
inline constexpr RawLayout kRawContexts{"context_id_info", 256, "B.3", "flip_ffts", raw_fields::kContexts};
inline constexpr RawLayout kRawHcclTask{"hccl_info", 256, "B.3", "small, flip_ffts, torch", raw_fields::kHcclTask};
inline constexpr RawLayout kRawStars{"stars_soc", 64, "B.5", "small, flip_ffts, torch", raw_fields::kStars};
inline constexpr RawLayout kRawStreamForm{"expand_stream_spec", 64, "B.3", "", raw_fields::kStreamForm};
inline constexpr RawLayout kRawTsTrack{"ts_track", 40, "B.7", "flip_ffts", raw_fields::kTsTrack};

inline constexpr const RawLayout* kRawLayouts[] = {&kRawCall,       &kRawTaskTrack, &kRawNodeInfo, &kRawHcclOp,
                                                   &kRawTensors,    &kRawContexts,  &kRawHcclTask, &kRawStars,
                                                   &kRawStreamForm, &kRawTsTrack};

}  // namespace altiscope::reader
