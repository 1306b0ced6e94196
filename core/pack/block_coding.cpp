#include "core/pack/block_coding.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace altiscope::pack {

namespace {

/// Texts are most of the work, and shrink to little at any level.
constexpr int kTextLevel = 1, kColumnLevel = 3, kTrialLevel = 1;
/// Of content that the codings are tried on.
constexpr std::size_t kTrialBytes = std::size_t{8} << 10;

struct FreeContext {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

std::string compressed(std::string_view content, int level) {
    // Making one takes longer than a small block.
    thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
    if (context == nullptr) throw std::bad_alloc();
    std::string bytes(ZSTD_compressBound(content.size()), '\0');
    const std::size_t size =
        ZSTD_compressCCtx(context.get(), bytes.data(), bytes.size(), content.data(), content.size(), level);
    if (ZSTD_isError(size) != 0) throw std::bad_alloc();
    bytes.resize(size);
    return bytes;
}

template <class Word>
Word zigzag(Word difference) {
    using Signed = std::make_signed_t<Word>;
    return static_cast<Word>(difference << 1U) ^
           static_cast<Word>(static_cast<Signed>(difference) >> (sizeof(Word) * 8 - 1));
}

template <class Word>
Word unzigzag(Word coded) {
    return static_cast<Word>(coded >> 1U) ^ static_cast<Word>(Word{0} - (coded & 1U));
}

template <class Word>
std::string spread(std::string_view content, bool isDifference) {
    const std::size_t words = content.size() / sizeof(Word);
    std::string bytes(content.size(), '\0');
    Word before = 0;
    for (std::size_t i = 0; i < words; ++i) {
        Word word = 0;
        std::memcpy(&word, content.data() + i * sizeof word, sizeof word);
        Word coded = word;
        if (isDifference) coded = zigzag(static_cast<Word>(word - before));
        before = word;
        for (std::size_t b = 0; b < sizeof word; ++b) bytes[b * words + i] = static_cast<char>(coded >> (8 * b));
    }
    content.substr(words * sizeof(Word)).copy(bytes.data() + words * sizeof(Word), sizeof(Word));
    return bytes;
}

template <class Word>
void gather(std::string_view bytes, bool isDifference, std::span<char> out) {
    const std::size_t words = bytes.size() / sizeof(Word);
    Word before = 0;
    for (std::size_t i = 0; i < words; ++i) {
        Word word = 0;
        for (std::size_t b = 0; b < sizeof word; ++b)
            word |= static_cast<Word>(Word{static_cast<unsigned char>(bytes[b * words + i])} << (8 * b));
        if (isDifference) word = static_cast<Word>(unzigzag(word) + before);
        before = word;
        std::memcpy(out.data() + i * sizeof word, &word, sizeof word);
    }
    bytes.substr(words * sizeof(Word)).copy(out.data() + words * sizeof(Word), sizeof(Word));
}

std::string arranged(std::string_view content, BlockCoding coding) {
    switch (coding) {
    case BlockCoding::Spread4: return spread<std::uint32_t>(content, false);
    case BlockCoding::Spread8: return spread<std::uint64_t>(content, false);
    case BlockCoding::Difference4: return spread<std::uint32_t>(content, true);
    case BlockCoding::Difference8: return spread<std::uint64_t>(content, true);
    default: return std::string(content);
    }
}

/// The coding that makes the fewest bytes of a part of the content.
BlockCoding bestCoding(std::string_view content) {
    constexpr std::size_t kWidest = 8;
    const std::size_t from = content.size() > kTrialBytes ? (content.size() - kTrialBytes) / 2 / kWidest * kWidest : 0;
    const std::string_view part = content.substr(from, kTrialBytes);
    BlockCoding best = BlockCoding::Zstd;
    std::size_t smallest = compressed(part, kTrialLevel).size();
    for (const BlockCoding coding :
         {BlockCoding::Spread4, BlockCoding::Spread8, BlockCoding::Difference4, BlockCoding::Difference8}) {
        const std::size_t size = compressed(arranged(part, coding), kTrialLevel).size();
        if (size >= smallest) continue;
        smallest = size;
        best = coding;
    }
    return best;
}

}  // namespace

CodedBlock encodeBlock(std::string_view content, BlockContent kind) {
    CodedBlock block;
    block.coding = kind == BlockContent::Columns ? bestCoding(content) : BlockCoding::Zstd;
    const int level = kind == BlockContent::Texts ? kTextLevel : kColumnLevel;
    block.bytes = block.coding == BlockCoding::Zstd ? compressed(content, level)
                                                    : compressed(arranged(content, block.coding), level);
    if (block.bytes.size() >= content.size()) return {BlockCoding::Plain, std::string(content)};
    return block;
}

bool decodeBlock(std::string_view bytes, std::uint32_t coding, std::span<char> out) {
    const auto known = static_cast<BlockCoding>(coding);
    if (known == BlockCoding::Plain) {
        if (bytes.size() != out.size()) return false;
        std::copy(bytes.begin(), bytes.end(), out.begin());
        return true;
    }
    if (coding > static_cast<std::uint32_t>(BlockCoding::Difference8)) return false;
    std::string spreadBytes(known == BlockCoding::Zstd ? 0 : out.size(), '\0');
    char* to = known == BlockCoding::Zstd ? out.data() : spreadBytes.data();
    const std::size_t size = ZSTD_decompress(to, out.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(size) != 0 || size != out.size()) return false;
    const bool isDifference = known == BlockCoding::Difference4 || known == BlockCoding::Difference8;
    if (known == BlockCoding::Spread4 || known == BlockCoding::Difference4)
        gather<std::uint32_t>(spreadBytes, isDifference, out);
    else if (known != BlockCoding::Zstd) gather<std::uint64_t>(spreadBytes, isDifference, out);
    return true;
}

}  // namespace altiscope::pack
