#pragma once

#include "core/base/columns/interval_set.h"
#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace altiscope {

/// The devices whose events a timeline holds, distinguished by the labels of processes ("NPU 3"). Constant.
class TraceDevices {
public:
    /// @param trace    May be null. O(tracks).
    /// @param kernels  Without a timeline the devices are those that these rows name. May be null.
    explicit TraceDevices(const TraceStore* trace, const RowTable* kernels = nullptr);

    /// At least one. Tracks without a label are those of the first device.
    std::size_t count() const { return m_numbers.empty() ? 1 : m_numbers.size(); }
    /// Place of a number; 0 where nothing states it.
    std::size_t place(std::optional<std::int64_t> number) const;
    /// Number of a device; nullopt if nothing states it.
    std::optional<std::int64_t> number(std::size_t device) const {
        return m_numbers.empty() ? std::nullopt : std::optional(m_numbers[device]);
    }
    std::size_t ofTrack(std::uint32_t track) const { return m_ofTrack[track]; }

private:
    std::vector<std::int64_t> m_numbers;  // ascending
    std::vector<std::size_t> m_ofTrack;
};

/// The time of a kernel as its row prints it; nullopt where it does not, or outside of what times of a trace may be.
std::optional<TimeRange> printedTime(std::optional<std::int64_t> begin, std::optional<std::int64_t> duration);

/// What some rows of `kernel` state of one device.
struct KernelBusyTimes {
    IntervalSet computing, communication;
    std::vector<TimeRange> receives;  ///< In the order of the rows.
};

/// From the first kernel of a step to the end of the last.
struct StepExtent {
    TimeNs begin{std::numeric_limits<std::int64_t>::max()}, end{std::numeric_limits<std::int64_t>::min()};

    void add(StepExtent other) {
        begin = begin < other.begin ? begin : other.begin;
        end = end < other.end ? other.end : end;
    }
};

/// What some rows of `kernel` state.
struct KernelPiece {
    std::vector<KernelBusyTimes> devices;  ///< As in TraceDevices.
    std::map<std::int64_t, StepExtent> steps;
};

/// All rows of `kernel` of a rank, in pieces that follow each other. Parallel on the arena. O(kernels); incomplete if
/// cancelled.
std::vector<KernelPiece> readKernelPieces(const RankEntry& rank, const TraceDevices& devices,
                                          const CancelToken& cancel);

}  // namespace altiscope
