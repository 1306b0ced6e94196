#pragma once

#include "core/report/document/report_document.h"
#include "views/report/layout/report_pages.h"

#include <QString>

#include <string>
#include <vector>

namespace altiscope {

class PageComposer;

/// Texts of a user or of the report, a line each.
void addParagraphs(PageComposer& pages, const std::string& text, PageFont font, const QColor& colour);

/// The first page of a report: what it is about, the mean step, what to do first, notes, and the contents, whose pages
/// are known at the end only.
class PageCover {
public:
    /// Fills what comes before the contents. `report` must outlive this.
    PageCover(PageComposer& pages, const Report& report);

    /// A part of this title begins on the page that is filled now.
    void begin(const PageComposer& pages, const QString& title);
    /// Writes the contents to where there is room for them.
    void finish(PageComposer& pages);

private:
    struct Part {
        QString title;
        std::size_t page;
    };

    const Report& m_report;
    double m_contents = 0;  ///< Where they begin on their page.
    std::size_t m_page = 0;
    std::vector<Part> m_parts;
};

}  // namespace altiscope
