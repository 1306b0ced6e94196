#pragma once

#include "core/base/values/ids.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace altiscope {

enum class TimelineRowKind : std::uint8_t { Capture, Host, Rank, Process, Model, Thread, Counter };

/// Names a row whatever is read, opened or closed meanwhile.
struct RowKey {
    CaptureId capture;
    RankIndex rank = kNoRank;  ///< kNoRank above ranks.
    TimelineRowKind kind = TimelineRowKind::Capture;
    /// TrackId of a thread or counter, the first track's of a process or model, a hash of a host.
    std::int64_t id = 0;
    bool operator==(const RowKey&) const = default;
};

/// RowKey::id of the process row that holds a rank's curves of memory.
inline constexpr std::int64_t kMemoryId = 0x6d656d6f7279;

/// Key of the host that ranks stand below.
RowKey hostKey(CaptureId capture, std::string_view host);

struct RowKeyHash {
    std::size_t operator()(const RowKey& key) const noexcept {
        const std::uint64_t place = (std::uint64_t{key.capture.value} << 32) ^ (std::uint64_t{key.rank.value} << 3) ^
                                    static_cast<std::uint64_t>(key.kind);
        const std::uint64_t mixed = place * 0x9e3779b97f4a7c15U ^ static_cast<std::uint64_t>(key.id);
        return static_cast<std::size_t>(mixed ^ (mixed >> 29));
    }
};

}  // namespace altiscope
