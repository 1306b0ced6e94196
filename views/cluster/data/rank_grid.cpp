#include "views/cluster/data/rank_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kMostHeads = 64, kHeadedRows = 4;

/// Dimensions whose places lie beside each other in a block: their ranks talk the most.
bool isInner(const std::string& kind) { return kind.empty() || kind == "tp" || kind == "cp"; }

/// How many of `count` columns of some width, in rows of some height, come nearest to the wanted proportions.
std::size_t columnsFor(std::size_t count, double width, double height) {
    std::size_t best = 1;
    double nearest = std::numeric_limits<double>::max();
    for (std::size_t columns = 1; columns <= count; ++columns) {
        const double rows = std::ceil(static_cast<double>(count) / static_cast<double>(columns));
        const double off =
            std::abs(std::log(static_cast<double>(columns) * width / (rows * height) / RankGrid::kAspect));
        // Rows of which the last is not full are worth less, and columns of eight are those of a host.
        const bool isFull = count % columns == 0;
        const double cost = off + (isFull ? 0 : 0.5);
        if (cost > nearest) continue;
        nearest = cost;
        best = columns;
    }
    return best;
}

}  // namespace

std::optional<std::size_t> RankPlaces::dimension(const std::string& kind) const {
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        if (dimensions[d].kind == kind) return d;
    }
    return std::nullopt;
}

const RankGrouping* RankPlaces::grouping(const std::string& kind) const {
    for (const RankGrouping& one : groupings) {
        if (one.dimension.kind == kind) return &one;
    }
    return nullptr;
}

std::vector<std::vector<std::uint32_t>> RankGrouping::members() const {
    std::map<std::uint32_t, std::vector<std::uint32_t>> byGroup;
    for (std::uint32_t r = 0; r < group.size(); ++r) {
        if (group[r] != kNone) byGroup[group[r]].push_back(r);
    }
    std::vector<std::vector<std::uint32_t>> found;
    found.reserve(byGroup.size());
    for (auto& [number, ranks] : byGroup) found.push_back(std::move(ranks));
    return found;
}

std::uint32_t RankPlaces::cohortOf(std::size_t rank) const {
    const auto stages = dimension("pp");
    return stages ? ranks[rank].at[*stages] : 0;
}

RankGrid RankGrid::make(const RankPlaces& places, const std::set<std::string>& folded) {
    RankGrid grid;
    // Dimensions across and down a block, and those between blocks.
    std::vector<std::size_t> across, down, between;
    for (std::size_t d = 0; d < places.dimensions.size(); ++d) {
        const std::string& kind = places.dimensions[d].kind;
        if (folded.contains(kind)) continue;
        (isInner(kind) ? across : kind == "pp" ? down : between).push_back(d);
    }
    const auto sizeOf = [&](const std::vector<std::size_t>& of) {
        std::size_t size = 1;
        for (const std::size_t d : of) size *= places.dimensions[d].size;
        return size;
    };
    const auto placeIn = [&](std::size_t rank, const std::vector<std::size_t>& of) {
        std::size_t place = 0;
        for (std::size_t i = of.size(); i-- > 0;)
            place = place * places.dimensions[of[i]].size + places.ranks[rank].at[of[i]];
        return place;
    };
    const bool isPlain = places.dimensions.empty();
    grid.m_blockColumns = sizeOf(across);
    grid.m_blockRows = sizeOf(down);
    std::size_t blocks = isPlain ? places.ranks.size() : sizeOf(between);
    const bool isBlock = grid.m_blockColumns * grid.m_blockRows > 1 && blocks > 1;
    const std::size_t blockColumns =
        columnsFor(std::max<std::size_t>(1, blocks), static_cast<double>(grid.m_blockColumns) + (isBlock ? kGap : 0),
                   static_cast<double>(grid.m_blockRows) + (isBlock ? kHead : 0));
    if (isBlock) {
        grid.m_gap = kGap;
        // Names of many low blocks would take as much room as what they name; rows say it then.
        const bool hasRoom = blocks <= kMostHeads || grid.m_blockRows >= kHeadedRows;
        grid.m_head = blockColumns > 1 && hasRoom ? kHead : kGap;
    }
    grid.m_columns = blockColumns * grid.m_blockColumns;
    const std::size_t blockLines = (blocks + blockColumns - 1) / blockColumns;
    grid.m_rows = blockLines * grid.m_blockRows;
    for (const std::size_t d : across) grid.m_columnKinds.push_back(places.dimensions[d].kind);
    if (!down.empty()) grid.m_rowKind = places.dimensions[down.front()].kind;
    grid.m_table.assign(grid.m_columns * grid.m_rows, -1);
    grid.m_cellOf.resize(places.ranks.size());
    std::map<std::size_t, std::size_t> blockAt;
    for (std::uint32_t r = 0; r < places.ranks.size(); ++r) {
        const std::size_t block = isPlain ? r : placeIn(r, between);
        const std::size_t column = block % blockColumns * grid.m_blockColumns + placeIn(r, across),
                          row = block / blockColumns * grid.m_blockRows + placeIn(r, down);
        std::int32_t& known = grid.m_table[row * grid.m_columns + column];
        if (known < 0) {
            known = static_cast<std::int32_t>(grid.m_cells.size());
            grid.m_cells.push_back({grid.columnX(column), grid.rowY(row), {}});
            grid.m_at.emplace_back(static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row));
        }
        grid.m_cells[static_cast<std::size_t>(known)].ranks.push_back(r);
        grid.m_cellOf[r] = static_cast<std::size_t>(known);
        if (isPlain || !blockAt.try_emplace(block, grid.m_blocks.size()).second) continue;
        Block& made = grid.m_blocks.emplace_back();
        made.x = grid.columnX(block % blockColumns * grid.m_blockColumns);
        made.y = grid.rowY(block / blockColumns * grid.m_blockRows);
        for (const std::size_t d : between) made.at.emplace_back(places.dimensions[d].kind, places.ranks[r].at[d]);
    }
    if (grid.m_columns > 0 && grid.m_rows > 0) {
        grid.m_width = grid.columnX(grid.m_columns - 1) + 1;
        grid.m_height = grid.rowY(grid.m_rows - 1) + 1;
    }
    return grid;
}

