#include "views/report/layout/report_pages.h"

#include <QPainter>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct FontShape {
    double size;  ///< In points.
    bool isBold;
};

FontShape shapeOf(PageFont font) {
    switch (font) {
    case PageFont::Title: return {19, true};
    case PageFont::Heading: return {13, true};
    case PageFont::Subheading: return {9.5, true};
    case PageFont::Body: return {9.5, false};
    case PageFont::Strong: return {9.5, true};
    case PageFont::Cell: return {7.5, false};
    case PageFont::CellStrong: return {7.5, true};
    case PageFont::Code: return {6.5, false};
    }
    return {9.5, false};
}

/// Lines from the upper right to the lower left, as on the screen for free time.
void hatch(QPainter& painter, const QRectF& rect, const QColor& colour) {
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.setPen(QPen(colour, points(0.5)));
    for (double x = rect.left(); x < rect.right() + rect.height(); x += points(3))
        painter.drawLine(QPointF(x, rect.top()), QPointF(x - rect.height(), rect.bottom()));
    painter.restore();
}

}  // namespace

PageFonts::PageFonts(const QFont& screen, const QFont& code) {
    for (std::size_t i = 0; i < kPageFonts; ++i) {
        const auto kind = static_cast<PageFont>(i);
        const FontShape shape = shapeOf(kind);
        QFont font = kind == PageFont::Code ? code : screen;
        if (kind == PageFont::Code) font.setFamilies(code.families() + QStringList{u"Noto Sans CJK SC"_s});
        else font.setFamilies(QStringList{u"Noto Sans"_s} + screen.families() + QStringList{u"Noto Sans CJK SC"_s});
        font.setPixelSize(static_cast<int>(points(shape.size)));
        font.setBold(shape.isBold);
        font.setHintingPreference(QFont::PreferNoHinting);
        m_metrics.emplace_back(font);
        m_fonts.push_back(std::move(font));
    }
}

double PageFonts::ascent(PageFont font) const {
    // Fonts of Chinese state much room above and below, which would part the lines of a table.
    return 0.95 * this->font(font).pixelSize();
}

double PageFonts::lineHeight(PageFont font) const { return 1.3 * this->font(font).pixelSize(); }

void ReportPages::paint(QPainter& painter, std::size_t page) const {
    const PageContent& content = pages[page];
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing | QPainter::SmoothPixmapTransform);
    for (const PageBox& box : content.boxes) {
        painter.fillRect(box.rect, box.isHatched ? box.colour.lighter(135) : box.colour);
        if (box.isHatched) hatch(painter, box.rect, box.colour);
    }
    for (const PagePicture& picture : content.pictures) painter.drawImage(picture.rect, pictures[picture.picture]);
    for (const PageText& text : content.texts) {
        painter.setFont(fonts.font(text.font));
        painter.setPen(text.colour);
        painter.drawText(text.at, text.text);
    }
}

}  // namespace altiscope
