#pragma once

#include "core/analysis/snapshot/block_picture.h"
#include "core/analysis/snapshot/block_uses.h"
#include "views/common/theme/theme.h"

#include <QImage>

namespace altiscope {

/// Meaning of the colour of a block.
enum class BlockColouring : unsigned char {
    Stack,      ///< Blocks of one call stack have one colour.
    Size,       ///< From 512 bytes to 16 GiB, by powers of two.
    Age,        ///< From the first allocation to the last.
    Stream,     ///< Blocks of one stream have one colour.
    Annotation  ///< Blocks of one annotation have one colour, from the first on; those without one are grey.
};

/// Colours of the blocks of a device. A value; any thread.
class BlockColours {
public:
    BlockColours(const DeviceSnapshot& snapshot, BlockColouring colouring, const Theme& theme);

    QRgb of(BlockNumber block) const;
    /// Colour of blocks too small or too short to be seen.
    QRgb many() const { return m_many; }
    BlockColouring colouring() const { return m_colouring; }
    /// Colours of blocks by the number of their annotation in DeviceSnapshot::annotations; 0: without one.
    QRgb ofAnnotation(std::uint32_t annotation) const;
    /// The ramp of sizes and ages, 0 to 1.
    static QColor rampAt(double share);

private:
    const DeviceSnapshot* m_snapshot;
    BlockColouring m_colouring;
    const Theme* m_theme;
    QRgb m_many;
};

QImage colouredPicture(const BlockPicture& picture, const BlockColours& colours, QRgb background);

/// Overlay of a picture where a block is to be seen: its outline, and a slight lift. Empty if it is nowhere.
QImage blockOutline(const BlockPicture& picture, BlockNumber block, QRgb colour);

/// Overlay of a picture: hatches a block where nobody used it, before its first use, after its last one, and in the
/// longest pause between. Empty if none of it is to be seen.
QImage blockIdleness(const BlockPicture& picture, BlockNumber block, const BlockUses& uses, QRgb colour);

}  // namespace altiscope