double RankGrid::columnX(std::size_t column) const {
    return static_cast<double>(column) + static_cast<double>(column / m_blockColumns) * m_gap;
}

double RankGrid::rowY(std::size_t row) const {
    // A head stands above the first line of blocks too, a gap only between lines.
    const std::size_t lines = row / m_blockRows + (m_head == kHead ? 1 : 0);
    return static_cast<double>(row) + static_cast<double>(lines) * m_head;
}

std::optional<std::size_t> RankGrid::cellIn(std::size_t column, std::size_t row) const {
    if (column >= m_columns || row >= m_rows) return std::nullopt;
    const std::int32_t cell = m_table[row * m_columns + column];
    return cell < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(cell));
}

std::optional<std::size_t> RankGrid::cellAt(double x, double y) const {
    if (x < 0 || y < 0 || x >= m_width || y >= m_height) return std::nullopt;
    const double blockWidth = static_cast<double>(m_blockColumns) + m_gap,
                 blockHeight = static_cast<double>(m_blockRows) + m_head;
    const double top = m_head == kHead ? m_head : 0;
    if (y < top) return std::nullopt;
    const double blockX = std::floor(x / blockWidth), blockY = std::floor((y - top) / blockHeight);
    const double column = std::floor(x - blockX * blockWidth), row = std::floor(y - top - blockY * blockHeight);
    if (column >= static_cast<double>(m_blockColumns) || row >= static_cast<double>(m_blockRows)) return std::nullopt;
    return cellIn(static_cast<std::size_t>(blockX) * m_blockColumns + static_cast<std::size_t>(column),
                  static_cast<std::size_t>(blockY) * m_blockRows + static_cast<std::size_t>(row));
}

std::size_t RankGrid::cellBeside(std::size_t cell, int across, int down) const {
    auto column = static_cast<std::int64_t>(m_at[cell].first), row = static_cast<std::int64_t>(m_at[cell].second);
    for (;;) {
        column += across;
        row += down;
        if (column < 0 || row < 0 || column >= static_cast<std::int64_t>(m_columns) ||
            row >= static_cast<std::int64_t>(m_rows))
            return cell;
        if (const auto found = cellIn(static_cast<std::size_t>(column), static_cast<std::size_t>(row))) return *found;
    }
}

std::vector<double> cellValues(const RankGrid& grid, const std::vector<double>& values, RankFold fold) {
    std::vector<double> folded;
    folded.reserve(grid.cells().size());
    for (const RankGrid::Cell& cell : grid.cells()) {
        double sum = 0, max = -std::numeric_limits<double>::infinity();
        std::size_t count = 0;
        for (const std::uint32_t rank : cell.ranks) {
            if (std::isnan(values[rank])) continue;
            sum += values[rank];
            max = std::max(max, values[rank]);
            ++count;
        }
        folded.push_back(count == 0              ? std::numeric_limits<double>::quiet_NaN()
                         : fold == RankFold::Max ? max
                                                 : sum / static_cast<double>(count));
    }
    return folded;
}

}  // namespace altiscope
