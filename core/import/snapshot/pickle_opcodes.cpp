#include "core/import/snapshot/pickle_opcodes.h"

#include "core/base/values/digits.h"

#include <string_view>

namespace altiscope::reader {

namespace {

struct NamedOpcode {
    std::uint8_t opcode;
    std::string_view name;
};

/// Instructions that a snapshot needs none of, for the sentence that refuses them.
constexpr NamedOpcode kRefusedOpcodes[] = {
    {0x31, "POP_MARK"},     {0x46, "FLOAT"},      {0x49, "INT"},         {0x4C, "LONG"},           {0x50, "PERSID"},
    {0x51, "BINPERSID"},    {0x52, "REDUCE"},     {0x53, "STRING"},      {0x56, "UNICODE"},        {0x62, "BUILD"},
    {0x63, "GLOBAL"},       {0x64, "DICT"},       {0x67, "GET"},         {0x69, "INST"},           {0x6C, "LIST"},
    {0x6F, "OBJ"},          {0x70, "PUT"},        {0x81, "NEWOBJ"},      {0x82, "EXT1"},           {0x83, "EXT2"},
    {0x84, "EXT4"},         {0x8F, "EMPTY_SET"},  {0x90, "ADDITEMS"},    {0x91, "FROZENSET"},      {0x92, "NEWOBJ_EX"},
    {0x93, "STACK_GLOBAL"}, {0x96, "BYTEARRAY8"}, {0x97, "NEXT_BUFFER"}, {0x98, "READONLY_BUFFER"}};

}  // namespace

std::string pickleOpcodeName(std::uint8_t opcode) {
    const std::string number{'0', 'x', capitalHexDigit(opcode >> 4U), capitalHexDigit(opcode)};
    for (const NamedOpcode& one : kRefusedOpcodes) {
        if (one.opcode == opcode) return std::string(one.name) + " (" + number + ')';
    }
    return number;
}

}  // namespace altiscope::reader
