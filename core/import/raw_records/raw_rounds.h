#pragma once

#include "core/base/values/cancel.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope::reader {

/// A record of task_track: a task that the host gave to a device, or a flip, at which its numbers began anew.
struct RawTrack {
    std::uint64_t time, type, kernelName;
    std::uint32_t thread;
    std::uint16_t device, stream, task, batch, blocks;
    std::uint32_t mixedBlocks;
    bool hasBlocks;
};

/// Task numbers of a stream begin anew after 65535: sets of which round each task is, by the records of these flips.
/// Takes these records and those of maintenance out, and sorts the others by device, stream and time.
/// O(n log n) for any records. After a cancel what is left is of no use. Source: FORMAT.md.
void numberRawTracks(std::vector<RawTrack>& tracks, const CancelToken& cancel);

/// Numbers one after the other, and the last of them that is not below another one. Both in O(log n); memory: at most
/// one for each different number.
class RawLastNumbers {
public:
    void add(std::uint32_t number) {
        while (!m_kept.empty() && m_kept.back().number <= number) m_kept.pop_back();
        m_kept.push_back({number, m_count++});
    }
    std::size_t count() const { return m_count; }
    /// Place of the last number that is at least `min`; nullopt if none is.
    std::optional<std::size_t> lastFrom(std::uint32_t min) const;

private:
    struct Kept {
        std::uint32_t number;
        std::size_t place;
    };
    std::vector<Kept> m_kept;  // falling: smaller ones before a greater one are never requested
    std::size_t m_count = 0;
};

}  // namespace altiscope::reader
