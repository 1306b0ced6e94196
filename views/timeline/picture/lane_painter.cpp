#include "views/timeline/picture/lane_painter.h"

#include "views/timeline/picture/short_name.h"

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

/// Narrower slices have no edge of their own: it would be all that is seen of them.
constexpr int kEdgeFrom = 3;
constexpr int kHatchDistance = 6;

}  // namespace

LanePainter::LanePainter(QImage& picture, const LanePalette& palette, LabelCache& labels)
    : LanePainter(picture, palette, labels, {0, picture.height(), picture.height()}, nullptr) {}

LanePainter::LanePainter(QImage& picture, const LanePalette& palette, LabelCache& labels, Lines lines,
                         std::vector<std::string_view>* missing)
    : m_pixels(reinterpret_cast<QRgb*>(picture.bits())),
      m_stride(picture.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb))), m_width(picture.width()), m_lines(lines),
      m_palette(palette), m_labels(labels), m_missing(missing), m_line(static_cast<std::size_t>(picture.width())) {}

void LanePainter::fill(const QRect& area, QRgb colour) {
    const QRect inside = area & QRect(0, m_lines.first, m_width, m_lines.after - m_lines.first);
    for (int y = inside.top(); y <= inside.bottom(); ++y) std::fill_n(line(y) + inside.left(), inside.width(), colour);
}

void LanePainter::paintSlices(int top, int height, std::span<const LaneRect> rects, QRgb background) {
    const int first = std::max(top, m_lines.first), last = std::min(top + height, m_lines.after);
    if (first >= last) return;
    std::fill(m_line.begin(), m_line.end(), background);
    bool hatched = false;
    for (const LaneRect& rect : rects) {
        const int right = std::min(rect.right, m_width);
        if (rect.left >= right) continue;
        std::fill(m_line.begin() + rect.left, m_line.begin() + right, m_palette.fill[rect.colour]);
        if (right - rect.left >= kEdgeFrom) m_line[static_cast<std::size_t>(rect.left)] = m_palette.edge[rect.colour];
        hatched |= isHatched(rect.colour);
    }
    for (int y = first; y < last; ++y) std::copy(m_line.begin(), m_line.end(), line(y));
    if (!hatched) return;
    for (const LaneRect& rect : rects) {
        if (!isHatched(rect.colour)) continue;
        const int right = std::min(rect.right, m_width);
        // Free time and waits are told apart by the way in which their stripes lean.
        const int lean = rect.colour == kFreeColour ? 1 : -1;
        for (int y = first; y < last; ++y) {
            // Stripes are bound to the lane and the screen, so that they stand still while the window moves.
            const int phase = ((rect.left + lean * (y - top)) % kHatchDistance + kHatchDistance) % kHatchDistance;
            for (int x = rect.left + (kHatchDistance - phase) % kHatchDistance; x < right; x += kHatchDistance) {
                line(y)[x] = m_palette.edge[rect.colour];
            }
        }
    }
}

void LanePainter::paintLabels(int top, int height, std::span<const LaneRect> rects, const TraceStore& trace) {
    const int textHeight = m_labels.height();
    // A label may be a line higher than its lane on either side.
    if (textHeight > height + 2 || top + height <= 0 || top >= m_lines.end || !touches(top - 1, top + height + 1))
        return;
    const bool isCounted = std::max(top, 0) >= m_lines.first && top < m_lines.after;
    const int padding = textHeight / 4;
    const LabelImage& ellipsis = m_labels.ellipsis();
    const int min = ellipsis.width + textHeight / 2 + 2 * padding;
    const int y = top + (height - textHeight) / 2;
    for (const LaneRect& rect : rects) {
        const int room = std::min(rect.right, m_width) - rect.left - 2 * padding;
        if (room + 2 * padding < min || rect.count > 1) continue;
        const std::string_view name = trace.name(rect.slice);
        const LabelImage* known = labelOf(name);
        if (known != nullptr && known->width > room) {
            if (const std::string_view brief = shortName(name); brief.size() < name.size()) known = labelOf(brief);
        }
        if (known == nullptr) continue;
        const LabelImage& label = *known;
        const auto& colours = m_palette.label[rect.colour];
        if (label.width <= room) {
            copyLabel(label, label.width, rect.left + padding, y, colours);
        } else {
            const auto after = std::upper_bound(label.stops.begin(), label.stops.end(), room - ellipsis.width);
            if (after == label.stops.begin()) continue;
            const int cut = *(after - 1);
            copyLabel(label, cut, rect.left + padding, y, colours);
            copyLabel(ellipsis, ellipsis.width, rect.left + padding + cut, y, colours);
        }
        if (isCounted) ++m_labelCount;
    }
}

const LabelImage* LanePainter::labelOf(std::string_view text) {
    const LabelImage* known = m_missing != nullptr ? m_labels.find(text) : &m_labels.image(text);
    if (known == nullptr) m_missing->push_back(text);
    return known;
}

void LanePainter::copyLabel(const LabelImage& label, int sourceWidth, int x, int y,
                            const std::array<QRgb, 256>& colours) {
    const int left = std::max(x, 0), right = std::min(x + sourceWidth, m_width);
    const int first = std::max(y, m_lines.first), last = std::min(y + label.height, m_lines.after);
    for (int row = first; row < last; ++row) {
        const std::uint8_t* coverage =
            label.coverage.data() + static_cast<std::ptrdiff_t>(row - y) * label.width + (left - x);
        QRgb* out = line(row) + left;
        for (int i = 0; i < right - left; ++i) {
            if (coverage[i] != 0) out[i] = colours[coverage[i]];
        }
    }
}

void LanePainter::paintLine(int top, int height, const CounterLine& counter, bool filled) {
    const QRgb stroke = m_palette.edge[counter.colour], area = m_palette.area[counter.colour];
    const int bottom = top + height - 1;
    const auto rowOf = [bottom, height](float part) {
        return bottom - static_cast<int>(std::lround(part * static_cast<float>(height - 1)));
    };
    for (std::size_t i = 0; i < counter.points.size(); ++i) {
        const int x = counter.firstColumn + static_cast<int>(i);
        if (x >= m_width) break;
        const CounterPoint& point = counter.points[i];
        const int high = rowOf(point.high), low = rowOf(point.low);
        for (int y = std::max(high, m_lines.first); y <= std::min(low, m_lines.after - 1); ++y) line(y)[x] = stroke;
        if (!filled) continue;
        for (int y = std::max(low + 1, m_lines.first); y <= std::min(bottom, m_lines.after - 1); ++y) line(y)[x] = area;
    }
}

void LanePainter::paintInstants(int top, int height, std::span<const int> columns, QRgb colour) {
    const int size = std::max(height / 4, 2);
    for (const int column : columns) {
        for (int row = 0; row < size; ++row) {
            const int half = size - 1 - row;
            fill(QRect(column - half, top + row, 2 * half + 1, 1), colour);
        }
        fill(QRect(column, top, 1, height), colour);
    }
}

}  // namespace altiscope
