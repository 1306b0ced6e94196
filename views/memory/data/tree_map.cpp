#include "views/memory/data/tree_map.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace altiscope {

namespace {

/// The worst ratio of sides in a row of boxes along a side.
double worstRatio(double sum, double smallest, double largest, double side) {
    const double thickness = sum / side;
    const auto ratio = [thickness](double area) {
        const double length = area / thickness;
        return std::max(length / thickness, thickness / length);
    };
    return std::max(ratio(smallest), ratio(largest));
}

/// Boxes [first, end) side by side along the shorter side of what is left; takes their part from it.
void placeRow(std::span<const double> areas, double sum, QRectF& left, std::vector<QRectF>& boxes) {
    const bool isColumn = left.width() >= left.height();
    const double side = isColumn ? left.height() : left.width();
    const double thickness = side > 0 ? sum / side : 0;
    double at = 0;
    for (const double area : areas) {
        const double length = sum > 0 ? side * area / sum : 0;
        boxes.push_back(isColumn ? QRectF(left.left(), left.top() + at, thickness, length)
                                 : QRectF(left.left() + at, left.top(), length, thickness));
        at += length;
    }
    if (isColumn) left.setLeft(std::min(left.left() + thickness, left.right()));
    else left.setTop(std::min(left.top() + thickness, left.bottom()));
}

class TreeMapWalk {
public:
    TreeMapWalk(const OwnerTree& tree, const MapStyle& style, std::vector<MapBox>& boxes)
        : m_tree(tree), m_style(style), m_boxes(boxes) {}

    void fill(std::uint32_t parent, const QRectF& area, int level) {
        const std::vector<MapBox> shares = sharesOf(parent, area, level);
        if (shares.empty()) return;
        std::vector<double> sizes;
        for (const MapBox& share : shares) sizes.push_back(static_cast<double>(share.bytes));
        // The box for those that are joined may be the largest.
        std::vector<std::size_t> order(shares.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
        std::sort(sizes.begin(), sizes.end(), std::greater<>());
        const std::vector<QRectF> places = squarified(sizes, area);
        for (std::size_t i = 0; i < order.size(); ++i) addBox(shares[order[i]], places[i]);
    }

private:
    /// The children, and in place of the small ones a box for all of them.
    std::vector<MapBox> sharesOf(std::uint32_t parent, const QRectF& area, int level) const {
        std::vector<std::uint32_t> children = m_tree.children(parent);
        std::erase_if(children, [this](std::uint32_t child) { return m_tree.nodes[child].bytes <= 0; });
        double whole = 0;
        for (const std::uint32_t child : children) whole += static_cast<double>(m_tree.nodes[child].bytes);
        const double pixels = area.width() * area.height();
        std::vector<MapBox> shares;
        for (std::size_t i = 0; i < children.size(); ++i) {
            const OwnerNode& node = m_tree.nodes[children[i]];
            const double share = pixels * static_cast<double>(node.bytes) / whole;
            const bool isSmall = share < m_style.minSide * m_style.minSide || i + 1 >= m_style.boxes;
            if (isSmall && i + 1 < children.size()) {
                MapBox others{.node = children[i], .together = 0, .level = level};
                for (; i < children.size(); ++i, ++others.together)
                    addSaturated(others.bytes, m_tree.nodes[children[i]].bytes);
                shares.push_back(others);
                break;
            }
            shares.push_back({.node = children[i], .bytes = node.bytes, .level = level});
        }
        return shares;
    }

    void addBox(MapBox share, const QRectF& place) {
        const OwnerNode& node = m_tree.nodes[share.node];
        share.box = place;
        const bool hasParts = !share.isOthers() && node.end > share.node + 1;
        share.hasHeading = hasParts && share.level + 1 < m_style.levels && place.width() >= m_style.minInner &&
                           place.height() >= 2 * m_style.heading;
        m_boxes.push_back(share);
        if (!share.hasHeading) return;
        constexpr double kBorder = 2;
        fill(share.node, place.adjusted(kBorder, m_style.heading, -kBorder, -kBorder), share.level + 1);
    }

    const OwnerTree& m_tree;
    const MapStyle& m_style;
    std::vector<MapBox>& m_boxes;
};

}  // namespace

std::vector<QRectF> squarified(std::span<const double> sizes, const QRectF& area) {
    std::vector<QRectF> boxes;
    const double whole = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    if (!(whole > 0) || area.isEmpty()) return std::vector<QRectF>(sizes.size(), QRectF(area.topLeft(), QSizeF()));
    std::vector<double> areas(sizes.begin(), sizes.end());
    for (double& one : areas) one *= area.width() * area.height() / whole;
    QRectF left = area;
    std::size_t first = 0;
    while (first < areas.size()) {
        const double side = std::min(left.width(), left.height());
        double sum = areas[first], worst = worstRatio(sum, areas[first], areas[first], side);
        std::size_t end = first + 1;
        while (end < areas.size()) {
            const double next = worstRatio(sum + areas[end], areas[end], areas[first], side);
            if (!(next <= worst)) break;
            worst = next;
            sum += areas[end++];
        }
        placeRow(std::span(areas).subspan(first, end - first), sum, left, boxes);
        first = end;
    }
    return boxes;
}

std::vector<MapBox> treeMap(const OwnerTree& tree, std::uint32_t root, const QRectF& area, const MapStyle& style) {
    std::vector<MapBox> boxes;
    if (root >= tree.nodes.size() || area.isEmpty()) return boxes;
    TreeMapWalk(tree, style, boxes).fill(root, area, 0);
    return boxes;
}

}  // namespace altiscope
