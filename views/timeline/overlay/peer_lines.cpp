#include "views/timeline/overlay/peer_lines.h"

#include "views/common/theme/theme.h"
#include "views/timeline/overlay/canvas_layout.h"
#include "views/timeline/overlay/peer_loader.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>

namespace altiscope {

PeerLines peerLines(const CanvasLayout& layout, const TimelineScene& scene, std::uint32_t source,
                    const PeerResult& result) {
    PeerLines lines;
    const QSizeF size = layout.size();
    const auto& store = scene.model().sources()[source].store;
    if (store != result.store || result.peers.peers.size() < 2) return lines;
    std::vector<QRectF> slices;
    for (const CollectivePeer& peer : result.peers.peers) {
        if (const auto rect =
                layout.rectOf(source, peer.rank, placeOf(*store->ranks[peer.rank.value].trace, peer.slice)))
            slices.push_back(*rect);
    }
    std::sort(slices.begin(), slices.end(), [](const QRectF& a, const QRectF& b) {
        return a.top() != b.top() ? a.top() < b.top() : a.left() < b.left();
    });
    const auto looksAlike = [](const QRectF& a, const QRectF& b) {
        return std::round(a.left()) == std::round(b.left()) && std::round(a.right()) == std::round(b.right()) &&
               std::round(a.top()) == std::round(b.top());
    };
    slices.erase(std::unique(slices.begin(), slices.end(), looksAlike), slices.end());
    std::optional<QRectF> above, below;
    for (const QRectF& slice : slices) {
        if (slice.bottom() < 0) above = slice;
        else if (slice.top() <= size.height()) lines.slices.push_back(slice);
        else if (!below) below = slice;
    }
    const auto add = [&](const QRectF& slice) { lines.begins.emplace_back(slice.left(), slice.center().y()); };
    if (above) add(*above);
    for (const QRectF& slice : lines.slices) add(slice);
    if (below) add(*below);
    return lines;
}

void paintPeers(QPainter& painter, const PeerLines& peers, const Theme& theme) {
    if (peers.begins.size() < 2) return;
    QColor line = theme.accent;
    line.setAlpha(200);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, 1.6));
    painter.drawPolyline(peers.begins.data(), static_cast<int>(peers.begins.size()));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme.accent, 1.5));
    for (const QRectF& slice : peers.slices) {
        if (slice.height() > 0) painter.drawRect(slice);
    }
}

}  // namespace altiscope
