#pragma once

#include "core/base/values/ids.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// A dimension in which a job is cut into groups.
struct RankDimension {
    std::string kind;  ///< "tp"
    std::uint32_t size = 1;
    bool operator==(const RankDimension&) const = default;
};

/// A rank of a job, in its capture or not.
struct PlacedRank {
    std::optional<std::int64_t> number;  ///< In the job; nullopt: no source states it.
    std::optional<RankIndex> rank;       ///< In CaptureStore::ranks; nullopt: the capture has nothing of it.
    std::vector<std::uint32_t> at;       ///< Its place in each of RankPlaces::dimensions.
};

/// The groups of one kind of parallelism.
struct RankGrouping {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    RankDimension dimension;
    /// By index in RankPlaces::ranks: number of its group, and its place in that; kNone: it is in none.
    std::vector<std::uint32_t> group, place;

    /// Ranks of each group, as indexes. O(ranks).
    std::vector<std::vector<std::uint32_t>> members() const;
};

/// Where the ranks of a job are in its dimensions. Constant.
struct RankPlaces {
    /// Of two places at least, the innermost first; no two ranks have the same places in all. Empty: not known. One
    /// without a kind counts the ranks that the others do not tell apart.
    std::vector<RankDimension> dimensions;
    std::vector<PlacedRank> ranks;        ///< By number; those without one first.
    std::vector<RankGrouping> groupings;  ///< tp, cp, pp, dp, ep: those that are known.

    /// Index of a kind in `dimensions`; nullopt: there is no such dimension.
    std::optional<std::size_t> dimension(const std::string& kind) const;
    const RankGrouping* grouping(const std::string& kind) const;  ///< Null: none.
    /// Which ranks do the same work, as a number: those of one stage of the pipeline.
    std::uint32_t cohortOf(std::size_t rank) const;
};

/// How values of several ranks become one.
enum class RankFold : unsigned char { Mean, Max };

/// The ranks of a job as cells. Blocks hold the inner dimensions across and the stages of the pipeline downwards; what
/// other dimensions there are lies in blocks beside and below each other. Without dimensions ranks follow each other by
/// number. Cells are 1 by 1; between blocks there is room. Constant.
class RankGrid {
public:
    struct Cell {
        double x = 0, y = 0;
        std::vector<std::uint32_t> ranks;  ///< Indexes in RankPlaces::ranks; several where dimensions are folded.
    };
    struct Block {
        double x = 0, y = 0;                                    ///< Of its first cell.
        std::vector<std::pair<std::string, std::uint32_t>> at;  ///< Kind and place of what distinguishes it.
    };
    /// Room between blocks, and above those that have others beside them, for what they are called.
    static constexpr double kGap = 0.3, kHead = 0.7;
    /// As wide as this for its height, as far as whole blocks allow it.
    static constexpr double kAspect = 2.5;

    /// @param folded  Kinds of which all places share a cell. O(ranks * log).
    static RankGrid make(const RankPlaces& places, const std::set<std::string>& folded);

    const std::vector<Cell>& cells() const { return m_cells; }
    const std::vector<Block>& blocks() const { return m_blocks; }
    double width() const { return m_width; }
    double height() const { return m_height; }
    double blockWidth() const { return static_cast<double>(m_blockColumns); }
    double blockHeight() const { return static_cast<double>(m_blockRows); }
    /// Whether blocks have a head of kHead above them.
    bool hasHeads() const { return m_head == kHead; }
    /// Kinds of the columns of a block, the innermost first, and of its rows; empty where it has one.
    const std::vector<std::string>& columnKinds() const { return m_columnKinds; }
    const std::string& rowKind() const { return m_rowKind; }
    /// By index in RankPlaces::ranks.
    std::size_t cellOf(std::size_t rank) const { return m_cellOf[rank]; }
    /// The cell at a point; nullopt: none.
    std::optional<std::size_t> cellAt(double x, double y) const;
    /// The next cell in a direction, over gaps; itself at the border.
    std::size_t cellBeside(std::size_t cell, int across, int down) const;

private:
    std::optional<std::size_t> cellIn(std::size_t column, std::size_t row) const;
    double columnX(std::size_t column) const;
    double rowY(std::size_t row) const;

    std::vector<Cell> m_cells;
    std::vector<Block> m_blocks;
    std::vector<std::string> m_columnKinds;
    std::string m_rowKind;
    std::vector<std::size_t> m_cellOf;
    std::vector<std::int32_t> m_table;                          ///< Cells row by row; -1: none.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_at;  ///< Column and row of each cell.
    std::size_t m_columns = 0, m_rows = 0, m_blockColumns = 1, m_blockRows = 1;
    double m_gap = 0, m_head = 0, m_width = 0, m_height = 0;
};

/// The value of each cell; NaN where no rank of it has one.
/// @param values  By index in RankPlaces::ranks; NaN: none.
std::vector<double> cellValues(const RankGrid& grid, const std::vector<double>& values, RankFold fold);

}  // namespace altiscope
