#pragma once

#include "core/analysis/snapshot/block_heights.h"
#include "core/analysis/snapshot/snapshot_curve.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace altiscope {

/// What is to be drawn: a part of the history, and of the bytes that are in use at once, on so many pixels.
struct BlockPictureQuery {
    std::int64_t begin = 0, end = 0;  ///< States; may reach beyond the history.
    std::int64_t low = 0, high = 0;   ///< Bytes above the bottom.
    int columns = 0, rows = 0;
};

/// Blocks over their lives, as pixels. A column shows the state of its part with the most bytes in use, so that no peak
/// is lost. What is lower than a pixel or was there for a small part of a column only is kMany.
struct BlockPicture {
    static constexpr std::uint32_t kNothing = 0xFFFFFFFF, kMany = 0xFFFFFFFE;

    BlockPictureQuery query;
    std::vector<std::uint32_t> cells;  ///< BlockNumber, kNothing or kMany; rows from the top.
    std::vector<EventNumber> moments;  ///< By column: the state that it shows.
    std::size_t drawn = 0;             ///< Blocks that were drawn.
    /// Heights of some blocks were interpolated, or blocks that could be seen are kMany: they are too many.
    bool isSimplified = false;

    std::uint32_t at(int column, int row) const {
        return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(query.columns) +
                     static_cast<std::size_t>(column)];
    }
};

/// Blocks of a device by size and by how long they are there, so that a picture looks at those only that it can show.
/// Constant. Memory: 4 bytes per block.
class BlockIndex {
public:
    /// @return Null if cancelled. O(blocks log blocks).
    static std::shared_ptr<const BlockIndex> make(std::shared_ptr<const SnapshotCurve> curve,
                                                  const CancelToken& cancel);

    const DeviceSnapshot& snapshot() const { return m_curve->snapshot(); }
    const SnapshotCurve& curve() const { return *m_curve; }
    const BlockHeights& heights() const { return *m_heights; }

    /// Blocks of at least 2^sizeClass bytes and less than twice as many; ascending, so by their begin.
    struct Bucket {
        int sizeClass = 0, lifeClass = 0;  ///< Of bytes and of states: 2^class <= value < 2^(class + 1).
        std::vector<BlockNumber> blocks;
    };
    /// The largest blocks first, of equal ones those that are there longest.
    const std::vector<Bucket>& buckets() const { return m_buckets; }

private:
    std::shared_ptr<const SnapshotCurve> m_curve;
    std::shared_ptr<const BlockHeights> m_heights;
    std::vector<Bucket> m_buckets;
};

/// Bounded by the pixels, not by the length of the history: at most kMaxBands blocks and kMaxHeights heights.
/// @return Null if cancelled.
std::shared_ptr<const BlockPicture> blockPicture(const BlockIndex& index, const BlockPictureQuery& query,
                                                 const CancelToken& cancel);

}  // namespace altiscope
