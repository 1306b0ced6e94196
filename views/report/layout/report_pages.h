#pragma once

#include "views/common/theme/meaning_look.h"

#include <QColor>
#include <QFont>
#include <QFontMetricsF>
#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <cstddef>
#include <vector>

class QPainter;

namespace altiscope {

/// Units of a page: fine enough to place letters by whole numbers, and the resolution of the PDF.
inline constexpr int kUnitsPerInch = 576;
constexpr double points(double size) { return size * (kUnitsPerInch / 72.0); }
/// A4.
inline constexpr QSizeF kPageSize{210 / 25.4 * kUnitsPerInch, 297 / 25.4 * kUnitsPerInch};

enum class PageFont : unsigned char { Title, Heading, Subheading, Body, Strong, Cell, CellStrong, Code };
inline constexpr std::size_t kPageFonts = static_cast<std::size_t>(PageFont::Code) + 1;

/// The fonts of a report and their measures in units; the same on every screen. One thread at a time.
class PageFonts {
public:
    /// @param screen  The fonts of the window, which stand in where the usual ones of a report are not installed.
    PageFonts(const QFont& screen, const QFont& code);

    const QFont& font(PageFont font) const { return m_fonts[static_cast<std::size_t>(font)]; }
    double width(PageFont font, const QString& text) const { return metrics(font).horizontalAdvance(text); }
    double ascent(PageFont font) const;
    double lineHeight(PageFont font) const;

private:
    const QFontMetricsF& metrics(PageFont font) const { return m_metrics[static_cast<std::size_t>(font)]; }

    std::vector<QFont> m_fonts;
    std::vector<QFontMetricsF> m_metrics;
};

/// Content of a page, placed: lines of text, filled boxes, pictures by their number.
struct PageText {
    QPointF at;  ///< Left end of the base line.
    QString text;
    PageFont font = PageFont::Body;
    QColor colour;
};
struct PageBox {
    QRectF rect;
    QColor colour;
    MeaningPattern pattern = MeaningPattern::Plain;
};
struct PagePicture {
    QRectF rect;
    std::size_t picture = 0;
};
struct PageContent {
    std::vector<PageBox> boxes;
    std::vector<PageText> texts;
    std::vector<PagePicture> pictures;
};

/// A report on paper: what the PDF holds and the preview shows. A constant value once it is made; painting only reads.
struct ReportPages {
    PageFonts fonts;
    std::vector<PageContent> pages;
    std::vector<QImage> pictures;

    /// Draws a page; the painter's units are those of the page.
    void paint(QPainter& painter, std::size_t page) const;
};

}  // namespace altiscope
