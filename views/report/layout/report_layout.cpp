#include "views/report/layout/report_layout.h"

#include "core/base/text/catalogue.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/report/layout/page_composer.h"
#include "views/report/layout/page_cover.h"
#include "views/report/layout/page_table.h"

#include <algorithm>

namespace altiscope {

namespace {

constexpr std::size_t kMaxInText = 4000, kMaxInHeading = 160;
/// Below this a section, a table and a picture begin on a new page.
constexpr double kSectionRoom = points(120), kTableRoom = points(60), kPictureRoom = points(200);

void heading(PageComposer& pages, const QString& text) {
    const Theme& theme = PageComposer::theme();
    if (pages.y() > PageComposer::kTop) pages.skip(points(14));
    pages.need(kSectionRoom);
    pages.paragraph(text, PageFont::Heading, theme.text);
    pages.skip(points(2));
    pages.hairLine(pages.y());
    pages.skip(points(6));
}

void addPictures(PageComposer& pages, const Report& report) {
    if (report.pictures.empty()) return;
    const Theme& theme = PageComposer::theme();
    heading(pages, toQString(catalogueText("report.pictures", report.language)));
    for (const ReportPicture& picture : report.pictures) {
        const QImage image = QImage::fromData(reinterpret_cast<const uchar*>(picture.png.data()),
                                              static_cast<int>(picture.png.size()), "PNG");
        if (image.isNull()) continue;
        const double height = PageComposer::kWidth * image.height() / std::max(1, image.width());
        pages.need(std::clamp(height, kPictureRoom, PageComposer::kBottom - PageComposer::kTop - points(60)) +
                   points(40));
        pages.paragraph(plainText(picture.title, kMaxInHeading), PageFont::Subheading, theme.text);
        pages.skip(points(3));
        pages.picture(image, pages.left() - points(30));
        pages.skip(points(4));
        addParagraphs(pages, picture.note, PageFont::Body, theme.text);
        pages.skip(points(10));
    }
}

void addSection(PageComposer& pages, const ReportSection& section, const std::string& language) {
    const Theme& theme = PageComposer::theme();
    addParagraphs(pages, section.text, PageFont::Body, theme.text);
    for (const ReportTable& table : section.tables) {
        pages.skip(points(8));
        pages.need(kTableRoom + pageChartRoom(table));
        pages.paragraph(plainText(table.title, kMaxInHeading), PageFont::Subheading, theme.text);
        pages.skip(points(3));
        addPageChart(pages, table, language);
        addPageTable(pages, table, language);
    }
}

void addStatements(PageComposer& pages, const Report& report) {
    const Theme& theme = PageComposer::theme();
    for (const ReportSection& section : report.sections) {
        for (const ReportTable& table : section.tables) {
            if (table.sql.empty()) continue;
            pages.need(kTableRoom);
            pages.paragraph(plainText(table.title, kMaxInHeading), PageFont::CellStrong, theme.text);
            pages.paragraph(plainText(table.sql, kMaxInText), PageFont::Code, theme.muted);
            pages.skip(points(6));
        }
    }
}

bool hasStatements(const Report& report) {
    return std::any_of(report.sections.begin(), report.sections.end(), [](const ReportSection& section) {
        return std::any_of(section.tables.begin(), section.tables.end(),
                           [](const ReportTable& table) { return !table.sql.empty(); });
    });
}

}  // namespace

std::shared_ptr<const ReportPages> layoutReport(const Report& report, const PageFonts& fonts,
                                                const CancelToken& cancel) {
    PageComposer pages(fonts);
    PageCover cover(pages, report);
    pages.breakPage();
    if (!report.pictures.empty()) {
        cover.begin(pages, toQString(catalogueText("report.pictures", report.language)));
        addPictures(pages, report);
    }
    for (const ReportSection& section : report.sections) {
        if (cancel.cancelled()) return nullptr;
        heading(pages, plainText(section.title, kMaxInHeading));
        cover.begin(pages, plainText(section.title, kMaxInHeading));
        addSection(pages, section, report.language);
    }
    if (cancel.cancelled()) return nullptr;
    if (hasStatements(report)) {
        const QString title = toQString(catalogueText("report.statements", report.language));
        heading(pages, title);
        cover.begin(pages, title);
        addStatements(pages, report);
    }
    cover.finish(pages);
    return std::make_shared<const ReportPages>(
        std::move(pages).finish(plainText(report.title, kMaxInHeading), report.language));
}

}  // namespace altiscope
