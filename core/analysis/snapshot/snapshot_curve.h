#pragma once

#include "core/analysis/snapshot/device_snapshot.h"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace altiscope {

/// Sums over a device that a snapshot gives after each entry, in bytes.
enum class SnapshotTotal : std::size_t {
    Allocated,  ///< Requested bytes that the program holds.
    Reserved,   ///< Bytes of all segments.
    Active      ///< Allocated, and what waits for its streams: the height of the block picture.
};
inline constexpr std::size_t kSnapshotTotals = 3;

/// Extremes of a total; none: min above max.
struct TotalExtremes {
    std::int64_t min = std::numeric_limits<std::int64_t>::max();
    std::int64_t max = std::numeric_limits<std::int64_t>::min();
    bool any() const { return min <= max; }
    void take(const TotalExtremes& other) {
        if (other.min < min) min = other.min;
        if (other.max > max) max = other.max;
    }
};

/// Totals of a snapshot over its entries with levels of their extremes, each of 64 of the one below. Constant.
/// Memory: 0.8 bytes per entry.
class SnapshotCurve {
public:
    /// @return Null if cancelled. O(entries).
    static std::shared_ptr<const SnapshotCurve> make(std::shared_ptr<const DeviceSnapshot> snapshot,
                                                     const CancelToken& cancel);

    const DeviceSnapshot& snapshot() const { return *m_snapshot; }
    /// Value after an entry, or before the history.
    std::int64_t value(SnapshotTotal total, EventNumber at) const;
    /// Of the states in a range, which may begin with kBeforeHistory; exact. O(64 log entries).
    TotalExtremes extremes(SnapshotTotal total, EventRange range) const;
    /// The first state in a range in which a total is largest. @pre The range is not empty. O(64 log entries).
    EventNumber maxAt(SnapshotTotal total, EventRange range) const;
    /// The states of the history: kBeforeHistory to the last entry.
    EventRange all() const { return {kBeforeHistory, m_snapshot->events}; }
    /// The first state with the largest sum of what the program holds.
    EventNumber peak() const { return maxAt(SnapshotTotal::Allocated, all()); }

private:
    static constexpr int kShift = 6;

    /// take(level, index) of the fewest groups that make up a range; level -1 has the states themselves.
    template <class Take>
    void eachPiece(SnapshotTotal total, EventRange range, Take take) const;
    TotalExtremes piece(SnapshotTotal total, int level, std::size_t i) const;

    std::shared_ptr<const DeviceSnapshot> m_snapshot;
    /// Group g of level l has the states [g << kShift (l + 1), ...), counted from kBeforeHistory.
    std::array<std::vector<std::vector<TotalExtremes>>, kSnapshotTotals> m_levels;
};

/// Extremes in each of `columns` parts of equal length of a range of states; parts outside of the history are empty.
/// Where a part is shorter than an entry it has the value of the entry that it lies in. O(columns).
std::vector<TotalExtremes> curveColumns(const SnapshotCurve& curve, SnapshotTotal total, std::int64_t begin,
                                        std::int64_t end, int columns);

/// First state of part `column` of a range that is cut into `columns` parts.
std::int64_t columnBegin(std::int64_t begin, std::int64_t end, int columns, int column);

}  // namespace altiscope
