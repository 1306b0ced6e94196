#include "views/snapshot/canvas/block_colours.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace altiscope {

namespace {

QRgb mixed(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * share)); };
    return qRgb(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

}  // namespace

BlockColours::BlockColours(const DeviceSnapshot& snapshot, BlockColouring colouring, const Theme& theme)
    : m_snapshot(&snapshot), m_colouring(colouring), m_theme(&theme),
      m_many(mixed(theme.background, theme.muted, theme.dark ? 0.35 : 0.3)) {}

/// Dark violet over blue and green to yellow: lightness grows evenly.
QColor BlockColours::rampAt(double share) {
    constexpr std::array<QRgb, 5> kRamp{0xff46327e, 0xff31688e, 0xff1f9e89, 0xff6ccd5a, 0xfffde725};
    const double at = std::clamp(share, 0.0, 1.0) * (kRamp.size() - 1);
    const auto low = static_cast<std::size_t>(std::min(at, static_cast<double>(kRamp.size() - 2)));
    return QColor(mixed(QColor(kRamp[low]), QColor(kRamp[low + 1]), at - static_cast<double>(low)));
}

QRgb BlockColours::of(BlockNumber number) const {
    const BlockLife& block = m_snapshot->blocks[number];
    const auto hue = [this](std::uint64_t value) {
        // Neighbouring numbers look different.
        return m_theme->hues[(value * 0x9E3779B97F4A7C15u >> 32) % Theme::kHues].rgb();
    };
    switch (m_colouring) {
    case BlockColouring::Stack: return hue(block.stack);
    case BlockColouring::Stream: return hue(static_cast<std::uint64_t>(block.stream));
    case BlockColouring::Size:
        // From 512 bytes to 16 GiB.
        return rampAt((std::log2(std::max(1.0, static_cast<double>(block.bytes))) - 9) / (34 - 9)).rgb();
    case BlockColouring::Age:
        return rampAt(static_cast<double>(block.begin + 1) / std::max(1.0, static_cast<double>(m_snapshot->events)))
            .rgb();
    case BlockColouring::Annotation: return ofAnnotation(block.annotation);
    }
    return m_many;
}

/// The first sixteen differ.
QRgb BlockColours::ofAnnotation(std::uint32_t annotation) const {
    if (annotation == 0) return mixed(m_theme->background, m_theme->muted, 0.65);
    return m_theme->hues[(annotation - 1) % Theme::kHues].rgb();
}

QImage colouredPicture(const BlockPicture& picture, const BlockColours& colours, QRgb background) {
    if (picture.cells.empty()) return {};
    const int width = picture.query.columns, height = picture.query.rows;
    QImage image(width, height, QImage::Format_RGB32);
    std::uint32_t last = BlockPicture::kNothing;
    QRgb colour = background;
    for (int row = 0; row < height; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < width; ++column) {
            const std::uint32_t cell = picture.at(column, row);
            if (cell != last) {
                last = cell;
                colour = cell == BlockPicture::kNothing ? background
                         : cell == BlockPicture::kMany  ? colours.many()
                                                        : colours.of(cell);
            }
            line[column] = colour;
            // A line between blocks where there is room for one: what lies on each other may have one colour.
            const bool isEdge = row + 2 < height && cell < BlockPicture::kMany && picture.at(column, row + 1) != cell &&
                                row > 1 && picture.at(column, row - 1) == cell && picture.at(column, row - 2) == cell;
            if (isEdge) line[column] = mixed(QColor(colour), QColor(background), 0.45);
        }
    }
    return image;
}

QImage blockOutline(const BlockPicture& picture, BlockNumber block, QRgb colour) {
    if (picture.cells.empty() || block == kNoBlock) return {};
    const int width = picture.query.columns, height = picture.query.rows;
    const auto isBlock = [&](int column, int row) {
        return column >= 0 && row >= 0 && column < width && row < height && picture.at(column, row) == block;
    };
    QImage image;
    for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
            if (picture.at(column, row) != block) continue;
            if (image.isNull()) {
                image = QImage(width, height, QImage::Format_ARGB32_Premultiplied);
                image.fill(Qt::transparent);
            }
            bool isEdge = false;
            for (int step = 1; step <= 2 && !isEdge; ++step)
                isEdge = !isBlock(column - step, row) || !isBlock(column + step, row) || !isBlock(column, row - step) ||
                         !isBlock(column, row + step);
            reinterpret_cast<QRgb*>(image.scanLine(row))[column] =
                isEdge ? colour : qPremultiply(qRgba(255, 255, 255, 60));
        }
    }
    return image;
}

QImage blockIdleness(const BlockPicture& picture, BlockNumber block, const BlockUses& uses, QRgb colour) {
    if (picture.cells.empty() || block == kNoBlock) return {};
    constexpr int kPeriod = 6;
    const int width = picture.query.columns, height = picture.query.rows;
    QImage image;
    for (int column = 0; column < width; ++column) {
        const EventNumber at = picture.moments[static_cast<std::size_t>(column)];
        const bool isIdle = at < uses.first || at >= uses.last || (at >= uses.idle.begin && at < uses.idle.end);
        if (!isIdle) continue;
        for (int row = 0; row < height; ++row) {
            if (picture.at(column, row) != block || (column + row) % kPeriod > 1) continue;
            if (image.isNull()) {
                image = QImage(width, height, QImage::Format_ARGB32_Premultiplied);
                image.fill(Qt::transparent);
            }
            reinterpret_cast<QRgb*>(image.scanLine(row))[column] = colour;
        }
    }
    return image;
}

}  // namespace altiscope
