#pragma once

#include "views/timeline/rows/track_tree.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// A capture of more ranks starts with all of them collapsed: more do not fit on a screen beside each other.
inline constexpr std::size_t kManyRanks = 3;
/// A thread of more depths starts collapsed, so that one stack does not fill the screen.
inline constexpr std::uint32_t kDeepThread = 12;
/// A collapsed thread is at most this many lanes high.
inline constexpr int kCollapsedLanes = 4;

/// By what rows are laid out. What it refers to must outlive it.
struct RowStyle {
    const TimelineSources& sources;
    const RowExpansion& expansion;
    const std::unordered_map<RowKey, RowHeights, RowKeyHash>& heights;
    const RowMetrics& metrics;
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

/// Heights to keep for a row that the user makes so high. @pre isResizable(row).
RowHeights heightsFor(const TimelineRow& row, int height, const RowStyle& style);

}  // namespace altiscope
