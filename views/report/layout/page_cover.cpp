#include "views/report/layout/page_cover.h"

#include "core/analysis/steps/step_parts.h"
#include "core/base/text/catalogue.h"
#include "core/report/document/html_text.h"
#include "core/report/document/report_summary.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/report/layout/page_colours.h"
#include "views/report/layout/page_composer.h"

#include <algorithm>
#include <string_view>

namespace altiscope {

namespace {

constexpr std::size_t kMaxInLine = 1000, kMaxInTitle = 160;

void label(PageComposer& pages, std::string_view code, const std::string& language) {
    pages.skip(points(12));
    pages.need(3 * pages.fonts().lineHeight(PageFont::Body));  // not alone at the end of a page
    pages.paragraph(toQString(catalogueText(code, language)), PageFont::Strong, PageComposer::theme().muted);
    pages.skip(points(2));
}

/// The parts of the mean step as one bar with its shares below.
void addStepBar(PageComposer& pages, const ReportTable& steps, const std::string& language) {
    constexpr double kHeight = points(16);
    double total = 0;
    for (const StepPart part : kWholeStep) total += std::max(0.0, numberOf(valueOf(steps, 0, infoOf(part).name)));
    if (total <= 0) return;
    pages.skip(points(8));
    pages.need(kHeight + points(26));
    double x = PageComposer::kLeft, legend = PageComposer::kLeft;
    for (const StepPart whole : kWholeStep) {
        const std::string_view part = infoOf(whole).name;
        const ReportValue value = valueOf(steps, 0, part);
        const double share = std::max(0.0, numberOf(value)) / total;
        const PartColour colour = partColour(part);
        pages.box({x, pages.y(), share * PageComposer::kWidth, kHeight}, colour.colour, colour.pattern);
        x += share * PageComposer::kWidth;
        const double y = pages.y() + kHeight + points(5);
        const QString text = toQString(headingOf({std::string(part), {}}, language) + "  " + valueText(value, "ns") +
                                       "  (" + valueText(ReportValue(share), "share", language) + ")");
        pages.box({legend, y + points(1), points(8), points(8)}, colour.colour, colour.pattern);
        pages.text(legend + points(12), y, text, PageFont::Cell, PageComposer::theme().text);
        legend += points(30) + pages.fonts().width(PageFont::Cell, text);
    }
    pages.skip(kHeight + points(26));
}

/// Figures with their names below, in one line.
void addFacts(PageComposer& pages, const ReportTable& facts, const std::string& language) {
    const Theme& theme = PageComposer::theme();
    pages.skip(points(10));
    const double step = PageComposer::kWidth / static_cast<double>(facts.columns.size());
    for (std::size_t i = 0; i < facts.columns.size(); ++i) {
        const double x = PageComposer::kLeft + static_cast<double>(i) * step;
        const QString value = plainText(valueText(facts.rows[0][i], facts.columns[i].unit, language), kMaxInTitle);
        pages.text(x, pages.y(), value.isEmpty() ? QStringLiteral("–") : value, PageFont::Heading, theme.text);
        pages.text(x, pages.y() + points(18), toQString(headingOf(facts.columns[i], language)), PageFont::Cell,
                   theme.muted);
    }
    pages.skip(points(30));
}

void addFindings(PageComposer& pages, const ReportTable& findings, const std::string& language) {
    const Theme& theme = PageComposer::theme();
    const PageFonts& fonts = pages.fonts();
    pages.skip(points(6));
    const std::size_t rows = std::min(findings.rows.size(), ReportSummary::kMaxFindings);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::string severity = exactText(valueOf(findings, row, "severity"));
        pages.need(fonts.lineHeight(PageFont::Body) + points(2));
        const QString gain = toQString(savingText(findings, row));
        const QColor& colour = severity == "high" ? theme.error : severity == "medium" ? theme.warning : theme.muted;
        const double y = pages.y(), title = PageComposer::kLeft + points(56);
        const double gainWidth = fonts.width(PageFont::Body, gain);
        const std::string word = catalogueText(severityCode(severity), language);
        pages.text(PageComposer::kLeft, y, toQString(word), PageFont::Strong, colour);
        pages.text(title, y,
                   cutToWidth(fonts, PageFont::Body, plainText(exactText(valueOf(findings, row, "title")), kMaxInLine),
                              PageComposer::kLeft + PageComposer::kWidth - title - gainWidth - points(12)),
                   PageFont::Body, theme.text);
        pages.textRight(PageComposer::kLeft + PageComposer::kWidth, y, gain, PageFont::Body, theme.text);
        pages.skip(fonts.lineHeight(PageFont::Body) + points(2));
    }
}

}  // namespace

void addParagraphs(PageComposer& pages, const std::string& text, PageFont font, const QColor& colour) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        pages.paragraph(plainText(std::string_view(text).substr(begin, end - begin), kMaxInLine * 10), font, colour);
        pages.skip(points(3));
        begin = end + 1;
    }
}

PageCover::PageCover(PageComposer& pages, const Report& report) : m_report(report) {
    const Theme& theme = PageComposer::theme();
    pages.box({PageComposer::kLeft, pages.y(), points(36), points(3)}, theme.accent);
    pages.skip(points(12));
    pages.paragraph(plainText(report.title, kMaxInTitle), PageFont::Title, theme.text);
    pages.skip(points(6));
    for (const std::string& capture : report.captures)
        pages.paragraph(plainText(capture, kMaxInLine), PageFont::Cell, theme.muted);
    pages.paragraph(plainText(report.program + ", " + report.generated, kMaxInLine), PageFont::Cell, theme.muted);
    addParagraphs(pages, report.scope, PageFont::Cell, theme.text);
    const ReportSummary summary = summaryOf(report);
    if (summary.facts != nullptr) addFacts(pages, *summary.facts, report.language);
    if (!report.notes.empty()) {
        label(pages, "report.notes", report.language);
        addParagraphs(pages, report.notes, PageFont::Body, theme.text);
    }
    if (!summary.sections.empty()) label(pages, "report.summary", report.language);
    for (const ReportSection* section : summary.sections) {
        addParagraphs(pages, section->text, PageFont::Body, theme.text);
        if (section->id == "steps" && summary.steps != nullptr) addStepBar(pages, *summary.steps, report.language);
        if (section->id == "findings" && summary.findings != nullptr)
            addFindings(pages, *summary.findings, report.language);
    }
    // Room for the title and all parts: pictures and statements besides the sections.
    pages.need(static_cast<double>(report.sections.size() + 2) * pages.fonts().lineHeight(PageFont::Body) + points(40));
    label(pages, "report.contents", report.language);
    m_page = pages.page();
    m_contents = pages.y();
}

void PageCover::begin(const PageComposer& pages, const QString& title) { m_parts.push_back({title, pages.page()}); }

void PageCover::finish(PageComposer& pages) {
    const PageFonts& fonts = pages.fonts();
    const QColor& colour = PageComposer::theme().text;
    PageContent& content = pages.content(m_page);
    double y = m_contents;
    for (const Part& part : m_parts) {
        const double base = y + fonts.ascent(PageFont::Body);
        const QString number = QString::number(part.page + 1);
        const double right = PageComposer::kLeft + points(260);
        content.texts.push_back({{PageComposer::kLeft, base},
                                 cutToWidth(fonts, PageFont::Body, part.title, points(230)),
                                 PageFont::Body,
                                 colour});
        content.texts.push_back({{right - fonts.width(PageFont::Body, number), base}, number, PageFont::Body, colour});
        y += fonts.lineHeight(PageFont::Body) + points(1);
    }
}

}  // namespace altiscope
