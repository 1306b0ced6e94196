#include "core/analysis/snapshot/block_heights.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>

namespace altiscope {

namespace {

constexpr std::size_t kMaxCells = std::size_t{4} << 20;  // of eight bytes
constexpr std::size_t kMinSide = 64;

}  // namespace

std::shared_ptr<const BlockHeights> BlockHeights::make(const DeviceSnapshot& snapshot, const CancelToken& cancel) {
    auto heights = std::make_shared<BlockHeights>();
    const std::vector<BlockLife>& blocks = snapshot.blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i].end < snapshot.events) heights->m_released.push_back(static_cast<BlockNumber>(i));
    }
    std::stable_sort(heights->m_released.begin(), heights->m_released.end(),
                     [&](BlockNumber a, BlockNumber b) { return blocks[a].end < blocks[b].end; });
    heights->m_releaseOf.assign(blocks.size(), kNoBlock);
    for (std::size_t i = 0; i < heights->m_released.size(); ++i) {
        const BlockNumber block = heights->m_released[i];
        heights->m_releaseOf[block] = static_cast<std::uint32_t>(i);
        heights->m_ends.push_back(blocks[block].end);
        heights->m_releasedBytes.push_back(blocks[block].bytes);
    }
    std::int64_t below = 0;
    for (const BlockLife& block : blocks) {
        heights->m_below.push_back(below);
        heights->m_bytes.push_back(block.bytes);
        addSaturated(below, block.bytes);
    }
    std::size_t& side = heights->m_side;
    side = kMinSide;
    const auto cellsOf = [&](std::size_t count) { return count / side + 1; };
    while (cellsOf(blocks.size()) * cellsOf(heights->m_released.size()) > kMaxCells) side *= 2;
    const std::size_t rows = cellsOf(blocks.size()), columns = cellsOf(heights->m_released.size());
    heights->m_columns = columns;
    heights->m_grid.assign(rows * columns, 0);
    // A cell counts from the next one on, in both directions.
    for (std::size_t i = 0; i < heights->m_released.size(); ++i) {
        const std::size_t row = heights->m_released[i] / side + 1, column = i / side + 1;
        if (row < rows && column < columns)
            addSaturated(heights->m_grid[row * columns + column], heights->m_releasedBytes[i]);
    }
    for (std::size_t row = 1; row < rows; ++row) {
        if (cancel.cancelled()) return nullptr;
        std::int64_t* cells = heights->m_grid.data() + row * columns;
        const std::int64_t* above = cells - columns;
        for (std::size_t column = 1; column < columns; ++column) addSaturated(cells[column], cells[column - 1]);
        for (std::size_t column = 1; column < columns; ++column) addSaturated(cells[column], above[column]);
    }
    return heights;
}

std::uint32_t BlockHeights::releasedAt(EventNumber at) const {
    return static_cast<std::uint32_t>(std::upper_bound(m_ends.begin(), m_ends.end(), at) - m_ends.begin());
}

std::int64_t BlockHeights::releasedBelow(BlockNumber block, std::uint32_t released) const {
    // From the nearest corner of the grid, in either direction.
    const std::size_t rows = m_grid.size() / m_columns;
    const std::size_t row = std::min((block + m_side / 2) / m_side, rows - 1),
                      column = std::min((released + m_side / 2) / m_side, m_columns - 1);
    const std::size_t atBlock = row * m_side, atRelease = column * m_side;
    // Sums of forged sizes may leave 64 bits: they wrap here, and say nothing anyway.
    std::uint64_t releases = 0, blocks = 0;
    for (std::size_t i = std::min<std::size_t>(atRelease, released); i < std::max<std::size_t>(atRelease, released);
         ++i)
        releases += m_released[i] < atBlock ? static_cast<std::uint64_t>(m_releasedBytes[i]) : 0;
    for (std::size_t i = std::min<std::size_t>(atBlock, block); i < std::max<std::size_t>(atBlock, block); ++i)
        blocks += m_releaseOf[i] < released ? static_cast<std::uint64_t>(m_bytes[i]) : 0;
    const auto corner = static_cast<std::uint64_t>(m_grid[row * m_columns + column]);
    return static_cast<std::int64_t>(corner + (released < atRelease ? 0 - releases : releases) +
                                     (block < atBlock ? 0 - blocks : blocks));
}

std::int64_t BlockHeights::heightOf(BlockNumber block, std::uint32_t released) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(m_below[block]) -
                                     static_cast<std::uint64_t>(releasedBelow(block, released)));
}

}  // namespace altiscope
