#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace altiscope::pack {

/// How content became the bytes of a block. Numbers are part of the format. All but Plain are one zstd frame; before it
/// numbers of 4 or 8 bytes may be spread, so that first bytes stand together, then second ones and so on (what is left
/// at the end stays as it is), and of these each may be the difference from the one before (zigzag).
enum class BlockCoding : std::uint32_t {
    Plain = 0,
    Zstd = 1,
    Spread4 = 2,
    Spread8 = 3,
    Difference4 = 4,
    Difference8 = 5,
};

struct CodedBlock {
    BlockCoding coding = BlockCoding::Plain;
    std::string bytes;
};

/// What kind of content it is, for the choice among codings.
enum class BlockContent : std::uint8_t { Texts, Columns };

/// Codes content of at most kMaxBlockBytes. The same content gives the same bytes. Any thread.
CodedBlock encodeBlock(std::string_view content, BlockContent kind);

/// Fills `out` with the content of a block.
/// @return False if the bytes are not what encodeBlock() makes of content of that size. Memory: `out` once more.
bool decodeBlock(std::string_view bytes, std::uint32_t coding, std::span<char> out);

}  // namespace altiscope::pack
