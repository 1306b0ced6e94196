#pragma once

#include "views/common/theme/meaning_look.h"
#include "views/report/layout/report_pages.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <limits>

namespace altiscope {

struct Theme;

/// Fills pages from the top: what does not fit goes to a new one. Widths and heights are in units of a page.
class PageComposer {
public:
    explicit PageComposer(PageFonts fonts) : m_pages{std::move(fonts), {}, {}} { breakPage(); }

    static constexpr double kLeft = points(42), kTop = points(40);
    static constexpr double kWidth = kPageSize.width() - 2 * kLeft;
    static constexpr double kBottom = kPageSize.height() - points(46);

    const PageFonts& fonts() const { return m_pages.fonts; }
    /// Colours of paper: the light theme.
    static const Theme& theme();

    double y() const { return m_y; }
    double left() const { return kBottom - m_y; }  ///< Height that is left on this page.
    std::size_t page() const { return m_pages.pages.size() - 1; }
    void breakPage();
    /// A new page unless so much is left. @return Whether there is a new one.
    bool need(double height);
    void skip(double height) { m_y += height; }

    /// A paragraph over the whole width, or from `indent` on, broken into lines; over pages where it must.
    void paragraph(const QString& text, PageFont font, const QColor& colour, double indent = 0);
    /// A line of text at a place of this page; nothing moves. `y` is its top.
    void text(double x, double y, const QString& text, PageFont font, const QColor& colour);
    void textRight(double right, double y, const QString& text, PageFont font, const QColor& colour);
    void box(const QRectF& rect, const QColor& colour, MeaningPattern pattern = MeaningPattern::Plain);
    void hairLine(double y);
    /// As wide as the page at most, and so that it fits on one. @param note  Below it, on the same page.
    void picture(const QImage& image, double mostHeight);

    /// Writes "Page 1 of 3" and a title at the foot of each page. @return All of them.
    ReportPages finish(const QString& title, const std::string& language) &&;
    PageContent& content(std::size_t page) { return m_pages.pages[page]; }

private:
    ReportPages m_pages;
    double m_y = kTop;
};

/// The lines of a text in a width: broken between words, inside of words that are longer. At most so many; the last one
/// ends with an ellipsis where there are more.
QStringList brokenLines(const PageFonts& fonts, PageFont font, const QString& text, double width,
                        qsizetype most = std::numeric_limits<qsizetype>::max());

/// One line that fits into the width, cut at its end.
QString cutToWidth(const PageFonts& fonts, PageFont font, const QString& text, double width);

/// A text of a capture on one line: what is invisible or turns the direction is shown as an escape, and what is longer
/// than `most` characters is cut.
QString plainText(std::string_view text, std::size_t most);

}  // namespace altiscope
