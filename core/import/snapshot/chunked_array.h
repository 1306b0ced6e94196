#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace altiscope::reader {

/// A list of plain values that grows in chunks: nothing is copied while it grows, and no more than a chunk is unused.
template <class T>
class ChunkedArray {
public:
    std::size_t size() const { return m_size; }
    [[gnu::always_inline]] void push(const T& value) {
        if (m_size == m_chunks.size() << kBits) m_chunks.push_back(std::make_unique_for_overwrite<T[]>(kChunk));
        m_chunks[m_size >> kBits][m_size & kMask] = value;
        ++m_size;
    }
    T& operator[](std::size_t i) { return m_chunks[i >> kBits][i & kMask]; }
    const T& operator[](std::size_t i) const { return m_chunks[i >> kBits][i & kMask]; }
    /// Appends zeros up to a size.
    void growTo(std::size_t size) {
        while (m_size < size) push(T());
    }

private:
    static constexpr std::size_t kBits = 16;
    static constexpr std::size_t kChunk = std::size_t{1} << kBits;
    static constexpr std::size_t kMask = kChunk - 1;
    std::vector<std::unique_ptr<T[]>> m_chunks;
    std::size_t m_size = 0;
};

/// Runs of words, each in one piece, named by their offset.
class WordArena {
public:
    /// Words that an arena has at most; offsets are below it.
    static constexpr std::size_t kMax = (std::size_t{1} << 30) - 1;
    /// Words that a run has at most.
    static constexpr std::size_t kMaxRunLength = std::size_t{1} << 12;

    /// Room for a run of at most kMaxRunLength words. @return Its offset; kMax once the arena is full.
    std::size_t reserve(std::size_t words) {
        if (((m_top + words - 1) >> kBits) != (m_top >> kBits)) m_top = ((m_top >> kBits) + 1) << kBits;
        if (m_top + words > kMax) return kMax;
        if ((m_top >> kBits) >= m_chunks.size())
            m_chunks.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(kChunk));
        const std::size_t offset = m_top;
        m_top += words;
        return offset;
    }
    /// A run of words, kAtOnce of which can be read whatever `count` is: to copy a fixed number is faster.
    /// @return Its offset; kMax once the arena is full.
    static constexpr std::size_t kAtOnce = 16;
    std::size_t add(const std::uint32_t* words, std::size_t count) {
        const std::size_t offset = reserve(count);
        if (offset == kMax) return offset;
        const bool isShort = count <= kAtOnce && (offset & kMask) + kAtOnce <= kChunk;
        if (isShort) std::memcpy(at(offset), words, kAtOnce * sizeof *words);
        else std::memcpy(at(offset), words, count * sizeof *words);
        return offset;
    }
    /// Gives a run back if it is the newest.
    void takeBack(std::size_t offset, std::size_t words) {
        if (offset + words == m_top) m_top = offset;
    }
    std::uint32_t* at(std::size_t offset) { return &m_chunks[offset >> kBits][offset & kMask]; }
    const std::uint32_t* at(std::size_t offset) const { return &m_chunks[offset >> kBits][offset & kMask]; }

private:
    static constexpr std::size_t kBits = 16;
    static constexpr std::size_t kChunk = std::size_t{1} << kBits;
    static constexpr std::size_t kMask = kChunk - 1;
    std::vector<std::unique_ptr<std::uint32_t[]>> m_chunks;
    std::size_t m_top = 0;
};

}  // namespace altiscope::reader
