#pragma once

#include "core/analysis/collectives/clock_alignment.h"
#include "core/analysis/communication/collective_set.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace altiscope {

/// Collectives of all ranks along one time, to be drawn at any zoom: a row for each rank, in which those that overlap
/// lie in lanes above each other. Constant.
class CollectiveChart {
public:
    enum class Edge : std::uint8_t { Begin, End };

    /// What is drawn in one lane: an item, or several that share a pixel.
    struct Bar {
        int first = 0, last = 0;  ///< Pixel columns [first, last).
        std::uint32_t item = 0;   ///< Index in RankCollectives::items; of several the longest.
        std::uint32_t count = 1;
        bool operator==(const Bar&) const = default;
    };

    /// @param clocks  By index in CaptureStore::ranks; ranks that are not aligned keep their own clock. Empty: all do.
    /// @return Null if cancelled. O(items * log); parallel on the arena.
    static std::shared_ptr<const CollectiveChart> make(std::shared_ptr<const CollectiveSet> set,
                                                       const std::vector<RankClock>& clocks, const CancelToken& cancel);

    const CollectiveSet& set() const { return *m_set; }
    const std::shared_ptr<const CollectiveSet>& shared() const { return m_set; }
    std::size_t rowCount() const { return m_rows.size(); }  ///< As CollectiveSet::ranks.
    std::size_t laneCount(std::size_t row) const { return m_rows[row].lanes.size(); }
    /// From the first begin to the last end, on the common clock; empty without items that have a time.
    TimeRange range() const { return m_range; }
    /// Of an item, on the common clock. @pre It has a begin.
    TimeRange aligned(std::size_t row, std::uint32_t item) const;

    /// What a lane shows of a window in columns of equal width, from left to right. O(columns * log items + items /
    /// 64).
    /// @pre The window is not empty, columns > 0.
    std::vector<Bar> bars(std::size_t row, std::size_t lane, TimeRange window, int columns) const;

    /// Clocks with which items of different ranks begin (end) where that of the first one is drawn; all other ranks
    /// stay where they are. A rank keeps its drift; one that is not aligned is drawn later than recorded by what it
    /// takes.
    /// @param clocks  With which this chart was made.
    /// @param items   Places of rows and items that have a begin; the first one stays.
    std::vector<RankClock> clocksBy(Edge edge, const std::vector<std::pair<std::size_t, std::uint32_t>>& items,
                                    std::vector<RankClock> clocks) const;

private:
    struct Lane {
        std::vector<TimeNs> begins, ends;
        std::vector<std::uint32_t> items, longest;  ///< longest: of each 64, by place in the lane.
    };
    struct Row {
        std::vector<Lane> lanes;
        RankClock clock;
        bool isAligned = false;
    };
    static Row makeRow(const RankCollectives& rank, const RankClock* clock);
    static std::size_t longestOf(const Lane& lane, std::size_t first, std::size_t last);

    std::shared_ptr<const CollectiveSet> m_set;
    std::vector<Row> m_rows;
    TimeRange m_range;
};

}  // namespace altiscope
