#pragma once

#include "core/analysis/memory/owner_tree.h"

#include <QRectF>

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

/// A rectangle of a tree map.
struct MapBox {
    QRectF box = {};
    std::uint32_t node = 0;      ///< In OwnerTree::nodes; of several that are drawn as one the largest.
    std::uint32_t together = 1;  ///< Nodes that it stands for.
    std::int64_t bytes = 0;      ///< Sum of all of these.
    int level = 0;               ///< Below the node that fills the map.
    bool hasHeading = false;     ///< Its title is above the boxes within.

    bool isOthers() const { return together > 1; }
};

/// Sizes of what is drawn, in pixels.
struct MapStyle {
    double heading = 18;      ///< Height of the titles of boxes that have others within.
    double minSide = 9;       ///< Side of a square: boxes that would be smaller are drawn together, as "other".
    double minInner = 60;     ///< Boxes that are narrower, or as low as two headings, show nothing within.
    int levels = 3;           ///< Levels drawn at once.
    std::size_t boxes = 128;  ///< At most in one parent.
};

/// Rectangles whose areas are to each other as the sizes, close to squares, and which fill the area. In the order of
/// the sizes. @pre sizes are above 0, the largest first. O(sizes).
std::vector<QRectF> squarified(std::span<const double> sizes, const QRectF& area);

/// Boxes within a node, those of a parent after it. Areas in one parent are to each other as the bytes; small
/// ones are joined into one. O(boxes drawn + children of these).
std::vector<MapBox> treeMap(const OwnerTree& tree, std::uint32_t root, const QRectF& area, const MapStyle& style);

}  // namespace altiscope
