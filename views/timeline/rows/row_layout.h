#pragma once

#include "views/timeline/rows/track_tree.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// Without a height that is known (see openingRows), a capture of more ranks starts with all of them collapsed.
inline constexpr std::size_t kManyRanks = 3;
/// A thread of more depths starts collapsed, so that one stack does not fill the screen.
inline constexpr std::uint32_t kDeepThread = 12;
/// A collapsed thread is at most this many lanes high.
inline constexpr int kCollapsedLanes = 4;

/// State of rows until the user changes them, see openingRows(); others are as if it were not there.
struct OpeningRows {
    RowExpansion expansion;
    /// Heights of groups while they are collapsed, in pixels.
    std::unordered_map<RowKey, int, RowKeyHash> folded;
    int lane = 0;  ///< Height of the lanes of threads in pixels; 0: as RowMetrics says.
};

/// By what rows are laid out. What it refers to must outlive it.
struct RowStyle {
    const TimelineSources& sources;
    const RowExpansion& expansion;
    const std::unordered_map<RowKey, RowHeights, RowKeyHash>& heights;
    const RowMetrics& metrics;
    const OpeningRows& opening;
};

/// The rows in sight of a tree: those that no collapsed row hides.
struct RowLayout {
    std::vector<TimelineRow> rows;  ///< In display order; those that are pinned first.
    std::size_t pinnedRows = 0;
    std::int64_t pinnedHeight = 0;  ///< Height of the pinned rows: tops of the others begin there.

    std::uint64_t revision = 0;  ///< Another one after each change, see TimelineModel.

    /// The row that shows a node, or the collapsed row that hides it.
    struct Place {
        std::size_t row = 0;
        bool hidden = false;
    };
    std::vector<Place> places;  ///< By node.

    std::int64_t height() const { return rows.empty() ? 0 : rows.back().top + rows.back().height; }
    /// The row that holds this height; the nearest one for heights outside. O(log rows). @pre there are rows.
    std::size_t rowAt(std::int64_t y) const;
};

/// Pure; O(nodes).
RowLayout layOutRows(const TrackTree& tree, const RowStyle& style);

/// The row that a node is while nothing hides it; without its top.
TimelineRow rowOf(const TrackTree& tree, std::size_t node, const RowStyle& style);

/// Where the strip of a depth begins below the first one in a collapsed thread; of row.lanes: where the last one ends.
/// @param inner, lane  Height of all strips, and of a lane, in the same unit.
std::int64_t stripBegin(const TimelineRow& row, std::int64_t inner, std::int64_t lane, std::uint32_t depth);

/// Heights to keep for a row that the user makes so high. @pre isResizable(row).
RowHeights heightsFor(const TimelineRow& row, int height, const RowStyle& style);

}  // namespace altiscope
