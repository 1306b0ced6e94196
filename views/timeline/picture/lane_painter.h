#pragma once

#include "views/timeline/picture/label_cache.h"
#include "views/timeline/picture/row_picture.h"
#include "views/timeline/scene/slice_colours.h"

#include <QImage>
#include <QRect>

#include <string_view>
#include <vector>

namespace altiscope {

/// Fills pixels of a picture directly: one line of a lane is put together once and copied to the lane's other lines, so
/// that the cost is that of the memory written, not of the number of slices. All coordinates are device pixels of the
/// picture; what lies outside is cut off.
///
/// Painters of different lines of one picture, with lists of their own for names without a picture, may work on
/// different threads at once after they were made on one; any other is for the GUI thread.
class LanePainter {
public:
    /// Lines [first, after) of a picture, or of its upper part.
    struct Lines {
        int first = 0, after = 0;
        int end = 0;  ///< End of the picture or its part: no label reaches beyond it.
    };

    /// All lines. @param picture  Format_RGB32; outlives the painter.
    LanePainter(QImage& picture, const LanePalette& palette, LabelCache& labels);
    /// @param lines    Nothing is painted outside of them; within the picture.
    /// @param missing  Not null: names that have no picture in `labels` yet are added and not painted.
    LanePainter(QImage& picture, const LanePalette& palette, LabelCache& labels, Lines lines,
                std::vector<std::string_view>* missing);

    void fill(const QRect& area, QRgb colour);
    /// All slices of a lane over the whole width, on `background`.
    void paintSlices(int top, int height, std::span<const LaneRect> rects, QRgb background);
    /// Names on slices that have room for some characters: short ones where the whole ones have none.
    void paintLabels(int top, int height, std::span<const LaneRect> rects, const TraceStore& trace);
    /// A counter line with the area below it (if `filled`), from bottom to top of the rows [top, top + height).
    void paintLine(int top, int height, const CounterLine& line, bool filled);
    /// A small wedge at the top of a lane for each instant.
    void paintInstants(int top, int height, std::span<const int> columns, QRgb colour);

    /// Whether something from one line up to another would be painted.
    bool touches(int top, int after) const { return top < m_lines.after && after > m_lines.first; }
    /// How many labels were drawn on lanes that begin in the painter's lines, or above the picture.
    std::size_t labelCount() const { return m_labelCount; }

private:
    QRgb* line(int y) { return m_pixels + static_cast<std::ptrdiff_t>(y) * m_stride; }
    const LabelImage* labelOf(std::string_view text);
    void copyLabel(const LabelImage& label, int sourceWidth, int x, int y, const std::array<QRgb, 256>& colours);

    QRgb* m_pixels;
    std::ptrdiff_t m_stride;
    int m_width;
    Lines m_lines;
    const LanePalette& m_palette;
    LabelCache& m_labels;
    std::vector<std::string_view>* m_missing;
    std::vector<QRgb> m_line;
    std::size_t m_labelCount = 0;
};

}  // namespace altiscope
