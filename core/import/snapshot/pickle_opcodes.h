#pragma once

#include <cstdint>
#include <string>

namespace altiscope::reader {

/// The instructions of a pickle that a snapshot needs. Source: core/import/snapshot/FORMAT.md section 2.
enum class PickleOpcode : std::uint8_t {
    Mark = 0x28,
    EmptyTuple = 0x29,
    Stop = 0x2E,
    Pop = 0x30,
    Dup = 0x32,
    BinBytes = 0x42,
    ShortBinBytes = 0x43,
    BinFloat = 0x47,
    BinInt = 0x4A,
    BinInt1 = 0x4B,
    BinInt2 = 0x4D,
    None = 0x4E,
    Reduce = 0x52,
    BinString = 0x54,
    ShortBinString = 0x55,
    BinUnicode = 0x58,
    EmptyList = 0x5D,
    Append = 0x61,
    Global = 0x63,
    Appends = 0x65,
    BinGet = 0x68,
    LongBinGet = 0x6A,
    BinPut = 0x71,
    LongBinPut = 0x72,
    SetItem = 0x73,
    Tuple = 0x74,
    SetItems = 0x75,
    EmptyDict = 0x7D,
    Proto = 0x80,
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    NewTrue = 0x88,
    NewFalse = 0x89,
    Long1 = 0x8A,
    Long4 = 0x8B,
    ShortBinUnicode = 0x8C,
    BinUnicode8 = 0x8D,
    BinBytes8 = 0x8E,
    StackGlobal = 0x93,
    Memoize = 0x94,
    Frame = 0x95,
};

/// "REDUCE (0x52)"; of a byte that is no instruction, "0x07".
std::string pickleOpcodeName(std::uint8_t opcode);

}  // namespace altiscope::reader
