#include "views/report/layout/report_pdf.h"

#include <QBuffer>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>

namespace altiscope {

QByteArray pdfOf(const ReportPages& pages, const QString& title, const QString& program, const CancelToken& cancel) {
    QBuffer content;
    content.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&content);
        writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Portrait, {}));
        writer.setResolution(kUnitsPerInch);
        writer.setTitle(title);
        writer.setCreator(program);
        QPainter painter(&writer);
        for (std::size_t page = 0; page < pages.pages.size(); ++page) {
            if (cancel.cancelled()) return {};
            if (page > 0) writer.newPage();
            pages.paint(painter, page);
        }
    }
    return content.data();
}

}  // namespace altiscope
