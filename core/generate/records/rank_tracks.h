#pragma once

#include "core/generate/records/unit_record.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace altiscope::generate {

/// Processes of a timeline, in the order of their metadata.
enum class TraceProcess : std::uint8_t {
    Python,
    Hardware,
    Hbm,
    Cache,
    NpuMemory,
    Hccl,
    StarsSoc,
    Accelerator,
    Cann,
    Qos,
    Overlap,
    Frequency,
    Garbage  ///< Only where garbage collection is recorded.
};
inline constexpr std::size_t kTraceProcesses = 13;

/// A row of the timeline: process and thread as numbers and as names.
struct TraceTrack {
    TraceProcess process = TraceProcess::Python;
    std::uint32_t tid = 0;
    std::string name;
    std::uint32_t sortIndex = 0;
    bool used = true;  ///< False for the stream of a group that the rank is not in: the files do not name it.
};

/// Rows of one rank, numbered without gaps; writers count slices by this number.
class RankTracks {
public:
    explicit RankTracks(const RankIdentity& rank);

    const std::vector<TraceTrack>& tracks() const { return m_tracks; }
    std::uint32_t pid(TraceProcess process) const { return m_pids[static_cast<std::size_t>(process)]; }

    std::uint32_t python(HostThread thread) const { return static_cast<std::uint32_t>(thread); }
    std::uint32_t queue() const { return 2; }
    std::uint32_t cann(ApiThread thread) const { return 3 + static_cast<std::uint32_t>(thread); }
    /// Row of a device stream; `index` as streamIndex() gives it.
    std::uint32_t stream(std::size_t index) const { return 8 + static_cast<std::uint32_t>(index); }
    std::uint32_t defaultStream() const { return 7; }
    std::uint32_t garbage() const { return m_garbage; }
    std::uint32_t lane(OverlapLane lane) const { return m_firstLane + static_cast<std::uint32_t>(lane); }
    /// Row of a group's collectives, and of one of its planes.
    std::uint32_t plane(std::uint32_t groupSlot, std::uint32_t plane) const {
        return m_firstPlane[groupSlot] + 1 + plane;
    }
    std::uint32_t groupRow(std::uint32_t groupSlot) const { return m_firstPlane[groupSlot]; }

private:
    std::vector<TraceTrack> m_tracks;
    std::array<std::uint32_t, kTraceProcesses> m_pids{};
    std::array<std::uint32_t, kMaxGroupSlots> m_firstPlane{};
    std::uint32_t m_firstLane = 0;
    std::uint32_t m_garbage = 0;
};

/// "Ascend Hardware" and so on; the layer number that is part of the process id; "CPU" or "NPU".
std::string_view processName(TraceProcess process);
std::uint32_t processLayer(TraceProcess process);
std::string_view processLabel(TraceProcess process);

/// Number of a device stream, as `Stream n`, `Physic Stream Id` and CSV files show it.
constexpr std::uint32_t streamNumber(std::size_t index) { return static_cast<std::uint32_t>(index) + 2; }

}  // namespace altiscope::generate
