#include "views/report/layout/page_composer.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/printable_text.h"
#include "core/report/document/html_text.h"
#include "views/common/support/formatters.h"

#include <QTextLayout>

#include <algorithm>

namespace altiscope {

const Theme& PageComposer::theme() { return lightTheme(); }

void PageComposer::breakPage() {
    m_pages.pages.emplace_back();
    m_y = kTop;
}

bool PageComposer::need(double height) {
    if (m_y + height <= kBottom || m_y <= kTop) return false;
    breakPage();
    return true;
}

void PageComposer::paragraph(const QString& text, PageFont font, const QColor& colour, double indent) {
    for (const QString& line : brokenLines(fonts(), font, text, kWidth - indent)) {
        need(fonts().lineHeight(font));
        this->text(kLeft + indent, m_y, line, font, colour);
        m_y += fonts().lineHeight(font);
    }
}

void PageComposer::text(double x, double y, const QString& text, PageFont font, const QColor& colour) {
    if (!text.isEmpty()) content(page()).texts.push_back({{x, y + fonts().ascent(font)}, text, font, colour});
}

void PageComposer::textRight(double right, double y, const QString& text, PageFont font, const QColor& colour) {
    this->text(right - fonts().width(font, text), y, text, font, colour);
}

void PageComposer::box(const QRectF& rect, const QColor& colour, MeaningPattern pattern) {
    if (rect.width() > 0) content(page()).boxes.push_back({rect, colour, pattern});
}

void PageComposer::hairLine(double y) { box({kLeft, y, kWidth, points(0.5)}, theme().hairLine); }

void PageComposer::picture(const QImage& image, double mostHeight) {
    if (image.isNull()) return;
    const QSizeF size = QSizeF(image.size()).scaled(kWidth, mostHeight, Qt::KeepAspectRatio);
    const QRectF rect({kLeft, m_y}, size);
    const double line = points(0.5);
    box(rect.adjusted(-line, -line, line, line), theme().hairLine);
    m_pages.pictures.push_back(image);
    content(page()).pictures.push_back({rect, m_pages.pictures.size() - 1});
    m_y += size.height();
}

ReportPages PageComposer::finish(const QString& title, const std::string& language) && {
    const std::string pages = std::to_string(m_pages.pages.size());
    const double y = kBottom + points(14);
    for (std::size_t i = 0; i < m_pages.pages.size(); ++i) {
        PageContent& page = m_pages.pages[i];
        const QString number =
            toQString(catalogueText("report.page", language, {{"page", std::to_string(i + 1)}, {"pages", pages}}));
        const double width = fonts().width(PageFont::Cell, number);
        const QString name = cutToWidth(fonts(), PageFont::Cell, title, kWidth - width - points(20));
        const double base = y + fonts().ascent(PageFont::Cell);
        page.boxes.push_back({{kLeft, y - points(5), kWidth, points(0.5)}, theme().hairLine, MeaningPattern::Plain});
        page.texts.push_back({{kLeft, base}, name, PageFont::Cell, theme().muted});
        page.texts.push_back({{kLeft + kWidth - width, base}, number, PageFont::Cell, theme().muted});
    }
    return std::move(m_pages);
}

QStringList brokenLines(const PageFonts& fonts, PageFont font, const QString& text, double width, qsizetype most) {
    if (text.isEmpty()) return {};
    if (fonts.width(font, text) <= width) return {text};
    QTextLayout layout(text, fonts.font(font));
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        if (lines.size() == most) {
            lines.back() = cutToWidth(fonts, font, lines.back() + u'…', width);
            break;
        }
        lines << text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
}

QString cutToWidth(const PageFonts& fonts, PageFont font, const QString& text, double width) {
    return QFontMetricsF(fonts.font(font)).elidedText(text, Qt::ElideRight, width);
}

QString plainText(std::string_view text, std::size_t most) { return toQString(printableText(shortened(text, most))); }

}  // namespace altiscope
