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

/// The pattern of a meaning, as on the screen.
void hatch(QPainter& painter, const QRectF& rect, const QColor& colour, MeaningPattern pattern) {
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    const double step = points(3), height = rect.height();
    const bool isStriped = pattern == MeaningPattern::Rising || pattern == MeaningPattern::Falling;
    painter.setPen(QPen(isStriped ? colour : colour.darker(120), points(0.5)));
    if (isStriped) {
        const double lean = pattern == MeaningPattern::Rising ? -height : height;
        for (double x = rect.left() - height; x < rect.right() + height; x += step)
            painter.drawLine(QPointF(x, rect.top()), QPointF(x + lean, rect.bottom()));
    } else if (pattern == MeaningPattern::Lines) {
        for (double y = rect.top() + step / 2; y < rect.bottom(); y += step)
            painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    } else {
        for (double x = rect.left() + step / 2; x < rect.right(); x += step)
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
    }
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
        const bool isStriped = box.pattern == MeaningPattern::Rising || box.pattern == MeaningPattern::Falling;
        painter.fillRect(box.rect, isStriped ? box.colour.lighter(135) : box.colour);
        if (box.pattern != MeaningPattern::Plain) hatch(painter, box.rect, box.colour, box.pattern);
    }
    for (const PagePicture& picture : content.pictures) painter.drawImage(picture.rect, pictures[picture.picture]);
    for (const PageText& text : content.texts) {
        painter.setFont(fonts.font(text.font));
        painter.setPen(text.colour);
        painter.drawText(text.at, text.text);
    }
}

}  // namespace altiscope
