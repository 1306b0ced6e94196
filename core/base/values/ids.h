#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace altiscope {

/// Number that names a thing of one kind; numbers of different kinds do not convert into each other.
template <class Tag, class Value>
struct Id {
    Value value{};
    auto operator<=>(const Id&) const = default;
};

/// Unique in the capture; depends on its bytes only. 0 is never used.
using TrackId = Id<struct TrackTag, std::int64_t>;
/// Unique in the capture: the position of its record, see SourcePos.
using SliceId = Id<struct SliceTag, std::int64_t>;
using StringId = Id<struct StringTag, std::uint32_t>;  ///< Text of one sealed pool.
/// Names an open capture; stays while it is open and is never used again.
using CaptureId = Id<struct CaptureTag, std::uint32_t>;
/// Position of a rank in CaptureStore::ranks and lists that go by them; not its number in the job (RankInfo::rankId).
using RankIndex = Id<struct RankIndexTag, std::uint32_t>;
using TrackIndex = Id<struct TrackIndexTag, std::uint32_t>;  ///< Place of a track in one store.
using SliceIndex = Id<struct SliceIndexTag, std::uint32_t>;  ///< Place of a slice in one store.

/// The rank of a position in such a list; the way back is RankIndex::value.
constexpr RankIndex rankIndex(std::size_t position) { return {static_cast<std::uint32_t>(position)}; }

inline constexpr SliceIndex kNoSlice{0xffffffffU};
inline constexpr CaptureId kNoCapture{};
inline constexpr RankIndex kNoRank{0xffffffffU};

/// Where a record stands in the capture: file number (by manifest order, from 0) and byte offset (or row number).
/// Packs into 63 bits, so that positions are ids: unique, in file order, and the same however the capture was loaded.
struct SourcePos {
    std::uint64_t packed = 0;

    static constexpr unsigned kOffsetBits = 42;  ///< 4 TiB a file, two million files.
    static constexpr SourcePos make(std::uint32_t file, std::uint64_t offset) {
        return {((std::uint64_t{file} + 1) << kOffsetBits) | offset};
    }
    constexpr std::uint32_t file() const { return static_cast<std::uint32_t>(packed >> kOffsetBits) - 1; }
    constexpr std::uint64_t offset() const { return packed & ((std::uint64_t{1} << kOffsetBits) - 1); }
    auto operator<=>(const SourcePos&) const = default;
};

}  // namespace altiscope

template <class Tag, class Value>
struct std::hash<altiscope::Id<Tag, Value>> {
    std::size_t operator()(const altiscope::Id<Tag, Value>& id) const noexcept { return std::hash<Value>{}(id.value); }
};
